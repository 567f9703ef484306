use itertools::{iproduct, Itertools};

fn main() {
    let pieces = ["knight", "rook", "pawn"];
    println!("{}", pieces.iter().permutations(2).map(|p| p.iter().join("-")).join(" "));
    println!("{:?}", (1..=5).combinations(3).filter(|c| c.iter().sum::<i32>() % 2 == 0).collect_vec());
    println!("{:?}", iproduct!(0..2, 0..3).map(|(a, b)| a * 3 + b).collect_vec());
    println!("{:?}", [3, 1, 4, 1, 5, 9].iter().sorted().dedup().tuple_windows().map(|(a, b)| b - a).collect_vec());
    println!("{:?} {:?}", [5, 2, 8].iter().minmax(), [1, 2, 3].iter().interleave(&[7, 8]).collect_vec());
}

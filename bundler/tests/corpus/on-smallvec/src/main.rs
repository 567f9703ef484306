use smallvec::{smallvec, SmallVec};

type Moves = SmallVec<[(u8, u8); 8]>;

fn moves(n: u8) -> Moves {
    (0..n).flat_map(|x| (0..x).map(move |y| (x, y))).filter(|(x, y)| (x + y) % 3 == 0).collect()
}

fn main() {
    let mut few = moves(4);
    let many = moves(9);
    println!("{few:?} {} {}", few.spilled(), many.spilled());
    few.extend(many.iter().copied().take(3));
    few.swap_remove(0);
    few.sort_by_key(|m| std::cmp::Reverse(*m));
    few.retain(|m| m.1 != 0);
    let literal: SmallVec<[i32; 4]> = smallvec![7; 3];
    println!("{few:?} {:?} {:?}", literal, few.iter().max());
    let mut stack: SmallVec<[u64; 2]> = SmallVec::new();
    for i in 0..5 {
        stack.push(i * i);
    }
    while let Some(top) = stack.pop() {
        print!("{top} ");
    }
    println!();
}

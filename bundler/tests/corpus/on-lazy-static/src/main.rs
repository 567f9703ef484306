use lazy_static::lazy_static;

lazy_static! {
    static ref NEIGHBOURS: Vec<Vec<usize>> = (0..9).map(|i| (0..9).filter(|j| i != *j && i / 3 == j / 3).collect()).collect();
    static ref COUNT: usize = NEIGHBOURS.iter().map(Vec::len).sum();
}

fn main() {
    println!("{:?} {}", NEIGHBOURS[4], *COUNT);
}

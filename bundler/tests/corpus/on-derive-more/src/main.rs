#[derive(Clone, Copy, Debug, derive_more::Add)]
struct Point(i32, i32);

fn main() {
    println!("{:?}", Point(1, 2) + Point(3, 4));
}

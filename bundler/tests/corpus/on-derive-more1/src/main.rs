#[derive(Clone, Copy, Debug, derive_more::Add, derive_more::Display, derive_more::From)]
#[display("<{_0}>")]
struct Point(i32);

fn main() {
    println!("{} {:?}", Point(1) + Point::from(2), Point(3));
}

#[derive(Debug, serde::Serialize)]
struct Point(i32, i32);

fn main() {
    println!("{:?}", Point(1, 2));
}

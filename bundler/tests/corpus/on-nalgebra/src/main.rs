use nalgebra::{Matrix2, Vector2};

fn main() {
    let turn = Matrix2::new(0.0, -1.0, 1.0, 0.0);
    let at: Vector2<f64> = turn * Vector2::new(3.0, 4.0);
    println!("{} {} {}", at.x, at.y, at.norm());
}

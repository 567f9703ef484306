use glam::{vec2, IVec2, Mat2, Vec2, Vec3};

fn main() {
    let mut at = vec2(3.0, 4.0);
    let speed = Vec2::from_angle(0.5) * 2.0;
    at += speed;
    println!("{:.4} {:.4} {:.4}", at.x, at.length(), at.dot(Vec2::Y));
    println!("{:.4} {:?}", (Mat2::from_angle(1.0) * at).x, IVec2::new(2, -3).abs().max_element());
    println!("{:?}", Vec3::new(1.0, 0.0, 0.0).cross(Vec3::Y));
}

use wide::{f32x8, i32x8};

fn main() {
    let weights = f32x8::from([0.5, -1.0, 2.0, 0.25, 1.0, 3.0, -2.0, 0.0]);
    let inputs = f32x8::splat(2.0) + f32x8::from([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    println!("{} {:?}", (weights * inputs).reduce_add(), weights.max(f32x8::ZERO).to_array());
    println!("{:?}", (i32x8::splat(7) - i32x8::from([1, 2, 3, 4, 5, 6, 7, 8])).to_array());
}

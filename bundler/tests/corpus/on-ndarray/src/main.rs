use ndarray::{array, s, Array1, Array2, Axis};

fn main() {
    let weights: Array2<f32> = Array2::from_shape_fn((2, 3), |(i, j)| i as f32 - j as f32 * 0.5);
    let input: Array1<f32> = array![1.0, 2.0, 3.0];
    let output = weights.dot(&input).mapv(|x| x.max(0.0));
    println!("{output:?} {:?}", weights.sum_axis(Axis(0)));
    println!("{:?}", weights.slice(s![.., 1..]).t());
}

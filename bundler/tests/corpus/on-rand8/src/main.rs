use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

fn main() {
    let mut rng = SmallRng::seed_from_u64(42);
    let mut order: Vec<usize> = (0..10).collect();
    order.shuffle(&mut rng);
    let walk: Vec<i64> = (0..6).map(|_| rng.gen_range(-5..=5)).collect();
    println!("{order:?} {walk:?}");
    println!("{} {:.6} {}", rng.gen::<u16>(), rng.gen::<f32>(), rng.gen_bool(0.5));
    println!("{:?}", order.choose(&mut rng));
}

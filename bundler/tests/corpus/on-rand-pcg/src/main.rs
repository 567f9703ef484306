use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn main() {
    let mut rng = Pcg64Mcg::seed_from_u64(7);
    let dice: Vec<u8> = (0..10).map(|_| rng.random_range(1..=6)).collect();
    println!("{dice:?} {:.6}", rng.random::<f64>());
}

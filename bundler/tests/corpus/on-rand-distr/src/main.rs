use rand::rngs::SmallRng;
use rand::SeedableRng;
use rand_distr::{Distribution, Exp, Normal, Poisson};

fn main() {
    let mut rng = SmallRng::seed_from_u64(5);
    let normal = Normal::new(2.0, 0.5).unwrap();
    let throws: Vec<f64> = (0..4).map(|_| normal.sample(&mut rng)).collect();
    println!("{throws:.6?}");
    println!("{:.6} {}", Exp::new(1.5).unwrap().sample(&mut rng), Poisson::new(4.0).unwrap().sample(&mut rng));
}

use rand::{rngs::StdRng, seq::SliceRandom, Rng, SeedableRng};

fn main() {
    let mut rng = StdRng::seed_from_u64(7);
    let mut order: Vec<u32> = (0..5).collect();
    order.shuffle(&mut rng);
    println!("{order:?} {} {}", rng.gen_range(0, 10), rng.gen::<u64>());
    assert!(rand::thread_rng().gen_range(0, 10) < 10);
}

use rand::prelude::*;

fn main() {
    let mut rng = rand::rng();
    let mut deck: Vec<u32> = (0..52).collect();
    deck.shuffle(&mut rng);
    println!("{}", rng.random_range(0..10) < 10 && rng.random::<f64>() < 1.0);
    deck.sort_unstable();
    println!("{:?}", &deck[..5]);
    let mut fixed = StdRng::seed_from_u64(7);
    println!("{} {:?}", fixed.random_range(0..1_000_000), deck.choose(&mut fixed));
}

use rand::rngs::SmallRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};

/// Random playouts over a deck that is shuffled each time.
fn playout(rng: &mut SmallRng, deck: &mut [u8]) -> i32 {
    deck.shuffle(rng);
    let mut score = 0;
    for &card in deck.iter().take(rng.random_range(1..=5)) {
        score += if rng.random_bool(0.25) { -i32::from(card) } else { i32::from(card) };
    }
    score
}

fn main() {
    let mut rng = SmallRng::seed_from_u64(20_240_229);
    let mut deck: Vec<u8> = (1..=13).collect();
    let scores: Vec<i32> = (0..8).map(|_| playout(&mut rng, &mut deck)).collect();
    println!("{scores:?} {deck:?}");
    println!("{:.6} {}", rng.random::<f64>(), rng.random::<u32>());
    println!("{:?} {:.4}", deck.choose(&mut rng), rng.random_range(-1.0..1.0f32));
}

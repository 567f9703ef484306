use rand::prelude::*;

fn main() {
    let mut rng = thread_rng();
    let mut deck: Vec<u32> = (0..52).collect();
    deck.shuffle(&mut rng);
    let hand: u32 = deck.iter().take(5).sum();
    println!("{}", (10..=245).contains(&hand));
    deck.sort_unstable();
    println!("{:?}", &deck[..5]);
    let chance: f64 = rng.gen();
    println!("{} {}", (0.0..1.0).contains(&chance), rand::random::<u8>() <= 255);
    let mut fixed = StdRng::seed_from_u64(7);
    println!("{} {:?}", fixed.gen_range(0..1_000_000), deck.choose(&mut fixed));
}

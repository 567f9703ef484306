//! Plays a few games against itself, with the dice of rand 0.9.

use breakthrough::dice::Dice;
use breakthrough::referee;
use rand::rngs::SmallRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};

struct Random(SmallRng);

impl Dice for Random {
    fn below(&mut self, n: usize) -> usize {
        self.0.random_range(0..n)
    }

    fn share(&mut self) -> f64 {
        self.0.random()
    }

    fn mix<T>(&mut self, things: &mut [T]) {
        things.shuffle(&mut self.0);
    }

    fn one<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        things.choose(&mut self.0)
    }
}

fn main() {
    let mut dice = Random(SmallRng::seed_from_u64(2024));
    print!("{}", referee::tournament(&mut dice, 4));
}

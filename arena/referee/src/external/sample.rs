//! Chooses at random the games in kept machines that are compared with plain ones.

use coppice::rng::split_mix;

/// Games of the first stretch; each later one has `GROWTH` times as many. In the measurements of `docs/referees.md` a plain
/// game takes as long as four or five kept ones: one in 32 is a seventh of their time, one in 512 a hundredth.
const FIRST_STRETCH: u32 = 32;

/// Games of the longest stretch.
const LONGEST_STRETCH: u32 = 512;

const GROWTH: u32 = 4;

/// Goes through the games; one of each stretch is chosen.
#[derive(Debug)]
pub(super) struct Sample {
    random: u64,
    stretch: u32,
    /// Games of the stretch that are left.
    left: u32,
    /// The value of `left` at the chosen game.
    chosen: u32,
}

impl Sample {
    /// A sample; equal seeds give equal samples.
    pub(super) fn new(seed: u64) -> Self {
        Self { random: seed, stretch: FIRST_STRETCH / GROWTH, left: 0, chosen: 0 }
    }

    /// Counts a game; whether it is chosen.
    pub(super) fn takes_next(&mut self) -> bool {
        if self.left == 0 {
            self.stretch = (self.stretch * GROWTH).min(LONGEST_STRETCH);
            self.left = self.stretch;
            self.chosen = 1 + (split_mix(&mut self.random) % u64::from(self.stretch)) as u32;
        }
        self.left -= 1;
        self.left + 1 == self.chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_game_of_each_stretch_is_chosen() {
        let mut sample = Sample::new(7);
        let chosen = (0..32 + 128 + 3 * 512).map(|_| sample.takes_next()).collect::<Vec<_>>();
        let (mut from, mut places) = (0, Vec::new());
        for stretch in [32, 128, 512, 512, 512] {
            let games = &chosen[from..from + stretch];
            assert_eq!(games.iter().filter(|&&is_chosen| is_chosen).count(), 1);
            places.push(games.iter().position(|&is_chosen| is_chosen));
            from += stretch;
        }
        assert_ne!(places[3], places[4]);
    }
}

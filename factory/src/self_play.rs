//! Games of a search against itself, with random slips and with labels.

use coppice::{Game, Player, Rng, Score};

use crate::sample::Sample;

/// Departures of a game from the search's best moves.
#[derive(Debug, Clone, Copy)]
pub struct Slips {
    /// Three of four games begin with 1 to this many random moves, the others at the start.
    pub opening: u32,
    /// The ply up to which one move in `early_one_in` is random.
    pub early: u32,
    /// Random moves early in a game: one in this many.
    pub early_one_in: u32,
    /// Random moves later: one in this many.
    pub one_in: u32,
    /// At one move in this many, what follows a random move is labelled as well: searches see such positions.
    pub aside_one_in: u32,
}

/// An estimate as a value from -1 to 1, where this many points are three quarters of a win.
pub fn value(score: Score, three_quarters: f32) -> f32 {
    match () {
        () if score.is_win() => 1.0,
        () if score.is_loss() => -1.0,
        () => {
            let x = score.value() as f32 / three_quarters;
            x / (1.0 + x.abs())
        }
    }
}

impl Slips {
    /// Plays one game. `label` adds the sample of a position that isn't over, and returns its best move.
    pub fn game<G: Game, P>(
        &self,
        start: G,
        rng: &mut Rng,
        samples: &mut Vec<Sample<P>>,
        mut label: impl FnMut(&G, &mut Rng, &mut Vec<Sample<P>>) -> Option<G::Move>,
    ) {
        let mut game = start;
        let mut plies = if rng.below(4) == 0 { 0 } else { 1 + rng.below(self.opening) };
        for _ in 0..plies {
            game.random_move(rng).into_iter().for_each(|m| game.play(m));
        }
        let first = samples.len();
        // Who was to move in each sample that the game went through without a slip since; `None` for the others.
        let mut movers: Vec<Option<Player>> = Vec::new();
        while !game.is_over() {
            let best = label(&game, rng, samples);
            let one_in = if plies < self.early { self.early_one_in } else { self.one_in };
            let slips = rng.below(one_in) == 0;
            if slips {
                movers.fill(None);
            }
            movers.push(Some(game.to_move()).filter(|_| !slips));
            let aside = game.random_move(rng).map(|m| game.after(m)).filter(|next| !next.is_over());
            let is_labelled = |rng: &mut Rng| self.aside_one_in == 1 || rng.below(self.aside_one_in) == 0;
            if let Some(next) = aside.filter(|_| is_labelled(rng)) {
                label(&next, rng, samples);
                movers.push(None);
            }
            let chosen = if slips { game.random_move(rng) } else { best };
            let Some(m) = chosen else { break };
            game.play(m);
            plies += 1;
        }
        for (sample, mover) in samples[first..].iter_mut().zip(movers) {
            sample.result = mover.map(|mover| game.payoff(mover).sign() as f32);
        }
    }
}

//! Estimates the value of an undecided position.

use coppice::{Evaluation, Score};

use crate::game::State;

contest::tunables! {
    /// The evaluation's weights; `tune` finds better values.
    pub struct Numbers {
        /// A disc in the middle column; one less for each column that it is away.
        middle: i32 = 3 in 0..=20,
        /// A line of four cells in which the opponent has no disc.
        open: i32 = 0 in 0..=20,
    }
}

/// The cells of the board.
const CELLS: u64 = 0x3f * 0x0408_1020_4081;

/// The evaluation.
#[derive(Debug, Clone, Copy, Default)]
pub struct Eval(pub Numbers);

impl Evaluation<State> for Eval {
    /// The worth for the player to move.
    fn evaluate(&self, state: &State) -> Score {
        let worth = |discs: u64, opponent: u64| {
            let in_column = |column: i32| (discs >> (7 * column) & 0x3f).count_ones() as i32;
            let placed: i32 =
                (0..7).map(|column: i32| (self.0.middle - (column - 3).abs()) * in_column(column)).sum();
            let free = CELLS & !opponent;
            let open = |step: u32| -> i32 {
                let pairs: u64 = free & free >> step;
                (pairs & pairs >> (2 * step)).count_ones() as i32
            };
            placed + self.0.open * [1, 7, 6, 8].map(open).iter().sum::<i32>()
        };
        let mover = state.mover.index();
        let (own, opponent) = (state.discs[mover], state.discs[1 - mover]);
        Score::estimate(worth(own, opponent) - worth(opponent, own))
    }
}

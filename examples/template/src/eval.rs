//! Estimates the value of an undecided position.

use coppice::{Evaluation, Player, Score};

use crate::game::State;

contest::tunables! {
    /// The evaluation's weights; `tune` finds better values.
    pub struct Numbers {
        /// A box of lead.
        lead: i32 = 10 in 1..=20,
        /// A box with three lines, which the player to move can close.
        ready: i32 = 6 in 0..=20,
    }
}

/// The evaluation.
#[derive(Debug, Clone, Copy, Default)]
pub struct Eval(pub Numbers);

impl Evaluation<State> for Eval {
    /// The worth for the player to move.
    fn evaluate(&self, state: &State) -> Score {
        self.evaluate_for(state, state.mover)
    }

    /// The worth for any player. Of two players each has the opposite of the other's.
    fn evaluate_for(&self, state: &State, player: Player) -> Score {
        let ready = self.0.ready * state.ready() as i32;
        Score::estimate(self.0.lead * state.lead(player) + if player == state.mover { ready } else { -ready })
    }
}

//! Estimates the value of an unfinished game.

use coppice::{Estimate, Joint, Player};

use crate::game::{State, SIZE};

contest::tunables! {
    /// The estimate's weights.
    pub struct Numbers {
        /// Value of an apple one step away, in hundredths of a picked one; half of it at two steps.
        near: i32 = 0 in 0..=50,
    }
}

/// The estimate.
#[derive(Debug, Clone, Copy, Default)]
pub struct Eval(pub Numbers);

impl Estimate<State> for Eval {
    /// The worth for a player, in the unit of `Joint::payoff`. The other has the opposite.
    fn estimate(&self, state: &State, player: Player) -> f64 {
        let near = |player: Player| {
            let own = state.cells[player.index()];
            let steps = |cell: u8| (cell / SIZE).abs_diff(own / SIZE) + (cell % SIZE).abs_diff(own % SIZE);
            let apples = (0..SIZE * SIZE).filter(|cell| state.apples >> cell & 1 == 1);
            apples.map(|cell| 1.0 / f64::from(steps(cell).max(1))).sum::<f64>()
        };
        let points = f64::from(state.payoff(player).0);
        points + f64::from(self.0.near) / 100.0 * (near(player) - near(player.other()))
    }
}

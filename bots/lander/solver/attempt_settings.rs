//! How a flight is looked for where no quick attempt finds a landing.

use coppice::Rng;

/// Rounds and nodes after which a patient attempt is given up.
pub const LIMITS: (usize, u64) = (20, 1_000_000);
/// Rounds in which the end may be missed: it isn't known yet when the obstacles are best passed.
pub const HARD_ROUNDS: usize = 8;
/// How much too fast the end may be in these rounds, in m/s.
pub const HARD: f64 = 60.0;
/// The last [`Shooting::round_off`](super::shooting::Shooting::round_off).
pub const ROUND_OFF: f64 = 0.02;
/// Additional clearance of obstacles, in metres: a long flight in whole degrees is further from the solution.
pub const APART: f64 = 4.0;

/// The first values of `round_off`, and the values of `softer`, that are tried.
const ROUND_OFFS: [f64; 4] = [0.1, 0.2, 0.3, 0.5];
const SOFTER: [f64; 4] = [0.5, 1.0, 2.0, 3.0];

/// The settings of a patient attempt.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// The first [`Shooting::round_off`](super::shooting::Shooting::round_off); each round halves it.
    pub round_off: f64,
    /// How much softer than necessary the end has to be, in m/s: whole degrees cost 1 to 3 m/s in 200 seconds.
    pub softer: f64,
    /// Whether conditions that can't be met together are missed as little as possible in the first rounds.
    pub is_elastic: bool,
}

impl Patience {
    /// The settings for a plan that only lacks fuel.
    pub const FRUGAL: Patience = Patience { round_off: ROUND_OFFS[0], softer: 0.0, is_elastic: false };

    /// Random settings.
    pub fn random(rng: &mut Rng) -> Patience {
        let mut any = |values: [f64; 4]| values[rng.below(4) as usize];
        let (round_off, softer) = (any(ROUND_OFFS), any(SOFTER));
        Patience { round_off, softer, is_elastic: rng.below(2) == 0 }
    }
}

//! UCB1's terms for numbers of visits, from a table: shared by all searches that choose moves by UCB1.

use crate::math;

/// Size of the table: 192 kB; little is in use at a time, since visits grow one by one.
/// Divisions and square roots are a fifth of an iteration in tic-tac-toe, the root's logarithm alone a tenth.
const RATES: u32 = 1 << 14;

/// UCB1's terms for n visits; those of 1 visit for 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rate {
    /// 1 / n.
    pub(super) share: f32,
    /// sqrt(1 / n).
    pub(super) width: f32,
    /// sqrt(ln n).
    pub(super) growth: f32,
}

impl Rate {
    #[inline(always)]
    fn new(visits: u32) -> Rate {
        let visits = visits.max(1) as f32;
        let share = 1.0 / visits;
        Rate { share, width: share.sqrt(), growth: math::ln(visits).sqrt() }
    }
}

/// The terms for small numbers of visits.
#[derive(Debug, Clone)]
pub(super) struct Rates(Vec<Rate>);

impl Rates {
    pub(super) fn new() -> Rates {
        Rates((0..RATES).map(Rate::new).collect())
    }

    #[inline(always)]
    pub(super) fn of(&self, visits: u32) -> Rate {
        match self.0.get(visits as usize) {
            Some(&rate) => rate,
            None => Rate::new(visits),
        }
    }
}

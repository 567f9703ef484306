//! Progressive widening, of moves and of outcomes, and the outcomes that a search has drawn so far.

use crate::joint::Joint;
use crate::rng::Rng;

use super::store::Store;

/// Double progressive widening (Couëtoux, Hoock, Sokolovska, Teytaud and Bonnard, *Continuous Upper Confidence
/// Trees*, 2011, section 3): after n visits a state has factor · n^(1/root) of its moves, or outcomes, and no more,
/// so that each of them is visited often enough to be judged. Without it every move is tried before any twice, and
/// outcomes are drawn again each time.
///
/// Worth its cost where there are more moves or outcomes than visits to a state: outcomes drawn from hundreds never
/// repeat, and the tree never gets deeper than the first of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Widening {
    /// The factor for moves, in the order in which they are tried; infinity for all at once.
    pub moves: f32,
    /// The factor for outcomes; infinity to draw always.
    pub outcomes: f32,
    /// The root: 2 for the square root of the visits, 3 for the cube root. At least 1.
    pub root: u32,
}

impl Default for Widening {
    fn default() -> Widening {
        Widening { moves: f32::INFINITY, outcomes: 2.0, root: 2 }
    }
}

impl Widening {
    pub(super) fn widens_outcomes(&self) -> bool {
        self.outcomes.is_finite()
    }

    /// Whether one more than `count` is allowed after `visits` visits: whether (count / factor)^root < visits, by
    /// multiplications.
    fn allows(&self, factor: f32, count: usize, visits: u32) -> bool {
        let ratio = count as f32 / factor;
        let mut power = ratio;
        for _ in 1..self.root {
            power *= ratio;
        }
        // An infinite factor: 0. A factor of 0: infinity, or not a number.
        count == 0 || power < visits as f32
    }

    /// How many of `count` moves are open after `visits` visits: at least 1.
    #[inline(always)]
    pub(super) fn open_moves(&self, count: usize, visits: u32) -> usize {
        if self.moves == f32::INFINITY {
            return count;
        }
        let mut open = 1;
        while open < count && self.allows(self.moves, open, visits) {
            open += 1;
        }
        open
    }
}

/// An outcome, and how often it was drawn.
#[derive(Debug, Clone, Copy, Default)]
struct Drawn<O> {
    outcome: O,
    times: u32,
}

/// The outcomes drawn so far where chance decided; the note of a state is their number.
#[derive(Debug, Clone)]
pub(super) struct Chance<O> {
    store: Store<Drawn<O>>,
}

/// Room for outcomes that a state begins with; it doubles.
const FIRST_ROOM: usize = 2;

impl<O: Copy + Default + Eq> Chance<O> {
    pub(super) fn with_bytes(bytes: usize) -> Chance<O> {
        Chance { store: Store::with_bytes(bytes) }
    }

    pub(super) fn begin(&mut self) {
        self.store.begin();
    }

    pub(super) fn clear(&mut self) {
        self.store.clear();
    }

    /// Lets chance decide until it has nothing to decide: by one of the outcomes drawn before, in proportion to how
    /// often each was, or a new one if as many are allowed.
    #[inline(always)]
    pub(super) fn let_happen<G: Joint<Outcome = O>>(
        &mut self,
        state: &mut G,
        widening: &Widening,
        rng: &mut Rng,
    ) {
        while state.awaits_chance() {
            let key = state.hash();
            let Some(at) = self.store.find(key).or_else(|| self.create(key)) else {
                // No room: outcomes are drawn again.
                return state.let_happen(rng);
            };
            let entry = *self.store.visit(at);
            let used = usize::from(entry.note);
            let is_open = widening.allows(widening.outcomes, used, entry.visits) && self.has_room(at);
            let outcome = if is_open {
                let Some(outcome) = state.draw(rng) else { return };
                self.remember(at, outcome);
                outcome
            } else {
                self.again(at, rng)
            };
            state.happen(outcome);
        }
    }

    fn create(&mut self, key: u64) -> Option<usize> {
        let at = self.store.insert(key, FIRST_ROOM)?;
        self.store.visit(at);
        Some(at)
    }

    /// Whether there is room for one more outcome of a state, which is made if it can be.
    fn has_room(&mut self, at: usize) -> bool {
        let entry = *self.store.entry(at);
        usize::from(entry.note) < entry.items().len() || self.store.grow(at, 2 * entry.items().len())
    }

    fn remember(&mut self, at: usize, outcome: O) {
        let entry = *self.store.entry(at);
        let mut items = entry.items().iter();
        let known = items
            .by_ref()
            .take(usize::from(entry.note))
            .find(|&id| self.store.pool.get(id).outcome == outcome);
        let id = known.unwrap_or_else(|| {
            let entry = self.store.touch(at);
            entry.note += 1;
            entry.items().get(usize::from(entry.note) - 1)
        });
        let drawn = self.store.pool.get_mut(id);
        (drawn.outcome, drawn.times) = (outcome, drawn.times + 1);
    }

    /// One of the outcomes drawn before.
    fn again(&self, at: usize, rng: &mut Rng) -> O {
        let entry = self.store.entry(at);
        let drawn = || entry.items().iter().take(usize::from(entry.note)).map(|id| *self.store.pool.get(id));
        let total = drawn().map(|drawn| drawn.times).sum::<u32>();
        let mut ticket = rng.below(total.max(1));
        for Drawn { outcome, times } in drawn() {
            if ticket < times {
                return outcome;
            }
            ticket -= times;
        }
        O::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_open_with_the_root_of_the_visits() {
        let widening = |moves, root| Widening { moves, outcomes: f32::INFINITY, root };
        let open =
            |widening: &Widening| [0, 1, 4, 5, 16, 17, 100].map(|visits| widening.open_moves(8, visits));
        assert_eq!(open(&widening(1.0, 2)), [1, 1, 2, 3, 4, 5, 8]);
        assert_eq!(open(&widening(2.0, 2)), [1, 2, 4, 5, 8, 8, 8]);
        assert_eq!(open(&widening(1.0, 1)), [1, 1, 4, 5, 8, 8, 8]);
        assert_eq!(open(&widening(0.0, 2)), [1; 7]);
        assert_eq!(open(&widening(f32::INFINITY, 2)), [8; 7]);
    }
}

//! A mixed strategy: a probability for each of a player's moves.

use std::fmt;

use crate::joint::Joint;
use crate::list::Moves;
use crate::rng::Rng;

/// The sum of a strategy's parts.
const WHOLE: i32 = 1 << 24;

/// Of more moves than this, a tree's answer is in the order of its arms: to look each listed move up among them would take
/// 3 ms with 2,000 moves, after the deadline.
pub(super) const MANY: usize = 500;

/// With which probability a player makes each of its moves. Probabilities are whole parts of 2^24 and add up to 1.
///
/// ```
/// # use coppice::search::Strategy;
/// # use coppice::{Choices, Joint, List, Payoff, Player, Rng};
/// # #[derive(Clone, PartialEq)]
/// # struct Throw;
/// # impl Joint for Throw {
/// #     type Move = char;
/// #     type Moves = List<char, 3>;
/// #     type Outcome = ();
/// #     const MAX_POINTS: i32 = 1;
/// #     fn moves(&self, _: Player, list: &mut List<char, 3>) {
/// #         ['r', 'p', 's'].into_iter().for_each(|m| list.push(m));
/// #     }
/// #     fn play(&mut self, _: &Choices<char>) {}
/// #     fn payoff(&self, _: Player) -> Payoff { Payoff(0) }
/// #     fn hash(&self) -> u64 { 0 }
/// # }
/// let strategy = Strategy::<Throw>::new(&['r', 'p', 's'], |i| [1.0, 2.0, 1.0][i]);
/// assert_eq!((strategy.probability('p'), strategy.mode()), (0.5, Some('p')));
/// assert!(strategy.draw(&mut Rng::new(1)).is_some());
/// ```
#[derive(Clone)]
pub struct Strategy<G: Joint> {
    moves: List<G>,
    parts: Parts<G>,
}

/// A list that can be copied, though [`Joint::Moves`] need not be.
struct List<G: Joint>(G::Moves);

impl<G: Joint> Clone for List<G> {
    fn clone(&self) -> Self {
        let mut list = G::Moves::default();
        self.0.iter().for_each(|&m| list.push(m));
        List(list)
    }
}

type Parts<G> = <<G as Joint>::Moves as Moves<<G as Joint>::Move>>::Ranks;

impl<G: Joint> Strategy<G> {
    /// No moves.
    pub(super) fn none() -> Strategy<G> {
        Strategy { moves: List(G::Moves::default()), parts: G::Moves::ranks() }
    }

    /// The strategy that makes each of `moves` in proportion to its weight, given by its index; uniform if no weight
    /// is above 0.
    ///
    /// # Panics
    /// If there are more moves than a player can have.
    pub fn new(moves: &[G::Move], weight: impl Fn(usize) -> f64) -> Strategy<G> {
        let mut strategy = Self::none();
        let weight = |i| Some(weight(i)).filter(|&weight| weight > 0.0).unwrap_or(0.0);
        let total: f64 = (0..moves.len()).map(weight).sum();
        let share = |i| if total > 0.0 { weight(i) / total } else { 1.0 / moves.len() as f64 };
        let parts = strategy.parts.as_mut();
        let (mut left, mut largest) = (WHOLE, 0);
        for (i, &m) in moves.iter().enumerate() {
            strategy.moves.0.push(m);
            parts[i] = ((share(i) * f64::from(WHOLE)) as i32).min(left);
            left -= parts[i];
            largest = if parts[i] > parts[largest] { i } else { largest };
        }
        if !moves.is_empty() {
            parts[largest] += left;
        }
        strategy
    }

    /// The strategy that always makes the `i`-th of `moves`.
    pub(super) fn pure(moves: &[G::Move], i: usize) -> Strategy<G> {
        Strategy::new(moves, |at| if at == i { 1.0 } else { 0.0 })
    }

    fn parts(&self) -> impl Iterator<Item = (G::Move, i32)> + '_ {
        self.moves.0.iter().copied().zip(AsRef::<[i32]>::as_ref(&self.parts).iter().copied())
    }

    /// The moves and their probabilities, in the order in which the game lists them; of more than 500, in one of the search's.
    pub fn iter(&self) -> impl Iterator<Item = (G::Move, f64)> + '_ {
        self.parts().map(|(m, part)| (m, f64::from(part) / f64::from(WHOLE)))
    }

    /// The probability of a move; 0 if it isn't one of the player's.
    pub fn probability(&self, m: G::Move) -> f64 {
        self.iter().find(|&(other, _)| other == m).map_or(0.0, |(_, share)| share)
    }

    /// The most probable move, the first listed of equals; `None` if the player has no move.
    pub fn mode(&self) -> Option<G::Move> {
        let better =
            |best: (G::Move, i32), other: (G::Move, i32)| if other.1 > best.1 { other } else { best };
        self.parts().reduce(better).map(|(m, _)| m)
    }

    /// A move, drawn by its probability; `None` if the player has no move.
    pub fn draw(&self, rng: &mut Rng) -> Option<G::Move> {
        if self.moves.0.len() < 2 {
            return self.mode();
        }
        let mut ticket = rng.below(WHOLE as u32) as i32;
        let hit = |&(_, part): &(G::Move, i32)| {
            ticket -= part;
            ticket < 0
        };
        self.parts().find(hit).map(|(m, _)| m)
    }
}

impl<G: Joint> fmt::Debug for Strategy<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

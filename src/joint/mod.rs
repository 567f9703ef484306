//! Games in which players choose at the same time, and games with chance: the [`Joint`] trait.

mod estimate;
mod turns;

pub(crate) use estimate::worth;
pub use estimate::Estimate;
pub use turns::{InTurns, Turns};

use std::fmt::Debug;

use crate::game::{Payoff, Player};
use crate::list::Moves;
use crate::rng::Rng;

/// The most players, or units that move by themselves, of a [`Joint`] game.
pub const MAX_PLAYERS: usize = 8;

/// One turn's moves: at most one of each player.
///
/// ```
/// use coppice::{Choices, Player};
///
/// let choices = Choices::NONE.with(Player::FIRST, 'p').with(Player::SECOND, 'r');
/// assert_eq!(choices.of(Player::SECOND), Some('r'));
/// assert_eq!(choices.of(Player::new(2)), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choices<M>([Option<M>; MAX_PLAYERS]);

impl<M> Choices<M> {
    /// No moves.
    pub const NONE: Choices<M> = Choices([const { None }; MAX_PLAYERS]);
}

impl<M: Copy> Choices<M> {
    /// Replaces `player`'s move by `m`.
    ///
    /// # Panics
    /// If the player's number is not below [`MAX_PLAYERS`].
    #[must_use]
    #[inline(always)]
    pub fn with(mut self, player: Player, m: M) -> Choices<M> {
        self.set(player, m);
        self
    }

    /// Sets a player's move.
    ///
    /// # Panics
    /// If the player's number is not below [`MAX_PLAYERS`].
    #[inline(always)]
    pub fn set(&mut self, player: Player, m: M) {
        self.0[player.index()] = Some(m);
    }

    /// A player's move; `None` if the player has none.
    #[inline(always)]
    pub fn of(&self, player: Player) -> Option<M> {
        self.0.get(player.index()).copied().flatten()
    }
}

/// The rules of a game in which several players choose at the same time, and in which chance may take part.
///
/// A state is one of three things, in this order:
/// 1. *Chance decides*: [`Joint::outcome`] lists outcomes with weights. One of them happens
///    ([`Joint::happen`]); nobody chooses.
/// 2. *Players choose*: [`Joint::moves`] lists the moves of each. All who have moves make one of them at the same
///    time ([`Joint::play`]), and no one knows the others'. A player with one move has no choice, a player with
///    none takes no part.
/// 3. *The game is over*: no outcome, and no player has a move.
///
/// Points have a size here: searches maximise a player's expected payoff. If only winning counts, let the payoff
/// be 1, 0 or -1. For two players the payoffs add up to 0.
///
/// A game in which one player moves after the other, without chance, is a [`Game`](crate::Game): its searches are
/// faster and prove results. [`Turns`] makes a `Joint` of it. The reverse is a mistake: a `Game` in which one
/// player's simultaneous move is a ply before the other's lets the second player see it. Searches then prove
/// values that don't hold, such as a certain loss in rock-paper-scissors for whoever is written first. A `Joint` is not a
/// `Game`, so no such search accepts it:
///
/// ```compile_fail
/// use coppice::search::{Mcts, MctsOptions};
/// # use coppice::{Choices, Joint, List, Payoff, Player};
/// # #[derive(Clone, PartialEq)]
/// # struct Throw(Option<[u8; 2]>);
/// # impl Joint for Throw {
/// #     type Move = u8;
/// #     type Moves = List<u8, 3>;
/// #     type Outcome = ();
/// #     const MAX_POINTS: i32 = 1;
/// #     fn moves(&self, _: Player, _: &mut List<u8, 3>) {}
/// #     fn play(&mut self, _: &Choices<u8>) {}
/// #     fn payoff(&self, _: Player) -> Payoff { Payoff(0) }
/// #     fn hash(&self) -> u64 { 0 }
/// # }
///
/// let search = Mcts::<Throw>::new(MctsOptions::default());
/// ```
///
/// ```
/// use coppice::search::{JointSearch, Regret, RegretOptions};
/// use coppice::{Budget, Choices, Joint, List, Payoff, Player};
///
/// /// Rock (0), paper (1), scissors (2), once. Paper against rock pays 3, any other win 1.
/// #[derive(Clone, PartialEq)]
/// struct Throw(Option<[u8; 2]>);
///
/// impl Joint for Throw {
///     type Move = u8;
///     type Moves = List<u8, 3>;
///     type Outcome = (); // no chance
///     const MAX_POINTS: i32 = 3;
///
///     fn moves(&self, _: Player, list: &mut List<u8, 3>) {
///         if self.0.is_none() {
///             (0..3).for_each(|m| list.push(m));
///         }
///     }
///     fn play(&mut self, choices: &Choices<u8>) {
///         self.0 = choices.of(Player::FIRST).zip(choices.of(Player::SECOND)).map(|(a, b)| [a, b]);
///     }
///     fn payoff(&self, player: Player) -> Payoff {
///         let points = match self.0.unwrap_or([0, 0]) {
///             [1, 0] => 3,
///             [0, 1] => -3,
///             [0, 2] | [2, 1] => 1,
///             [2, 0] | [1, 2] => -1,
///             _ => 0,
///         };
///         Payoff(if player == Player::FIRST { points } else { -points })
///     }
///     fn hash(&self) -> u64 {
///         coppice::rng::mix(self.0.map_or(9, |[a, b]| u64::from(3 * a + b)))
///     }
/// }
///
/// let mut search = Regret::new(RegretOptions::default());
/// let report = search.search(&Throw(None), Player::FIRST, Budget::nodes(100_000));
/// let shares: Vec<f64> = report.strategy.iter().map(|(_, share)| share).collect();
/// for (share, exact) in shares.iter().zip([0.2, 0.2, 0.6]) {
///     assert!((share - exact).abs() < 0.02, "{shares:?}");
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a game of joint moves",
    note = "write its rules as `impl Joint for {Self}`; if it is a `Game`, wrap it: `Turns(game)`"
)]
pub trait Joint: Clone + PartialEq {
    /// A move of one player. Small: searches store one a move and state. Lists are filled with the default before moves are
    /// written into them, so it need not be legal: any variant of an enum has `#[default]`.
    type Move: Copy + Eq + Debug + Default;

    /// The list that one player's moves are written into; its capacity is the most moves that a player can have.
    /// Usually [`List<Self::Move, N>`](crate::List).
    type Moves: Moves<Self::Move, Ranks: AsRef<[i32]> + Clone>;

    /// An outcome of chance: a die's face, a card. `()` in a game without chance.
    type Outcome: Copy + Eq + Debug + Default;

    /// The number of players, at most [`MAX_PLAYERS`]. For searches that treat units one by one
    /// ([`Units`](crate::search::Units)), the number of units.
    const PLAYERS: usize = 2;

    /// No payoff and no estimate is further from 0 than this. Searches that cut by bounds cut more where it is small.
    const MAX_POINTS: i32;

    /// Writes the legal moves of `player` into `list`, which is empty: none if the player takes no part in this
    /// turn, chance is to decide, or the game is over.
    ///
    /// The order must follow from the state alone.
    fn moves(&self, player: Player, list: &mut Self::Moves);

    /// Makes a legal move of each player who has one, all at the same time.
    ///
    /// # Panics
    /// May panic if one is missing or not legal.
    fn play(&mut self, choices: &Choices<Self::Move>);

    /// The result of the finished game for `player`. Meaningless before the end.
    fn payoff(&self, player: Player) -> Payoff;

    /// A hash of everything that decides the rest of the game: 64 bits, all of them well mixed. States with the same
    /// hash are the same state to a search.
    fn hash(&self) -> u64;

    /// The `i`-th outcome that is possible now, with its weight of at least 1; `None` from their number on. Its
    /// probability is its share of all weights, whose sum is below 2^32. None by default: no chance.
    #[inline(always)]
    fn outcome(&self, _i: usize) -> Option<(Self::Outcome, u32)> {
        None
    }

    /// Lets an outcome happen that [`Joint::outcome`] lists.
    ///
    /// # Panics
    /// May panic if it isn't possible. By default always: a game that lists outcomes has to say what they do.
    fn happen(&mut self, outcome: Self::Outcome) {
        panic!("the outcome {outcome:?} is listed, but `Joint::happen` isn't written");
    }

    /// Whether chance is to decide.
    #[inline(always)]
    fn awaits_chance(&self) -> bool {
        self.outcome(0).is_some()
    }

    /// An outcome, drawn by its weight; `None` if chance is not to decide. By default all are listed twice, so games
    /// with many outcomes should draw one themselves.
    #[inline]
    fn draw(&self, rng: &mut Rng) -> Option<Self::Outcome> {
        let (first, weight) = self.outcome(0)?;
        let mut total = weight;
        let mut count = 1;
        while let Some((_, weight)) = self.outcome(count) {
            total += weight;
            count += 1;
        }
        let mut ticket = rng.below(total);
        for i in 0..count {
            let (outcome, weight) = self.outcome(i)?;
            if ticket < weight {
                return Some(outcome);
            }
            ticket -= weight;
        }
        Some(first)
    }

    /// One of a player's legal moves, each with the same probability; `None` if the player has none. Faster than
    /// listing them where the rules can draw one.
    #[inline]
    fn random_move(&self, player: Player, rng: &mut Rng) -> Option<Self::Move> {
        let mut list = Self::Moves::default();
        self.moves(player, &mut list);
        match &*list {
            [] => None,
            [only] => Some(*only),
            moves => Some(moves[rng.below(moves.len() as u32) as usize]),
        }
    }

    /// Whether chance has nothing to decide and no player has a move. Faster than listing them where the rules can
    /// tell.
    #[inline]
    fn is_over(&self) -> bool {
        let has_moves = |player| {
            let mut list = Self::Moves::default();
            self.moves(player, &mut list);
            !list.is_empty()
        };
        !self.awaits_chance() && !players::<Self>().any(has_moves)
    }

    /// The only player who may have moves now, where the rules can tell: searches then don't ask the others for theirs.
    /// `None`, the default, if several may have, or that isn't known.
    #[inline(always)]
    fn only_chooser(&self) -> Option<Player> {
        None
    }

    /// Lets chance decide until it has nothing to decide.
    #[inline(always)]
    fn let_happen(&mut self, rng: &mut Rng) {
        while let Some(outcome) = self.draw(rng) {
            self.happen(outcome);
        }
    }
}

/// The players of a game.
#[inline(always)]
pub fn players<G: Joint>() -> impl DoubleEndedIterator<Item = Player> {
    const { assert!(1 <= G::PLAYERS && G::PLAYERS <= MAX_PLAYERS, "a joint game is for one to eight players") };
    (0..G::PLAYERS as u8).map(Player::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::List;

    /// A die with a heavy six, thrown once.
    #[derive(Clone, PartialEq)]
    struct Die(Option<u8>);

    impl Joint for Die {
        type Move = ();
        type Moves = List<(), 1>;
        type Outcome = u8;
        const PLAYERS: usize = 1;
        const MAX_POINTS: i32 = 6;

        fn moves(&self, _: Player, _: &mut List<(), 1>) {}
        fn play(&mut self, _: &Choices<()>) {}
        fn payoff(&self, _: Player) -> Payoff {
            Payoff(self.0.unwrap_or(0).into())
        }
        fn hash(&self) -> u64 {
            self.0.unwrap_or(0).into()
        }
        fn outcome(&self, i: usize) -> Option<(u8, u32)> {
            let face = i as u8 + 1;
            (self.0.is_none() && i < 6).then_some((face, if face == 6 { 5 } else { 1 }))
        }
        fn happen(&mut self, face: u8) {
            self.0 = Some(face);
        }
    }

    #[test]
    fn outcomes_are_drawn_by_their_weights() {
        let mut rng = Rng::new(1);
        let mut counts = [0u32; 7];
        for _ in 0..100_000 {
            let mut die = Die(None);
            assert!(!die.is_over());
            die.let_happen(&mut rng);
            assert!(die.is_over());
            counts[die.payoff(Player::FIRST).0 as usize] += 1;
        }
        // Five standard deviations of binomial counts (sd 95 and 158).
        assert!(counts[1..6].iter().all(|&count| count.abs_diff(10_000) < 475), "{counts:?}");
        assert!(counts[6].abs_diff(50_000) < 790, "{counts:?}");
    }
}

//! The [`Game`] trait: a state, its moves, its end, and its players.

use std::fmt::Debug;

use crate::list::Moves;
use crate::rng::Rng;

/// A player by number: 0 has the first move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Player(u8);

impl Player {
    /// The player who moves first.
    pub const FIRST: Player = Player(0);
    /// The other player of a game for two.
    pub const SECOND: Player = Player(1);

    /// The player with this number.
    #[inline(always)]
    pub const fn new(index: u8) -> Player {
        Player(index)
    }

    /// The player's number, for arrays.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The opponent in a game for two.
    #[inline(always)]
    pub const fn other(self) -> Player {
        Player(self.0 ^ 1)
    }
}

/// The result of a finished game for one player, in the game's own points (discs, stones, fuel).
///
/// In a game of two or more, above 0 is a win, 0 a draw, below 0 a loss; for two players the two payoffs add
/// up to 0. For one player it is a score, and more is better; searches that estimate take it for an estimate,
/// so it should not be further from 0 than [`Score::MAX_ESTIMATE`](crate::Score::MAX_ESTIMATE): divide larger
/// points first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Payoff(pub i32);

impl Payoff {
    /// 1 for a win, 0 for a draw, -1 for a loss.
    #[inline(always)]
    pub const fn sign(self) -> i32 {
        self.0.signum()
    }
}

/// The rules of a game, on a state that is small and cheap to copy.
///
/// A game is over exactly when [`Game::moves`] finds none, so the test for the end costs nothing beyond the
/// list itself. Where a player must pass, the pass is a move. The state decides who is to move: a player may
/// move twice in a row, and an eliminated player never moves.
///
/// The order in which moves are listed must follow from the state alone: searches remember a move
/// by its place in the list, and break ties by it.
///
/// One player chooses at a time, seeing everything before, and nothing is left to chance. A game in which players
/// choose at the same time is a [`Joint`](crate::Joint), even if each player's moves could be written here one after
/// the other: a search would then prove values for players who see what they can't see. A game with chance is a
/// `Joint` too.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a game",
    note = "write its rules as `impl Game for {Self}`; the state itself must be `Clone` and `PartialEq`"
)]
pub trait Game: Clone + PartialEq {
    /// A move. Small: searches store one a node. Lists are filled with the default before moves are written into them, so it
    /// need not be legal: any variant of an enum has `#[default]`.
    type Move: Copy + Eq + Debug + Default;

    /// The list that moves are written into; its capacity is the most moves a position can have.
    /// Usually [`List<Self::Move, N>`](crate::List).
    type Moves: Moves<Self::Move>;

    /// The number of players. A search for another number doesn't compile:
    ///
    /// ```compile_fail
    /// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/examples/nim.rs")); }
    /// # use nim::{Even, Nim};
    /// use coppice::search::{AlphaBeta, AlphaBetaOptions};
    ///
    /// let search = AlphaBeta::<Nim<3>, Even>::new(Even, AlphaBetaOptions::default());
    /// ```
    ///
    /// A game for a number of seats that is known only when it begins is a type with a const parameter, chosen at run
    /// time:
    ///
    /// ```
    /// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/examples/nim.rs")); }
    /// # use nim::{Even, Nim};
    /// # use coppice::search::{AlphaBeta, AlphaBetaOptions, Mcts, MctsOptions};
    /// # use coppice::{Budget, Player, Search};
    /// fn first_move<const SEATS: usize>() -> Option<u8> {
    ///     let mut search = Mcts::new(MctsOptions::default());
    ///     search.search(&Nim::<SEATS>(6, Player::FIRST), Budget::nodes(1_000)).best
    /// }
    ///
    /// let seats = 3;
    /// let best = match seats {
    ///     2 => first_move::<2>(),
    ///     3 => first_move::<3>(),
    ///     4 => first_move::<4>(),
    ///     _ => panic!("a game has 2 to 4 seats, not {seats}"),
    /// };
    /// assert!(best.is_some());
    /// # AlphaBeta::<Nim<2>, Even>::new(Even, AlphaBetaOptions::default());
    /// ```
    const PLAYERS: usize = 2;

    /// Whether a move can end the game by the way that led to its position, as where a position comes round: the same move from the
    /// same position, by [`hash`](Game::hash), goes on elsewhere. A search whose positions have several parents then asks each time.
    const ENDS_BY_WAY: bool = false;

    /// The player to move. Unspecified once the game is over.
    fn to_move(&self) -> Player;

    /// Writes the legal moves into `list`, which is empty; none if and only if the game is over.
    fn moves(&self, list: &mut Self::Moves);

    /// Makes a legal move.
    ///
    /// # Panics
    /// May panic if the move is not legal.
    fn play(&mut self, m: Self::Move);

    /// The result of the finished game for `player`. Meaningless before the end.
    fn payoff(&self, player: Player) -> Payoff;

    /// A hash of everything that decides the rest of the game, whose move it is included: 64 bits,
    /// all of them well mixed.
    fn hash(&self) -> u64;

    /// A number that no other move of the same position has: tables of moves are indexed by it,
    /// and small numbers make them small.
    fn move_index(m: Self::Move) -> u16;

    /// Whether the player to move has no move. Faster than listing moves where the rules can tell.
    #[inline(always)]
    fn is_over(&self) -> bool {
        self.count_moves() == 0
    }

    /// How many moves there are. Faster than listing them where the rules can count.
    #[inline]
    fn count_moves(&self) -> usize {
        let mut list = Self::Moves::default();
        self.moves(&mut list);
        list.len()
    }

    /// One of the legal moves, each with the same probability; `None` if the game is over.
    /// Faster than listing them where the rules can draw one.
    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<Self::Move> {
        let mut list = Self::Moves::default();
        self.moves(&mut list);
        match &*list {
            [] => None,
            moves => Some(moves[rng.below(moves.len() as u32) as usize]),
        }
    }

    /// The state after a legal move.
    #[inline(always)]
    fn after(&self, m: Self::Move) -> Self {
        let mut next = self.clone();
        next.play(m);
        next
    }
}

/// A game whose moves can be taken back, for states that are more expensive to copy than to restore.
///
/// `make` followed by `unmake` leaves the state as it was, the order in which moves are listed
/// included.
#[diagnostic::on_unimplemented(
    message = "moves of `{Self}` can't be taken back",
    note = "write `impl Reversible for {Self}`, or use `AlphaBeta::new`, which copies the state"
)]
pub trait Reversible: Game {
    /// The data that takes back a move.
    type Undo: Copy;

    /// Makes a legal move, as [`Game::play`] does.
    fn make(&mut self, m: Self::Move) -> Self::Undo;

    /// Takes back `m`, the last move made, for which `make` gave `undo`.
    fn unmake(&mut self, m: Self::Move, undo: Self::Undo);

    /// Hands each legal move to `f`, in any order. By default by listing them; a game with thousands of moves
    /// generates them without a list.
    #[inline(always)]
    fn for_each_move(&self, f: impl FnMut(Self::Move)) {
        let mut list = Self::Moves::default();
        self.moves(&mut list);
        list.iter().copied().for_each(f);
    }
}

/// A game in which a player doesn't see everything: fog of war, cards in the other's hand, a move
/// made behind a screen.
///
/// What a player remembers is part of the state: if past observations affect play, store them in the state
/// and return them from [`Hidden::view`]. Whose move it is and whether the game is over, and how it ended,
/// are never hidden, and a player sees its own legal moves: states that look alike to the player to move list
/// the same moves (the actions of an information set: Kuhn, *Extensive Games and the Problem of Information*,
/// 1953). Where it can't know whether something is possible, the attempt is a move of its own, and the rules
/// decide its outcome.
pub trait Hidden: Game {
    /// A player's knowledge of a state.
    type View: Clone + PartialEq + Debug;

    /// What `player` knows.
    fn view(&self, player: Player) -> Self::View;

    /// One of the states that look like `view` to `player`, drawn at random, each with some probability;
    /// `None` if no state looks like it.
    fn sample(view: &Self::View, player: Player, rng: &mut Rng) -> Option<Self>;
}

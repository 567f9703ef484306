//! Small games for exhaustive search, used by the conformance suite in addition to the contests.

pub mod joint;
mod lander;
mod unseen;

pub use bots::tictactoe::{eval::OpenLines, Board as TicTacToe};
pub use connect_four::{Centre, ConnectFour};
pub use lander::{Braking, Lander};
pub use unseen::{Unseen, UnseenView};

use coppice::rng::mix;
use coppice::search::Planning;
use coppice::{Evaluation, Game, List, Payoff, Player, Reversible, Score};

/// A random game tree for `N` players: the seed determines how many moves a position has, who is to move
/// (often the same player twice in a row), when it ends and how.
#[derive(Debug, Clone, PartialEq)]
pub struct RandomTree<const N: usize = 2> {
    state: u64,
    plies_left: u32,
    /// The number of distinct positions per ply; fewer mean more transpositions.
    width: u64,
}

impl<const N: usize> RandomTree<N> {
    /// The tree of `seed`, at most `plies` plies deep, without transpositions.
    pub fn new(seed: u64, plies: u32) -> Self {
        RandomTree { state: mix(seed + 1), plies_left: plies, width: u64::MAX }
    }

    /// The tree of `seed` with at most `width` positions per ply, so with transpositions.
    pub fn with_transpositions(seed: u64, plies: u32, width: u64) -> Self {
        RandomTree { width, ..RandomTree::new(seed, plies) }
    }
}

impl<const N: usize> Game for RandomTree<N> {
    type Move = u8;
    type Moves = List<u8, 4>;
    const PLAYERS: usize = N;

    fn to_move(&self) -> Player {
        Player::new(((self.state >> 20 & 0xf) % N as u64) as u8)
    }

    fn moves(&self, list: &mut List<u8, 4>) {
        // One inner position in eight ends early.
        if self.plies_left > 0 && self.state >> 24 & 7 != 0 {
            (0..=(self.state & 3) as u8).for_each(|m| list.push(m));
        }
    }

    fn play(&mut self, m: u8) {
        let next = mix(self.state ^ (u64::from(m) + 1)) % self.width;
        self.plies_left -= 1;
        self.state = if self.width == u64::MAX { next } else { mix(next << 8 | u64::from(self.plies_left)) };
    }

    fn payoff(&self, player: Player) -> Payoff {
        let payoff = |bits: u32| (self.state >> bits & 0xff) as i32 % 3 - 1;
        Payoff(match (N, player) {
            (2, Player::FIRST) => payoff(32),
            (2, _) => -payoff(32),
            (_, player) => payoff(32 + 4 * player.index() as u32),
        })
    }

    fn hash(&self) -> u64 {
        mix(self.state ^ u64::from(self.plies_left))
    }

    fn move_index(m: u8) -> u16 {
        u16::from(m)
    }
}

impl<const N: usize> Reversible for RandomTree<N> {
    type Undo = u64;

    fn make(&mut self, m: u8) -> u64 {
        let state = self.state;
        self.play(m);
        state
    }

    fn unmake(&mut self, _: u8, state: u64) {
        self.state = state;
        self.plies_left += 1;
    }
}

/// An arbitrary estimate.
#[derive(Debug, Clone, Copy)]
pub struct Noise;

impl<const N: usize> Evaluation<RandomTree<N>> for Noise {
    fn evaluate(&self, game: &RandomTree<N>) -> Score {
        Score::estimate((game.state >> 40) as i32 % 100)
    }

    fn evaluate_for(&self, game: &RandomTree<N>, player: Player) -> Score {
        let own = self.evaluate(game);
        match N {
            1 | 2 => own.for_parent(player == game.to_move()),
            _ => Score::estimate((mix(game.state) >> (8 * player.index())) as i32 % 100),
        }
    }
}

impl Planning<RandomTree<1>> for Noise {}

/// An arbitrary estimate for each player, at the ends too: what one gains the other need not lose.
#[derive(Debug, Clone, Copy)]
pub struct Selfish;

impl<const N: usize> Evaluation<RandomTree<N>> for Selfish {
    fn evaluate(&self, game: &RandomTree<N>) -> Score {
        self.evaluate_for(game, game.to_move())
    }

    fn ended(&self, game: &RandomTree<N>) -> Score {
        self.evaluate(game)
    }

    fn evaluate_for(&self, game: &RandomTree<N>, player: Player) -> Score {
        Score::estimate((mix(game.state) >> (8 * player.index())) as i32 % 100)
    }

    fn ended_for(&self, game: &RandomTree<N>, player: Player) -> Score {
        self.evaluate_for(game, player)
    }
}

/// Every reachable position of tic-tac-toe, including the start and the finished ones.
pub fn all_tic_tac_toe() -> Vec<TicTacToe> {
    let mut seen = std::collections::HashSet::from([TicTacToe::START]);
    let mut found = vec![TicTacToe::START];
    let mut next = 0;
    while next < found.len() {
        let game = found[next];
        next += 1;
        let mut list = List::default();
        game.moves(&mut list);
        found.extend(list.iter().map(|&m| game.after(m)).filter(|&after| seen.insert(after)));
    }
    found
}

/// Three players take turns on a line of nine cells; three adjacent marks win. For searches that are not
/// limited to two players.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ThreeInLine {
    marks: [u16; 3],
    to_move: u8,
}

impl ThreeInLine {
    const CELLS: u16 = 9;

    /// The empty line.
    pub const START: ThreeInLine = ThreeInLine { marks: [0; 3], to_move: 0 };

    fn winner(&self) -> Option<usize> {
        self.marks.iter().position(|&marks| marks & marks >> 1 & marks >> 2 != 0)
    }
}

impl Game for ThreeInLine {
    type Move = u8;
    type Moves = List<u8, 9>;
    const PLAYERS: usize = 3;

    fn to_move(&self) -> Player {
        Player::new(self.to_move)
    }

    fn moves(&self, list: &mut List<u8, 9>) {
        let used = self.marks[0] | self.marks[1] | self.marks[2];
        if self.winner().is_none() {
            (0..Self::CELLS as u8).filter(|m| used >> m & 1 == 0).for_each(|m| list.push(m));
        }
    }

    fn play(&mut self, m: u8) {
        self.marks[usize::from(self.to_move)] |= 1 << m;
        self.to_move = (self.to_move + 1) % 3;
    }

    fn payoff(&self, player: Player) -> Payoff {
        Payoff(match self.winner() {
            None => 0,
            Some(winner) if winner == player.index() => 2,
            Some(_) => -1,
        })
    }

    fn hash(&self) -> u64 {
        mix(u64::from(self.marks[0]) | u64::from(self.marks[1]) << 16 | u64::from(self.marks[2]) << 32)
    }

    fn move_index(m: u8) -> u16 {
        u16::from(m)
    }
}

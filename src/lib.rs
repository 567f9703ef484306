//! Game searches over one small trait, in a static node pool, for bots that ship as one file.
//!
//! Write the rules of a game once, as a [`Game`]; add an [`Evaluation`] if you have an idea of what a
//! position is worth; every search in [`search`] then plays it. No threads, no allocation while a search
//! runs, the same answer on every machine for the same budget of nodes and the same seed.
//!
//! ```text
//!   your rules: Game ──────┐
//!   your estimate:         ├──> search::AlphaBeta ──┐        pool::Pool, table::Table:
//!     Evaluation ──────────┤    search::Mcts ───────┼──> Report   allocated once
//!   Clock ──> Budget ──────┘    search::Greedy ─────┘
//! ```
//!
//! # A whole game
//!
//! ```
//! use coppice::search::{AlphaBeta, AlphaBetaOptions, Greedy, Mcts, MctsOptions};
//! use coppice::{Budget, Evaluation, Game, List, Moves, Payoff, Player, Score, Search};
//!
//! /// Nim: take one to three stones; whoever takes the last one wins.
//! #[derive(Clone, PartialEq)]
//! struct Nim {
//!     stones: u8,
//!     to_move: Player,
//! }
//!
//! impl Game for Nim {
//!     type Move = u8;
//!     type Moves = List<u8, 3>;
//!
//!     fn to_move(&self) -> Player {
//!         self.to_move
//!     }
//!     fn moves(&self, list: &mut List<u8, 3>) {
//!         (1..=self.stones.min(3)).for_each(|stones| list.push(stones));
//!     }
//!     fn play(&mut self, stones: u8) {
//!         *self = Nim { stones: self.stones - stones, to_move: self.to_move.other() };
//!     }
//!     fn payoff(&self, player: Player) -> Payoff {
//!         Payoff(if player == self.to_move { -1 } else { 1 })
//!     }
//!     fn hash(&self) -> u64 {
//!         coppice::rng::mix(u64::from(self.stones) << 1 | self.to_move.index() as u64)
//!     }
//!     fn code(stones: u8) -> u16 {
//!         u16::from(stones)
//!     }
//! }
//!
//! /// No idea what a position is worth.
//! struct Even;
//!
//! impl Evaluation<Nim> for Even {
//!     fn evaluate(&self, _: &Nim) -> Score {
//!         Score::DRAW
//!     }
//! }
//!
//! let game = Nim { stones: 10, to_move: Player::FIRST };
//! let budget = Budget::nodes(10_000);
//! let by_depth = AlphaBeta::new(Even, 1 << 16, AlphaBetaOptions::default()).search(&game, budget);
//! let by_chance = Mcts::new(1 << 16, 1, MctsOptions::default()).search(&game, budget);
//! let by_nothing = Greedy::new(Even, 1).search(&game, budget);
//! // Two stones leave eight, from where every answer can be answered to leave four.
//! assert_eq!((by_depth.best, by_chance.best), (Some(2), Some(2)));
//! assert!(by_depth.solved && by_depth.score.is_win() && by_nothing.best.is_some());
//! ```
//!
//! # Which search
//!
//! - [`AlphaBeta`](search::AlphaBeta): two players, and an evaluation that is any good. In Othello at
//!   150 ms a move, with an evaluation of twelve counted features, it wins nearly every game against the
//!   next one.
//! - [`Selective`](search::Selective): two players, and more moves than can be looked at: alpha-beta over
//!   the few that an evaluation ranks first, on one state whose moves are taken back.
//! - [`Mcts`](search::Mcts): no evaluation, or any number of players. It needs games that end by
//!   themselves under random moves.
//! - [`Optimised`](search::Optimised) in it: few iterations a turn, and an objective that says what a good
//!   move is ([`optimise`]).
//! - [`Beam`](search::Beam): one player, and an evaluation that leads on from level to level. It is exact
//!   where it is as wide as the game.
//! - [`Evolution`](search::Evolution): one player, a whole plan judged by where it ends.
//! - [`BestFirst`](search::BestFirst): two players or one, and an evaluation that tells a good position
//!   from a bad one without a search. In Othello at 20,000 nodes a move it takes 83 % of the points from
//!   alpha-beta without table, with the same evaluation.
//! - [`Minimax`](search::Minimax): any number of players and an evaluation, or one player and a puzzle that
//!   has to be proved; the whole tree stays to be looked at. In Othello at 20,000 nodes a move best-first
//!   order takes 91 % of the points from breadth-first order.
//! - [`solutions`](search::solutions): a puzzle that has no solution, one, or more, by looking at all of it.
//! - [`Sampled`](search::Sampled): around any of these, for a game in which a player doesn't see
//!   everything ([`Hidden`]).
//! - [`Flat`](search::Flat): random playouts for each move and no tree, where a state is dear to copy or
//!   the rest of the game is a lottery.
//! - [`Random`](search::Random), [`Greedy`](search::Greedy): the baseline, and a quick check of an evaluation.
//! - [`negamax`](search::negamax): the oracle for tests.
//!
//! # What it is not for
//!
//! Games with chance, simultaneous moves, search on several cores. Where a move list can
//! have thousands of entries, all searches but [`Selective`](search::Selective) copy it too often.

pub mod bits;
pub mod clock;
pub mod cpu;
pub mod game;
pub mod input;
pub mod list;
pub mod math;
pub mod optimise;
pub mod perft;
pub mod pool;
pub mod rng;
pub mod score;
pub mod search;
pub mod table;
pub mod tree;

pub use clock::{Budget, Clock};
pub use game::{Game, Hidden, Payoff, Player, Reversible};
pub use list::{List, Moves};
pub use perft::{perft, Ended};
pub use rng::Rng;
pub use score::{Evaluation, Score};
pub use search::{Report, Search};
pub use tree::Tree;

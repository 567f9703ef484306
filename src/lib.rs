//! Game searches over one small trait, in a static node pool, for bots that ship as one file.
//!
//! ```
//! # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/examples/nim.rs")); }
//! # use nim::{Even, Nim};
//! use coppice::search::{AlphaBeta, AlphaBetaOptions};
//! use coppice::{Budget, Player, Search};
//!
//! // Seven stones, two players; a turn takes one to three. Who takes the last stone wins.
//! let game = Nim::<2>(7, Player::FIRST);
//! let mut search = AlphaBeta::new(Even, AlphaBetaOptions::default());
//! let report = search.search(&game, Budget::nodes(10_000));
//! assert_eq!(report.best, Some(3), "which leaves four");
//! assert!(report.solved);
//! ```
//!
//! Write the rules of a game once, as a [`Game`]; add an [`Evaluation`] if you have an idea of what a
//! position is worth; every search in [`search`] then plays it. No threads, no allocation while a search
//! runs, the same answer on every machine for the same budget of nodes and the same seed.
//!
//! # The types
//!
//! ```text
//!   your rules: Game ───────┐                                   pool::Pool, table::Table:
//!   your estimate:          │    one file a search:              allocated once
//!     Evaluation ───────────┼──> search::AlphaBeta, Mcts, ──┐
//!   your ways to play out:  │      Minimax, BestFirst, Beam,├──> Report: best move, score, nodes
//!     Policy, Model ────────┤      Evolution, Selective, …  ├──> line: what it expects
//!   Clock ──> Budget ───────┘                               └──> Tree: to walk through
//!
//!   players choose at the same time, or chance takes part:
//!   your rules: Joint ──────┐
//!   Estimate, Playout, Genes┼──> search::Decoupled, Regret, ───> JointReport: best move, strategy, value
//!   Clock ──> Budget ───────┘      Units, Evolve, Expectimax, …
//! ```
//!
//! # The searches
//!
//! | your game | needs | search |
//! |---|---|---|
//! | two players | an estimate of a position | [`AlphaBeta`](search::AlphaBeta); [`EachMove`](search::EachMove) deepens each root move by itself |
//! | | an estimate that is good without looking ahead | [`BestFirst`](search::BestFirst) |
//! | | hundreds or thousands of moves, ranked by an estimate | [`Selective`](search::Selective) |
//! | one to eight players | games that end by themselves under random moves, or [`Evaluated`](search::Evaluated) | [`Mcts`](search::Mcts) |
//! | | the same, and many transpositions | [`McGraph`](search::McGraph) |
//! | | few iterations a turn, and an objective ([`optimise`]) | [`Optimised`](search::Optimised) in either |
//! | | states that are expensive to copy, or much chance | [`Flat`](search::Flat) |
//! | any number of players | an estimate; keeps a tree to inspect | [`Minimax`](search::Minimax) |
//! | one player, a plan | an estimate that tells at every level | [`Beam`](search::Beam), with [`Planning`](search::Planning) |
//! | | an estimate of where a plan ends | [`Evolution`](search::Evolution), with [`Planning`](search::Planning) |
//! | one player, a puzzle | all solutions, or whether there is one | [`solutions`](search::solutions) |
//! | a player doesn't see everything | [`Hidden`] | [`Sampled`](search::Sampled) around any of the above |
//! | moves at the same time ([`Joint`]) | two players; bluffing pays | [`Regret`](search::Regret): a mixed strategy |
//! | | good moves quickly; chance | [`Decoupled`](search::Decoupled), with [`Widening`](search::Widening) for many outcomes |
//! | | several units a player | [`Units`](search::Units) |
//! | | a simulation of many small steps | [`Evolve`](search::Evolve): plans |
//! | | few moves, an estimate, caution | [`Paranoid`](search::Paranoid) |
//! | chance, one player at a time ([`InTurns`]) | an estimate | [`Expectimax`](search::Expectimax) |
//!
//! Each is made by its `new`: first what it judges by, then its options. `memory` in the options is in bytes, 64 MB by default;
//! `seed` is that of its random numbers, 0 by default.
//!
//! For tests and comparison: [`Random`](search::Random), [`Greedy`](search::Greedy),
//! [`RandomPaths`](search::RandomPaths), [`negamax`](search::negamax), [`max_n`](search::max_n), and for small [`Joint`]
//! games [`Oracle`](search::Oracle). More examples and what was measured: `docs/searches.md` of the repository.
//!
//! # A whole game
//!
//! ```
//! use coppice::search::{AlphaBeta, AlphaBetaOptions, Mcts, MctsOptions, Minimax, MinimaxOptions};
//! use coppice::{Budget, Evaluation, Game, List, Payoff, Player, Score, Search};
//!
//! /// Tic-tac-toe: the marks of the player to move and of the other, a bit a cell.
//! #[derive(Clone, PartialEq)]
//! struct TicTacToe(u16, u16, Player);
//!
//! const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
//!
//! fn has_line(marks: u16) -> bool {
//!     LINES.iter().any(|&line| marks & line == line)
//! }
//!
//! impl Game for TicTacToe {
//!     type Move = u8;
//!     type Moves = List<u8, 9>;
//!
//!     fn to_move(&self) -> Player {
//!         self.2
//!     }
//!     fn moves(&self, list: &mut List<u8, 9>) {
//!         if !has_line(self.1) {
//!             (0..9).filter(|cell| (self.0 | self.1) >> cell & 1 == 0).for_each(|cell| list.push(cell));
//!         }
//!     }
//!     fn play(&mut self, cell: u8) {
//!         *self = TicTacToe(self.1, self.0 | 1 << cell, self.2.other());
//!     }
//!     fn payoff(&self, player: Player) -> Payoff {
//!         let line = i32::from(has_line(self.1));
//!         Payoff(if player == self.2 { -line } else { line })
//!     }
//!     fn hash(&self) -> u64 {
//!         coppice::rng::mix(u64::from(self.0) << 16 | u64::from(self.1))
//!     }
//!     fn move_index(cell: u8) -> u16 {
//!         cell.into()
//!     }
//! }
//!
//! /// Lines that are still open.
//! struct OpenLines;
//!
//! impl Evaluation<TicTacToe> for OpenLines {
//!     fn evaluate(&self, game: &TicTacToe) -> Score {
//!         let open = |marks: u16| LINES.iter().filter(|&line| line & marks == 0).count() as i32;
//!         Score::estimate(open(game.1) - open(game.0))
//!     }
//! }
//!
//! let mut searches: [Box<dyn Search<TicTacToe>>; 3] = [
//!     Box::new(AlphaBeta::new(OpenLines, AlphaBetaOptions::default())),
//!     Box::new(Mcts::new(MctsOptions::default())),
//!     Box::new(Minimax::new(OpenLines, MinimaxOptions::default())),
//! ];
//! let mut game = TicTacToe(0, 0, Player::FIRST);
//! for turn in 0.. {
//!     match searches[turn % 3].search(&game, Budget::nodes(20_000)).best {
//!         Some(cell) => game.play(cell),
//!         None => break,
//!     }
//! }
//! assert_eq!(game.payoff(Player::FIRST), Payoff(0), "perfect play is a draw");
//! ```
//!
//! # A bot's loop
//!
//! Read a turn, search under the clock, answer. The clock counts from the first byte of the turn's input:
//!
//! ```
//! # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/examples/nim.rs")); }
//! # use nim::{Even, Nim};
//! use std::io::{BufRead, Write};
//! use std::time::{Duration, Instant};
//!
//! use coppice::input::{Input, InputError};
//! use coppice::search::{AlphaBeta, AlphaBetaOptions};
//! use coppice::{Budget, Clock, Player, Search};
//!
//! fn play(reader: impl BufRead, mut output: impl Write) -> Result<(), InputError> {
//!     let ms = Duration::from_millis;
//!     let mut search = AlphaBeta::new(Even, AlphaBetaOptions::default());
//!     let mut clock = Clock::new(ms(1000), ms(100));
//!     let mut input = Input::new(reader);
//!     loop {
//!         let started = input.wait()?;
//!         let game = Nim::<2>(input.value("the number of stones")?, Player::FIRST);
//!         let budget = Budget::until(clock.turn(started));
//!         let Some(best) = search.search(&game, budget).best else { return Ok(()) };
//!         clock.answered(Instant::now());
//!         writeln!(output, "{best}").and_then(|()| output.flush()).map_err(InputError::Io)?;
//!     }
//! }
//!
//! let mut answers = Vec::new();
//! play(&b"7\n2\n0\n"[..], &mut answers)?;
//! assert_eq!(answers, b"3\n2\n");
//! # Ok::<(), InputError>(())
//! ```
//!
//! # What it is not for
//!
//! Search on several cores. Simultaneous moves of which a player sees only some later. Where a move list can
//! have thousands of entries, all searches but [`Selective`](search::Selective) copy it too often.

pub mod bits;
pub mod clock;
pub mod cpu;
pub mod evaluation;
pub mod game;
pub mod input;
pub mod joint;
pub mod list;
pub mod math;
pub mod network;
pub mod optimise;
pub mod perft;
pub mod pool;
pub mod range_coder;
pub mod rng;
pub mod score;
pub mod search;
pub mod step;
pub mod table;
pub mod tree;

pub use clock::{Budget, Clock};
pub use evaluation::Evaluation;
pub use game::{Game, Hidden, Payoff, Player, Reversible};
pub use joint::{Choices, Estimate, InTurns, Joint, Turns};
pub use list::{List, Moves};
pub use perft::{perft, Ended};
pub use rng::Rng;
pub use score::Score;
pub use search::{Report, Search};
pub use tree::Tree;

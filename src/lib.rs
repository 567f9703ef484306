//! Game searches over one small trait, in a static node pool, for bots that ship as one file.
//!
//! Write the rules of a game once, as a [`Game`]; add an [`Evaluation`] if you have an idea of what a
//! position is worth; every search in [`search`] then plays it. No threads, no allocation while a search
//! runs, the same answer on every machine for the same budget of nodes and the same seed.
//!
//! ```text
//!   your rules: Game ───────┐                                   pool::Pool, table::Table:
//!   your estimate:          │    one file a search:              allocated once
//!     Evaluation ───────────┼──> search::AlphaBeta, Mcts, ──┐
//!   your ways to play out:  │      Minimax, BestFirst, Beam,├──> Report: best move, score, nodes
//!     Policy, Model ────────┤      Evolution, Selective, …  ├──> line: what it expects
//!   Clock ──> Budget ───────┘                               └──> Tree: to walk through
//! ```
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
//!     Box::new(AlphaBeta::new(OpenLines, 1 << 16, AlphaBetaOptions::default())),
//!     Box::new(Mcts::new(1 << 20, 1, MctsOptions::default())),
//!     Box::new(Minimax::new(OpenLines, 1 << 20, MinimaxOptions::default())),
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
//!     let mut search = AlphaBeta::new(Even, 1 << 16, AlphaBetaOptions::default());
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
//! # Which search
//!
//! Two players, everything open:
//! - [`AlphaBeta`](search::AlphaBeta): for games with a good evaluation, and for long games. 19 to 36 million
//!   nodes a second over a cheap evaluation, three times the crate minimax. The Othello bot on it won all of
//!   100 games at 150 ms a move against `Mcts`. Its parts can be switched off one by one; `plain` is textbook
//!   alpha-beta. [`EachMove`](search::EachMove) deepens for each root move by itself.
//!   [`AlphaBeta::in_place`](search::AlphaBeta::in_place) makes and unmakes moves on one state instead of
//!   copying: the same speed for boards of a few words, 2.7 times for a 10x10 board with a heuristic in every
//!   cell.
//! - [`BestFirst`](search::BestFirst): for an evaluation that tells a good position from a bad one without a
//!   search. In Othello at 20,000 nodes a move it takes 83 % of the points from alpha-beta without table,
//!   with the same evaluation, and all from `Mcts`; it makes a quarter to a third of alpha-beta's nodes a
//!   second.
//! - [`Mcts`](search::Mcts): needs no evaluation; for one to eight players. 0.9 to 5 million playouts a
//!   second in the games of the benchmark. It needs games that end by themselves under random moves, or
//!   [`Evaluated`](search::Evaluated) to cut them off.
//! - [`McGraph`](search::McGraph): the same for games with many transpositions: it solves tic-tac-toe in a
//!   quarter of the tree's iterations. In connect four almost nothing is shared, and it makes a third of the
//!   iterations a second.
//! - [`Optimised`](search::Optimised) in either: few iterations a turn, and an objective that says what a
//!   good move is ([`optimise`]). In Othello at 100 iterations a move it won 59 of 60 games and drew one; an
//!   iteration costs seven times as much.
//! - [`Selective`](search::Selective): dozens or thousands of moves, of which an evaluation can rank the
//!   important ones first. It looks ten plies ahead among 4,900 cells.
//!
//! Any number of players:
//! - [`Minimax`](search::Minimax): an evaluation, or one player and a puzzle that has to be solved exactly;
//!   the whole tree can be inspected. In Othello at 20,000 nodes a move a siblings threshold of one to three
//!   discs takes 83 % of the points from none in breadth-first order; best-first order takes 91 % from
//!   breadth-first.
//! - [`Flat`](search::Flat): random playouts for each move and no tree, where a state is expensive to copy or
//!   the rest of the game is mostly chance.
//! - [`Sampled`](search::Sampled): around any of these, for a game in which a player doesn't see everything
//!   ([`Hidden`]). In tic-tac-toe with an unseen move it takes 57 % of the points from guessing once. (For more than
//!   two players it counts votes.)
//!
//! One player (`Mcts`, `McGraph`, `BestFirst` and `Minimax` too; the first two below need `impl Planning<G> for E {}`,
//! [`Planning`](search::Planning)):
//! - [`Beam`](search::Beam): an evaluation that is informative at every level. It is exact where it is as
//!   wide as the game.
//! - [`Evolution`](search::Evolution): a whole plan judged by where it ends: five times the moves a second of a
//!   beam.
//! - [`solutions`](search::solutions): a puzzle that has no solution, one, or more, by looking at all of it:
//!   34,000 Sudokus of 17 clues a second, five times as many as `Minimax`.
//!
//! Players choose at the same time, or chance takes part ([`Joint`] in place of [`Game`]; the answer is a
//! [`JointReport`](search::JointReport)):
//! - [`Regret`](search::Regret): two players, and bluffing pays: it answers with a mixed strategy. After 100,000
//!   iterations from the start an opponent who knows the whole strategy gains 0.006 of 3 points in rock, paper, scissors, 0.14 of 10
//!   in Goofspiel with four cards; against [`Decoupled`](search::Decoupled) 0.47 and 0.96.
//! - [`Decoupled`](search::Decoupled): good pure moves quickly, for one to eight players; the Monte Carlo search for
//!   games with chance, with [`Widening`](search::Widening) where there are hundreds of outcomes.
//! - [`Units`](search::Units): one tree for each of several units that move at the same time.
//! - [`Evolve`](search::Evolve): plans of several units in a simulation, against the plan that the others evolved.
//! - [`Paranoid`](search::Paranoid): alpha-beta against opponents who see the move, by the worst reply or the mean of
//!   the worst few.
//! - [`Expectimax`](search::Expectimax): chance, one player at a time, and an estimate. Star2 saves nine tenths of the
//!   nodes among 20 moves.
//! - [`Oracle`](search::Oracle): solves small games exactly, for tests.
//!
//! Baselines: [`Random`](search::Random), [`Greedy`](search::Greedy) (also a quick check of an evaluation),
//! and in tests [`negamax`](search::negamax) and [`max_n`](search::max_n).
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

//! Alpha-beta for two players: to a fixed depth or by iterative deepening, with a transposition table, principal
//! variation search, killers, history, aspiration, or without any of them.

mod cuts;
mod node;
mod options;
mod order;
mod root;

pub use options::AlphaBetaOptions;
use std::marker::PhantomData;

use crate::clock::{Budget, Meter};
use crate::cpu;
use crate::evaluation::Evaluation;
use crate::game::{Game, Reversible};
use crate::list::List;
use crate::search::report::{Report, Search};
use crate::step::{Copies, InPlace, Step};
use crate::table::{Bound, Table};
use crate::tree::LINE;
use root::Deepen;

/// Maximum length of a line, in plies; a game's end beyond it is not seen.
const MAX_PLIES: usize = 120;

/// History counters per player: move codes are taken modulo this number.
const HISTORY: usize = 1 << 12;

/// Alpha-beta over an evaluation.
///
/// A fail-soft search (Fishburn 1983). When a budget runs out in the middle of an iteration, the answer is the best
/// of the root moves that this iteration has finished; with deepening the last iteration's best is always the first
/// of them.
///
/// `S` is how it reaches the position after a move: on a copy, or by make and unmake on one state
/// ([`AlphaBeta::in_place`]). The answers are the same.
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/examples/nim.rs")); }
/// use coppice::search::{AlphaBeta, AlphaBetaOptions};
/// use coppice::{Budget, Player, Search};
/// # use nim::{Even, Nim};
///
/// let mut search = AlphaBeta::new(Even, AlphaBetaOptions::default());
/// let report = search.search(&Nim::<2>(6, Player::FIRST), Budget::nodes(10_000));
/// assert_eq!(report.best, Some(2), "four stones lose for the opponent");
/// assert!(report.solved);
/// ```
#[derive(Debug, Clone)]
pub struct AlphaBeta<G: Game, E, S = Copies> {
    evaluation: E,
    options: AlphaBetaOptions,
    table: Table,
    killers: Vec<[Option<G::Move>; 2]>,
    history: Vec<[i32; HISTORY]>,
    meter: Meter<512>,
    /// The number of estimates used so far, including table hits that depend on estimates. A subtree during which
    /// this doesn't grow is solved.
    estimates: u64,
    step: PhantomData<S>,
}

impl<G: Game, E: Evaluation<G>> AlphaBeta<G, E> {
    /// A search by this evaluation.
    ///
    /// # Panics
    /// When compiled, if the game is not for two players.
    pub fn new(evaluation: E, options: AlphaBetaOptions) -> AlphaBeta<G, E> {
        AlphaBeta::with(evaluation, options)
    }
}

impl<G: Reversible, E: Evaluation<G>> AlphaBeta<G, E, InPlace> {
    /// Searches with make and unmake on one state, for games that are expensive to copy: about three times as fast on a ten by
    /// ten board of the m,n,k games.
    ///
    /// # Panics
    /// When compiled, if the game is not for two players.
    pub fn in_place(evaluation: E, options: AlphaBetaOptions) -> AlphaBeta<G, E, InPlace> {
        AlphaBeta::with(evaluation, options)
    }
}

impl<G: Game, E: Evaluation<G>, S: Step<G>> AlphaBeta<G, E, S> {
    fn with(evaluation: E, options: AlphaBetaOptions) -> AlphaBeta<G, E, S> {
        const { assert!(G::PLAYERS == 2, "alpha-beta is for two players") };
        AlphaBeta {
            evaluation,
            table: Table::with_bytes(if options.table { options.memory } else { 0 }),
            options,
            killers: vec![[None; 2]; MAX_PLIES],
            history: vec![[0; HISTORY]; 2],
            meter: Meter::new(Budget::nodes(0)),
            estimates: 0,
            step: PhantomData,
        }
    }

    /// The evaluation.
    pub fn evaluation(&self) -> &E {
        &self.evaluation
    }

    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        self.table.clear();
        self.killers.fill([None; 2]);
        self.history.iter_mut().for_each(|h| h.fill(0));
    }
}

impl<G: Game, E: Evaluation<G>, S: Step<G>> Search<G> for AlphaBeta<G, E, S> {
    fn search(&mut self, game: &G, budget: Budget) -> Report<G::Move> {
        cpu::dispatch(Deepen { search: self, game, budget })
    }

    fn line(&self, game: &G, best: G::Move) -> List<G::Move, LINE> {
        let mut line = List::default();
        let mut next = Some(best);
        let mut game = game.clone();
        while let Some(m) = next {
            line.push(m);
            if line.len() == LINE || !self.options.table {
                break;
            }
            game.play(m);
            let mut list = G::Moves::default();
            game.moves(&mut list);
            let entry = self.table.probe(game.hash()).filter(|entry| entry.bound != Bound::Upper);
            next = entry.and_then(|entry| list.iter().copied().find(|&m| G::move_index(m) == entry.best));
        }
        line
    }
}

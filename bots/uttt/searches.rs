//! Searches for ultimate tic-tac-toe.

use std::sync::OnceLock;

use bots::shared::grid::contest::GridContest;
use bots::uttt::eval::WonBoards;
use bots::uttt::pattern::tables::Tables;
use bots::uttt::tools::contest as plain;
use bots::uttt::tools::quiet::Quiet;
use bots::uttt::{monte_carlo, pattern, strategy, uct, Board, Cell};
use contest::session::{self, Offer, Searches};
use coppice::search::{AlphaBeta, AlphaBetaOptions};
use coppice::{Evaluation, Score};

/// The contest with its searches.
pub static UTTT: GridContest<Board> = GridContest::new(plain::bench).with_searches(searches);

fn searches(start: &Board) -> Box<dyn Searches> {
    crate::on_grid(start, offers())
}

fn offers() -> Vec<Offer<Board>> {
    let about = "the submitted bot: best-first minimax over tables of patterns, in 256 MB";
    let bot = Offer::tunable("bot", about, |_, settings, numbers| {
        let bytes = settings.bytes_or(strategy::BYTES);
        strategy::Strategy::new(Shared::new(numbers), numbers, bytes)
    });
    let about = "Monte Carlo tree search with playouts that take winning moves: uttt-mcts";
    let playouts = Offer::tunable("playouts", about, |_, settings, numbers| {
        monte_carlo::search(numbers, settings.bytes_or(monte_carlo::BYTES), settings.seed)
    });
    let uct = Offer::new("uct", "plain UCT, to measure against: uttt-uct", |_, settings| {
        uct::search(settings.bytes_or(monte_carlo::BYTES), settings.seed)
    });
    let about = "alpha-beta with the bot's evaluation and quiescence, to measure against";
    let network = Offer::tunable("alpha-beta-network", about, |_, settings, numbers: &Depth| {
        let evaluation =
            Quiet { evaluation: Shared::new(&strategy::Numbers::default()), plies: numbers.quiescence };
        AlphaBeta::new(
            evaluation,
            AlphaBetaOptions { memory: settings.bytes_or(64 << 20), ..AlphaBetaOptions::default() },
        )
    });
    let mut all = vec![bot, playouts, uct, network];
    all.extend(session::offers(|| WonBoards));
    all
}

contest::tunables! {
    /// Tunable parameters of the search `alpha-beta-network`.
    pub struct Depth {
        /// The most noisy moves in a row beyond alpha-beta's depth; 0: no quiescence.
        quiescence: u32 = 2 in 0..=16,
    }
}

/// The bot's evaluation, with tables that all searches of the process share: to expand them takes longer than a game of few
/// nodes a move.
#[derive(Debug, Clone)]
struct Shared {
    tables: &'static Tables,
    free_exploration: f32,
}

impl Shared {
    fn new(numbers: &strategy::Numbers) -> Shared {
        static TABLES: OnceLock<Tables> = OnceLock::new();
        Shared { tables: TABLES.get_or_init(Tables::trained), free_exploration: numbers.free_exploration }
    }
}

impl Evaluation<Board> for Shared {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        self.tables.evaluate(board)
    }

    #[inline(always)]
    fn interest(&self, _: &Board, next: &Board) -> f32 {
        pattern::interest(next, self.free_exploration)
    }

    #[inline(always)]
    fn below(&self, board: &Board) -> impl Fn(Cell, &Board) -> Score {
        self.tables.below(board)
    }
}

//! Runs the searches on fixed positions: a checksum for changes that must not alter behaviour.

use coppice::rng::mix;
use coppice::search::{AlphaBeta, AlphaBetaOptions, Greedy};
use coppice::{Budget, Game, Rng, Search};

use crate::reversi::board::Board;
use crate::reversi::eval::{Material, Positional};
use crate::reversi::monte_carlo;
use crate::reversi::strategy::Strategy;
use contest::BenchResult;

/// Positions of random games after 1 to 50 plies.
fn positions() -> Vec<Board> {
    let mut rng = Rng::new(1);
    let mut boards = vec![Board::START];
    for plies in (2..=50).step_by(4) {
        let mut board = Board::START;
        for _ in 0..plies {
            if let Some(cell) = board.random_move(&mut rng) {
                board.play(cell);
            }
        }
        if !board.is_over() {
            boards.push(board);
        }
    }
    boards
}

/// Runs each search through all positions in turn.
pub fn bench() -> Vec<BenchResult> {
    let to_depth = |max_depth| AlphaBetaOptions { memory: 1 << 20, max_depth, ..AlphaBetaOptions::default() };
    let mut searches: Vec<(&'static str, Box<dyn Search<Board>>, Budget)> = vec![
        ("greedy", Box::new(Greedy::new(Positional::new(), 1)), Budget::nodes(u64::MAX)),
        (
            "alpha-beta, material, depth 8",
            Box::new(AlphaBeta::new(Material, to_depth(8))),
            Budget::nodes(u64::MAX),
        ),
        (
            "alpha-beta, positional, depth 8",
            Box::new(AlphaBeta::new(Positional::new(), to_depth(8))),
            Budget::nodes(u64::MAX),
        ),
        (
            "mcts, 5000 iterations",
            Box::new(monte_carlo::search(&monte_carlo::Numbers::default(), 8 << 20, 1)),
            Budget::nodes(5_000),
        ),
        ("the bot, 200000 nodes", Box::new(Strategy::new()), Budget::nodes(200_000)),
    ];
    let run = |(name, search, budget): &mut (&'static str, Box<dyn Search<Board>>, Budget)| {
        let (mut nodes, mut digest) = (0, 0);
        for board in positions() {
            let report = search.search(&board, *budget);
            nodes += report.nodes;
            let best = report.best.map_or(u64::MAX, |cell| u64::from(cell.bit()));
            digest = mix(digest ^ mix(best) ^ report.score.value() as u64);
        }
        BenchResult { search: name, nodes, digest }
    };
    searches.iter_mut().map(run).collect()
}

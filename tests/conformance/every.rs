//! What holds for every search: budgets, repetition, legal moves.

use bots::reversi::eval::Positional;
use bots::reversi::strategy::Strategy;
use bots::reversi::Board;
use coppice::search::{AlphaBeta, AlphaBetaOptions, EachMove, Greedy, Mcts, MctsOptions, Shuffled};
use coppice::{Budget, Game, Rng, Search};

use super::moves;

/// Makes a search; each time the same.
type Maker = Box<dyn Fn() -> Box<dyn Search<Board>>>;

/// Every search for reversi, with its name.
fn every_search() -> Vec<(&'static str, Maker)> {
    vec![
        ("greedy", Box::new(|| Box::new(Greedy::new(Positional::new(), 5)))),
        (
            "alpha-beta",
            Box::new(|| Box::new(AlphaBeta::new(Positional::new(), 1 << 18, AlphaBetaOptions::default()))),
        ),
        (
            "alpha-beta, aspiration",
            Box::new(|| {
                let options = AlphaBetaOptions { aspiration: 50, ..AlphaBetaOptions::default() };
                Box::new(AlphaBeta::new(Positional::new(), 1 << 18, options))
            }),
        ),
        (
            "plain alpha-beta",
            Box::new(|| Box::new(AlphaBeta::new(Positional::new(), 0, AlphaBetaOptions::plain(4)))),
        ),
        (
            "alpha-beta, shuffled, each move alone",
            Box::new(|| {
                let options = AlphaBetaOptions { equal_depth: true, ..AlphaBetaOptions::default() };
                let evaluation = Shuffled { evaluation: Positional::new(), seed: 5 };
                Box::new(EachMove(AlphaBeta::new(evaluation, 1 << 18, options)))
            }),
        ),
        ("mcts", Box::new(|| Box::new(Mcts::new(1 << 20, 5, MctsOptions::default())))),
        (
            "mcts in a pool of 40 nodes",
            Box::new(|| Box::new(Mcts::new(40 * Mcts::<Board>::NODE_BYTES, 5, MctsOptions::default()))),
        ),
        ("mcts in a pool of 1 node", Box::new(|| Box::new(Mcts::new(1, 5, MctsOptions::default())))),
        ("strategy", Box::new(|| Box::new(Strategy::new()))),
    ]
}

/// Whole games: a legal move each turn, never more nodes than the budget, the same again.
#[test]
fn every_search_keeps_its_budget_and_repeats_itself() {
    for (name, make) in every_search() {
        for budget in [0, 1, 7, 1_000] {
            let (mut search, mut again) = (make(), make());
            let mut board = Board::START;
            let mut rng = Rng::new(budget);
            while !board.is_over() {
                let report = search.search(&board, Budget::nodes(budget));
                let second = again.search(&board, Budget::nodes(budget));
                assert_eq!(
                    (report.best, report.score, report.nodes),
                    (second.best, second.score, second.nodes),
                    "{name}"
                );
                assert!(report.nodes <= budget, "{name} visited {} of {budget} nodes", report.nodes);
                let best = report.best.expect("a move");
                assert!(moves(&board).contains(&best), "{name}: {best} on {board:?}");
                // The opponent answers at random, so that trees are kept for other moves than expected too.
                board.play(best);
                if let Some(m) = board.random_move(&mut rng) {
                    board.play(m);
                }
            }
            let report = search.search(&board, Budget::nodes(budget));
            assert_eq!((report.best, report.nodes), (None, 0), "{name}");
            assert_eq!(report.score.value().signum(), board.payoff(board.to_move()).sign(), "{name}");
        }
    }
}

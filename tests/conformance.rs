//! Every game through every search: plain negamax is the oracle.

use std::fmt::Debug;

use bots::reversi::eval::{Material, Positional};
use bots::reversi::strategy::Strategy;
use bots::reversi::Board;
use coppice::search::{negamax, AlphaBeta, AlphaBetaOptions, Greedy, Mcts, MctsOptions};
use coppice::{Budget, Evaluation, Game, Report, Rng, Search};
use coppice_tests::games::{Noise, OpenLines, RandomTree, ThreeInLine, TicTacToe};

const NO_LIMIT: Budget = Budget::nodes(u64::MAX);

fn moves<G: Game>(game: &G) -> Vec<G::Move> {
    let mut list = G::Moves::default();
    game.moves(&mut list);
    list.to_vec()
}

/// Positions of random games that have `from` to `to` moves behind them and aren't over.
fn positions<G: Game>(start: &G, from: u32, to: u32, count: usize) -> Vec<G> {
    let mut rng = Rng::new(u64::from(from));
    let mut found = Vec::new();
    while found.len() < count {
        let mut game = start.clone();
        for _ in 0..from + rng.below(to - from + 1) {
            match game.random_move(&mut rng) {
                Some(m) => game.play(m),
                None => break,
            }
        }
        if !game.is_over() {
            found.push(game);
        }
    }
    found
}

/// Ends of reversi games, 5 to 9 cells from the end.
fn reversi_ends() -> Vec<Board> {
    positions(&Board::START, 52, 56, 60)
}

/// All games small enough to be searched to the end.
fn trees() -> impl Iterator<Item = RandomTree> {
    (0..300).map(|seed| RandomTree::new(seed, 9)).filter(|game| !game.is_over())
}

fn tic_tac_toe() -> impl Iterator<Item = TicTacToe> {
    TicTacToe::all().into_iter().filter(|game| !game.is_over())
}

/// The settings of alpha-beta: all of it, each part off, none.
fn alpha_beta_options() -> Vec<AlphaBetaOptions> {
    let all = AlphaBetaOptions { table_depth: 1, order_depth: 1, ..AlphaBetaOptions::default() };
    let none = AlphaBetaOptions {
        table: false,
        killers: false,
        history: false,
        principal_variation: false,
        ..AlphaBetaOptions::default()
    };
    vec![
        AlphaBetaOptions::default(),
        AlphaBetaOptions { table: false, ..all.clone() },
        AlphaBetaOptions { killers: false, ..all.clone() },
        AlphaBetaOptions { history: false, ..all.clone() },
        AlphaBetaOptions { principal_variation: false, ..all.clone() },
        AlphaBetaOptions { aspiration: 3, ..all.clone() },
        all,
        none,
    ]
}

/// A report against the oracle: the value is exact and the move is one of the best.
fn assert_best<G: Game + Debug, E: Evaluation<G>>(
    game: &G,
    evaluation: &E,
    depth: u32,
    report: &Report<G::Move>,
) {
    let value = negamax(game, evaluation, depth);
    assert_eq!(report.score, value, "{game:?}");
    let best = report.best.expect("a move");
    let next = game.after(best);
    let child = negamax(&next, evaluation, depth - 1).later(1).for_parent(next.to_move() == game.to_move());
    assert_eq!(child, value, "{best:?} in {game:?}");
}

fn alpha_beta_is_negamax<G: Game + Debug, E: Evaluation<G> + Clone>(
    games: impl Iterator<Item = G>,
    evaluation: E,
    depths: &[u32],
) {
    let mut searches: Vec<_> = alpha_beta_options()
        .into_iter()
        .map(|options| (AlphaBeta::new(evaluation.clone(), 1 << 16, options.clone()), options))
        .collect();
    for game in games {
        for (search, options) in &mut searches {
            // To the end, with what earlier positions left in the table.
            let report = search.search(&game, NO_LIMIT);
            assert!(report.solved);
            assert_best(&game, &evaluation, 99, &report);
            for &max_depth in depths {
                let options = AlphaBetaOptions { max_depth, ..options.clone() };
                let report = AlphaBeta::new(evaluation.clone(), 1 << 16, options).search(&game, NO_LIMIT);
                assert_best(&game, &evaluation, max_depth, &report);
            }
        }
    }
}

#[test]
fn alpha_beta_is_negamax_on_random_trees() {
    alpha_beta_is_negamax(trees(), Noise, &[1, 2, 4, 7]);
}

#[test]
fn alpha_beta_is_negamax_on_tic_tac_toe() {
    let games = tic_tac_toe().filter(|game| moves(game).len() < 8);
    alpha_beta_is_negamax(games.step_by(3), OpenLines, &[]);
    let deep =
        AlphaBeta::new(OpenLines, 1 << 16, AlphaBetaOptions::default()).search(&TicTacToe::START, NO_LIMIT);
    assert_eq!((deep.score.value(), deep.solved), (0, true), "tic-tac-toe is a draw");
}

#[test]
fn alpha_beta_is_negamax_on_reversi() {
    alpha_beta_is_negamax(reversi_ends().into_iter().take(15), Material, &[]);
    for board in positions(&Board::START, 4, 40, 20) {
        for options in alpha_beta_options() {
            let options = AlphaBetaOptions { max_depth: 4, ..options };
            let report = AlphaBeta::new(Positional::new(), 1 << 16, options).search(&board, NO_LIMIT);
            assert_best(&board, &Positional::new(), 4, &report);
        }
    }
}

/// With proofs on, Monte Carlo search settles a small game and is right.
fn mcts_settles<G: Game + Debug, E: Evaluation<G>>(games: impl Iterator<Item = G>, evaluation: &E) {
    let options = MctsOptions { keep_tree: false, ..MctsOptions::default() };
    let mut search = Mcts::new(4 << 20, 1, options);
    for game in games {
        let report = search.search(&game, Budget::nodes(200_000));
        assert!(report.solved, "{game:?} after {} iterations", report.nodes);
        let sign = |value: i32| value.signum();
        let value = negamax(&game, evaluation, 99).value();
        assert_eq!(sign(report.score.value()), sign(value), "{game:?}");
        let next = game.after(report.best.expect("a move"));
        let child = negamax(&next, evaluation, 99).for_parent(next.to_move() == game.to_move()).value();
        assert_eq!(sign(child), sign(value), "{:?} in {game:?}", report.best);
    }
}

#[test]
fn mcts_settles_small_games() {
    mcts_settles(trees(), &Noise);
    mcts_settles(tic_tac_toe().step_by(7), &OpenLines);
    mcts_settles(reversi_ends().into_iter().take(20), &Material);
}

#[test]
fn mcts_closes_tic_tac_toe() {
    let mut search = Mcts::new(16 << 20, 1, MctsOptions::default());
    let report = search.search(&TicTacToe::START, Budget::nodes(1_000_000));
    assert_eq!((report.solved, report.score.value()), (true, 0));
    assert!(report.nodes < 1_000_000);
}

/// Without proofs it converges: no losing move where there is another.
#[test]
fn mcts_without_proofs_converges() {
    let options = MctsOptions { proofs: false, ..MctsOptions::default() };
    for game in tic_tac_toe().step_by(97) {
        let report = Mcts::new(4 << 20, 1, options.clone()).search(&game, Budget::nodes(20_000));
        assert_eq!(report.nodes, 20_000);
        let next = game.after(report.best.expect("a move"));
        let value = negamax(&game, &OpenLines, 99).value().signum();
        assert_eq!(-negamax(&next, &OpenLines, 99).value().signum(), value, "{:?} in {game:?}", report.best);
    }
}

#[test]
fn mcts_takes_a_win_among_three_players() {
    let mut game = ThreeInLine::START;
    for m in [0, 3, 6, 1, 4, 7] {
        game.play(m);
    }
    // Cells 0 and 1 are the first player's, whose move it is.
    let report = Mcts::new(1 << 20, 1, MctsOptions::default()).search(&game, Budget::nodes(5_000));
    assert_eq!(report.best, Some(2));
}

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

/// What a kept subtree knows is not lost: a search that goes on from it needs fewer iterations to
/// settle the position than one from nothing.
#[test]
fn a_kept_tree_is_of_use() {
    let (mut kept, mut fresh) = (0, 0);
    for board in positions(&Board::START, 50, 51, 20) {
        let mut search = Mcts::new(16 << 20, 1, MctsOptions::default());
        let report = search.search(&board, Budget::nodes(1_000));
        let line = report.best.map(|best| search.line(&board, best)).unwrap_or_default();
        let Some(&[first, second]) = line.get(..2) else { continue };
        let next = board.after(first).after(second);
        if report.solved || next.is_over() {
            continue;
        }
        kept += search.search(&next, Budget::nodes(300_000)).nodes;
        fresh += Mcts::new(16 << 20, 1, MctsOptions::default()).search(&next, Budget::nodes(300_000)).nodes;
    }
    assert!(fresh > 0 && kept < fresh, "{kept} iterations after {fresh}");
}

//! Monte Carlo tree search.

use std::fmt::Debug;

use bots::reversi::eval::Material;
use bots::reversi::Board;
use coppice::search::{negamax, Mcts, MctsOptions};
use coppice::{Budget, Evaluation, Game, Search};
use coppice_tests::games::{Noise, OpenLines, ThreeInLine, TicTacToe};

use super::{positions, reversi_ends, tic_tac_toe, trees};

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

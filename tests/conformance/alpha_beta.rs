//! Alpha-beta, with each of its parts on and off.

use std::fmt::Debug;

use bots::reversi::eval::{Material, Positional};
use bots::reversi::Board;
use coppice::search::{AlphaBeta, AlphaBetaOptions};
use coppice::{Evaluation, Game, Search};
use coppice_tests::games::{Noise, OpenLines, TicTacToe};

use super::{assert_best, moves, positions, reversi_ends, tic_tac_toe, trees, NO_LIMIT};

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

//! Tests flat Monte Carlo search and the random player.

use std::collections::BTreeSet;

use bots::reversi::Board;
use coppice::search::{Flat, FlatOptions, Random};
use coppice::{Budget, Game, Payoff, Search};
use coppice_tests::games::{RandomTree, ThreeInLine, TicTacToe};

use super::{moves, random_trees};

/// A game's expected value for a player under random play.
fn mean<G: Game>(game: &G, reward: &dyn Fn(&G) -> i32) -> f64 {
    let moves = moves(game);
    if moves.is_empty() {
        return f64::from(reward(game));
    }
    moves.iter().map(|&m| mean(&game.after(m), reward)).sum::<f64>() / moves.len() as f64
}

/// With equal shares the score converges to the exact mean of random play, and the move has the best mean,
/// within the error of the playouts.
fn flat_converges_for<const N: usize>(exploration: f32) {
    const PLAYOUTS: u64 = 20_000;
    for game in random_trees::<N>().step_by(23) {
        let player = game.to_move();
        let reward = |end: &RandomTree<N>| match (N, end.payoff(player)) {
            (1, Payoff(points)) => points,
            (_, payoff) => payoff.sign(),
        };
        let exact = |m: u8| mean(&game.after(m), &reward);
        let report = Flat::new(FlatOptions { seed: 3, exploration }).search(&game, Budget::nodes(PLAYOUTS));
        let unit = if N == 1 { 1.0 } else { 1000.0 };
        let score = f64::from(report.score.value()) / unit;
        let best = report.best.expect("a move");
        let top = moves(&game).into_iter().map(exact).fold(f64::NEG_INFINITY, f64::max);
        // Five standard errors of a mean of rewards in -1 to 1, a quarter of the playouts each.
        let error = 5.0 / (PLAYOUTS as f64 / 4.0).sqrt();
        assert!(exact(best) >= top - 2.0 * error, "{best} in {game:?}: {} below {top}", exact(best));
        // One player's score is rounded to a whole payoff.
        let rounding = if N == 1 { 1.0 } else { 0.001 };
        assert!((score - exact(best)).abs() < error + rounding, "{score}, not {}, in {game:?}", exact(best));
        assert_eq!(report.nodes, PLAYOUTS);
    }
}

#[test]
fn flat_converges_to_random_plays_mean() {
    flat_converges_for::<1>(f32::INFINITY);
    flat_converges_for::<2>(f32::INFINITY);
    flat_converges_for::<3>(f32::INFINITY);
}

/// With UCB1 the answer is as good. Its score is that of the most-played move.
#[test]
fn flat_finds_wins_by_ucb() {
    let mut game = ThreeInLine::START;
    for m in [0, 3, 6, 1, 4, 7] {
        game.play(m);
    }
    // Cells 0 and 1 are the first player's, whose move it is.
    for exploration in [0.3, 0.9, f32::INFINITY] {
        let report = Flat::new(FlatOptions { seed: 1, exploration }).search(&game, Budget::nodes(2_000));
        assert_eq!((report.best, report.score.value()), (Some(2), 1000));
    }
}

/// Flat search has no tree, so it misses answers that only a good opponent finds. It still beats the random
/// player nearly always.
#[test]
fn flat_beats_random() {
    let mut won = 0;
    for seed in 0..20 {
        let mut board = Board::START;
        let mut flat = Flat::new(FlatOptions { seed, ..FlatOptions::default() });
        let mut random = Random::new(seed);
        let seat = (seed % 2) as usize;
        while !board.is_over() {
            let search: &mut dyn Search<Board> =
                if board.to_move().index() == seat { &mut flat } else { &mut random };
            board.play(search.search(&board, Budget::nodes(200)).best.expect("a move"));
        }
        won += i32::from(board.payoff(coppice::Player::new(seat as u8)).sign() > 0);
    }
    assert!(won >= 17, "{won} of 20 games won");
}

#[test]
fn random_eventually_plays_every_move() {
    let mut random = Random::new(1);
    let mut made = BTreeSet::new();
    for _ in 0..200 {
        made.extend(random.search(&TicTacToe::START, Budget::nodes(0)).best);
    }
    assert_eq!(made.len(), 9);
}

//! Conformance suite: every game with every search, with plain negamax as the oracle.

mod alpha_beta;
mod alpha_beta_own;
mod best_first;
mod every;
mod exact;
mod flat;
mod games;
mod joint;
mod keep;
mod mcts;
mod minimax;
mod optimise;
mod optimised;
mod plan;
mod pools;
mod random_paths;
mod sampled;
mod selective;
mod sudoku;

use std::fmt::Debug;

use bots::reversi::Board;
use contest::laws::cases;
use coppice::search::negamax;
use coppice::{Budget, Evaluation, Game, Report, Rng};
use coppice_tests::games::{all_tic_tac_toe, RandomTree, TicTacToe};

const NO_LIMIT: Budget = Budget::nodes(u64::MAX);

fn moves<G: Game>(game: &G) -> Vec<G::Move> {
    let mut list = G::Moves::default();
    game.moves(&mut list);
    list.to_vec()
}

/// Unfinished positions of random games after `from` to `to` moves: [`cases`] of `count`.
fn positions<G: Game>(start: &G, from: u32, to: u32, count: usize) -> Vec<G> {
    let mut rng = Rng::new(u64::from(from));
    let mut found = Vec::new();
    while found.len() < cases(count) {
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

/// Endgames of reversi, 5 to 9 cells from the end.
fn reversi_ends() -> Vec<Board> {
    positions(&Board::START, 52, 56, 60)
}

/// Games for `N` players, small enough to search exhaustively, with and without transpositions.
fn random_trees<const N: usize>() -> impl Iterator<Item = RandomTree<N>> {
    let trees = (0..cases(300)).map(|seed| RandomTree::new(seed, 9));
    let graphs = (0..cases(300)).map(|seed| RandomTree::with_transpositions(seed, 9, 5));
    trees.chain(graphs).filter(|game| !game.is_over())
}

fn trees() -> impl Iterator<Item = RandomTree> {
    random_trees()
}

/// [`cases`] of the unfinished positions that can be reached.
fn tic_tac_toe() -> impl Iterator<Item = TicTacToe> {
    let all: Vec<_> = all_tic_tac_toe().into_iter().filter(|game| !game.is_over()).collect();
    let step = all.len() / cases(all.len());
    all.into_iter().step_by(step)
}

/// Checks a report against the oracle: the value is exact and the move is one of the best.
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
    let child = negamax(&next, evaluation, depth - 1)
        .add_mate_distance(1)
        .for_parent(next.to_move() == game.to_move());
    assert_eq!(child, value, "{best:?} in {game:?}");
}

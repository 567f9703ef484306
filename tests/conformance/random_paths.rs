//! Tests Monte Carlo search by random paths: the mean of all ends, each counted once.

use bots::mancala;
use bots::mancala::eval::OwnStore;
use coppice::search::{RandomPaths, RandomPathsOptions};
use coppice::tree::Status;
use coppice::{Budget, Evaluation, Game, Player, Score, Search, Tree};
use coppice_tests::games::{Noise, RandomTree, TicTacToe};

use super::{moves, random_trees, NO_LIMIT};

/// The number of ends below a game, by paths, and the sum of their values to a player.
fn ends<G: Game, E: Evaluation<G>>(game: &G, evaluation: &E, player: Player) -> (u64, i64) {
    let moves = moves(game);
    if moves.is_empty() {
        return (1, Score::estimate(evaluation.ended_for(game, player).value()).value().into());
    }
    let below = moves.iter().map(|&m| ends(&game.after(m), evaluation, player));
    below.fold((0, 0), |(count, sum), (ends, value)| (count + ends, sum + value))
}

/// Without a limit the search finds each end once; the score is the best child's mean, and the root is closed.
fn finds_every_end<const N: usize>() {
    for game in random_trees::<N>().step_by(11) {
        let player = game.to_move();
        let mut search = RandomPaths::new(Noise, RandomPathsOptions { memory: 16 << 20, seed: 7 });
        let report = search.search(&game, NO_LIMIT);
        let children: Vec<_> =
            moves(&game).iter().map(|&m| (ends(&game.after(m), &Noise, player), m)).collect();
        let is_better = |a: (u64, i64), b: (u64, i64)| {
            i128::from(a.1) * i128::from(b.0) > i128::from(b.1) * i128::from(a.0)
        };
        let best =
            children.iter().copied().reduce(|best, next| if is_better(next.0, best.0) { next } else { best });
        let ((count, sum), m) = best.expect("a move");
        assert_eq!((report.best, report.score.value()), (Some(m), (sum / count as i64) as i32), "{game:?}");
        let tree: &dyn Tree<RandomTree<N>> = &search;
        let root = tree.root().expect("a root");
        let found: Vec<u64> = (0..children.len()).map(|i| tree.node(tree.child(root, i)).visits).collect();
        assert_eq!(found, children.iter().map(|(ends, _)| ends.0).collect::<Vec<_>>(), "{game:?}");
        assert_eq!((tree.node(root).status, report.solved), (Status::Closed, false));
        // A closed root ends the next search at once.
        assert_eq!(search.search(&game, NO_LIMIT).nodes, 0);
    }
}

#[test]
fn every_end_is_found_once() {
    finds_every_end::<1>();
    finds_every_end::<2>();
    finds_every_end::<3>();
}

/// A node is a position visited: a path from the start of Kalah has one for each move, so that a budget of as many nodes
/// as the longest game finds at least one end.
#[test]
fn the_budget_counts_positions() {
    let board = mancala::Board::new(6, 4, false);
    let mut search = RandomPaths::new(OwnStore, RandomPathsOptions { memory: 16 << 20, seed: 1 });
    let report = search.search(&board, Budget::nodes(20_000));
    let tree: &dyn Tree<mancala::Board> = &search;
    let root = tree.root().expect("a root");
    let paths = tree.node(root).visits;
    let plies = report.nodes as f64 / paths as f64;
    assert_eq!(report.nodes, 20_000);
    assert!((20.0..80.0).contains(&plies), "{plies} moves a game");
    // Own counters: each player gets about half of 48.
    assert!((15..34).contains(&report.score.value()), "{}", report.score);
    assert!(search.memory().live > 20_000);
}

/// A full pool ends the growth of the tree, not the search.
#[test]
fn a_full_pool_plays_on() {
    let board = mancala::Board::new(6, 4, false);
    let nodes = RandomPaths::<mancala::Board, OwnStore>::NODE_BYTES;
    for pool in [1, 7, 100] {
        let mut search = RandomPaths::new(OwnStore, RandomPathsOptions { memory: pool * nodes, seed: 1 });
        let report = search.search(&board, Budget::nodes(5_000));
        assert!(search.memory().live <= pool && report.best.is_some());
        assert_eq!(report.nodes, if pool > 6 { 5_000 } else { 0 }, "{pool} nodes");
    }
}

#[test]
fn a_kept_tree_keeps_its_ends() {
    let mut search =
        RandomPaths::new(coppice_tests::games::OpenLines, RandomPathsOptions { memory: 16 << 20, seed: 3 });
    let mut game = TicTacToe::START;
    let report = search.search(&game, Budget::nodes(50_000));
    game.play(report.best.expect("a move"));
    let before = search.search(&game, Budget::nodes(0));
    let tree: &dyn Tree<TicTacToe> = &search;
    assert!(tree.node(tree.root().expect("a root")).visits > 500, "{before:?}");
    assert!(!before.restarted && before.best.is_some());
}

//! Tests best-first minimax.

use std::fmt::Debug;

use bots::reversi::eval::{Material, Positional};
use bots::reversi::Board;
use contest::laws::cases;
use coppice::search::{max_n, BestFirst, BestFirstOptions};
use coppice::tree::{Status, Tree};
use coppice::{Budget, Evaluation, Game, Score, Search};
use coppice_tests::games::{Noise, OpenLines, TicTacToe};

use super::{assert_best, moves, positions, random_trees, reversi_ends, tic_tac_toe, trees, NO_LIMIT};

/// A search with an empty tree and a large enough pool.
fn fresh<G: Game, E: Evaluation<G>>(evaluation: E) -> BestFirst<G, E> {
    let options = BestFirstOptions { scale: 30.0, keep_tree: false, ..BestFirstOptions::default() };
    BestFirst::new(evaluation, BestFirstOptions { memory: 32 << 20, ..options })
}

/// With enough budget to close the root, the value is negamax's and the move is one of the best.
fn best_first_is_negamax<G: Game + Debug, E: Evaluation<G> + Clone>(
    games: impl Iterator<Item = G>,
    evaluation: E,
) {
    let mut search = fresh(evaluation.clone());
    for game in games {
        let report = search.search(&game, NO_LIMIT);
        assert!(report.solved, "{game:?}");
        assert_best(&game, &evaluation, 99, &report);
    }
}

#[test]
fn best_first_is_negamax_on_random_trees() {
    best_first_is_negamax(trees(), Noise);
}

#[test]
fn best_first_is_negamax_on_tic_tac_toe() {
    best_first_is_negamax(tic_tac_toe().filter(|game| moves(game).len() < 8).step_by(3), OpenLines);
}

#[test]
fn best_first_is_negamax_on_reversi() {
    best_first_is_negamax(reversi_ends().into_iter().take(15), Material);
}

/// For one player it finds the best end.
#[test]
fn best_first_finds_one_players_best_end() {
    for game in random_trees::<1>() {
        let report = fresh(Noise).search(&game, NO_LIMIT);
        let [value] = max_n(&game, &Noise, 99);
        assert_eq!((report.score, report.solved), (value, true), "{game:?}");
    }
}

/// Without averages and with kept trees the result is the same.
#[test]
fn best_first_closes_kept_trees() {
    for average in [false, true] {
        let options = BestFirstOptions { average, ..BestFirstOptions::default() };
        for start in reversi_ends().into_iter().take(10) {
            let mut search =
                BestFirst::new(Material, BestFirstOptions { memory: 8 << 20, ..options.clone() });
            let mut board = start;
            let mut turn = 0;
            while !board.is_over() {
                let _ = search.search(&board, Budget::nodes(40 * turn));
                let report = search.search(&board, NO_LIMIT);
                assert!(report.solved);
                assert_best(&board, &Material, 99, &report);
                board.play(report.best.expect("a move"));
                turn += 1;
            }
        }
    }
}

/// Discs, and less interest in moves after which the opponent has an even number of moves.
#[derive(Debug, Clone, Copy)]
struct Picky(f32);

fn is_even(board: &Board) -> bool {
    moves(board).len().is_multiple_of(2)
}

impl Evaluation<Board> for Picky {
    fn evaluate(&self, board: &Board) -> Score {
        Material.evaluate(board)
    }

    fn interest(&self, _: &Board, next: &Board) -> f32 {
        if is_even(next) {
            self.0
        } else {
            1.0
        }
    }
}

/// Moves of little interest are visited less, and it still is negamax in the end.
#[test]
fn moves_of_little_interest_are_visited_less() {
    best_first_is_negamax(reversi_ends().into_iter().take(8), Picky(0.1));
    let [few, many] = [0.1, 1.0].map(|interest| {
        let mut visits = 0;
        for board in positions(&Board::START, 4, 40, 10) {
            let mut search = fresh(Picky(interest));
            let _ = search.search(&board, Budget::nodes(3_000));
            let root = search.root().expect("a root");
            let children = (0..search.node(root).children).map(|i| search.node(search.child(root, i)));
            let even = children.filter(|child| child.played.is_some_and(|m| is_even(&board.after(m))));
            visits += even.map(|child| child.visits).sum::<u64>();
        }
        visits
    });
    assert!(few * 10 < many * 9, "{few} visits with little interest, {many} with the same");
}

/// With a pool too small for the tree, the search uses what fits, claims no wrong proof, and ends.
#[test]
fn a_full_pool_ends_the_search_without_false_proofs() {
    let mut certain = 0;
    for board in reversi_ends().into_iter().take(30) {
        for nodes in [1, 12, 60, 400] {
            let bytes = nodes * BestFirst::<Board, Material>::NODE_BYTES;
            let mut search =
                BestFirst::new(Material, BestFirstOptions { memory: bytes, ..BestFirstOptions::default() });
            let report = search.search(&board, NO_LIMIT);
            assert!(moves(&board).contains(&report.best.expect("a move")));
            if report.solved {
                certain += 1;
                let value = coppice::search::negamax(&board, &Material, 99);
                assert_eq!(report.score.is_win(), value.is_win(), "{board:?}");
                assert_eq!(report.score.is_loss(), value.is_loss(), "{board:?}");
            }
        }
    }
    assert!(certain > cases(10), "{certain} positions were solved in a small pool");
}

/// In the public view of the tree every inner node has the best value of its children, bounds contain its
/// value, and players match the game.
#[test]
fn the_tree_holds_minimax_values() {
    let mut search = BestFirst::new(
        Positional::new(),
        BestFirstOptions { memory: 4 << 20, ..BestFirstOptions::default() },
    );
    for board in positions(&Board::START, 4, 54, 10) {
        let report = search.search(&board, Budget::nodes(3_000));
        let tree = search.tree().expect("a tree");
        let root = tree.root().expect("a root");
        assert_eq!(tree.best(root).and_then(|id| tree.node(id).played), report.best);
        let mut stack = vec![(root, board, board.to_move())];
        let mut seen = 0u64;
        while let Some((id, state, player)) = stack.pop() {
            seen += 1;
            let node = tree.node(id);
            assert_eq!(node.player, player);
            assert_eq!(node.status == Status::Ended, state.is_over());
            let (lower, upper) = node.bounds.expect("bounds");
            assert!(lower <= node.score && node.score <= upper);
            assert!(node.status != Status::Closed || lower == upper);
            let mover = state.to_move();
            let children: Vec<_> = (0..node.children).map(|i| tree.child(id, i)).collect();
            let values = children.iter().map(|&child| tree.node(child).score);
            if let Some(best) = values.max() {
                assert_eq!(tree.score_for(id, mover), best.add_mate_distance(1));
            }
            for child in children {
                let played = tree.node(child).played.expect("a move");
                stack.push((child, state.after(played), mover));
            }
        }
        // Every node except the root was visited once, in this search.
        assert_eq!(seen - 1, report.nodes);
    }
}

/// It proves tic-tac-toe a draw from the start.
#[test]
fn best_first_closes_tic_tac_toe() {
    let report = fresh(OpenLines).search(&TicTacToe::START, Budget::nodes(800_000));
    assert_eq!((report.solved, report.score.value()), (true, 0));
}

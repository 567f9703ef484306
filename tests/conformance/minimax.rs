//! Tests pool-based minimax against max-n, and the guarantees of siblings pruning.

use std::fmt::Debug;

use bots::mancala;
use bots::mancala::eval::OwnStore;
use bots::reversi::eval::{Material, Positional};
use bots::reversi::Board;
use coppice::pool::NodeId;
use coppice::search::{max_n, negamax, Minimax, MinimaxOptions, Order, Threshold};
use coppice::tree::Status;
use coppice::{Budget, Evaluation, Game, Player, Score, Search, Tree};
use coppice_tests::games::{Noise, OpenLines, RandomTree, Selfish, TicTacToe};

use super::{moves, positions, random_trees, reversi_ends, tic_tac_toe, trees, NO_LIMIT};

const ORDERS: [Order; 3] =
    [Order::BreadthFirst, Order::BestFirst { shallow_every: 0 }, Order::BestFirst { shallow_every: 3 }];

fn options(order: Order) -> MinimaxOptions {
    MinimaxOptions { order, ..MinimaxOptions::default() }
}

/// A game's value for each player, and the first of the best moves.
fn oracle<G: Game, E: Evaluation<G>, const N: usize>(
    game: &G,
    evaluation: &E,
    depth: u32,
) -> ([Score; N], G::Move) {
    let mover = game.to_move().index();
    let value =
        |m| max_n(&game.after(m), evaluation, depth - 1).map(|value: Score| value.add_mate_distance(1));
    let children = moves(game).into_iter().map(|m| (value(m), m));
    let best = children.reduce(|best, next| if next.0[mover] > best.0[mover] { next } else { best });
    best.expect("a move")
}

/// A full search to each of `depths` gives max-n's values and move.
fn is_max_n<G, E, const N: usize, const KEPT: usize>(games: &[G], evaluation: E, depths: &[u32])
where
    G: Game + Debug,
    E: Evaluation<G> + Clone,
{
    for &max_depth in depths {
        let new = |order| {
            let options = MinimaxOptions { max_depth, ..options(order) };
            Minimax::<G, E, KEPT>::for_players(
                evaluation.clone(),
                MinimaxOptions { memory: 16 << 20, ..options },
            )
        };
        let mut searches = ORDERS.map(new);
        for game in games {
            let (values, best) = oracle::<G, E, N>(game, &evaluation, max_depth);
            for (search, order) in searches.iter_mut().zip(ORDERS) {
                let report = search.search(game, NO_LIMIT);
                assert_eq!(report.best, Some(best), "{order:?}, depth {max_depth}, {game:?}");
                assert_eq!(report.score, values[game.to_move().index()], "{order:?}, {game:?}");
                assert!(report.solved || max_depth < END, "{order:?}, {game:?}");
                let root = search.root().expect("a root");
                let told = std::array::from_fn(|i| search.score_for(root, Player::new(i as u8)));
                assert_eq!(told, values, "{order:?}, depth {max_depth}, {game:?}");
            }
        }
    }
}

/// A depth that reaches every end.
const END: u32 = 99;

#[test]
fn minimax_is_max_n_on_random_trees() {
    const DEPTHS: [u32; 4] = [1, 2, 5, END];
    is_max_n::<_, _, 1, 1>(&random_trees::<1>().step_by(2).collect::<Vec<_>>(), Noise, &DEPTHS);
    is_max_n::<_, _, 2, 1>(&random_trees::<2>().collect::<Vec<_>>(), Noise, &DEPTHS);
    is_max_n::<_, _, 3, 3>(&random_trees::<3>().collect::<Vec<_>>(), Noise, &DEPTHS);
}

/// Two players whose aims aren't opposite: each has a value of its own.
#[test]
fn minimax_is_max_n_for_two_with_a_value_each() {
    const DEPTHS: [u32; 3] = [1, 3, END];
    is_max_n::<_, _, 2, 2>(&random_trees::<2>().step_by(2).collect::<Vec<_>>(), Selfish, &DEPTHS);
    // Where they are opposite, it is minimax.
    is_max_n::<_, _, 2, 2>(&random_trees::<2>().step_by(5).collect::<Vec<_>>(), Noise, &DEPTHS);
    let start = mancala::Board::new(4, 2, false);
    is_max_n::<_, _, 2, 2>(&positions(&start, 0, 8, 20), OwnStore, &[1, 4]);
    is_max_n::<_, _, 2, 2>(&positions(&mancala::Board::new(2, 3, false), 0, 4, 10), OwnStore, &[END]);
}

#[test]
fn minimax_is_max_n_on_tic_tac_toe() {
    let games: Vec<_> = tic_tac_toe().filter(|game| moves(game).len() < 8).step_by(5).collect();
    is_max_n::<_, _, 2, 1>(&games, OpenLines, &[3, END]);
    is_max_n::<_, _, 2, 1>(&[TicTacToe::START], OpenLines, &[4, END]);
}

#[test]
fn minimax_is_max_n_on_reversi() {
    let ends: Vec<_> = reversi_ends().into_iter().filter(|board| board.empty().count_ones() < 8).collect();
    is_max_n::<_, _, 2, 1>(&ends, Material, &[END]);
    is_max_n::<_, _, 2, 1>(&positions(&Board::START, 4, 40, 20), Positional::new(), &[3]);
}

/// If the quickest win isn't required, any proved win ends the search, sooner.
#[test]
fn any_proved_win_ends_the_search() {
    for order in ORDERS {
        let any = MinimaxOptions { quickest_win: false, ..options(order) };
        let (mut quickest_nodes, mut any_nodes) = (0, 0);
        for game in trees() {
            let value = negamax(&game, &Noise, 99).value().signum();
            let report = Minimax::new(Noise, MinimaxOptions { memory: 16 << 20, ..any.clone() })
                .search(&game, NO_LIMIT);
            assert_eq!((report.solved, report.score.value().signum()), (true, value), "{game:?}");
            any_nodes += report.nodes;
            quickest_nodes += Minimax::new(Noise, MinimaxOptions { memory: 16 << 20, ..options(order) })
                .search(&game, NO_LIMIT)
                .nodes;
        }
        assert!(any_nodes < quickest_nodes, "{order:?}: {any_nodes} of {quickest_nodes} nodes");
    }
}

/// The properties of a node that the tests check.
#[derive(Clone, Copy)]
struct Seen {
    id: NodeId,
    depth: u32,
    status: Status,
    children: usize,
    /// Whether it or an ancestor is pruned or closed.
    is_barred: bool,
}

/// Every node of a tree.
fn walk<G: Game>(tree: &dyn Tree<G>) -> Vec<Seen> {
    let see = |id: NodeId, depth, is_barred| {
        let node = tree.node(id);
        let is_barred = is_barred || !matches!(node.status, Status::Leaf | Status::Open);
        Seen { id, depth, status: node.status, children: node.children, is_barred }
    };
    let mut all = vec![see(tree.root().expect("a root"), 0, false)];
    let mut next = 0;
    while next < all.len() {
        let Seen { id, depth, children, is_barred, .. } = all[next];
        next += 1;
        all.extend((0..children).map(|i| see(tree.child(id, i), depth + 1, is_barred)));
    }
    all
}

/// Checks that values follow from the children, and that nodes are pruned by their siblings.
fn audit<G: Game>(tree: &dyn Tree<G>, threshold: i32, players: u8) {
    let root = tree.root().expect("a root");
    for Seen { id, .. } in walk(tree) {
        let node = tree.node(id);
        let children: Vec<_> = (0..node.children).map(|i| tree.child(id, i)).collect();
        let Some(&first) = children.first() else {
            assert!(matches!(node.status, Status::Leaf | Status::Ended | Status::Pruned));
            assert_eq!(tree.best(id), None);
            continue;
        };
        assert_ne!(node.status, Status::Leaf);
        let mover = tree.node(first).player;
        let score = |id: NodeId| tree.score_for(id, mover);
        let best =
            children.iter().copied().reduce(|best, id| if score(id) > score(best) { id } else { best });
        assert_eq!(tree.best(id), best);
        let best = best.expect("a child");
        for player in (0..players).map(Player::new) {
            assert_eq!(tree.score_for(id, player), tree.score_for(best, player).add_mate_distance(1));
        }
        for &child in &children {
            let view = tree.node(child);
            assert_eq!((view.player, view.score), (mover, score(child)));
            let is_far = score(best).value() - score(child).value() > threshold;
            match view.status {
                Status::Pruned => assert!(is_far && id != root),
                Status::Leaf | Status::Open => assert!(!is_far || id == root),
                Status::Ended => assert_eq!(view.children, 0),
                Status::Closed => assert!(view.children > 0),
            }
        }
    }
}

/// Grows trees one expansion at a time. Each expands the leaf that the order selects, never one pruned or
/// below a pruned node; pruned nodes return, and open ones get pruned. At the end nothing is left to explore.
fn grows_by_the_rule<const N: usize, const KEPT: usize>(order: Order, limit: i32) {
    const DEPTH: u32 = 6;
    let threshold = Threshold::Fixed(limit);
    let options = MinimaxOptions { threshold, max_depth: DEPTH, ..options(order) };
    let (mut returned, mut left, mut skipped) = (0, 0, 0);
    for game in random_trees::<N>().step_by(7) {
        let mut search =
            Minimax::<_, _, KEPT>::for_players(Noise, MinimaxOptions { memory: 4 << 20, ..options.clone() });
        let _ = search.search(&game, Budget::nodes(0));
        loop {
            let tree: &dyn Tree<RandomTree<N>> = &search;
            let before = walk(tree);
            let may_be_explored =
                |seen: &Seen| seen.status == Status::Leaf && !seen.is_barred && seen.depth < DEPTH;
            let shallowest = before.iter().filter(|seen| may_be_explored(seen)).map(|seen| seen.depth).min();
            let line = std::iter::successors(tree.root(), |&id| tree.best(id));
            let end = line.last().and_then(|id| before.iter().find(|seen| seen.id == id));
            let end = end.filter(|seen| may_be_explored(seen)).map(|seen| seen.id);

            let nodes = (1..=4).map(|n| search.search(&game, Budget::nodes(n)).nodes).find(|&n| n > 0);
            audit(&search as &dyn Tree<RandomTree<N>>, limit, N as u8);
            let expanded = before.iter().filter(|seen| search.node(seen.id).children > seen.children);
            let expanded: Vec<_> = expanded.copied().collect();
            let Some(nodes) = nodes else {
                assert!(expanded.is_empty());
                assert!(shallowest.is_none() || search.node(before[0].id).status == Status::Closed);
                skipped += before.iter().filter(|seen| seen.status == Status::Pruned).count();
                break;
            };
            let [expanded] = expanded[..] else { panic!("{} expansions", expanded.len()) };
            assert!(may_be_explored(&expanded), "{order:?}, {game:?}");
            assert_eq!(search.node(expanded.id).children as u64, nodes);
            if order == Order::BreadthFirst {
                assert_eq!(Some(expanded.depth), shallowest, "{game:?}");
            } else {
                assert_eq!(end.unwrap_or(expanded.id), expanded.id, "{game:?}");
            }
            for seen in before {
                let now = search.node(seen.id).status;
                returned += u32::from(seen.status == Status::Pruned && now == Status::Leaf);
                left += u32::from(seen.status == Status::Leaf && now == Status::Pruned);
            }
        }
    }
    let is_off = limit == i32::MAX;
    assert_eq!((returned == 0, left == 0, skipped == 0), (is_off, is_off, is_off));
}

#[test]
fn nothing_pruned_is_explored() {
    for limit in [20, i32::MAX] {
        for order in [Order::BreadthFirst, Order::BestFirst { shallow_every: 0 }] {
            grows_by_the_rule::<2, 1>(order, limit);
            grows_by_the_rule::<3, 3>(order, limit);
            grows_by_the_rule::<2, 2>(order, limit);
        }
    }
    grows_by_the_rule::<1, 1>(Order::BreadthFirst, 20);
}

/// If the threshold ends wide open, nothing stays pruned, regardless of the steps.
#[test]
fn a_widening_threshold_unprunes_everything() {
    for order in ORDERS {
        let with = |threshold| MinimaxOptions { threshold, max_depth: 5, ..options(order) };
        let (mut narrow_nodes, mut all_nodes) = (0, 0);
        for game in random_trees::<3>() {
            let ([value, ..], best) = oracle::<_, _, 3>(&game, &Noise, 5);
            let mut expanding = Minimax::<_, _, 3>::for_players(
                Noise,
                MinimaxOptions { memory: 4 << 20, ..with(Threshold::Expanding { from: 0 }) },
            );
            let mut opened = Minimax::<_, _, 3>::for_players(
                Noise,
                MinimaxOptions { memory: 4 << 20, ..with(Threshold::Fixed(0)) },
            );
            let report = expanding.search(&game, NO_LIMIT);
            assert_eq!(report.best, Some(best), "{order:?}, {game:?}");
            assert_eq!(expanding.score_for(expanding.root().expect("a root"), Player::FIRST), value);

            narrow_nodes += opened.search(&game, NO_LIMIT).nodes;
            opened.set_threshold(Threshold::OFF);
            let _ = opened.search(&game, NO_LIMIT);
            assert_eq!(opened.score_for(opened.root().expect("a root"), Player::FIRST), value, "{game:?}");
            audit(&opened as &dyn Tree<RandomTree<3>>, i32::MAX, 3);
            all_nodes += report.nodes;
        }
        assert!(narrow_nodes < all_nodes, "{narrow_nodes} of {all_nodes} nodes");
    }
}

#[test]
fn a_contracting_threshold_ends_narrow() {
    let threshold = Threshold::Contracting { from: 5_000, to: 100 };
    for order in ORDERS {
        let mut search =
            Minimax::new(Positional::new(), MinimaxOptions { memory: 8 << 20, threshold, ..options(order) });
        let mut board = Board::START;
        for _ in 0..4 {
            let report = search.search(&board, Budget::nodes(20_000));
            assert!((100..500).contains(&search.threshold()), "{} left", search.threshold());
            audit(&search as &dyn Tree<Board>, search.threshold(), 2);
            board.play(report.best.expect("a move"));
        }
    }
}

/// The part of a tree that is kept after moves: each node with its scores.
fn below<G: Game>(tree: &dyn Tree<G>, id: NodeId) -> Vec<(Option<G::Move>, Score, usize)> {
    let mut all = Vec::new();
    for i in 0..tree.node(id).children {
        let child = tree.child(id, i);
        let node = tree.node(child);
        all.push((node.played, node.score, node.children));
        all.extend(below(tree, child));
    }
    all
}

#[test]
fn a_kept_tree_changes_no_value() {
    for order in ORDERS {
        let threshold = Threshold::Fixed(1_000);
        let mut search =
            Minimax::new(Positional::new(), MinimaxOptions { memory: 8 << 20, threshold, ..options(order) });
        let mut board = Board::START;
        let mut nodes = 0;
        for _ in 0..8 {
            let report = search.search(&board, Budget::nodes(5_000));
            let tree: &dyn Tree<Board> = &search;
            let child = tree.best(tree.root().expect("a root")).expect("a child");
            let grandchild = tree.best(child).expect("a grandchild");
            let kept = below(tree, grandchild);
            let score = tree.score_for(grandchild, Player::FIRST);
            let reply = tree.node(grandchild).played.expect("a move");
            nodes += kept.len();
            board = board.after(report.best.expect("a move")).after(reply);
            let _ = search.search(&board, Budget::nodes(0));
            let tree: &dyn Tree<Board> = &search;
            let root = tree.root().expect("a root");
            assert!(below(tree, root) == kept, "{order:?}");
            assert_eq!(tree.score_for(root, Player::FIRST), score);
            audit(tree, 1_000, 2);
        }
        assert!(nodes > 1_000, "{nodes} nodes kept");
    }
}

/// When the pool fills in the middle of a game, the tree stays consistent.
#[test]
fn a_full_pool_keeps_its_tree() {
    for order in ORDERS {
        let mut search = Minimax::new(
            Positional::new(),
            MinimaxOptions { memory: 1_000 * Minimax::<Board, Positional>::NODE_BYTES, ..options(order) },
        );
        let mut board = Board::START;
        while !board.is_over() {
            let report = search.search(&board, Budget::nodes(5_000));
            audit(&search as &dyn Tree<Board>, i32::MAX, 2);
            assert!(report.nodes < 5_000 && search.memory().live <= 1_000);
            let root = search.root().expect("a root");
            let best = search.best(root).expect("a child");
            assert_eq!(search.node(best).played, report.best);
            board.play(report.best.expect("a move"));
        }
    }
}

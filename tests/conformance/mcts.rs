//! Tests Monte Carlo tree search.

use std::fmt::Debug;

use bots::reversi::eval::{Material, Positional};
use bots::reversi::{Board, Cell};
use contest::laws::cases;
use coppice::pool::NodeId;
use coppice::search::{negamax, Evaluated, Jump, McGraph, Mcts, MctsOptions, Policy, Rewards, Uniform};
use coppice::tree::Status;
use coppice::{Budget, Evaluation, Game, Player, Rng, Search, Tree};
use coppice_tests::games::{all_tic_tac_toe, Noise, OpenLines, RandomTree, ThreeInLine, TicTacToe};

use super::{moves, positions, random_trees, reversi_ends, tic_tac_toe, trees};

/// Every option that changes the course of a search, alone and with others.
pub fn variants() -> Vec<MctsOptions> {
    let default = MctsOptions::default;
    vec![
        default(),
        MctsOptions { rollout_expand: u32::MAX, ..default() },
        MctsOptions { rollout_expand: 3, jump: Jump::Described, ..default() },
        MctsOptions { jump: Jump::Written, ..default() },
        MctsOptions { expand_after: 4, jump: Jump::Described, ..default() },
    ]
}

/// The tree search and the graph search with each of the options.
fn searches<G: Game + 'static>(bytes: usize, keep_tree: bool) -> Vec<Box<dyn Search<G>>> {
    let mut searches: Vec<Box<dyn Search<G>>> = Vec::new();
    for options in variants() {
        let options = MctsOptions { keep_tree, ..options };
        searches.push(Box::new(Mcts::new(MctsOptions { memory: bytes, seed: 1, ..options.clone() })));
        if G::PLAYERS <= 2 {
            searches.push(Box::new(McGraph::new(MctsOptions { memory: bytes, seed: 1, ..options })));
        }
    }
    searches
}

/// With proofs on, Monte Carlo tree search solves a small game correctly, with every option.
fn mcts_settles<G: Game + Debug + 'static, E: Evaluation<G>>(games: impl Iterator<Item = G>, evaluation: &E) {
    let mut searches = searches(4 << 20, false);
    for (i, game) in games.enumerate() {
        // Each game uses one of the searches, in turn.
        let count = searches.len();
        let search = &mut searches[i % count];
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
    mcts_settles(reversi_ends().into_iter(), &Material);
}

/// The signs of the payoffs under max-n play, ties going to the move listed first.
fn signs<G: Game>(game: &G) -> Vec<i32> {
    let players = (0..G::PLAYERS).map(|i| Player::new(i as u8));
    let own = game.to_move().index();
    let values = moves(game).into_iter().map(|m| signs(&game.after(m)));
    let best = values.reduce(|best, values| if values[own] > best[own] { values } else { best });
    best.unwrap_or_else(|| players.map(|player| game.payoff(player).sign()).collect())
}

/// With three players, proofs follow max-n: the answer has the oracle's value.
#[test]
fn mcts_closes_for_three_players() {
    let mut closed = 0;
    for (i, game) in random_trees::<3>().enumerate() {
        let options = MctsOptions { keep_tree: false, ..variants().swap_remove(i % 5) };
        let mut tree = Mcts::new(MctsOptions { memory: 4 << 20, seed: 1, ..options.clone() });
        let mut graph =
            McGraph::<_, _, 3>::with_policy(Uniform, MctsOptions { memory: 4 << 20, seed: 1, ..options });
        let searches: [&mut dyn Search<RandomTree<3>>; 2] = [&mut tree, &mut graph];
        for search in searches {
            let report = search.search(&game, Budget::nodes(100_000));
            assert!(report.solved, "{game:?}");
            let own = game.to_move().index();
            let value = signs(&game)[own];
            assert_eq!(report.score.value().signum(), value, "{game:?}");
            let best = report.best.expect("a move");
            assert_eq!(signs(&game.after(best))[own], value, "{best} in {game:?}");
            // Every closed node satisfies the same as the answer.
            let tree = search.tree().expect("a tree");
            let best = tree.best(tree.root().expect("a root")).expect("a child");
            closed += usize::from(tree.node(best).status == Status::Closed);
        }
    }
    assert!(closed > 100);
}

/// For one player, proofs find the best payoff and the line to it.
#[test]
fn mcts_finds_the_best_line_of_one_player() {
    let mut searches = searches(4 << 20, true);
    for (i, game) in random_trees::<1>().enumerate() {
        let count = searches.len();
        let search = &mut searches[i % count];
        let value = negamax(&game, &Noise, 99);
        let mut state = game.clone();
        while !state.is_over() {
            // Turn by turn along the line, with the kept tree.
            let report = search.search(&state, Budget::nodes(100_000));
            assert_eq!((report.solved, report.score), (true, value), "{game:?}");
            let best = report.best.expect("a move");
            assert_eq!(search.line(&state, best).first(), Some(&best));
            state.play(best);
        }
        assert_eq!(state.payoff(Player::FIRST).0, value.value(), "{game:?}");
    }
}

/// Each node's visits are the sum of its children's visits and its own playouts.
fn assert_visits<G: Game>(tree: &dyn Tree<G>, id: NodeId, own: std::ops::RangeInclusive<u64>) -> u64 {
    let node = tree.node(id);
    let below: u64 = (0..node.children).map(|i| assert_visits(tree, tree.child(id, i), own.clone())).sum();
    if node.children > 0 && node.played.is_some() {
        let from_here = node.visits.checked_sub(below).expect("no more visits below a node than to it");
        assert!(own.contains(&from_here), "{from_here} playouts of {}", node.visits);
        assert!(node.score.value().abs() <= 1000 || node.status == Status::Closed);
    } else if node.children > 0 {
        assert_eq!(node.visits, below, "every iteration leaves the root");
    }
    node.visits
}

#[test]
fn visits_add_up() {
    for (options, own) in variants().into_iter().zip([1..=1, 0..=1, 0..=1, 1..=1, 4..=4]) {
        for proofs in [true, false] {
            let options = MctsOptions { proofs, ..options.clone() };
            let mut search = Mcts::new(MctsOptions { memory: 64 << 20, seed: 1, ..options });
            let report = search.search(&Board::START, Budget::nodes(200));
            let tree = Search::<Board>::tree(&search).expect("a tree");
            let root = tree.root().expect("a root");
            assert_eq!(assert_visits(tree, root, own.clone()), report.nodes);
            assert_eq!(tree.best(root).map(|best| tree.node(best).played), Some(report.best));
            assert_eq!(tree.memory().live, search.live_nodes());
        }
    }
}

/// A graph searches transpositions once, so it finishes sooner.
#[test]
fn a_graph_closes_tic_tac_toe_sooner() {
    let start = TicTacToe::START;
    let tree = Mcts::new(MctsOptions { memory: 16 << 20, seed: 1, ..MctsOptions::default() })
        .search(&start, Budget::nodes(1_000_000));
    let mut graph = McGraph::new(MctsOptions { memory: 16 << 20, seed: 1, ..MctsOptions::default() });
    let report = graph.search(&start, Budget::nodes(1_000_000));
    assert_eq!((report.solved, report.score.value()), (true, 0));
    assert!(report.nodes * 3 < tree.nodes, "{} iterations, the tree {}", report.nodes, tree.nodes);
    assert!(graph.live_nodes() <= all_tic_tac_toe().len());
}

/// A policy with a little knowledge of reversi: only the corners if there are any, the rest in order of their
/// numbers, and truncated playouts.
struct Corners(Evaluated<Positional>);

impl Policy<Board> for Corners {
    type Prior = u8;

    fn preselect(&mut self, _: &Board, moves: &mut [Cell], _: &mut Rng) -> usize {
        moves.sort_by_key(|m| ![0, 7, 56, 63].contains(&m.bit()));
        match moves.iter().filter(|m| [0, 7, 56, 63].contains(&m.bit())).count() {
            0 => moves.len(),
            corners => corners,
        }
    }

    fn order(&mut self, _: &Board, moves: &mut [Cell], _: &mut Rng) {
        moves.sort_by_key(|m| m.bit());
    }

    fn prior(&mut self, _: &Board, m: Cell) -> u8 {
        u8::from(m.bit() == 0)
    }

    fn bonus(&self, prior: u8, _: u32, visits: u32) -> f32 {
        f32::from(prior) / (visits + 1) as f32
    }

    fn limit(&self) -> u32 {
        Policy::<Board>::limit(&self.0)
    }

    fn rewards(&mut self, board: &Board, plies: u32, is_over: bool) -> Rewards {
        self.0.rewards(board, plies, is_over)
    }
}

#[test]
fn a_policy_chooses_the_moves_of_the_root_and_their_order() {
    let policy = || Corners(Evaluated { evaluation: Positional::new(), plies: 4, scale: 500 });
    let mut tree =
        Mcts::with_policy(policy(), MctsOptions { memory: 1 << 20, seed: 1, ..MctsOptions::default() });
    let mut graph = McGraph::<_, _, 1>::with_policy(
        policy(),
        MctsOptions { memory: 1 << 20, seed: 1, ..MctsOptions::default() },
    );
    let mut with_corner = 0;
    for board in positions(&Board::START, 20, 50, 60) {
        let corners: Vec<Cell> =
            moves(&board).into_iter().filter(|m| [0, 7, 56, 63].contains(&m.bit())).collect();
        let searches: [&mut dyn Search<Board>; 2] = [&mut tree, &mut graph];
        for search in searches {
            // The kept tree may hold moves that the policy now excludes.
            for budget in [1, 200] {
                let report = search.search(&board, Budget::nodes(budget));
                let best = report.best.expect("a move");
                if !corners.is_empty() {
                    assert!(corners.contains(&best), "{best} on {board:?}");
                    with_corner += 1;
                } else if budget == 1 && moves(&board)[0].bit() != 0 {
                    assert_eq!(best, moves(&board)[0], "the first in order is tried first");
                }
            }
        }
    }
    assert!(with_corner > 20);
}

/// A policy with the same exploration weight for every move.
struct Curious(f32);

impl<G: Game> Policy<G> for Curious {
    type Prior = ();

    fn exploration_weight(&self, (): ()) -> f32 {
        self.0
    }
}

/// Halving the weight of all moves is the same as halving the exploration constant.
#[test]
fn move_weights_multiply_the_exploration_constant() {
    fn reports<G: Game>(game: &G, exploration: f32, exploration_weight: f32) -> [String; 2] {
        let options = MctsOptions { exploration, ..MctsOptions::default() };
        let mut tree = Mcts::with_policy(
            Curious(exploration_weight),
            MctsOptions { memory: 1 << 20, seed: 1, ..options.clone() },
        );
        let mut graph = McGraph::<_, _, 1>::with_policy(
            Curious(exploration_weight),
            MctsOptions { memory: 1 << 20, seed: 1, ..options },
        );
        let searches: [&mut dyn Search<G>; 2] = [&mut tree, &mut graph];
        searches.map(|search| {
            let report = search.search(game, Budget::nodes(2_000));
            let mean = report.score.value();
            format!("{:?} {mean} {}", report.best, report.depth)
        })
    }
    let mut differing = 0;
    for board in positions(&Board::START, 4, 50, 24) {
        let half = reports(&board, 1.0, 0.5);
        assert_eq!(half, reports(&board, 0.5, 1.0), "{board:?}");
        differing += u32::from(half != reports(&board, 1.0, 1.0));
    }
    assert!(differing >= cases(9), "{differing} searches");
}

/// An evaluation replaces playouts, immediately or after some moves; wins are still found.
#[test]
fn playouts_can_be_cut_off() {
    for plies in [0, 1, 6] {
        let policy = || Evaluated { evaluation: Material, plies, scale: 10 };
        for board in reversi_ends().into_iter().take(20) {
            let options = || MctsOptions { keep_tree: false, ..MctsOptions::default() };
            let mut tree = Mcts::with_policy(policy(), MctsOptions { memory: 4 << 20, seed: 1, ..options() });
            let mut graph = McGraph::<_, _, 1>::with_policy(
                policy(),
                MctsOptions { memory: 4 << 20, seed: 1, ..options() },
            );
            let value = negamax(&board, &Material, 99).value().signum();
            for report in
                [tree.search(&board, Budget::nodes(200_000)), graph.search(&board, Budget::nodes(200_000))]
            {
                assert_eq!((report.solved, report.score.value().signum()), (true, value), "{board:?}");
            }
        }
        let report =
            Mcts::with_policy(policy(), MctsOptions { memory: 1 << 20, seed: 1, ..MctsOptions::default() })
                .search(&Board::START, Budget::nodes(500));
        assert!(report.score.value().abs() < 900 && !report.solved);
    }
}

#[test]
fn mcts_closes_tic_tac_toe() {
    let mut search = Mcts::new(MctsOptions { memory: 16 << 20, seed: 1, ..MctsOptions::default() });
    let report = search.search(&TicTacToe::START, Budget::nodes(1_000_000));
    assert_eq!((report.solved, report.score.value()), (true, 0));
    assert!(report.nodes < 1_000_000);
}

/// Without proofs it converges: it makes no losing move if there is another.
#[test]
fn mcts_without_proofs_converges() {
    let options = MctsOptions { proofs: false, ..MctsOptions::default() };
    for game in tic_tac_toe().step_by(97) {
        let report = Mcts::new(MctsOptions { memory: 4 << 20, seed: 1, ..options.clone() })
            .search(&game, Budget::nodes(20_000));
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
    let report = Mcts::new(MctsOptions { memory: 1 << 20, seed: 1, ..MctsOptions::default() })
        .search(&game, Budget::nodes(5_000));
    assert_eq!(report.best, Some(2));
}

/// A kept subtree is reused: continuing from it takes fewer iterations to solve the position than starting
/// afresh.
#[test]
fn a_kept_tree_saves_iterations() {
    let (mut kept, mut fresh) = (0, 0);
    for board in positions(&Board::START, 50, 51, 20) {
        let mut search = Mcts::new(MctsOptions { memory: 16 << 20, seed: 1, ..MctsOptions::default() });
        let report = search.search(&board, Budget::nodes(1_000));
        let line = report.best.map(|best| search.line(&board, best)).unwrap_or_default();
        let Some(&[first, second]) = line.get(..2) else { continue };
        let next = board.after(first).after(second);
        if report.solved || next.is_over() {
            continue;
        }
        kept += search.search(&next, Budget::nodes(300_000)).nodes;
        fresh += Mcts::new(MctsOptions { memory: 16 << 20, seed: 1, ..MctsOptions::default() })
            .search(&next, Budget::nodes(300_000))
            .nodes;
    }
    assert!(fresh > 0 && kept < fresh, "{kept} iterations after {fresh}");
}

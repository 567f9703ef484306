//! Tests combinatorial optimisation in Monte Carlo tree search: each of its three parts alone and together.

use std::fmt::Debug;

use bots::reversi::eval::{Material, Positional};
use bots::reversi::Board;
use coppice::optimise::{EveryMove, Model};
use coppice::search::{negamax, Mcts, MctsOptions, Optimised, OptimisedOptions, Policy};
use coppice::{Budget, Evaluation, Game, Player, Rng, Search};
use coppice_tests::games::{Centre, ConnectFour, Noise, OpenLines, RandomTree};

use super::{moves, positions, random_trees, reversi_ends, tic_tac_toe, trees};

const OFF: OptimisedOptions = OptimisedOptions {
    root_moves: usize::MAX,
    best_first: false,
    playout: 0,
    discount: 0.9,
    scale: 100,
    best_mean: false,
};
const EXPANSION: OptimisedOptions = OptimisedOptions { best_first: true, ..OFF };
const PLAYOUT: OptimisedOptions = OptimisedOptions { playout: 21, ..OFF };
const ALL_BUT_SELECTION: OptimisedOptions = OptimisedOptions { playout: 21, ..EXPANSION };

fn mcts<G: Game, E: Evaluation<G>>(
    evaluation: E,
    options: OptimisedOptions,
) -> Mcts<G, Optimised<EveryMove<E>>> {
    let policy = Optimised::new(EveryMove(evaluation), options);
    Mcts::with_policy(policy, MctsOptions { memory: 1 << 20, seed: 3, ..MctsOptions::default() })
}

/// Checks that two searches behave identically: answers, scores, nodes, trees.
fn assert_same<G: Game + Debug, P: Policy<G>, Q: Policy<G>>(
    games: impl Iterator<Item = G>,
    mut left: Mcts<G, P>,
    mut right: Mcts<G, Q>,
) {
    for game in games {
        let budget = Budget::nodes(300);
        let (a, b) = (left.search(&game, budget), right.search(&game, budget));
        assert_eq!(
            (a.best, a.score, a.nodes, a.depth, a.solved),
            (b.best, b.score, b.nodes, b.depth, b.solved),
            "{game:?}"
        );
        assert_eq!(left.live_nodes(), right.live_nodes(), "{game:?}");
    }
}

fn reversi() -> impl Iterator<Item = Board> {
    positions(&Board::START, 0, 50, 60).into_iter()
}

fn connect_four() -> impl Iterator<Item = ConnectFour> {
    positions(&ConnectFour::START, 0, 20, 40).into_iter()
}

#[test]
fn with_all_parts_off_it_is_plain_monte_carlo_search() {
    let plain = || MctsOptions::default();
    assert_same(
        reversi(),
        mcts(Positional::new(), OFF),
        Mcts::new(MctsOptions { memory: 1 << 20, seed: 3, ..plain() }),
    );
    assert_same(
        connect_four(),
        mcts(Centre, OFF),
        Mcts::new(MctsOptions { memory: 1 << 20, seed: 3, ..plain() }),
    );
    assert_same(trees(), mcts(Noise, OFF), Mcts::new(MctsOptions { memory: 1 << 20, seed: 3, ..plain() }));
    assert_same(
        random_trees::<3>(),
        mcts(Noise, OFF),
        Mcts::new(MctsOptions { memory: 1 << 20, seed: 3, ..plain() }),
    );
    assert_same(
        random_trees::<1>(),
        mcts(Noise, OFF),
        Mcts::new(MctsOptions { memory: 1 << 20, seed: 3, ..plain() }),
    );
}

#[test]
fn to_select_every_move_is_to_select_none() {
    for options in [OFF, EXPANSION, PLAYOUT, ALL_BUT_SELECTION] {
        let all = OptimisedOptions { root_moves: 64, ..options.clone() };
        assert_same(
            reversi(),
            mcts(Positional::new(), options.clone()),
            mcts(Positional::new(), all.clone()),
        );
        assert_same(connect_four(), mcts(Centre, options.clone()), mcts(Centre, all.clone()));
        assert_same(trees(), mcts(Noise, options), mcts(Noise, all));
    }
}

/// A small game is proved with the oracle's value, regardless of move order and playout results.
fn closes<G: Game + Debug, E: Evaluation<G> + Clone>(games: impl Iterator<Item = G>, evaluation: E) {
    let mut searches =
        [EXPANSION, PLAYOUT, ALL_BUT_SELECTION].map(|options| mcts(evaluation.clone(), options));
    for game in games {
        let value = negamax(&game, &evaluation, 99).value().signum();
        for search in &mut searches {
            let report = search.search(&game, Budget::nodes(200_000));
            assert!(report.solved, "{game:?} after {} iterations", report.nodes);
            assert_eq!(report.score.value().signum(), value, "{game:?}");
            let next = game.after(report.best.expect("a move"));
            let child = negamax(&next, &evaluation, 99).for_parent(next.to_move() == game.to_move());
            assert_eq!(child.value().signum(), value, "{:?} in {game:?}", report.best);
        }
    }
}

#[test]
fn it_closes_small_games_with_the_oracles_value() {
    closes(trees().step_by(2), Noise);
    closes(tic_tac_toe().filter(|game| moves(game).len() < 8).step_by(11), OpenLines);
    closes(reversi_ends().into_iter().take(8), Material);
    // Three players: the proved value is that of plain search.
    for game in random_trees::<3>().step_by(5) {
        let plain = Mcts::new(MctsOptions { memory: 1 << 20, seed: 3, ..MctsOptions::default() })
            .search(&game, Budget::nodes(200_000));
        let report = mcts(Noise, ALL_BUT_SELECTION).search(&game, Budget::nodes(200_000));
        assert!(plain.solved && report.solved, "{game:?}");
        assert_eq!(report.score, plain.score, "{game:?}");
    }
}

/// The selected moves are the model's best, including an immediate win.
#[test]
fn selection_takes_the_models_best() {
    let options = OptimisedOptions { root_moves: 1, ..OptimisedOptions::default() };
    let mut wins = 0;
    for game in tic_tac_toe() {
        let report = mcts(OpenLines, options.clone()).search(&game, Budget::nodes(50));
        let value = |m: u8| EveryMove(OpenLines).objective(&game, m);
        let best = moves(&game).into_iter().map(value).max().expect("a move");
        assert_eq!(value(report.best.expect("a move")), best, "{game:?}");
        wins += i32::from(best.is_win());
        assert!(!best.is_win() || report.solved && report.score.is_win(), "{game:?}");
        // A partial selection of moves doesn't prove the position's value.
        let is_partial = moves(&game).len() > 1;
        assert!(!report.solved || !is_partial || report.score.is_win(), "{game:?}");
    }
    assert!(wins > 100);
    let options = OptimisedOptions { root_moves: 5, ..OFF };
    for game in reversi() {
        let mut search = mcts(Positional::new(), options.clone());
        let report = search.search(&game, Budget::nodes(500));
        let value = |m| EveryMove(Positional::new()).objective(&game, m);
        let best = value(report.best.expect("a move"));
        let better = moves(&game).into_iter().filter(|&m| value(m) > best).count();
        assert!(better < 5, "{better} moves are better in {game:?}");
    }
}

/// Nodes create their children in the model's order.
#[test]
fn expansion_is_best_first() {
    for game in reversi() {
        let mut search = mcts(Positional::new(), EXPANSION);
        let _ = search.search(&game, Budget::nodes(200));
        let tree = search.tree().expect("a tree");
        let root = tree.root().expect("a root");
        let played = |at, i| tree.node(tree.child(at, i)).played.expect("a move");
        let mut inner = vec![(root, game)];
        inner.extend(
            (0..tree.node(root).children).map(|i| (tree.child(root, i), game.after(played(root, i)))),
        );
        for (at, game) in inner {
            let value = |i| EveryMove(Positional::new()).objective(&game, played(at, i));
            let values: Vec<_> = (0..tree.node(at).children).map(value).collect();
            assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
        }
    }
}

/// The answer has the best mean of the tried moves if nothing is proved.
#[test]
fn the_answer_can_be_the_best_mean() {
    let mut differs = 0;
    for game in reversi() {
        let mut answers = [false, true].map(|best_mean| {
            let mut search = mcts(Positional::new(), OptimisedOptions { best_mean, ..OFF });
            let report = search.search(&game, Budget::nodes(60));
            let tree = search.tree().expect("a tree");
            let root = tree.root().expect("a root");
            let children = (0..tree.node(root).children).map(|i| tree.node(tree.child(root, i)));
            let tried: Vec<_> = children.filter(|child| child.visits > 0).collect();
            let best = tried.iter().map(|child| child.score).max().expect("a tried move");
            let most = tried.iter().map(|child| child.visits).max().expect("a tried move");
            let answer =
                tried.iter().find(|child| child.played == report.best).expect("the answer was tried");
            if !tried.iter().any(|child| child.score.is_win() || child.score.is_loss()) {
                assert!(if best_mean { answer.score == best } else { answer.visits == most }, "{game:?}");
            }
            report.best
        });
        answers.sort();
        differs += i32::from(answers[0] != answers[1]);
    }
    assert!(differs > 0);
}

/// A playout's value follows the formula: the mean of discount^i times the objective, with a result replacing
/// the last.
fn playouts_are_the_discounted_mean<const N: usize>() {
    let (mut ended, mut cut) = (0, 0);
    for (seed, game) in random_trees::<N>().enumerate() {
        for playout in [1, 3, 21] {
            let mut policy = Optimised::new(EveryMove(Noise), OptimisedOptions { playout, ..OFF });
            let mut rng = Rng::new(seed as u64);
            let (mut state, mut terms, mut plies) = (game.clone(), Vec::new(), 0);
            assert_eq!(Policy::<RandomTree<N>>::limit(&policy), playout);
            while plies < playout {
                let Some(m) = policy.next(&state, plies, &mut rng) else { break };
                let value = EveryMove(Noise).objective(&state, m).value();
                assert!(moves(&state)
                    .iter()
                    .all(|&m| EveryMove(Noise).objective(&state, m).value() <= value));
                terms.push((state.to_move(), value));
                state.play(m);
                plies += 1;
            }
            let rewards = policy.rewards(&state, plies, state.is_over());
            let count = terms.len();
            let last = state.is_over();
            (ended, cut) = (ended + i32::from(last), cut + i32::from(!last));
            for i in 0..N as u8 {
                let player = Player::new(i);
                let terms = terms.iter().enumerate().map(|(i, &(mover, value))| {
                    let sign = f64::from(state.payoff(player).sign());
                    let payoff = if N == 1 { f64::from(state.payoff(player).0) } else { 1000.0 * sign };
                    let own =
                        if N == 1 { f64::from(value) } else { f64::from(value.clamp(-100, 100)) * 10.0 };
                    let value = if mover == player { own } else { -own / (N as f64 - 1.0) };
                    if last && i + 1 == count {
                        payoff
                    } else {
                        0.9f64.powi(i as i32) * value
                    }
                });
                let mean = terms.sum::<f64>() / count as f64;
                let reward = f64::from(rewards.of(player));
                assert!((reward - mean).abs() <= 1.0, "{reward}, not {mean}");
                assert!(reward.abs() <= 1000.0);
            }
        }
    }
    assert!(ended > 100 && cut > 100, "{ended} ended, {cut} cut");
}

#[test]
fn playouts_are_the_discounted_mean_for_any_number_of_players() {
    playouts_are_the_discounted_mean::<1>();
    playouts_are_the_discounted_mean::<2>();
    playouts_are_the_discounted_mean::<3>();
}

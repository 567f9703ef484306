//! Regret matching: its strategies approach an equilibrium as its budget grows. The others' need not.

use coppice::search::{
    Answer, Decoupled, DecoupledOptions, JointSearch, Oracle, Regret, RegretOptions, Strategy,
};
use coppice::{Budget, Joint, Player, Turns};
use coppice_tests::games::joint::{Goofspiel, OshiZumo, RandomJoint, Throw, Tron};
use coppice_tests::games::TicTacToe;

use super::{choices_of, listed};

/// How much a search's strategy for the whole game loses against its best reply, in points: the mean of four seeds, each
/// of one search at the root whose tree holds the strategy of each state (uniform where it has none).
fn exploitability<G: Joint, S: JointSearch<G>>(game: &G, nodes: u64, make: impl Fn(u64) -> S) -> f64 {
    let value = Oracle::new().value(game);
    let one = |seed| {
        let mut search = make(seed);
        let _ = search.search(game, Player::FIRST, Budget::nodes(nodes));
        let mut strategy = |state: &G| {
            let seen = search.seen(state, Player::FIRST).map(|seen| seen.strategy);
            seen.unwrap_or_else(|| Strategy::new(&listed(state, Player::FIRST), |_| 1.0))
        };
        value - Oracle::secured(game, Player::FIRST, &mut strategy)
    };
    (0..4).map(one).sum::<f64>() / 4.0
}

fn regret<G: Joint>(seed: u64) -> Regret<G> {
    Regret::new(RegretOptions { memory: 16 << 20, seed, ..RegretOptions::default() })
}

/// Checks that exploitability falls from budget to budget, to `most` at the last.
fn falls<G: Joint>(game: &G, budgets: &[u64], most: f64) {
    let all: Vec<f64> = budgets.iter().map(|&nodes| exploitability(game, nodes, regret)).collect();
    assert!(all.windows(2).all(|pair| pair[1] < pair[0]), "{all:?}");
    assert!(all.last().is_some_and(|&last| (-1e-9..most).contains(&last)), "{all:?}");
}

#[test]
fn exploitability_falls_with_the_budget() {
    falls(&Throw::START, &[300, 3_000, 30_000], 0.03);
    falls(&Goofspiel::<3>::first_prize(2), &[100, 1_000, 10_000], 0.15);
    falls(&OshiZumo::new(6), &[100, 1_000, 10_000], 0.2);
    falls(&Tron::<3>::START, &[100, 1_000, 10_000], 0.05);
}

#[test]
fn without_pairs_it_falls_too() {
    let sampled = |seed| {
        Regret::new(RegretOptions { memory: 16 << 20, seed, max_pairs: 0, ..RegretOptions::default() })
    };
    for (nodes, most) in [(1_000, 0.4), (30_000, 0.07)] {
        let loss = exploitability(&Throw::START, nodes, sampled);
        assert!(loss < most, "{nodes}: {loss}");
    }
}

#[test]
fn the_answer_is_the_equilibrium_of_uneven_rock_paper_scissors() {
    for player in [Player::FIRST, Player::SECOND] {
        let report = regret(1).search(&Throw::START, player, Budget::nodes(50_000));
        for ((_, share), exact) in report.strategy.iter().zip(Throw::EQUILIBRIUM) {
            assert!((share - exact).abs() < 0.02, "{report:?}");
        }
        assert!(report.value.abs() < 0.02 && !report.exact, "{report:?}");
    }
}

#[test]
fn drawn_answers_follow_the_strategy_and_modes_don_t_vary() {
    let answers = |answer| {
        let options = RegretOptions { answer, ..RegretOptions::default() };
        let mut search = Regret::new(RegretOptions { memory: 1 << 16, seed: 1, ..options });
        let mut counts = [0; 3];
        let _ = search.search(&Throw::START, Player::FIRST, Budget::nodes(20_000));
        for _ in 0..1_000 {
            let best = search.search(&Throw::START, Player::FIRST, Budget::nodes(0)).best;
            counts[usize::from(best.expect("a throw"))] += 1;
        }
        counts
    };
    assert_eq!(answers(Answer::Mode), [0, 0, 1_000]);
    let drawn = answers(Answer::Drawn);
    // Six standard deviations of a binomial count, and the strategy's own error.
    assert!(
        drawn.iter().zip([200, 200, 600]).all(|(&count, mean)| i32::abs_diff(count, mean) < 115),
        "{drawn:?}"
    );
}

#[test]
fn decoupled_uct_can_be_exploited() {
    let decoupled =
        |seed| Decoupled::new(DecoupledOptions { memory: 16 << 20, seed, ..DecoupledOptions::default() });
    let (loss, own) =
        (exploitability(&Throw::START, 30_000, decoupled), exploitability(&Throw::START, 30_000, regret));
    assert!(loss > 5.0 * own, "{loss} and {own}");
}

#[test]
fn one_chooser_at_a_time_is_ordinary_tree_search() {
    let mut oracle = Oracle::new();
    for game in choices_of(&Turns::<_>(TicTacToe::START), Player::FIRST, 6) {
        let mut decoupled =
            Decoupled::new(DecoupledOptions { memory: 4 << 20, seed: 1, ..DecoupledOptions::default() });
        let options = RegretOptions { answer: Answer::Mode, ..RegretOptions::default() };
        let mut regret = Regret::new(RegretOptions { memory: 4 << 20, seed: 1, ..options });
        let searches: [&mut dyn JointSearch<Turns<TicTacToe>>; 2] = [&mut decoupled, &mut regret];
        for search in searches {
            let report = search.search(&game, Player::FIRST, Budget::nodes(10_000));
            let best = Strategy::new(&listed(&game, Player::FIRST), |i| {
                f64::from(report.best == Some(listed(&game, Player::FIRST)[i]))
            });
            assert_eq!(oracle.exploitability(&game, Player::FIRST, &best), 0.0, "{report:?} in {game:?}");
        }
    }
}

#[test]
fn values_approach_the_oracle_s_in_random_games() {
    let (mut errors, mut count) = (0.0, 0.0);
    let games = (0..).map(|seed| RandomJoint::<2, true>::new(seed, 5));
    for game in games.filter(|game| listed(game, Player::FIRST).len() > 1).take(25) {
        let value = Oracle::new().value(&game);
        let report = regret(1).search(&game, Player::FIRST, Budget::nodes(20_000));
        errors += (report.value - value).abs();
        count += 1.0;
    }
    assert!(errors / count < 0.3, "{} of 8 points", errors / count);
}

#[test]
#[ignore = "a minute in a debug build: .ci/deep runs it"]
fn exploitability_falls_in_larger_games() {
    falls(&Throw::START, &[1_000, 10_000, 100_000], 0.015);
    falls(&Goofspiel::<4>::first_prize(3), &[1_000, 10_000, 100_000], 0.6);
    falls(&OshiZumo::new(8), &[1_000, 10_000, 100_000], 0.15);
    falls(&Tron::<4>::START, &[100, 1_000, 100_000], 0.15);
}

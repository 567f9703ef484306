//! Paranoid and best-reply search against plain search of the reduced game.

use contest::laws::cases;
use coppice::joint::players;
use coppice::search::{JointSearch, Oracle, Paranoid, ParanoidOptions, Replies};
use coppice::{Budget, Choices, Joint, Player};
use coppice_tests::games::joint::{Goofspiel, RandomJoint, Throw, Tron};

use super::{after, choices_of, joint_moves, listed, outcomes};

/// The replies that count, by their definition.
fn replies<G: Joint>(
    game: &G,
    player: Player,
    kind: Replies,
    own: Choices<G::Move>,
) -> Vec<Choices<G::Move>> {
    let others: Vec<Player> = players::<G>().filter(|&other| other != player).collect();
    let all = joint_moves(game, &others, own);
    let first = |other: Player| listed(game, other).first().copied();
    let deviates = |choices: &Choices<G::Move>| {
        others.iter().filter(|&&other| choices.of(other) != first(other)).count()
    };
    all.into_iter().filter(|choices| kind == Replies::All || deviates(choices) <= 1).collect()
}

/// The mean of the `worst` lowest values of a player's best move.
fn plain<G: Joint>(
    game: &G,
    player: Player,
    (kind, worst, depth): (Replies, usize, u32),
    estimate: &impl Fn(&G, Player) -> f64,
) -> f64 {
    if game.awaits_chance() {
        let value = |next: &G| plain(next, player, (kind, worst, depth), estimate);
        return outcomes(game).iter().map(|(next, share)| share * value(next)).sum();
    }
    if game.is_over() {
        return f64::from(game.payoff(player).0);
    }
    if depth == 0 {
        return estimate(game, player);
    }
    let own = joint_moves(game, &[player], Choices::NONE);
    let values = own.into_iter().map(|own| {
        let replies = replies(game, player, kind, own);
        let value = |choices| plain(&after(game, choices), player, (kind, worst, depth - 1), estimate);
        let mut values: Vec<f64> = replies.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        values.truncate(worst);
        values.iter().sum::<f64>() / values.len() as f64
    });
    values.fold(f64::NEG_INFINITY, f64::max)
}

fn is_exact<const N: usize>(seed: u64, shape: (Replies, usize, u32), nodes: &mut u64) {
    let game = RandomJoint::<N, true>::new(seed, 8);
    let estimate = |game: &RandomJoint<N, true>, player: Player| game.noise(player);
    for player in players::<RandomJoint<N, true>>().filter(|&player| !listed(&game, player).is_empty()) {
        let (replies, worst, depth) = shape;
        let mut search = Paranoid::new(estimate, ParanoidOptions { replies, worst, depth });
        let report = search.search(&game, player, Budget::nodes(u64::MAX));
        let value = plain(&game, player, shape, &estimate);
        assert!((report.value - value).abs() < 1e-9, "{shape:?}: {report:?}, exact {value}, in {game:?}");
        *nodes += report.nodes;
    }
}

#[test]
fn values_are_those_of_the_reduced_game() {
    let mut nodes = [0; 2];
    for (replies, nodes) in [Replies::All, Replies::One].into_iter().zip(&mut nodes) {
        for worst in [1, 2, 5, 16] {
            for seed in 0..cases(120) {
                is_exact::<2>(seed, (replies, worst, 3), nodes);
                is_exact::<3>(seed, (replies, worst, 2), nodes);
            }
        }
    }
    assert!(nodes[1] < nodes[0], "best replies are fewer: {nodes:?}");
}

#[test]
fn the_worst_reply_bounds_the_value_from_below() {
    let mut oracle = Oracle::new();
    let mut worst = Paranoid::new(|_: &Throw, _: Player| 0.0, ParanoidOptions::default());
    let report = worst.search(&Throw::START, Player::FIRST, Budget::nodes(1_000));
    // Each throw is beaten by another: the value is that of being seen, and not the game's, which is 0.
    assert_eq!((report.best, report.value, report.exact), (Some(1), -1.0, false));
    for game in choices_of(&Goofspiel::<3>::START, Player::SECOND, 20) {
        let mut search = Paranoid::new(|_: &Goofspiel<3>, _: Player| 0.0, ParanoidOptions::default());
        let report = search.search(&game, Player::SECOND, Budget::nodes(u64::MAX));
        assert!(report.value <= -oracle.value(&game) + 1e-9, "{report:?} in {game:?}");
    }
    for game in choices_of(&Tron::<3>::START, Player::FIRST, 20) {
        let mut search = Paranoid::new(|_: &Tron<3>, _: Player| 0.0, ParanoidOptions::default());
        let report = search.search(&game, Player::FIRST, Budget::nodes(u64::MAX));
        let secured = oracle.worst(&game, Player::FIRST, &report.strategy);
        assert!(report.value <= secured + 1e-9, "{report:?} in {game:?}: {secured}");
    }
}

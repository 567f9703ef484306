//! Expectimax against plain recursion and the oracle: the cuts change no value.

use std::fmt::Debug;

use contest::laws::cases;
use coppice::search::{Cuts, Expectimax, ExpectimaxOptions, JointReport, JointSearch, Oracle};
use coppice::{Budget, Choices, InTurns, Player};
use coppice_tests::games::joint::{Deal, Gains, Race, RandomJoint};

use super::{after, choices_of, listed, outcomes};

const ALL: [Cuts; 3] = [Cuts::Never, Cuts::Star1, Cuts::Star2];

/// The value to a player, looking at every move and every outcome.
fn plain<G: InTurns>(game: &G, player: Player, depth: u32, estimate: &impl Fn(&G, Player) -> f64) -> f64 {
    if game.awaits_chance() {
        return outcomes(game).iter().map(|(next, share)| share * plain(next, player, depth, estimate)).sum();
    }
    let mover = game.to_move();
    let moves = listed(game, mover);
    if moves.is_empty() {
        return f64::from(game.payoff(player).0);
    }
    if depth == 0 {
        return estimate(game, player);
    }
    let value = |&m| plain(&after(game, &Choices::NONE.with(mover, m)), player, depth - 1, estimate);
    let values = moves.iter().map(value);
    if mover == player {
        values.fold(f64::NEG_INFINITY, f64::max)
    } else {
        values.fold(f64::INFINITY, f64::min)
    }
}

/// Searches with each kind of cuts, compares with plain recursion, and adds up the nodes of each kind.
fn compared<G: InTurns + Debug>(
    game: &G,
    depth: u32,
    estimate: impl Fn(&G, Player) -> f64 + Copy,
    nodes: &mut [u64; 3],
) {
    let player = game.to_move();
    let exact = plain(game, player, depth, &estimate);
    for (cuts, nodes) in ALL.into_iter().zip(nodes) {
        let mut search = Expectimax::new(estimate, ExpectimaxOptions { cuts, depth });
        let report: JointReport<G> = search.search(game, player, Budget::nodes(u64::MAX));
        assert!((report.value - exact).abs() < 1e-9, "{cuts:?}: {report:?}, exact {exact}, in {game:?}");
        let best = report.best.expect("a move");
        let next = after(game, &Choices::NONE.with(player, best));
        let own = plain(&next, player, report.depth - 1, &estimate);
        assert!((own - exact).abs() < 1e-9, "{cuts:?}: {best:?} is worth {own}, not {exact}, in {game:?}");
        *nodes += report.nodes;
    }
}

#[test]
fn star_cuts_change_no_value_in_random_games() {
    let mut nodes = [0; 3];
    for seed in 0..cases(400) {
        let two = RandomJoint::<2, false>::new(seed, 9);
        let one = RandomJoint::<1, false>::new(seed, 9);
        for depth in [1, 2, 3, 5] {
            if !listed(&two, two.to_move()).is_empty() {
                compared(&two, depth, |game, player| game.noise(player), &mut nodes);
            }
            if !listed(&one, Player::FIRST).is_empty() {
                compared(&one, depth, |game, player| game.noise(player), &mut nodes);
            }
        }
    }
    assert!(nodes[1] < nodes[0] * 9 / 10, "{nodes:?}");
}

#[test]
fn star_cuts_save_nodes() {
    let mut race = [0; 3];
    compared(&Race::START, 7, |_, _| 0.0, &mut race);
    assert!(race[1] < race[0] * 8 / 10 && race[2] < race[0], "{race:?}");
    let mut wide = [0; 3];
    for seed in 0..3 {
        let game = Deal::<12>::new(seed, 3);
        let exact = plain(&game, Player::FIRST, 3, &|_, _| f64::NAN);
        for (cuts, nodes) in ALL.into_iter().zip(&mut wide) {
            let mut search =
                Expectimax::new(Gains, ExpectimaxOptions { cuts, ..ExpectimaxOptions::default() });
            let report = search.search(&game, Player::FIRST, Budget::nodes(u64::MAX));
            assert!(
                (report.value - exact).abs() < 1e-9 && report.exact,
                "{cuts:?}: {report:?}, exact {exact}"
            );
            *nodes += report.nodes;
        }
    }
    assert!(wide[1] < wide[0] * 8 / 10 && wide[2] < wide[1] / 2, "{wide:?}");
}

#[test]
fn the_end_of_the_race_is_exact() {
    let mut oracle = Oracle::new();
    let ends = choices_of(&Race::START, Player::FIRST, 30);
    let mut solved = 0;
    for game in ends {
        let mut search = Expectimax::new(|_: &Race, _: Player| 0.0, ExpectimaxOptions::default());
        let report = search.search(&game, Player::FIRST, Budget::nodes(5_000));
        if report.exact {
            solved += 1;
            assert!((report.value - oracle.value(&game)).abs() < 1e-9, "{report:?} in {game:?}");
            assert!(
                oracle.exploitability(&game, Player::FIRST, &report.strategy) < 1e-9,
                "{report:?} in {game:?}"
            );
        }
    }
    assert!(solved > 20, "{solved}");
}

#[test]
fn a_budget_that_ends_early_gives_the_last_depth_or_better() {
    for seed in (0..cases(300))
        .filter(|&seed| listed(&RandomJoint::<2, false>::new(seed, 9), Player::FIRST).len() > 1)
    {
        let game = RandomJoint::<2, false>::new(seed, 9);
        for budget in 0..60 {
            let mut search = Expectimax::new(
                |game: &RandomJoint<2, false>, player: Player| game.noise(player),
                ExpectimaxOptions::default(),
            );
            let report = search.search(&game, Player::FIRST, Budget::nodes(budget));
            assert!(report.nodes <= budget, "{report:?}");
            if report.exact {
                let value = plain(&game, Player::FIRST, 64, &|_, _| f64::NAN);
                assert!((report.value - value).abs() < 1e-9, "{report:?} in {game:?}, exact {value}");
            }
        }
    }
}

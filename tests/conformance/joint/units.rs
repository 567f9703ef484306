//! A tree for each unit: whole sides find moves that need several units.

use coppice::joint::players;
use coppice::search::{JointSearch, Units, UnitsOptions};
use coppice::{Budget, Choices, Joint, Player, Rng, Turns};
use coppice_tests::games::joint::Squad;
use coppice_tests::games::TicTacToe;

use super::listed;

/// Plays both sides, each by the search or at random. Returns their points.
fn played(searches: [bool; 2], seed: u64) -> [i32; 2] {
    let (mut game, mut rng) = (Squad::START, Rng::new(seed));
    let mut search = Units::new(4 << 20, seed, UnitsOptions::default());
    while !game.is_over() {
        let _ = search.search(&game, Player::FIRST, Budget::nodes(600));
        let mut choices = search.choices();
        for unit in players::<Squad>().filter(|unit| !searches[unit.index() / 2]) {
            game.random_move(unit, &mut rng).into_iter().for_each(|m| choices.set(unit, m));
        }
        game.play(&choices);
    }
    [game.points(0), game.points(1)]
}

#[test]
fn units_of_a_side_share_its_goals() {
    let both: Vec<[i32; 2]> = (0..8).map(|seed| played([true; 2], seed)).collect();
    let total: i32 = both.iter().flatten().sum();
    assert!(total >= 20, "{total} of 32: {both:?}");
    let against: Vec<[i32; 2]> = (0..8).map(|seed| played([true, false], seed)).collect();
    let own: i32 = against.iter().map(|points| points[0]).sum();
    let random: i32 = against.iter().map(|points| points[1]).sum();
    assert!(own >= 9 && 2 * random < own, "{against:?}");
}

#[test]
fn every_unit_gets_a_legal_move() {
    let mut rng = Rng::new(1);
    let mut game = Squad::START;
    let mut search = Units::new(1 << 16, 1, UnitsOptions::default());
    while !game.is_over() {
        for player in players::<Squad>() {
            let report = search.search(&game, player, Budget::nodes(100));
            assert_eq!(report.best, search.choices().of(player));
            assert!(players::<Squad>()
                .all(|unit| { search.choices().of(unit).is_some_and(|m| listed(&game, unit).contains(&m)) }));
        }
        let random = players::<Squad>().filter_map(|unit| Some((unit, game.random_move(unit, &mut rng)?)));
        let choices = random.fold(Choices::NONE, |choices, (unit, m)| choices.with(unit, m));
        game.play(&choices);
    }
}

/// A history of one's own moves isn't a position: what is legal depends on the other's.
#[test]
fn moves_that_have_become_illegal_are_not_made() {
    let mut search = Units::new(1 << 20, 1, UnitsOptions::default());
    let report = search.search(&Turns::<_>(TicTacToe::START), Player::FIRST, Budget::nodes(20_000));
    assert!(report.best.is_some() && report.depth == 5, "{report:?}");
}

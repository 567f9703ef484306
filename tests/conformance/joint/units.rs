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
    let mut search = Units::new(UnitsOptions { memory: 4 << 20, seed, ..UnitsOptions::default() });
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
    let mut search = Units::new(UnitsOptions { memory: 1 << 16, seed: 1, ..UnitsOptions::default() });
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

/// The state that the trees begin with can be looked at, by every unit; no other, since nodes stand for moves.
#[test]
fn the_state_that_was_searched_can_be_looked_at() {
    let game = Squad::START;
    let mut search = Units::new(UnitsOptions { memory: 1 << 20, seed: 1, ..UnitsOptions::default() });
    assert!(search.seen(&game, Player::FIRST).is_none());
    let report = search.search(&game, Player::FIRST, Budget::nodes(500));
    for unit in players::<Squad>() {
        let seen = search.seen(&game, unit).expect("it was searched");
        assert_eq!((seen.visits, seen.strategy.mode()), (500, search.choices().of(unit)));
        assert_eq!(seen.strategy.iter().count(), listed(&game, unit).len());
    }
    let seen = search.seen(&game, Player::FIRST).map(|seen| format!("{:?}", seen.strategy));
    assert_eq!(seen, Some(format!("{:?}", report.strategy)));
    let mut next = game;
    next.play(&search.choices());
    assert!(search.seen(&next, Player::FIRST).is_none());
    assert!(search.memory().is_some_and(|memory| memory.live > 4));
}

/// A history of one's own moves isn't a position: what is legal depends on the other's.
#[test]
fn moves_that_have_become_illegal_are_not_made() {
    let mut search = Units::new(UnitsOptions { memory: 1 << 20, seed: 1, ..UnitsOptions::default() });
    let report = search.search(&Turns::<_>(TicTacToe::START), Player::FIRST, Budget::nodes(20_000));
    assert!(report.best.is_some() && report.depth == 5, "{report:?}");
}

/// A turn of legal moves of all units: the search's for the first side, random ones for the other.
fn turn(game: &Squad, search: &Units<Squad>, rng: &mut Rng) -> Choices<i8> {
    players::<Squad>().fold(Choices::NONE, |choices, unit| {
        let own = search.choices().of(unit).filter(|_| unit.index() < 2);
        let m = own.or(game.random_move(unit, rng));
        m.map_or(choices, |m| choices.with(unit, m))
    })
}

#[test]
fn trees_are_kept_where_the_last_turn_led_here() {
    let mut rng = Rng::new(3);
    let mut kept_turns = 0;
    for is_told in [false, true] {
        let mut search = Units::new(UnitsOptions { memory: 4 << 20, seed: 1, ..UnitsOptions::default() });
        let mut anew = Units::new(UnitsOptions {
            memory: 4 << 20,
            seed: 1,
            keep_tree: false,
            ..UnitsOptions::default()
        });
        let mut game = Squad::START;
        assert_eq!(search.search(&game, Player::FIRST, Budget::nodes(3_000)).kept, 0);
        let mut all = 3_000;
        while !game.is_over() {
            let choices = turn(&game, &search, &mut rng);
            game.play(&choices);
            if is_told {
                search.played(&choices);
            }
            if game.is_over() {
                break;
            }
            let report = search.search(&game, Player::FIRST, Budget::nodes(3_000));
            assert!(report.kept <= all, "{report:?}");
            all += report.nodes;
            kept_turns += u32::from(report.kept > 0);
            assert_eq!(anew.search(&game, Player::FIRST, Budget::nodes(100)).kept, 0);
        }
        // Another game, to which no turn leads.
        let mut other = Squad::START;
        other.play(&turn(&other, &search, &mut rng));
        let _ = search.search(&Squad::START, Player::FIRST, Budget::nodes(100));
        let _ = search.search(&game, Player::FIRST, Budget::nodes(0));
        let report = search.search(&other, Player::FIRST, Budget::nodes(100));
        assert!(report.best.is_some());
    }
    assert!(kept_turns >= 6, "{kept_turns}");
}

/// The same state again, such as for another unit of the side.
#[test]
fn a_state_is_not_searched_anew_for_another_unit() {
    let mut search = Units::new(UnitsOptions { memory: 4 << 20, seed: 1, ..UnitsOptions::default() });
    let first = search.search(&Squad::START, Player::FIRST, Budget::nodes(1_000));
    let second = search.search(&Squad::START, Player::new(1), Budget::nodes(0));
    assert_eq!((first.kept, second.kept), (0, 1_000));
}

/// A memory too small for one turn: kept trees never lose a block of the pool.
#[test]
fn small_memories_serve_many_turns() {
    let mut rng = Rng::new(5);
    for bytes in [1, 300, 2_000, 20_000] {
        let mut search = Units::new(UnitsOptions { memory: bytes, seed: 1, ..UnitsOptions::default() });
        for _ in 0..20 {
            let mut game = Squad::START;
            while !game.is_over() {
                let report = search.search(&game, Player::FIRST, Budget::nodes(40));
                assert!(report.best.is_some());
                game.play(&turn(&game, &search, &mut rng));
            }
        }
    }
}

//! Laws of the rules of games with simultaneous moves: the `Joint` trait's contract, and names.

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;

use coppice::joint::players;
use coppice::{Choices, Joint, Player, Rng};

use super::GAMES;
use crate::kind::{Kind, Simultaneous};
use crate::notation::{JointNotation, BETWEEN, MISSING};

/// Checks rules in 60 random games from the starts of different seeds: that a state awaits chance, or moves, or is over;
/// that moves and their names are different, and without spaces and `+`; that weights are above 0; that copies play alike;
/// that equal states have equal hashes and others other ones, where states that are printed alike by `{:?}` are equal; that
/// points are no further from 0 than [`Joint::MAX_POINTS`], and those of two players add up to 0.
///
/// # Panics
/// If a law is broken.
pub fn check_joint_rules<G: JointNotation + Debug>(start: impl Fn(u64) -> G) {
    let (mut hashes, mut states) = (HashMap::new(), HashMap::new());
    for seed in 0..GAMES.into() {
        let mut rng = Rng::new(seed);
        let mut game = start(seed);
        loop {
            let key = format!("{game:?}");
            assert_eq!(*hashes.entry(key.clone()).or_insert(game.hash()), game.hash(), "{key}");
            assert_eq!(*states.entry(game.hash()).or_insert(key.clone()), key, "one hash, two states");
            let lists: Vec<Vec<G::Move>> =
                players::<G>().map(|player| Simultaneous::listed(&game, player)).collect();
            let can_move = lists.iter().any(|list| !list.is_empty());
            let awaits = game.awaits_chance();
            assert_eq!(game.is_over(), !awaits && !can_move, "{key}");
            assert!(!(awaits && can_move), "chance decides and players choose in {key}");
            players::<G>().zip(&lists).for_each(|(player, list)| check_names(&game, player, list, &mut rng));
            if game.is_over() {
                let points: Vec<i32> = players::<G>().map(|player| game.payoff(player).0).collect();
                assert!(points.iter().all(|points| points.abs() <= G::MAX_POINTS), "{points:?} in {key}");
                assert!(G::PLAYERS != 2 || points.iter().sum::<i32>() == 0, "{points:?} in {key}");
                break;
            }
            let copy = game.clone();
            let drawn = Rng::clone(&rng);
            step(&mut game, &mut rng);
            let mut again = copy.clone();
            step(&mut again, &mut drawn.clone());
            assert!(game == again && game != copy, "a turn changes a state, and copies alike: {key}");
        }
    }
}

/// One outcome of chance, or one turn of random moves.
fn step<G: Joint + Debug>(game: &mut G, rng: &mut Rng) {
    if let Some(outcome) = game.draw(rng) {
        let listed = |i| game.outcome(i).inspect(|&(_, weight)| assert!(weight > 0, "{game:?}"));
        assert!((0..).map_while(listed).any(|(other, _)| other == outcome), "{outcome:?} in {game:?}");
        return game.happen(outcome);
    }
    let mut choices = Choices::NONE;
    for player in players::<G>() {
        game.random_move(player, rng).into_iter().for_each(|m| choices.set(player, m));
    }
    game.play(&choices);
}

fn check_names<G: JointNotation + Debug>(game: &G, player: Player, list: &[G::Move], rng: &mut Rng) {
    let names: HashSet<String> = list.iter().map(|&m| game.name(player, m)).collect();
    assert_eq!(names.len(), list.len(), "two moves or names are equal: {list:?}, {names:?} in {game:?}");
    let is_word = |name: &String| {
        !name.is_empty() && name != MISSING && !name.contains(|c: char| c.is_whitespace() || c == BETWEEN)
    };
    assert!(names.iter().all(is_word), "{names:?} in {game:?}");
    match game.random_move(player, rng) {
        Some(m) => assert!(list.contains(&m), "{m:?} in {game:?}"),
        None => assert!(list.is_empty(), "{game:?}"),
    }
}

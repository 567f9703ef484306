//! Laws of the rules of games with simultaneous moves: the `Joint` trait's contract, and names.

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;

use coppice::joint::players;
use coppice::{Choices, Joint, Player, Rng};

use super::{agree, ends, GAMES};
use crate::kind::{Kind, Simultaneous};
use crate::notation::{JointNotation, BETWEEN, MISSING};

/// Checks rules in 60 random games from the starts of different seeds: that a state awaits chance, or moves, or is over;
/// that moves and their names are different, and without spaces and `+`; that weights are above 0, and outcomes are drawn
/// by them; that copies play alike; that equal states have equal hashes and others other ones, where states that are
/// printed alike by `{:?}` are equal; that points are no further from 0 than [`Joint::MAX_POINTS`], and those of two
/// players add up to 0; that a game ends.
///
/// # Panics
/// If a law is broken.
pub fn check_joint_rules<G: JointNotation + Debug>(start: impl Fn(u64) -> G) {
    let (mut hashes, mut states) = (HashMap::new(), HashMap::new());
    for seed in 0..GAMES.into() {
        let mut rng = Rng::new(seed);
        let mut game = start(seed);
        for turns in 0.. {
            let key = format!("{game:?}");
            let place = || format!("  state: {key}");
            ends(turns, place);
            let earlier =
                ("`hash` when it was met before", *hashes.entry(key.clone()).or_insert(game.hash()));
            agree("equal states have equal hashes", earlier, ("`hash` now", game.hash()), place);
            let other = ("a state met before", states.entry(game.hash()).or_insert(key.clone()) as &String);
            agree("different states have different hashes", other, ("one with its hash", &key), place);
            let lists: Vec<Vec<G::Move>> =
                players::<G>().map(|player| Simultaneous::listed(&game, player)).collect();
            let can_move = lists.iter().any(|list| !list.is_empty());
            let awaits = game.awaits_chance();
            let over = ("neither moves nor chance", !awaits && !can_move);
            agree("a game is over without moves and chance", ("`is_over`", game.is_over()), over, place);
            assert!(
                !(awaits && can_move),
                "broken: chance decides or players choose, not both\n  moves: {lists:?}\n{}",
                place()
            );
            players::<G>().zip(&lists).for_each(|(player, list)| check_names(&game, player, list, &mut rng));
            if game.is_over() {
                let points: Vec<i32> = players::<G>().map(|player| game.payoff(player).0).collect();
                let are_small = points.iter().all(|points| points.abs() <= G::MAX_POINTS);
                assert!(
                    are_small,
                    "broken: points are at most `MAX_POINTS`, {}, from 0\n  points: {points:?}\n{}",
                    G::MAX_POINTS,
                    place()
                );
                let is_balanced = G::PLAYERS != 2 || points.iter().sum::<i32>() == 0;
                assert!(
                    is_balanced,
                    "broken: the points of two players add up to 0\n  points: {points:?}\n{}",
                    place()
                );
                break;
            }
            let copy = game.clone();
            let drawn = Rng::clone(&rng);
            step(&mut game, &mut rng);
            if seed == 0 && turns < WEIGHED {
                draws_by_weight(&copy);
            }
            let mut again = copy.clone();
            step(&mut again, &mut drawn.clone());
            assert!(game != copy, "broken: a turn changes the state\n{}", place());
            let (one, two) =
                (("the state after a turn", game.clone()), ("its copy after the same turn", again));
            agree("a copy plays as its original does", one, two, place);
        }
    }
}

/// Steps of the first game in which draws are counted.
const WEIGHED: u32 = 8;

/// Checks that outcomes are drawn as often as their weights say.
fn draws_by_weight<G: Joint + Debug>(game: &G) {
    let (mut rng, mut outcomes) = (Rng::new(5), Vec::<(G::Outcome, f64, f64)>::new());
    let listed = (0..).map_while(|i| game.outcome(i));
    outcomes.extend(listed.map(|(outcome, weight)| (outcome, weight.into(), 0.0)));
    let draws = (500 * outcomes.len()).min(20_000);
    for _ in 0..draws {
        let drawn = game.draw(&mut rng);
        // An outcome can be listed twice: both share its draws by their weights.
        outcomes
            .iter_mut()
            .filter(|(outcome, ..)| Some(*outcome) == drawn)
            .for_each(|(_, _, count)| *count += 1.0);
    }
    let total: f64 = outcomes.iter().map(|(_, weight, _)| weight).sum();
    for (outcome, _, count) in &outcomes {
        let weight: f64 =
            outcomes.iter().filter(|(other, ..)| other == outcome).map(|(_, weight, _)| weight).sum();
        let expected = draws as f64 * weight / total;
        // Six standard deviations of a binomial count, and six draws where few are expected.
        assert!(
            (count - expected).abs() < 6.0 * expected.sqrt() + 6.0,
            "broken: outcomes are drawn by their weights\n  {outcome:?}: drawn {count} times of {draws}, expected {expected:.0}\n  \
             state: {game:?}"
        );
    }
}

/// One outcome of chance, or one turn of random moves.
fn step<G: Joint + Debug>(game: &mut G, rng: &mut Rng) {
    if let Some(outcome) = game.draw(rng) {
        let is_possible = |weight| {
            assert!(
                weight > 0,
                "broken: an outcome's weight is above 0\n  weight: {weight}\n  state: {game:?}"
            )
        };
        let listed = |i| game.outcome(i).inspect(|&(_, weight)| is_possible(weight));
        assert!(
            (0..).map_while(listed).any(|(other, _)| other == outcome),
            "broken: chance draws a listed outcome\n  drawn: {outcome:?}\n  state: {game:?}"
        );
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
    let place = || format!("  moves of {player:?}: {list:?}\n  names: {names:?}\n  state: {game:?}");
    let (different, listed) = (("different names", names.len()), ("moves", list.len()));
    agree("moves and their names are different", different, listed, place);
    let is_word = |name: &String| {
        !name.is_empty() && name != MISSING && !name.contains(|c: char| c.is_whitespace() || c == BETWEEN)
    };
    assert!(names.iter().all(is_word), "broken: a name is a word without `+`, and not `?`\n{}", place());
    match game.random_move(player, rng) {
        Some(m) => assert!(
            list.contains(&m),
            "broken: `random_move` draws a listed move\n  drawn: {m:?}\n{}",
            place()
        ),
        None => {
            assert!(list.is_empty(), "broken: `random_move` draws one where moves are listed\n{}", place())
        }
    }
}

//! Laws of games with simultaneous moves, and of both sides of their protocol.

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::io::sink;

use coppice::input::InputError;
use coppice::joint::players;
use coppice::search::JointRandom;
use coppice::{Choices, Joint, Player, Rng};

use super::{check_contest, damaged_text, dialogue, read_whole};
use crate::bot::Settings;
use crate::contest::{Contest, Setup};
use crate::joint::notation::{listed, BETWEEN, MISSING};
use crate::joint::{player, JointContest, JointNotation, JointPlayers, JointTurnProtocol, JointTurns};
use crate::referee::Referee;

/// Random games of a check.
const GAMES: u64 = super::GAMES as u64;

/// Checks the rules of a game with [`JointTurns`], its referee, and both sides of its protocol: what the bot reads is what
/// the referee wrote, in each position of 60 random games.
///
/// # Panics
/// If a law is broken.
pub fn check_joint_turns<G: JointTurns + JointNotation + Debug>() {
    check_joint_rules(G::start);
    check_contest(&JointContest::<G>::new());
    for seed in 0..GAMES {
        both_sides_agree::<G>(seed);
        reads_garbage::<G>(seed);
    }
}

/// Checks rules in 60 random games from the starts of different seeds: that a state awaits chance, or moves, or is over;
/// that moves and their names are different, and without spaces and `+`; that weights are above 0; that copies play alike;
/// that equal states have equal hashes and others other ones, where states that are printed alike by `{:?}` are equal; that
/// points are no further from 0 than [`Joint::MAX_POINTS`], and those of two players add up to 0.
///
/// # Panics
/// If a law is broken.
pub fn check_joint_rules<G: JointNotation + Debug>(start: impl Fn(u64) -> G) {
    let (mut hashes, mut states) = (HashMap::new(), HashMap::new());
    for seed in 0..GAMES {
        let mut rng = Rng::new(seed);
        let mut game = start(seed);
        loop {
            let key = format!("{game:?}");
            assert_eq!(*hashes.entry(key.clone()).or_insert(game.hash()), game.hash(), "{key}");
            assert_eq!(*states.entry(game.hash()).or_insert(key.clone()), key, "one hash, two states");
            let lists: Vec<Vec<G::Move>> =
                players::<G>().map(|player| listed(&game, player).to_vec()).collect();
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

/// Sends every position of a random game through both sides of the protocol.
fn both_sides_agree<G: JointTurns + JointNotation + Debug>(seed: u64) {
    let contest = JointContest::<G>::new();
    let opening_plies = (seed % 4) as u32 * u32::from(G::OPENING_TURNS > 0);
    let setup = Setup { seed, opening_plies, limits: contest.limits() };
    let mut game = JointPlayers::new(G::start(seed), JointTurnProtocol, setup);
    let mut rng = Rng::new(seed);
    let mut known: Vec<(G, Player)> = (0..G::PLAYERS)
        .map(|seat| {
            let (mut start, text) = (G::start(0), game.init(seat));
            let me = read_whole(&text, |input| start.read_init(input));
            (start, me)
        })
        .collect();
    loop {
        let asked = game.asked();
        if asked.is_empty() {
            break;
        }
        let mut answers = Vec::new();
        for seat in asked {
            let text = game.turn(seat);
            assert!(text.ends_with('\n'), "a turn ends in a newline: {text:?}");
            let (position, me) = &mut known[seat];
            read_whole(&text, |input| position.read_turn(*me, input));
            assert_eq!(position, game.game(), "the bot's position, read from {text:?}, and the referee's");
            let seat_player = player_of(seat);
            for &m in listed(position, seat_player).iter() {
                let answer = position.write_answer(seat_player, m);
                assert_eq!(position.read_answer(seat_player, &answer), Some(m), "{answer:?}");
            }
            let m = position.random_move(seat_player, &mut rng).expect("a seat is asked only if it can move");
            answers.push((seat, position.write_answer(seat_player, m)));
        }
        for (seat, answer) in answers {
            game.answer(seat, &answer).expect("a legal move");
        }
    }
}

fn player_of(seat: usize) -> Player {
    Player::new(seat as u8)
}

/// Feeds the bot's side of a protocol a dialogue, and a damaged one: it answers the first to its end, and answers or ends
/// in an error in the second.
fn reads_garbage<G: JointTurns + JointNotation>(seed: u64) {
    let mut rng = Rng::new(seed);
    let whole = dialogue(&JointContest::<G>::new(), seed, &mut rng);
    let settings = Settings { nodes: Some(1), seed, reserve: None, numbers: (), tunables: false };
    crate::bot::silence();
    let play =
        |text: &[u8]| player::play_on::<G, _, ()>(text, sink(), &settings, |_, _| JointRandom::new(seed));
    // The bot's own answers may differ from the game's, after which a turn may not be possible.
    let played = play(whole.as_bytes());
    assert!(!matches!(played, Ok(()) | Err(InputError::Io(_))), "{}: {played:?}", G::NAME);
    assert!(play(&damaged_text(&whole, &mut rng)).is_err());
}

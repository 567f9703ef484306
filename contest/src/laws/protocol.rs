//! Laws of a protocol: both sides agree, and a bot survives damaged input.

use std::fmt::Debug;
use std::io::sink;

use coppice::input::{Input, InputError};
use coppice::search::Random;
use coppice::Rng;

use super::damage::{damaged_text, dialogue};
use crate::bot::Settings;
use crate::contest::{Contest, Setup};
use crate::notation::{listed, Notation};
use crate::referee::Referee;
use crate::turns::{player, TurnContest, TurnGame, TurnProtocol, Turns};

/// Sends every position of a random game through both sides of the protocol.
///
/// # Panics
/// If a bot reads another position than the referee has, leaves a line unread, or an answer isn't read as it was
/// written.
pub fn both_sides_agree<G: Turns + Notation + Debug>(seed: u64) {
    let contest = TurnContest::<G>::new();
    let opening_plies = (seed % 4) as u32 * u32::from(G::OPENING_PLIES > 0);
    let setup = Setup { seed, opening_plies, limits: contest.limits() };
    let mut game = TurnGame::<G>::new(G::start(), TurnProtocol, setup);
    let mut rng = Rng::new(seed);
    let known = (0..G::PLAYERS).map(|seat| {
        let (mut start, text) = (G::start(), game.init(seat));
        let me = read_whole(&text, |input| start.read_init(input));
        (start, me)
    });
    let mut known = known.collect::<Vec<_>>();
    // Where more than two play, one of them forfeits in every third game.
    let mut until_forfeit = (G::PLAYERS > 2 && seed % 3 == 2).then(|| rng.below(12));
    while let Some(&seat) = game.asked().first() {
        if until_forfeit == Some(0) {
            until_forfeit = None;
            game.forfeit(seat);
            continue;
        }
        until_forfeit = until_forfeit.map(|turns| turns - 1);
        let text = game.turn(seat);
        assert!(text.ends_with('\n'), "a turn ends in a newline: {text:?}");
        let (position, me) = &mut known[seat];
        read_whole(&text, |input| position.read_turn(*me, input));
        assert_eq!(position, game.game(), "the bot's position, read from {text:?}, and the referee's");
        for &m in listed(game.game()).iter() {
            let answer = game.game().write_answer(m);
            assert_eq!(game.game().read_answer(&answer), Some(m), "{answer:?}");
        }
        let m = position.random_move(&mut rng).expect("a seat is asked only if it can move");
        game.answer(seat, &position.write_answer(m)).expect("a legal move");
        position.play(m);
    }
}

/// Feeds the bot's side of a protocol a dialogue, and a damaged one: it answers the first to its end, and answers or ends
/// in an error in the second.
///
/// # Panics
/// If the bot panics, or refuses the undamaged dialogue.
pub fn reads_garbage<G: Turns + Notation>(seed: u64) {
    let mut rng = Rng::new(seed);
    let whole = dialogue(&TurnContest::<G>::new(), seed, &mut rng);
    let settings = Settings { nodes: Some(1), seed, reserve: None, numbers: (), tunables: false };
    crate::bot::silence();
    let play = |text: &[u8]| player::play_on::<G, _, ()>(text, sink(), &settings, |_| Random::new(seed));
    // The bot's own answers may differ from the game's, after which a move in the dialogue may not be legal.
    let played = play(whole.as_bytes());
    assert!(!matches!(played, Ok(()) | Err(InputError::Io(_))), "{}: {played:?}", G::NAME);
    assert!(play(&damaged_text(&whole, &mut rng)).is_err());
}

/// Reads a text to its end.
pub fn read_whole<T>(text: &str, read: impl FnOnce(&mut Input<&[u8]>) -> Result<T, InputError>) -> T {
    let mut input = Input::new(text.as_bytes());
    let value = read(&mut input).unwrap_or_else(|error| panic!("{error}, in {text:?}"));
    assert!(input.reader().is_empty(), "lines are left unread of {text:?}");
    value
}

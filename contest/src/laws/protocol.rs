//! Laws of a protocol: both sides agree, and a bot survives damaged input.

use std::fmt::Debug;
use std::panic::{catch_unwind, AssertUnwindSafe};

use coppice::input::{Input, InputError};
use coppice::{Player, Rng};

use super::agree;
use super::damage::{damaged_text, dialogue};
use crate::bot::Settings;
use crate::contest::{Contest, Setup};
use crate::history::player;
use crate::kind::Kind;
use crate::lines::{LineContest, LineGame, LineKind, LineProtocol, LineReferee};
use crate::notation::{Move, Notation, Turn};
use crate::referee::Referee;

/// Sends every position of a random game through both sides of the protocol.
///
/// # Panics
/// If a bot reads another position than the referee has, leaves a line unread, or an answer isn't read as it was
/// written.
pub fn both_sides_agree<G: Notation + LineGame<Move<G>, Turn<G>> + Debug>(seed: u64) {
    let contest = LineContest::<G>::new();
    let opening_plies = (seed % 4) as u32 * u32::from(G::OPENING_PLIES > 0);
    let setup = Setup { seed, opening_plies, limits: contest.limits() };
    let mut game = LineReferee::<G>::new(G::start(seed), LineProtocol, setup);
    let mut rng = Rng::new(seed);
    let known = (0..G::Kind::PLAYERS).map(|seat| {
        let (mut start, text) = (G::start(0), game.init(seat));
        let me = read_whole(&text, "", |input| start.read_init(input));
        (start, me)
    });
    let mut known: Vec<(G, Player)> = known.collect();
    // A bot must learn of the opening from its first turn.
    let opening = match opening_plies {
        0 => String::new(),
        plies => format!(
            "\n  it is the seat's first turn, and the game began with {plies} random turn{} (`OPENING_PLIES`), which the bot \
             must be told of: `write_turn` has all of them in `news`; if the protocol can't send them, leave \
             `OPENING_PLIES` at 0",
            if plies == 1 { "" } else { "s" }
        ),
    };
    let mut has_answered = vec![false; known.len()];
    // Where more than two play, one of them forfeits in every third game.
    let mut until_forfeit = (G::Kind::PLAYERS > 2 && seed % 3 == 2).then(|| rng.below(12));
    loop {
        let asked = game.asked();
        let Some(&first) = asked.first() else { return };
        if until_forfeit == Some(0) {
            until_forfeit = None;
            game.forfeit(first);
            continue;
        }
        until_forfeit = until_forfeit.map(|turns| turns - 1);
        let mut answers = Vec::new();
        for seat in asked {
            let text = game.turn(seat);
            assert!(text.ends_with('\n'), "broken: a turn ends in a newline\n  the turn: {text:?}");
            let ((position, me), player) = (&mut known[seat], player(seat));
            let hint = if has_answered[seat] { "" } else { opening.as_str() };
            read_whole(&text, hint, |input| position.read_turn(*me, input));
            let (read, own) = (("read by the bot", &*position), ("the referee's", game.game()));
            agree("the bot reads the referee's position", read, own, || {
                format!("  the turn: {text:?}{hint}")
            });
            has_answered[seat] = true;
            for m in G::Kind::listed(position, player) {
                let answer = position.write_answer(player, m);
                let read = ("`read_answer`", position.read_answer(player, &answer));
                agree("an answer is read as it was written", read, ("the move", Some(m)), || {
                    format!("  `write_answer`: {answer:?}\n  position: {position:?}")
                });
            }
            let m = G::Kind::random_move(position, player, &mut rng);
            let m = m.expect("a seat is asked only if it can move");
            answers.push((seat, position.write_answer(player, m)));
            if let Some(next) = G::Kind::after(position, player, m) {
                *position = next;
            }
        }
        for (seat, answer) in answers {
            game.answer(seat, &answer).expect("a legal move");
        }
    }
}

/// Feeds the bot's side of a protocol a dialogue, and a damaged one: it answers the first to its end, and answers or ends
/// in an error in the second.
///
/// # Panics
/// If the bot panics, or refuses the undamaged dialogue.
pub fn reads_garbage<G: Notation<Kind: LineKind<G>> + LineGame<Move<G>, Turn<G>>>(seed: u64) {
    let mut rng = Rng::new(seed);
    let whole = dialogue(&LineContest::<G>::new(), seed, &mut rng);
    let settings =
        Settings { nodes: Some(1), seed, reserve: None, numbers: (), tunables: false, position: None };
    crate::bot::silence();
    // The bot's own answers may differ from the game's, after which a move in the dialogue may not be legal.
    let played = G::Kind::play_randomly(&settings, whole.as_bytes());
    let refused = matches!(played, Ok(()) | Err(InputError::Io(_)));
    assert!(
        !refused,
        "broken: the bot answers a game to its end\n  it ended with {played:?}\n  the input: {whole:?}"
    );
    let damaged = damaged_text(&whole, &mut rng);
    let input = || format!("  the input: {:?}", String::from_utf8_lossy(&damaged));
    match catch_unwind(AssertUnwindSafe(|| G::Kind::play_randomly(&settings, &damaged))) {
        Ok(played) => {
            assert!(played.is_err(), "broken: the bot answers until its input ends\n{}", input())
        }
        Err(_) => panic!(
            "broken: a bot refuses damaged input, and doesn't panic; its own message is above: let `read_turn` return \
             `input.malformed` for whatever the rules can't play\n{}",
            input()
        ),
    }
}

/// Reads a text to its end. The hint is for the message if it can't be read.
fn read_whole<T>(text: &str, hint: &str, read: impl FnOnce(&mut Input<&[u8]>) -> Result<T, InputError>) -> T {
    let mut input = Input::new(text.as_bytes());
    let value = read(&mut input).unwrap_or_else(|error| {
        panic!("broken: a bot reads what the referee writes\n  {error}\n  the text: {text:?}{hint}")
    });
    assert!(input.reader().is_empty(), "broken: a bot reads all lines of a turn\n  the text: {text:?}{hint}");
    value
}

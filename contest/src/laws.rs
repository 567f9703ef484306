//! Laws that hold for the rules, the referee and the protocol of every contest, for tests.
//!
//! [`check_turns`], [`check_joint_turns`] and [`check_commands`] check all that is here for a game with one of the three
//! protocols, [`check_rules`], [`check_joint_rules`], [`check_undo`] and [`check_contest`] a part. Each is a line of a test, plays random games from fixed
//! seeds, and panics with the position if a law is broken. The other functions take the seed, for fuzzing.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Debug;
use std::hash::Hash;
use std::io::sink;
#[cfg(feature = "serve")]
use std::io::{BufReader, Write};
#[cfg(feature = "serve")]
use std::panic::resume_unwind;
#[cfg(feature = "serve")]
use std::thread;
use std::time::Duration;

use coppice::input::{Input, InputError};
use coppice::search::Random;
use coppice::{Game, Player, Reversible, Rng};

use crate::bot::Settings;
use crate::commands::{referee::CommandContest, Commands};
use crate::contest::{Contest, Setup};
pub use crate::joint::laws::{check_joint_rules, check_joint_turns};
use crate::notation::Notation;
use crate::referee::{Referee, Seat};
#[cfg(feature = "serve")]
use crate::serve::ServeSettings;
#[cfg(feature = "serve")]
use crate::session::{SessionSettings, STACK_BYTES};
use crate::turns::{player, TurnContest, TurnGame, TurnProtocol, Turns};

/// Checks the rules of a game with [`Turns`], its referee, and both sides of its protocol: what the bot reads is what the
/// referee wrote, in each position of 60 random games.
///
/// # Panics
/// If a law is broken.
pub fn check_turns<G: Turns + Notation + Debug>() {
    check_rules(&G::start());
    check_contest(&TurnContest::<G>::new());
    for seed in 0..GAMES.into() {
        both_sides_agree::<G>(seed);
        reads_garbage::<G>(seed);
    }
}

/// Checks the rules of a game with [`Commands`] in its default variant, and its referee.
///
/// # Panics
/// If a law is broken.
pub fn check_commands<G: Commands + Notation + Debug>() {
    check_rules(&crate::commands::start::<G>(G::USUAL).expect("the default variant is valid"));
    check_contest(&CommandContest::<G>::new(Duration::from_millis(100)));
}

/// Checks rules: the end, the moves, the hash and copies in 60 random games, the draw of a random move. Two positions are
/// taken for the same if they are printed alike by `{:?}`; use [`keeps_its_promises`] if that shows what doesn't affect
/// the rest of the game.
///
/// # Panics
/// If a law is broken.
pub fn check_rules<G: Game + Debug>(start: &G) {
    keeps_its_promises(start, |game| format!("{game:?}"), 11, GAMES);
    draws_evenly(start);
}

/// Checks that moves are taken back without a trace, in 60 random games.
///
/// # Panics
/// If one leaves a trace.
pub fn check_undo<G: Reversible + Debug>(start: &G) {
    takes_back(start, 3, GAMES);
}

/// Checks a referee: it accepts the moves that it lists and no others, a record can be replayed, damaged answers are
/// refused and change nothing.
///
/// # Panics
/// If a law is broken, or 12 random games have no move.
pub fn check_contest(contest: &dyn Contest) {
    let made: usize = (0..12).map(|seed| random_game(contest, seed)).sum();
    assert!(made > 0, "{}: no seat made a move", contest.name());
    for seed in 0..4 {
        refuses_garbage(contest, seed);
        #[cfg(feature = "serve")]
        survives_garbage(contest, seed);
    }
}

/// Random games of a check.
const GAMES: u32 = 60;

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
        for m in listed(game.game()) {
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
pub(crate) fn read_whole<T>(text: &str, read: impl FnOnce(&mut Input<&[u8]>) -> Result<T, InputError>) -> T {
    let mut input = Input::new(text.as_bytes());
    let value = read(&mut input).unwrap_or_else(|error| panic!("{error}, in {text:?}"));
    assert!(input.reader().is_empty(), "lines are left unread of {text:?}");
    value
}

fn listed<G: Game>(game: &G) -> Vec<G::Move> {
    crate::notation::listed(game).to_vec()
}

/// The position after `moves`, if all are legal.
fn after<G: Game>(game: &G, moves: &[G::Move]) -> Option<G> {
    let mut game = game.clone();
    for &m in moves {
        if !listed(&game).contains(&m) {
            return None;
        }
        game.play(m);
    }
    Some(game)
}

/// Checks the `Game` trait's contract at every position of `games` random games from `seed`. `key` is what the hash
/// represents: everything that affects the rest of the game. Returns the number of transpositions found.
///
/// # Panics
/// If the game breaks the contract.
pub fn keeps_its_promises<G: Game + Debug, K: Hash + Eq + Debug>(
    start: &G,
    key: impl Fn(&G) -> K,
    seed: u64,
    games: u32,
) -> u32 {
    let mut rng = Rng::new(seed);
    let (mut hashes, mut keys) = (HashMap::new(), HashMap::new());
    let mut meetings = 0;
    for _ in 0..games {
        let mut game = start.clone();
        loop {
            let moves = listed(&game);
            assert_eq!((game.is_over(), game.count_moves()), (moves.is_empty(), moves.len()), "{game:?}");
            let codes: HashSet<u16> = moves.iter().map(|&m| G::move_index(m)).collect();
            assert_eq!(codes.len(), moves.len(), "{game:?}");
            assert_eq!(*hashes.entry(key(&game)).or_insert(game.hash()), game.hash(), "{game:?}");
            assert_eq!(*keys.entry(game.hash()).or_insert(key(&game)), key(&game), "{game:?}");
            let copy = game.clone();
            let Some(m) = game.random_move(&mut rng) else {
                assert!(moves.is_empty(), "{game:?}");
                break;
            };
            assert!(moves.contains(&m), "{m:?} in {game:?}");
            // Swap two moves of the same player around another player's move.
            for between in listed(&game.after(m)) {
                for &other in moves.iter().filter(|&&other| other != m).take(8) {
                    let lines = [[m, between, other], [other, between, m]];
                    if let [Some(one), Some(two)] = lines.map(|line| after(&game, &line)) {
                        assert_eq!(one.hash() == two.hash(), key(&one) == key(&two), "{one:?} {two:?}");
                        meetings += u32::from(one == two);
                    }
                }
            }
            game.play(m);
            assert_ne!(game, copy, "a move changes the position");
            assert_eq!(game, copy.after(m), "a copy plays as its original does");
        }
        if G::PLAYERS == 2 {
            assert_eq!(game.payoff(Player::FIRST).0 + game.payoff(Player::SECOND).0, 0, "{game:?}");
        }
    }
    meetings
}

/// Checks that each legal move is drawn about equally often.
///
/// # Panics
/// If one isn't.
pub fn draws_evenly<G: Game + Debug>(start: &G) {
    const EACH: usize = 2_000;
    let mut rng = Rng::new(4);
    for plies in 0..24 {
        let mut game = start.clone();
        for _ in 0..plies {
            game.random_move(&mut rng).into_iter().for_each(|m| game.play(m));
        }
        let moves = listed(&game);
        let mut counts = vec![0usize; moves.len()];
        for _ in 0..EACH * moves.len() {
            let drawn = game.random_move(&mut rng);
            counts[moves.iter().position(|&m| drawn == Some(m)).expect("a legal move")] += 1;
        }
        // Five standard deviations of a binomial count are at most 5 sqrt(2000) = 224.
        assert!(counts.iter().all(|count| count.abs_diff(EACH) < 224), "{counts:?} in {game:?}");
    }
}

/// Checks at every position of some random games that each move can be taken back.
///
/// # Panics
/// If a move leaves a trace.
pub fn takes_back<G: Reversible + Debug>(start: &G, seed: u64, games: u32) {
    let mut rng = Rng::new(seed);
    for _ in 0..games {
        let mut game = start.clone();
        while let Some(next) = game.random_move(&mut rng) {
            let (before, moves) = (game.clone(), listed(&game));
            for &m in &moves {
                let undo = game.make(m);
                assert_eq!(game, before.after(m), "{m:?} in {before:?}");
                game.unmake(m, undo);
                assert_eq!(
                    (&game, game.hash(), listed(&game)),
                    (&before, before.hash(), moves.clone()),
                    "{m:?}"
                );
            }
            game.play(next);
        }
    }
}

/// Plays a random game from a random opening through a referee: listed moves are accepted and recorded, moves of earlier
/// positions that aren't listed any more are refused, and the record replayed as an opening leads to the same position.
/// Returns the number of moves that the seats made.
///
/// # Panics
/// If the referee contradicts itself.
pub fn random_game(contest: &dyn Contest, seed: u64) -> usize {
    let mut rng = Rng::new(seed);
    let setup = Setup { seed, opening_plies: (seed % 3) as u32, limits: contest.limits() };
    let mut referee = contest.new_game(setup);
    let mut made = 0;
    let mut seen = vec![BTreeMap::new(); contest.seats()];
    loop {
        let (asked, before) = (referee.asked(), referee.moves());
        let mut answers = Vec::new();
        for &seat in &asked {
            let legal = lists_what_it_accepts(contest, &*referee, seat, &mut seen[seat]);
            let text = legal[rng.below(legal.len() as u32) as usize].clone();
            answers.push((seat, referee.answer_of(seat, &text), text));
        }
        if asked.is_empty() {
            return made;
        }
        assert!(
            !referee.show().ends_with('\n') && !referee.show().is_empty(),
            "a drawing without a final newline"
        );
        for (number, (seat, answer, _)) in (1..).zip(&answers) {
            referee.answer(*seat, answer).expect("a legal move");
            let is_last = number == answers.len();
            assert_eq!(
                referee.moves() != before,
                is_last,
                "{}: a turn is whole or not there",
                contest.name()
            );
        }
        made += answers.len();
        // Other parts of the turn may be moves that the referee made itself.
        let new = referee.moves().split_off(before.len());
        let word = new.split_whitespace().next().unwrap_or_default();
        let mut parts = if answers.len() == 1 { vec![word] } else { word.split('+').collect() }.into_iter();
        let is_part = |text: &String| parts.any(|part| part == text);
        assert!(
            answers.iter().map(|(_, _, text)| text).all(is_part),
            "{}: {word}, {answers:?}",
            contest.name()
        );
        assert_eq!(reopened(contest, seed, &*referee).show(), referee.show());
    }
}

/// Checks a seat's list of legal moves, which it returns: they are accepted, and moves that were legal earlier in the game
/// (`seen`, with their answers) and aren't listed any more are refused.
fn lists_what_it_accepts(
    contest: &dyn Contest,
    referee: &dyn Referee,
    seat: Seat,
    seen: &mut BTreeMap<String, String>,
) -> Vec<String> {
    let (before, legal) = (referee.moves(), referee.legal_moves(seat));
    let unlisted = referee.unlisted_moves(seat);
    for (text, answer) in seen.iter().filter(|(text, _)| !legal.contains(text)) {
        let named = referee.move_of(seat, answer);
        // Other positions may write another move like this one.
        assert!(
            named.as_ref().map_or(true, |named| legal.contains(named) || unlisted.contains(named)),
            "{}: {text} after {before} is accepted, but not listed",
            contest.name()
        );
    }
    seen.extend(legal.iter().map(|text| (text.clone(), referee.answer_of(seat, text))));
    for text in &legal {
        assert!(!text.is_empty() && !text.contains(char::is_whitespace), "{text}");
        referee.check(seat, &referee.answer_of(seat, text)).unwrap_or_else(|fault| {
            panic!("{}: {text} after {before}: {fault}", contest.name());
        });
    }
    legal
}

/// Replays all moves of a game as the opening of another with the same seed. A move may trigger further ones.
fn reopened(contest: &dyn Contest, seed: u64, game: &dyn Referee) -> Box<dyn Referee> {
    let mut referee = contest.new_game(Setup { seed, opening_plies: 0, limits: contest.limits() });
    let moves = game.moves();
    while let Some(text) = moves.split_whitespace().nth(referee.moves().split_whitespace().count()) {
        assert!(referee.open("what").is_err());
        referee.open(text).unwrap_or_else(|error| panic!("{}: {error}", contest.name()));
    }
    assert_eq!((referee.moves(), referee.asked()), (moves, game.asked()));
    // A seat that joins only now gets the same position as one that played.
    if let Some(&seat) = referee.asked().first() {
        let answer = referee.answer_of(seat, &referee.legal_moves(seat)[0]);
        assert_eq!(referee.move_of(seat, &answer).as_ref(), Ok(&referee.legal_moves(seat)[0]));
    }
    referee
}

/// Plays a random game in which every answer is preceded by damaged ones. The referee refuses an answer and stays as it
/// was, or accepts one that is legal. Returns the number of refusals.
///
/// # Panics
/// If it does neither.
pub fn refuses_garbage(contest: &dyn Contest, seed: u64) -> usize {
    let mut rng = Rng::new(seed);
    let setup = Setup { seed, opening_plies: (seed % 3) as u32, limits: contest.limits() };
    let mut referee = contest.new_game(setup);
    let mut refused = 0;
    while let Some(&seat) = referee.asked().first() {
        let (legal, unlisted) = (referee.legal_moves(seat), referee.unlisted_moves(seat));
        let right = referee.answer_of(seat, &legal[rng.below(legal.len() as u32) as usize]);
        for _ in 0..4 {
            let answer = damaged(&right, &mut rng);
            let state = |referee: &dyn Referee| (referee.moves(), referee.asked(), referee.show());
            let before = state(&*referee);
            let checked = referee.check(seat, &answer);
            let named = referee.move_of(seat, &answer);
            assert_eq!(checked.is_ok(), named.is_ok(), "{}: {answer:?}", contest.name());
            assert_eq!(state(&*referee), before, "{}: {answer:?} is only looked at", contest.name());
            match named {
                Ok(text) => {
                    let is_legal = legal.contains(&text) || unlisted.contains(&text);
                    assert!(is_legal, "{}: {answer:?} is {text}", contest.name());
                }
                Err(_) => {
                    assert!(referee.answer(seat, &answer).is_err(), "{}: {answer:?}", contest.name());
                    assert_eq!(state(&*referee), before, "{}: {answer:?} was refused", contest.name());
                    refused += 1;
                }
            }
        }
        referee.answer(seat, &right).expect("a legal move");
    }
    refused
}

/// Feeds a served bot a damaged dialogue. It answers or ends, and answers an undamaged dialogue to its end. Returns the
/// number of lines answered; 0 for a contest that can't be served.
///
/// # Panics
/// If the bot does, or refuses the undamaged dialogue.
#[cfg(feature = "serve")]
pub fn survives_garbage(contest: &dyn Contest, seed: u64) -> usize {
    let settings = ServeSettings {
        session: SessionSettings { seed, pool_bytes: Some(1 << 18), ..SessionSettings::default() },
        nodes: Some(1 + seed % 20),
        ponder: false,
        longest_answer: Duration::from_secs(60),
    };
    let searches = contest.search_list();
    if searches.is_empty() || contest.seats() < 2 {
        return 0;
    }
    let search = searches[seed as usize % searches.len()].name;
    let mut rng = Rng::new(seed);
    let whole = dialogue(contest, seed, &mut rng);
    crate::bot::silence();
    // A search may need the stack that a server gives it.
    let play = |text: &[u8]| {
        let serve = || {
            let (mut input, mut output) = (BufReader::new(text), Answers::default());
            let played = contest.serve(search, &settings, &mut input, &mut output);
            (played, output.0.iter().filter(|&&byte| byte == b'\n').count())
        };
        thread::scope(|scope| {
            let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, serve);
            thread.expect("a thread starts").join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    };
    let (played, lines) = play(whole.as_bytes());
    if let Err(error) = played {
        assert!(matches!(error, InputError::Ended), "{}, {search}: {error}", contest.name());
    }
    let (_, more) = play(&damaged_text(&whole, &mut rng));
    lines + more
}

#[cfg(feature = "serve")]
#[derive(Default)]
struct Answers(Vec<u8>);

#[cfg(feature = "serve")]
impl Write for Answers {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The lines that a random game sends to one seat. The bot's own answers may differ from the game's, which a bot has to
/// bear as well.
pub(crate) fn dialogue(contest: &dyn Contest, seed: u64, rng: &mut Rng) -> String {
    let mut referee = contest.new_game(Setup { seed, opening_plies: 0, limits: contest.limits() });
    let (mine, mut text): (Seat, String) = ((seed % contest.seats() as u64) as usize, String::new());
    while let Some(&seat) = referee.asked().first() {
        if seat == mine {
            if text.is_empty() {
                text += &referee.init(seat);
            }
            text += &referee.turn(seat);
        }
        let legal = referee.legal_moves(seat);
        let answer = referee.answer_of(seat, &legal[rng.below(legal.len() as u32) as usize]);
        referee.answer(seat, &answer).expect("a legal move");
    }
    text
}

/// Pieces that parsers stumble over.
const PIECES: [&str; 16] = [
    "",
    " ",
    "-1",
    "0",
    "9",
    "255",
    "256",
    "65536",
    "4294967296",
    "-9223372036854775809",
    "1e9",
    "a1",
    "z9",
    "\0",
    "é",
    "99999999999999999999999",
];

/// A text with one to three random changes; sometimes by chance none.
fn damaged(text: &str, rng: &mut Rng) -> String {
    String::from_utf8_lossy(&damaged_text(text, rng)).replace(['\n', '\r'], " ")
}

pub(crate) fn damaged_text(text: &str, rng: &mut Rng) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=rng.below(3) {
        let at = rng.below(bytes.len() as u32 + 1) as usize;
        let end = (at + rng.below(6) as usize).min(bytes.len());
        let piece = PIECES[rng.below(PIECES.len() as u32) as usize].as_bytes();
        match rng.below(8) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => drop(bytes.splice(at..end, piece.iter().copied())),
            3 => drop(bytes.splice(at..at, piece.iter().copied())),
            4 => bytes.insert(at, rng.below(256) as u8),
            5 => bytes.extend_from_within(at..end),
            6 => {
                bytes.splice(at..at, std::iter::repeat_n(b'7', 70_000 * rng.below(2) as usize)).for_each(drop)
            }
            _ => {
                // A line twice, or a line less.
                let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
                let line = rng.below(lines.len().max(1) as u32) as usize;
                let count = 2 * rng.below(2) as usize;
                let of = |i: usize| if i == line { count } else { 1 };
                bytes = lines.iter().enumerate().flat_map(|(i, line)| line.repeat(of(i))).collect();
            }
        }
    }
    bytes
}

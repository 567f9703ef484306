//! Laws of rules: the `Game` trait's contract, even draws, moves taken back.

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::hash::Hash;

use coppice::{Game, Player, Reversible, Rng};

use super::{agree, ends};
use crate::notation::GameNotation;

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

/// Turns for which every second random game avoids its end.
const LONG: u32 = 200;

/// Checks the `Game` trait's contract at every position of `games` random games from `seed`. Every second one avoids moves
/// that end it, for ends that are rare otherwise: a full board. `key` is what the hash represents: everything that affects
/// the rest of the game. Returns the number of transpositions found.
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
    for number in 0..games {
        let mut game = start.clone();
        for turns in 0.. {
            let moves = listed(&game);
            let place = || format!("  position: {game:?}\n  its moves: {moves:?}");
            ends(turns, place);
            let is_empty = ("no moves are listed", moves.is_empty());
            agree("a game is over where no move is listed", ("`is_over`", game.is_over()), is_empty, place);
            let count = ("moves listed", moves.len());
            agree(
                "`count_moves` counts what `moves` lists",
                ("`count_moves`", game.count_moves()),
                count,
                place,
            );
            let codes: HashSet<u16> = moves.iter().map(|&m| G::move_index(m)).collect();
            let different = ("different values of `move_index`", codes.len());
            agree("`move_index` is another number for each move", different, count, place);
            let earlier = ("`hash` when it was met before", *hashes.entry(key(&game)).or_insert(game.hash()));
            agree("equal positions have equal hashes", earlier, ("`hash` now", game.hash()), place);
            let other = ("a position met before", keys.entry(game.hash()).or_insert(key(&game)) as &K);
            agree(
                "different positions have different hashes",
                other,
                ("one with its hash", &key(&game)),
                place,
            );
            let copy = game.clone();
            let Some(m) = game.random_move(&mut rng) else {
                assert!(
                    moves.is_empty(),
                    "broken: `random_move` draws one where moves are listed\n{}",
                    place()
                );
                break;
            };
            assert!(
                moves.contains(&m),
                "broken: `random_move` draws a listed move\n  drawn: {m:?}\n{}",
                place()
            );
            let goes_on = |m: &G::Move| !listed(&game.after(*m)).is_empty();
            let avoids = number % 2 == 1 && turns < LONG && !goes_on(&m);
            let m = moves.iter().copied().find(|other| avoids && goes_on(other)).unwrap_or(m);
            // Swap two moves of the same player around another player's move.
            for between in listed(&game.after(m)) {
                for &other in moves.iter().filter(|&&other| other != m).take(8) {
                    let lines = [[m, between, other], [other, between, m]];
                    if let [Some(one), Some(two)] = lines.map(|line| after(&game, &line)) {
                        agree(
                            "positions are equal if and only if their hashes are, whatever the order of moves",
                            ("their hashes are equal", one.hash() == two.hash()),
                            ("they are equal", key(&one) == key(&two)),
                            || format!("  {m:?}, {between:?}, {other:?} from {game:?}\n  leads to {one:?}\n  and the other order to {two:?}"),
                        );
                        meetings += u32::from(one == two);
                    }
                }
            }
            game.play(m);
            assert!(game != copy, "broken: a move changes the position\n  move: {m:?}\n  position: {copy:?}");
            let of_copy = ("the copy after it", copy.after(m));
            agree(
                "a copy plays as its original does",
                ("the original after the move", game.clone()),
                of_copy,
                || format!("  move: {m:?}\n  position: {copy:?}"),
            );
        }
        if G::PLAYERS == 2 {
            let [first, second] = [Player::FIRST, Player::SECOND].map(|player| game.payoff(player).0);
            let place = || format!("  position: {game:?}");
            agree(
                "payoffs add up to 0",
                ("of the first player", first),
                ("less of the second", -second),
                place,
            );
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
        assert!(
            counts.iter().all(|count| count.abs_diff(EACH) < 224),
            "broken: `random_move` draws all moves equally often\n  drawn: {counts:?} times, of {EACH} each\n  moves: {moves:?}\n  \
             position: {game:?}"
        );
    }
}

/// Checks at every position of some random games that isn't over that it is read as it is written: with the same text, the
/// same player to move and the same moves. What the text leaves out, such as earlier positions, may differ.
///
/// # Panics
/// If a position isn't.
pub fn reads_what_it_writes<G: GameNotation + Debug>(start: &G, seed: u64, games: u32) {
    let mut rng = Rng::new(seed);
    for _ in 0..games {
        let mut game = start.clone();
        while let (Some(text), Some(m)) = (game.position(), game.random_move(&mut rng)) {
            let place = || format!("  text: {text}\n  position: {game:?}");
            let read = start.read_position(&text);
            let read = read.unwrap_or_else(|why| panic!("broken: a position is read\n  {why}\n{}", place()));
            let what = |game: &G| (game.position(), game.to_move(), listed(game));
            agree(
                "`read_position` reads what `position` writes",
                ("the position", what(&game)),
                ("as it is read", what(&read)),
                place,
            );
            game.play(m);
        }
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
                let place = || format!("  move: {m:?}\n  position: {before:?}");
                agree(
                    "`make` plays as `play` does",
                    ("`make`", game.clone()),
                    ("`play`", before.after(m)),
                    place,
                );
                game.unmake(m, undo);
                let (now, then) = (("after `unmake`", game.clone()), ("before `make`", before.clone()));
                agree("`unmake` leaves no trace in the position", now, then, place);
                let (now, then) = (("after `unmake`", game.hash()), ("before `make`", before.hash()));
                agree("`unmake` leaves no trace in the hash", now, then, place);
                let (now, then) = (("after `unmake`", listed(&game)), ("before `make`", moves.clone()));
                agree("`unmake` leaves no trace in the moves", now, then, place);
            }
            game.play(next);
        }
    }
}

//! Laws of rules: the `Game` trait's contract, even draws, moves taken back.

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::hash::Hash;

use coppice::{Game, Player, Reversible, Rng};

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

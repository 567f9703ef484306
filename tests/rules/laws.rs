//! Tests laws that hold for the rules of every game.

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::hash::Hash;

use bots::{freckers, mancala, mnk, reversi, tictactoe, uttt};
use coppice::{Game, Player, Rng};
use coppice_tests::games::ConnectFour;

fn listed<G: Game>(game: &G) -> Vec<G::Move> {
    let mut list = G::Moves::default();
    game.moves(&mut list);
    list.to_vec()
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

/// Checks the `Game` trait's contract at every position of some random games. `key` is what the hash
/// represents: everything that affects the rest of the game. Returns the number of transpositions found.
fn keeps_its_promises<G: Game + Debug, K: Hash + Eq + Debug>(start: &G, key: impl Fn(&G) -> K) -> u32 {
    let mut rng = Rng::new(11);
    let (mut hashes, mut keys) = (HashMap::new(), HashMap::new());
    let mut meetings = 0;
    for _ in 0..60 {
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
            assert_ne!(game, copy);
            assert_eq!(game, copy.after(m), "a copy plays as its original does");
        }
        assert_eq!(game.payoff(Player::FIRST).0 + game.payoff(Player::SECOND).0, 0, "{game:?}");
    }
    meetings
}

/// Checks that each legal move is drawn about equally often.
fn draws_evenly<G: Game + Debug>(start: &G) {
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

#[test]
fn tic_tac_toe() {
    assert!(keeps_its_promises(&tictactoe::Board::START, |board| *board) > 100);
    draws_evenly(&tictactoe::Board::START);
}

#[test]
fn ultimate_tic_tac_toe() {
    assert!(keeps_its_promises(&uttt::Board::START, |board| *board) > 100);
    draws_evenly(&uttt::Board::START);
}

#[test]
fn mancala() {
    let mut meetings = 0;
    for (holes, counters, empty_capture) in [(6, 4, true), (6, 6, false), (3, 2, true), (4, 16, false)] {
        let start = mancala::Board::new(holes, counters, empty_capture);
        meetings += keeps_its_promises(&start, |board| {
            let me = board.to_move();
            let side = |player| (0..holes).map(|hole| board.counters(player, hole)).collect::<Vec<_>>();
            (side(me), side(me.other()), board.store_difference())
        });
        draws_evenly(&start);
    }
    assert!(meetings > 100);
}

#[test]
fn in_a_line() {
    for (rows, columns, in_line) in [(4, 4, 3), (5, 5, 4), (3, 7, 4)] {
        let start = mnk::Board::<25>::new(rows, columns, in_line);
        let meetings = keeps_its_promises(&start, |board| {
            let cells = (0..rows * columns).map(|i| mnk::Cell::new((i / columns) as u8, (i % columns) as u8));
            cells.map(|cell| board.mark(cell)).collect::<Vec<_>>()
        });
        assert!(meetings > 100);
        draws_evenly(&start);
    }
}

#[test]
fn reversi() {
    assert!(keeps_its_promises(&reversi::Board::START, |board| (board.own(), board.opponent())) > 100);
    draws_evenly(&reversi::Board::START);
}

/// Positions are compared as the side to move sees them.
#[test]
fn freckers() {
    let meetings = keeps_its_promises(&freckers::Board::START, |board| {
        (board.own(), board.other(), board.pads(), board.actions())
    });
    assert!(meetings > 100);
    draws_evenly(&freckers::Board::START);
}

#[test]
fn connect_four() {
    assert!(keeps_its_promises(&ConnectFour::START, |game| *game) > 100);
    draws_evenly(&ConnectFour::START);
}

//! Tests every game's rules: move lists, hashes, moves made and taken back.

use std::collections::HashSet;
use std::fmt::Debug;

use bots::{boop, freckers, mancala, mnk, oware, reversi, tron, uttt};
use coppice::{Game, Player, Reversible, Rng};
use coppice_tests::games::{ConnectFour, Lander, RandomTree, ThreeInLine, TicTacToe, Unseen};

use super::moves;

/// A random game: the moves, and the positions between them.
fn random_game<G: Game>(start: &G, rng: &mut Rng) -> (Vec<G::Move>, Vec<G>) {
    let (mut made, mut met) = (Vec::new(), vec![start.clone()]);
    let mut game = start.clone();
    while let Some(m) = game.random_move(rng) {
        game.play(m);
        made.push(m);
        met.push(game.clone());
        // The lander may stay in the air forever.
        if made.len() == 200 {
            break;
        }
    }
    (made, met)
}

/// Plays the same moves with each player's moves in another order, if legal.
fn in_another_order<G: Game>(start: &G, made: &[(Player, G::Move)], rng: &mut Rng) -> Option<G> {
    let mut left = made.to_vec();
    let mut game = start.clone();
    while !left.is_empty() {
        let legal = moves(&game);
        let could: Vec<usize> =
            (0..left.len()).filter(|&i| left[i].0 == game.to_move() && legal.contains(&left[i].1)).collect();
        if could.is_empty() {
            return None;
        }
        let i = could[rng.below(could.len() as u32) as usize];
        game.play(left.swap_remove(i).1);
    }
    Some(game)
}

/// Move lists are correct, and states have equal hashes if and only if they are equal. Returns the number of
/// states reached again by other orders of moves.
fn rules_hold<G: Game + Debug>(start: &G, games: usize) -> usize {
    let mut rng = Rng::new(7);
    let mut again = 0;
    for _ in 0..games {
        let (made, met) = random_game(start, &mut rng);
        for game in &met {
            let list = moves(game);
            assert_eq!((game.count_moves(), game.is_over()), (list.len(), list.is_empty()), "{game:?}");
            assert_eq!(
                list.iter().map(|&m| G::move_index(m)).collect::<HashSet<_>>().len(),
                list.len(),
                "{game:?}"
            );
            match game.random_move(&mut rng) {
                Some(m) => assert!(list.contains(&m), "{m:?} in {game:?}"),
                None => assert!(list.is_empty(), "{game:?}"),
            }
            if list.is_empty() && G::PLAYERS == 2 {
                let sum = game.payoff(Player::FIRST).0 + game.payoff(Player::SECOND).0;
                assert_eq!(sum, 0, "{game:?}");
            }
            for &m in &list {
                let mut next = game.clone();
                next.play(m);
                assert_eq!(next, game.after(m));
                assert!(next != *game && next.hash() != game.hash(), "{m:?} changes nothing in {game:?}");
            }
        }
        let by: Vec<_> = made.iter().zip(&met).map(|(&m, game)| (game.to_move(), m)).collect();
        for plies in 2..met.len() {
            let Some(other) = in_another_order(start, &by[..plies], &mut rng) else { continue };
            assert_eq!(met[plies] == other, met[plies].hash() == other.hash(), "{other:?}");
            again += usize::from(met[plies] == other);
        }
    }
    again
}

#[test]
fn rules_and_hashes() {
    let found = [
        ("tic-tac-toe", rules_hold(&TicTacToe::START, 40)),
        ("connect four", rules_hold(&ConnectFour::START, 20)),
        ("reversi", rules_hold(&reversi::Board::START, 10)),
        ("ultimate tic-tac-toe", rules_hold(&uttt::Board::START, 10)),
        ("freckers", rules_hold(&freckers::Board::START, 10)),
        (
            "freckers without idle growth",
            rules_hold(&freckers::tools::busy::Busy(freckers::Board::START), 10),
        ),
        ("mnk", rules_hold(&mnk::Board::<42>::new(6, 7, 4), 10)),
        ("boop", rules_hold(&boop::Board::START, 10)),
        ("three in line", rules_hold(&ThreeInLine::START, 40)),
        ("unseen", rules_hold(&Unseen::START, 40)),
        ("random graph", rules_hold(&RandomTree::<2>::with_transpositions(3, 9, 3), 40)),
    ];
    for (name, again) in found {
        assert!(again >= 10, "{name}: {again} positions were reached by another order of moves");
    }
    // In these games few orders of moves lead to the same position, or none.
    for empty_capture in [false, true] {
        rules_hold(&mancala::Board::new(4, 3, empty_capture), 20);
    }
    rules_hold(&oware::Board::new(oware::GrandSlam::CapturesNothing), 10);
    rules_hold(&tron::Board::<2>::start(), 5);
    rules_hold(&tron::Board::<4>::start(), 5);
    rules_hold(&Lander::START, 10);
    rules_hold(&RandomTree::<1>::new(4, 9), 40);
    rules_hold(&RandomTree::<3>::new(4, 9), 40);
}

/// Makes and takes back each move at each position, and then the whole game.
fn moves_are_taken_back<G: Reversible + Debug>(start: &G, games: usize) {
    let mut rng = Rng::new(8);
    for _ in 0..games {
        let (made, met) = random_game(start, &mut rng);
        for at in &met {
            let mut game = at.clone();
            let list = moves(&game);
            for &m in &list {
                let undo = game.make(m);
                assert_eq!((&game, game.hash()), (&at.after(m), at.after(m).hash()), "{m:?}");
                assert_eq!(moves(&game), moves(&at.after(m)), "{m:?}");
                game.unmake(m, undo);
                assert_eq!((&game, game.hash()), (at, at.hash()), "{m:?} taken back");
                assert_eq!(moves(&game), list, "{m:?} taken back");
            }
        }
        let mut game = start.clone();
        let undos: Vec<_> = made.iter().map(|&m| game.make(m)).collect();
        for (i, undo) in undos.into_iter().enumerate().rev() {
            assert_eq!((&game, game.hash()), (&met[i + 1], met[i + 1].hash()));
            game.unmake(made[i], undo);
        }
        assert_eq!((&game, moves(&game)), (start, moves(start)));
    }
}

#[test]
fn taking_moves_back_restores_the_state() {
    moves_are_taken_back(&TicTacToe::START, 40);
    moves_are_taken_back(&oware::Board::new(oware::GrandSlam::CapturesNothing), 4);
    for (rows, columns, in_line) in [(3, 3, 3), (6, 5, 4), (7, 6, 5), (1, 8, 3)] {
        moves_are_taken_back(&mnk::Board::<42>::new(rows, columns, in_line), 8);
    }
    for seed in 0..20 {
        moves_are_taken_back(&RandomTree::<2>::new(seed, 9), 4);
    }
}

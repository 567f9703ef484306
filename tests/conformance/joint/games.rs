//! The laws that every joint game keeps, and the adapter for games in turns.

use std::fmt::Debug;

use bots::tictactoe::Board as TicTacToe;
use contest::laws::cases;
use coppice::joint::players;
use coppice::search::{negamax, Oracle};
use coppice::{Game, InTurns, Joint, Player, Rng, Turns};
use coppice_tests::games::joint::{Deal, Goofspiel, OshiZumo, Pig, Race, RandomJoint, Squad, Throw, Tron};
use coppice_tests::games::{Noise, RandomTree};

use super::{listed, outcomes, random_play};

/// Checks a game's laws along random games.
fn keeps_the_laws<G: Joint + Debug>(start: &G, games: u64, check: impl Fn(&G)) {
    for seed in 0..games {
        random_play(start, &mut Rng::new(seed), |game| {
            let moves = players::<G>().map(|player| listed(game, player).len()).sum::<usize>();
            let awaits_chance = game.awaits_chance();
            assert_eq!(awaits_chance, game.outcome(0).is_some(), "{game:?}");
            assert!(!awaits_chance || moves == 0, "players choose while chance decides: {game:?}");
            assert_eq!(game.is_over(), !awaits_chance && moves == 0, "{game:?}");
            let shares: f64 = outcomes(game).iter().map(|(_, share)| share).sum();
            assert!(!awaits_chance || (shares - 1.0).abs() < 1e-9);
            if game.is_over() {
                let payoffs: Vec<i32> = players::<G>().map(|player| game.payoff(player).0).collect();
                assert!(
                    payoffs.iter().all(|points| points.abs() <= G::MAX_POINTS),
                    "{payoffs:?} in {game:?}"
                );
                assert!(G::PLAYERS != 2 || payoffs.iter().sum::<i32>() == 0, "{payoffs:?} in {game:?}");
            }
            check(game);
        });
    }
}

/// Checks that one player chooses at a time.
fn is_in_turns<G: InTurns + Debug>(game: &G) {
    for player in players::<G>() {
        assert!(player == game.to_move() || listed(game, player).is_empty(), "{player:?} in {game:?}");
    }
}

#[test]
fn every_game_keeps_the_laws() {
    keeps_the_laws(&Throw::START, 20, |_| ());
    keeps_the_laws(&Goofspiel::<5>::START, 200, |_| ());
    keeps_the_laws(&OshiZumo::new(8), 200, |_| ());
    keeps_the_laws(&Tron::<4>::START, 200, |_| ());
    keeps_the_laws(&Squad::START, 50, |_| ());
    keeps_the_laws(&Pig::<12>::START, 200, is_in_turns);
    keeps_the_laws(&Race::START, 200, is_in_turns);
    keeps_the_laws(&Deal::<5>::new(1, 4), 100, is_in_turns);
    for seed in 0..cases(200) {
        keeps_the_laws(&RandomJoint::<3, true>::new(seed, 8), 3, |_| ());
        keeps_the_laws(&RandomJoint::<2, true>::new(seed, 8), 3, |_| ());
        keeps_the_laws(&RandomJoint::<2, false>::new(seed, 8), 3, is_in_turns);
        keeps_the_laws(&RandomJoint::<1, false>::new(seed, 8), 3, is_in_turns);
    }
}

#[test]
fn a_game_in_turns_keeps_the_laws_and_its_values() {
    keeps_the_laws(&Turns::<_>(TicTacToe::START), 100, is_in_turns);
    let mut oracle = Oracle::new();
    assert_eq!(oracle.value(&Turns::<_>(TicTacToe::START)), 0.0);
    for seed in 0..cases(200) {
        let game = RandomTree::<2>::new(seed, 7);
        keeps_the_laws(&Turns::<_>(game.clone()), 2, is_in_turns);
        // A hash stands for one state of one game: each tree is another game.
        let value = Oracle::new().value(&Turns::<_>(game.clone()));
        let own = f64::from(negamax(&game, &Noise, 9).value().signum());
        assert_eq!(if game.to_move() == Player::FIRST { value } else { -value }, own, "{game:?}");
    }
}

//! The referee for games in which one player moves at a time, with a game of a few lines for two to four players.

use std::fmt;
use std::time::Duration;

use contest::history::History;
use contest::notation::Notation;
use contest::protocol::{GameReferee, Protocol};
use contest::{Fault, FaultKind, Limits, Referee, Seat, Sequential, Setup};
use coppice::{Game, List, Payoff, Player};

/// A pile; each in turn takes 1 to 3 of it, and who takes the last wins. With two left the only move is both.
#[derive(Debug, Clone, PartialEq)]
struct Nim<const N: usize = 2> {
    pile: u8,
    mover: Player,
}

impl<const N: usize> Game for Nim<N> {
    const PLAYERS: usize = N;
    type Move = u8;
    type Moves = List<u8, 3>;

    fn to_move(&self) -> Player {
        self.mover
    }

    fn moves(&self, list: &mut List<u8, 3>) {
        match self.pile {
            2 => list.push(2),
            pile => (1..=pile.min(3)).for_each(|count| list.push(count)),
        }
    }

    fn play(&mut self, count: u8) {
        *self = Nim { pile: self.pile - count, mover: Player::new(((self.mover.index() + 1) % N) as u8) };
    }

    fn payoff(&self, player: Player) -> Payoff {
        Payoff(if (player.index() + 1) % N == self.mover.index() { 1 } else { -1 })
    }

    fn hash(&self) -> u64 {
        coppice::rng::mix(u64::from(self.pile) << 8 | self.mover.index() as u64)
    }

    fn move_index(count: u8) -> u16 {
        count.into()
    }
}

impl<const N: usize> fmt::Display for Nim<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} left", self.pile)
    }
}

impl<const N: usize> Notation for Nim<N> {
    type Kind = Sequential;

    fn name(&self, _: Player, count: u8) -> String {
        format!("take{count}")
    }
}

/// The pile, and how many are taken. The referee plays the last two itself. With `goes_on` it takes one for a player who
/// forfeits.
#[derive(Default)]
struct Lines {
    goes_on: bool,
}

impl<const N: usize> Protocol<Nim<N>> for Lines {
    const MAX_OPENING_PLIES: u32 = 10;

    fn turn(&self, history: &History<Nim<N>>, _: Seat) -> String {
        format!("{}\n", history.game().pile)
    }

    fn read(&self, _: &Nim<N>, _: Player, answer: &str) -> Result<u8, Fault> {
        answer.parse().map_err(|_| "a number".into())
    }

    fn write(&self, _: &Nim<N>, _: Player, count: u8) -> String {
        count.to_string()
    }

    fn forced(&self, game: &Nim<N>, _: Player) -> Option<u8> {
        (game.pile == 2).then_some(2)
    }

    fn substitute(&self, _: &Nim<N>, _: Player) -> Option<u8> {
        self.goes_on.then_some(1)
    }
}

fn game(pile: u8, seed: u64, opening_plies: u32) -> GameReferee<Nim, Lines> {
    GameReferee::new(Nim { pile, mover: Player::FIRST }, Lines::default(), setup(seed, opening_plies))
}

fn setup(seed: u64, opening_plies: u32) -> Setup {
    let limits = Limits { first: Duration::from_secs(1), later: Duration::from_secs(1) };
    Setup { seed, opening_plies, limits }
}

#[test]
fn a_game_is_played_to_its_end() {
    let mut game = game(9, 1, 0);
    assert_eq!((game.asked(), game.turn(0), game.show()), (vec![0], "9\n".to_owned(), "9 left".to_owned()));
    assert_eq!(game.legal_moves(0), ["take1", "take2", "take3"]);
    assert_eq!(
        (game.answer_of(0, "take3"), game.answer_of(0, "take4")),
        ("3".to_owned(), "take4".to_owned())
    );
    assert_eq!(game.move_of(0, "3"), Ok("take3".to_owned()));
    game.answer(0, "3").expect("legal");
    game.answer(1, "3").expect("legal");
    game.answer(0, "1").expect("legal");
    // The second player's last move is forced.
    assert_eq!((game.asked(), game.scores()), (vec![], vec![0, 1]));
    assert_eq!(game.moves(), "take3 take3 take1 take2");
}

#[test]
fn faults_change_nothing() {
    let mut game = game(9, 1, 0);
    for (seat, answer, kind) in
        [(0, "x", FaultKind::Protocol), (0, "4", FaultKind::Illegal), (1, "1", FaultKind::Illegal)]
    {
        assert_eq!(game.answer(seat, answer).expect_err(answer).kind, kind, "{answer}");
    }
    assert_eq!((game.moves().as_str(), game.asked()), ("", vec![0]));
    game.forfeit(0);
    game.forfeit(1);
    assert_eq!((game.asked(), game.scores()), (vec![], vec![0, 1]), "the first forfeit decides");
}

/// With twelve on the pile no opening is longer than eleven plies, and most are over earlier.
#[test]
fn openings_leave_a_game_to_be_played() {
    for seed in 0..200 {
        let game = game(12, seed, 100);
        assert_eq!(game.asked().len(), 1, "{}", game.moves());
        let plies = game.moves().split_whitespace().count();
        assert!((1..=10).contains(&plies), "{plies}");
    }
    assert_eq!(game(12, 7, 4).moves(), game(12, 7, 4).moves());
    assert_eq!(game(1, 1, 5).moves(), "", "each opening would end the game");
}

#[test]
fn an_opening_is_given_move_by_move() {
    let mut game = game(7, 1, 0);
    assert!(game.open("4").is_err() && game.open("take4").is_err());
    game.open("take3").expect("legal");
    game.open("take2").expect("legal");
    // Two were left, which are taken by the referee.
    assert_eq!((game.asked(), game.moves().as_str()), (vec![], "take3 take2 take2"));
    assert!(game.open("take1").expect_err("over").to_string().contains("the game is over"));
}

#[test]
fn three_play_in_turn() {
    let mut game =
        GameReferee::new(Nim::<3> { pile: 9, mover: Player::FIRST }, Lines::default(), setup(1, 0));
    for (seat, answer) in [(0, "1"), (1, "3"), (2, "2"), (0, "1")] {
        assert_eq!(game.asked(), [seat]);
        game.answer(seat, answer).expect("legal");
    }
    // The second player's last move is forced.
    assert_eq!((game.asked(), game.scores()), (vec![], vec![0, 1, 0]));
    let mut game =
        GameReferee::new(Nim::<3> { pile: 9, mover: Player::FIRST }, Lines::default(), setup(1, 0));
    game.forfeit(0);
    assert_eq!((game.asked(), game.scores()), (vec![], vec![0, 1, 1]), "all others win");
}

#[test]
fn the_others_play_on_if_the_protocol_says_so() {
    let start = Nim::<3> { pile: 9, mover: Player::FIRST };
    let mut game = GameReferee::new(start, Lines { goes_on: true }, setup(1, 0));
    game.forfeit(0);
    assert_eq!((game.moves().as_str(), game.asked()), ("take1", vec![1]));
    // It is out: from now on the referee moves for it.
    game.forfeit(0);
    game.answer(1, "1").expect("legal");
    game.answer(2, "3").expect("legal");
    assert_eq!((game.moves().as_str(), game.asked()), ("take1 take1 take3 take1", vec![1]));
    game.answer(1, "3").expect("legal");
    assert_eq!((game.asked(), game.scores()), (vec![], vec![0, 1, 0]), "by the game's points");
}

//! Tests the rules of Wondev Woman, and what players believe, on the games that the published referee recorded. They list all
//! legal actions at each turn.

use bots::wondev::cells::{bit, NOWHERE};
use bots::wondev::league::League;
use bots::wondev::map::Kind;
use bots::wondev::position::guessed;
use bots::wondev::tools::contest::{recorded_start, Start};
use bots::wondev::{Action, Board, Position};
use contest::notation::{self, Notation};
use coppice::{Game, Player, Rng};
use coppice_arena::Recording;
use coppice_tests::{recorded, Recorded};

use super::assert_perft;

fn replayed(game: &Recorded, contest: &dyn contest::Contest) -> (String, Vec<i64>) {
    let recording = Recording::read(&game.logs).unwrap_or_else(|error| panic!("{error}"));
    let replayed = recording.replay(contest, 0, 0).unwrap_or_else(|error| panic!("{error}"));
    (replayed.moves, replayed.scores)
}

fn start(game: &Recorded) -> Board {
    let texts: Vec<String> =
        game.logs.iter().map(|path| std::fs::read_to_string(path).expect("a log")).collect();
    let sent = |text: &'static str| {
        let lines = text.lines().map_while(|line| line.strip_prefix("> "));
        lines.collect::<Vec<_>>()
    };
    let dialogues: Vec<_> = texts.into_iter().map(|text| sent(Box::leak(text.into_boxed_str()))).collect();
    recorded_start(&dialogues, false).expect("a start")
}

#[test]
fn the_first_league_ends_with_who_stands_on_top() {
    let contest = bots::contest("wondev").expect("wondev").variant("0").expect("the first league");
    for game in recorded("../data/wondev-0") {
        assert_eq!(replayed(&game, &*contest).1, game.scores);
    }
}

/// The most places that are possible at a turn on average, over the recorded games: 8.7 are, rounded up.
const MOST_ON_AVERAGE: usize = 9;

#[test]
fn a_belief_holds_the_true_place_at_each_turn_of_each_recorded_game() {
    let contest = bots::contest("wondev").expect("wondev");
    let (mut turns, mut places, mut likeliest) = (0, 0, 0);
    for game in recorded("wondev") {
        let mut position = Position::new(start(&game));
        for text in replayed(&game, contest).0.split_whitespace() {
            let truth = position.board.units[position.to_move().other().index()];
            let belief = position.belief();
            let holds = belief.guesses().iter().any(|guess| guess.units == truth);
            assert!(holds, "{} turn {turns}: {truth:?}\n{position}", game.name);
            (turns, places) = (turns + 1, places + belief.guesses().len());
            likeliest += usize::from(belief.best().is_some_and(|guess| guess.units == truth));
            let action = notation::read(&position, position.to_move(), text).expect("a legal action");
            position.play(action);
        }
        assert!(position.is_over(), "{}", game.name);
        assert_eq!(
            [Player::FIRST, Player::SECOND].map(|player| position.points(player)).to_vec(),
            game.scores
        );
    }
    println!("{turns} turns, {places} places, the likeliest right in {likeliest}");
    assert!(turns > 300 && places < MOST_ON_AVERAGE * turns, "{turns} {places}");
}

/// What is listed can be done, leads to what the other can see, and beliefs hold the truth in random games of each league.
#[test]
fn beliefs_hold_the_truth_in_random_games() {
    let mut rng = Rng::new(3);
    for seed in 0..6 {
        let mut position = Position::new(Start::Random(League::Fog, None).of(seed));
        while let Some(action) = position.random_move(&mut rng).filter(|_| !position.is_over()) {
            let me = position.to_move();
            let truth = position.board.units[me.other().index()];
            let seen = position.seen();
            let guess = position.belief().guesses().iter().find(|guess| guess.units == truth);
            let guess = guess.unwrap_or_else(|| panic!("{truth:?}\n{position}"));
            // A guess that is right lists the same actions, and nothing that isn't seen changes them.
            let lists = [position.board, guessed(&seen, me, guess), seen].map(|board| {
                let mut list = bots::wondev::board::Actions::default();
                board.list(&mut list);
                list.to_vec()
            });
            assert!(lists[0] == lists[1] && lists[0] == lists[2]);
            position.play(action);
            assert!(position.board.round <= bots::wondev::board::ROUNDS);
        }
    }
}

/// Counted by another program, written from the rules alone.
#[test]
fn perft_of_wondev_woman() {
    let cells = Kind::Square.cells(&mut Rng::new(1));
    let far = [[0, 9], [36, 27]];
    let near = [[0, 9], [18, 27]];
    for (league, units, counts) in [
        (League::Points, [[0, NOWHERE], [36, NOWHERE]], [18, 324, 11_917]),
        (League::Pushes, far, [49, 2361, 129_371]),
        (League::Pushes, near, [42, 3500, 161_458]),
        (League::Fog, far, [50, 2444, 137_630]),
        (League::Fog, near, [43, 3684, 176_610]),
    ] {
        assert_perft(&Board::new(league, cells, units), &counts);
    }
}

/// A hand-made case of each rule that fog adds.
#[test]
fn a_unit_that_is_not_seen_cancels_a_build_and_a_push() {
    // Own unit on (0, 0); the other's on (2, 0), two steps away.
    let cells = Kind::Square.cells(&mut Rng::new(1));
    let board = Board::new(League::Fog, cells, [[0, 36], [2, 28]]);
    let build: Action = "MOVE&BUILD 0 S NE".parse().expect("an action");
    let mut after = board;
    after.play(build);
    assert_eq!(after.height(1), 1, "nobody stands there");
    let build: Action = "MOVE&BUILD 0 E E".parse().expect("an action");
    assert!(notation::listed(&Position::new(board)).contains(&build), "it can be tried");
    let mut after = board;
    after.play(build);
    assert_eq!((after.height(2), after.units[0][0]), (0, 1), "the step is made, the build is not");
    // Own unit on (0, 0), the other's on (1, 0) and, unseen, on (2, 0).
    let board = Board::new(League::Fog, cells, [[0, 36], [1, 2]]);
    let push: Action = "PUSH&BUILD 0 E E".parse().expect("an action");
    assert!(notation::listed(&Position::new(board)).contains(&push), "it can be tried");
    let mut after = board;
    after.play(push);
    assert_eq!((after.units, after.at_least(1)), (board.units, 0));
    let push: Action = "PUSH&BUILD 0 E SE".parse().expect("an action");
    let mut after = board;
    after.play(push);
    assert_eq!((after.units[1][0], after.at_least(1)), (10, bit(1)));
}

//! Tests the referee's loop with scripted bots.

use std::time::Duration;

use crate::toy::{Alone, Auction, NIM};
use contest::{Contest, Limits, Setup};
use coppice_arena::{
    play, Bot, Ending, Entrant, Excess, Exit, GameError, Played, Player, Reply, ScriptedBot, Series, Usage,
};

const MS: Duration = Duration::from_millis(1);
const LIMITS: Limits = Limits { first: Duration::from_millis(1000), later: Duration::from_millis(100) };

fn setup(seed: u64, opening_plies: u32) -> Setup {
    Setup { seed, opening_plies, limits: LIMITS }
}

fn players(bots: impl IntoIterator<Item = ScriptedBot>) -> Vec<Player> {
    let boxed = bots.into_iter().map(|bot| Box::new(bot) as Box<dyn Bot>);
    ["A", "B", "C"].into_iter().zip(boxed).map(|(name, bot)| Player { name: name.to_owned(), bot }).collect()
}

fn nim(bots: [ScriptedBot; 2]) -> Played {
    play(NIM.new_game(setup(1, 0)).as_mut(), &mut players(bots), LIMITS, Duration::ZERO).unwrap()
}

/// Seat 0 gives `reply` on its second turn, after a valid first one.
fn second_turn(reply: Reply) -> Played {
    nim([ScriptedBot::new([Reply::line(MS, "1"), reply]), ScriptedBot::lines(["1", "1", "1"])])
}

#[test]
fn a_game_by_the_rules() {
    let bots = [ScriptedBot::lines(["3", "1"]), ScriptedBot::lines(["2"])];
    let diaries = [bots[0].diary(), bots[1].diary()];
    let played = nim(bots);
    assert_eq!(played.ending(), Ending::Normal);
    assert_eq!(played.scores, [1, 0]);
    assert_eq!(played.moves, "3 2 1");
    assert_eq!(played.times, [vec![MS; 2], vec![MS]]);
    let [first, second] = diaries.map(|diary| diary.borrow().clone());
    let asked = |text: &str, limit| (text.to_owned(), limit);
    assert_eq!(first.asked, [asked("0\n6\n", LIMITS.first), asked("1\n", LIMITS.later)]);
    assert_eq!(second.asked, [asked("1\n3\n", LIMITS.first)]);
    assert!(first.dismissed && first.stopped && second.dismissed && second.stopped);
    assert_eq!(played.dialogues[0].to_string(), "> 0\n> 6\n< 3\n> 1\n< 1\n");
    assert_eq!(played.dialogues[1].to_string(), "> 1\n> 3\n< 2\n");
}

#[test]
fn openings_are_recorded_apart_from_the_bots_moves() {
    let bots = [ScriptedBot::lines(["1"]), ScriptedBot::lines(["1", "1"])];
    let played = play(NIM.new_game(setup(0b101, 3)).as_mut(), &mut players(bots), LIMITS, MS);
    // The plies 2, 1 and 2 leave one, which seat 1 takes.
    let played = played.unwrap();
    assert_eq!((played.opening.as_str(), played.moves.as_str()), ("2 1 2", "2 1 2 1"));
    assert_eq!(played.scores, [0, 1]);
}

/// A game of one of this program's contests, whose bots give these replies.
fn game_of(contest: &str, bots: [Vec<Reply>; 2]) -> Played {
    let contests = bots_searches::contests();
    let contest = contests.iter().find(|known| known.name() == contest).unwrap();
    let mut players = players(bots.map(ScriptedBot::new));
    play(contest.new_game(setup(1, 0)).as_mut(), &mut players, LIMITS, Duration::ZERO).unwrap()
}

#[test]
fn a_line_too_many_is_a_fault_of_its_turn_in_every_contest() {
    let line = |text: &str| Reply::line(MS, text);
    for (contest, answers, site) in [
        ("tictactoe", ["0 0", "0 1", "1 1"], true),
        ("mnk", ["ok\nmove 0 0", "ok\nok\nmove 0 1", "move 1 1"], false),
    ] {
        let [first, others, extra] = answers;
        let two = Reply::Answer { after: MS, bytes: first.into(), extra: Some(extra.into()) };
        let played = game_of(contest, [vec![two], vec![]]);
        let fault = &played.faults[0];
        assert_eq!(
            (played.ending(), fault.turn, fault.forfeited_turn()),
            (Ending::Protocol, 1, 1),
            "{fault}"
        );
        assert_eq!((played.moves.as_str(), fault.expected.contains("the site takes")), ("", site), "{fault}");
        // The same line some time after the answer, which counts.
        let others = line(others);
        let late = Reply::Unasked { bytes: extra.into() };
        let played = game_of(contest, [vec![line(first), late], vec![others]]);
        let fault = &played.faults[0];
        assert_eq!(
            (played.ending(), fault.turn, fault.forfeited_turn()),
            (Ending::Protocol, 1, 2),
            "{fault}"
        );
        assert_eq!(played.moves.split(' ').count(), 2, "{}", played.moves);
        assert_eq!((played.times[0].len(), played.scores.as_slice()), (1, &[0, 1][..]));
        assert!(
            fault.to_string().contains("after its answer of turn 1")
                && fault.expected.contains("the site takes") == site
        );
        let before = game_of(contest, [vec![Reply::Unasked { bytes: b"hello".to_vec() }], vec![]]);
        let fault = before.faults[0].to_string();
        assert!(fault.starts_with("bot A (seat 0), before its first turn: protocol\n"), "{fault}");
        assert_eq!(before.dialogues[0].to_string(), "< hello\n");
    }
}

#[test]
fn bytes_that_are_no_text_are_replaced_where_the_platform_does() {
    let answer = |bytes: &[u8]| Reply::Answer { after: MS, bytes: bytes.to_vec(), extra: None };
    let played = game_of("reversi", [vec![answer(b"f5 MSG \xff\xfe")], Vec::new()]);
    assert_eq!((played.moves.as_str(), played.faults[0].seat), ("f5", 1));
    let played = game_of("tictactoe", [vec![answer(b"0 0\xff")], Vec::new()]);
    assert_eq!((played.ending(), played.faults[0].seat), (Ending::Protocol, 0));
}

#[test]
fn every_fault_has_its_ending() {
    let answer = |text: &str| Reply::line(MS, text);
    let closed = |exit| Reply::Closed { after: MS, bytes: b"1".to_vec(), exit };
    for (reply, ending) in [
        (answer("4"), Ending::IllegalMove),
        (answer("zz"), Ending::Protocol),
        (Reply::Answer { after: MS, bytes: vec![b'1', 0xff], extra: None }, Ending::Protocol),
        (Reply::Answer { after: MS, bytes: b"1".to_vec(), extra: Some(b"2".to_vec()) }, Ending::Protocol),
        (Reply::Unasked { bytes: b"1".to_vec() }, Ending::Protocol),
        (Reply::TooLong { after: MS, bytes: vec![b'1'; 10_001] }, Ending::Protocol),
        (Reply::Silent { after: 101 * MS, bytes: Vec::new() }, Ending::TimeOutLater),
        (Reply::line(101 * MS, "1"), Ending::TimeOutLater),
        (closed(Exit::Code(0)), Ending::NoOutput),
        (closed(Exit::Running), Ending::NoOutput),
        (closed(Exit::Code(101)), Ending::Crash),
        (closed(Exit::Signal(11)), Ending::Crash),
    ] {
        let played = second_turn(reply.clone());
        assert_eq!(played.ending(), ending, "{reply:?}");
        let [fault] = played.faults.as_slice() else { panic!("{reply:?}: {:?}", played.faults) };
        assert_eq!((fault.bot.as_str(), fault.seat, fault.forfeited_turn()), ("A", 0, 2), "{reply:?}");
        assert_eq!(fault.turn, if matches!(reply, Reply::Unasked { .. }) { 1 } else { 2 }, "{reply:?}");
        assert_eq!((played.scores, played.moves.as_str()), (vec![0, 1], "1 1"), "{reply:?}");
    }
}

#[test]
fn the_clock_is_checked_before_the_move() {
    for text in ["1", "9", "zz"] {
        let late = Reply::line(LIMITS.first + Duration::from_micros(1), text);
        let played = nim([ScriptedBot::new([late]), ScriptedBot::lines([])]);
        assert_eq!(played.ending(), Ending::TimeOutFirst, "{text}");
        assert_eq!(played.faults[0].received, format!("\"{text}\" after 1000.001 ms"));
    }
    let in_time = nim([ScriptedBot::new([Reply::line(LIMITS.first, "9")]), ScriptedBot::lines([])]);
    assert_eq!(in_time.ending(), Ending::IllegalMove);
}

#[test]
fn grace_is_added_to_both_limits() {
    let bots = || {
        let slow = [Reply::line(1010 * MS, "3"), Reply::line(110 * MS, "1")];
        [ScriptedBot::new(slow), ScriptedBot::lines(["2"])]
    };
    assert_eq!(nim(bots()).ending(), Ending::TimeOutFirst);
    let graceful = play(NIM.new_game(setup(1, 0)).as_mut(), &mut players(bots()), LIMITS, 10 * MS).unwrap();
    assert_eq!(graceful.ending(), Ending::Normal);
}

#[test]
fn a_fault_reports_all_details() {
    let bot = ScriptedBot::lines(["zz\u{1b}"]).with_stderr("depth 3\nlost my mind\n");
    let played = nim([ScriptedBot::lines(["1"]), bot]);
    let expected = "\
bot B (seat 1), turn 1: protocol
  expected: a number
  received: \"zz\\x1b\"
  last lines of its standard error:
    depth 3
    lost my mind";
    assert_eq!(played.faults[0].to_string(), expected);
    assert_eq!(played.dialogues[1].to_string(), "> 1\n> 5\n< zz\\x1b\n");
}

#[test]
fn numbers_on_stderr_are_kept_by_seat() {
    let said = ScriptedBot::lines(["1"]).with_stderr("[TDATA] depth = 3\nwell\n[PDATA] elo = 7\n");
    let played = nim([said, ScriptedBot::lines([])]);
    assert_eq!((played.data[0].tdata["depth"].mean, played.data[0].pdata["elo"]), (3.0, 7.0));
    assert!(played.data[1].is_empty());
    assert_eq!(played.usage, [Usage::default(); 2]);
}

#[test]
fn resource_limits_end_a_bot_but_a_time_out_takes_precedence() {
    let cpu = Excess::Cpu { used: Some(101 * MS), allowed: 100 * MS };
    let played = nim([ScriptedBot::lines(["zz"]).with_excess(cpu), ScriptedBot::lines([])]);
    assert_eq!((played.ending(), played.scores), (Ending::CpuLimit, vec![0, 1]));
    assert_eq!(played.faults[0].received, "101 ms");
    let memory = Excess::Memory { used_bytes: Some(7_500_000), allowed_bytes: 5_000_000 };
    let late = Reply::line(LIMITS.first + MS, "1");
    let played = nim([ScriptedBot::lines(["1"]), ScriptedBot::lines(["1"]).with_excess(memory)]);
    assert_eq!((played.ending(), played.faults[0].seat), (Ending::MemoryLimit, 1));
    let played = nim([ScriptedBot::new([late]).with_excess(memory), ScriptedBot::lines([])]);
    assert_eq!(played.ending(), Ending::TimeOutFirst);
}

#[test]
fn late_and_extra_lines_are_in_the_dialogue() {
    let silent = second_turn(Reply::Silent { after: 150 * MS, bytes: Vec::new() });
    assert_eq!(silent.dialogues[0].to_string(), "> 0\n> 6\n< 1\n> 4\n");
    let extra = second_turn(Reply::Answer { after: MS, bytes: b"1".to_vec(), extra: Some(b"2".to_vec()) });
    assert_eq!(extra.dialogues[0].to_string(), "> 0\n> 6\n< 1\n> 4\n< 1\n< 2\n");
    let unasked = second_turn(Reply::Unasked { bytes: b"2".to_vec() });
    assert_eq!(unasked.dialogues[0].to_string(), "> 0\n> 6\n< 1\n< 2\n");
}

fn auction(bots: [ScriptedBot; 3], asks_eliminated: bool) -> Result<Played, GameError> {
    let mut game = Auction { asks_eliminated }.new_game(setup(1, 0));
    play(game.as_mut(), &mut players(bots), LIMITS, Duration::ZERO)
}

#[test]
fn simultaneous_seats_see_the_same_state() {
    let bots = [1, 2, 3].map(|i| ScriptedBot::lines([format!("{i}\n{i}").as_str(); 3]));
    let diaries = [bots[0].diary(), bots[1].diary(), bots[2].diary()];
    let played = auction(bots, false).unwrap();
    assert_eq!((played.ending(), played.scores), (Ending::Normal, vec![6, 12, 18]));
    for diary in diaries {
        let diary = diary.borrow();
        let texts = diary.asked.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>();
        assert_eq!(texts, ["[0, 0, 0]\n", "[2, 4, 6]\n", "[4, 8, 12]\n"]);
    }
    assert!(played.dialogues[2].to_string().starts_with("> [0, 0, 0]\n< 3\n< 3\n> "));
}

#[test]
fn the_others_play_on_after_a_fault() {
    let dies_in_round_2 = ScriptedBot::new([Reply::line(MS, "5\n5"), Reply::line(MS, "zz\n")]);
    let diary = dies_in_round_2.diary();
    let bots = [ScriptedBot::lines(["1\n1"; 3]), dies_in_round_2, ScriptedBot::lines(["2\n2"; 3])];
    let played = auction(bots, false).unwrap();
    assert_eq!(played.scores, [6, 10, 12]);
    assert_eq!(played.faults.len(), 1);
    assert_eq!(diary.borrow().asked.len(), 2);
}

#[test]
fn several_can_be_at_fault_in_one_round() {
    let bots = [ScriptedBot::lines(["x\n1"]), ScriptedBot::lines(["2\n2"; 3]), ScriptedBot::lines([])];
    let played = auction(bots, false).unwrap();
    let blamed = played.faults.iter().map(|f| (f.seat, f.ending)).collect::<Vec<_>>();
    assert_eq!(blamed, [(0, Ending::Protocol), (2, Ending::NoOutput)]);
    assert_eq!(played.scores, [0, 12, 0]);
}

#[test]
fn asking_an_eliminated_seat_is_an_error() {
    let bots = [ScriptedBot::lines([]), ScriptedBot::lines(["2\n2"; 3]), ScriptedBot::lines(["2\n2"; 3])];
    assert_eq!(auction(bots, true), Err(GameError::AsksNobody(0)));
}

fn seatings(
    contest: &dyn Contest,
    bots: usize,
    lineups: Option<Vec<Vec<usize>>>,
) -> Vec<(u32, u64, Vec<usize>)> {
    let bot = Entrant::parse("./no-such-bot").unwrap();
    let mut series = Series::new(contest, vec![bot; bots]);
    series.lineups = lineups.unwrap_or(series.lineups);
    (1..=8).map(|game| series.fixture(game)).map(|f| (f.group, f.seed, f.seating)).collect()
}

#[test]
fn each_opening_is_played_once_in_every_rotation_of_the_seats() {
    let three = seatings(&Auction { asks_eliminated: false }, 3, None);
    let by_seat = three.iter().map(|(_, _, seating)| seating.clone()).collect::<Vec<_>>();
    assert_eq!(by_seat[..4], [vec![0, 1, 2], vec![1, 2, 0], vec![2, 0, 1], vec![0, 1, 2]]);
    assert!(three[..3].iter().all(|game| (game.0, game.1) == (0, three[0].1)));
    assert_ne!(three[2].1, three[3].1);
}

#[test]
fn line_ups_alternate_and_share_openings() {
    let lineups = vec![vec![0, 1], vec![0, 2], vec![1, 2]];
    let games = seatings(&NIM, 3, Some(lineups));
    let by_seat = games.iter().map(|(_, _, seating)| seating.clone()).collect::<Vec<_>>();
    assert_eq!(by_seat[..6], [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]);
    assert_eq!(games.iter().map(|game| game.0).collect::<Vec<_>>(), [0, 0, 1, 1, 2, 2, 3, 3]);
    assert!(games[..6].iter().all(|game| game.1 == games[0].1));
    assert_ne!(games[5].1, games[6].1);
}

#[test]
fn single_player_bots_share_seeds() {
    let games = seatings(&Alone, 2, None);
    assert_eq!(games[..3].iter().map(|game| game.2.clone()).collect::<Vec<_>>(), [[0], [1], [0]]);
    assert_eq!(games[0].1, games[1].1);
    assert_ne!(games[1].1, games[2].1);
}

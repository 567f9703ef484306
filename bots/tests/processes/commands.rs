//! Tests real bots as processes with the command-line protocol.

use crate::piped::run;

/// Runs a bot on a whole input; returns its answers and its exit status.
fn answers(program: &str, nodes: &str, input: &str) -> (Vec<String>, Option<i32>) {
    let ended = run(program, &["--nodes", nodes], input.as_bytes());
    (ended.answers, ended.status)
}

const MANCALA: &str = env!("CARGO_BIN_EXE_mancala");
const BOOP: &str = env!("CARGO_BIN_EXE_boop");
const OWARE: &str = env!("CARGO_BIN_EXE_oware");
const MNK: &str = env!("CARGO_BIN_EXE_mnk");
const FRECKERS: &str = env!("CARGO_BIN_EXE_freckers");

#[test]
fn each_line_is_answered() {
    let input =
        "go\ninit 6 4\ninit 6 4 0 2 100\ninit 6 4 0 0 100\ngo\nplay 6\nplay x\nplay 2\nhello\nquit\nplay 1\n";
    let (answers, status) = answers(MANCALA, "100", input);
    assert_eq!(
        answers,
        [
            "error go before init",
            "error expected init M N EMPTY(0|1) first(0|1) ms",
            "error expected init M N EMPTY(0|1) first(0|1) ms",
            "ok",
            "error it is your move",
            "error \"6\" is not a move",
            "error \"x\" is not a move",
            "ok",
            "error unknown command; available: init, play, go and quit",
        ]
    );
    assert_eq!(status, Some(0));
}

/// With one hole of one counter a side, two moves end the game.
#[test]
fn the_end_is_said_by_whoever_makes_the_last_move() {
    let (answers, status) =
        answers(MANCALA, "100", "init 1 1 0 1 100\ngo\ngo\nplay 0\ninit 1 1 0 0 100\nplay 0\n");
    assert_eq!(
        answers,
        [
            "ok",
            "move 0",
            "end draw",
            "error the game is over",
            "error the game is over",
            "ok",
            "ok",
            "end draw"
        ]
    );
    assert_eq!(status, Some(0), "the input's end is no fault");
}

#[test]
fn a_win_in_one_is_played_and_a_threat_is_met() {
    let opening = "init 3 3 3 1 100\nplay 0 0\nplay 1 0\nplay 0 1\nplay 1 1\ngo\n";
    assert_eq!(answers(MNK, "5000", opening).0[5..], ["move 0 2", "end first"]);
    let (replies, _) =
        answers(MNK, "5000", "init 3 3 3 0 100\nplay 0 0\nplay 1 1\nplay 0 1\ngo\nplay 0 2\nplay 2 0\n");
    assert_eq!(replies[4..], ["move 0 2", "error 0 2 is not a legal move", "ok"]);
}

/// An invalid board is refused with a reason, and the next one is played.
#[test]
fn boards_of_absurd_size_are_refused() {
    let sides = "error expected 1 to 70 rows and columns, and as many in a line";
    let usage = "error expected init M N K first(0|1) ms";
    let refused = [
        ("init 0 7 5 1 100", sides),
        ("init 7 0 5 1 100", sides),
        ("init 7 7 0 1 100", sides),
        ("init 71 7 5 1 100", sides),
        ("init 1000000000 1000000000 5 1 100", sides),
        ("init 7 7 1000000000 1 100", sides),
        ("init 99999999999999999999 7 5 1 100", sides),
        ("init -7 7 5 1 100", sides),
        ("init 7.0 7 5 1 100", sides),
        ("init 12 12 13 1 100", "error 13 in a line don't fit on 12 by 12 cells"),
        ("init 71 7 5 1 100", sides),
        ("init 3 4 5 1 100", "error 5 in a line don't fit on 3 by 4 cells"),
        ("init 7 7 1 100", "error expected M N K, found \"7 7\""),
        ("init 7 7 5 5 1 100", "error expected M N K, found \"7 7 5 5\""),
        ("init 7 7 5 2 100", usage),
        ("init 7 7 5 1 0", usage),
        ("init 7 7 5 1 -1", usage),
        ("init 7 7 5 1 999999999999", usage),
        ("init", usage),
        ("init 7", usage),
    ];
    let mut input: String = refused.iter().map(|(line, _)| format!("{line}\n")).collect();
    input += "go\ninit 1 2 1 1 100\nplay 1 0\nplay 0 -1\nplay 0\nplay\nplay 0 0 0\nplay 0 300\nplay 0 99999999999\ngo\n";
    let (replies, status) = answers(MNK, "100", &input);
    let (of_init, others) = replies.split_at(refused.len());
    for ((line, expected), found) in refused.iter().zip(of_init) {
        assert_eq!(found, expected, "{line}");
    }
    assert_eq!(others[..2], ["error go before init", "ok"]);
    assert!(others[2..9].iter().all(|line| line.starts_with("error ")), "{others:?}");
    assert_eq!(others[10], "end first", "one in a line wins at once: {others:?}");
    assert_eq!(status, Some(0), "the input's end is no fault");
}

/// The largest board is played too, where the first answer's time includes the start-up.
#[test]
fn the_largest_board_is_played() {
    let (replies, status) = answers(MNK, "2000", "init 70 70 10 1 100\ngo\nplay 0 0\ngo\nquit\n");
    assert_eq!((replies.len(), replies[0].as_str(), replies[2].as_str()), (4, "ok", "ok"));
    assert!(replies[1].starts_with("move ") && replies[3].starts_with("move "), "{replies:?}");
    assert_eq!(status, Some(0));
}

#[test]
fn turns_of_boop_are_read_or_refused() {
    let input =
        "init 1\ninit 3 3 1 100\ninit 0 100\nplay s 6 0\nplay x 1 1\nplay s 1\nplay l 2 2\nplay s 2 2 2,2\n\
                 play s 2 2 9\nplay s 2 2\nplay s 2 2\nboop\n";
    let (answers, status) = answers(BOOP, "100", input);
    let usage = "error expected init first(0|1) ms";
    assert_eq!(answers[0].replace("  ", " "), usage);
    assert!(answers[1].starts_with("error expected "), "{}", answers[1]);
    assert_eq!(
        answers[2..],
        [
            "ok",
            "error \"s 6 0\" is not a move",
            "error \"x 1 1\" is not a move",
            "error \"s 1\" is not a move",
            "error l 2 2 is not a legal move",
            "error s 2 2 2,2 is not a legal move",
            "error \"s 2 2 9\" is not a move",
            "ok",
            "error s 2 2 is not a legal move",
            "error unknown command; available: init, play, go and quit",
        ]
    );
    assert_eq!(status, Some(0));
}

/// Three in a row must be promoted, and their cells may come in any order.
#[test]
fn groups_of_boop_are_read_in_any_order() {
    let cells = "22 23 33 22 13 32 41 33 22 14 13 30 35 34 35".split(' ');
    let plays: String = cells.map(|cell| format!("play s {} {}\n", &cell[..1], &cell[1..])).collect();
    for (turn, answer) in [
        ("s 2 5 3,3 4,3 5,3", "ok"),
        ("s 2 5 5,3 3,3 4,3", "ok"),
        ("s 2 5", "error s 2 5 is not a legal move"),
        ("s 2 5 3,3", "error s 2 5 3,3 is not a legal move"),
        ("s 2 5 3,3 4,3", "error \"s 2 5 3,3 4,3\" is not a move"),
        ("s 2 5 3,3 3,3 5,3", "error \"s 2 5 3,3 3,3 5,3\" is not a move"),
        ("s 2 5 3,3 4,3 5,3 5,4", "error \"s 2 5 3,3 4,3 5,3 5,4\" is not a move"),
    ] {
        let (answers, status) = answers(BOOP, "100", &format!("init 1 100\n{plays}play {turn}\n"));
        assert_eq!(answers[..16], ["ok"; 16]);
        assert_eq!((answers[16..].concat().as_str(), status), (answer, Some(0)));
    }
}

#[test]
fn frogs_go_where_they_can_and_nowhere_else() {
    let input = "play grow\ninit 1 100\ninit red\ninit green 100\ninit blue 0\ninit blue 100\ngo\nplay 1,1\nplay hop\n\
                 play 0,1 2,1\nplay 7,1 6,1\nplay 0,8 1,7\nplay 0,2 0,0\nplay 7,1 6,1\nplay grow\ninit red 100\n\
                 play 0,1 0,0\nplay 7,1 7,0\nplay 0,2 0,1\nplay grow\nplay grow\nplay 0,0 0,2 0,0\nplay 0,0 0,2\nmove\nquit\ngo\n";
    let (answers, status) = answers(FRECKERS, "100", input);
    let usage = "error expected init red|blue ms";
    let expected = [
        "error play before init",
        usage,
        usage,
        usage,
        usage,
        "ok",
        "error it is your move",
        "error \"1,1\" is not a move",
        "error \"hop\" is not a move",
        "error 0,1 2,1 is not a legal move",
        "error 7,1 6,1 is not a legal move",
        "error \"0,8 1,7\" is not a move",
        "ok",
        "ok",
        "ok",
        "ok",
        "ok",
        "ok",
        "error 0,2 0,1 is not a legal move",
        "ok",
        "ok",
        "error 0,0 0,2 0,0 is not a legal move",
        "error 0,0 0,2 is not a legal move",
        "error unknown command; available: init, play, go and quit",
    ];
    assert_eq!(answers, expected);
    assert_eq!(status, Some(0));
}

/// Plays both colours, in a new process each turn; each can play the other's moves.
#[test]
fn a_game_of_frogs_is_played_to_its_end() {
    let mut moves: Vec<String> = Vec::new();
    let mut ended = false;
    while !ended {
        assert!(moves.len() < 150, "{moves:?}");
        let colour = ["red", "blue"][moves.len() % 2];
        let played: String = moves.iter().map(|text| format!("play {text}\n")).collect();
        let (answers, status) = answers(FRECKERS, "20", &format!("init {colour} 100\n{played}go\n"));
        assert_eq!(status, Some(0), "the input's end is no fault");
        let (oks, reply) = answers.split_at(moves.len() + 1);
        assert!(oks.iter().all(|ok| ok == "ok"), "{oks:?}");
        moves.push(reply[0].strip_prefix("move ").expect("a move").to_owned());
        ended = reply.len() == 2;
        assert!(!ended || ["end first", "end second", "end draw"].contains(&&*reply[1]), "{reply:?}");
    }
    assert!(moves.len() > 20, "{moves:?}");
}

/// Boards of absurd size, missing holes and empty holes are refused, and the game goes on.
#[test]
fn absurd_boards_and_empty_holes_are_refused() {
    let refused = "error expected 1 to 6 holes a side, at most 128 counters in all, and 0 or 1";
    for variant in
        ["0 4 0", "7 4 0", "6 0 0", "6 11 0", "1000000000 4 0", "6 99999999999999999999 0", "-6 4 0", "6 4 2"]
    {
        let (replies, status) = answers(MANCALA, "100", &format!("init {variant} 1 100\ngo\n"));
        assert_eq!(replies, [refused, "error go before init"], "{variant}");
        assert_eq!(status, Some(0));
    }
    let input =
        "init 6 4 0 0 100\nplay 99999999999999999999\nplay -1\nplay\nplay 2\nplay 2\nplay 0\ngo\nquit\n";
    let (replies, status) = answers(MANCALA, "100", input);
    assert_eq!(
        replies[..7],
        [
            "ok",
            "error \"99999999999999999999\" is not a move",
            "error \"-1\" is not a move",
            "error \"\" is not a move",
            "ok",
            "error 2 is not a legal move",
            "ok"
        ]
    );
    assert!(replies[7].starts_with("move "), "{replies:?}");
    assert_eq!(status, Some(0));
}

/// Counts are answered by the platform's protocol, commands by the arena's.
#[test]
fn oware_speaks_two_protocols() {
    let (moves, status) = answers(OWARE, "500", "4 4 4 4 4 4 4 4 4 4 4 4\n");
    let is_hole = |text: &String| text.parse::<u8>().is_ok_and(|hole| hole < 6);
    assert!(moves.len() == 1 && is_hole(&moves[0]), "{moves:?}");
    assert_eq!(status, Some(0));
    let (moves, status) = answers(OWARE, "500", "4 4 4 4 4 4 4 4 4 4 4\n");
    assert_eq!((moves.len(), status), (0, Some(1)));
    let (replies, status) = answers(OWARE, "500", "init 0 1 50\ngo\ninit 3 1 50\nquit\n");
    assert!(replies.len() == 3 && replies[0] == "ok" && replies[1].starts_with("move "), "{replies:?}");
    assert!(replies[2].starts_with("error expected the grand slam's rule: 0, "), "{replies:?}");
    assert_eq!(status, Some(0));
}

//! Tests rules, notation and protocol against known facts and slow, obviously correct versions.

use coppice::input::Input;
use coppice::{perft, Ended, Game, Player, Rng};

use super::board::{mobility, CellList};
use super::lines::flips;
use super::protocol::{read_answer, read_turn, write_turn};
use super::{Board, Cell};

/// Perft counts of Othello by depth. A pass counts as a ply, and a finished game counts as one leaf.
const PERFT: [u64; 12] = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390_216, 3_005_288, 24_571_284, 212_258_800];

#[test]
fn perft_to_depth_8() {
    for (depth, &count) in PERFT.iter().enumerate().take(9) {
        assert_eq!(perft(&Board::START, depth as u32, Ended::Counted), count, "depth {depth}");
    }
}

#[test]
#[ignore = "deep"]
fn perft_to_depth_11() {
    for (depth, &count) in PERFT.iter().enumerate().skip(9) {
        assert_eq!(perft(&Board::START, depth as u32, Ended::Counted), count, "depth {depth}");
    }
}

/// The discs that flip, found by walking the board one step at a time.
fn slow_flips(cell: Cell, own: u64, opponent: u64) -> u64 {
    let at = |x: i32, y: i32| 1u64 << (8 * y + x);
    let on_board = |x: i32, y: i32| (0..8).contains(&x) && (0..8).contains(&y);
    let (x0, y0) = (cell.bit() as i32 % 8, cell.bit() as i32 / 8);
    let mut all = 0;
    for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
        let (mut x, mut y, mut run) = (x0 + dx, y0 + dy, 0);
        while on_board(x, y) && opponent & at(x, y) != 0 {
            run |= at(x, y);
            (x, y) = (x + dx, y + dy);
        }
        if on_board(x, y) && own & at(x, y) != 0 {
            all |= run;
        }
    }
    all
}

/// Positions of random games, and boards of random discs that no game reaches.
fn positions() -> Vec<Board> {
    let mut rng = Rng::new(7);
    let mut boards = Vec::new();
    for _ in 0..60 {
        let mut board = Board::START;
        while let Some(cell) = board.random_move(&mut rng) {
            boards.push(board);
            board.play(cell);
        }
        boards.push(board);
    }
    for _ in 0..500 {
        let (own, opponent, used) = (rng.next_u64(), rng.next_u64(), rng.next_u64());
        boards.push(Board::new(own & !opponent & used, opponent & used, Player::FIRST));
    }
    boards
}

/// Positions of random games with `empties` empty cells.
pub(super) fn ends(empties: u32, count: usize) -> Vec<Board> {
    let mut rng = Rng::new(u64::from(empties));
    let mut boards = Vec::new();
    while boards.len() < count {
        let mut board = Board::START;
        while board.empty().count_ones() > empties {
            match board.random_move(&mut rng) {
                Some(cell) => board.play(cell),
                None => break,
            }
        }
        if !board.is_over() {
            boards.push(board);
        }
    }
    boards
}

#[test]
fn flips_and_mobility_are_what_a_walk_over_the_board_finds() {
    for board in positions() {
        let (own, opponent) = (board.own(), board.opponent());
        let mut legal = 0;
        for bit in (0..64).filter(|bit| board.empty() >> bit & 1 == 1) {
            let cell = Cell::new(bit);
            let flipped = slow_flips(cell, own, opponent);
            assert_eq!(flips(cell, own, opponent), flipped, "{cell} on {board:?}");
            legal |= if flipped != 0 { cell.board() } else { 0 };
        }
        assert_eq!(mobility(own, opponent), legal, "{board:?}");
    }
}

#[test]
fn listed_counted_and_drawn_moves_agree() {
    let mut rng = Rng::new(3);
    for board in positions() {
        let mut list = CellList::default();
        board.moves(&mut list);
        assert_eq!(board.count_moves(), list.len());
        assert_eq!(list.is_empty(), board.is_over());
        let drawn = board.random_move(&mut rng);
        assert_eq!(drawn.is_none(), list.is_empty());
        assert!(drawn.is_none_or(|cell| list.contains(&cell)));
    }
}

#[test]
fn a_pass_hands_the_move_over_and_is_the_only_move() {
    let mut passes = 0;
    for board in positions() {
        let mut list = CellList::default();
        board.moves(&mut list);
        if list.contains(&Cell::PASS) {
            passes += 1;
            assert_eq!(list.len(), 1);
            let next = board.after(Cell::PASS);
            assert_eq!((next.own(), next.opponent()), (board.opponent(), board.own()));
            assert_eq!(next.to_move(), board.to_move().other());
        }
    }
    assert!(passes > 10, "{passes} passes among the positions");
}

#[test]
fn payoffs_add_up_to_zero() {
    for board in positions() {
        assert_eq!(board.payoff(Player::FIRST).0 + board.payoff(Player::SECOND).0, 0);
    }
}

#[test]
fn no_two_different_positions_hash_alike() {
    let mut seen = std::collections::HashMap::new();
    for board in positions() {
        let discs = (board.own(), board.opponent());
        assert_eq!(*seen.entry(board.hash()).or_insert(discs), discs);
    }
}

#[test]
fn a_turn_goes_through_both_sides_of_the_protocol() {
    for board in positions() {
        let mut actions = CellList::default();
        board.moves(&mut actions);
        if board.mobility() == 0 || actions.len() > 60 {
            continue;
        }
        for history in [None, Some("c4;f5;"), Some("pass;")] {
            let text = write_turn(&board, history, &actions).replace('\n', "\r\n");
            let turn = read_turn(&mut Input::new(text.as_bytes()), board.to_move()).unwrap();
            assert_eq!(turn.board, board);
            assert_eq!(*turn.actions, *actions);
        }
    }
}

#[test]
fn malformed_turns_are_named() {
    let good = write_turn(&Board::START, None, &["d3".parse().unwrap()]);
    for (from, to, expected) in [
        ("...10...", "...10..", "input line 4: expected a row of the board"),
        ("...10...", "...1O...", "input line 4: expected a row of the board"),
        ("\n1\n", "\n0\n", "input line 9: expected the number of moves"),
        ("\n1\n", "\n1000000000000\n", "input line 9: expected the number of moves"),
        ("d3", "d9", "input line 10: expected a move, a1 to h8, found \"d9\""),
    ] {
        let text = good.replace(from, to);
        let error = read_turn(&mut Input::new(text.as_bytes()), Player::FIRST).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn answers_are_read_as_the_platform_reads_them() {
    let cell = |text: &str| text.parse::<Cell>().unwrap();
    for (line, expert, name) in [
        ("d3", false, "d3"),
        ("EXPERT h8", true, "h8"),
        ("a1 MSG hello d3", false, "a1"),
        ("EXPERT c4 MSG", true, "c4"),
        ("F5", false, "f5"),
        ("EXPERT F5", true, "f5"),
        ("F5 MSG Hi", false, "f5"),
        (" f5", false, "f5"),
        ("\tf5", false, "f5"),
        ("f5 ", false, "f5"),
        ("f 5", false, "f5"),
        ("f5MSGhi", false, "f5"),
        ("f5  MSG hi", false, "f5"),
        ("f5\tMSG hi", false, "f5"),
        ("EXPERTf5", true, "f5"),
        ("EXPERT  f5", true, "f5"),
        ("f5 EXPERT", true, "f5"),
        ("EXPERT EXPERT f5", true, "f5"),
        ("f5 MSG EXPERT", false, "f5"),
    ] {
        let answer = read_answer(line).unwrap();
        assert_eq!((answer.expert, answer.cell), (expert, cell(name)), "{line}");
    }
    for line in
        ["", "zz", "d9", "pass", "EXPERT", "d3 hello", "d3 d4", "MSG d3", "d33", "expert d3", "d3 msg"]
    {
        assert_eq!(read_answer(line), None, "{line}");
    }
}

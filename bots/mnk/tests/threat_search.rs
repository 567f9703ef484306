//! Tests the bot's search: what it must not miss, and that what it proves is true.

use coppice::clock::Meter;
use coppice::search::negamax;
use coppice::{Budget, Game, Player, Report, Rng, Search};

use crate::mnk::field::Field;
use crate::mnk::strategy::{Numbers, Strategy};
use crate::mnk::threats::Threats;
use crate::mnk::{Board, Cell, Heuristic};

const CELLS: usize = 225;

/// Parses a position from rows of `x`, `o` and `.`, with equal numbers of both or one `x` more.
fn board(in_line: usize, rows: &[&str]) -> Board<CELLS> {
    let mut board = Board::new(rows.len(), rows[0].len(), in_line);
    let of = |mark: char| {
        let row = move |(i, row): (usize, &&str)| {
            let cells: Vec<Cell> =
                row.match_indices(mark).map(|(at, _)| Cell::new(i as u8, at as u8)).collect();
            cells
        };
        rows.iter().enumerate().flat_map(row).collect::<Vec<Cell>>()
    };
    let (first, second) = (of('x'), of('o'));
    for (i, &cell) in first.iter().enumerate() {
        board.play(cell);
        second.get(i).into_iter().for_each(|&cell| board.play(cell));
    }
    board
}

fn search(board: &Board<CELLS>, nodes: u64) -> Report<Cell> {
    Strategy::new(board, Numbers::default(), 1 << 20).search(board, Budget::nodes(nodes))
}

fn best(board: &Board<CELLS>, nodes: u64) -> (u8, u8) {
    let cell = search(board, nodes).best.expect("a move");
    (cell.row, cell.column)
}

#[test]
fn a_win_in_one_is_taken_and_one_of_the_other_is_met() {
    // Both could complete a line: the player to move does.
    let rows = ["xxxx...", "oooo...", ".......", ".......", ".......", ".......", "......."];
    let taken = search(&board(5, &rows), 0);
    assert_eq!(taken.best, Some(Cell::new(0, 4)));
    assert_eq!((taken.score.plies_to_end(), taken.solved), (Some(1), true));
    let rows = ["xxxx...", "ooo....", ".......", ".......", ".......", ".......", "......."];
    assert_eq!(best(&board(5, &rows), 0), (0, 4));
}

/// Two fours at once win in three plies. The opponent's are met by a mark on the cell or by blocking a line.
#[test]
fn double_threats_are_made_and_met() {
    let rows = [".......", ".xxx...", "x....o.", "x...oo.", "x....o.", ".o.....", "......."];
    let made = search(&board(5, &rows), 2_000);
    assert_eq!((made.score.plies_to_end(), made.solved), (Some(3), true), "{made:?}");
    // An open three of four in a line must be stopped at one of its ends.
    let rows = [".......", ".......", "..xx...", "...o...", ".......", ".......", "......."];
    let mut open = board(4, &rows);
    open.play(Cell::new(6, 6));
    open.play(Cell::new(6, 0));
    assert!(search(&open, 2_000).score.is_win());
}

#[test]
fn forced_wins_are_found_over_several_threats() {
    // The opponent answers a four in the third row at its open end. The mark also makes three in a column, which
    // becomes a four with two open ends.
    let rows = [
        ".........",
        ".........",
        "oxxx.....",
        "......o..",
        "....x....",
        "....x....",
        ".........",
        "......o..",
        "o.......o",
    ];
    let board = board(5, &rows);
    let mut field = Field::new(9, 9, 5);
    for (row, text) in rows.iter().enumerate() {
        for (column, mark) in text.chars().enumerate() {
            if let Some(player) = "xo".find(mark) {
                field.put(9 * row + column, player);
            }
        }
    }
    let mut threats = Threats::new(1 << 10);
    let mut meter = Meter::new(Budget::nodes(1_000));
    let forced = threats.search(&mut field, &mut meter, 0, 1_000).expect("a forced win");
    assert_eq!(forced.plies, 5);
    assert_eq!(threats.search(&mut field, &mut meter, 1, 1_000), None);
    let report = search(&board, 2_000);
    assert_eq!((report.score.is_win(), report.solved), (true, true));
}

fn value(rows: usize, columns: usize, in_line: usize, nodes: u64) -> Option<i32> {
    let start = Board::<CELLS>::new(rows, columns, in_line);
    let mut strategy = Strategy::new(&start, Numbers::default(), 64 << 20);
    let report = strategy.search(&start, Budget::nodes(nodes));
    report.solved.then(|| report.score.value().signum())
}

#[test]
fn small_boards_are_solved() {
    let draws = [(3, 3, 3), (4, 4, 4), (3, 3, 5), (1, 9, 3)];
    let wins =
        [(4, 3, 3), (4, 4, 3), (2, 5, 2), (6, 5, 4), (6, 6, 4), (7, 5, 4), (7, 6, 4), (7, 7, 4), (8, 8, 4)];
    for (rows, columns, in_line) in draws {
        assert_eq!(value(rows, columns, in_line, 8_000_000), Some(0), "{rows},{columns},{in_line}");
    }
    for (rows, columns, in_line) in wins {
        assert_eq!(value(rows, columns, in_line, 1_000_000), Some(1), "{rows},{columns},{in_line}");
    }
}

#[test]
#[ignore = "ten seconds in a release build"]
fn a_larger_board_is_drawn() {
    assert_eq!(value(5, 4, 4, 40_000_000), Some(0));
}

/// Checks every proved score against plain negamax to the end, and that the move keeps it.
#[test]
fn what_is_called_certain_is_true() {
    let mut rng = Rng::new(5);
    let mut certain = [0; 3];
    for (rows, columns, in_line, from) in
        [(3, 3, 3, 2), (4, 3, 3, 5), (4, 4, 3, 9), (4, 4, 4, 9), (2, 7, 3, 7), (3, 5, 4, 8)]
    {
        for i in 0..60 {
            let mut board = Board::<CELLS>::new(rows, columns, in_line);
            for _ in 0..from + i % 2 {
                board.random_move(&mut rng).into_iter().for_each(|cell| board.play(cell));
            }
            let board = board;
            let Report { best: Some(best), score, solved, .. } = search(&board, [50, 500, 50_000][i % 3])
            else {
                continue;
            };
            let sign = negamax(&board, &Heuristic, 99).value().signum();
            assert!(solved || !score.is_win() && !score.is_loss(), "{board:?}");
            if solved {
                assert_eq!(score.value().signum(), sign, "{board:?}");
                let after = -negamax(&board.after(best), &Heuristic, 99).value().signum();
                assert_eq!(after, sign, "{best:?} in {board:?}");
                certain[(sign + 1) as usize] += 1;
            }
        }
    }
    assert!(certain.iter().all(|&count| count > 5), "{certain:?}");
}

/// A proved win is won, against random play and against the heuristic's best cell.
#[test]
fn proved_wins_are_won() {
    let mut rng = Rng::new(6);
    for (rows, columns, in_line) in [(4, 4, 3), (6, 6, 4), (7, 7, 4)] {
        for game in 0..6 {
            let mut board = Board::<CELLS>::new(rows, columns, in_line);
            let mut strategy = Strategy::new(&board, Numbers::default(), 1 << 20);
            while !board.is_over() {
                let cell = if board.to_move() == Player::FIRST {
                    let report = strategy.search(&board, Budget::nodes(300_000));
                    assert!(report.solved && report.score.is_win(), "{board:?}");
                    report.best
                } else if game % 2 == 0 {
                    board.random_move(&mut rng)
                } else {
                    board.free_cells().iter().copied().max_by_key(|&cell| board.counts(cell).key())
                };
                board.play(cell.expect("a move"));
            }
            assert_eq!(board.winner(), Some(Player::FIRST));
        }
    }
}

/// It also answers on boards without room for a line, and on a board of one cell.
#[test]
fn it_answers_on_every_board() {
    let mut rng = Rng::new(8);
    for (rows, columns, in_line) in
        [(1, 1, 1), (1, 1, 2), (1, 2, 2), (3, 3, 5), (2, 2, 2), (1, 15, 3), (15, 15, 10), (9, 2, 9)]
    {
        let mut board = Board::<CELLS>::new(rows, columns, in_line);
        let mut strategy = Strategy::new(&board, Numbers::default(), 1 << 16);
        while !board.is_over() {
            let nodes = u64::from(rng.below(400));
            let report = strategy.search(&board, Budget::nodes(nodes));
            assert!(report.nodes <= nodes);
            let best = report.best.expect("a move");
            assert!(board.free_cells().contains(&best), "{best:?} in {board:?}");
            board.play(best);
        }
        assert_eq!(strategy.search(&board, Budget::nodes(9)).best, None);
    }
}

//! Tests the rules and the heuristic against their definitions, and known values of small boards.

use arrayvec::ArrayVec;
use contest::laws::cases;
use coppice::search::{AlphaBeta, AlphaBetaOptions};
use coppice::{perft, Budget, Ended, Evaluation, Game, Player, Reversible, Rng, Score, Search};

use crate::mnk::{Board, Cell, Heuristic};

/// Rows, columns, line length: square, narrow, a line longer than the board, one cell, one row, long lines.
const SIZES: [(usize, usize, usize); 20] = [
    (3, 3, 3),
    (4, 3, 3),
    (5, 4, 4),
    (2, 9, 3),
    (1, 12, 4),
    (12, 1, 2),
    (1, 1, 1),
    (6, 6, 1),
    (5, 5, 2),
    (3, 3, 5),
    (7, 7, 5),
    (6, 11, 6),
    (10, 10, 5),
    (11, 7, 16),
    (17, 17, 17),
    (2, 40, 33),
    (16, 18, 18),
    (9, 30, 29),
    (13, 12, 10),
    (20, 15, 10),
];

const CELLS: usize = 300;

const LINES: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The mark on a cell; `None` off the board.
fn look(board: &Board<CELLS>, (row, column): (isize, isize)) -> Option<Option<Player>> {
    let (rows, columns, _) = board.size();
    let inside = (0..rows as isize).contains(&row) && (0..columns as isize).contains(&column);
    inside.then(|| board.mark(Cell::new(row as u8, column as u8)))
}

/// The value of a free cell for a player, by the definition.
fn value(board: &Board<CELLS>, cell: Cell, player: Player) -> i32 {
    let in_line = board.size().2 as isize;
    let (mut windows, mut lack_one, mut lack_two, mut own) = (0, 0, 0, 0);
    for (down, right) in LINES {
        let at = |i: isize| look(board, (cell.row as isize + i * down, cell.column as isize + i * right));
        for first in 1 - in_line..=0 {
            let cells: Vec<_> = (first..first + in_line).map(at).collect();
            if cells.iter().all(|&mark| matches!(mark, Some(None)) || mark == Some(Some(player))) {
                let lacks = cells.iter().filter(|&&mark| mark == Some(None)).count();
                windows += 1;
                lack_one += i32::from(lacks == 1);
                lack_two += i32::from(lacks == 2);
            }
        }
        for side in [-1, 1] {
            for i in 1..in_line {
                match at(side * i) {
                    Some(Some(mark)) if mark == player => own += 1,
                    Some(None) => {}
                    _ => break,
                }
            }
        }
    }
    match (lack_one, lack_two) {
        (1.., _) => 1_000_000,
        (_, 2..) => 10_000,
        _ => windows + 10 * own,
    }
}

fn neighbours(board: &Board<CELLS>, cell: Cell) -> i32 {
    let around = (0..9).map(|i| (cell.row as isize + i / 3 - 1, cell.column as isize + i % 3 - 1));
    around.filter(|&at| matches!(look(board, at), Some(Some(_)))).count() as i32
}

fn has_line(board: &Board<CELLS>, player: Player) -> bool {
    let (rows, columns, in_line) = board.size();
    let cells = (0..rows * columns).map(|i| ((i / columns) as isize, (i % columns) as isize));
    cells.flat_map(|cell| LINES.map(|line| (cell, line))).any(|((row, column), (down, right))| {
        (0..in_line as isize).all(|i| look(board, (row + i * down, column + i * right)) == Some(Some(player)))
    })
}

fn listed(board: &Board<CELLS>) -> Vec<Cell> {
    let mut list = ArrayVec::new();
    board.moves(&mut list);
    list.to_vec()
}

/// Checks everything that is updated incrementally against its definition.
fn check(board: &Board<CELLS>) {
    let (rows, columns, _) = board.size();
    let all = (0..rows * columns).map(|i| Cell::new((i / columns) as u8, (i % columns) as u8));
    let free: Vec<Cell> = all.filter(|&cell| board.mark(cell).is_none()).collect();
    let over = [Player::FIRST, Player::SECOND].map(|player| has_line(board, player));
    assert_eq!(board.winner(), over.iter().position(|&line| line).map(|i| Player::new(i as u8)));
    let mut known = board.free_cells().to_vec();
    known.sort();
    assert_eq!(known, free);
    assert_eq!(listed(board), if board.winner().is_some() { vec![] } else { free.clone() });
    assert_eq!(board.count_moves(), listed(board).len());
    assert_eq!(board.is_over(), listed(board).is_empty());
    if board.winner().is_none() {
        let mut balance = 0;
        for &cell in &free {
            let (first, second) = (value(board, cell, Player::FIRST), value(board, cell, Player::SECOND));
            let counts = board.counts(cell);
            let ours = (counts.value(Player::FIRST), counts.value(Player::SECOND));
            assert_eq!(ours, (first, second), "{cell:?} in {board:?}");
            assert_eq!(counts.key(), first + second + 5 * neighbours(board, cell), "{cell:?} in {board:?}");
            balance += i64::from(first - second);
        }
        assert_eq!(board.balance(), balance, "{board:?}");
    }
}

/// The whole state of a board, including the order of its free cells.
fn insides(board: &Board<CELLS>) -> (Vec<Cell>, Vec<i32>, i64, u64, bool, Player) {
    let keys = board.free_cells().iter().map(|&cell| board.counts(cell).key()).collect();
    let free = board.free_cells().to_vec();
    (free, keys, board.balance(), board.hash(), board.is_over(), board.to_move())
}

#[test]
fn what_is_kept_up_to_date_is_what_the_definitions_say() {
    let mut rng = Rng::new(1);
    for (rows, columns, in_line) in SIZES {
        for _ in 0..cases(if rows * columns < 100 { 20 } else { 10 }) {
            let mut board = Board::<CELLS>::new(rows, columns, in_line);
            check(&board);
            while let Some(cell) = board.random_move(&mut rng) {
                board.play(cell);
                check(&board);
            }
        }
    }
}

/// Making and taking back leaves no trace, whatever happens between.
#[test]
fn taking_back_is_the_inverse_of_making() {
    let mut rng = Rng::new(2);
    for (rows, columns, in_line) in SIZES {
        for _ in 0..10 {
            let mut board = Board::<CELLS>::new(rows, columns, in_line);
            let (start, mut made) = (board.clone(), Vec::new());
            for _ in 0..rows * columns * 3 {
                let next = (rng.below(3) > 0).then(|| board.random_move(&mut rng)).flatten();
                if let Some(cell) = next {
                    let before = board.clone();
                    made.push((before, cell, board.make(cell)));
                } else if let Some((before, cell, undo)) = made.pop() {
                    board.unmake(cell, undo);
                    assert_eq!((&board, insides(&board)), (&before, insides(&before)));
                }
            }
            while let Some((_, cell, undo)) = made.pop() {
                board.unmake(cell, undo);
            }
            assert_eq!((&board, insides(&board)), (&start, insides(&start)));
        }
    }
}

/// Different orders of the same marks give one position, with one hash, one list and one value.
#[test]
fn the_order_of_the_marks_leaves_no_trace() {
    let marks = [(2, 2), (1, 1), (0, 3), (4, 4), (3, 3), (0, 0)].map(|(row, column)| Cell::new(row, column));
    let (mut a, mut b) = (Board::<CELLS>::new(6, 6, 4), Board::<CELLS>::new(6, 6, 4));
    marks.iter().for_each(|&cell| a.play(cell));
    [4, 1, 0, 5, 2, 3].iter().for_each(|&i| b.play(marks[i]));
    assert_eq!((&a, a.hash(), listed(&a), a.balance()), (&b, b.hash(), listed(&b), b.balance()));
    b.play(Cell::new(5, 5));
    assert!(a != b && a.hash() != b.hash());
}

#[test]
fn three_in_a_line_of_three_by_three_is_tic_tac_toe() {
    let board = Board::<9>::new(3, 3, 3);
    let counts = [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872];
    for (depth, &count) in (1..).zip(&counts) {
        assert_eq!(perft(&board, depth, Ended::Dropped), count, "depth {depth}");
    }
}

#[test]
fn the_largest_board_of_the_contests() {
    let mut board = Box::new(Board::<4900>::new(70, 70, 10));
    assert!(size_of::<Board<4900>>() <= 62 * 4900);
    for i in 0..10 {
        board.play(Cell::new(69 - i, 60 + i));
        if i < 9 {
            board.play(Cell::new(2 * i, 0));
        }
    }
    assert_eq!((board.winner(), board.is_over(), board.count_moves()), (Some(Player::FIRST), true, 0));
    assert_eq!((board.payoff(Player::FIRST).0, board.payoff(Player::SECOND).0), (1, -1));
}

#[test]
#[should_panic(expected = "don't fit into")]
fn a_board_has_room_for_its_cells() {
    Board::<48>::new(7, 7, 5);
}

/// The value of a board for the first player, searched to the end: 1, 0 or -1.
fn solve<const C: usize>(rows: usize, columns: usize, in_line: usize) -> i32 {
    let options = AlphaBetaOptions { deepening: false, ..AlphaBetaOptions::default() };
    let mut search = AlphaBeta::new(Heuristic, options);
    let report = search.search(&Board::<C>::new(rows, columns, in_line), Budget::nodes(u64::MAX));
    assert!(report.solved);
    report.score.value().signum()
}

#[test]
fn known_values_of_small_boards() {
    assert_eq!(solve::<9>(3, 3, 3), 0);
    assert_eq!(solve::<12>(4, 3, 3), 1);
    assert_eq!(solve::<16>(4, 4, 3), 1);
    assert_eq!(solve::<16>(4, 4, 4), 0);
}

#[test]
#[ignore = "a minute in a release build"]
fn known_values_of_larger_boards() {
    assert_eq!(solve::<20>(5, 4, 4), 0);
}

/// Scores keep the order of the balances, and remain estimates.
#[test]
fn scores_are_in_the_order_of_the_balances() {
    let (mut rng, mut seen) = (Rng::new(3), Vec::new());
    for _ in 0..200 {
        let mut board = Board::<CELLS>::new(9, 9, 4);
        for _ in 0..rng.below(40) {
            let Some(cell) = board.random_move(&mut rng) else { break };
            board.play(cell);
        }
        let score = Heuristic.evaluate(&board);
        assert!(!score.is_win() && !score.is_loss());
        let own = if board.to_move() == Player::FIRST { board.balance() } else { -board.balance() };
        if own.abs() <= 500_000 {
            assert_eq!(score, Score::estimate(own as i32));
        }
        seen.push((own, score));
    }
    seen.sort();
    assert!(seen.windows(2).all(|pair| pair[0].1 <= pair[1].1));
    assert!(seen[0].0 < -1_000_000 && seen[seen.len() - 1].0 > 1_000_000);
}

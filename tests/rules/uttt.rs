//! Tests the rules of ultimate tic-tac-toe.

use bots::uttt::{Board, Cell};
use coppice::{Game, List, Player, Rng};

use super::assert_perft;

#[test]
fn perft() {
    assert_perft(&Board::START, &[81, 720, 6336, 55080, 473_256, 4_020_960, 33_782_544]);
}

#[test]
#[ignore = "deep"]
fn perft_to_depth_9() {
    for (depth, count) in (8..).zip([281_067_408, 2_317_018_992]) {
        assert_eq!(coppice::perft(&Board::START, depth, coppice::Ended::Dropped), count, "depth {depth}");
    }
}

/// Whether nine cells contain three in line; `is` returns whether a cell belongs to the player.
fn slow_line(is: impl Fn(usize) -> bool) -> bool {
    const LINES: [[usize; 3]; 8] =
        [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    LINES.iter().any(|line| line.iter().all(|&i| is(i)))
}

/// A slow, literal implementation of the rules on a plain grid.
#[derive(Default)]
struct Slow {
    /// The player on each cell, by small board and place.
    grid: [[Option<usize>; 9]; 9],
    last: Option<usize>,
    plies: usize,
}

impl Slow {
    fn won(&self, player: usize, board: usize) -> bool {
        slow_line(|place| self.grid[board][place] == Some(player))
    }

    fn is_closed(&self, board: usize) -> bool {
        self.won(0, board) || self.won(1, board) || self.grid[board].iter().all(Option::is_some)
    }

    fn moves(&self) -> Vec<Cell> {
        if (0..2).any(|player| slow_line(|board| self.won(player, board))) {
            return Vec::new();
        }
        let open = |board: &usize| !self.is_closed(*board);
        let boards: Vec<usize> = match self.last.filter(open) {
            Some(board) => vec![board],
            None => (0..9).filter(open).collect(),
        };
        let free = |&board: &usize| {
            let places = (0..9).filter(move |&place| self.grid[board][place].is_none());
            places.map(move |place| Cell::new(board as u32, place as u32)).collect::<Vec<_>>()
        };
        boards.iter().flat_map(free).collect()
    }

    fn play(&mut self, cell: Cell) {
        self.grid[cell.board() as usize][cell.place() as usize] = Some(self.plies % 2);
        self.last = Some(cell.place() as usize);
        self.plies += 1;
    }

    /// The first player's result.
    fn result(&self) -> i32 {
        let line = |player| i32::from(slow_line(|board| self.won(player, board)));
        let boards = |player| (0..9).filter(|&board| self.won(player, board)).count() as i32;
        10 * (line(0) - line(1)) + i32::from(line(0) + line(1) == 0) * (boards(0) - boards(1))
    }
}

#[test]
fn games_match_the_reference_rules() {
    let mut rng = Rng::new(8);
    let (mut lines, mut counted, mut drawn) = (0, 0, 0);
    for _ in 0..400 {
        let (mut board, mut slow) = (Board::START, Slow::default());
        loop {
            let mut list = List::default();
            board.moves(&mut list);
            assert_eq!(*list, *slow.moves(), "{board:?}");
            let Some(m) = board.random_move(&mut rng) else { break };
            board.play(m);
            slow.play(m);
        }
        let result = board.payoff(Player::FIRST).0;
        assert_eq!(result, slow.result(), "{board:?}");
        match result.abs() {
            0 => drawn += 1,
            10 => lines += 1,
            _ => counted += 1,
        }
    }
    assert!(lines > 100 && counted > 20 && drawn > 2, "{lines} lines, {counted} counted, {drawn} drawn");
}

#[test]
fn winning_moves_complete_a_line() {
    fn legal(board: &Board) -> List<Cell, 81> {
        let mut list = List::default();
        board.moves(&mut list);
        list
    }
    let is_line = |board: &Board, cell: Cell| board.after(cell).payoff(board.to_move()).0 == 10;
    let mut rng = Rng::new(9);
    let (mut wins, mut threats) = (0, 0);
    for _ in 0..200 {
        let mut board = Board::START;
        while let Some(m) = board.random_move(&mut rng) {
            let list = legal(&board);
            for &cell in list.iter() {
                assert_eq!(board.wins(cell), is_line(&board, cell), "{cell} in {board:?}");
                let next = board.after(cell);
                let is_answered = legal(&next).iter().any(|&answer| is_line(&next, answer));
                assert_eq!(board.lets_win(cell), is_answered, "{cell} in {board:?}");
                threats += u32::from(is_answered);
            }
            match board.winning_cell() {
                Some(cell) => assert!(list.contains(&cell) && is_line(&board, cell), "{cell} in {board:?}"),
                None => assert!(!list.iter().any(|&cell| is_line(&board, cell)), "{board:?}"),
            }
            wins += u32::from(board.winning_cell().is_some());
            board.play(m);
        }
    }
    assert!(wins > 300 && threats > 3000, "{wins} positions with a win, {threats} moves that allow one");
}

#[test]
fn freeing_moves_allow_any_board() {
    let mut rng = Rng::new(9);
    let mut freeing = 0;
    for _ in 0..200 {
        let mut board = Board::START;
        while let Some(m) = board.random_move(&mut rng) {
            let mut list = List::<Cell, 81>::default();
            board.moves(&mut list);
            for &cell in list.iter().filter(|&&cell| !board.wins(cell)) {
                let is_free = board.after(cell).next().is_none();
                assert_eq!(board.frees(cell), is_free, "{cell} in {board:?}");
                freeing += u32::from(is_free);
            }
            board.play(m);
        }
    }
    assert!(freeing > 3000, "{freeing} moves that free the other");
}

#[test]
fn cells_have_rows_and_columns() {
    for (row, column) in (0..81).map(|i| (i / 9, i % 9)) {
        let cell = Cell::at(row, column);
        assert_eq!((cell.row(), cell.column()), (row, column));
        assert_eq!(cell.place(), row % 3 * 3 + column % 3, "the next small board");
    }
}

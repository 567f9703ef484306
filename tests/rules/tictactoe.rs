//! Tests the rules of tic-tac-toe.

use bots::tictactoe::board::{has_line, LINES};
use bots::tictactoe::Board;
use coppice_tests::games::all_tic_tac_toe;

use super::assert_perft;

#[test]
fn perft() {
    assert_perft(&Board::START, &[9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872]);
}

#[test]
fn lines_are_detected() {
    for marks in 0..512 {
        assert_eq!(has_line(marks), LINES.iter().any(|line| line & !marks == 0), "{marks:o}");
    }
}

/// The known number of positions, 5478, includes the start and the finished ones.
#[test]
fn every_position_is_reached() {
    assert_eq!(all_tic_tac_toe().len(), 5478);
}

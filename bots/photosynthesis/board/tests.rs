//! Facts of the rules.

use super::*;

fn cell(index: usize) -> Cell {
    Cell::new(index).expect("a cell")
}

fn board(trees: &[(usize, usize, Player)], sun: [u16; 2]) -> Board {
    let mut board = Board::empty(0, 0, NUTRIENTS, sun, [0; 2], [false; 2]);
    for &(index, size, owner) in trees {
        assert!(board.put(cell(index), size, owner, false));
    }
    board
}

const A: Player = Player::FIRST;
const B: Player = Player::SECOND;

#[test]
fn both_seeding_one_cell_plant_nothing_and_pay_nothing() {
    // Cells 1 and 4 are neighbours of the centre, on opposite sides.
    let mut board = board(&[(1, 1, A), (2, 0, A), (4, 1, B)], [5, 5]);
    board.turn([Some(Action::Seed(cell(1), cell(0))), Some(Action::Seed(cell(4), cell(0)))]);
    assert_eq!((board.sun, board.asleep, board.tree(cell(0))), ([5, 5], [false; 2], None));
    assert_eq!(board.dormant, cell(1).set() | cell(4).set());
    // Without the clash the seed costs the number of own seeds.
    board.turn([Some(Action::Wait), None]);
    let mut board = self::board(&[(1, 1, A), (2, 0, A), (4, 1, B)], [5, 5]);
    board.turn([Some(Action::Seed(cell(1), cell(0))), Some(Action::Grow(cell(4)))]);
    assert_eq!((board.sun, board.tree(cell(0)), board.tree(cell(4))), ([4, 2], Some((0, A)), Some((2, B))));
    assert!(!board.is_legal(A, Action::Grow(cell(0))), "a fresh seed is dormant");
}

#[test]
fn trees_completed_in_one_turn_pay_the_same_nutrients() {
    let mut board = board(&[(0, 3, A), (19, 3, B), (7, 3, A)], [8, 4]);
    board.turn([Some(Action::Complete(cell(0))), Some(Action::Complete(cell(19)))]);
    assert_eq!((board.score, board.nutrients, board.sun), ([24, 20], 18, [4, 0]));
    board.turn([Some(Action::Complete(cell(7))), Some(Action::Wait)]);
    assert_eq!((board.score, board.nutrients), ([44, 20], 17));
}

#[test]
fn shadows_keep_the_sun_from_trees_that_are_not_larger() {
    // In direction 0 the cells 0, 1, 7, 19 stand in a line.
    let lit = |trees: &[(usize, usize, Player)]| board(trees, [0, 0]).income(0);
    assert_eq!(lit(&[(0, 3, A), (1, 3, B), (7, 2, B), (19, 1, B)]), [3, 0]);
    assert_eq!(lit(&[(0, 2, A), (1, 3, B), (19, 3, A)]), [2, 3]);
    assert_eq!(lit(&[(0, 1, A), (7, 1, B)]), [1, 1]);
    assert_eq!(lit(&[(0, 2, A), (7, 2, B), (19, 3, B)]), [2, 3]);
    assert_eq!(board(&[(0, 3, A), (1, 3, B)], [0, 0]).income(3), [0, 3], "the other way three days later");
}

#[test]
fn a_day_ends_when_both_sleep() {
    let mut board = board(&[(19, 1, A), (28, 1, B)], [0, 0]);
    board.turn([Some(Action::Wait), Some(Action::Seed(cell(28), cell(29)))]);
    assert_eq!((board.day, board.asleep), (0, [true, false]));
    assert!(!board.is_legal(A, Action::Wait) && board.is_legal(B, Action::Wait));
    board.turn([None, Some(Action::Wait)]);
    assert_eq!((board.day, board.asleep, board.dormant, board.sun), (1, [false; 2], 0, [1, 1]));
    for _ in 1..DAYS {
        assert!(!board.is_over());
        board.turn([Some(Action::Wait); 2]);
    }
    // 24 mornings' sun less the first, which this board didn't have; the second player has two trees.
    assert_eq!((board.is_over(), board.sun, board.points()), (true, [23, 23], [8, 9]));
    assert_eq!((board.payoff(A), board.payoff(B)), (Payoff(-1), Payoff(1)));
}

#[test]
fn a_board_is_drawn() {
    let mut board = Board::start(cell(19).set(), [cell(0).set(), cell(22).set()]);
    board.turn([Some(Action::Seed(cell(0), cell(1))), Some(Action::Wait)]);
    let text = board.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "      .1  .1  .1  B1");
    assert_eq!(lines[3], ".1  .2  .3  a1  a0  .2  ##");
    assert_eq!(lines[7], "day 0, nutrients 20; A: sun 1, score 0; B: sun 1, score 0, asleep");
}

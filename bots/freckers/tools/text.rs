//! Positions as one line of text: the rows from the top with `/` between them, `R` and `B` for frogs, `*` for a lily pad
//! without one, `.` for water; then the side to move, `red` or `blue`, and the number of actions so far.

use contest::commands::Commands;
use contest::drawing::ones;
use contest::Unreadable;
use coppice::{Game, Player};

use crate::freckers::board::{Board, MAX_ACTIONS};

/// Red's frogs, Blue's, pads without a frog.
const LETTERS: [char; 3] = ['R', 'B', '*'];

/// Writes a position.
pub(super) fn write(board: &Board) -> String {
    let all = [board.own(), board.other(), board.pads()];
    let sets = match board.to_move() {
        Player::FIRST => all,
        _ => [all[1], all[0], all[2]].map(u64::swap_bytes),
    };
    let letter = |cell: u32| LETTERS.iter().zip(sets).find(|(_, set)| set >> cell & 1 == 1);
    let row = |row: u32| (8 * row..8 * row + 8).map(|cell| letter(cell).map_or('.', |(&letter, _)| letter));
    let rows = (0..8).map(|at| row(at).collect::<String>()).collect::<Vec<_>>();
    format!("{} {} {}", rows.join("/"), Board::SIDES[board.to_move().index() & 1], board.actions())
}

/// Reads a position. Without a number of actions there were none.
///
/// # Errors
/// If the text isn't a position, or the game is over there.
pub(super) fn read(text: &str) -> Result<Board, Unreadable> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let (rows, side, actions) = match words[..] {
        [rows, side] => (rows, side, Some(0)),
        [rows, side, actions] => (rows, side, actions.parse().ok().filter(|&n| n < MAX_ACTIONS)),
        _ => return Err(expected(text)),
    };
    let to_move = Board::SIDES.iter().position(|&word| word == side);
    let lines: Vec<&str> = rows.split('/').collect();
    let has_form = lines.len() == 8 && lines.iter().all(|line| line.chars().count() == 8);
    let (Some(to_move), Some(actions), true) = (to_move, actions, has_form) else {
        return Err(expected(text));
    };
    let mut sets = [0; 3];
    for (cell, letter) in lines.iter().flat_map(|line| line.chars()).enumerate() {
        match LETTERS.iter().position(|&known| known == letter) {
            Some(set) => sets[set] |= 1 << cell,
            None if letter == '.' => {}
            None => return Err(expected(text)),
        }
    }
    let [red, blue, pads] = sets;
    let [reds, blues] = [red, blue].map(|frogs| ones(frogs).count());
    if (reds, blues) != (6, 6) {
        return Err(
            format!("\"{text}\": {reds} red frogs and {blues} blue ones; expected six of each").into()
        );
    }
    let board = Board::of_sides([red, blue], pads, Player::new(to_move as u8), actions);
    match board.is_over() {
        true => Err(format!("\"{text}\": the game is over in this position").into()),
        false => Ok(board),
    }
}

fn expected(text: &str) -> Unreadable {
    format!(
        "\"{text}\": expected eight rows of eight cells with / between them (R and B are frogs, * pads, . water), the side to \
         move, red or blue, and the number of actions so far, 0 to {}, such as {}",
        MAX_ACTIONS - 1,
        write(&Board::START)
    )
    .into()
}

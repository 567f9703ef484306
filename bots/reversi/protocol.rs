//! Reads and writes both sides of the protocol.

use std::fmt::Write;
use std::io::BufRead;

use coppice::input::{Input, InputError};
use coppice::Player;

use super::board::{Board, CellList};
use super::cell::Cell;

/// The lines before a player's first turn.
pub fn write_init(player: Player) -> String {
    format!("{}\n8\n", player.index())
}

/// Reads the output of [`write_init`]: which player the bot is.
///
/// # Errors
/// If the input ends or is malformed.
pub fn read_init<R: BufRead>(input: &mut Input<R>) -> Result<Player, InputError> {
    let player = match input.line()?.trim() {
        "0" => Player::FIRST,
        "1" => Player::SECOND,
        _ => return Err(input.malformed("the player's id, 0 or 1")),
    };
    match input.line()?.trim() {
        "8" => Ok(player),
        _ => Err(input.malformed("the board's size, 8")),
    }
}

/// One turn as the bot receives it.
#[derive(Debug, Clone)]
pub struct Turn {
    /// The position; the bot is to move.
    pub board: Board,
    /// The legal moves.
    pub actions: CellList,
}

/// The lines of a turn for the player to move. `history` is the line of the opponent's moves, for bots that asked for
/// it.
pub fn write_turn(board: &Board, history: Option<&str>, actions: &[Cell]) -> String {
    let mut text = String::with_capacity(256);
    write_board(board, &mut text);
    if let Some(history) = history {
        text.push_str(history);
        text.push('\n');
    }
    let _ = writeln!(text, "{}", actions.len());
    for cell in actions {
        let _ = writeln!(text, "{cell}");
    }
    text
}

fn write_board(board: &Board, text: &mut String) {
    let (black, white) = (board.discs(Player::FIRST), board.discs(Player::SECOND));
    for y in 0..8 {
        for x in 0..8 {
            let bit = 1u64 << (8 * y + x);
            text.push(match (black & bit != 0, white & bit != 0) {
                (true, _) => '0',
                (_, true) => '1',
                _ => '.',
            });
        }
        text.push('\n');
    }
}

/// Reads the output of [`write_turn`] for `player`.
///
/// # Errors
/// If the input ends or is malformed.
pub fn read_turn<R: BufRead>(input: &mut Input<R>, player: Player) -> Result<Turn, InputError> {
    let mut discs = [0u64; 2];
    for y in 0..8 {
        let row = input.line()?.trim_end();
        if row.len() != 8 || row.bytes().any(|b| !matches!(b, b'.' | b'0' | b'1')) {
            return Err(input.malformed("a row of the board, 8 of '.', '0', '1'"));
        }
        for (x, cell) in row.bytes().enumerate() {
            match cell {
                b'0' => discs[0] |= 1 << (8 * y + x),
                b'1' => discs[1] |= 1 << (8 * y + x),
                _ => {}
            }
        }
    }
    let board = Board::new(discs[player.index()], discs[player.other().index()], player);
    // Only bots that have answered EXPERT receive the history; each of its moves ends in ';'.
    if input.line()?.contains(';') {
        input.line()?;
    }
    let count = input.last().trim().parse().ok().filter(|count| (1..=60).contains(count));
    let Some(count) = count else {
        return Err(input.malformed("the number of moves, 1 to 60"));
    };
    let mut actions = CellList::default();
    for _ in 0..count {
        actions.push(match input.line()?.trim().parse() {
            Ok(cell) => cell,
            Err(_) => return Err(input.malformed("a move, a1 to h8")),
        });
    }
    Ok(Turn { board, actions })
}

/// A parsed answer of a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// The bot asks for the history line from now on.
    pub expert: bool,
    /// The bot's move.
    pub cell: Cell,
}

/// The format of an answer, for error messages.
pub const ANSWER_FORM: &str = "[EXPERT ]CELL[ MSG text] with a CELL such as d3";

/// Parses an answer exactly as the platform's referee does: `[EXPERT ]CELL[ MSG text]`. Text after `MSG`, white space, case
/// and the place and number of `EXPERT` are ignored. `None` for any other form.
///
/// Whether an `EXPERT` behind the cell turns the history line on there is not known; here it does.
pub fn read_answer(line: &str) -> Option<Answer> {
    let said = line.split("MSG").next().unwrap_or(line);
    let rest = said.replace("EXPERT", "").replace([' ', '\t', '\n', '\r', '\x0b', '\x0c'], "");
    let cell = rest.to_ascii_lowercase().parse().ok()?;
    Some(Answer { expert: said.contains("EXPERT"), cell })
}

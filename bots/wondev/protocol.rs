//! Reads and writes both sides of the protocol.

use std::fmt::Write;
use std::io::BufRead;

use coppice::input::{Input, InputError};
use coppice::{Game, Moves};

use super::action::Action;
use super::board::{Actions, Board, CLOSED};
use super::cells::{bit, cell, place, NOWHERE, SIDE};
use super::league::League;
use super::map;

/// The input before the first turn: the side of the grid and the number of units a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Init {
    /// The side of the grid, 5 to 7.
    pub size: u8,
    /// The number of units a player, 1 or 2.
    pub units: usize,
}

/// The lines sent once, before the first turn.
pub fn write_init(board: &Board) -> String {
    format!("{}\n{}\n", map::size(board.cells), board.league.units())
}

/// The lines of a turn, for the player to move of a board as that player sees it.
pub fn write_turn(seen: &Board) -> String {
    let size = map::size(seen.cells);
    let mut text = String::new();
    for y in 0..size {
        for x in 0..size {
            let at = cell(x, y);
            match bit(at) & seen.cells {
                0 => text.push('.'),
                _ => text.push((b'0' + seen.height(at)) as char),
            }
        }
        text.push('\n');
    }
    let me = seen.to_move();
    for player in [me, me.other()] {
        for &unit in &seen.units[player.index()][..seen.league.units()] {
            let _ = match unit {
                NOWHERE => writeln!(text, "-1 -1"),
                at => writeln!(text, "{} {}", place(at).0, place(at).1),
            };
        }
    }
    let mut list = Actions::default();
    seen.list(&mut list);
    let _ = writeln!(text, "{}", list.len());
    list.iter().for_each(|action| {
        let _ = writeln!(text, "{action}");
    });
    text
}

/// Reads the output of [`write_init`].
///
/// # Errors
/// If the input ends or is malformed.
pub fn read_init(input: &mut Input<impl BufRead>) -> Result<Init, InputError> {
    let size = input.value("the side of the grid")?;
    if !(1..=SIDE).contains(&size) {
        return Err(input.malformed("a side of 1 to 7"));
    }
    let units = input.value("the number of units")?;
    if !(1..=2).contains(&units) {
        return Err(input.malformed("1 or 2 units"));
    }
    Ok(Init { size, units })
}

/// One turn as the bot receives it.
#[derive(Debug, Clone)]
pub struct Turn {
    /// The board as the bot sees it, the bot to move as the first player, without points.
    pub seen: Board,
    /// The legal actions; may be empty.
    pub actions: Actions,
}

/// Reads the output of [`write_turn`], with the bot as the first player.
///
/// # Errors
/// If the input ends or is malformed.
pub fn read_turn(input: &mut Input<impl BufRead>, init: Init) -> Result<Turn, InputError> {
    let mut cells = 0;
    let mut heights = [0; 64];
    for y in 0..init.size {
        let row = input.line()?.trim_end().as_bytes();
        let is_row = row.len() == usize::from(init.size)
            && row.iter().all(|byte| *byte == b'.' || (b'0'..=b'0' + CLOSED).contains(byte));
        if !is_row {
            return Err(input.malformed("a row of the grid: a . or a height of 0 to 4 for each cell"));
        }
        for (x, &byte) in (0..).zip(row) {
            if byte != b'.' {
                cells |= bit(cell(x, y));
                heights[usize::from(cell(x, y))] = byte - b'0';
            }
        }
    }
    let mut units = [[NOWHERE; 2]; 2];
    let mut taken = 0;
    for (player, places) in units.iter_mut().enumerate() {
        for unit in &mut places[..init.units] {
            *unit = read_unit(input, cells & !taken, player == 1)?;
            taken |= bit(*unit);
        }
    }
    let league = if init.units == 1 { League::Points } else { League::Fog };
    let mut seen = Board::new(league, cells, units);
    for (at, &height) in (0..).zip(&heights) {
        (0..height).for_each(|_| seen.raise(at));
    }
    let count: usize = input.value("the number of actions")?;
    let mut actions = Actions::default();
    if count > Actions::ranks().as_mut().len() {
        return Err(input.malformed("the number of actions, at most 140"));
    }
    for _ in 0..count {
        match input.line()?.parse::<Action>() {
            Ok(action) if action != Action::ACCEPT => actions.push(action),
            _ => return Err(input.malformed("an action: MOVE&BUILD or PUSH&BUILD, an index, two directions")),
        }
    }
    Ok(Turn { seen, actions })
}

/// The cell of a unit, on one of `free`; of an opponent's also [`NOWHERE`].
fn read_unit(input: &mut Input<impl BufRead>, free: u64, may_hide: bool) -> Result<u8, InputError> {
    let mut words = input.words()?;
    let (x, y): (i32, i32) = (words.next("x of a unit")?, words.next("y of a unit")?);
    if may_hide && (x, y) == (-1, -1) {
        return Ok(NOWHERE);
    }
    let inside = |n: i32| u8::try_from(n).ok().filter(|n| *n < SIDE);
    match inside(x).zip(inside(y)).map(|(x, y)| cell(x, y)).filter(|&at| bit(at) & free != 0) {
        Some(at) => Ok(at),
        None => Err(input.malformed("x and y of a unit, on a cell of the grid that no other unit has")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bot's error for this input.
    fn said(text: &str) -> String {
        let mut input = Input::new(text.as_bytes());
        let read = read_init(&mut input).and_then(|init| read_turn(&mut input, init));
        read.expect_err(text).to_string()
    }

    #[test]
    fn what_is_wrong_with_a_turn_is_named() {
        let turn = "3\n2\n012\n34.\n000\n0 0\n1 0\n-1 -1\n2 2\n1\nMOVE&BUILD 0 S N\n";
        let mut input = Input::new(turn.as_bytes());
        let init = read_init(&mut input).expect("a side and units");
        let read = read_turn(&mut input, init).expect("a turn");
        assert_eq!((read.actions.len(), write_init(&read.seen).as_str()), (1, "3\n2\n"));
        let row = "a row of the grid: a . or a height of 0 to 4 for each cell";
        let unit = "x and y of a unit, on a cell of the grid that no other unit has";
        for (line, wrong, expected) in [
            (1, "8", "a side of 1 to 7"),
            (1, "0", "a side of 1 to 7"),
            (1, "99999999999", "the side of the grid"),
            (2, "3", "1 or 2 units"),
            (2, "0", "1 or 2 units"),
            (3, "912", row),
            (3, "01", row),
            (3, "0123", row),
            (6, "3 0", unit),
            (6, "0 99", unit),
            (6, "-1 -1", unit),
            (7, "0 0", unit),
            (7, "2 1", unit),
            (8, "-2 -1", unit),
            (8, "1 0", unit),
            (8, "1", "y of a unit, as word 2"),
            (8, "99999999999 1", "x of a unit, as word 1"),
            (10, "141", "the number of actions, at most 140"),
            (10, "-1", "the number of actions"),
            (11, "MOVE&BUILD 2 S N", "an action: MOVE&BUILD or PUSH&BUILD, an index, two directions"),
            (11, "JUMP 0 S N", "an action: MOVE&BUILD or PUSH&BUILD, an index, two directions"),
        ] {
            let mut lines: Vec<&str> = turn.lines().collect();
            lines[line - 1] = wrong;
            let expected = format!("input line {line}: expected {expected}, found \"{wrong}\"");
            assert_eq!(said(&(lines.join("\n") + "\n")), expected);
        }
        // A line is missing: the next one is in its place.
        assert!(said(&turn.replacen("012\n", "", 1)).starts_with("input line 5: expected a row of the grid"));
        assert!(said(&turn.replacen("2 2\n", "", 1)).starts_with("input line 9: expected y of a unit"));
        for end in 0..turn.len() {
            assert_eq!(said(&turn[..end]), "the input ended");
        }
    }
}

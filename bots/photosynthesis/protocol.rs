//! Both sides of the protocol: what the referee writes and the bot reads, and the other way round.

use std::fmt::Write;
use std::io::BufRead;
use std::ops::RangeInclusive;
use std::time::Duration;

use coppice::input::{Input, InputError};
use coppice::{Clock, Joint, Player};

use super::board::{Action, Actions, Board, DAYS, MAX_ACTIONS, NUTRIENTS};
use super::cell::{Cell, Cells, COUNT, DIRECTIONS};

/// The clock of a bot, with the platform's time limits.
pub const CLOCK: Clock = Clock::new(Duration::from_millis(1000), Duration::from_millis(100));

/// The format of an answer, for error messages.
pub const ANSWER: &str = "WAIT, GROW <cell>, SEED <tree> <cell> or COMPLETE <cell>";

/// The most sun or points that the bot accepts; no game comes near it.
const MOST: i32 = 9999;

/// The lines before the first turn: all cells with their richness and neighbours.
pub fn write_init(board: &Board) -> String {
    let mut text = format!("{COUNT}\n");
    for cell in (0..COUNT).filter_map(Cell::new) {
        let _ = write!(text, "{cell} {}", board.richness(cell));
        for direction in 0..DIRECTIONS {
            let _ = match cell.neighbour(direction) {
                Some(neighbour) => write!(text, " {neighbour}"),
                None => write!(text, " -1"),
            };
        }
        text.push('\n');
    }
    text
}

/// Reads the output of [`write_init`]: returns the holes.
///
/// # Errors
/// If the input ends or is malformed, or the cells aren't those of the platform's board.
pub fn read_init<R: BufRead>(input: &mut Input<R>) -> Result<Cells, InputError> {
    let count = COUNT as i32;
    numbers(input, [count..=count], "the number of cells, 37")?;
    let mut holes = 0;
    let none = Board::empty(0, 0, 0, [0; 2], [0; 2], [false; 2]);
    for cell in (0..COUNT).filter_map(Cell::new) {
        let neighbour = |direction| cell.neighbour(direction).map_or(-1, |cell| cell.index() as i32);
        let neighbours: Vec<i32> = (0..DIRECTIONS).map(neighbour).collect();
        let richness = none.richness(cell) as i32;
        let found = whole(input.line()?);
        let is_this = |found: &Vec<i32>| {
            found.len() == 2 + DIRECTIONS && found[0] == cell.index() as i32 && found[2..] == neighbours
        };
        match found.filter(is_this).map(|found| found[1]) {
            Some(0) => holes |= cell.set(),
            Some(found) if found == richness => {}
            _ => {
                let neighbours: String = neighbours.iter().map(|index| format!(" {index}")).collect();
                return Err(input
                    .malformed(&format!("cell {cell}: {cell} {richness}{neighbours}, or 0 for {richness}")));
            }
        }
    }
    Ok(holes)
}

/// The lines of a turn for a player who is awake.
pub fn write_turn(board: &Board, player: Player) -> String {
    let other = player.other();
    let mut text = format!("{}\n{}\n", board.day(), board.nutrients());
    let _ = writeln!(text, "{} {}", board.sun(player), board.score(player));
    let _ =
        writeln!(text, "{} {} {}", board.sun(other), board.score(other), u8::from(board.is_asleep(other)));
    let trees = board.owned(player) | board.owned(other);
    let _ = writeln!(text, "{}", trees.count_ones());
    for cell in (0..COUNT).filter_map(Cell::new) {
        if let Some((size, owner)) = board.tree(cell) {
            let is_dormant = board.dormant() & cell.set() != 0;
            let _ = writeln!(text, "{cell} {size} {} {}", u8::from(owner == player), u8::from(is_dormant));
        }
    }
    let actions = legal(board, player);
    let _ = writeln!(text, "{}", actions.len());
    actions.iter().for_each(|&action| text += &(write_answer(action) + "\n"));
    text
}

/// Reads the output of [`write_turn`]: the state as a board on which the bot is the first player.
///
/// # Errors
/// If the input ends or is malformed, or the state isn't possible.
pub fn read_turn<R: BufRead>(holes: Cells, input: &mut Input<R>) -> Result<Board, InputError> {
    let [day] = numbers(input, [0..=i32::from(DAYS) - 1], "the day, 0 to 23")?;
    let [nutrients] = numbers(input, [0..=i32::from(NUTRIENTS)], "the nutrients, 0 to 20")?;
    let own = numbers(input, [0..=MOST, 0..=MOST], "own sun and score, 0 to 9999 each")?;
    let other = "the opponent's sun and score, 0 to 9999 each, and 1 if it sleeps, else 0";
    let [sun, score, asleep] = numbers(input, [0..=MOST, 0..=MOST, 0..=1], other)?;
    let pair = |own: i32, other: i32| [own as u16, other as u16];
    let (sun, score) = (pair(own[0], sun), pair(own[1], score));
    let mut board = Board::empty(holes, day as u8, nutrients as u8, sun, score, [false, asleep == 1]);
    let [trees] = numbers(input, [0..=COUNT as i32], "the number of trees, 0 to 37")?;
    for _ in 0..trees {
        let expected =
            "a tree: a free cell with soil, 0 to 36, size 0 to 3, 1 if it is own, 1 if it is dormant";
        let [cell, size, is_own, is_dormant] =
            numbers(input, [0..=COUNT as i32 - 1, 0..=3, 0..=1, 0..=1], expected)?;
        let owner = if is_own == 1 { Player::FIRST } else { Player::SECOND };
        let is_put = Cell::new(cell as usize)
            .is_some_and(|cell| board.put(cell, size as usize, owner, is_dormant == 1));
        if !is_put {
            return Err(input.malformed(expected));
        }
    }
    let [actions] = numbers(input, [1..=MAX_ACTIONS as i32], "the number of possible actions, at least 1")?;
    for _ in 0..actions {
        // The actions follow from the state, so only their form is checked.
        if read_answer(input.line()?).is_none() {
            return Err(input.malformed(&format!("a possible action: {ANSWER}")));
        }
    }
    Ok(board)
}

/// Writes an action.
pub fn write_answer(action: Action) -> String {
    match action {
        Action::Wait => "WAIT".to_owned(),
        Action::Seed(source, target) => format!("SEED {source} {target}"),
        Action::Grow(cell) => format!("GROW {cell}"),
        Action::Complete(cell) => format!("COMPLETE {cell}"),
    }
}

/// Reads an answer: an action in upper case with single spaces, then optionally white space and any text. `None` if it
/// has another form, which disqualifies. An action on a cell that doesn't exist is illegal, and an illegal action counts as
/// `WAIT`.
pub fn read_answer(line: &str) -> Option<Action> {
    if let Some(rest) = line.strip_prefix("WAIT") {
        return is_text(rest).then_some(Action::Wait);
    }
    let one = |make: fn(Cell) -> Action, rest| {
        let (cell, rest) = index(rest)?;
        is_text(rest).then(|| cell.map_or(Action::Wait, make))
    };
    if let Some(rest) = line.strip_prefix("GROW ") {
        return one(Action::Grow, rest);
    }
    if let Some(rest) = line.strip_prefix("COMPLETE ") {
        return one(Action::Complete, rest);
    }
    let (source, rest) = index(line.strip_prefix("SEED ")?)?;
    let (target, rest) = index(rest.strip_prefix(' ')?)?;
    let seed = source.zip(target).map(|(source, target)| Action::Seed(source, target));
    is_text(rest).then(|| seed.unwrap_or_default())
}

/// A player's legal actions.
pub fn legal(board: &Board, player: Player) -> Actions {
    let mut list = Actions::default();
    board.moves(player, &mut list);
    list
}

/// A number of at most 31 bits, the cell that has it as its index, and the rest of the line.
fn index(text: &str) -> Option<(Option<Cell>, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let index: i32 = text[..end].parse().ok()?;
    Some((Cell::new(index as usize), &text[end..]))
}

/// Whether this may follow an action: nothing, or white space and any text.
fn is_text(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with([' ', '\t', '\x0b', '\x0c', '\r', '\n'])
}

/// The whole numbers of a line.
fn whole(line: &str) -> Option<Vec<i32>> {
    line.split_ascii_whitespace().map(|word| word.parse().ok()).collect()
}

/// Reads a line of exactly `N` whole numbers in these ranges.
fn numbers<const N: usize, R: BufRead>(
    input: &mut Input<R>,
    ranges: [RangeInclusive<i32>; N],
    expected: &str,
) -> Result<[i32; N], InputError> {
    let found = whole(input.line()?).and_then(|found| <[i32; N]>::try_from(found).ok());
    let found = found.filter(|found| found.iter().zip(&ranges).all(|(number, range)| range.contains(number)));
    found.ok_or_else(|| input.malformed(expected))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::photosynthesis::tools::map;
    use coppice::{Choices, Rng};

    fn read_all<'a, T>(text: &'a str, read: impl FnOnce(&mut Input<&'a [u8]>) -> Result<T, InputError>) -> T {
        let mut input = Input::new(text.as_bytes());
        let value = read(&mut input).unwrap_or_else(|error| panic!("{error} in {text}"));
        assert!(input.reader().is_empty(), "lines are left of {text}");
        value
    }

    #[test]
    fn the_bot_reads_what_the_referee_writes() {
        let mut rng = Rng::new(1);
        for seed in 0..40 {
            let mut board = map::start(seed);
            let holes = read_all(&write_init(&board), read_init);
            assert_eq!(holes, board.holes());
            while !board.is_over() {
                for (player, seen) in [(Player::FIRST, board), (Player::SECOND, board.mirrored())] {
                    if !board.is_asleep(player) {
                        assert_eq!(
                            read_all(&write_turn(&board, player), |input| read_turn(holes, input)),
                            seen
                        );
                    }
                }
                let mut choices = Choices::NONE;
                for player in [Player::FIRST, Player::SECOND] {
                    for action in legal(&board, player) {
                        assert_eq!(read_answer(&write_answer(action)), Some(action));
                        assert_eq!(read_answer(&(write_answer(action) + "\tgood luck")), Some(action));
                    }
                    board
                        .random_move(player, &mut rng)
                        .into_iter()
                        .for_each(|action| choices.set(player, action));
                }
                board.play(&choices);
            }
        }
    }

    #[test]
    fn answers_are_read_as_on_the_platform() {
        let cell = |index| Cell::new(index).expect("a cell");
        for (line, action) in [
            ("GROW 07", Action::Grow(cell(7))),
            ("GROW 7 7", Action::Grow(cell(7))),
            ("SEED 7 8  hello", Action::Seed(cell(7), cell(8))),
            ("COMPLETE 36", Action::Complete(cell(36))),
            ("WAIT a day", Action::Wait),
            // No such cell: not legal, but no reason to disqualify.
            ("GROW 37", Action::Wait),
            ("SEED 1 2147483647", Action::Wait),
        ] {
            assert_eq!(read_answer(line), Some(action), "{line}");
        }
        for line in [
            "",
            " WAIT",
            "wait",
            "WAITING",
            "GROW",
            "GROW ",
            "GROW  7",
            "GROW -1",
            "GROW +1",
            "GROW 7x",
            "GROW 2147483648",
            "SEED 7",
            "SEED 7  8",
            "SEED 7 ",
            "COMPLETE seven",
            "GROW\t7",
        ] {
            assert_eq!(read_answer(line), None, "{line}");
        }
    }

    #[test]
    fn a_line_that_makes_no_sense_is_named() {
        let board = map::start(1);
        let (init, turn) = (write_init(&board), write_turn(&board, Player::FIRST));
        let failed = |text: &str| {
            let mut input = Input::new(text.as_bytes());
            let read = read_init(&mut input).and_then(|holes| read_turn(holes, &mut input));
            read.expect_err(text).to_string()
        };
        for (old, new, expected) in [
            ("37\n", "36\n", "input line 1: expected the number of cells, 37, found \"36\""),
            (
                "\n5 3 6 0 4",
                "\n5 3 6 0 40",
                "input line 7: expected cell 5: 5 3 6 0 4 14 15 16, or 0 for 3, found",
            ),
            ("\n5 3 6", "\n5 2 6", "input line 7: expected cell 5"),
            ("\n0\n20\n", "\n-1\n20\n", "input line 39: expected the day, 0 to 23, found \"-1\""),
            ("\n0\n20\n", "\n24\n20\n", "input line 39: expected the day"),
            ("\n0\n20\n", "\n0\n21\n", "input line 40: expected the nutrients, 0 to 20, found \"21\""),
            ("\n2 0\n", "\n2\n", "input line 41: expected own sun and score"),
            ("\n2 0 0\n", "\n2 0 2\n", "input line 42: expected the opponent's sun"),
            ("\n4\n21", "\n38\n21", "input line 43: expected the number of trees, 0 to 37, found \"38\""),
            (
                "\n26 1 1 0\n",
                "\n37 1 1 0\n",
                "input line 45: expected a tree: a free cell with soil, 0 to 36",
            ),
            ("\n26 1 1 0\n", "\n21 1 1 0\n", "input line 45: expected a tree: a free cell"),
            ("\n26 1 1 0\n", "\n24 1 1 0\n", "input line 45: expected a tree: a free cell with soil"),
            ("\n26 1 1 0\n", "\n26 4 1 0\n", "input line 45: expected a tree"),
            ("\nWAIT\n", "\nWAI\n", "input line 49: expected a possible action: WAIT, GROW"),
        ] {
            let whole = init.clone() + &turn;
            let text = whole.replacen(old, new, 1);
            assert_ne!(text, whole, "{old:?}");
            let error = failed(&text);
            assert!(error.starts_with(expected), "{error}");
        }
        for end in 0..init.len() + turn.len() {
            assert_eq!(failed(&(init.clone() + &turn)[..end]), "the input ended");
        }
    }
}

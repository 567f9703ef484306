//! A game as text: its bots, positions and moves, its result.

use std::io::{self, Write};

use crate::failure::Failure;
use coppice_pages::view::outcome::{result, title};
use coppice_pages::view::page::facts;
use coppice_pages::view::{Viewed, ViewedTurn};
use coppice_referee::text::terminal::shown;

/// Prints a game, or only the position of its turn `only` with the moves of the seats that were asked together.
///
/// # Errors
/// If there is no such turn, or the text can't be written.
pub(super) fn write(game: &Viewed, only: Option<usize>, out: &mut dyn Write) -> Result<(), Failure> {
    let most = game.turns.len();
    match only {
        None => write_head(game, out)?,
        Some(number) if (1..=most).contains(&number) => {}
        Some(number) => {
            return Err(Failure::usage(format!("{}: no turn {number}: the last one is {most}", game.name)))
        }
    }
    let mut number = 1;
    for round in game.turns.chunk_by(|a, b| a.round > 0 && a.round == b.round) {
        let numbers = number..number + round.len();
        number = numbers.end;
        if only.is_none_or(|only| numbers.contains(&only)) {
            write_round(game, numbers.zip(round), out)?;
            if only.is_none() {
                writeln!(out)?;
            }
        }
    }
    if only.is_none() {
        write_end(game, out)?;
    }
    Ok(())
}

fn write_head(game: &Viewed, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}: {}", title(game), game.name)?;
    for (seat, bot) in game.bots.iter().enumerate().filter(|(_, bot)| !bot.command.is_empty()) {
        writeln!(out, "seat {seat} is {} ({})", bot.name, bot.command)?;
    }
    if !game.opening.is_empty() {
        writeln!(out, "opening {}", game.opening)?;
    }
    writeln!(out)
}

/// Prints a position and the moves there, each with its time and score.
fn write_round<'a>(
    game: &Viewed,
    turns: impl Iterator<Item = (usize, &'a ViewedTurn)>,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (at, (number, turn)) in turns.enumerate() {
        let position = || shown(turn.text.clone(), &turn.sheet, turn.position.as_ref());
        if let Some(position) = (at == 0).then(position).filter(|position| !position.is_empty()) {
            writeln!(out, "{position}")?;
        }
        let facts = facts(game, turn);
        let facts = if facts.is_empty() { facts } else { format!("    ({facts})") };
        writeln!(out, "{}, {}: {}{facts}", game.label(number), game.name(turn.seat), turn.shown_move())?;
    }
    Ok(())
}

fn write_end(game: &Viewed, out: &mut dyn Write) -> io::Result<()> {
    if let Some((drawing, text)) = &game.end {
        writeln!(out, "{}", shown(text.clone(), &game.end_sheet, Some(drawing)))?;
    }
    let ending = match game.ending.as_str() {
        "" | "normal" => String::new(),
        ending => format!("; ending: {ending}"),
    };
    writeln!(out, "{}{ending}", result(game))?;
    game.notes.iter().try_for_each(|note| writeln!(out, "{note}"))
}

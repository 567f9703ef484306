//! A recorded game of a known contest, turn by turn.

use contest::{Contest, Referee};

use super::{numbers, Viewed, ViewedBot, ViewedTurn};
use crate::replay::source::Source;
use crate::replay::verify::{prepare, Prepared};
use crate::replay::Next;
use crate::text::millis;

/// Replays a game through the rules of its contest: the one `said`, or the one that it says it is of, or the only one
/// whose rules accept it. Where it contradicts the rules it ends, with a note.
///
/// # Errors
/// If no contest can be chosen, or the game can't begin.
pub fn view(source: &Source, said: Option<&dyn Contest>, known: &[&dyn Contest]) -> Result<Viewed, String> {
    let prepared = prepare(source, said, known)?;
    let fields = &source.fields;
    let mut viewed = Viewed {
        name: source.name.clone(),
        contest: prepared.contest.name().to_owned(),
        bots: bots(source, prepared.seats()),
        limits_ms: Some([millis(prepared.limits.first), millis(prepared.limits.later)]),
        notes: source.cuts.clone(),
        seed: fields.seed,
        ..Viewed::default()
    };
    let verdict = prepared.verify(|referee, turn| {
        let said = lines(turn.said.iter().map(|said| said.text.as_str()));
        viewed.turns.push(ViewedTurn {
            seat: turn.seat,
            moves_before: Some(referee.moves().split_whitespace().count()),
            position: Some(referee.draw()),
            text: referee.show(),
            sent: lines(turn.sent.iter().map(|entry| entry.text.as_str())),
            answer: turn.answer.to_owned(),
            played: referee.move_of(turn.seat, turn.answer).ok(),
            ms: fields
                .times_ms
                .get(turn.seat)
                .and_then(|times| times.get(turn.seat_turn as usize - 1))
                .copied(),
            numbers: numbers::read(&said),
            said,
            other: None,
        });
        Next::GoOn
    });
    viewed.scores = verdict.scores;
    add_record(&mut viewed, source);
    viewed.notes.extend(verdict.problem.map(|problem| problem.to_string()));
    if let Some(referee) = end(&prepared, &viewed) {
        viewed.end = Some((referee.draw(), referee.show()));
        viewed.moves = referee.moves();
    }
    Ok(viewed)
}

/// Adds what a game's record tells: bots, points, ending, faults.
pub fn add_record(viewed: &mut Viewed, source: &Source) {
    let fields = &source.fields;
    if !fields.bots.is_empty() {
        viewed.bots = bots(source, fields.bots.len().max(viewed.bots.len()));
    }
    if let Some(scores) = &fields.scores {
        viewed.scores.clone_from(scores);
    }
    if viewed.contest.is_empty() {
        viewed.contest = fields.contest.clone().unwrap_or_default();
    }
    viewed.is_lower_better = fields.run.is_some_and(|run| run.scoring.lower_is_better);
    viewed.ending = fields.ending.clone().unwrap_or_default().replace('-', " ");
    for fault in &fields.faults {
        let bot = viewed.bots.get(fault.seat).map_or("?", |bot| &bot.name);
        let turn = if fault.turn == 0 { String::new() } else { format!(", turn {}", fault.turn) };
        let mut note = format!("{bot}{turn}: {}", fault.ending.replace('-', " "));
        let parts = [("expected", &fault.expected), ("came", &fault.received), ("stderr", &fault.stderr)];
        for (what, text) in parts.into_iter().filter(|(_, text)| !text.is_empty()) {
            note += &format!("; {what} {text}");
        }
        viewed.failures.push((fault.seat, fault.turn, fault.ending.replace('-', " ")));
        viewed.notes.push(note);
    }
}

/// The game after the last turn that could be replayed.
fn end(prepared: &Prepared<'_>, viewed: &Viewed) -> Option<Box<dyn Referee>> {
    let mut referee = prepared.new_game().ok()?;
    // Answers of seats that are asked together are applied together.
    for turn in &viewed.turns {
        if referee.asked().contains(&turn.seat) && referee.answer(turn.seat, &turn.answer).is_err() {
            break;
        }
    }
    Some(referee)
}

fn bots(source: &Source, seats: usize) -> Vec<ViewedBot> {
    let bot = |seat: usize| match source.fields.bots.get(seat) {
        Some(bot) => ViewedBot { name: bot.name.clone(), command: bot.command.clone() },
        None => ViewedBot { name: format!("seat {seat}"), command: String::new() },
    };
    (0..seats).map(bot).collect()
}

/// Lines as one text, without a final line end.
fn lines<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.collect::<Vec<_>>().join("\n")
}

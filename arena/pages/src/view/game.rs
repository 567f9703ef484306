//! A recorded game of a known contest, turn by turn.

use contest::drawing::Drawing;
use contest::{Contest, Referee};

use super::{numbers, Viewed, ViewedBot, ViewedTurn};
use coppice_referee::game::fault::Ending;
use coppice_referee::replay::fields::RecordedFault;
use coppice_referee::replay::source::Source;
use coppice_referee::replay::verify::{prepare, PrepareError, Prepared};
use coppice_referee::replay::{Next, RecordedTurn, Step};
use coppice_referee::text::millis;

/// The failure of a turn whose cause isn't recorded.
const UNKNOWN_FAILURE: &str = "no answer that counts";

/// Replays a game through the rules of its contest: the one `said`, or the one that it says it is of, or the only one
/// whose rules accept it. Where it contradicts the rules it ends, with a note.
///
/// # Errors
/// If no contest can be chosen, or the game can't begin.
pub fn view(
    source: &Source,
    said: Option<&dyn Contest>,
    known: &[&dyn Contest],
) -> Result<Viewed, PrepareError> {
    let prepared = prepare(source, said, known)?;
    let fields = &source.fields;
    let mut viewed = Viewed {
        name: source.name.clone(),
        contest: prepared.contest.name().to_owned(),
        bots: bots(source, prepared.seats()),
        limits_ms: Some([millis(prepared.limits.first), millis(prepared.limits.later)]),
        notes: source.cuts.clone(),
        seed: fields.seed,
        opening: fields.opening.clone(),
        ..Viewed::default()
    };
    let mut round = 0;
    let verdict = prepared.verify_steps(|referee, step| {
        let (seat, seat_turn, sent, said) = match step {
            Step::Answer(turn) => (turn.seat, turn.seat_turn, turn.sent, turn.said),
            Step::Failure(turn) => (turn.seat, turn.seat_turn, turn.sent, turn.said),
        };
        round += usize::from(referee.asked().first() == Some(&seat));
        let said = lines(said.iter().map(|said| said.text.as_str()));
        // Searches of this program have no standard error.
        let report = fields.reports.get(seat).and_then(|reports| reports.get(seat_turn as usize - 1));
        let turn = ViewedTurn {
            seat,
            round,
            moves_before: Some(referee.moves().split_whitespace().count()),
            position: Some(referee.draw()),
            text: referee.show(),
            sheet: referee.sheet(None),
            quantities: referee.quantities(),
            sent: lines(sent.iter().map(|entry| entry.text.as_str())),
            ms: fields.times_ms.get(seat).and_then(|times| times.get(seat_turn as usize - 1)).copied(),
            numbers: numbers::read(report.filter(|_| said.is_empty()).unwrap_or(&said)),
            said,
            ..ViewedTurn::default()
        };
        viewed.turns.push(match step {
            Step::Answer(RecordedTurn { answer, .. }) => {
                let played = referee.move_of(seat, answer).ok();
                let words = played.as_deref().map(|name| referee.words(seat, name)).unwrap_or_default();
                let (answer, marks) = (answer.to_owned(), referee.mark(seat, answer));
                ViewedTurn { answer, played, words, marks, ..turn }
            }
            Step::Failure(_) => {
                let init = if seat_turn == 1 { referee.init(seat) } else { String::new() };
                let sent = if turn.sent.is_empty() { init + &referee.turn(seat) } else { turn.sent };
                ViewedTurn { sent, failure: Some(UNKNOWN_FAILURE.to_owned()), ..turn }
            }
        });
        Next::GoOn
    });
    viewed.scores = verdict.scores;
    add_record(&mut viewed, source);
    viewed.notes.extend(verdict.problem.map(|problem| problem.to_string()));
    if let Some(referee) = end(&prepared, &viewed) {
        viewed.end = Some((referee.draw(), referee.show()));
        viewed.end_sheet = referee.sheet(None);
        viewed.moves = referee.moves();
        viewed.end_quantities = referee.quantities();
    }
    mark_by_drawings(&mut viewed);
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
    viewed.ending = fields.ending.as_deref().map(words).unwrap_or_default();
    fields.faults.iter().for_each(|fault| add_failure(viewed, fault));
}

/// Adds a failure to its turn. One without a turn of its own, such as an external referee's, gets one at the end.
fn add_failure(viewed: &mut Viewed, fault: &RecordedFault) {
    let mut failure = words(&fault.ending);
    let parts = [("expected", &fault.expected), ("received", &fault.received)]
        .map(|(what, text)| (what, text.trim()));
    let parts =
        parts.iter().filter(|(_, text)| !text.is_empty()).map(|(what, text)| format!("{what} {text}"));
    let parts = parts.collect::<Vec<_>>().join("; ");
    if !parts.is_empty() {
        failure = format!("{failure}: {parts}");
    }
    let mut of_seat = viewed.turns.iter_mut().filter(|turn| turn.seat == fault.seat);
    let turn = match (fault.forfeited_turn() as usize).checked_sub(1) {
        Some(number) => of_seat.nth(number),
        None => of_seat.next_back().filter(|turn| turn.answer.is_empty()),
    };
    if let Some(turn) = turn {
        turn.failure = Some(failure);
        if turn.said.is_empty() {
            turn.said.clone_from(&fault.stderr);
        }
        return;
    }
    let round = viewed.turns.last().map_or(0, |last| last.round + usize::from(last.round > 0));
    let (seat, said) = (fault.seat, fault.stderr.clone());
    viewed.turns.push(ViewedTurn { seat, round, said, failure: Some(failure), ..ViewedTurn::default() });
}

/// An ending in the words of the console.
fn words(ending: &str) -> String {
    let known = serde_json::from_value::<Ending>(ending.into()).map(|ending| ending.to_string());
    known.unwrap_or_else(|_| ending.replace('-', " "))
}

/// The game after the last turn that could be replayed.
fn end(prepared: &Prepared<'_>, viewed: &Viewed) -> Option<Box<dyn Referee>> {
    let mut referee = prepared.new_game().ok()?;
    // Answers of seats that are asked together are applied together, then those that failed are out.
    for round in viewed.turns.chunk_by(|a, b| a.round == b.round) {
        for turn in round.iter().filter(|turn| turn.failure.is_none()) {
            if referee.asked().contains(&turn.seat) && referee.answer(turn.seat, &turn.answer).is_err() {
                return Some(referee);
            }
        }
        round.iter().filter(|turn| turn.failure.is_some()).for_each(|turn| referee.forfeit(turn.seat));
    }
    Some(referee)
}

/// Where the contest doesn't say what an answer does: what the drawing after the round marks as the last move.
fn mark_by_drawings(viewed: &mut Viewed) {
    // A contest that marks some answers says of the others that nothing is to be seen: a pass, a rest.
    if viewed.turns.iter().any(|turn| !turn.marks.is_empty()) {
        return;
    }
    for at in 0..viewed.turns.len() {
        let turn = &viewed.turns[at];
        if turn.failure.is_some() || !turn.marks.is_empty() {
            continue;
        }
        let later = viewed.turns[at..].iter().find(|later| later.round > turn.round);
        let after = match later {
            Some(later) => later.position.as_ref(),
            None => viewed.end.as_ref().map(|(drawing, _)| drawing),
        };
        let last = |drawing: Option<&Drawing>| drawing.cloned().map(Drawing::last_move).unwrap_or_default();
        let before = last(turn.position.as_ref());
        let marks = last(after).into_iter().filter(|shape| !before.contains(shape)).collect();
        viewed.turns[at].marks = marks;
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use contest::drawing::{Paint, Shape};

    #[test]
    fn a_rest_is_not_marked_by_the_others_move() {
        let disc = Shape::Disc([1.0, 1.0, 0.4], Paint::Last);
        let drawing = |shapes: &[Shape]| Drawing { shapes: shapes.to_vec(), ..Drawing::new(2.0, 2.0) };
        let turn = |seat: usize| ViewedTurn {
            seat,
            round: 1,
            position: Some(drawing(&[])),
            ..ViewedTurn::default()
        };
        let mut viewed = Viewed { turns: vec![turn(0), turn(1)], ..Viewed::default() };
        viewed.end = Some((drawing(std::slice::from_ref(&disc)), String::new()));
        let mut unmarked = viewed.clone();
        mark_by_drawings(&mut unmarked);
        assert_eq!(
            unmarked.turns[1].marks,
            std::slice::from_ref(&disc),
            "where the contest marks nothing itself"
        );
        viewed.turns[0].marks = vec![disc];
        mark_by_drawings(&mut viewed);
        assert!(viewed.turns[1].marks.is_empty(), "its contest marks moves, and this one does nothing");
    }
}

//! A game of a contest that this program doesn't have, from the dialogues of its bots.

use super::{numbers, Viewed, ViewedBot, ViewedTurn};
use coppice_referee::replay::source::{Form, Source};

/// The game, if the source has dialogues with an answer. The turns are in the order of the record; without one, the seats
/// take turns.
pub(super) fn view(source: &Source) -> Option<Viewed> {
    let Form::Dialogues(logs) = &source.form else { return None };
    let mut of_seats = logs.iter().enumerate().map(|(seat, (_, log))| {
        let times = source.fields.times_ms.get(seat);
        let turns = log.exchanges().enumerate().map(move |(number, exchange)| {
            let said = exchange.said.iter().map(|said| said.text.as_str()).collect::<Vec<_>>().join("\n");
            let lines = |entries: &[coppice_referee::game::log::Entry]| {
                entries.iter().map(|entry| entry.text.as_str()).collect::<Vec<_>>().join("\n")
            };
            ViewedTurn {
                seat,
                sent: lines(exchange.sent),
                answer: lines(exchange.answered),
                ms: times.and_then(|times| times.get(number)).copied(),
                numbers: numbers::read(&said),
                said,
                ..ViewedTurn::default()
            }
        });
        turns.collect::<Vec<_>>().into_iter()
    });
    let mut of_seats = of_seats.by_ref().collect::<Vec<_>>();
    let mut turns = Vec::new();
    for &seat in &source.fields.turns {
        turns.extend(of_seats.get_mut(seat).and_then(Iterator::next));
    }
    // The rest: all turns without an order, or input that bots were sent after their last answer.
    while of_seats.iter().any(|turns| turns.len() > 0) {
        turns.extend(of_seats.iter_mut().filter_map(Iterator::next));
    }
    turns.retain(|turn| !turn.answer.is_empty() || !turn.said.is_empty() || !turn.sent.is_empty());
    if turns.is_empty() {
        return None;
    }
    let bot = |seat: usize| ViewedBot { name: format!("seat {seat}"), command: String::new() };
    let bots = (0..logs.len()).map(bot).collect();
    Some(Viewed { name: source.name.clone(), notes: source.cuts.clone(), bots, turns, ..Viewed::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use coppice_referee::game::log::Log;
    use coppice_referee::replay::fields::Fields;

    #[test]
    fn turns_are_in_the_order_of_the_record() {
        let log = |text: &str| ("x.log".into(), Log::parse("x.log", text.as_bytes()).unwrap());
        let source = |turns: &[usize]| Source {
            name: "1".to_owned(),
            path: "1".into(),
            form: Form::Dialogues(vec![
                log("> a\n! [TDATA] depth = 3\n< b\n> c\n"),
                log("> d\n< e\n> f\n< g\n"),
            ]),
            fields: Fields {
                times_ms: vec![vec![5.0], vec![1.0, 2.0]],
                turns: turns.to_vec(),
                ..Fields::default()
            },
            cuts: Vec::new(),
        };
        let turns = |source: &Source| {
            let turns = view(source).unwrap().turns;
            turns.iter().map(|turn| (turn.sent.clone() + &turn.answer, turn.ms)).collect::<Vec<_>>()
        };
        let turn = |text: &str, ms| (text.to_owned(), ms);
        assert_eq!(
            turns(&source(&[1, 0, 1])),
            [turn("de", Some(1.0)), turn("ab", Some(5.0)), turn("fg", Some(2.0)), turn("c", None)]
        );
        assert_eq!(turns(&source(&[]))[1], turn("de", Some(1.0)));
        assert_eq!(view(&source(&[1, 0, 1])).unwrap().turns[1].numbers["depth"], 3.0);
        let none = Source { form: Form::Moves, ..source(&[]) };
        assert!(view(&none).is_none());
    }
}

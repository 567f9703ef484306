//! Runs a bot on the recorded input of a seat of a contest whose rules aren't known: its answers are compared with the
//! recorded ones as text, and the input goes on as recorded.

use std::path::Path;
use std::time::Duration;

use contest::{Limits, Seat};

use super::against::{Difference, SeatReport, LEAVE, NAME};
use crate::bot::Bot;
use crate::game::fault::{judge, last_lines, FaultReport, Turn};
use crate::game::log::{Entry, Log};
use crate::text::millis;

/// Asks a bot every recorded turn of a dialogue; `path` is for messages. An answer has as many lines as the recorded one.
/// The bot's game ends with its first fault: without rules no position can be given to a new process.
pub fn ask_again(log: &Log, path: &Path, seat: Seat, limits: Limits, mut bot: Box<dyn Bot>) -> SeatReport {
    let mut report = SeatReport { seat, ..SeatReport::default() };
    let mut lines = 1;
    for (number, exchange) in (1..).zip(log.exchanges()) {
        if exchange.sent.iter().all(|entry| entry.text.is_empty()) {
            continue;
        }
        let input: String = exchange.sent.iter().map(|entry| format!("{}\n", entry.text)).collect();
        lines = Some(exchange.answered.len()).filter(|&count| count > 0).unwrap_or(lines);
        let limit = if number == 1 { limits.first } else { limits.later };
        let reply = bot.ask(&input, lines, limit);
        let (turn, ms) = (number as usize, millis(reply.after()));
        report.turns += 1;
        report.note_time(ms, turn);
        let answered = match judge(&reply, Turn { number, lines, limit, is_platform: false }) {
            Ok(answered) => answered,
            Err(verdict) => {
                bot.stop(Duration::ZERO);
                let stderr = last_lines(&bot.stderr_tail());
                report.faults.push(FaultReport::of(NAME.to_owned(), seat, number, verdict, stderr));
                return report;
            }
        };
        let recorded = joined(exchange.answered);
        if recorded.is_empty() || recorded.lines().eq(answered.lines().map(str::trim_end)) {
            report.same += 1;
        } else {
            let line = exchange.answered.first().map_or(0, |entry| entry.line);
            let place = format!("{}:{line}", path.display());
            report.differences.push(Difference { turn, place, recorded, answered, ms });
        }
    }
    bot.dismiss();
    bot.stop(LEAVE);
    report
}

fn joined(entries: &[Entry]) -> String {
    entries.iter().map(|entry| entry.text.trim_end()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::scripted::ScriptedBot;

    #[test]
    fn answers_are_compared_turn_by_turn() {
        let log =
            Log::parse("1.p0.log", b"> 3\n> 1 2\n< MOVE 1\n< WAIT\n> 4\n< MOVE 2\n< WAIT\n> 5\n").unwrap();
        let limits = Limits { first: Duration::from_secs(1), later: Duration::from_secs(1) };
        let ask = |answers: &[&'static str]| {
            let bot = ScriptedBot::lines(answers.iter().copied());
            ask_again(&log, Path::new("1.p0.log"), 0, limits, Box::new(bot))
        };
        let report = ask(&["MOVE 1\nWAIT", "MOVE 7\nWAIT", "MOVE 3\nWAIT"]);
        assert_eq!((report.turns, report.same, report.faults.len()), (3, 2, 0));
        let [difference] = &report.differences[..] else { panic!("{report:?}") };
        assert_eq!((difference.turn, &difference.place[..]), (2, "1.p0.log:6"));
        assert_eq!([&difference.recorded, &difference.answered], ["MOVE 2\nWAIT", "MOVE 7\nWAIT"]);
        // The bot ends after its first answer.
        let report = ask(&["MOVE 1\nWAIT"]);
        assert_eq!((report.turns, report.same, report.faults.len()), (2, 1, 1));
    }
}

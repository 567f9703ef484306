//! Runs a bot on a seat of a recorded game: it receives the recorded input, its answers are compared with the
//! recorded ones, and the game continues with the recorded answers.

use std::time::Duration;

use contest::{Contest, Limits, Referee, Seat, Setup};
use serde::Serialize;

use crate::bot::Bot;
use crate::game::fault::{judge, last_lines, without_end, FaultReport, Turn, Verdict};
use crate::text::millis;

use super::fields::after;
use super::{Next, RecordedTurn};

/// A turn in which the bot moves differently.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// The turn's number in the game, from 1.
    pub turn: usize,
    /// The place of the recorded answer: file and line.
    pub place: String,
    /// The recorded move.
    pub recorded: String,
    /// The bot's move.
    pub answered: String,
    /// The time of its answer, in milliseconds.
    pub ms: f64,
}

/// The result for a seat.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SeatReport {
    /// The seat.
    pub seat: Seat,
    /// The number of turns in which the bot was asked.
    pub turns: usize,
    /// The number of turns in which it moved as recorded.
    pub same: usize,
    /// The turns in which it moved differently.
    pub differences: Vec<Difference>,
    /// The bot's faults, by the seat's turns.
    pub faults: Vec<FaultReport>,
    /// The longest answer in milliseconds.
    pub slowest_ms: f64,
    /// The game's turn of the longest answer, from 1; 0 without a turn.
    pub slowest_turn: usize,
}

impl SeatReport {
    pub(super) fn note_time(&mut self, ms: f64, turn: usize) {
        if ms > self.slowest_ms {
            (self.slowest_ms, self.slowest_turn) = (ms, turn);
        }
    }
}

/// The bot's name in reports of faults.
pub(super) const NAME: &str = "under test";

/// A bot that plays a seat's recorded turns.
pub struct Against<'a, S> {
    contest: &'a dyn Contest,
    limits: Limits,
    start: S,
    bot: Option<Box<dyn Bot>>,
    /// Turns since the bot was started.
    turns: u32,
    /// Whether the bot's game has diverged from the recorded one.
    is_astray: bool,
    /// The seat's input before the game's first turn.
    init: String,
    report: SeatReport,
}

impl<'a, E, S: FnMut() -> Result<Box<dyn Bot>, E>> Against<'a, S> {
    /// A bot on a seat; `start` starts its process.
    pub fn new(contest: &'a dyn Contest, limits: Limits, seat: Seat, start: S) -> Self {
        let report = SeatReport { seat, ..SeatReport::default() };
        Self { contest, limits, start, bot: None, turns: 0, is_astray: false, init: String::new(), report }
    }

    /// Asks the bot, if the turn is its seat's.
    ///
    /// After a turn in which it moved differently or failed, it is restarted with the game so far as an opening,
    /// unless the protocol's turns contain the whole position.
    ///
    /// # Errors
    /// If it can't be started.
    pub fn look(&mut self, referee: &dyn Referee, turn: &RecordedTurn<'_>) -> Result<Next, E> {
        let seat = turn.seat;
        if seat != self.report.seat {
            return Ok(Next::GoOn);
        }
        let recorded: String = turn.sent.iter().map(|entry| format!("{}\n", entry.text)).collect();
        if turn.seat_turn == 1 {
            self.init = referee.init(seat);
        }
        let again = self.game_for_a_new_bot(referee, seat, &recorded);
        let (text, judging) = match &again {
            Some(again) => {
                self.bot = None;
                self.is_astray = false;
                (again.init(seat) + &again.turn(seat), &**again)
            }
            None => (recorded, referee),
        };
        let bot = match &mut self.bot {
            Some(bot) => bot,
            none => {
                self.turns = 0;
                none.insert((self.start)()?)
            }
        };
        self.turns += 1;
        let (limit, lines) =
            (if self.turns == 1 { self.limits.first } else { self.limits.later }, judging.answer_lines(seat));
        let reply = bot.ask(&text, lines, limit);
        self.report.turns += 1;
        let ms = millis(reply.after());
        self.report.note_time(ms, turn.number);
        let turn_of_bot = Turn { lines, ..Turn::new(self.turns, judging, seat, limit) };
        let moved = judge(&without_end(reply, judging, seat), turn_of_bot).and_then(|answer| {
            judging.move_of(seat, &answer).map_err(|fault| Verdict::refused(fault, &answer))
        });
        match moved {
            Ok(answered) => self.compare(referee, turn, answered, ms),
            Err(verdict) => self.fail(turn, verdict),
        }
        Ok(Next::GoOn)
    }

    /// Whether the bot has made a fault.
    pub fn has_failed(&self) -> bool {
        !self.report.faults.is_empty()
    }

    /// Dismisses the bot and returns the result for the seat.
    pub fn finish(mut self) -> SeatReport {
        if let Some(mut bot) = self.bot.take() {
            bot.dismiss();
            bot.stop(LEAVE);
        }
        self.report
    }

    /// The beginning of the game for a bot that is restarted, if it must be.
    fn game_for_a_new_bot(
        &self,
        referee: &dyn Referee,
        seat: Seat,
        recorded: &str,
    ) -> Option<Box<dyn Referee>> {
        let runs_well = self.bot.is_some() && !self.is_astray;
        if runs_well || self.report.turns == 0 {
            return None;
        }
        let setup = Setup { seed: 0, opening_plies: 0, limits: self.limits };
        let again = after(self.contest, setup, &referee.moves()).ok()?;
        let tells_all = again.init(seat) == self.init && sorted(&again.turn(seat)) == sorted(recorded);
        (self.bot.is_none() || !tells_all).then_some(again)
    }

    fn compare(&mut self, referee: &dyn Referee, turn: &RecordedTurn<'_>, answered: String, ms: f64) {
        let recorded = referee.move_of(turn.seat, turn.answer).unwrap_or_else(|_| turn.answer.to_owned());
        if answered == recorded {
            self.report.same += 1;
            return;
        }
        self.is_astray = true;
        let place = format!("{}:{}", turn.path.display(), turn.line);
        self.report.differences.push(Difference { turn: turn.number, place, recorded, answered, ms });
    }

    fn fail(&mut self, turn: &RecordedTurn<'_>, verdict: Verdict) {
        let mut stderr = String::new();
        if let Some(mut bot) = self.bot.take() {
            bot.stop(Duration::ZERO);
            stderr = last_lines(&bot.stderr_tail());
        }
        self.report.faults.push(FaultReport::of(NAME.to_owned(), turn.seat, turn.seat_turn, verdict, stderr));
    }
}

/// Maximum time for a bot to exit.
pub(super) const LEAVE: Duration = Duration::from_millis(200);

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

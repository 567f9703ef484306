//! One seat's part in a game: its turns, its dialogue, the times of its answers.

use std::time::Duration;

use contest::{Limits, Referee, Seat};

use crate::bot::Reply;
use crate::game::fault::{judge, last_lines, FaultReport, Turn, Verdict};
use crate::game::log::{Direction, Log};
use crate::game::Player;

/// State of a seat during a game.
#[derive(Default)]
pub struct SeatState {
    /// The number of its turns.
    pub turns: u32,
    /// Whether it has failed.
    pub is_out: bool,
    /// The time of each answer.
    pub times: Vec<Duration>,
    /// The lines to and from it.
    pub dialogue: Log,
}

impl SeatState {
    /// The lines of its turn; on the first, the init lines come first.
    pub fn text(&self, referee: &dyn Referee, seat: Seat) -> String {
        let turn = referee.turn(seat);
        if self.turns == 0 {
            referee.init(seat) + &turn
        } else {
            turn
        }
    }

    /// Asks a bot for its answer.
    ///
    /// # Errors
    /// The verdict on an answer that is invalid or late, or on a bot that has used too much.
    pub fn ask(
        &mut self,
        player: &mut Player,
        referee: &dyn Referee,
        seat: Seat,
        text: &str,
        limits: Limits,
    ) -> Result<String, Verdict> {
        self.turns += 1;
        // Bytes that have arrived until now belong to the turn before.
        self.dialogue.push_said(&player.bot.stderr_news());
        let limit = if self.turns == 1 { limits.first } else { limits.later };
        let turn = Turn::new(self.turns, referee, seat, limit);
        let mut reply = player.bot.ask(text, turn.lines, turn.limit);
        self.write_down(text, &reply);
        if let Reply::Answer { bytes, extra, .. } = &mut reply {
            let answer = String::from_utf8_lossy(bytes);
            let may_follow =
                |line: &[u8]| referee.may_follow(seat, &answer, String::from_utf8_lossy(line).trim_end());
            if extra.as_deref().is_some_and(may_follow) {
                *extra = None;
            }
        }
        let judged = judge(&reply, turn);
        if judged.as_ref().is_err_and(Verdict::is_time_out) {
            return judged.map_err(|verdict| verdict.with_cpu(player.bot.turn_cpu(), turn.limit));
        }
        match player.bot.excess() {
            Some(excess) => Err(Verdict::excess(&excess)),
            None => judged,
        }
    }

    /// Notes a turn that was answered without a process.
    pub fn answered(&mut self, text: &str, answer: &str, after: Duration) {
        self.turns += 1;
        self.dialogue.push(Direction::ToBot, text);
        self.dialogue.push_bytes(Direction::FromBot, answer.as_bytes());
        self.times.push(after);
    }

    /// Ends a bot's game and its process, at once: the others need the processor.
    pub fn forfeit(&mut self, player: &mut Player, seat: Seat, verdict: Verdict) -> FaultReport {
        player.bot.stop(Duration::ZERO);
        self.is_out = true;
        let stderr = last_lines(&player.bot.stderr_tail());
        FaultReport::of(player.name.clone(), seat, self.turns, verdict, stderr)
    }

    fn write_down(&mut self, text: &str, reply: &Reply) {
        let came_first = matches!(reply, Reply::Unasked { .. });
        if !came_first {
            self.dialogue.push(Direction::ToBot, text);
        }
        if !reply.bytes().is_empty() || matches!(reply, Reply::Answer { .. } | Reply::Unasked { .. }) {
            self.dialogue.push_bytes(Direction::FromBot, reply.bytes());
        }
        if let Reply::Answer { after, extra, .. } = reply {
            self.times.push(*after);
            if let Some(extra) = extra {
                self.dialogue.push_bytes(Direction::FromBot, extra);
            }
        }
    }
}

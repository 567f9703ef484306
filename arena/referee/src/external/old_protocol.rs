//! Referees of the old protocol of cg-brutaltester (`-o`): they don't start the bots, but say what each is to be sent, and
//! get its answers. The arena runs the bots and keeps their time.
//!
//! The referee reads `###Seed N` and `###Start PLAYERS`. It prints
//!
//! | line | meaning |
//! |---|---|
//! | `###Input P` | the next lines are for player P, from 0 |
//! | `###Output P N` | player P is to answer N lines, which the referee then reads |
//! | `###Error P TEXT` | player P has failed; it isn't asked again |
//! | `###End GROUP ...` | the game is over: groups of players, best first; the digits of a group tie |

use std::process::Command;
use std::time::{Duration, Instant};

use contest::Limits;

use super::error::Printed;
use super::{Dialogues, ExternalReferee, Game, Order, Reason, RefereeError, SeedOption};
use crate::bot::data::BotData;
use crate::bot::{Bot, Reply};
use crate::game::fault::{judge, Turn};
use crate::game::log::{Direction, Log};
use crate::process::talk::{Heard, Talk};
use crate::process::{self, Process, StartError};
use crate::text::quoted;

/// Time for a program to exit by itself at the end.
const LEAVE: Duration = Duration::from_millis(200);

/// A line of the referee.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Line<'a> {
    Input(usize),
    Output(usize, usize),
    Error(usize, &'a str),
    End(Vec<Vec<usize>>),
    /// Text for a player.
    Text(&'a str),
}

/// Reads a line; the error says what was expected.
fn parse(line: &str, seats: usize) -> Result<Line<'_>, String> {
    let Some(rest) = line.strip_prefix("###") else { return Ok(Line::Text(line)) };
    let (word, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let wrong = |expected: &str| format!("expected {expected}, found {}", quoted(line.as_bytes()));
    let player = |text: &str| text.trim().parse().ok().filter(|&player: &usize| player < seats);
    let players = format!("a player from 0 to {}", seats.saturating_sub(1));
    match word {
        "Input" => player(rest).map(Line::Input).ok_or_else(|| wrong(&format!("###Input and {players}"))),
        "Output" => {
            let parts = rest.trim().split_once(' ');
            let parts = parts.and_then(|(p, lines)| Some((player(p)?, lines.trim().parse().ok()?)));
            let parts = parts.filter(|&(_, lines)| (1..=MOST_LINES).contains(&lines));
            parts
                .map(|(player, lines)| Line::Output(player, lines))
                .ok_or_else(|| wrong(&format!("###Output, {players}, and 1 to {MOST_LINES} lines")))
        }
        "Error" => {
            let (p, text) = rest.split_once(' ').unwrap_or((rest, ""));
            player(p).map(|p| Line::Error(p, text)).ok_or_else(|| wrong(&format!("###Error and {players}")))
        }
        "End" => {
            let digit = |digit: char| digit.to_digit(10).map(|player| player as usize).filter(|&p| p < seats);
            let groups = rest.split_whitespace().map(|group| group.chars().map(digit).collect());
            let groups = groups.collect::<Option<Vec<Vec<usize>>>>();
            groups.map(Line::End).ok_or_else(|| wrong("###End and groups of players' digits, best first"))
        }
        _ => Err(wrong("###Input, ###Output, ###Error or ###End")),
    }
}

/// Most lines of an answer.
const MOST_LINES: usize = 10_000;

/// A player of a game.
struct Player {
    bot: Process,
    /// Text that it is sent with its next turn.
    input: String,
    turns: u32,
    failure: Option<String>,
    log: Log,
    times: Vec<Duration>,
}

impl Player {
    fn start(order: &Order<'_>, seat: usize) -> Result<Self, RefereeError> {
        let line = order.bots[seat];
        let bot = Process::start(line).map_err(|source| {
            RefereeError::StartBot(StartError::new(format!("on seat {seat}"), line, source))
        })?;
        let (log, times) = (Log::default(), Vec::new());
        Ok(Self { bot, input: String::new(), turns: 0, failure: None, log, times })
    }

    /// The answer to all text since the last turn; `None` once it has failed.
    fn ask(&mut self, lines: usize, limits: Limits) -> Option<String> {
        let input = std::mem::take(&mut self.input);
        if self.failure.is_some() {
            return None;
        }
        self.turns += 1;
        self.log.push_said(&self.bot.stderr_news());
        let limit = if self.turns == 1 { limits.first } else { limits.later };
        let reply = self.bot.ask(&input, lines, limit);
        self.log.push(Direction::ToBot, &input);
        if !reply.bytes().is_empty() {
            self.log.push_bytes(Direction::FromBot, reply.bytes());
        }
        let turn = Turn { number: self.turns, lines, limit, is_platform: true };
        match judge(&reply, turn) {
            Ok(answer) => {
                self.times.push(reply.after());
                Some(answer)
            }
            Err(verdict) => {
                let cpu = self.bot.turn_cpu();
                let verdict = verdict.with_cpu(cpu, limit);
                self.bot.stop(if matches!(reply, Reply::Closed { .. }) { LEAVE } else { Duration::ZERO });
                let turn = self.turns;
                self.fail(format!(
                    "turn {turn}: expected {}, received {}",
                    verdict.expected, verdict.received
                ));
                None
            }
        }
    }

    fn fail(&mut self, why: String) {
        self.bot.stop(Duration::ZERO);
        self.failure.get_or_insert(why);
    }

    fn end(&mut self) {
        self.bot.dismiss();
        self.bot.stop(LEAVE);
        self.log.push_said(&self.bot.stderr_news());
    }
}

impl ExternalReferee {
    /// Plays a game by the old protocol; again if the referee fails.
    pub(super) fn play_by_old_protocol(
        &self,
        order: &Order<'_>,
        limits: Limits,
    ) -> Result<Game, RefereeError> {
        let reason = match self.converse(order, limits)? {
            Ok(game) => return Ok(game),
            Err(reason) => reason,
        };
        crate::text::note(format_args!("game {}: {reason}; it is played again", order.game));
        self.converse(order, limits)?.map_err(|reason| self.failed(order, reason))
    }

    fn converse(&self, order: &Order<'_>, limits: Limits) -> Result<Result<Game, Reason>, RefereeError> {
        let seats = order.bots.len();
        let mut players = (0..seats).map(|seat| Player::start(order, seat)).collect::<Result<Vec<_>, _>>()?;
        let mut command = Command::new(self.line().program());
        command.args(self.line().arguments()).args(&self.settings().arguments);
        let talk = Talk::start(&mut command);
        let mut talk =
            talk.map_err(|source| RefereeError::Start { command: self.line().to_string(), source })?;
        if self.settings().seed != Some(SeedOption::None) {
            talk.tell(&format!("###Seed {}\n", self.seed_text(order.seed)));
        }
        talk.tell(&format!("###Start {seats}\n"));
        let deadline = Instant::now() + self.settings().limit;
        let mut turns = Vec::new();
        let groups = follow(&mut talk, &mut players, limits, deadline, &mut turns);
        let run = talk.end(if groups.is_ok() { LEAVE } else { Duration::ZERO });
        players.iter_mut().for_each(Player::end);
        if process::interrupted() {
            return Err(RefereeError::Interrupted);
        }
        let groups = match groups {
            Ok(groups) => groups,
            Err(Stop::Late) => {
                let limit = self.settings().limit;
                return Ok(Err(Reason::TooSlow { limit, printed: Printed::of(&run) }));
            }
            Err(Stop::Wrong(what)) => return Ok(Err(Reason::Output { what, printed: Printed::of(&run) })),
        };
        Ok(Ok(game(players, &groups, turns)))
    }
}

/// The reasons why a conversation stops before its end.
enum Stop {
    Late,
    Wrong(String),
}

/// Follows the referee's lines to the end of the game; returns the groups of players, best first.
fn follow(
    talk: &mut Talk,
    players: &mut [Player],
    limits: Limits,
    deadline: Instant,
    turns: &mut Vec<usize>,
) -> Result<Vec<Vec<usize>>, Stop> {
    let mut receiver: Option<usize> = None;
    loop {
        if process::interrupted() {
            return Err(Stop::Late);
        }
        let line = match talk.hear(deadline) {
            Heard::Line(line) => line,
            Heard::End => return Err(Stop::Wrong("its output ended before ###End".to_owned())),
            Heard::Nothing => return Err(Stop::Late),
        };
        match parse(&line, players.len()).map_err(Stop::Wrong)? {
            Line::Input(player) => receiver = Some(player),
            // Without a receiver it is no input, such as a log line before the game.
            Line::Text(text) => {
                if let Some(player) = receiver {
                    players[player].input += &format!("{text}\n");
                }
            }
            Line::Output(player, lines) => {
                receiver = None;
                match players[player].ask(lines, limits) {
                    Some(answer) => {
                        turns.push(player);
                        talk.tell(&format!("{answer}\n"));
                    }
                    // The referee waits for as many lines: empty ones are no answer.
                    None => talk.tell(&"\n".repeat(lines)),
                }
            }
            Line::Error(player, text) => {
                receiver = None;
                let text = if text.is_empty() { "a failure" } else { text };
                players[player].fail(text.to_owned());
            }
            Line::End(groups) => return Ok(groups),
        }
    }
}

/// The game with a point for each player behind. A player that isn't named is last.
fn game(mut players: Vec<Player>, groups: &[Vec<usize>], turns: Vec<usize>) -> Game {
    let place =
        |player: usize| groups.iter().position(|group| group.contains(&player)).unwrap_or(groups.len());
    let behind =
        |player: usize| (0..players.len()).filter(|&other| place(other) > place(player)).count() as i64;
    let scores = (0..players.len()).map(behind).collect();
    let data: Vec<BotData> = players.iter_mut().map(|player| player.bot.data()).collect();
    let said = |log: &Log| log.said().iter().map(|said| format!("{}\n", said.text)).collect::<String>();
    Game {
        scores,
        failed: players.iter().map(|player| player.failure.is_some()).collect(),
        ending: None,
        words: players.iter().map(|player| player.failure.clone().unwrap_or_default()).collect(),
        stderr: players.iter().map(|player| said(&player.log)).collect(),
        data,
        attributes: Default::default(),
        input: None,
        dialogues: Dialogues {
            times: players.iter().map(|player| player.times.clone()).collect(),
            logs: players.into_iter().map(|player| player.log).collect(),
            turns,
        },
        remarks: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_wrong_ones_named() {
        assert_eq!(parse("###Input 1", 2), Ok(Line::Input(1)));
        assert_eq!(parse("###Output 0 3", 2), Ok(Line::Output(0, 3)));
        assert_eq!(parse("###Error 1 no such cell", 2), Ok(Line::Error(1, "no such cell")));
        assert_eq!(parse("###End 2 01", 3), Ok(Line::End(vec![vec![2], vec![0, 1]])));
        assert_eq!(parse("5 7", 2), Ok(Line::Text("5 7")));
        for (line, wanted) in [
            ("###Input 2", "expected ###Input and a player from 0 to 1, found \"###Input 2\""),
            ("###Output 0", "expected ###Output, a player from 0 to 1, and 1 to 10000 lines"),
            ("###Output 0 0", "expected ###Output"),
            ("###End 0 3", "expected ###End and groups"),
            ("###Hello", "expected ###Input, ###Output, ###Error or ###End, found \"###Hello\""),
        ] {
            let error = parse(line, 2).unwrap_err();
            assert!(error.starts_with(wanted), "{error}");
        }
    }
}

//! Plays one game of a bot against random legal moves.

use std::io;
use std::time::Duration;

use contest::{Contest, Referee, Seat, Setup};
use coppice::rng::split_mix;
use coppice::Rng;

use coppice_referee::bot::exit::Exit;
use coppice_referee::bot::{Bot, Reply};
use coppice_referee::game::fault::{judge, last_lines, without_end, FaultReport, Turn, Verdict};
use coppice_referee::process::Process;

use super::plan::{Exchange, Item, Plan, Status};

/// Turns after which a game that doesn't end, by a bug of the contest, is aborted.
const MOST_TURNS: u32 = 100_000;

/// Maximum time for a bot to exit after the game.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);

/// The result of a game.
pub(super) struct Trial {
    pub number: u32,
    pub seat: Seat,
    pub opening: String,
    pub turns: u32,
    pub times: Vec<Duration>,
    pub fault: Option<(FaultReport, Exchange)>,
    /// The last turn that was sent.
    sent: String,
    /// The first answer that is accepted but spelled in an unusual way: its turn, itself, and the usual spelling.
    pub odd: Option<(u32, String, String)>,
    pub stderr_bytes: u64,
    /// How the process ended after its input was closed.
    pub exit: Option<Exit>,
    /// The bot's output after its last answer.
    pub unread: Vec<u8>,
    scores: Vec<i64>,
}

impl Trial {
    /// The result of the check.
    pub(super) fn item(&self, contest: &dyn Contest) -> Item {
        let name = format!("game {}", self.number + 1);
        let opening = if self.opening.is_empty() { "" } else { ", opening " };
        let place = format!("seat {}{opening}{}", self.seat, self.opening);
        match &self.fault {
            Some((fault, exchange)) => {
                let FaultReport { ending, expected, received, .. } = fault;
                let detail =
                    format!("{place}{}: {ending}; expected {expected}; received {received}", fault.place());
                Item { exchange: Some(exchange.clone()), ..Item::new(&name, Status::Fault, detail) }
            }
            None => {
                let scores = self.scores.iter().map(i64::to_string).collect::<Vec<_>>().join("-");
                let detail = format!(
                    "{place}: {} against random moves, {} answers, scores {scores}",
                    contest.name(),
                    self.turns
                );
                Item::new(&name, Status::Ok, detail)
            }
        }
    }
}

/// Plays game number `number`, from 0, with a new process.
pub(super) fn play(plan: &Plan<'_>, number: u32) -> io::Result<Trial> {
    let mut seed = plan.seed.wrapping_add(u64::from(number));
    let setup = Setup {
        seed: split_mix(&mut seed),
        opening_plies: plan.contest.opening_plies(),
        limits: plan.limits,
    };
    let mut referee = plan.contest.new_game(setup);
    let mut trial = Trial {
        number,
        seat: number as usize % plan.contest.seats(),
        opening: referee.moves(),
        turns: 0,
        times: Vec::new(),
        fault: None,
        sent: String::new(),
        odd: None,
        stderr_bytes: 0,
        exit: None,
        unread: Vec::new(),
        scores: Vec::new(),
    };
    let mut rng = Rng::new(split_mix(&mut seed));
    let mut bot = Process::start(&plan.bot)?;
    let mut last = None;
    for _ in 0..MOST_TURNS {
        let asked = referee.asked();
        if asked.is_empty() {
            break;
        }
        let mut answers = Vec::new();
        for seat in asked {
            let answer = if seat == trial.seat {
                match trial.ask(plan, &mut bot, &*referee) {
                    Some(answer) => {
                        last = Some((referee.moves(), answer.clone()));
                        answer
                    }
                    None => return Ok(trial),
                }
            } else {
                random_answer(&*referee, seat, &mut rng)
            };
            answers.push((seat, answer));
        }
        for (seat, answer) in answers {
            // All answers were checked against the same state; one may have become unnecessary.
            let _ = referee.answer(seat, &answer);
        }
    }
    trial.scores = referee.scores();
    trial.exit = bot.leave(PATIENCE);
    trial.stderr_bytes = bot.stderr_bytes();
    trial.unread = unasked(plan, setup, trial.seat, last, &bot.unread());
    Ok(trial)
}

fn random_answer(referee: &dyn Referee, seat: Seat, rng: &mut Rng) -> String {
    let legal = referee.legal_moves(seat);
    let text = if legal.is_empty() { "" } else { &legal[rng.below(legal.len() as u32) as usize] };
    referee.answer_of(seat, text)
}

/// The output after the last answer, without a line that the rules allow there.
fn unasked(
    plan: &Plan<'_>,
    setup: Setup,
    seat: Seat,
    last: Option<(String, String)>,
    unread: &[u8],
) -> Vec<u8> {
    let Some((moves, answer)) = last else { return unread.to_vec() };
    let setup = Setup { opening_plies: 0, ..setup };
    let line = String::from_utf8_lossy(unread);
    let may_follow = coppice_referee::replay::fields::after(plan.contest, setup, &moves)
        .is_ok_and(|referee| referee.may_follow(seat, &answer, line.trim_end()));
    if may_follow {
        Vec::new()
    } else {
        unread.to_vec()
    }
}

impl Trial {
    /// Asks the bot; `None` if it failed.
    fn ask(&mut self, plan: &Plan<'_>, bot: &mut Process, referee: &dyn Referee) -> Option<String> {
        let init = if self.turns == 0 { referee.init(self.seat) } else { String::new() };
        let text = init + &referee.turn(self.seat);
        self.turns += 1;
        let limit = if self.turns == 1 { plan.limits.first } else { plan.limits.later };
        let turn = Turn::new(self.turns, referee, self.seat, limit);
        let reply = bot.ask(&text, turn.lines, turn.limit);
        let bytes = whole(&reply);
        let reply = without_end(reply, referee, self.seat);
        if !matches!(reply, Reply::Unasked { .. }) {
            self.times.push(reply.after());
            self.sent = text;
        }
        let judged = judge(&reply, turn).and_then(|answer| {
            let refused = |fault| Verdict::refused(fault, &answer);
            referee.check(self.seat, &answer).map_err(refused).map(|()| answer.clone())
        });
        match judged {
            Ok(answer) => {
                if self.odd.is_none() && turn.lines == 1 {
                    let usual = referee.move_of(self.seat, &answer).map(|m| referee.answer_of(self.seat, &m));
                    let odd = usual.ok().filter(|usual| !is_usual(&answer, usual));
                    self.odd = odd.map(|usual| (self.turns, answer.clone(), usual));
                }
                Some(answer)
            }
            Err(verdict) => {
                bot.stop(Duration::ZERO);
                let stderr = last_lines(&bot.stderr_tail());
                let exchange = Exchange {
                    sent: self.sent.lines().map(str::to_owned).collect(),
                    received: bytes
                        .split(|&b| b == b'\n')
                        .map(|line| line.escape_ascii().to_string())
                        .collect(),
                    stderr: stderr.clone(),
                };
                self.stderr_bytes = bot.stderr_bytes();
                let fault = FaultReport::of(plan.bot.to_string(), self.seat, self.turns, verdict, stderr);
                self.fault = Some((fault, exchange));
                None
            }
        }
    }
}

/// Whether an answer has the usual spelling, perhaps after a word in capitals and one space, or before a space and a message.
fn is_usual(answer: &str, usual: &str) -> bool {
    let command = answer.find(|c: char| !c.is_ascii_uppercase()).unwrap_or(0);
    let after = answer[command..].strip_prefix(' ').filter(|_| command > 0).unwrap_or(answer);
    [answer, after].iter().filter_map(|text| text.strip_prefix(usual)).any(|rest| {
        rest.is_empty()
            || rest.strip_prefix(' ').is_some_and(|message| message.starts_with(|c: char| !c.is_whitespace()))
    })
}

/// All received bytes, with the line after the answer.
fn whole(reply: &Reply) -> Vec<u8> {
    match reply {
        Reply::Answer { bytes, extra: Some(extra), .. } => [bytes.as_slice(), extra].join(&b'\n'),
        _ => reply.bytes().to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::is_usual;

    #[test]
    fn the_usual_spelling_may_have_a_command_and_a_message() {
        for answer in ["f5", "EXPERT f5", "f5 MSG hi", "EXPERT f5 MSG a  b "] {
            assert!(is_usual(answer, "f5"), "{answer:?}");
        }
        for answer in [
            "F5",
            " f5",
            "f5 ",
            "f5\t",
            "f 5",
            "f5MSG",
            "f5  MSG",
            "EXPERTf5",
            "EXPERT  f5",
            "expert f5",
            "f5\r",
        ] {
            assert!(!is_usual(answer, "f5"), "{answer:?}");
        }
        assert!(is_usual("0 4 hello", "0 4") && !is_usual("-0 4", "0 4") && is_usual("4 4", "4 4"));
    }
}

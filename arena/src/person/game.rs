//! A game at a table with people: its rounds, what is taken back, its end.

use std::time::{Duration, Instant};

use contest::{Contest, Limits, Referee, Seat};

use super::line::{self, Command, Meaning};
use super::opponent::{Absent, Follower, Opinion};
use super::{is_human, screen, Desk};
use crate::failure::Failure;
use coppice_referee::game::fault::{FaultReport, Verdict};
use coppice_referee::game::in_process::{InProcess, InProcessError};
use coppice_referee::game::seat::SeatState;
use coppice_referee::game::{finish, send_away, GameError, Played, Player};
use coppice_referee::process;
use coppice_referee::series::{Fixture, Series};
use coppice_referee::text::terminal::position;

/// Name of the only person at a table.
const YOU: &str = "you";

/// A game in progress.
pub(super) struct Table<'a> {
    series: &'a Series<'a>,
    contest: &'a dyn Contest,
    fixture: &'a Fixture,
    referee: Box<dyn Referee>,
    opening: String,
    chairs: Vec<Chair>,
    players: Vec<Player>,
    seats: Vec<SeatState>,
    rounds: Vec<Vec<Choice>>,
    faults: Vec<FaultReport>,
    hints: Option<Follower>,
}

/// The player on a seat.
enum Chair {
    Person,
    Process,
    Search(Follower),
}

/// A seat's answer in a round.
struct Choice {
    seat: Seat,
    /// The move and its answer; `None` if the seat failed.
    made: Option<(String, String)>,
    after: Duration,
}

/// A person's request.
enum Wish {
    Answer(String),
    Undo(usize),
    Quit,
}

/// How a round ended.
enum Outcome {
    Played,
    Undo(usize),
    Quit,
    Over,
}

impl<'a> Table<'a> {
    /// A game before its first turn; its processes are started.
    ///
    /// # Errors
    /// If a bot can't be started.
    pub(super) fn new(
        series: &'a Series<'a>,
        contest: &'a dyn Contest,
        fixture: &'a Fixture,
    ) -> Result<Self, Failure> {
        let referee = series.begin(contest, fixture)?;
        let (mut chairs, mut players) = (Vec::new(), Vec::new());
        for &bot in &fixture.seating {
            let text = series.bots[bot].line.to_string();
            let chair = match InProcess::parse(&text)? {
                Some(search) => Chair::Search(Follower::new(&search, contest, fixture.seed)?),
                None if is_human(&text) => Chair::Person,
                None => Chair::Process,
            };
            players.push(match chair {
                Chair::Process => series.start(contest, bot, fixture.seed)?,
                _ => Player { name: series.name_of(bot), bot: Box::new(Absent) },
            });
            chairs.push(chair);
        }
        let seats = players.iter().map(|_| SeatState::default()).collect();
        let opening = referee.moves();
        let (rounds, faults) = (Vec::new(), Vec::new());
        Ok(Self {
            series,
            contest,
            fixture,
            referee,
            opening,
            chairs,
            players,
            seats,
            rounds,
            faults,
            hints: None,
        })
    }

    /// Plays to the end; `None` if a person quits.
    ///
    /// # Errors
    /// If a bot can't be started again, the contest misbehaves, or the screen can't be written.
    pub(super) fn play(mut self, desk: &mut Desk<'_>) -> Result<Option<Played>, Failure> {
        self.greet(desk)?;
        loop {
            match self.round(desk)? {
                Outcome::Played => {}
                Outcome::Undo(count) => self.take_back(count, desk)?,
                Outcome::Over => break,
                Outcome::Quit => {
                    send_away(&mut self.players);
                    desk.say("the game is left unfinished")?;
                    return Ok(None);
                }
            }
        }
        desk.say(format_args!("\n{}\nthe game is over", position(&*self.referee, None)))?;
        let Self { referee, mut players, seats, opening, faults, .. } = self;
        Ok(Some(finish(&*referee, &mut players, seats, opening, faults)?))
    }

    fn greet(&self, desk: &mut Desk<'_>) -> Result<(), Failure> {
        let name = |seat: Seat| {
            let line = &self.series.bots[self.fixture.seating[seat]].line;
            format!("seat {seat} is {} ({line})", self.label(seat))
        };
        let names = (0..self.chairs.len()).map(name).collect::<Vec<_>>().join(", ");
        let (contest, game) = (self.contest.name(), self.fixture.game);
        let opening =
            if self.opening.is_empty() { String::new() } else { format!("; opening {}", self.opening) };
        desk.say(format_args!("{contest}, game {game}: {names}{opening}; `help` lists the commands"))
    }

    fn is_person(&self, seat: Seat) -> bool {
        matches!(self.chairs.get(seat), Some(Chair::Person))
    }

    /// A seat's name: `you` if it is the only person's.
    fn label(&self, seat: Seat) -> String {
        let people = (0..self.chairs.len()).filter(|&seat| self.is_person(seat)).count();
        match self.is_person(seat) && people == 1 {
            true => YOU.to_owned(),
            false => self.players[seat].name.clone(),
        }
    }

    fn limits(&self) -> Limits {
        let (limits, grace) = (self.series.limits, self.series.grace);
        Limits { first: limits.first + grace, later: limits.later + grace }
    }

    /// The seats that are asked and the text for each.
    fn asked(&self) -> Result<(Vec<Seat>, Vec<String>), Failure> {
        if process::interrupted() {
            return Err(GameError::Interrupted.into());
        }
        let asked = self.referee.asked();
        if let Some(&seat) = asked.iter().find(|&&seat| self.seats.get(seat).is_none_or(|state| state.is_out))
        {
            return Err(GameError::AsksNobody(seat).into());
        }
        let texts = asked.iter().map(|&seat| self.seats[seat].text(&*self.referee, seat)).collect();
        Ok((asked, texts))
    }

    /// Asks the people, then the bots: all answer to the same position.
    fn round(&mut self, desk: &mut Desk<'_>) -> Result<Outcome, Failure> {
        let (asked, texts) = self.asked()?;
        if asked.is_empty() {
            return Ok(Outcome::Over);
        }
        let people: Vec<usize> = (0..asked.len()).filter(|&i| self.is_person(asked[i])).collect();
        let mut answers: Vec<(Result<String, Verdict>, Duration)> = Vec::new();
        while let Some(&i) = people.get(answers.len()) {
            let start = Instant::now();
            let before = answers.len();
            match self.ask(desk, asked[i], &texts[i], before)? {
                Wish::Answer(answer) => answers.push((Ok(answer), start.elapsed())),
                Wish::Undo(count) if count <= before => answers.truncate(before - count),
                Wish::Undo(count) => return Ok(Outcome::Undo(count - before)),
                Wish::Quit => return Ok(Outcome::Quit),
            }
            if asked.len() > 1 && people.len() > 1 && answers.len() > before {
                desk.hide_line()?;
                desk.say(format_args!("{} has chosen", self.label(asked[i])))?;
            }
        }
        let mut of_people = answers.into_iter();
        let mut all = Vec::new();
        for (&seat, text) in asked.iter().zip(&texts) {
            let answer = if self.is_person(seat) { of_people.next() } else { None };
            all.push(match answer {
                Some(answer) => answer,
                None => self.think(seat, text)?,
            });
        }
        self.settle(&asked, &texts, all)?;
        self.tell(desk)?;
        Ok(Outcome::Played)
    }

    /// A bot's answer.
    fn think(&mut self, seat: Seat, text: &str) -> Result<(Result<String, Verdict>, Duration), Failure> {
        let start = Instant::now();
        let limits = self.limits();
        let answer = match &mut self.chairs[seat] {
            Chair::Search(search) => {
                let Opinion { name, .. } = search.think(self.contest, &*self.referee, seat)?;
                Ok(self.referee.answer_of(seat, &name))
            }
            _ => self.seats[seat].ask(&mut self.players[seat], &*self.referee, seat, text, limits),
        };
        Ok((answer, start.elapsed()))
    }

    /// Passes a round's answers to the contest, in the order of the seats asked.
    fn settle(
        &mut self,
        asked: &[Seat],
        texts: &[String],
        answers: Vec<(Result<String, Verdict>, Duration)>,
    ) -> Result<(), Failure> {
        if process::interrupted() {
            return Err(GameError::Interrupted.into());
        }
        let mut round = Vec::new();
        for ((&seat, text), (answer, after)) in asked.iter().zip(texts).zip(answers) {
            if let (Ok(answer), false) = (&answer, matches!(self.chairs[seat], Chair::Process)) {
                self.seats[seat].answered(text, answer, after);
            }
            let made = answer.and_then(|answer| self.hand_over(seat, answer));
            let made = made.map_err(|verdict| {
                let fault = self.seats[seat].forfeit(&mut self.players[seat], seat, verdict);
                self.faults.push(fault);
                self.referee.forfeit(seat);
            });
            round.push(Choice { seat, made: made.ok(), after });
        }
        self.rounds.push(round);
        Ok(())
    }

    /// Passes an answer to the contest, unless another seat's fault has made it unnecessary; the move and the answer.
    fn hand_over(&mut self, seat: Seat, answer: String) -> Result<(String, String), Verdict> {
        if !self.referee.asked().contains(&seat) {
            return Ok(("-".to_owned(), answer));
        }
        let refused = |fault| Verdict::refused(fault, &answer);
        let name = self.referee.move_of(seat, &answer).map_err(refused)?;
        self.referee.answer(seat, &answer).map_err(refused)?;
        Ok((name, answer))
    }

    /// Says what was played in the last round, unless the only one who played was a person.
    fn tell(&self, desk: &mut Desk<'_>) -> Result<(), Failure> {
        let Some(round) = self.rounds.last() else { return Ok(()) };
        let is_hidden =
            (0..self.chairs.len()).any(|seat| self.is_person(seat) && self.referee.show_to(seat).is_some());
        for Choice { seat, made, .. } in round {
            let label = self.label(*seat);
            match made {
                _ if round.len() == 1 && self.is_person(*seat) => {}
                Some(_) if is_hidden => desk.say(format_args!("{label} has played"))?,
                Some((name, _)) if label == YOU => desk.say(format_args!("{label} play {name}"))?,
                Some((name, _)) => desk.say(format_args!("{label} plays {name}"))?,
                None => {
                    let fault = self.faults.iter().rev().find(|fault| fault.seat == *seat);
                    fault.map_or(Ok(()), |fault| {
                        desk.say(format_args!("{label} has failed: {}", fault.ending))
                    })?;
                }
            }
        }
        Ok(())
    }

    /// Asks a person until it answers or leaves. `before` people have answered in this round already.
    fn ask(&mut self, desk: &mut Desk<'_>, seat: Seat, text: &str, before: usize) -> Result<Wish, Failure> {
        desk.say(format_args!("\n{}", position(&*self.referee, Some(seat))))?;
        let names = self.referee.legal_moves(seat);
        let lines = self.referee.answer_lines(seat);
        let prompt = match self.referee.lists_moves() {
            true if names.len() > screen::MOST_LISTED => format!("{} moves; `moves` lists them", names.len()),
            true => screen::moves(&names),
            false if lines > 1 => format!("answer in {lines} lines: {}", self.expected(seat)),
            false => format!("answer: {}", self.expected(seat)),
        };
        desk.say(format_args!("{}, seat {seat}, to move:\n{prompt}", self.label(seat)))?;
        // The first lines of an answer that has several.
        let mut begun: Vec<String> = Vec::new();
        loop {
            let Some(typed) = desk.read()? else { return Ok(Wish::Quit) };
            match line::read(&*self.referee, seat, &typed, &begun) {
                Meaning::Nothing => {}
                Meaning::Answer(answer) => return Ok(Wish::Answer(answer)),
                Meaning::Begun => {
                    begun.push(typed.trim_end().to_owned());
                    desk.say(screen::awaited(begun.len(), lines))?;
                }
                Meaning::Unclear(reason) => {
                    begun.clear();
                    desk.say(reason)?;
                }
                Meaning::Command(Command::Quit) => return Ok(Wish::Quit),
                Meaning::Command(Command::Undo(count)) if !begun.is_empty() => {
                    begun.truncate(begun.len().saturating_sub(count));
                    desk.say(screen::awaited(begun.len(), lines))?;
                }
                Meaning::Command(Command::Undo(count)) => {
                    match before
                        + self.rounds.iter().flatten().filter(|made| self.is_person(made.seat)).count()
                    {
                        0 => desk.say("there is nothing to take back")?,
                        most if count > most => {
                            let noun = if most == 1 { "turn" } else { "turns" };
                            desk.say(format_args!("people have had only {most} {noun}"))?
                        }
                        _ => return Ok(Wish::Undo(count)),
                    }
                }
                Meaning::Command(Command::Board) => desk.say(position(&*self.referee, Some(seat)))?,
                Meaning::Command(Command::Moves) if self.referee.lists_moves() => {
                    let unlisted = self.referee.unlisted_moves(seat);
                    let more = if unlisted.is_empty() {
                        String::new()
                    } else {
                        format!("\nalso {}", unlisted.join(" "))
                    };
                    desk.say(format_args!("{}{more}", screen::moves(&names)))?;
                }
                Meaning::Command(Command::Moves) => {
                    let expected = self.expected(seat);
                    desk.say(format_args!("the moves of this contest can't be listed; expected {expected}"))?;
                }
                Meaning::Command(Command::Hint) => {
                    let hint = self.hint(desk, seat);
                    desk.say(hint.unwrap_or_else(|error| error.to_string()))?;
                }
                Meaning::Command(Command::Turn) => desk.say(text.trim_end())?,
                Meaning::Command(Command::Help) => desk.say(screen::help())?,
            }
        }
    }

    /// The expected form of an answer, where moves aren't listed.
    fn expected(&self, seat: Seat) -> String {
        line::expected(&*self.referee, seat)
    }

    fn hint(&mut self, desk: &Desk<'_>, seat: Seat) -> Result<String, InProcessError> {
        let Some(search) = desk.hint() else {
            return Ok("this contest has no search that could give a hint".to_owned());
        };
        let hints = match self.hints.take() {
            Some(hints) => hints,
            None => Follower::new(search, self.contest, self.fixture.seed)?,
        };
        let Opinion { name, about } = self.hints.insert(hints).think(self.contest, &*self.referee, seat)?;
        let answer = self.referee.answer_of(seat, &name);
        // A move of the search may be a part of the answer.
        let answer = match !self.referee.lists_moves() && self.referee.check(seat, &answer).is_ok() {
            true => format!("\n{answer}"),
            false => String::new(),
        };
        Ok(format!("{search} plays {name}: {about}{answer}"))
    }

    /// Goes back to before the people's last `count` turns. Searches follow; processes can't, so they are restarted and
    /// answer all their turns again. Where one of them then answers differently, the game goes on from there.
    fn take_back(&mut self, count: usize, desk: &mut Desk<'_>) -> Result<(), Failure> {
        let mut left = count;
        while let Some(round) = self.rounds.pop().filter(|_| left > 0) {
            let people = round.iter().filter(|made| self.is_person(made.seat)).count();
            left = left.saturating_sub(people);
            if left == 0 {
                break;
            }
        }
        let rounds = std::mem::take(&mut self.rounds);
        self.referee = self.series.begin(self.contest, self.fixture)?;
        self.faults.clear();
        send_away(&mut self.players);
        for seat in 0..self.chairs.len() {
            self.seats[seat] = SeatState::default();
            if matches!(self.chairs[seat], Chair::Process) {
                let name = self.label(seat);
                desk.say(format_args!("{name} is restarted, and answers its turns again"))?;
                self.players[seat] =
                    self.series.start(self.contest, self.fixture.seating[seat], self.fixture.seed)?;
            }
        }
        for round in rounds {
            if !self.again(round, desk)? {
                break;
            }
        }
        Ok(())
    }

    /// Plays a round again; `false` if it went otherwise.
    fn again(&mut self, round: Vec<Choice>, desk: &mut Desk<'_>) -> Result<bool, Failure> {
        let (asked, texts) = self.asked()?;
        let mut answers = Vec::new();
        for (Choice { seat, made, after }, text) in round.iter().zip(&texts) {
            answers.push(match made {
                Some((_, answer)) if !matches!(self.chairs[*seat], Chair::Process) => {
                    (Ok(answer.clone()), *after)
                }
                _ => self.think(*seat, text)?,
            });
        }
        self.settle(&asked, &texts, answers)?;
        let now = self.rounds.last().map_or(&[][..], Vec::as_slice);
        let name = |choice: &Choice| choice.made.as_ref().map(|(name, _)| name.clone());
        let other = round.iter().zip(now).find(|(before, now)| name(before) != name(now));
        let Some((before, now)) = other else { return Ok(true) };
        let word = |choice: &Choice| name(choice).unwrap_or_else(|| "nothing".to_owned());
        desk.say(format_args!(
            "{} plays {} this time, not {}: the game goes on from there",
            self.label(now.seat),
            word(now),
            word(before)
        ))?;
        Ok(false)
    }
}

//! Plays the games of a plan: with processes, with searches of this program, or through an external referee.

use std::collections::BTreeMap;
use std::path::Path;

use contest::{Contest, Referee, Setup};

use super::{derived_seed, Fixture, Series};
use crate::bot::data::BotData;
use crate::bot::Bot;
use crate::external::{self, ExternalReferee};
use crate::game::fault::{last_lines, Ending, FaultReport};
use crate::game::in_process::{self, InProcess};
use crate::game::log::Log;
use crate::game::{self, GameError, Played, Player};
use crate::process::{self, Process, StartError};
use crate::record::GameRecord;
use crate::series::host::Host;
use crate::series::SeriesError;
use crate::text::{millis, printable};

/// A finished game.
#[derive(Debug, Clone)]
pub struct Finished {
    /// The record.
    pub record: GameRecord,
    /// The dialogues, by seat.
    pub dialogues: Vec<Log>,
    /// The searches' reports by seat and turn; empty for processes.
    pub reports: Vec<Vec<String>>,
}

impl Finished {
    /// Writes the game's files into a folder.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn write(&self, folder: &Path) -> Result<(), SeriesError> {
        let written = self.record.write(folder, &self.dialogues, &self.reports);
        written.map_err(|source| SeriesError::LogDir { path: folder.to_owned(), source })
    }
}

impl Series<'_> {
    /// Plays a game with new processes, or in this process between its own searches.
    ///
    /// # Errors
    /// If a bot can't be started, a search is unknown, the program was interrupted, the contest misbehaves, or an external
    /// referee fails.
    pub fn play(&self, fixture: &Fixture) -> Result<Finished, SeriesError> {
        let contest = match self.host {
            Host::Contest(contest) => contest,
            Host::Referee(referee) => return self.play_outside(referee, fixture),
        };
        if let Some(searches) = self.searches(fixture)? {
            let referee = self.begin(contest, fixture)?;
            let seats = searches.iter().collect::<Vec<_>>();
            let played = in_process::play(contest, &seats, &referee.moves(), fixture.seed)?;
            return played.map(|played| self.finished(fixture, played)).ok_or(GameError::Interrupted.into());
        }
        let start = |&bot: &usize| self.start(contest, bot, fixture.seed);
        let players = fixture.seating.iter().map(start).collect::<Result<_, _>>()?;
        self.referee(contest, fixture, players)
    }

    /// Checks that the programs of bots are there, which an external referee starts: it would say only that they failed, or
    /// fail itself.
    ///
    /// # Errors
    /// The first that isn't.
    pub(super) fn check_bots(&self, bots: impl IntoIterator<Item = usize>) -> Result<(), SeriesError> {
        let Host::Referee(referee) = self.host else { return Ok(()) };
        for bot in bots.into_iter().filter(|_| referee.checks_bots()) {
            if let Some(problem) = self.bots[bot].line.problem() {
                let (name, command) = (self.name_of(bot), self.bots[bot].line.to_string());
                let problem = format!(
                    "{problem}\nif it is only there where the referee runs, such as in a container, give --no-check-bots"
                );
                return Err(SeriesError::Program { bot: name, command, problem });
            }
        }
        Ok(())
    }

    /// Has an external referee play a game.
    fn play_outside(&self, referee: &ExternalReferee, fixture: &Fixture) -> Result<Finished, SeriesError> {
        self.check_bots(fixture.seating.iter().copied())?;
        let order = external::Order {
            game: fixture.game,
            seed: fixture.seed,
            other_seed: derived_seed(self.seed, fixture.group / self.lineups.len().max(1) as u32 + 1),
            bots: fixture.seating.iter().map(|&bot| &self.bots[bot].line).collect(),
            keep_as: self.files.as_ref().map(|folder| folder.join(format!("{}.referee.json", fixture.game))),
            records: self.records || self.files.is_some(),
        };
        let game = referee.play(&order)?;
        let seats = fixture.seating.len();
        let failed = (0..seats).filter(|&seat| game.failed[seat]);
        let remarks = |seat: usize| game.remarks.get(seat);
        for seat in (0..seats).filter(|&seat| !game.failed[seat]) {
            let remarks = remarks(seat).map(external::Remarks::of_success).unwrap_or_default();
            referee.tell_of_bot(&order, &self.name_of(fixture.seating[seat]), &remarks);
        }
        // The wrapper may have recorded output that the referee doesn't hand on.
        let stderr = |seat: usize| match game.stderr.get(seat) {
            Some(text) if !text.is_empty() => text.clone(),
            _ => game.dialogues.logs.get(seat).map_or_else(String::new, |log| {
                log.said().iter().map(|said| format!("{}\n", said.text)).collect()
            }),
        };
        let idle = |seat: usize| remarks(seat)?.of_time_out(&game.words[seat]);
        let received = |seat: usize| {
            if game.ending.is_some() {
                return game.words[seat].clone();
            }
            let mut parts = vec![format!("a score of {}", game.scores[seat])];
            parts.extend(
                remarks(seat)
                    .map(external::Remarks::of_failure)
                    .unwrap_or_default()
                    .into_iter()
                    .map(str::to_owned),
            );
            parts.extend(idle(seat).map(str::to_owned));
            if !order.records && referee.checks_bots() && !referee.runs_bots() {
                parts.push(
                    "with --log-dir DIR this also says how its process ended, and whether it was idle"
                        .to_owned(),
                );
            }
            match game.words[seat].as_str() {
                "" => parts[0].push_str(" from the referee"),
                words => {
                    let words = words.lines().map(|line| printable(line.as_bytes())).collect::<Vec<_>>();
                    parts.push(format!("the referee says: {}", words.join("\n")));
                }
            }
            parts.join("; ")
        };
        let faults = failed.map(|seat| FaultReport {
            bot: self.name_of(fixture.seating[seat]),
            seat,
            turn: u32::from(game.ending.is_some()),
            after_answer: false,
            ending: game.ending.unwrap_or(Ending::Failed),
            expected: match referee.case_limit() {
                Some(_) if game.ending == Some(Ending::Failed) => {
                    "an output that the tester accepts".to_owned()
                }
                Some(limit) => format!("an output within {} ms", limit.as_millis()),
                None => "a game to its end".to_owned(),
            },
            received: received(seat),
            stderr: last_lines(&stderr(seat)),
            is_idle: idle(seat).is_some(),
        });
        let faults = faults.collect();
        let external::Dialogues { logs, times, turns } = game.dialogues;
        let played = Played {
            opening: String::new(),
            moves: String::new(),
            scores: game.scores,
            faults,
            times: if times.is_empty() { vec![Vec::new(); seats] } else { times },
            dialogues: logs,
            usage: Vec::new(),
            data: game.data,
            reports: Vec::new(),
        };
        let mut finished = self.finished(fixture, played);
        finished.record.attributes = game.attributes;
        finished.record.seed_text = Some(referee.seed_text(fixture.seed));
        finished.record.turns = turns;
        finished.record.input = game.input;
        Ok(finished)
    }

    /// The `in:` searches of a game; `None` if a program takes part, so that all are processes.
    fn searches(&self, fixture: &Fixture) -> Result<Option<Vec<InProcess>>, SeriesError> {
        let lines = fixture.seating.iter().map(|&bot| self.bots[bot].line.to_string());
        let searches = in_process::searches(&lines.collect::<Vec<_>>())?;
        Ok(Some(searches).filter(|searches| searches.len() == fixture.seating.len()))
    }

    /// Plays a game between these players, one per seat.
    ///
    /// # Errors
    /// If the program was interrupted or the contest misbehaves.
    pub fn referee(
        &self,
        contest: &dyn Contest,
        fixture: &Fixture,
        mut players: Vec<Player>,
    ) -> Result<Finished, SeriesError> {
        let mut referee = self.begin(contest, fixture)?;
        let played = game::play(referee.as_mut(), &mut players, self.limits, self.grace)?;
        Ok(self.finished(fixture, played))
    }

    /// The record and dialogues of a game.
    pub fn finished(&self, fixture: &Fixture, played: Played) -> Finished {
        let bots = fixture.seating.iter().map(|&bot| self.bot_record(bot)).collect();
        let times_ms = played.times.iter().map(|times| times.iter().map(|&t| millis(t)).collect());
        let mut record = GameRecord {
            game: fixture.game,
            group: fixture.group,
            run: self.run_record(),
            contest: self.host.name().to_owned(),
            seed: fixture.seed,
            ending: played.ending(),
            times_ms: times_ms.collect(),
            opening: played.opening,
            bots,
            moves: played.moves,
            scores: played.scores,
            faults: played.faults,
            usage: played.usage,
            data: non_empty(played.data),
            attributes: BTreeMap::new(),
            seed_text: None,
            turns: Vec::new(),
            input: None,
            best: None,
        };
        self.host.rescore(&mut record);
        Finished { record, dialogues: played.dialogues, reports: played.reports }
    }

    /// Starts a bot for the game of a seed: its program, or this one with a search.
    pub fn start(&self, contest: &dyn Contest, bot: usize, seed: u64) -> Result<Player, SeriesError> {
        let text = self.bots[bot].line.to_string();
        let child = match InProcess::parse(&text)? {
            Some(_) => Some(InProcess::child(contest, &text, seed)?),
            None => None,
        };
        let line = child.as_ref().unwrap_or(&self.bots[bot].line);
        let process = Process::start_within(line, self.allowance)
            .map_err(|source| StartError::new(self.name_of(bot), line, source))?;
        if process::interrupted() {
            return Err(GameError::Interrupted.into());
        }
        Ok(Player { name: self.name_of(bot), bot: Box::new(process) as Box<dyn Bot> })
    }

    /// The game with its opening played.
    pub fn begin(&self, contest: &dyn Contest, fixture: &Fixture) -> Result<Box<dyn Referee>, SeriesError> {
        let setup = Setup { seed: fixture.seed, opening_plies: 0, limits: self.limits };
        self.openings.begin(contest, setup, fixture.group / self.lineups.len().max(1) as u32)
    }
}

/// The bots' data; empty if no bot has written any.
fn non_empty(data: Vec<BotData>) -> Vec<BotData> {
    if data.iter().all(BotData::is_empty) {
        Vec::new()
    } else {
        data
    }
}

//! Runs a study.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use contest::{utf8, Contest};
use coppice::Budget;
use sha2::{Digest, Sha256};

use super::error::StudyError;
use super::kind::Kind;
use super::origin::Origin;
use super::plan::{Mode, Planned, Study};
use super::row::{Figure, Row};
use super::verdict::Verdict;
use super::{behaviour, ranking, trial, work};
use coppice_referee::atomic::{self, FileError};
use coppice_referee::contests;
use coppice_referee::game::in_process::{self, InProcess};
use coppice_referee::game::GameError;
use coppice_referee::process;
use coppice_referee::record::games;
use coppice_referee::report::progress::Progress;
use coppice_referee::report::summary::{SeatScore, Summary};
use coppice_referee::series::entrant::Entrant;
use coppice_referee::series::machines::Here;
use coppice_referee::series::openings::Openings;
use coppice_referee::series::shard::Shard;
use coppice_referee::series::tournament::{Settings, Tournament};
use coppice_referee::series::{GameDigest, Series};
use coppice_stats::rating::Ratings;
use coppice_stats::Estimate;

/// The results of a study, one JSON line per row, in its folder.
pub(crate) const RESULTS: &str = "results.jsonl";

/// A pool large enough to create a search, to check that it exists.
const LEAST_BYTES: usize = 1 << 20;
const LEAST_NODES: usize = 1 << 10;

/// Time limits of a search to its end, in a full and in a quick run.
const LONGEST: Duration = Duration::from_secs(300);
const LONGEST_QUICK: Duration = Duration::from_secs(5);

/// How a study is played.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// The kind of run.
    pub mode: Mode,
    /// Games per match, instead of the study's.
    pub games: Option<u32>,
    /// Number of concurrent games.
    pub jobs: usize,
    /// Measure all rows again.
    pub again: bool,
    /// Leave out rows that aren't stored.
    pub stored: bool,
    /// The folder of games and results; each study has a subfolder.
    pub folder: PathBuf,
}

/// Plays the missing games of a study and stores its results.
///
/// The measured rows are returned even after an error.
///
/// # Errors
/// If a contest or search doesn't exist, a file can't be written, or after an interrupt: played games are kept.
pub(crate) fn run(
    study: &Study,
    how: &RunOptions,
    known: &[&dyn Contest],
) -> (Vec<Row>, Result<(), StudyError>) {
    if let Err(error) = check(study, how.mode, known) {
        return (Vec::new(), Err(error));
    }
    let folder = how.folder.join(&study.name);
    let mut run = Run {
        study,
        how,
        known,
        older: read(&folder.join(RESULTS)),
        folder,
        rows: Vec::new(),
        origin: Origin::now(),
        progress: Progress::new(),
        measured: 0,
        took: Duration::ZERO,
    };
    let played = run.all();
    run.progress.end();
    (run.rows, played)
}

/// Checks that a study's contests and searches exist.
///
/// # Errors
/// The first that doesn't, with those that do.
pub fn check(study: &Study, mode: Mode, known: &[&dyn Contest]) -> Result<(), StudyError> {
    for planned in study.rows(mode) {
        let place = || format!("{}, \"{}\"", study.asked, planned.title());
        check_row(study, mode, known, &planned)
            .map_err(|error| StudyError::Row { place: place(), error: Box::new(error) })?;
    }
    Ok(())
}

fn check_row(
    study: &Study,
    mode: Mode,
    known: &[&dyn Contest],
    planned: &Planned<'_>,
) -> Result<(), StudyError> {
    let contest = contests::find(known, planned.contest)?;
    for name in &planned.names {
        let Some(mut search) = InProcess::parse(&study.line(name, mode, planned.equal))? else { continue };
        if let Some(bytes) = search.settings.pool_bytes {
            in_process::has_room(bytes)?;
        }
        match search.settings.pool_nodes {
            Some(_) => search.settings.pool_nodes = Some(LEAST_NODES),
            None => search.settings.pool_bytes = Some(LEAST_BYTES),
        }
        if planned.kind == Kind::Trial {
            trial::check(contest, &search)?;
        }
        drop(search.tunables(contest)?);
    }
    Ok(())
}

struct Run<'a> {
    study: &'a Study,
    how: &'a RunOptions,
    known: &'a [&'a dyn Contest],
    folder: PathBuf,
    /// Rows measured before, in any kind of run.
    older: Vec<Row>,
    rows: Vec<Row>,
    origin: Origin,
    progress: Progress,
    /// The number of rows measured in this run, and their total time.
    measured: u32,
    took: Duration,
}

impl<'a> Run<'a> {
    fn all(&mut self) -> Result<(), StudyError> {
        let plans = self.study.rows(self.how.mode);
        for (index, plan) in plans.iter().enumerate() {
            let row = self.begin(plan)?;
            match self.older.iter().find(|older| !self.how.again && older.is_same(&row)) {
                Some(older) => {
                    let (origin, behaviour) = (older.origin.clone(), older.behaviour.clone());
                    let row = row.with(older.figure.clone());
                    self.rows.push(Row { origin, behaviour, ..row });
                }
                None if self.how.stored => {}
                None => {
                    let (name, count) = (&self.study.name, plans.len());
                    self.progress.say(format_args!(
                        "{name} {} of {count}: {}",
                        index + 1,
                        row.full_title(&row.contest)
                    ));
                    let start = Instant::now();
                    let figure = self.measure(plan.kind, &row, (count - index - 1) as u32)?;
                    let contest = contests::find(self.known, &row.contest)?;
                    let row = Row { behaviour: behaviour::of(contest, &row.lines)?, ..row };
                    self.measured += 1;
                    self.took += start.elapsed();
                    self.rows.extend(figure.map(|figure| row.with(figure)));
                    self.keep(&plans)?;
                }
            }
        }
        let others = self.rows.iter().filter(|row| row.origin.build != self.origin.build).count();
        if others > 0 {
            let rows = if others == 1 { "row is" } else { "rows are" };
            self.progress.say(format_args!(
                "{others} {rows} from another build of this program; --again measures them again"
            ));
        }
        if self.how.stored {
            return Ok(());
        }
        self.keep(&plans)
    }

    /// A row without a figure.
    fn begin(&self, plan: &Planned<'_>) -> Result<Row, StudyError> {
        let contest = contests::find(self.known, plan.contest)?;
        let (usual, seats) = (contest.opening_plies(), contest.seats() as u32);
        Ok(Row {
            study: self.study.name.clone(),
            mode: self.how.mode,
            title: plan.title(),
            contest: plan.contest.to_owned(),
            lines: self.study.lines(plan, self.how.mode),
            equal: plan.equal,
            behaviour: Vec::new(),
            openings: self.study.openings.unwrap_or(usual),
            asked: if plan.kind == Kind::Solve { 1 } else { self.games(seats, plan) },
            origin: self.origin.clone(),
            published: plan.published,
            figure: Figure::Solved { seconds: 0.0, nodes: 0, solved: false },
            verdict: Verdict::New,
            note: plan.note.map(str::to_owned),
        })
    }

    /// Measures a row; `more` rows follow it.
    fn measure(&mut self, kind: Kind, row: &Row, more: u32) -> Result<Option<Figure>, StudyError> {
        let contest = contests::find(self.known, &row.contest)?;
        let search = |index: usize| InProcess::parse(row.lines.get(index).map_or("", String::as_str));
        let (a, b, other) = (search(0)?, search(1)?, search(2)?);
        let mut left = Left {
            start: Instant::now(),
            kept: None,
            asked: row.asked,
            measured: self.measured,
            took: self.took,
            more,
        };
        let title = &row.full_title(&row.contest);
        let progress = &mut self.progress;
        left.asked = games_of(kind, row);
        progress.begin(0, left.asked as usize);
        let mut advance = |done: u32| {
            progress.advance();
            progress.update(format_args!("{title}; {}", left.after(done)));
        };
        match (kind, a, b) {
            (Kind::Match, ..) => Ok(self.compare(row, &mut left)?),
            (Kind::Ranking, ..) => self.rank(row, &mut left).map(Some),
            (Kind::Mirror, ..) => self.mirror(row, &mut left).map(Some),
            (Kind::Nodes, Some(a), Some(b)) => {
                work::nodes(contest, row, [&a, &b], other.as_ref(), &mut advance).map(Some)
            }
            (Kind::Speed, Some(a), Some(b)) => {
                work::speed(contest, row, [&a, &b], other.as_ref(), &mut advance).map(Some)
            }
            (Kind::Trial, Some(a), _) => trial::run(contest, row, &a, &mut advance).map(Some),
            (Kind::Solve, Some(a), _) => solve(contest, &a, self.how.mode).map(Some),
            _ => Ok(None),
        }
    }

    /// Plays two entrants in pairs of games.
    fn compare(&mut self, row: &Row, left: &mut Left) -> Result<Option<Figure>, StudyError> {
        let tournament = self.play(row, left)?;
        let summary = tournament.summary(row.asked)?;
        let figure = summary.bots[0].result.as_ref().map(|result| {
            let (share, draws) = (result.score, result.draws);
            let mean = |seat: &SeatScore| seat.points / f64::from(seat.games.max(1));
            let by_seat = match &summary.bots[0].seats[..] {
                [first, second] => Some([mean(first), mean(second)]),
                _ => None,
            };
            let games = result.wins + draws + result.losses;
            Figure::Share { share, games, draws, by_seat, seconds: seconds(&summary) }
        });
        Ok(figure)
    }

    /// Plays all pairs of the entrants and rates them.
    fn rank(&mut self, row: &Row, left: &mut Left) -> Result<Figure, StudyError> {
        let contest = contests::find(self.known, &row.contest)?;
        let bots = row.lines.iter().map(|line| Entrant::parse(line)).collect::<Result<Vec<_>, _>>()?;
        let count = bots.len();
        let series = Series { lineups: ranking::pairs(count), ..Series::new(contest, bots) };
        let tournament = self.play_series(series, games_of(Kind::Ranking, row), row, left)?;
        let games = tournament.games(games_of(Kind::Ranking, row));
        let ratings = Ratings::of(&games.meetings(count, contest.seats()));
        Ok(ranking::figure(&ratings, games.count() as u32))
    }

    /// Plays one entrant against itself and returns the first seat's score.
    fn mirror(&mut self, row: &Row, left: &mut Left) -> Result<Figure, StudyError> {
        let tournament = self.play(row, left)?;
        let shares = tournament.games(row.asked).iter().map(first_seat).collect::<Vec<_>>();
        let draws = shares.iter().filter(|&&share| share == 0.5).count() as u32;
        let (share, games) = (Estimate::of(&shares), shares.len() as u32);
        Ok(Figure::Share {
            share,
            games,
            draws,
            by_seat: None,
            seconds: seconds(&tournament.summary(row.asked)?),
        })
    }

    /// Games per match: whole pairs, or one for each seat of the first entrant.
    fn games(&self, seats: u32, plan: &Planned<'_>) -> u32 {
        let held = self.study.held.as_ref().filter(|_| plan.equal.is_some());
        let usual = match self.how.mode {
            Mode::Full if held.is_some() => held.map_or(0, |held| held.games_of(plan.kind)),
            Mode::Quick => self.study.games.quick,
            Mode::Full | Mode::PublishedTime => self.study.games.full,
        };
        self.how.games.unwrap_or(usual).next_multiple_of(seats.max(2))
    }

    /// Plays or reads all games of a row.
    fn play(&mut self, row: &Row, left: &mut Left) -> Result<Tournament<'a>, StudyError> {
        let contest = contests::find(self.known, &row.contest)?;
        // Where more than two play, one of the first entrant meets others of the second.
        let others =
            row.lines.last().into_iter().cycle().take(contest.seats().saturating_sub(row.lines.len()));
        let bots =
            row.lines.iter().chain(others).map(|line| Entrant::parse(line)).collect::<Result<_, _>>()?;
        self.play_series(Series::new(contest, bots), row.asked, row, left)
    }

    /// Plays or reads games 1 to `last` of a series, from the row's openings.
    fn play_series(
        &mut self,
        plain: Series<'a>,
        last: u32,
        row: &Row,
        left: &mut Left,
    ) -> Result<Tournament<'a>, StudyError> {
        let series = Series { openings: Openings::Random { plies: row.openings }, ..plain };
        let folder = self.folder.join(folder_name(row));
        if self.how.again && folder.exists() {
            let fail = |source| FileError::at(&folder, source);
            fs::remove_dir_all(&folder).map_err(fail)?;
        }
        let settings = Settings {
            file: folder.join(games::FILE_NAME),
            log_dir: None,
            shard: Shard::ALL,
            keep_going: false,
        };
        let mut tournament = Tournament::open(series, settings)?;
        let words = &row.full_title(&row.contest);
        tournament.play(last, &mut Here::new(self.how.jobs), &mut self.progress, |games, progress| {
            progress.update(format_args!("{words}; {}", left.after(games.count() as u32)));
            ControlFlow::Continue(())
        })?;
        if let Some(text) = tournament.short_openings(last) {
            self.progress.say(format_args!("note: {words}: {text}"));
        }
        Ok(tournament)
    }

    /// Replaces the results; rows that are still to come keep theirs.
    fn keep(&self, plans: &[Planned<'_>]) -> Result<(), StudyError> {
        let path = self.folder.join(RESULTS);
        let to_come =
            plans.iter().skip(self.rows.len()).map(|plan| (plan.title(), plan.equal)).collect::<Vec<_>>();
        let is_kept =
            |row: &&Row| row.mode != self.how.mode || to_come.contains(&(row.title.clone(), row.equal));
        let older = self.older.iter().filter(is_kept);
        let lines = older.chain(&self.rows).map(serde_json::to_string).collect::<Result<Vec<_>, _>>();
        let text = lines?.join("\n") + "\n";
        let written = fs::create_dir_all(&self.folder).and_then(|()| atomic::write(&path, text.as_bytes()));
        Ok(written.map_err(|source| FileError::at(&path, source))?)
    }
}

/// All games of a row: of an order, those of all pairs.
fn games_of(kind: Kind, row: &Row) -> u32 {
    match kind {
        Kind::Ranking => row.asked * ranking::pairs(row.lines.len()).len() as u32,
        _ => row.asked,
    }
}

/// Mean seconds of processor time a game, of each of two entrants.
fn seconds(summary: &Summary) -> Option<[f64; 2]> {
    let mean = |bot: usize| Some(summary.bots.get(bot)?.cpu_ms.as_ref()?.mean / 1e3);
    Some([mean(0)?, mean(1)?])
}

/// The numbers from which the remaining time is estimated.
#[derive(Debug)]
struct Left {
    /// When this row began.
    start: Instant,
    /// Games of the pairing that an earlier run played, once known.
    kept: Option<u32>,
    /// Games that the pairing asks for.
    asked: u32,
    /// Rows measured before it, and their total time.
    measured: u32,
    took: Duration,
    /// Rows after it.
    more: u32,
}

impl Left {
    /// The remaining work after `done` games of this row, with its time if later rows take the mean of those so far.
    fn after(&mut self, done: u32) -> String {
        // The first call comes after the first game.
        let kept = *self.kept.get_or_insert(done.saturating_sub(1));
        let (here, in_all) =
            self.times(self.start.elapsed(), done.saturating_sub(kept), self.asked.saturating_sub(done));
        let text =
            |time: Duration| humantime::format_duration(Duration::from_secs(time.as_secs())).to_string();
        match self.more {
            0 => format!("about {} left", text(here)),
            more => format!("about {} left, {more} rows to come, about {} in all", text(here), text(in_all)),
        }
    }

    /// The remaining time of this row, and of this and all later rows, if `played` games took `elapsed`.
    fn times(&self, elapsed: Duration, played: u32, to_come: u32) -> (Duration, Duration) {
        let here = elapsed.mul_f64(f64::from(to_come) / f64::from(played.max(1)));
        let a_row = (self.took + elapsed + here) / (self.measured + 1);
        (here, here + a_row * self.more)
    }
}

/// Runs a search to its end.
fn solve(contest: &dyn Contest, search: &InProcess, mode: Mode) -> Result<Figure, StudyError> {
    let longest = if mode == Mode::Quick { LONGEST_QUICK } else { LONGEST };
    in_process::on_large_stack(|| {
        let mut session = search.session(contest, 0)?;
        let start = Instant::now();
        let thought = session.think(Budget::until(start + longest).unless(process::interrupt_flag()));
        if process::interrupted() {
            return Err(GameError::Interrupted.into());
        }
        let seconds = start.elapsed().as_secs_f64();
        Ok(Figure::Solved { seconds, nodes: thought.nodes, solved: thought.solved })
    })?
}

/// The results stored in a file; empty without a file. An unreadable line is dropped, and its row measured again.
pub(crate) fn read(path: &Path) -> Vec<Row> {
    let text = utf8::read_to_string(path).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// The first seat's share of a game, 0 to 1.
fn first_seat(game: &GameDigest) -> f64 {
    match game.points().collect::<Vec<_>>()[..] {
        [first, second, ..] if first > second => 1.0,
        [first, second, ..] if first == second => 0.5,
        _ => 0.0,
    }
}

/// A folder for each match and each build of the program, so that games of another build are not counted.
fn folder_name(row: &Row) -> String {
    let mut hash = Sha256::new();
    let build = row.origin.build.as_deref().unwrap_or_default();
    hash.update(format!("{}\n{}\n{}\n{build}", row.contest, row.lines.join("\n"), row.openings));
    hash.finalize()[..6].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_to_come_take_as_long_as_those_so_far() {
        let seconds = Duration::from_secs;
        let left =
            Left { start: Instant::now(), kept: None, asked: 5, measured: 2, took: seconds(22), more: 3 };
        // This row takes 50 s, so the mean is 24 s.
        assert_eq!(left.times(seconds(10), 1, 4), (seconds(40), seconds(112)));
        assert_eq!(left.times(seconds(10), 5, 0).0, Duration::ZERO);
        assert_eq!(Left { more: 0, ..left }.times(seconds(10), 2, 2), (seconds(10), seconds(10)));
    }

    #[test]
    fn games_of_an_earlier_run_are_no_measure() {
        let start = Instant::now() - Duration::from_secs(100);
        let mut left = Left { start, kept: None, asked: 60, measured: 0, took: Duration::ZERO, more: 0 };
        assert_eq!(left.after(41), "about 31m 40s left");
        assert_eq!(left.after(50), "about 1m 40s left");
    }
}

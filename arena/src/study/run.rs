//! Playing a study.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bots::contest::Contest;
use coppice::Budget;
use sha2::{Digest, Sha256};

use super::plan::{Match, Mirror, Mode, Published, Solve, Study};
use super::row::{Figure, Row};
use super::verdict::Verdict;
use crate::atomic;
use crate::cli;
use crate::entrant::Entrant;
use crate::error::ArenaError;
use crate::games;
use crate::in_process::{self, InProcess};
use crate::openings::Openings;
use crate::progress::Progress;
use crate::record::GameRecord;
use crate::series::Series;
use crate::shard::Shard;
use crate::stats::Estimate;
use crate::tournament::{Settings, Tournament};

/// The results of a study, a line a row, in its folder.
pub const RESULTS: &str = "results.jsonl";

/// Enough to see whether a search is there.
const LEAST_BYTES: usize = 1 << 20;

/// The longest that a search may take to its end.
const LONGEST: Duration = Duration::from_secs(300);

/// How a study is played.
#[derive(Debug, Clone)]
pub struct How {
    /// The kind of run.
    pub mode: Mode,
    /// Games of each match, instead of the study's.
    pub games: Option<u32>,
    /// Games played at once.
    pub jobs: usize,
    /// Where games and results are kept: a folder for each study.
    pub folder: PathBuf,
}

/// Plays what is missing of a study, and keeps its results.
///
/// # Errors
/// If a contest or a search isn't there, a file can't be written, or after an interrupt: what was played is kept.
pub fn run(study: &Study, how: &How, known: &[&dyn Contest]) -> Result<Vec<Row>, ArenaError> {
    let folder = how.folder.join(&study.name);
    let mut run = Run { study, how, known, folder, rows: Vec::new(), progress: Progress::new() };
    let played = run.all();
    run.progress.end();
    played.map(|()| run.rows)
}

struct Run<'a> {
    study: &'a Study,
    how: &'a How,
    known: &'a [&'a dyn Contest],
    folder: PathBuf,
    rows: Vec<Row>,
    progress: Progress,
}

impl<'a> Run<'a> {
    fn all(&mut self) -> Result<(), ArenaError> {
        let Study { matches, mirrors, solves, .. } = self.study;
        self.check()?;
        matches.iter().try_for_each(|plan| self.compare(plan))?;
        mirrors.iter().try_for_each(|plan| self.mirror(plan))?;
        solves.iter().try_for_each(|plan| self.solve(plan))?;
        self.keep()
    }

    /// Whether every contest and search is there: before anything is played.
    fn check(&self) -> Result<(), ArenaError> {
        let Study { matches, mirrors, solves, contest, .. } = self.study;
        let meets = matches.iter().flat_map(|plan| [(&plan.a, &plan.contest), (&plan.b, &plan.contest)]);
        let mirrors = mirrors.iter().map(|plan| (&plan.of, &plan.contest));
        let solves = solves.iter().map(|plan| (&plan.by, &plan.contest));
        for (name, other) in meets.chain(mirrors).chain(solves) {
            let contest = cli::find(self.known, other.as_deref().unwrap_or(contest))?;
            if let Some(mut search) = InProcess::parse(&self.study.line(name, self.how.mode))? {
                search.settings.pool_bytes = Some(LEAST_BYTES);
                search.tunables(contest)?;
            }
        }
        Ok(())
    }

    /// Two meet in pairs of games.
    fn compare(&mut self, plan: &Match) -> Result<(), ArenaError> {
        let lines = [&plan.a, &plan.b].map(|name| self.study.line(name, self.how.mode));
        let title = format!("{} against {}", plan.a, plan.b);
        let row = self.begin(title, plan.contest.as_deref(), &lines, plan.published, plan.note.as_deref());
        let tournament = self.play(&row)?;
        let last = self.games();
        let figure = tournament.summary(last).bots[0].result.as_ref().map(|result| {
            let (share, draws) = (result.score, result.draws);
            Figure::Share { share, games: result.wins + draws + result.losses, draws }
        });
        self.end(row, figure);
        Ok(())
    }

    /// One meets itself: how the first seat does.
    fn mirror(&mut self, plan: &Mirror) -> Result<(), ArenaError> {
        let line = self.study.line(&plan.of, self.how.mode);
        // With other random numbers, or both games of a pair would be the same.
        let lines = [line.clone(), line + " --seed 2"];
        let title = format!("{} against itself, first seat", plan.of);
        let row = self.begin(title, plan.contest.as_deref(), &lines, plan.published, plan.note.as_deref());
        let tournament = self.play(&row)?;
        let last = self.games();
        let shares = tournament.games(last).iter().map(first_seat).collect::<Vec<_>>();
        let draws = shares.iter().filter(|&&share| share == 0.5).count() as u32;
        let figure = Figure::Share { share: Estimate::of(&shares), games: shares.len() as u32, draws };
        self.end(row, Some(figure));
        Ok(())
    }

    /// A search goes to its end.
    fn solve(&mut self, plan: &Solve) -> Result<(), ArenaError> {
        let line = self.study.line(&plan.by, self.how.mode);
        let title = format!("{} to the end", plan.by);
        let row = self.begin(title, plan.contest.as_deref(), &[line], plan.published, plan.note.as_deref());
        let contest = cli::find(self.known, &row.contest)?;
        let Some(search) = InProcess::parse(&row.lines[0])? else { return Ok(()) };
        let figure = in_process::on_large_stack(|| {
            let mut session = search.session(contest, 0)?;
            let start = Instant::now();
            let thought = session.think(Budget::until(start + LONGEST));
            let seconds = start.elapsed().as_secs_f64();
            Ok::<_, ArenaError>(Figure::Solved { seconds, nodes: thought.nodes, solved: thought.solved })
        })??;
        self.end(row, Some(figure));
        Ok(())
    }

    /// A row without a figure, which is announced.
    fn begin(
        &mut self,
        title: String,
        contest: Option<&str>,
        lines: &[String],
        published: Option<Published>,
        note: Option<&str>,
    ) -> Row {
        let Study { matches, mirrors, solves, .. } = self.study;
        let count = matches.len() + mirrors.len() + solves.len();
        self.progress.say(format_args!("{} {} of {count}: {title}", self.study.name, self.rows.len() + 1));
        Row {
            study: self.study.name.clone(),
            mode: self.how.mode,
            title,
            contest: contest.unwrap_or(&self.study.contest).to_owned(),
            lines: lines.to_vec(),
            published,
            figure: Figure::Solved { seconds: 0.0, nodes: 0, solved: false },
            verdict: Verdict::New,
            note: note.map(str::to_owned),
        }
    }

    fn end(&mut self, row: Row, figure: Option<Figure>) {
        if let Some(figure) = figure {
            self.rows.push(Row { figure, verdict: figure.verdict(row.published), ..row });
        }
    }

    /// Games of each match.
    fn games(&self) -> u32 {
        let usual = match self.how.mode {
            Mode::Quick => self.study.games.quick,
            Mode::Full | Mode::PublishedTime => self.study.games.full,
        };
        self.how.games.unwrap_or(usual).next_multiple_of(2)
    }

    /// The games of a row, all of them.
    fn play(&mut self, row: &Row) -> Result<Tournament<'a>, ArenaError> {
        let contest = cli::find(self.known, &row.contest)?;
        let bots = row.lines.iter().map(|line| Entrant::parse(line)).collect::<Result<_, _>>()?;
        let plain = Series::new(contest, bots);
        let plies = self.study.openings.unwrap_or(contest.opening_plies());
        let series = Series { openings: Openings::Random { plies }, ..plain };
        let folder = self.folder.join(folder_name(&row.contest, &row.lines, plies));
        let settings = Settings {
            file: folder.join(games::FILE_NAME),
            log_dir: None,
            jobs: self.how.jobs,
            shard: Shard::ALL,
            keep_going: false,
        };
        let mut tournament = Tournament::open(series, settings)?;
        let words = &row.title;
        tournament.play(self.games(), &mut self.progress, |_, progress| {
            progress.tell(words);
            ControlFlow::Continue(())
        })?;
        Ok(tournament)
    }

    /// Writes the results of this kind of run in place of older ones.
    fn keep(&self) -> Result<(), ArenaError> {
        let path = self.folder.join(RESULTS);
        let mut rows = read(&path);
        rows.retain(|row| row.mode != self.how.mode);
        rows.extend(self.rows.iter().cloned());
        let lines = rows.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>();
        let text = lines.map_err(std::io::Error::from)?.join("\n") + "\n";
        let written = fs::create_dir_all(&self.folder).and_then(|()| atomic::write(&path, text.as_bytes()));
        written.map_err(|source| ArenaError::StudyFile { path, source })
    }
}

/// The results that are kept in a file; none if there is none. A line that can't be read is dropped: it is measured again.
fn read(path: &Path) -> Vec<Row> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// What the first seat of a game got, 0 to 1.
fn first_seat(record: &GameRecord) -> f64 {
    match record.scores[..] {
        [first, second, ..] if first > second => 1.0,
        [first, second, ..] if first == second => 0.5,
        _ => 0.0,
    }
}

/// A folder of its own for each match.
fn folder_name(contest: &str, lines: &[String], plies: u32) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("{contest}\n{}\n{plies}", lines.join("\n")));
    hash.finalize()[..6].iter().map(|byte| format!("{byte:02x}")).collect()
}

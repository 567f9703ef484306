//! `arena verify`: compares a contest's rules with a referee that is a program of its own, or with recorded games.
//!
//! Searches of this program play through the referee, which starts them as processes. Each game's dialogues are replayed
//! by the rules: what the referee sent must be what the rules would have sent, and what it refused what they refuse.

mod through;
mod time_out;

use std::io::Write;
use std::path::PathBuf;

use contest::Contest;
use serde::Serialize;

use crate::command::game_options::seed;
use crate::command::host::RefereeArgs;
use crate::command::misuse::NoGames;
use crate::failure::Failure;
use coppice_referee::contests::find;
use coppice_referee::replay::source::{Found, Source};
use coppice_referee::replay::verify::{prepare, Verdict};
use coppice_referee::replay::Next;
use coppice_referee::text::readable;

/// The arguments of `arena verify`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The contest's name; `arena contests` lists them
    pub contest: String,
    /// Recorded games instead of a referee: bot logs, the platform's replays, its runner's results, or folders of them
    #[arg(value_name = "FILE", conflicts_with = "referee")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub referee: RefereeArgs,
    /// Number of games
    #[arg(short = 'n', long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// Random seed of the games and of the answers
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = seed)]
    pub seed: u64,
    /// The search that answers [default: in:random, else the contest's first search with 100 nodes]
    #[arg(long, value_name = "SEARCH")]
    pub search: Option<String>,
    /// The folder for a game that differs [default: verify-CONTEST]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Print one JSON object: the games that were compared, and the difference
    #[arg(long)]
    pub json: bool,
}

/// The games that were compared.
#[derive(Debug, Default, Serialize)]
struct Compared {
    games: u32,
    answers: usize,
    /// Answers that the rules and the referee refuse.
    refused: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<Difference>,
}

/// The first difference.
#[derive(Debug, Serialize)]
struct Difference {
    game: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<String>,
    place: String,
    rules: String,
    referee: String,
    /// The position before, drawn by the rules.
    position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<PathBuf>,
}

/// Compares games until one differs.
///
/// # Errors
/// If one differs, the referee fails, or there are no games.
pub(crate) fn run(args: &Args, known: &[&dyn Contest], out: &mut dyn Write) -> Result<(), Failure> {
    let contest = find(known, &args.contest)?;
    let compared = match args.referee.command() {
        Some(command) => through::with_referee(args, command, contest, known)?,
        None if args.files.is_empty() => {
            return Err(Failure::usage(
                "give the published referee with -r, or files of recorded games".to_owned(),
            ))
        }
        None => with_files(args, contest, known)?,
    };
    compared.print(args, contest, out)
}

fn with_files(args: &Args, contest: &dyn Contest, known: &[&dyn Contest]) -> Result<Compared, Failure> {
    let found = Found::look(&args.files);
    if let Some(problem) = found.problems.first() {
        return Err(Failure::new(problem.clone()));
    }
    if found.games.is_empty() {
        return Err(Failure::new(NoGames::in_files(&args.files)));
    }
    let mut compared = Compared::default();
    for source in &found.games {
        let (verdict, position) = replayed(source, contest, known)?;
        let difference = verdict.problem.as_ref().map(|problem| Difference {
            game: source.name.clone(),
            seed: None,
            place: problem.place.clone(),
            rules: problem.expected.clone(),
            referee: problem.found.clone(),
            position,
            kept: None,
        });
        compared.add(&verdict, difference);
        if compared.difference.is_some() {
            break;
        }
    }
    Ok(compared)
}

/// Replays a game by the rules. Returns the verdict, and a drawing of the last position.
fn replayed(
    source: &Source,
    contest: &dyn Contest,
    known: &[&dyn Contest],
) -> Result<(Verdict, String), Failure> {
    // The lifetime of `prepare` is that of the contests.
    let known = known.to_vec();
    let prepared = prepare(source, Some(contest), &known).map_err(|error| Failure::new(error.to_string()))?;
    let mut position = String::new();
    let verdict = prepared.verify_steps(|referee, _| {
        position = referee.show();
        Next::GoOn
    });
    Ok((verdict, position))
}

impl Compared {
    fn add(&mut self, verdict: &Verdict, difference: Option<Difference>) {
        self.games += 1;
        self.answers += verdict.answers;
        self.refused += if difference.is_none() { verdict.failures.len() } else { 0 };
        self.difference = difference;
    }

    fn print(&self, args: &Args, contest: &dyn Contest, out: &mut dyn Write) -> Result<(), Failure> {
        let name = contest.name();
        let Self { games, answers, refused, difference } = self;
        if args.json {
            let text = serde_json::to_string(self).map_err(std::io::Error::from)?;
            writeln!(out, "{text}")?;
        }
        let Some(difference) = difference else {
            if !args.json {
                let noun = if *games == 1 { "game" } else { "games" };
                writeln!(
                    out,
                    "{games} {noun}, {answers} answers, {refused} refused by both: the rules of {name} and the referee agree"
                )?;
            }
            return Ok(());
        };
        let Difference { game, seed, place, rules, referee, position, kept } = difference;
        if !args.json {
            let seed = seed.as_ref().map(|seed| format!(" (seed {seed})")).unwrap_or_default();
            writeln!(out, "game {game}{seed}, {place}")?;
            writeln!(out, "  rules:   {}\n  referee: {}", readable(rules), readable(referee))?;
            if !position.is_empty() {
                writeln!(out, "the position before:\n{position}")?;
            }
            if let Some(folder) = kept {
                let folder = folder.display();
                writeln!(
                    out,
                    "kept as {folder}/{game}.p0.log, ...: `arena replay {folder} --contest {name} --show` goes through it"
                )?;
            }
        }
        out.flush()?;
        Err(Failure::new(format!("the rules of {name} differ from the referee's in game {game}")))
    }
}

//! `arena-study`: repeats published experiments.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args as _, FromArgMatches};
use contest::{utf8, Contest};
use coppice_arena::subcommand::default_jobs;
use coppice_arena::{Failure, Outcome, Subcommand, EXIT_CODES};
use coppice_referee::atomic::{self, FileError};
use coppice_referee::text::{note, words};
use serde_json::json;

use crate::{Mode, Row, RunOptions, Study, StudyError};

/// The program's name.
const NAME: &str = "arena-study";

/// Examples of `arena-study`.
const EXAMPLES: &str = "\
Examples:
  arena-study --list                       list the studies and their claims
  arena-study boop --quick                 a one-minute version
  arena-study boop --write docs/studies.md full run; updates the document's section and docs/studies/boop.svg
  arena-study pruning-mancala --show > mine.toml    a template for a study of your own
  arena-study mine.toml --games 40
  arena-study --summary                    all claims and verdicts of stored runs, on one page

A study is a file: contest, entrants, budgets, pairings, published figures. Games are stored \
in --dir; repeating the same command resumes the study. \"agrees\" means that the published and the measured figure are \
compatible at 95 % confidence, each with its own number of games, and that our interval is narrow enough to tell. Of \
twenty rows one differs by chance: the last lines say how many would, and test the whole table.";

/// The program `arena-study`, or a subcommand of another arena.
#[derive(Clone, Copy)]
pub struct Studies<'a> {
    /// The contests that a study may name.
    pub contests: &'a [&'a dyn Contest],
    /// The files of the studies that come with it, by file name.
    pub files: &'a [(&'a str, &'a str)],
}

impl Subcommand for Studies<'_> {
    fn command(&self) -> clap::Command {
        let command = Args::augment_args(clap::Command::new(NAME).version(env!("CARGO_PKG_VERSION")));
        command
            .about("Repeat a published experiment and report whether the results agree")
            .after_help(format!("{EXAMPLES}\n\n{EXIT_CODES}"))
    }

    fn run(&self, matches: &ArgMatches, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let args = Args::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
        run(&args, self, out)
    }
}

/// Where games and results are kept if no folder is given.
const FOLDER: &str = "arena-studies";

/// The arguments of `arena-study`.
#[derive(Debug, clap::Args)]
struct Args {
    /// Studies, by name or as TOML files; default: all
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// List the studies and their claims without playing
    #[arg(long)]
    list: bool,
    /// Print the studies' files, as templates for your own
    #[arg(long, conflicts_with_all = ["list", "json"])]
    show: bool,
    /// Print one page of all claims and verdicts from the stored rows, without playing; with --write, into the document's summary
    #[arg(long, conflicts_with_all = ["list", "show", "json", "quick", "published_time", "again", "stored"])]
    summary: bool,
    /// At most a minute per study: shorter turns, fewer games
    #[arg(long, conflicts_with = "published_time")]
    quick: bool,
    /// Play at the original's time limits
    #[arg(long)]
    published_time: bool,
    /// Games per match, instead of the study's number; an odd number is rounded up to whole pairs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    games: Option<u32>,
    /// Number of concurrent games; default: the number of processors minus one
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    jobs: Option<u32>,
    /// Folder in which games and results are stored and reused
    #[arg(long, value_name = "DIR", default_value = FOLDER)]
    dir: PathBuf,
    /// Write the table into this Markdown document, in the study's section, and the picture into a folder
    /// next to it that has the document's name
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Report the stored rows without playing
    #[arg(long, conflicts_with = "again")]
    stored: bool,
    /// Measure every row again; by default stored rows are reused, whichever build measured them
    #[arg(long)]
    again: bool,
    /// Print the rows, or with --list the studies, as JSON objects, one per line
    #[arg(long)]
    json: bool,
}

/// Plays the missing games of each study and prints the results.
///
/// # Errors
/// If a study is unknown or can't be played, or a file can't be written.
fn run(args: &Args, program: &Studies<'_>, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let studies = chosen(&args.names, program.files)?;
    if args.list {
        for Study { name, title, claim, source, .. } in &studies {
            if args.json {
                let study = json!({ "study": name, "title": title, "claim": claim, "source": source });
                writeln!(out, "{study}")?;
            } else {
                writeln!(out, "{name}: {title}\n  {claim} ({source})")?;
            }
        }
        return Ok(Outcome::Done);
    }
    if args.show {
        for study in &studies {
            let text = text(program.files, &study.asked);
            write!(
                out,
                "{}",
                text.map_or_else(|| utf8::read_to_string(&study.asked), |text| Ok(text.to_owned()))?
            )?;
        }
        return Ok(Outcome::Done);
    }
    if args.summary {
        let all = crate::summary::stored(&studies, &args.dir);
        return summarise(&all, args, program, out);
    }
    let mode = match (args.quick, args.published_time) {
        (true, _) => Mode::Quick,
        (_, true) => Mode::PublishedTime,
        _ => Mode::Full,
    };
    let jobs = args.jobs.map_or_else(default_jobs, |jobs| jobs as usize);
    let how = RunOptions {
        mode,
        games: args.games,
        jobs,
        again: args.again,
        stored: args.stored,
        folder: args.dir.clone(),
    };
    if let Some(path) = &args.write {
        can_be_written(path, &studies, mode)?;
    }
    for study in &studies {
        let (rows, ended) = crate::run::run(study, &how, program.contests);
        if args.stored && rows.is_empty() {
            note(format_args!("{}: no rows are stored in {}", study.name, args.dir.display()));
            continue;
        }
        if ended.is_err() && rows.is_empty() {
            return Ok(ended.map(|()| Outcome::Done)?);
        }
        if args.json {
            for row in &rows {
                writeln!(out, "{}", serde_json::to_string(row).map_err(std::io::Error::from)?)?;
            }
        } else {
            let quick = match mode {
                Mode::Quick => "\na quick run: less thought and fewer games than was published of, so that only a full one tells",
                Mode::Full | Mode::PublishedTime => "",
            };
            writeln!(out, "{}{quick}\n", crate::report::table(study, &rows))?;
        }
        out.flush()?;
        if let Err(error) = ended {
            eprintln!("the results so far are stored; repeat the command to resume");
            return Err(error.into());
        }
        if let Some(path) = &args.write {
            write(path, study, &rows, &command(args, study))?;
        }
    }
    Ok(Outcome::Done)
}

/// Prints the page of all claims, or writes it into a document.
fn summarise(
    all: &[(&Study, Vec<Row>)],
    args: &Args,
    program: &Studies<'_>,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let Some(path) = &args.write else {
        write!(out, "{}", crate::summary::page(all, "", program.contests))?;
        return Ok(Outcome::Done);
    };
    let document = read_document(path)?;
    let page = crate::summary::page(all, &document, program.contests);
    let document = crate::report::replace_summary(&document, &page);
    atomic::write(path, document.as_bytes()).map_err(|source| FileError::at(path, source))?;
    Ok(Outcome::Done)
}

/// A document's text, or the empty text for a new document.
fn read_document(path: &Path) -> Result<String, FileError> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|source| FileError::at(path, source)),
    }
}

/// Checks that results of this kind can go into a document, before hours are spent on them.
fn can_be_written(path: &Path, studies: &[Study], mode: Mode) -> Result<(), Failure> {
    let fail = |source| FileError::at(path, source);
    let document = read_document(path)?;
    if path.extension().is_none() {
        return Err(Failure::usage(format!("{} has no extension, such as .md", path.display())));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.map_or(Ok(()), |folder| fs::metadata(folder).map(drop)).map_err(fail)?;
    let lost =
        studies.iter().find(|study| mode == Mode::Quick && crate::report::holds_full(&document, &study.name));
    lost.map_or(Ok(()), |study| {
        let why = format!(
            "{} holds a full run of {}, which a quick one doesn't replace: name another file",
            path.display(),
            study.name
        );
        Err(Failure::usage(why))
    })
}

/// The file of a study that comes with the program.
fn text<'a>(files: &[(&str, &'a str)], name: &str) -> Option<&'a str> {
    files.iter().find(|(file, _)| file.trim_end_matches(".toml") == name).map(|(_, text)| *text)
}

/// The studies of these names, or all.
fn chosen(names: &[String], files: &[(&str, &str)]) -> Result<Vec<Study>, Failure> {
    let all = files.iter().map(|(name, text)| Study::read(name, text)).collect::<Result<Vec<_>, _>>();
    let all = all.map_err(StudyError::from)?;
    if names.is_empty() {
        return Ok(all);
    }
    let find = |name: &String| {
        if let Some(study) = all.iter().find(|study| study.name == *name) {
            return Ok(study.clone());
        }
        let path = Path::new(name);
        if path.extension().is_some_and(|extension| extension == "toml") {
            let fail = |source| FileError::at(path, source);
            let text = utf8::read_to_string(path).map_err(fail)?;
            let mut study = Study::read(name, &text).map_err(StudyError::from)?;
            study.asked.clone_from(name);
            return Ok(study);
        }
        let known = all.iter().map(|study| study.name.clone()).collect();
        Err(StudyError::Unknown { name: name.clone(), known }.into())
    };
    names.iter().map(find).collect()
}

/// The command that renews a study's section.
fn command(args: &Args, study: &Study) -> String {
    let mut words = format!("{NAME} {}", words::quote(&study.asked));
    if args.quick {
        words.push_str(" --quick");
    }
    if args.published_time {
        words.push_str(" --published-time");
    }
    args.games.iter().for_each(|games| words.push_str(&format!(" --games {games}")));
    words
}

/// Writes a study's section into a document, and the picture into the folder next to it that has the document's name:
/// `docs/studies/boop.svg` for `docs/studies.md`.
fn write(path: &Path, study: &Study, rows: &[Row], command: &str) -> Result<(), Failure> {
    let fail = |path: &Path| {
        let path = path.to_owned();
        move |source| FileError::at(&path, source)
    };
    let document = read_document(path)?;
    let folder = path.with_extension("");
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let section = crate::report::section(study, rows, command, &name);
    let document = crate::report::replace_section(&document, &study.name, &section);
    atomic::write(path, document.as_bytes()).map_err(fail(path))?;
    let picture = folder.join(format!("{}.svg", study.name));
    fs::create_dir_all(&folder).map_err(fail(&folder))?;
    Ok(atomic::write(&picture, crate::picture::draw(study, rows).as_bytes()).map_err(fail(&picture))?)
}

impl From<StudyError> for Failure {
    fn from(error: StudyError) -> Self {
        let kind = error.kind();
        Self::of_kind(kind, error)
    }
}

//! `arena submit`: everything between a bot and its place on the site.

use std::io::Write;
use std::path::{Path, PathBuf};

use contest::Contest;
use sha2::{Digest, Sha256};

use crate::command::project_or_advice;
use crate::failure::Failure;
use crate::pool::{Commit, Pool};
use crate::program::Outcome;
use crate::project::{build, Built, Project, LIMIT_BYTES, RUNS};
use coppice_referee::clipboard;
use coppice_referee::record::games;
use coppice_referee::series::entrant::Entrant;
use coppice_referee::text::{note, program_name};

/// The arguments of `arena submit`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The version's name in the pool, such as v7
    name: String,
    /// The bot of arena.toml
    #[arg(long, value_name = "BOT", default_value = "new")]
    bot: String,
    /// Replay these recorded games with the bot: a crash or a late answer refuses it. May be given several times
    #[arg(long, value_name = "PATH")]
    replay: Vec<PathBuf>,
    /// Submit even though the check or the replay fails
    #[arg(long)]
    force: bool,
    /// Print the text instead of copying it
    #[arg(long)]
    stdout: bool,
    /// Something to remember of it
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

/// Runs a command line of this program; its first word is the program.
pub(crate) type RunWords<'a> = dyn FnMut(&[String], &mut dyn Write) -> Result<Outcome, Failure> + 'a;

/// Makes the bot, checks it, keeps it in the pool as submitted, and copies its text.
///
/// # Errors
/// If there is no project, the bot has no text for the site, it fails the check, or the pool refuses it.
pub(crate) fn run(
    args: &Args,
    commands: &clap::Command,
    known: &[&dyn Contest],
    run_words: &mut RunWords<'_>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let project = project_or_advice(commands, known)?;
    let submission = Submission { args, project: &project, commands, known };
    // With --stdout, that has the text alone.
    let mut errors = std::io::stderr();
    let said: &mut dyn Write = if args.stdout { &mut errors } else { &mut *out };
    let (text, source) = submission.submit(run_words, said)?;
    if args.stdout {
        out.write_all(&text)?;
        return Ok(out.flush()?);
    }
    match clipboard::copy(&text) {
        Ok(program) => {
            writeln!(out, "copied     {} bytes, by {program}: paste them into the site", text.len())?
        }
        Err(reason) => writeln!(out, "to paste   {}    ({reason})", source.display())?,
    }
    Ok(out.flush()?)
}

struct Submission<'a> {
    args: &'a Args,
    project: &'a Project,
    commands: &'a clap::Command,
    known: &'a [&'a dyn Contest],
}

impl Submission<'_> {
    /// Does all but the copying; the text and its file.
    fn submit(
        &self,
        run_words: &mut RunWords<'_>,
        out: &mut dyn Write,
    ) -> Result<(Vec<u8>, PathBuf), Failure> {
        let (args, project) = (self.args, self.project);
        Pool::check_name(&args.name)?;
        let folder = project.pool_folder();
        let pool = folder.is_dir().then(|| Pool::open(&folder)).transpose()?;
        if let Some(taken) =
            pool.as_ref().and_then(|pool| pool.bots().iter().find(|bot| bot.name == args.name))
        {
            return Err(Failure::usage(format!(
                "the pool has a bot {} already, added {}: give this version another name",
                taken.name, taken.added
            )));
        }
        if args.bot != crate::project::SITE && !project.bots.iter().any(|(name, _)| *name == args.bot) {
            let names = project.bots.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
            return Err(Failure::usage(format!(
                "{} has no bot `{}`: {names}",
                project.path.display(),
                args.bot
            )));
        }
        let built = build(project, &args.bot)?;
        if let Some(args) = &built.args {
            note(format_args!("checked and kept without `{args}`: the site gives a bot no arguments"));
        }
        let source = built.source.clone().or_else(|| script(&built));
        let source = source.ok_or_else(|| {
            Failure::usage(format!(
                "bot {}: `{}` has no text for the site: in {}, give it a `source = FILE`, or name a program of the workspace, {{ bundle = NAME }}",
                args.bot,
                built.line,
                project.path.display()
            ))
        })?;
        let text =
            std::fs::read(&source).map_err(|error| Failure::new(format!("{}: {error}", source.display())))?;
        let share = 100.0 * text.len() as f64 / LIMIT_BYTES as f64;
        writeln!(out, "size       {} bytes, {share:.1} % of {LIMIT_BYTES}", text.len())?;
        let digest = Sha256::digest(&text);
        let digest = digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        self.checked(&built, run_words, out)?;
        self.replayed(&built, run_words, out)?;
        let before = pool.as_ref().and_then(|pool| Previous::of(pool).transpose()).transpose()?;
        self.keep(&built, &source, pool.is_none(), run_words)?;
        writeln!(out, "pool       {} in {}", args.name, folder.display())?;
        writeln!(out, "sha256     {digest}")?;
        match Commit::of(project.root_or_here()) {
            Some(commit) => writeln!(out, "commit     {}", commit.short())?,
            None => writeln!(out, "commit     none: this folder isn't in a git repository")?,
        }
        if let Some(before) = before {
            before.compare(project, &built, &text, out)?;
        }
        Ok((text, source))
    }

    /// Checks the bot as `arena check` does.
    fn checked(
        &self,
        built: &Built,
        run_words: &mut RunWords<'_>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let words = ["arena".to_owned(), "check".to_owned(), format!("{}={}", built.name, built.line)];
        self.tried("check", &words, run_words, out)
    }

    fn replayed(
        &self,
        built: &Built,
        run_words: &mut RunWords<'_>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        if self.args.replay.is_empty() {
            return Ok(());
        }
        let files = self.args.replay.iter().map(|path| path.to_string_lossy().into_owned());
        let words = ["arena".to_owned(), "replay".to_owned()].into_iter().chain(files);
        let words = words.chain(["--bot".to_owned(), built.line.clone()]).collect::<Vec<_>>();
        self.tried("replay", &words, run_words, out)
    }

    /// Runs a command whose last line is its result.
    fn tried(
        &self,
        what: &str,
        words: &[String],
        run_words: &mut RunWords<'_>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let plan = self.project.plan(words, self.commands, self.known)?;
        let mut said = Vec::new();
        let ended = run_words(&self.project.made(&plan)?, &mut said);
        let said = String::from_utf8_lossy(&said).trim_end().to_owned();
        match ended {
            Ok(Outcome::Done) => {}
            Ok(Outcome::NotProved) if what == "replay" => {}
            Err(failure) if failure.status() == coppice_referee::process::INTERRUPTED => return Err(failure),
            ended => {
                writeln!(out, "{said}")?;
                let reason =
                    ended.err().map_or_else(|| format!("the {what} failed"), |failure| failure.to_string());
                if !self.args.force {
                    return Err(Failure::new(format!(
                        "{reason}; nothing was submitted (--force submits it all the same)"
                    )));
                }
                note(format_args!("{reason}; submitted by --force"));
            }
        }
        writeln!(out, "{what:<10} {}", said.lines().next_back().unwrap_or("nothing to try"))?;
        for warning in said.lines().filter(|line| line.starts_with("warning")) {
            writeln!(out, "{:<10} {warning}", "")?;
        }
        Ok(())
    }

    /// Adds the bot to the pool, which is created where it is missing, and notes the submission.
    fn keep(
        &self,
        built: &Built,
        source: &Path,
        is_new_pool: bool,
        run_words: &mut RunWords<'_>,
    ) -> Result<(), Failure> {
        let (args, folder) = (self.args, self.project.pool_folder().to_string_lossy().into_owned());
        let mut silent = std::io::sink();
        let mut run = |words: &[&str]| {
            run_words(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>(), &mut silent)
        };
        if is_new_pool {
            let host = self.project.host_words();
            if host.is_empty() {
                return Err(Failure::usage(format!(
                    "{} names neither a contest nor a referee, so the pool can't be created",
                    self.project.path.display()
                )));
            }
            let options = self.project.options_of(self.commands, &["pool", "new"]);
            let words = ["arena", "pool", "new", &folder]
                .into_iter()
                .chain(host.iter().chain(&options).map(String::as_str));
            run(&words.collect::<Vec<_>>())?;
        }
        let source = source.to_string_lossy();
        let mut words =
            vec!["arena", "pool", "add", &args.name, &built.line, "--pool", &folder, "--source", &source];
        words.extend(["--given", &built.given]);
        // It was checked.
        words.push("--force");
        if let Some(note) = &args.note {
            words.extend(["--note", note]);
        }
        run(&words)?;
        let mut words = vec!["arena", "pool", "submitted", &args.name, "--pool", &folder];
        if let Some(note) = &args.note {
            words.extend(["--note", note]);
        }
        run(&words)?;
        Ok(())
    }
}

/// The file of a bot in an interpreted language.
fn script(built: &Built) -> Option<PathBuf> {
    let entrant = Entrant::parse(&built.line).ok()?;
    match entrant.line.files().as_slice() {
        [_, script] => Some(script.clone()),
        _ => None,
    }
}

/// The last submission.
struct Previous {
    name: String,
    line: String,
    text: Option<Vec<u8>>,
    commit: Option<Commit>,
}

impl Previous {
    /// The last submission of a pool.
    fn of(pool: &Pool) -> Result<Option<Self>, Failure> {
        let Some(site) = pool.on_site() else { return Ok(None) };
        let bot = &pool.bots()[pool.place_of(&site.bot)?];
        Ok(Some(Self {
            name: bot.name.clone(),
            line: pool.line_of(bot)?.to_string(),
            text: pool.source_of(bot).and_then(|path| std::fs::read(path).ok()),
            commit: bot.commit.clone(),
        }))
    }

    /// Prints the changes since then in three lines: files, bytes, games.
    fn compare(
        &self,
        project: &Project,
        built: &Built,
        text: &[u8],
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let changes = self.commit.as_ref().and_then(|commit| commit.changes(project.root_or_here()));
        let changes = changes
            .unwrap_or_else(|| "changed files unknown: its commit isn't in a repository here".to_owned());
        writeln!(out, "since {}: {changes}", self.name)?;
        let bytes = match &self.text {
            Some(old) => {
                format!("{} -> {} ({:+})", old.len(), text.len(), text.len() as i64 - old.len() as i64)
            }
            None => format!("{}; its text isn't in the pool", text.len()),
        };
        writeln!(out, "since {}: bytes {bytes}", self.name)?;
        let games = self.games(built)?;
        writeln!(out, "since {}: {games}", self.name)?;
        Ok(())
    }

    /// The games of the new bot against it in this folder's runs.
    fn games(&self, built: &Built) -> Result<String, Failure> {
        let hash = |line: &str| Entrant::parse(line).ok().and_then(|entrant| entrant.hash);
        let pair = (hash(&built.line), hash(&self.line));
        let (mut won, mut drawn, mut lost) = (0, 0, 0);
        let folders = std::fs::read_dir(RUNS).into_iter().flatten().flatten();
        for folder in folders {
            let Ok(found) = games::read(&folder.path().join(games::FILE_NAME)) else { continue };
            for record in found.records {
                let [a, b] = record.bots.as_slice() else { continue };
                let points = record.points();
                let seats = (&a.hash, &b.hash);
                let (mine, other) = match (&pair.0, &pair.1) {
                    (None, _) => continue,
                    pair if pair == seats => (points[0], points[1]),
                    (new, old) if (old, new) == seats => (points[1], points[0]),
                    _ => continue,
                };
                match mine.cmp(&other) {
                    std::cmp::Ordering::Greater => won += 1,
                    std::cmp::Ordering::Equal => drawn += 1,
                    std::cmp::Ordering::Less => lost += 1,
                }
            }
        }
        let count = won + drawn + lost;
        if count == 0 {
            return Ok(format!("no game between them in {RUNS} ({} sprt)", program_name()));
        }
        let score = 100.0 * (f64::from(won) + 0.5 * f64::from(drawn)) / f64::from(count);
        Ok(format!("games {count}, won {won}, drawn {drawn}, lost {lost}, score {score:.1} %"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_its_own_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bot.py");
        std::fs::write(&path, "print(1)").unwrap();
        let line = format!("cargo {}", shell_words::quote(path.to_str().unwrap()));
        let built = |line: String| Built {
            name: "new".to_owned(),
            given: line.clone(),
            line,
            args: None,
            source: None,
        };
        assert_eq!(script(&built(line)), Some(path.clone()));
        assert_eq!(script(&built("cargo".to_owned())), None);
    }
}

//! Makes a project's bots: bundles and compiles one, runs the command that builds it, or takes it from the pool.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use coppice_referee::atomic;
use coppice_referee::process::command_line::CommandLine;
use coppice_referee::series::entrant::split_name;
use coppice_referee::text::note;
use coppice_referee::text::words;
use sha2::{Digest, Sha256};

use super::plan::{Plan, Word, SITE};
use super::{Project, ProjectError, RUNS};
use crate::pool::{run_build, Pool};

/// The folder of compiled bundles, in that of the runs.
const BUILDS: &str = "builds";

/// The origin of a bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BotSource {
    /// A command line, and a command that is run before the games.
    Command {
        /// The command line; file names are relative to the folder of the project's file.
        line: String,
        /// The command that builds the bot.
        build: Option<String>,
        /// The file that is pasted into the site, relative to that folder.
        source: Option<String>,
    },
    /// A program of the workspace: bundled, and compiled as the site does.
    Bundle {
        /// The program.
        name: String,
        /// Arguments of the compiled bundle; the site gives none.
        args: Option<String>,
    },
    /// A bot of the pool.
    Pool(String),
}

/// A bot that can play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Built {
    /// The bot's name in the games.
    pub name: String,
    /// Command line of the bot, as the site runs it.
    pub line: String,
    /// The bot's origin, as the user gave it: `line` may be the path of a compiled bundle.
    pub given: String,
    /// Arguments that games here add to it.
    pub args: Option<String>,
    /// The file that is pasted into the site, if there is one.
    pub source: Option<PathBuf>,
}

impl Project {
    /// The words of a plan, with a `NAME=CMD` for each of its bots, which are made.
    ///
    /// # Errors
    /// If a bot can't be made.
    pub(crate) fn made(&self, plan: &Plan) -> Result<Vec<String>, ProjectError> {
        let mut made = BTreeMap::<&str, Built>::new();
        let mut words = Vec::new();
        for word in &plan.words {
            let word = match word {
                Word::Text(text) => {
                    words.push(text.clone());
                    continue;
                }
                Word::Bot(word) => word,
            };
            let (own, name, more) = parts(word);
            if !made.contains_key(name) {
                made.insert(name, build(self, name)?);
            }
            let built = &made[name];
            let more = Some(more).filter(|more| !more.is_empty());
            let line = [Some(built.line.as_str()), built.args.as_deref(), more];
            let line = line.into_iter().flatten().collect::<Vec<_>>().join(" ");
            words.push(format!("{}={line}", own.unwrap_or(&built.name)));
        }
        Ok(words)
    }
}

/// A bot's word in its parts: the name that it has in the games, if the word says so; the project's; and further arguments.
pub(super) fn parts(word: &str) -> (Option<&str>, &str, &str) {
    let (own, line) = split_name(word.trim());
    let (name, more) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (own, name, more.trim_start())
}

impl fmt::Display for BotSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command { line, build, source } => {
                write!(f, "{line}")?;
                build.iter().try_for_each(|build| write!(f, ", after `{build}`"))?;
                source.iter().try_for_each(|source| write!(f, ", source {source}"))
            }
            Self::Bundle { name, args: None } => write!(f, "bundle of {name}"),
            Self::Bundle { name, args: Some(args) } => write!(f, "bundle of {name}, with {args}"),
            Self::Pool(name) => write!(f, "{name} of the pool"),
        }
    }
}

/// Makes a bot of the project.
///
/// # Errors
/// If a program that makes it fails, or the pool doesn't have it, or after an interrupt.
pub(crate) fn build(project: &Project, name: &str) -> Result<Built, ProjectError> {
    let source = project.bots.iter().find(|(other, _)| other == name).map(|(_, source)| source);
    let Some(source) = source else {
        debug_assert_eq!(name, SITE);
        return on_site(project);
    };
    let root = project.root();
    match source {
        BotSource::Pool(member) => of_pool(project, member),
        BotSource::Bundle { name: bundle, args } => {
            let args = args.as_ref().map(|args| from_root(name, args, root)).transpose()?;
            Ok(Built { args, ..bundled(project, name, bundle)? })
        }
        BotSource::Command { line, build, source } => {
            if let Some(build) = build {
                let mut command = command_of(name, build)?;
                let hint = "; install it, or correct the bot's `build` in arena.toml";
                run_build(name, in_folder(&mut command, root), build, hint)?;
            }
            let source = source.as_ref().map(|file| root.join(file));
            if let Some(path) = source.as_ref().filter(|path| !path.is_file()) {
                return Err(ProjectError::NoSource { bot: name.to_owned(), path: path.clone() });
            }
            let (given, line) = (line.clone(), from_root(name, line, root)?);
            Ok(Built { name: name.to_owned(), line, given, args: None, source })
        }
    }
}

/// The bot that was submitted last, from the pool.
fn on_site(project: &Project) -> Result<Built, ProjectError> {
    let folder = project.pool_folder();
    let none = || ProjectError::NotSubmitted { folder: folder.clone() };
    if !folder.is_dir() {
        return Err(none());
    }
    let member = Pool::open(&folder)?.on_site().map(|site| site.bot.clone()).ok_or_else(none)?;
    of_pool(project, &member)
}

fn of_pool(project: &Project, member: &str) -> Result<Built, ProjectError> {
    let pool = Pool::open(&project.pool_folder())?;
    let bot = &pool.bots()[pool.place_of(member)?];
    pool.prepare(bot)?;
    let line = pool.line_of(bot)?.to_string();
    let (name, given) = (member.to_owned(), bot.given.clone());
    Ok(Built { name, line, given, args: None, source: pool.source_of(bot) })
}

/// Bundles a program of the workspace and compiles the bundle, unless it has been compiled before.
fn bundled(project: &Project, name: &str, bundle: &str) -> Result<Built, ProjectError> {
    let root = project.root();
    let start = Instant::now();
    let bundler = bundler(project);
    let hint = match project.bundler {
        Some(_) => "",
        None => {
            "; install the bundler (cargo install --path COPPICE/bundler), or name it in arena.toml: bundler = CMD"
        }
    };
    let mut command = command_of(name, &bundler)?;
    command.arg(bundle);
    let shown = format!("{bundler} {bundle}");
    let text = run_build(name, in_folder(&mut command, root), &shown, hint)?;
    let digest = Sha256::digest(&text);
    let hex = digest[..4].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let folder = root.join(RUNS).join(BUILDS).join(format!("{name}-{hex}"));
    let (source, program) =
        (folder.join(format!("{name}.rs")), folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)));
    let built = Built {
        name: name.to_owned(),
        line: words::quote(&program.to_string_lossy()).into_owned(),
        given: format!("bundle of {bundle}"),
        args: None,
        source: Some(source.clone()),
    };
    // Two texts that begin with the same digest are told apart by the text.
    if program.is_file() && fs::read(&source).is_ok_and(|there| there == text) {
        return Ok(built);
    }
    let fail = |path: &Path, source| ProjectError::Write { path: path.to_owned(), source };
    fs::create_dir_all(&folder).map_err(|error| fail(&folder, error))?;
    // The runs' folder is of no use in a repository.
    let ignore = root.join(RUNS).join(".gitignore");
    if !ignore.exists() {
        fs::write(&ignore, "*\n").map_err(|error| fail(&ignore, error))?;
    }
    atomic::write(&source, &text).map_err(|error| fail(&source, error))?;
    note(format_args!("{name}: {} bytes bundled; compiling them as the site does", text.len()));
    let half = folder.join(format!(".{name}.{}", std::process::id()));
    let mut rustc = command_of(name, &project.rustc)?;
    rustc.arg("-o").arg(&half).arg(&source);
    let shown = format!("{} {}", project.rustc, source.display());
    run_build(name, &mut rustc, &shown, "; install it, or name another in arena.toml: rustc = CMD")?;
    fs::rename(&half, &program).map_err(|error| fail(&program, error))?;
    note(format_args!("{name}: made in {:.1} s", start.elapsed().as_secs_f64()));
    Ok(built)
}

/// The bundler: the one of the file, the installed one, or that of the workspace.
fn bundler(project: &Project) -> String {
    let own = || project.root().join("bundler/src/lib.rs").is_file();
    match &project.bundler {
        Some(line) => line.clone(),
        None if own() => "cargo run --quiet --release -p bundler --".to_owned(),
        None => "bundler".to_owned(),
    }
}

/// A command line as a process to be started.
fn command_of(bot: &str, line: &str) -> Result<Command, ProjectError> {
    let parsed = CommandLine::parse(line).map_err(|error| ProjectError::Line {
        bot: bot.to_owned(),
        command: line.to_owned(),
        reason: error.to_string(),
    })?;
    Ok(parsed.command())
}

fn in_folder<'c>(command: &'c mut Command, folder: &Path) -> &'c mut Command {
    if !folder.as_os_str().is_empty() {
        command.current_dir(folder);
    }
    command
}

/// A command line of the file, seen from the working folder: words that name files of the file's folder get its path.
fn from_root(bot: &str, line: &str, root: &Path) -> Result<String, ProjectError> {
    if root.as_os_str().is_empty() {
        return Ok(line.to_owned());
    }
    let words = words::split(line).map_err(|error| ProjectError::Line {
        bot: bot.to_owned(),
        command: line.to_owned(),
        reason: error.to_string(),
    })?;
    let moved = words.into_iter().map(|word| {
        let path = root.join(&word);
        match path.is_file() {
            true => path.to_string_lossy().into_owned(),
            false => word,
        }
    });
    Ok(words::join(moved.collect::<Vec<_>>()))
}

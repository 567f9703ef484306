//! A pool: the versions of a bot that meet in a league for as long as a contest lasts.
//!
//! A pool is a folder. `pool.json` holds the contest, the bots and what was submitted; `bots/NAME/` a copy of each bot's
//! files; `games.jsonl` the games; `parked/` those after which bots were parked.

mod build;
mod commit;
mod error;
mod files;
pub(crate) mod league;
mod member;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use contest::utf8;
use serde::{Deserialize, Serialize};

use coppice_referee::atomic;
use coppice_referee::process::command_line::CommandLine;
use coppice_referee::record::{games, GameRecord};
use coppice_referee::series::entrant;
use coppice_referee::text::program_name;
use coppice_referee::text::words;

pub(crate) use build::{run_build, BuildError, RUSTC};
pub(crate) use commit::Commit;
pub(crate) use error::PoolError;
pub(crate) use member::Member;

/// The file of a pool's bots.
const FILE_NAME: &str = "pool.json";
/// Held while the file is changed.
const LOCK_NAME: &str = ".pool.lock";
/// The folder of the bots' files.
const BOTS: &str = "bots";
/// The format of the file.
const VERSION: u32 = 1;

/// A pool's folder and its bots.
#[derive(Debug, Clone)]
pub(crate) struct Pool {
    folder: PathBuf,
    state: State,
}

/// The content of `pool.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct State {
    version: u32,
    /// The contest and the options of its games, as words of a command line.
    plan: Vec<String>,
    /// In the order in which they were added.
    bots: Vec<Member>,
    #[serde(default)]
    submissions: Vec<Submission>,
}

/// A bot that was submitted to the site.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Submission {
    /// The bot's name.
    pub bot: String,
    /// When, in RFC 3339.
    pub at: String,
    /// The rank that it reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    /// The site's score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Anything else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A bot to be added.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Addition<'a> {
    /// Name in the pool.
    pub name: &'a str,
    /// Command line of the bot.
    pub command: &'a str,
    /// The text that tables show as its command.
    pub given: &'a str,
    /// Anything that is to be remembered of it.
    pub note: Option<&'a str>,
    /// The command that makes the bot from files, in its folder.
    pub build: Option<&'a str>,
    /// The source of a bot that is a program, then other files that its build needs.
    pub sources: &'a [PathBuf],
    /// The compiler's command line for a bot that is Rust source.
    pub rustc: &'a str,
}

impl Addition<'_> {
    /// The command lines of the bot and of its build. Rust source is built by the compiler.
    fn lines(&self) -> Result<(CommandLine, Option<CommandLine>), PoolError> {
        let line = CommandLine::parse(self.command)?;
        let program = Path::new(line.program());
        if self.build.is_some() || program.extension().is_none_or(|extension| extension != "rs") {
            return Ok((line, self.build.map(CommandLine::parse).transpose()?));
        }
        let program = program.to_string_lossy().into_owned();
        if !Path::new(&program).is_file() {
            return Err(PoolError::NoProgram { program });
        }
        let made = format!("bot{}", std::env::consts::EXE_SUFFIX);
        let rustc = CommandLine::parse(self.rustc)?.with(&["-o".to_owned(), made.clone(), program]);
        let arguments = line.arguments().iter().map(String::as_str).collect::<Vec<_>>();
        Ok((CommandLine::new(format!("./{made}"), &arguments), Some(rustc)))
    }
}

impl Pool {
    /// Creates a pool whose games are described by these words.
    ///
    /// # Errors
    /// If there is one in the folder already, or it can't be written.
    pub(crate) fn create(folder: &Path, plan: Vec<String>) -> Result<Self, PoolError> {
        if folder.join(FILE_NAME).exists() {
            return Err(PoolError::Exists { folder: folder.to_owned() });
        }
        fs::create_dir_all(folder.join(BOTS)).map_err(|source| PoolError::write(folder, source))?;
        let state = State { version: VERSION, plan, bots: Vec::new(), submissions: Vec::new() };
        let pool = Self { folder: folder.to_owned(), state };
        pool.save()?;
        Ok(pool)
    }

    /// Reads a pool.
    ///
    /// # Errors
    /// If the folder has no pool, or its file can't be read.
    pub(crate) fn open(folder: &Path) -> Result<Self, PoolError> {
        let path = folder.join(FILE_NAME);
        let text = match utf8::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(PoolError::Missing { folder: folder.to_owned() })
            }
            Err(source) => return Err(PoolError::Read { path, source }),
        };
        let state = serde_json::from_slice::<State>(&text)
            .map_err(|error| PoolError::Format { path: path.clone(), reason: error.to_string() })?;
        if state.version != VERSION {
            let reason = format!("it is of version {}, and this program knows {VERSION}", state.version);
            return Err(PoolError::Format { path, reason });
        }
        for bot in &state.bots {
            member::check_name(&bot.name)
                .map_err(|error| PoolError::Format { path: path.clone(), reason: error.to_string() })?;
        }
        Ok(Self { folder: folder.to_owned(), state })
    }

    /// Reads a pool, changes it and writes it, while no other program does.
    ///
    /// # Errors
    /// If the pool can't be read or written, and the errors of the change.
    pub(crate) fn change<T, E: From<PoolError>>(
        folder: &Path,
        change: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        // A folder without a pool gets no lock file.
        Self::open(folder)?;
        let lock = File::create(folder.join(LOCK_NAME)).map_err(|source| PoolError::write(folder, source))?;
        // Without file locks, the user is responsible.
        let _ = lock.lock();
        let mut pool = Self::open(folder)?;
        let changed = change(&mut pool)?;
        pool.save()?;
        Ok(changed)
    }

    fn save(&self) -> Result<(), PoolError> {
        let path = self.folder.join(FILE_NAME);
        let fail = |source| PoolError::write(&path, source);
        let mut text = serde_json::to_vec_pretty(&self.state).map_err(std::io::Error::from).map_err(fail)?;
        text.push(b'\n');
        atomic::write(&path, &text).map_err(fail)
    }

    /// The folder of the pool.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of its games.
    pub(crate) fn games_file(&self) -> PathBuf {
        self.folder.join(games::FILE_NAME)
    }

    /// The contest and the options of its games, as words of a command line.
    pub(crate) fn plan(&self) -> &[String] {
        &self.state.plan
    }

    /// All bots, also those that were removed, in the order in which they were added.
    pub(crate) fn bots(&self) -> &[Member] {
        &self.state.bots
    }

    /// All submissions, the oldest first.
    pub(crate) fn submissions(&self) -> &[Submission] {
        &self.state.submissions
    }

    /// The last submission, which is on the site now.
    pub(crate) fn on_site(&self) -> Option<&Submission> {
        self.state.submissions.last()
    }

    /// The place of a bot among all.
    ///
    /// # Errors
    /// If no bot has that name.
    pub(crate) fn place_of(&self, name: &str) -> Result<usize, PoolError> {
        let place = self.state.bots.iter().position(|bot| bot.name == name);
        place.ok_or_else(|| PoolError::Unknown {
            name: name.to_owned(),
            known: self.state.bots.iter().map(|bot| bot.name.clone()).collect(),
        })
    }

    /// The folder of a bot's files.
    pub(crate) fn folder_of(&self, bot: &Member) -> PathBuf {
        self.folder.join(BOTS).join(&bot.name)
    }

    /// The path of a bot's source, if the pool has it: a script is its own.
    pub(crate) fn source_of(&self, bot: &Member) -> Option<PathBuf> {
        bot.own_source().map(|source| self.folder_of(bot).join(source))
    }

    /// The command line that starts a bot's copy.
    ///
    /// # Errors
    /// If that of a search of this program can't be read.
    pub(crate) fn line_of(&self, bot: &Member) -> Result<CommandLine, PoolError> {
        bot.line(&self.folder_of(bot))
    }

    /// Tells a user what lets a parked bot play again.
    pub(crate) fn advice_for_parked(&self, name: &str) -> String {
        let folder = self.folder.to_string_lossy();
        let folder = words::quote(&folder);
        format!(
            "after mending what it needs, `{} pool remove {name} --undo --pool {folder}` lets it play again",
            program_name()
        )
    }

    /// Checks that the files of a bot are those that were added.
    ///
    /// # Errors
    /// If one differs or can't be read.
    pub(crate) fn check_files(&self, bot: &Member) -> Result<(), PoolError> {
        let folder = self.folder_of(bot);
        let now = if bot.is_search() {
            entrant::own_hash()
        } else {
            bot.files.iter().find(|file| !folder.join(file).is_file()).map_or_else(
                || entrant::hash_of(&bot.files.iter().map(|file| folder.join(file)).collect::<Vec<_>>()),
                |_| None,
            )
        };
        // A command without files, such as a program of the system, has no hash.
        if now == bot.hash {
            return Ok(());
        }
        let place = if bot.is_search() { None } else { Some(folder) };
        let text = |hash: &Option<String>| hash.clone().unwrap_or_else(|| "unknown".to_owned());
        Err(PoolError::Changed { name: bot.name.clone(), place, then: text(&bot.hash), now: text(&now) })
    }

    /// Checks a bot's files, and builds it again if its program is missing.
    ///
    /// # Errors
    /// As for [`Pool::check_files`], or if the build fails.
    pub(crate) fn prepare(&self, bot: &Member) -> Result<(), PoolError> {
        self.check_files(bot)?;
        let folder = self.folder_of(bot);
        if bot.build.is_empty() || bot.products().all(|file| folder.join(file).is_file()) {
            return Ok(());
        }
        bot.make(&folder)
    }

    /// Checks that a bot can have this name here.
    ///
    /// # Errors
    /// If it can't be a folder's name on any system.
    pub(crate) fn check_name(name: &str) -> Result<(), PoolError> {
        Ok(member::check_name(name)?)
    }

    /// Copies a bot's files into the pool, builds it there and adds it. Nothing is added if that fails.
    ///
    /// # Errors
    /// If the name is taken, a file can't be copied, or the build fails.
    pub(crate) fn add(&mut self, addition: Addition<'_>) -> Result<&Member, PoolError> {
        member::check_name(addition.name)?;
        // Some file systems don't distinguish case.
        let same = |bot: &&Member| bot.name.eq_ignore_ascii_case(addition.name);
        if let Some(taken) = self.state.bots.iter().find(same) {
            return Err(PoolError::Taken { name: taken.name.clone() });
        }
        let folder = self.folder.join(BOTS).join(addition.name);
        // Files of an earlier attempt.
        let _ = fs::remove_dir_all(&folder);
        let member = match Member::copied(addition, &folder) {
            Ok(member) => member,
            Err(error) => {
                let _ = fs::remove_dir_all(&folder);
                return Err(error);
            }
        };
        let at = self.state.bots.len();
        self.state.bots.push(member);
        Ok(&self.state.bots[at])
    }

    /// Retires a bot: it plays no new games. Its files and games are kept.
    ///
    /// # Errors
    /// If no bot has that name.
    pub(crate) fn retire(&mut self, name: &str) -> Result<(), PoolError> {
        let place = self.place_of(name)?;
        self.state.bots[place].retired = true;
        Ok(())
    }

    /// Parks a bot that keeps failing: it plays no new games.
    ///
    /// # Errors
    /// If no bot has that name.
    pub(crate) fn park(&mut self, name: &str, reason: &str) -> Result<(), PoolError> {
        let place = self.place_of(name)?;
        self.state.bots[place].parked = Some(reason.to_owned());
        Ok(())
    }

    /// Lets a bot play again that was retired or parked. Its failures so far no longer count.
    ///
    /// # Errors
    /// If no bot has that name.
    pub(crate) fn restore(&mut self, name: &str) -> Result<(), PoolError> {
        let place = self.place_of(name)?;
        // Without a file there are no games; a damaged one is reported before the next games.
        let records = games::read(&self.games_file()).map_or_else(|_| Vec::new(), |found| found.records);
        let plays = |record: &&GameRecord| record.bots.iter().any(|bot| bot.name == name);
        let forgiven = records.iter().filter(plays).count() as u32;
        let bot = &mut self.state.bots[place];
        (bot.retired, bot.parked, bot.forgiven) = (false, None, forgiven);
        Ok(())
    }

    /// Notes a submission.
    ///
    /// # Errors
    /// If the bot is unknown, or the date can't be read.
    pub(crate) fn submitted(&mut self, mut submission: Submission) -> Result<(), PoolError> {
        self.place_of(&submission.bot)?;
        let time = humantime::parse_rfc3339_weak(&submission.at)
            .map_err(|_| PoolError::Date { text: submission.at.clone() })?;
        submission.at = humantime::format_rfc3339_seconds(time).to_string();
        let later = |other: &Submission| other.at > submission.at;
        let place = self.state.submissions.iter().position(later).unwrap_or(self.state.submissions.len());
        self.state.submissions.insert(place, submission);
        Ok(())
    }
}

/// Whether a folder is that of a pool.
pub(crate) fn is_in(folder: &Path) -> bool {
    folder.join(FILE_NAME).is_file()
}

/// The time now, in RFC 3339.
pub(crate) fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

#[cfg(test)]
mod tests;

//! The contest of a pool and the options of its games.

use std::path::Path;

use clap::{CommandFactory, FromArgMatches, Parser};
use contest::Contest;

use crate::command::game_options::GameOptions;
use crate::command::host::{HostArgs, Opened};
use crate::failure::Failure;
use crate::pool::league::{entrants, League};
use crate::pool::{Pool, PoolError};
use coppice_referee::process::command_line::CommandLine;
use coppice_referee::series::host::Host;
use coppice_referee::series::Series;
use coppice_referee::text::words;

/// The contest or the referee, and the options of the games.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Plan {
    #[command(flatten)]
    host: HostArgs,
    #[command(flatten)]
    games: GameOptions,
}

/// Options of a referee that change none of its games.
const FREE: [&str; 4] = ["--keep-jvm", "--plain-jvm", "--referee-limit", "--no-check-bots"];

/// A plan as the words of a command line.
#[derive(Parser)]
struct Words {
    #[command(flatten)]
    plan: Plan,
}

impl Plan {
    /// The plan of a pool, with options of its referee that change no game, such as `--keep-jvm`.
    ///
    /// # Errors
    /// If another option is given than the pool has, or this program doesn't know an option of it.
    pub(super) fn of(pool: &Pool, given: &[String]) -> Result<Self, Failure> {
        let changes_nothing = |word: &&String| FREE.iter().any(|free| word.split('=').next() == Some(free));
        let (free, others): (Vec<_>, Vec<_>) = given.iter().partition(changes_nothing);
        if let Some(other) = others.into_iter().find(|&word| !pool.plan().contains(word)) {
            return Err(Failure::usage(format!(
                "{other}: the games of the pool in {} are played with `{}`; with --pool only {} can be given",
                pool.folder().display(),
                words::join(pool.plan()),
                FREE.join(", ")
            )));
        }
        // How the machines are kept is one choice.
        let is_replaced = |word: &String| {
            let of_machines = |word: &String| word.ends_with("-jvm");
            free.contains(&word) || of_machines(word) && free.iter().any(|free| of_machines(free))
        };
        let own = pool.plan().iter().filter(|word| !is_replaced(word));
        let words =
            ["arena".to_owned()].iter().chain(own).chain(free.iter().copied()).cloned().collect::<Vec<_>>();
        let command = Words::command().args_override_self(true);
        let parsed = command.try_get_matches_from(words).and_then(|found| Words::from_arg_matches(&found));
        let parsed = parsed.map_err(|error| PoolError::Format {
            path: pool.folder().join("pool.json"),
            reason: error.to_string().trim().to_owned(),
        })?;
        Ok(parsed.plan)
    }

    /// The contest or the referee.
    ///
    /// # Errors
    /// If the contest is unknown, or the referee can't be used.
    pub(super) fn open<'a>(&self, known: &[&'a dyn Contest]) -> Result<Opened<'a>, Failure> {
        self.host.open(known, |_| 2, 2)
    }

    /// Checks the options.
    ///
    /// # Errors
    /// If an option doesn't fit the contest or the referee.
    pub(super) fn check(&self, host: Host<'_>) -> Result<(), Failure> {
        self.games.series(&self.host, host, Vec::new()).map(drop)
    }

    /// The words, in which files are absolute: a pool may be used from any folder.
    ///
    /// # Errors
    /// If the referee's command line can't be split.
    pub(super) fn words(&self) -> Result<Vec<String>, Failure> {
        let mut words = self.host.words();
        if let [option, referee, ..] = &mut words[..] {
            if option == "-r" {
                let line = CommandLine::parse(referee)?;
                let program = line.program().to_string_lossy().into_owned();
                let all = std::iter::once(program).chain(line.arguments().iter().cloned());
                *referee = words::join(all.map(|word| absolute(&word)));
            }
        }
        let games = self.games.words();
        words.extend(games.into_iter().map(|word| match word.strip_prefix("--opening-file=") {
            Some(path) => format!("--opening-file={}", absolute(path)),
            None => word,
        }));
        Ok(words)
    }

    /// A series of the pool's bots with these options.
    ///
    /// # Errors
    /// If a file can't be used.
    pub(super) fn series<'a>(&self, pool: &Pool, host: Host<'a>) -> Result<Series<'a>, Failure> {
        self.games.series(&self.host, host, entrants(pool)?)
    }

    /// The games of a pool. An external referee's files are kept in `log_dir`.
    ///
    /// # Errors
    /// If a file can't be used.
    pub(super) fn league<'a>(
        &self,
        pool: &Pool,
        host: Host<'a>,
        log_dir: Option<&Path>,
    ) -> Result<League<'a>, Failure> {
        let series = self.series(pool, host)?;
        let files = log_dir.filter(|_| host.contest().is_none()).map(Path::to_owned);
        Ok(League::open(pool, Series { files, ..series })?)
    }
}

/// A file's absolute path; anything else as it is.
fn absolute(word: &str) -> String {
    let path = Path::new(word);
    let absolute = path.is_file().then(|| std::path::absolute(path).ok()).flatten();
    absolute.map_or_else(|| word.to_owned(), |path| path.to_string_lossy().into_owned())
}

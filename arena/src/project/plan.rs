//! Completes a command line by the project's file.

use std::path::Path;

use clap::Command;
use contest::Contest;
use coppice_referee::contests::{self, is_named};
use coppice_referee::game::in_process;
use coppice_referee::series::entrant::split_name;
use coppice_referee::text::nearest;

use super::words::{has_long, scan};
use super::{bots, Host, Project, ProjectError, Setting, HEURISTIC, RUN};

/// The bot that was submitted last.
pub(crate) const SITE: &str = "site";

/// The bot that is worked on.
const NEW: &str = "new";

/// The subcommands that play games of bots; the table [`RUN`] is for them.
const PLAYING: [&str; 6] = ["play", "match", "sprt", "rate", "tune", "check"];

/// A word of a completed command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Word {
    /// A word as it stands.
    Text(String),
    /// A bot of the project, by its name: `NAME`, `NAME ARGUMENTS` or `OTHER=NAME ARGUMENTS`.
    Bot(String),
}

/// A completed command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The words, with the program's own name first.
    pub words: Vec<Word>,
}

impl Plan {
    /// A command line that stays as it is.
    pub(crate) fn unchanged(words: &[String]) -> Self {
        Self { words: words.iter().cloned().map(Word::Text).collect() }
    }

    /// The words, with a bot's own name in place of its command line.
    pub(crate) fn with_names(&self) -> Vec<String> {
        let word = |word: &Word| match word {
            Word::Text(text) | Word::Bot(text) => text.clone(),
        };
        self.words.iter().map(word).collect()
    }

    /// Whether a bot of the project plays.
    pub(crate) fn has_bots(&self) -> bool {
        self.words.iter().any(|word| matches!(word, Word::Bot(_)))
    }
}

/// Whether the table [`RUN`] is for a subcommand.
pub(super) fn is_playing(command: &str) -> bool {
    PLAYING.contains(&command)
}

impl Project {
    /// Completes a command line: the contest or the referee, the bots, and options that it leaves out. `words` begin with
    /// the program's own name.
    ///
    /// # Errors
    /// If a word can only be a bot's name and isn't one.
    pub(crate) fn plan(
        &self,
        words: &[String],
        commands: &Command,
        known: &[&dyn Contest],
    ) -> Result<Plan, ProjectError> {
        let asks_for_help = words.iter().any(|word| word == "--help" || word == "-h");
        let command = words.get(1).and_then(|name| commands.find_subcommand(name));
        let Some(command) = command.filter(|command| !asks_for_help && !command.is_hide_set()) else {
            return Ok(Plan::unchanged(words));
        };
        if command.get_name() == "pool" {
            return Ok(self.plan_of_pool(words, command));
        }
        let found = scan(command, words, 2);
        if found.has_unknown {
            // The parser names it, and knows what is like it.
            return Ok(Plan::unchanged(words));
        }
        let has = |id: &str| command.get_arguments().any(|arg| arg.get_id() == id);
        let is_playing = is_playing(command.get_name());
        let is_outside = ["referee", "tester"].iter().any(|option| found.options.contains(*option));
        let first = found.positionals.first().copied();
        let names_contest = !is_outside && first.is_some_and(|at| is_named(known, &words[at]));
        let mut bots = match names_contest && is_playing {
            true => &found.positionals[1..],
            false => &found.positionals[..],
        };
        if !is_playing {
            bots = &[];
        }
        let is_league = command.get_name() == "rate"
            && (found.options.contains("pool")
                || bots.is_empty() && self.lineup("rate").is_none() && self.pool_folder().is_dir());
        let text = |word: &str| Word::Text(word.to_owned());
        let mut planned = vec![text(&words[0]), text(&words[1])];
        for setting in self.settings(command, is_playing, is_league) {
            let arg = command.get_arguments().find(|arg| has_long(arg, &setting.key));
            let Some(arg) = arg else { continue };
            let is_given = |id: &clap::Id| found.options.contains(id.as_str());
            let is_excluded =
                command.get_arg_conflicts_with(arg).iter().any(|other| is_given(other.get_id()));
            if !is_given(arg.get_id()) && !is_excluded {
                planned.extend(setting.words().into_iter().map(Word::Text));
            }
        }
        if is_league && !found.options.contains("pool") {
            planned.push(Word::Text(format!("--pool={}", self.pool_folder().display())));
        }
        let takes_contest = has("contest") && !is_outside && !names_contest && !is_league;
        let room =
            command.get_positionals().filter(|arg| arg.get_num_args().is_none_or(|n| n.max_values() == 1));
        let has_room = is_playing || found.positionals.len() < room.count();
        let mut contest = None;
        match self.host.as_ref().filter(|_| takes_contest && has_room) {
            Some(Host::Contest(name)) => contest = Some(Word::Text(name.clone())),
            Some(Host::Heuristic) if is_playing => {
                let root = self.root();
                if !root.as_os_str().is_empty() && root != Path::new(".") {
                    return Err(ProjectError::Elsewhere { path: self.path.clone(), folder: root.to_owned() });
                }
                let own = self.options.iter().filter(|setting| setting.table == HEURISTIC);
                let is_left_out = |setting: &&Setting| {
                    let arg = command.get_arguments().find(|arg| has_long(arg, &setting.key));
                    arg.is_some_and(|arg| !found.options.contains(arg.get_id().as_str()))
                };
                planned.extend(own.filter(is_left_out).flat_map(Setting::words).map(Word::Text));
            }
            Some(Host::Referee(line)) if is_playing => planned.push(Word::Text(format!("--referee={line}"))),
            _ => {}
        }
        let place = first.unwrap_or(words.len());
        for (at, word) in words.iter().enumerate().skip(2) {
            planned.extend(contest.take_if(|_| at == place));
            planned.push(match bots.contains(&at) {
                true => self.bot_word(word, known)?,
                false => Word::Text(word.clone()),
            });
        }
        planned.extend(contest);
        let is_numbered = found.options.contains("p1");
        if is_playing && bots.is_empty() && !is_numbered && !is_league {
            let usual = self.usual_bots(command.get_name());
            let usual = usual.iter().map(|name| self.bot_word(name, known));
            planned.extend(usual.collect::<Result<Vec<_>, _>>()?);
        }
        Ok(Plan { words: planned })
    }

    /// The options of a subcommand: its own after those of all.
    fn settings<'a>(
        &'a self,
        command: &'a Command,
        is_playing: bool,
        is_league: bool,
    ) -> impl Iterator<Item = &'a Setting> {
        let own = move |setting: &&Setting| setting.table == command.get_name();
        let is_replaced =
            move |setting: &Setting| self.options.iter().filter(own).any(|other| other.key == setting.key);
        let shared = self.options.iter().filter(move |setting| {
            // A pool has options of its own for its games.
            let counts = !is_league || setting.key == "jobs";
            setting.table == RUN && is_playing && counts && !is_replaced(setting)
        });
        shared.chain(self.options.iter().filter(own))
    }

    fn lineup(&self, command: &str) -> Option<&[String]> {
        let found = self.lineups.iter().find(|(name, _)| name == command);
        found.map(|(_, bots)| bots.as_slice())
    }

    /// The bots of a subcommand whose command line names none.
    fn usual_bots(&self, command: &str) -> Vec<String> {
        if let Some(bots) = self.lineup(command) {
            return bots.to_vec();
        }
        let has_new = self.bots.iter().any(|(name, _)| name == NEW);
        let usual: &[&str] = match command {
            "match" | "sprt" | "play" if has_new => &[NEW, SITE],
            "check" | "tune" if has_new => &[NEW],
            _ => &[],
        };
        usual.iter().map(|&name| name.to_owned()).collect()
    }

    /// A bot's word: a name of the project, with further arguments or without, or a command line.
    fn bot_word(&self, word: &str, known: &[&dyn Contest]) -> Result<Word, ProjectError> {
        let names = || self.bots.iter().map(|(name, _)| name.as_str()).chain([SITE]);
        if names().any(|name| name == bots::parts(word).1) {
            return Ok(Word::Bot(word.to_owned()));
        }
        let is_search = word.trim_start().starts_with(in_process::PREFIX) || word.trim() == "human";
        let is_line = split_name(word).0.is_some() || word.contains(char::is_whitespace);
        if is_search || is_line || Path::new(word).is_file() || which::which(word).is_ok() {
            return Ok(Word::Text(word.to_owned()));
        }
        // A path that doesn't exist has its own message.
        if word.contains(['/', '\\']) {
            return Ok(Word::Text(word.to_owned()));
        }
        let near = nearest(word, names().chain(contests::names(known)));
        Err(ProjectError::NoBot {
            word: word.to_owned(),
            path: self.path.clone(),
            bots: format!(" ({})", names().collect::<Vec<_>>().join(", ")),
            hint: near.map_or_else(String::new, |near| format!("; did you mean `{near}`?")),
        })
    }

    /// Completes `arena pool ...` by the pool's folder.
    fn plan_of_pool(&self, words: &[String], command: &Command) -> Plan {
        let mut plan = Plan::unchanged(words);
        let Some(command) = words.get(2).and_then(|name| command.find_subcommand(name)) else { return plan };
        let takes_pool = command.get_arguments().any(|arg| arg.get_long() == Some("pool"));
        if takes_pool && !scan(command, words, 3).options.contains("pool") {
            plan.words.insert(3, Word::Text(format!("--pool={}", self.pool_folder().display())));
        }
        plan
    }
}

//! Reads `arena.toml`: each mistake has its line, and the nearest known name.

use std::ops::Range;
use std::path::Path;

use clap::Command;
use contest::{utf8, Contest};
use coppice_referee::contests::is_named;
use coppice_referee::series::entrant::is_name;
use coppice_referee::text::nearest;
use toml::de::{DeTable, DeValue};
use toml::Spanned;

use super::board::{board, BOARD};
use super::plan::{is_playing, SITE};
use super::{words, BotSource, Host, Project, ProjectError, Setting, HEURISTIC, RUN, TESTER};
use crate::pool::RUSTC;

/// The key of a subcommand's bots.
const BOTS: &str = "bots";

/// The keys outside of tables.
const KEYS: [&str; 8] = ["contest", "referee", "pool", "bundler", "rustc", BOTS, BOARD, HEURISTIC];

/// Reads a file.
///
/// # Errors
/// If it can't be read, or a key or value makes no sense.
pub(super) fn read(path: &Path, commands: &Command, known: &[&dyn Contest]) -> Result<Project, ProjectError> {
    parsed(path, commands, known, |reader, table| reader.project(table))
}

/// Parses a file for a function that reads its content.
///
/// # Errors
/// If it can't be read or parsed, and those of the function.
pub(super) fn parsed<T>(
    path: &Path,
    commands: &Command,
    known: &[&dyn Contest],
    content: impl FnOnce(&Reader<'_>, &DeTable<'_>) -> Result<T, ProjectError>,
) -> Result<T, ProjectError> {
    let read = utf8::read_to_string(path);
    let text = read.map_err(|source| ProjectError::Read { path: path.to_owned(), source })?;
    let reader = Reader { path, text: &text, commands, known };
    let table = DeTable::parse(&text).map_err(|error| {
        let at = error.span().unwrap_or(0..0);
        reader.wrong(&at, error.message().to_owned())
    })?;
    content(&reader, table.get_ref())
}

/// Reads the content of a file.
pub(super) struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    commands: &'a Command,
    known: &'a [&'a dyn Contest],
}

impl Reader<'_> {
    fn line(&self, at: &Range<usize>) -> usize {
        self.text.get(..at.start).map_or(1, |before| before.matches('\n').count() + 1)
    }

    pub(super) fn wrong(&self, at: &Range<usize>, reason: String) -> ProjectError {
        ProjectError::Wrong { path: self.path.to_owned(), line: self.line(at), reason }
    }

    fn project(&self, table: &DeTable<'_>) -> Result<Project, ProjectError> {
        let mut project = Project {
            path: self.path.to_owned(),
            host: None,
            pool: "pool".to_owned(),
            bundler: None,
            rustc: RUSTC.to_owned(),
            bots: Vec::new(),
            lineups: Vec::new(),
            options: Vec::new(),
        };
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "contest" => {
                    let name = self.string(value)?;
                    if !is_named(self.known, &name) {
                        let names = self.known.iter().map(|contest| contest.name());
                        return Err(self.wrong(&value.span(), unknown("contest", &name, names)));
                    }
                    self.set_host(&mut project, Host::Contest(name), value)?;
                }
                "referee" => self.set_host(&mut project, Host::Referee(self.string(value)?), value)?,
                "pool" => project.pool = self.string(value)?,
                "bundler" => project.bundler = Some(self.string(value)?),
                "rustc" => project.rustc = self.string(value)?,
                // Pages read it again; a mistake is found before the first game.
                BOARD => drop(board(self, self.table(value)?)?),
                BOTS => project.bots = self.bots(self.table(value)?)?,
                HEURISTIC => {
                    let table = self.table(value)?;
                    self.set_host(&mut project, Host::Heuristic, value)?;
                    let command = self.commands.find_subcommand("match");
                    self.options(&mut project, HEURISTIC, command, table)?;
                    if !table.iter().any(|(key, _)| key.get_ref() == TESTER) {
                        let reason = "expected tester, the command that prints a case's score, such as tester = \"python3 tester.py {in} {out}\"";
                        return Err(self.wrong(&key.span(), reason.to_owned()));
                    }
                }
                name => {
                    let command = self.commands.get_subcommands().find(|command| command.get_name() == name);
                    if command.is_none() && name != RUN {
                        let tables = self.commands.get_subcommands().filter(|command| !command.is_hide_set());
                        let known = tables.map(Command::get_name).chain(KEYS).chain([RUN]);
                        return Err(self.wrong(&key.span(), unknown("key", name, known)));
                    }
                    self.options(&mut project, name, command, self.table(value)?)?;
                }
            }
        }
        // Keys come in alphabetical order.
        project.options.sort_by_key(|setting| setting.line);
        Ok(project)
    }

    fn set_host(
        &self,
        project: &mut Project,
        host: Host,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), ProjectError> {
        if project.host.is_some() {
            return Err(self.wrong(
                &value.span(),
                "contest, referee and [heuristic] exclude each other: leave one".to_owned(),
            ));
        }
        project.host = Some(host);
        Ok(())
    }

    /// The options of a table. `command` is the subcommand; `None` stands for all.
    fn options(
        &self,
        project: &mut Project,
        table: &str,
        command: Option<&Command>,
        content: &DeTable<'_>,
    ) -> Result<(), ProjectError> {
        let commands = || match command {
            Some(command) => vec![command],
            None => {
                self.commands.get_subcommands().filter(|command| is_playing(command.get_name())).collect()
            }
        };
        for (key, value) in content {
            let name = key.get_ref().as_ref();
            if name == BOTS && command.is_some() {
                let texts = value.get_ref().as_array().ok_or_else(|| {
                    self.wrong(
                        &value.span(),
                        "bots are a list of names, such as [\"new\", \"site\"]".to_owned(),
                    )
                })?;
                let names = texts.iter().map(|text| self.string(text)).collect::<Result<_, _>>()?;
                project.lineups.push((table.to_owned(), names));
                continue;
            }
            let all = commands();
            let is_named = |arg: &&clap::Arg| words::has_long(arg, name);
            let found = all.iter().find_map(|command| command.get_arguments().find(is_named));
            let Some(found) = found.filter(|arg| arg.get_long() != Some("help")) else {
                let longs =
                    all.iter().flat_map(|command| command.get_arguments()).filter_map(clap::Arg::get_long);
                let what = if command.is_some() { format!("option of {table}") } else { "option".to_owned() };
                return Err(self.wrong(&key.span(), unknown(&what, name, longs)));
            };
            let setting = |values| Setting {
                table: table.to_owned(),
                key: found.get_long().unwrap_or(name).to_owned(),
                values,
                line: self.line(&key.span()),
            };
            let takes_value = found.get_action().takes_values();
            let setting = match value.get_ref() {
                DeValue::Boolean(true) if !takes_value || !words::needs_value(found) => setting(Vec::new()),
                DeValue::Boolean(false) if !takes_value => continue,
                _ if !takes_value => {
                    return Err(self.wrong(&value.span(), format!("{name} is true or false")));
                }
                DeValue::Array(values) => {
                    setting(values.iter().map(|value| self.scalar(value)).collect::<Result<_, _>>()?)
                }
                _ => setting(vec![self.scalar(value)?]),
            };
            self.check(&all, &setting).map_err(|reason| self.wrong(&value.span(), reason))?;
            project.options.push(setting);
        }
        Ok(())
    }

    /// Checks the values of an option, as the first of `commands` that has it reads them.
    fn check(&self, commands: &[&Command], setting: &Setting) -> Result<(), String> {
        let has = |command: &&&Command| command.get_arguments().any(|arg| words::has_long(arg, &setting.key));
        let Some(&command) = commands.iter().find(has) else { return Ok(()) };
        let words = [command.get_name().to_owned()].into_iter().chain(setting.words());
        match command.clone().try_get_matches_from(words) {
            Err(error) if words::is_of_value(&error) => {
                let text = error.to_string();
                let text = text.split("\n\nFor more information").next().unwrap_or_default();
                Err(text.trim_start_matches("error: ").trim().to_owned())
            }
            _ => Ok(()),
        }
    }

    fn bots(&self, table: &DeTable<'_>) -> Result<Vec<(String, BotSource)>, ProjectError> {
        let mut bots = Vec::new();
        // In the order of the file.
        let mut entries = table.iter().collect::<Vec<_>>();
        entries.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in entries {
            let name = key.get_ref().as_ref();
            let wrong = |reason: &str| Err(self.wrong(&key.span(), format!("`{name}`: {reason}")));
            if !is_name(name) {
                return wrong(
                    "a bot's name begins with a letter or digit and has letters, digits, - _ + and .",
                );
            }
            if is_named(self.known, name) {
                return wrong("that is a contest; give the bot another name");
            }
            if name == SITE {
                return wrong("that is what was submitted last; give the bot another name");
            }
            bots.push((name.to_owned(), self.bot(value)?));
        }
        Ok(bots)
    }

    fn bot(&self, value: &Spanned<DeValue<'_>>) -> Result<BotSource, ProjectError> {
        let form = "a bot is a command line, or { bundle = NAME, args = ARGS }, { pool = NAME }, { command = CMD, build = CMD, source = FILE }";
        if value.get_ref().is_str() {
            return Ok(BotSource::Command { line: self.string(value)?, build: None, source: None });
        }
        let Some(table) = value.get_ref().as_table() else {
            return Err(self.wrong(&value.span(), form.to_owned()));
        };
        let known = ["command", "build", "source", "bundle", "args", "pool"];
        if let Some((key, _)) = table.iter().find(|(key, _)| !known.contains(&key.get_ref().as_ref())) {
            return Err(self.wrong(&key.span(), unknown("key of a bot", key.get_ref(), known.into_iter())));
        }
        let text = |key: &str| table.get(key).map(|value| self.string(value)).transpose();
        // Keys that not all forms have.
        let (build, source, args) = (text("build")?, text("source")?, text("args")?);
        let (of_command, of_bundle) = (build.is_some() || source.is_some(), args.is_some());
        match (text("command")?, text("bundle")?, text("pool")?) {
            (Some(line), None, None) if !of_bundle => Ok(BotSource::Command { line, build, source }),
            (None, Some(name), None) if !of_command => Ok(BotSource::Bundle { name, args }),
            (None, None, Some(name)) if !of_command && !of_bundle => Ok(BotSource::Pool(name)),
            _ => Err(self.wrong(&value.span(), form.to_owned())),
        }
    }

    pub(super) fn table<'v>(&self, value: &'v Spanned<DeValue<'_>>) -> Result<&'v DeTable<'v>, ProjectError> {
        let table = value.get_ref().as_table();
        table.ok_or_else(|| self.wrong(&value.span(), "expected a table".to_owned()))
    }

    pub(super) fn string(&self, value: &Spanned<DeValue<'_>>) -> Result<String, ProjectError> {
        let text = value.get_ref().as_str().filter(|text| !text.trim().is_empty());
        text.map(str::to_owned)
            .ok_or_else(|| self.wrong(&value.span(), "expected a text in quotes".to_owned()))
    }

    /// A value as a word of a command line.
    pub(super) fn scalar(&self, value: &Spanned<DeValue<'_>>) -> Result<String, ProjectError> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            DeValue::Integer(_) | DeValue::Float(_) => {
                // As it is written there: 0.05 stays 0.05.
                Ok(self.text.get(value.span()).unwrap_or_default().replace('_', ""))
            }
            _ => Err(self.wrong(&value.span(), "expected a number or a text".to_owned())),
        }
    }
}

/// `unknown WHAT NAME`, with the nearest known one or all.
pub(super) fn unknown<'k>(what: &str, name: &str, known: impl Iterator<Item = &'k str>) -> String {
    let mut known = known.collect::<Vec<_>>();
    known.sort_unstable();
    known.dedup();
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("unknown {what} `{name}`; did you mean `{near}`?"),
        None => format!("unknown {what} `{name}`; known: {}", known.join(", ")),
    }
}

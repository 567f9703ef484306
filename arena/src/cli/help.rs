//! Two lengths of help: `-h` has what matters within a screen, `--help` everything.

use clap::{Arg, Command};

/// The most options in a short help.
const MOST_OPTIONS: usize = 8;

/// The most characters of an option's text in it.
const MOST_CHARS: usize = 46;

/// The columns of a terminal, less an indent.
const COLUMNS: usize = 78;

/// The most examples in a short help.
const MOST_EXAMPLES: usize = 2;

/// The options that matter most, in this order; then those that a subcommand declares first.
const FIRST: [&str; 20] = [
    "games", "bot", "search", "referee", "elo0", "elo1", "openings", "jobs", "dir", "seed", "report", "json",
    "players", "later-ms", "log-dir", "nodes", "pool", "all", "out", "first-ms",
];

/// The subcommands by task; those of a program's own are added at the end.
const TASKS: [(&str, &[&str]); 6] = [
    ("begin", &["new", "init", "doctor", "config", "contests"]),
    ("is it better?", &["sprt", "match", "rate", "tune", "stats"]),
    ("play", &["play", "check", "debug", "solve"]),
    ("why did it lose?", &["view", "report", "mistakes", "cases", "replay", "regress", "import"]),
    ("submit", &["submit", "pool"]),
    (
        "connect",
        &["verify", "referee", "serve", "connect", "as-bot", "merge", "perft", "bench", "completions"],
    ),
];

/// A subcommand with both helps, and so all of its own.
pub(super) fn with_both(command: Command) -> Command {
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let shown = shown(&command);
    let brief = brief_examples(&after, command.get_name());
    let command = command.mut_args(|arg| {
        let is_shown =
            arg.is_positional() || arg.get_long().is_some_and(|long| shown.iter().any(|name| name == long));
        brief_arg(arg).hide_short_help(!is_shown)
    });
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let is_long = about.chars().count() > COLUMNS;
    let clause = about.split([':', ',']).next().unwrap_or_default().to_owned();
    let command = if is_long { command.about(clause).long_about(about) } else { command };
    let command = if after.is_empty() { command } else { command.after_help(brief).after_long_help(after) };
    command.mut_subcommands(with_both)
}

/// The names of the options in the short help.
fn shown(command: &Command) -> Vec<String> {
    // Options under a heading are for special cases.
    let is_usual = |arg: &&Arg| {
        let is_special = arg.get_help_heading().is_some() || arg.get_long() == Some("help");
        !arg.is_positional() && !arg.is_hide_set() && !is_special
    };
    let mut all = command.get_arguments().filter(is_usual).filter_map(Arg::get_long).collect::<Vec<_>>();
    all.sort_by_key(|long| FIRST.iter().position(|first| first == long).unwrap_or(FIRST.len()));
    all.into_iter().take(MOST_OPTIONS).map(str::to_owned).collect()
}

/// An argument whose short help is the first clause of its help.
fn brief_arg(arg: Arg) -> Arg {
    let Some(help) = arg.get_long_help().or(arg.get_help()).map(ToString::to_string) else { return arg };
    let end = ["; ", ". ", ": "].iter().filter_map(|mark| help.find(mark)).min().unwrap_or(help.len());
    // A default is no part of the sentence that clap adds it to.
    let clause = help[..end].split(" [default").next().unwrap_or_default();
    let clause = clause.split(" (").next().unwrap_or_default();
    let comma = clause.find(", ").filter(|_| clause.chars().count() > MOST_CHARS);
    let brief = comma.map_or(clause, |at| &clause[..at]).to_owned();
    arg.help(brief).long_help(help)
}

/// The first examples, and where there is more.
fn brief_examples(after: &str, name: &str) -> String {
    let lines = after.lines().skip_while(|line| !line.starts_with("Examples")).skip(1);
    let lines = lines.take_while(|line| line.starts_with("  "));
    // A line that is too long loses its remark.
    let fitted = |line: &'_ str| match line.chars().count() > COLUMNS {
        true => {
            line.trim_start().split("   ").next().map_or_else(String::new, |command| format!("  {command}"))
        }
        false => line.to_owned(),
    };
    let fits = |line: &String| line.chars().count() <= COLUMNS;
    let examples = lines.map(fitted).filter(fits).take(MOST_EXAMPLES);
    let examples = examples.map(|line| line + "\n").collect::<String>();
    format!("{examples}All options and examples: {name} --help")
}

/// The program's short help: its subcommands by task.
pub(super) fn overview(all: &Command) -> String {
    let name = all.get_name();
    let listed = |name: &&str| TASKS.iter().any(|(_, names)| names.contains(name));
    let visible = || all.get_subcommands().filter(|command| !command.is_hide_set()).map(Command::get_name);
    let others = visible().filter(|name| !listed(name) && *name != "help").collect::<Vec<_>>();
    let width = TASKS.iter().map(|(task, _)| task.len()).max().unwrap_or(0);
    let mut text = format!("Referees, measures and checks bots over pipes.\n\nUsage: {name} COMMAND ...\n\n");
    for (task, names) in TASKS {
        let names = names.iter().copied().filter(|name| visible().any(|other| other == *name));
        text += &format!("  {task:<width$}  {}\n", names.collect::<Vec<_>>().join(", "));
    }
    if !others.is_empty() {
        text += &format!("  {:<width$}  {}\n", "also", others.join(", "));
    }
    text += &format!(
        "\n  {name} init reversi; {name} submit v1     arena.toml, and the first version\n  \
         {name} sprt                            is the change better than what is on the site?\n\n\
         {name} COMMAND -h: the options that matter; {name} COMMAND --help: all; {name} --help: all commands\n"
    );
    text
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Cli;

    /// Lines of a terminal.
    const LINES: usize = 24;

    fn check(command: &Command, path: &str, long: &mut Vec<String>) {
        let is_own = |command: &&Command| !command.is_hide_set() && command.get_name() != "help";
        for command in command.get_subcommands().filter(is_own) {
            let path = format!("{path} {}", command.get_name());
            let text = command.clone().term_width(80).render_help().to_string();
            if text.lines().count() > LINES {
                long.push(format!("{path}: {} lines\n{text}", text.lines().count()));
            }
            check(command, &path, long);
        }
    }

    #[test]
    fn a_short_help_fits_a_screen() {
        let mut all = with_both(Cli::command());
        all.build();
        let mut long = Vec::new();
        check(&all, "arena", &mut long);
        assert!(long.is_empty(), "{}", long.join("\n"));
        assert!(overview(&all).lines().count() <= LINES);
        assert!(overview(&all).lines().all(|line| line.chars().count() <= 100), "{}", overview(&all));
    }

    #[test]
    fn every_subcommand_has_its_task() {
        let mut all = with_both(Cli::command());
        all.build();
        let text = overview(&all);
        assert!(!text.contains("  also "), "{text}");
        for name in TASKS.iter().flat_map(|(_, names)| *names) {
            // `report` comes with the pages.
            assert!(all.find_subcommand(name).is_some() || *name == "report", "{name}");
        }
    }

    #[test]
    fn the_long_help_has_all() {
        let mut all = with_both(Cli::command());
        all.build();
        let sprt = all.find_subcommand("sprt").unwrap();
        let (short, long) =
            (sprt.clone().render_help().to_string(), sprt.clone().render_long_help().to_string());
        assert!(long.contains("--negative-scores") && !short.contains("--negative-scores"), "{short}");
        assert!(short.contains("--elo1") && short.contains("arena sprt reversi ./new ./old"), "{short}");
        assert!(long.contains("Exit codes"), "{long}");
    }
}

//! `arena config`: prints what the project's file adds to command lines.

use std::io::Write;

use clap::Command;
use contest::Contest;

use crate::command::project_or_advice;
use crate::failure::Failure;
use crate::pool::Pool;
use crate::project::{BotSource, Host, Project, SITE};
use coppice_referee::text::words;
use coppice_referee::text::{column_width, program_name};

/// The subcommands whose completed command lines are printed.
const SHOWN: [&str; 6] = ["sprt", "match", "play", "rate", "tune", "check"];

/// Prints the file, its bots and options with their lines, and the completed command lines.
///
/// # Errors
/// If there is no file, or it can't be used.
pub(crate) fn run(commands: &Command, known: &[&dyn Contest], out: &mut dyn Write) -> Result<(), Failure> {
    let project = project_or_advice(commands, known)?;
    let mut rows = vec![["file".to_owned(), project.path.display().to_string()]];
    match &project.host {
        Some(Host::Contest(name)) => rows.push(["contest".to_owned(), name.clone()]),
        Some(Host::Referee(line)) => rows.push(["referee".to_owned(), line.clone()]),
        Some(Host::Heuristic) => rows.push(["tester".to_owned(), project.tester().to_owned()]),
        None => {}
    }
    let bot = |(name, source): &(String, BotSource)| [format!("bot {name}"), source.to_string()];
    rows.extend(project.bots.iter().map(bot));
    rows.push([format!("bot {SITE}"), on_site(&project)]);
    rows.push(["pool".to_owned(), project.pool_folder().display().to_string()]);
    for setting in &project.options {
        let text = setting.words().join(" ");
        rows.push([format!("[{}]", setting.table), format!("{text}    line {}", setting.line)]);
    }
    for command in SHOWN {
        let words = ["arena", command].map(str::to_owned);
        if let Ok(plan) = project.plan(&words, commands, known) {
            let words = plan.with_names();
            let line = words::join(&words[1..]);
            rows.push([format!("{} {command}", program_name()), format!("= {} {line}", program_name())]);
        }
    }
    let width = column_width(rows.iter().map(|[name, _]| name.as_str()));
    for [name, value] in rows {
        writeln!(out, "{name:<width$}  {value}")?;
    }
    Ok(())
}

fn on_site(project: &Project) -> String {
    let folder = project.pool_folder();
    if !folder.is_dir() {
        return "nothing was submitted yet".to_owned();
    }
    match Pool::open(&folder) {
        Err(error) => error.to_string(),
        Ok(pool) => pool.on_site().map_or_else(
            || "nothing was submitted yet".to_owned(),
            |site| format!("{}, submitted {}", site.bot, site.at),
        ),
    }
}

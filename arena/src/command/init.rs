//! `arena init`: writes the project's file of a workspace.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use contest::Contest;

use crate::failure::Failure;
use crate::project::{Project, FILE_NAME};
use coppice_referee::atomic::FileError;
use coppice_referee::contests::find;
use coppice_referee::text::program_name;

/// The arguments of `arena init`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The contest's name; `arena contests` lists them. Without it, the only one, or a place to fill in
    contest: Option<String>,
    /// The command line of an external referee, in place of a contest
    #[arg(short, long, value_name = "CMD", conflicts_with = "contest")]
    referee: Option<String>,
    /// The program of this workspace that is submitted; default: the package in this folder
    #[arg(long, value_name = "BIN", conflicts_with = "bot")]
    bundle: Option<String>,
    /// The bot's command line, if it isn't a Rust program that is bundled
    #[arg(long, value_name = "CMD")]
    bot: Option<String>,
}

/// Writes the file.
///
/// # Errors
/// If there is one, the contest is unknown, or the file can't be written.
pub(crate) fn run(
    args: &Args,
    commands: &clap::Command,
    known: &[&dyn Contest],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let path = Path::new(FILE_NAME);
    let host = match (&args.referee, &args.contest, known) {
        (Some(line), ..) => format!("referee = {}", quoted(line)),
        (None, Some(name), _) => {
            find(known, name)?;
            format!("contest = {}", quoted(name))
        }
        (None, None, [only]) => format!("contest = {}", quoted(only.name())),
        (None, None, _) => {
            let names = known.iter().map(|contest| contest.name()).collect::<Vec<_>>();
            return Err(Failure::usage(format!(
                "which contest? give one of {}, or a referee: {} init -r CMD",
                names.join(", "),
                program_name()
            )));
        }
    };
    let bot = match (&args.bot, &args.bundle) {
        (Some(line), _) => quoted(line),
        (None, Some(name)) => format!("{{ bundle = {} }}", quoted(name)),
        (None, None) => match package(Path::new("Cargo.toml")) {
            Some(name) => format!("{{ bundle = {} }}", quoted(&name)),
            None => {
                return Err(Failure::usage(
                    "there is no package in this folder: name the program that is submitted (--bundle BIN), or the bot's \
                     command line (--bot CMD)",
                ))
            }
        },
    };
    let text = text(&host, &bot);
    let mut file =
        OpenOptions::new().write(true).create_new(true).open(path).map_err(|source| match source.kind() {
            std::io::ErrorKind::AlreadyExists => {
                Failure::usage(format!("{FILE_NAME} is there already; `{} config` shows it", program_name()))
            }
            _ => FileError::at(path, source).into(),
        })?;
    file.write_all(text.as_bytes()).map_err(|source| FileError::at(path, source))?;
    // What was written is read as any other file.
    Project::find(commands, known)?;
    writeln!(
        out,
        "{FILE_NAME} is written; next: {0} doctor, then {0} submit v1, an edit, and {0} sprt",
        program_name()
    )?;
    Ok(())
}

/// The file's text.
pub(crate) fn text(host: &str, bot: &str) -> String {
    let mut text = String::from(
        "# What `arena` does here without being told; `arena config` shows what follows from it.\n",
    );
    let _ = write!(
        text,
        "{host}

[bots]
# What you work on. `site` is always there: what `arena submit` submitted last.
new = {bot}
# old = \"target/release/old --nodes 1000\"
# v3 = {{ pool = \"v3\" }}

# Options of play, match, sprt, rate, tune and check, by their names on the command line.
[run]
# jobs = 1
# openings = 4

# Options of one of them.
# [sprt]
# bots = [\"new\", \"site\"]
# elo1 = 5
"
    );
    text
}

/// The name of the package in a manifest.
fn package(manifest: &Path) -> Option<String> {
    let text = contest::utf8::read_to_string(manifest).ok()?;
    let table = toml::de::DeTable::parse(&text).ok()?;
    let package = table.get_ref().get("package")?.get_ref().as_table()?;
    Some(package.get("name")?.get_ref().as_str()?.to_owned())
}

/// A text in quotes, as TOML reads it: JSON's are a subset.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

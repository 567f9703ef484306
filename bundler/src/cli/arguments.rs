//! The command line.

use super::explained::Explain;
use crate::api::options::{Cargo, Kind, Limit, Minify, Options};
use crate::api::platform::{self, Platform};
use crate::assets::probe;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  cargo run -p bundler -- reversi > submit.rs    a binary of the current workspace
  bundler reversi -o submit.rs                   the same; submit.rs is written only on success
  bundler reversi --copy                         to the clipboard, to be pasted into the site
  bundler --manifest-path ../bot/Cargo.toml      the only binary of another workspace
  bundler reversi --minify space > submit.rs     remove white space that Rust does not need, whatever the limit
  bundler explain submit.rs:1234                 the source location of that line
  bundler probe > probe.rs                       a program to submit once: does the site count bytes or UTF-16 units?
  bundler reversi --limit 50000 > submit.rs      minify as far as that requires; if it is not enough, list the largest parts
  bundler reversi -o submit.rs --report          size by crate, module and item, on stdout
  bundler reversi --watch -o submit.rs           rebuild on every change
  bundler -p bots --example demo -F fast         package, target and features as in cargo run -p
  bundler reversi --replay games/*.log -- --seed 1 > submit.rs
                                                 check that binary and bundle, both run with --seed 1, give the same output

Platforms:
{platforms}If rustup has the site's compiler, the bundle is also checked with it; otherwise a note says so.

In your own crates, cfg(bundled) is set only in the bundle: #[cfg(not(bundled))] excludes an item from it.

Results go to stdout (the bundle, or the report with -o, --report or --json), messages to stderr.
Exit status: 0 success, 1 failure, 2 usage, 3 over the limit, 130 interrupted. Nothing is written unless everything succeeded.
With --json, an error is a JSON object too: error (its kind), message, place (file, line, column), status.
CARGO and RUSTC name the programs to run; NO_COLOR is respected; --stamp takes the date from SOURCE_DATE_EPOCH.";

/// Merges a binary and the crates it uses into one main.rs
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The binary or example; optional where `cargo run` needs no name
    #[arg(value_name = "BIN")]
    name: Option<String>,
    /// The binary, if an example has the same name
    #[arg(long, value_name = "BIN", conflicts_with_all = ["name", "example"])]
    bin: Option<String>,
    /// The example
    #[arg(long, value_name = "EXAMPLE", conflicts_with = "name")]
    example: Option<String>,
    /// The Cargo.toml to use, instead of the one found from the current directory upwards
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
    /// Write here instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Copy to the clipboard instead of writing to stdout (wl-copy, xclip, xsel, pbcopy or clip)
    #[arg(long, conflicts_with = "watch")]
    pub copy: bool,
    /// Write a source map of the bundle to this file
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    /// How much to shrink the bundle; each level includes the ones before it [default: the first of comments, space and
    /// names that fits the limit]
    #[arg(long, value_name = "LEVEL", value_enum)]
    minify: Option<Minify>,
    /// Maximum size of the bundle: a number, `chars` or `utf16` instead of bytes, or both as in 100000chars [default: 100000]
    #[arg(long, value_name = "LIMIT")]
    limit: Option<Limit>,
    /// Preset of limit, compiler and external crates, see below; other options override it
    #[arg(long, value_name = "SITE")]
    platform: Option<String>,
    /// A table of sites in TOML; its rows replace those of the built-in one (bundler/src/api/platforms.toml)
    #[arg(long, value_name = "FILE", requires = "platform")]
    platforms: Option<PathBuf>,
    /// The site of `platform`.
    #[arg(skip)]
    site: Option<Platform>,
    /// Bundle again whenever a source file changes; FILE is written only if its content changes
    #[arg(short, long, requires = "output", conflicts_with_all = ["report", "json"])]
    pub watch: bool,
    /// Print sizes, removed items and timings on stdout
    #[arg(long)]
    pub report: bool,
    /// Print the report, or the error, as JSON on stdout
    #[arg(long)]
    pub json: bool,
    /// Write the commit and the date into the header
    #[arg(long)]
    stamp: bool,
    /// A crate that the site provides: it is not inlined; may be given several times
    #[arg(long, value_name = "PACKAGE")]
    external: Vec<String>,
    /// Do not compile: faster, but the bundle is larger and unchecked
    #[arg(long)]
    no_check: bool,
    /// Refuse code whose messages of panics or on stderr may differ in the bundle (file!, line!, type_name); otherwise a note
    #[arg(long)]
    strict: bool,
    /// Replace derives that are procedural macros (strum, thiserror, serde) on your own types by what they generate
    #[arg(long)]
    expand_derives: bool,
    /// Another compiler that must accept the bundle without a warning; may be given several times
    #[arg(long, value_name = "PATH_TO_RUSTC", conflicts_with = "no_check")]
    check_with: Vec<PathBuf>,
    /// Recorded input to which binary and bundle must give the same output: the bytes for stdin, or a dialogue whose lines
    /// start with `> ` (to the program) or `< ` (from it)
    #[arg(long, value_name = "LOG", num_args = 1..)]
    replay: Vec<PathBuf>,
    /// Do not replay what is recorded in the package's folder tests/logs
    #[arg(long, conflicts_with = "replay")]
    no_replay: bool,
    /// Compare the bundle's code, function by function, with that of cargo's own build
    #[arg(long, conflicts_with = "no_check")]
    compare_build: bool,
    /// Arguments for both programs during --replay
    #[arg(last = true, value_name = "ARGS", requires = "replay")]
    replay_arguments: Vec<String>,
    /// Neither read nor write the cache in the target folder
    #[arg(long)]
    no_cache: bool,
    /// Print nothing on success
    #[arg(short, long)]
    pub quiet: bool,
    #[command(flatten)]
    cargo: Cargo,
}

/// Commands other than bundling.
#[derive(Subcommand)]
pub enum Command {
    Explain(Explain),
    Probe(Probe),
}

/// Prints a program to paste into a site once, to learn whether its size limit counts bytes or UTF-16 units
///
/// It is as long as the limit in UTF-16 units and nearly three times that in bytes: a site that accepts it counts UTF-16
/// units or characters, so that bundles can be made with `--limit utf16`. Run, it says on stderr whether all its characters
/// arrived unharmed.
#[derive(clap::Args)]
pub struct Probe {
    /// The site's limit
    #[arg(long, value_name = "N", default_value_t = Limit::default().size as u64)]
    #[arg(value_parser = clap::value_parser!(u64).range(probe::LEAST..))]
    pub limit: u64,
}

/// The name of the program as a subcommand: cargo starts it as `cargo-coppice coppice …`.
const SUBCOMMAND: &str = "coppice";

impl Arguments {
    /// Reads the arguments of a process, the program's own name first.
    pub fn of(mut all: Vec<OsString>) -> Result<Arguments, clap::Error> {
        let program = all.first().map(Path::new).and_then(Path::file_stem);
        let is_subcommand = program.is_some_and(|name| name == format!("cargo-{SUBCOMMAND}").as_str());
        let examples = EXAMPLES.replace("{platforms}", &Platform::listed());
        let mut command = Arguments::command().after_help(examples.clone());
        if is_subcommand {
            if all.get(1).is_some_and(|word| word == SUBCOMMAND) {
                all.remove(1);
            }
            let name = format!("cargo {SUBCOMMAND}");
            let examples = examples.replace("cargo run -p bundler --", &name);
            let examples = examples.replace("\n  bundler ", &format!("\n  {name} "));
            command = command.bin_name(name).after_help(examples);
        }
        let mut arguments = Arguments::from_arg_matches(&command.try_get_matches_from_mut(all)?)?;
        let site = arguments.platform.as_ref().map(|name| match &arguments.platforms {
            Some(file) => Platform::named_in(file, name),
            None => Platform::named(name),
        });
        arguments.site = site.transpose().map_err(|e| command.error(ErrorKind::InvalidValue, e))?;
        Ok(arguments)
    }

    /// Converts the arguments to the library's options.
    pub fn options(&self) -> Options {
        let kind = match (&self.bin, &self.example) {
            (Some(_), _) => Some(Kind::Bin),
            (_, Some(_)) => Some(Kind::Example),
            _ => None,
        };
        Options {
            bin: self.bin.as_ref().or(self.example.as_ref()).or(self.name.as_ref()).cloned(),
            kind,
            manifest_path: self.manifest_path.clone(),
            cargo: Cargo { color: colour() && !self.json, ..self.cargo.clone() },
            minify: self.minify,
            external: self.external.clone(),
            limit: self.limit.or(self.site.as_ref().map(Platform::limit)).unwrap_or_default(),
            platform: self.site.clone(),
            stamp: self.stamp,
            check: !self.no_check,
            strict: self.strict,
            expand_derives: self.expand_derives,
            check_with: self.compilers(),
            replay: self.replay.clone(),
            replay_arguments: self.replay_arguments.clone(),
            replay_found: !self.no_replay,
            compare_build: self.compare_build,
            cache: !self.no_cache,
            progress: !self.quiet,
        }
    }

    /// Other compilers: those of `--check-with`, or else the platform's.
    fn compilers(&self) -> Vec<PathBuf> {
        if self.check_with.is_empty() {
            self.site.as_ref().and_then(platform::compiler).into_iter().collect()
        } else {
            self.check_with.clone()
        }
    }
}

/// Whether stderr is a terminal and `NO_COLOR` is unset or empty.
fn colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()) && std::io::stderr().is_terminal()
}

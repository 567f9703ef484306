//! The command line.

use crate::explained::Explain;
use bundler::{platform, Cargo, Kind, Limit, Minify, Options, Platform};
use clap::{Parser, Subcommand};
use std::io::IsTerminal;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  cargo run -p bundler -- reversi > submit.rs    one binary of the workspace you stand in
  bundler reversi -o submit.rs                   the same; submit.rs changes only on success
  bundler --manifest-path ../bot/Cargo.toml      the only binary of another workspace
  bundler reversi --minify space > submit.rs     without the white space that Rust does not need
  bundler explain submit.rs:1234                 where in the source that line comes from
  bundler reversi --limit 50000 > submit.rs      fail if it is bigger, and say what is
  bundler reversi -o submit.rs --report          what takes how much room, on stdout
  bundler reversi --watch -o submit.rs           for an editor that sends what changes to the site
  bundler -p bots --example demo -F fast         package, target and features as in cargo run
  bundler reversi --replay games/*.log -- --seed 1 > submit.rs
                                                 binary and bundle, each started with --seed 1, must answer alike

Platforms:
  codingame     100,000 bytes, Rust 1.90.0, std only
  atcoder       524,288 bytes, Rust 1.89.0; the crates that it has are used, not put in
  codeforces     65,536 bytes, Rust 1.89.0, std only
The bundle is checked with the site's compiler too if rustup has it, else a note says so.

In your own crates, cfg(bundled) holds in the bundle and in no other build: #[cfg(not(bundled))] leaves something out of it.

Results go to stdout, the rest to stderr: the bundle, or with -o, --report or --json what is said about it.
Exit status: 0 success, 1 failure, 2 usage, 3 over the limit, 130 interrupted. Nothing is written unless everything succeeded.
With --json, an error is a JSON object too: error (a word), message, place (file, line, column), status.
CARGO and RUSTC name the programs to call; NO_COLOR is heeded; --stamp takes the date from SOURCE_DATE_EPOCH.";

/// Merges a binary and the crates it uses into one main.rs
#[derive(Parser)]
#[command(version, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The binary or example; not needed where `cargo run` needs none
    #[arg(value_name = "BIN")]
    name: Option<String>,
    /// The binary, where an example has the same name
    #[arg(long, value_name = "BIN", conflicts_with_all = ["name", "example"])]
    bin: Option<String>,
    /// The example
    #[arg(long, value_name = "EXAMPLE", conflicts_with = "name")]
    example: Option<String>,
    /// The Cargo.toml to start from, instead of the one above the current directory
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
    /// Write here instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write here what leads from each line of the bundle back to the source, as a source map
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    /// How much is done to make it smaller; each does what the ones before it do
    #[arg(long, value_name = "LEVEL", value_enum, default_value = "comments")]
    minify: Minify,
    /// The most the bundle may have: a number, `chars` or `utf16` instead of bytes, or both as in 100000chars [default: 100000]
    #[arg(long, value_name = "LIMIT")]
    limit: Option<Limit>,
    /// Presets of limit, compiler and external crates, see below; other options win over them
    #[arg(long, value_name = "SITE", value_enum, hide_possible_values = true)]
    platform: Option<Platform>,
    /// Bundle again whenever a file that takes part changes; FILE is touched only if its content changes
    #[arg(short, long, requires = "output", conflicts_with_all = ["report", "json"])]
    pub watch: bool,
    /// Say on stdout what takes how much room, what went, and what took time
    #[arg(long)]
    pub report: bool,
    /// The report, or the error, as JSON on stdout
    #[arg(long)]
    pub json: bool,
    /// Say in the first lines which commit was bundled, and when
    #[arg(long)]
    stamp: bool,
    /// A crate that the site has: it is used, not put in; may be given several times
    #[arg(long, value_name = "PACKAGE")]
    external: Vec<String>,
    /// Do not compile: faster, bigger, and not known to work
    #[arg(long)]
    no_check: bool,
    /// Another compiler that must take the bundle, without a warning; may be given several times
    #[arg(long, value_name = "PATH_TO_RUSTC", conflicts_with = "no_check")]
    check_with: Vec<PathBuf>,
    /// Recorded input that binary and bundle must answer alike: what is given to stdin, or a dialogue with `> ` in front of
    /// each line to the program and `< ` in front of each from it
    #[arg(long, value_name = "LOG", num_args = 1..)]
    replay: Vec<PathBuf>,
    /// What both are started with then
    #[arg(last = true, value_name = "ARGS", requires = "replay")]
    replay_arguments: Vec<String>,
    /// Keep nothing in the target folder for the next time, and use nothing that is there
    #[arg(long)]
    no_cache: bool,
    /// Say nothing on success
    #[arg(short, long)]
    pub quiet: bool,
    #[command(flatten)]
    cargo: Cargo,
}

/// What there is to do besides bundling.
#[derive(Subcommand)]
pub enum Command {
    Explain(Explain),
}

impl Arguments {
    /// What the library is asked for.
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
            limit: self.limit.or(self.platform.map(Platform::limit)).unwrap_or_default(),
            platform: self.platform,
            stamp: self.stamp,
            check: !self.no_check,
            check_with: self.compilers(),
            replay: self.replay.clone(),
            replay_arguments: self.replay_arguments.clone(),
            cache: !self.no_cache,
            progress: !self.quiet,
        }
    }

    /// Other compilers: those that were named, or else the site's.
    fn compilers(&self) -> Vec<PathBuf> {
        if self.check_with.is_empty() {
            self.platform.and_then(platform::compiler).into_iter().collect()
        } else {
            self.check_with.clone()
        }
    }
}

/// Whether people see colours where stderr goes, and want them.
fn colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()) && std::io::stderr().is_terminal()
}

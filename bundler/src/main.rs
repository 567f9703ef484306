//! The command line of `bundler`.

mod output;
mod system;

use bundler::report::thousands;
use bundler::{bundle, Bundle, Cargo, Error, Kind, Limit, Options};
use clap::Parser;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  cargo run -p bundler -- reversi > submit.rs    one binary of the workspace you stand in
  bundler reversi -o submit.rs                   the same; submit.rs changes only on success
  bundler --manifest-path ../bot/Cargo.toml      the only binary of another workspace
  bundler reversi --limit 50000 > submit.rs      fail if it is bigger, and say what is

Exit status: 0 success, 1 failure, 2 usage, 3 over the limit. Nothing is written unless everything succeeded.
CARGO and RUSTC name the programs to call.";

/// Merges a binary and the crates it uses into one main.rs
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Arguments {
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
    output: Option<PathBuf>,
    /// The most the bundle may have: a number, `chars` or `utf16` instead of bytes, or both as in 100000chars
    #[arg(long, value_name = "LIMIT", default_value = "100000")]
    limit: Limit,
    /// Do not compile: faster, bigger, and not known to work
    #[arg(long)]
    no_check: bool,
    /// Keep nothing in the target folder for the next time, and use nothing that is there
    #[arg(long)]
    no_cache: bool,
    /// Say nothing on success
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    cargo: Cargo,
}

impl Arguments {
    fn options(&self) -> Options {
        let kind = match (&self.bin, &self.example) {
            (Some(_), _) => Some(Kind::Bin),
            (_, Some(_)) => Some(Kind::Example),
            _ => None,
        };
        Options {
            bin: self.bin.as_ref().or(self.example.as_ref()).or(self.name.as_ref()).cloned(),
            kind,
            manifest_path: self.manifest_path.clone(),
            cargo: Cargo { color: colour(), ..self.cargo.clone() },
            limit: self.limit,
            check: !self.no_check,
            cache: !self.no_cache,
            progress: !self.quiet,
            ..Options::default()
        }
    }
}

/// Whether people see colours where stderr goes, and want them.
fn colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()) && std::io::stderr().is_terminal()
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            // Nobody is left to tell if stderr is closed.
            let _ = writeln!(std::io::stderr(), "error: {e}");
            ExitCode::from(e.status())
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Error> {
    let started = Instant::now();
    let bundle = bundle(&arguments.options())?;
    match &arguments.output {
        Some(path) => output::replace(path, &bundle.text)?,
        None => output::print(&bundle.text)?,
    }
    if !arguments.quiet {
        let seconds = started.elapsed().as_secs_f64();
        let _ = writeln!(std::io::stderr(), "{}", summary(&bundle, arguments.limit, seconds));
    }
    Ok(())
}

fn summary(bundle: &Bundle, limit: Limit, seconds: f64) -> String {
    let notes: String = bundle.notes.iter().map(|n| format!("note: {n}\n")).collect();
    let text = &bundle.text;
    let share = 100.0 * limit.unit.size(text) as f64 / limit.size.max(1) as f64;
    format!(
        "{notes}bundled: {} bytes, {} characters, {share:.1} % of the limit of {} {}, {} lines, {seconds:.1} s\n{}",
        thousands(text.len()),
        thousands(text.chars().count()),
        thousands(limit.size),
        limit.unit.name(),
        thousands(text.lines().count()),
        bundle.proofs,
    )
}

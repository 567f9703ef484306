//! The command line of `bundler`.

mod system;

use bundler::report::thousands;
use bundler::{bundle, Bundle, Error, Options};
use clap::Parser;
use std::io::Write;
use std::path::{Path, PathBuf};
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
    /// The binary or example; not needed where there is exactly one binary
    #[arg(value_name = "BIN")]
    bin: Option<String>,
    /// The Cargo.toml to start from, instead of the one above the current directory
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
    /// Write here instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The most bytes that the bundle may have
    #[arg(long, value_name = "BYTES", default_value_t = 100_000)]
    limit: usize,
    /// Do not compile: faster, bigger, and not known to work
    #[arg(long)]
    no_check: bool,
    /// Say nothing on success
    #[arg(short, long)]
    quiet: bool,
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
    let bundle = bundle(&Options {
        bin: arguments.bin.clone(),
        manifest_path: arguments.manifest_path.clone(),
        limit: arguments.limit,
        check: !arguments.no_check,
        progress: !arguments.quiet,
    })?;
    match &arguments.output {
        Some(path) => replace(path, &bundle.text)?,
        None => print(&bundle.text)?,
    }
    if !arguments.quiet {
        let seconds = started.elapsed().as_secs_f64();
        let _ = writeln!(std::io::stderr(), "{}", summary(&bundle, arguments.limit, seconds));
    }
    Ok(())
}

fn summary(bundle: &Bundle, limit: usize, seconds: f64) -> String {
    let notes: String = bundle.notes.iter().map(|n| format!("note: {n}\n")).collect();
    let text = &bundle.text;
    let share = 100.0 * text.len() as f64 / limit.max(1) as f64;
    format!(
        "{notes}bundled: {} bytes, {} characters, {share:.1} % of the limit of {}, {} lines, {seconds:.1} s",
        thousands(text.len()),
        thousands(text.chars().count()),
        thousands(limit),
        thousands(text.lines().count()),
    )
}

fn print(text: &str) -> Result<(), Error> {
    if system::stdout_was_closed() {
        return Err(Error::Print(std::io::Error::other("it is closed")));
    }
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Error::Print)
}

/// Writes beside the file and renames, so that the old one stays whatever happens.
fn replace(path: &Path, text: &str) -> Result<(), Error> {
    let failed = |source| Error::Write { path: path.to_path_buf(), source };
    // A device or pipe has no old content to keep, and must not become a file.
    if std::fs::metadata(path).is_ok_and(|m| !m.is_file()) {
        return std::fs::write(path, text).map_err(failed);
    }
    // A link stays a link.
    let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = match path.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return Err(Error::NoFolder { path: path.to_path_buf(), folder: folder.to_path_buf() });
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".bundle-").suffix(".rs");
    if let Some(permissions) = system::new_file() {
        builder.permissions(permissions);
    }
    let mut file = builder.tempfile_in(folder).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|e| failed(e.error))?;
    Ok(())
}

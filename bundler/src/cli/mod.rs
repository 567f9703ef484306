//! The command line: arguments, output, `explain` and `--watch`.

mod arguments;
mod explained;
mod output;
mod watch;

use crate::api::bundle::Bundle;
use crate::api::error::Error;
use crate::api::options::Options;
use crate::assets::probe;
use crate::os::children::{interrupt, interrupted};
use crate::os::clipboard;
use crate::report;
use arguments::{Arguments, Command, Probe};
use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The pipeline, from the root.
type Pipeline = fn(&Options) -> Result<Bundle, Error>;

/// Runs the program with the arguments of this process.
pub fn main(bundle: Pipeline) -> ExitCode {
    let arguments = match Arguments::of(std::env::args_os().collect()) {
        Ok(arguments) => arguments,
        Err(e) => return usage(&e),
    };
    handle_interrupts();
    let done = match &arguments.output {
        Some(path) if arguments.watch => watch::watch(bundle, &arguments, path),
        _ => run(bundle, &arguments),
    };
    match done {
        _ if interrupted() => {
            say("interrupted");
            ExitCode::from(INTERRUPTED)
        }
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => failed(&arguments, &e),
    }
}

/// Exit status after Ctrl-C, as shells expect.
const INTERRUPTED: u8 = 130;
/// Time that a running bundle may take to stop by itself.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Installs a handler for Ctrl-C and SIGTERM: it kills child processes, waits for clean-up and exits.
fn handle_interrupts() {
    let end = || {
        interrupt();
        std::thread::sleep(PATIENCE);
        let _writing = output::writing();
        std::process::exit(INTERRUPTED.into());
    };
    // If no handler can be installed, the system's default applies.
    let _ = ctrlc::set_handler(end);
}

/// Prints help, version or a usage error; an error is also printed as JSON if `--json` is among the arguments.
fn usage(e: &clap::Error) -> ExitCode {
    // A closed stderr is ignored.
    let _ = e.print();
    if e.use_stderr() && std::env::args_os().any(|a| a == "--json") {
        let _ = output::print(&Error::Binary(e.to_string().trim_end().to_owned()).json());
    }
    ExitCode::from(if e.use_stderr() { 2 } else { 0 })
}

fn run(bundle: Pipeline, arguments: &Arguments) -> Result<(), Error> {
    match &arguments.command {
        Some(Command::Explain(explain)) => return explain.run(),
        Some(Command::Probe(Probe { limit })) => return output::print_or_part(&probe::program(*limit)),
        None => {}
    }
    if arguments.copy {
        // Known before anything is compiled.
        clipboard::program().map_err(Error::Copy)?;
    }
    let started = Instant::now();
    let bundle = bundle(&arguments.options())?;
    if interrupted() {
        return Ok(());
    }
    if let Some(path) = &arguments.output {
        output::replace(path, &bundle.text)?;
    }
    if let Some(path) = &arguments.map {
        output::replace(path, &bundle.map.json())?;
    }
    match requested_report(arguments, &bundle) {
        Some(report) => output::print(&report)?,
        None if arguments.output.is_none() && !arguments.copy => output::print(&bundle.text)?,
        None => {}
    }
    if !arguments.quiet {
        let notes = listed(&bundle.notes);
        let seconds = started.elapsed().as_secs_f64();
        let summary = report::summary(&bundle);
        let raised = report::raised(&bundle).map_or(String::new(), |why| format!("{why}\n"));
        say(format!("{notes}bundled: {summary}, {seconds:.1} s\n{raised}{}", bundle.proofs).trim_end());
    }
    if arguments.copy {
        let program = clipboard::copy(bundle.text.as_bytes()).map_err(Error::Copy)?;
        if !arguments.quiet {
            say(&format!("copied: {} bytes, by {program}", bundle.text.len()));
        }
    }
    Ok(())
}

/// The requested report, if any.
fn requested_report(arguments: &Arguments, bundle: &Bundle) -> Option<String> {
    if arguments.json {
        Some(bundle.json())
    } else {
        arguments.report.then(|| report::human(bundle))
    }
}

/// Reports an error; a bundle over the limit still gets its report.
fn failed(arguments: &Arguments, e: &Error) -> ExitCode {
    if let Error::OverLimit { bundle, .. } = e {
        if arguments.report && !arguments.json {
            say(report::human(bundle).trim_end());
        } else if !bundle.notes.is_empty() {
            // They say if a step that makes the bundle smaller was undone.
            say(listed(&bundle.notes).trim_end());
        }
    }
    say(&output::shortened(&format!("error: {e}")));
    if arguments.json {
        // The exit status and stderr already report the error.
        let _ = output::print(&e.json());
    }
    ExitCode::from(e.status())
}

/// Notes, each on its line.
fn listed(notes: &[String]) -> String {
    notes.iter().map(|n| format!("note: {n}\n")).collect()
}

/// Prints to stderr; a closed stderr is ignored.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

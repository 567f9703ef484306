//! The command line of `bundler`.

mod arguments;
mod explained;
mod output;
mod system;

use arguments::{Arguments, Command};
use bundler::{bundle, report, Bundle, Error};
use clap::Parser;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(e) => return usage(&e),
    };
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => failed(&arguments, &e),
    }
}

/// Help and the version are no errors; whatever is wrong is said as JSON too if `--json` is among the arguments.
fn usage(e: &clap::Error) -> ExitCode {
    // Nobody is left to tell if that fails.
    let _ = e.print();
    if e.use_stderr() && std::env::args_os().any(|a| a == "--json") {
        let _ = output::print(&Error::Binary(e.to_string().trim_end().to_owned()).json());
    }
    ExitCode::from(if e.use_stderr() { 2 } else { 0 })
}

fn run(arguments: &Arguments) -> Result<(), Error> {
    if let Some(Command::Explain(explain)) = &arguments.command {
        return explain.run();
    }
    let started = Instant::now();
    let bundle = bundle(&arguments.options())?;
    if let Some(path) = &arguments.output {
        output::replace(path, &bundle.text)?;
    }
    if let Some(path) = &arguments.map {
        output::replace(path, &bundle.map.json())?;
    }
    match said(arguments, &bundle) {
        Some(report) => output::print(&report)?,
        None if arguments.output.is_none() => output::print(&bundle.text)?,
        None => {}
    }
    if !arguments.quiet {
        let notes: String = bundle.notes.iter().map(|n| format!("note: {n}\n")).collect();
        let seconds = started.elapsed().as_secs_f64();
        let summary = report::summary(&bundle);
        say(format!("{notes}bundled: {summary}, {seconds:.1} s\n{}", bundle.proofs).trim_end());
    }
    Ok(())
}

/// The report that was asked for, if any.
fn said(arguments: &Arguments, bundle: &Bundle) -> Option<String> {
    if arguments.json {
        Some(bundle.json())
    } else {
        arguments.report.then(|| report::human(bundle))
    }
}

/// What is too big has a report all the same.
fn failed(arguments: &Arguments, e: &Error) -> ExitCode {
    if let Error::OverLimit { bundle, .. } = e {
        if arguments.report && !arguments.json {
            say(report::human(bundle).trim_end());
        }
    }
    say(&format!("error: {e}"));
    if arguments.json {
        // The status says that something is wrong, and stderr what.
        let _ = output::print(&e.json());
    }
    ExitCode::from(e.status())
}

/// Says something on stderr; nobody is left to tell if it is closed.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

//! The command line of `bundler`.

mod arguments;
mod explained;
mod output;
mod watch;

use arguments::{Arguments, Command};
use bundler::{bundle, interrupted, report, Bundle, Error};
use clap::Parser;
use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(e) => return usage(&e),
    };
    heed_interrupts();
    let done = match &arguments.output {
        Some(path) if arguments.watch => watch::watch(&arguments, path),
        _ => run(&arguments),
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

/// What shells say of a program that Ctrl-C ended.
const INTERRUPTED: u8 = 130;
/// How long what is being done may take to end by itself.
const PATIENCE: Duration = Duration::from_secs(2);

/// On Ctrl-C, or when it is told to end: ends what it has started, cleans up, and goes.
fn heed_interrupts() {
    let end = || {
        bundler::interrupt();
        std::thread::sleep(PATIENCE);
        let _writing = output::writing();
        std::process::exit(INTERRUPTED.into());
    };
    // Where that cannot be had, the system ends the program in its own way.
    let _ = ctrlc::set_handler(end);
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
    if interrupted() {
        return Ok(());
    }
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

//! `arena doctor`: tries what an evening needs: the file, the compiler, the bots, the clock, the referee.

use std::io::Write;
use std::process::Command as Process;
use std::time::{Duration, Instant};

use clap::Command;
use contest::Contest;

use crate::command::project_or_advice;
use crate::command::submit::RunWords;
use crate::failure::Failure;
use crate::project::{build, Host, Project, LIMIT_BYTES};
use coppice_referee::clipboard;
use coppice_referee::process::command_line::CommandLine;
use coppice_referee::process::noise::Noise;
use coppice_referee::text::program_name;

/// The oldest compiler that the engine and bundles are for.
const OLDEST: (u32, u32) = (1, 85);

/// The time for which the machine's delays are measured.
const NOISE_TIME: Duration = Duration::from_secs(2);

/// A delay that is large beside limits of 100 ms.
const NOISY_MS: f64 = 10.0;

/// The outcome of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    Ok,
    /// Works, but not well.
    Warning,
    /// Doesn't work.
    Fault,
}

/// Prints points as they are tried.
struct Points<'o> {
    out: &'o mut dyn Write,
    faults: usize,
}

impl Points<'_> {
    fn add(&mut self, status: Status, what: &str, text: &str) -> Result<(), Failure> {
        let mark = match status {
            Status::Ok => "ok",
            Status::Warning => "warning",
            Status::Fault => "FAULT",
        };
        self.faults += usize::from(status == Status::Fault);
        writeln!(self.out, "{mark:<8} {what:<10} {text}")?;
        Ok(self.out.flush()?)
    }
}

/// Tries everything and prints a line for each point: what was found, and what to do.
///
/// # Errors
/// If the file can't be used, or a point is at fault.
pub(crate) fn run(
    commands: &Command,
    known: &[&dyn Contest],
    run_words: &mut RunWords<'_>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let project = project_or_advice(commands, known)?;
    let mut points = Points { out, faults: 0 };
    points.add(Status::Ok, "file", &project.path.display().to_string())?;
    match &project.host {
        Some(Host::Contest(name)) => points.add(Status::Ok, "contest", name)?,
        Some(Host::Referee(line)) => referee("referee", line, &mut points)?,
        Some(Host::Heuristic) => referee("tester", project.tester(), &mut points)?,
        None => points.add(
            Status::Fault,
            "contest",
            "none: contest = \"NAME\", referee = \"CMD\" or a table [heuristic] in the file",
        )?,
    }
    compiler(&project, &mut points)?;
    let is_made = bots(&project, &mut points)?;
    clock(&mut points)?;
    if is_made && project.host.is_some() {
        game(&project, commands, known, run_words, &mut points)?;
    }
    match clipboard::program() {
        Ok(program) => points.add(Status::Ok, "clipboard", program)?,
        Err(reason) => points.add(
            Status::Warning,
            "clipboard",
            &format!("{reason}; submit says where the text is, or prints it (--stdout)"),
        )?,
    }
    match points.faults {
        0 => Ok(()),
        1 => Err(Failure::new("1 point is at fault")),
        faults => Err(Failure::new(format!("{faults} points are at fault"))),
    }
}

fn referee(what: &str, line: &str, points: &mut Points<'_>) -> Result<(), Failure> {
    let words = CommandLine::parse(line);
    match words.as_ref().map(CommandLine::problem) {
        Ok(None) => points.add(Status::Ok, what, line)?,
        Ok(Some(problem)) => points.add(Status::Fault, what, &format!("{line}: {problem}"))?,
        Err(error) => {
            points.add(Status::Fault, what, &format!("{line}: {error}").replace("a bot's", "its"))?
        }
    }
    let program = line.split_whitespace().next().unwrap_or_default();
    if program != "java" {
        return Ok(());
    }
    match said(Process::new("java").arg("-version")) {
        Some(version) => points.add(Status::Ok, "java", &version),
        None => points.add(Status::Fault, "java", "not found: install a JRE or JDK of version 17 or later"),
    }
}

fn compiler(project: &Project, points: &mut Points<'_>) -> Result<(), Failure> {
    let program = project.rustc.split_whitespace().next().unwrap_or_default();
    let Some(version) = said(Process::new(program).arg("--version")) else {
        let text = format!("`{program}` can't be run: install Rust (rustup.rs), or name it: rustc = \"CMD\"");
        return points.add(Status::Fault, "compiler", &text);
    };
    let numbers = version.split([' ', '.']).filter_map(|word| word.parse().ok()).collect::<Vec<u32>>();
    match numbers.as_slice() {
        [major, minor, ..] if (*major, *minor) < OLDEST => {
            points.add(Status::Warning, "compiler", &format!("{version} is old: rustup update"))
        }
        _ => points.add(Status::Ok, "compiler", &version),
    }
}

/// Makes the bots of the file; whether the first one can play.
fn bots(project: &Project, points: &mut Points<'_>) -> Result<bool, Failure> {
    let mut is_made = Vec::new();
    for (name, source) in &project.bots {
        let what = format!("bot {name}");
        match build(project, name) {
            Err(error) => {
                is_made.push(false);
                points.add(Status::Fault, &what, &error.to_string())?;
            }
            Ok(built) => {
                is_made.push(true);
                let size = built
                    .source
                    .as_ref()
                    .and_then(|path| std::fs::metadata(path).ok())
                    .map(|file| file.len());
                let share = |bytes: u64| 100.0 * bytes as f64 / LIMIT_BYTES as f64;
                match size {
                    Some(bytes) if bytes > LIMIT_BYTES as u64 => {
                        let text = format!("{source}: {bytes} bytes, over {LIMIT_BYTES}");
                        points.add(Status::Fault, &what, &text)?;
                    }
                    Some(bytes) => {
                        let text = format!("{source}: {bytes} bytes, {:.1} % of {LIMIT_BYTES}", share(bytes));
                        points.add(Status::Ok, &what, &text)?;
                    }
                    None => points.add(Status::Ok, &what, &source.to_string())?,
                }
            }
        }
    }
    if project.bots.is_empty() {
        let bot = match project.host {
            Some(Host::Heuristic) => "\"target/release/BIN\"",
            _ => "{ bundle = \"BIN\" }",
        };
        let text = format!("none, so no game is tried: [bots] new = {bot} in the file");
        points.add(Status::Warning, "bots", &text)?;
    }
    Ok(is_made.first() == Some(&true))
}

fn clock(points: &mut Points<'_>) -> Result<(), Failure> {
    let prober = Noise::start();
    std::thread::sleep(NOISE_TIME);
    match prober.finish() {
        None => points.add(Status::Ok, "clock", "not measured: this program has no idle bot"),
        Some(noise) if noise.max_ms > NOISY_MS => {
            let text = format!(
                "an idle bot waited up to {:.1} ms: close other programs, or give bots more time (time-scale, grace-ms)",
                noise.max_ms
            );
            points.add(Status::Warning, "clock", &text)
        }
        Some(noise) => points.add(
            Status::Ok,
            "clock",
            &format!("an idle bot waited {:.2} ms, at most {:.2} ms", noise.p50_ms, noise.max_ms),
        ),
    }
}

/// A game of the first bot against itself.
fn game(
    project: &Project,
    commands: &Command,
    known: &[&dyn Contest],
    run_words: &mut RunWords<'_>,
    points: &mut Points<'_>,
) -> Result<(), Failure> {
    let Some((name, _)) = project.bots.first() else { return Ok(()) };
    // A case has one bot.
    let bots = if project.host == Some(Host::Heuristic) { 1 } else { 2 };
    let words =
        ["arena", "play", name, name][..2 + bots].iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let start = Instant::now();
    let mut said = Vec::new();
    let played = project.plan(&words, commands, known).and_then(|plan| project.made(&plan));
    let played = played.map_err(Failure::from).and_then(|words| run_words(&words, &mut said));
    let said = String::from_utf8_lossy(&said);
    let line = said.lines().next().unwrap_or_default();
    match played {
        Err(failure) if failure.status() == coppice_referee::process::INTERRUPTED => Err(failure),
        Err(failure) => points.add(Status::Fault, "game", &failure.to_string()),
        Ok(_) if line.contains("normal") => {
            let seconds = start.elapsed().as_secs_f64();
            points.add(Status::Ok, "game", &format!("{line}, in {seconds:.1} s"))
        }
        Ok(_) => {
            let advice = format!("{line}; `{} check` tells more", program_name());
            points.add(Status::Fault, "game", &advice)
        }
    }
}

/// The first line that a program says; `None` if it can't be run.
fn said(command: &mut Process) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    let text = [output.stdout, output.stderr].concat();
    Some(String::from_utf8_lossy(&text).lines().next().unwrap_or_default().to_owned())
}

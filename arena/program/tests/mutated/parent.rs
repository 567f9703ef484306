//! Gives cases to a child process, and starts another where one has crashed or hangs.

use std::env;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::kinds::Kind;

/// Longest time of one case, in which a few games are played: far more than any takes on a busy machine.
pub const LIMIT: Duration = Duration::from_secs(600);

/// Failures after which no more are looked for.
const ENOUGH: usize = 20;

/// The numbers of the cases: `COPPICE_MUTATION` alone, or `COPPICE_MUTATIONS` of them, 1,000 by default.
pub fn numbers() -> Range<u64> {
    let variable = |name: &str| {
        let text = env::var(name).ok()?;
        Some(text.parse::<u64>().unwrap_or_else(|_| panic!("{name}={text}: expected a whole number")))
    };
    match variable("COPPICE_MUTATION") {
        Some(number) => number..number + 1,
        None => 1..1 + variable("COPPICE_MUTATIONS").unwrap_or(1000),
    }
}

/// Results of the cases.
#[derive(Debug, Default)]
struct Count {
    accepted: u64,
    refused: u64,
    failures: Vec<String>,
}

/// Tests the cases of these numbers.
pub fn test(kind: &Kind, numbers: Range<u64>) -> Result<(), String> {
    let mut count = Count::default();
    let mut next = numbers.start;
    while next < numbers.end && count.failures.len() < ENOUGH {
        next = some(kind, next..numbers.end, &mut count);
    }
    let Count { accepted, refused, failures } = count;
    // Else the mutations are too weak.
    if numbers.end - numbers.start >= 100 && failures.is_empty() && refused == 0 {
        return Err(format!("{}: {accepted} accepted, {refused} refused", kind.name));
    }
    if failures.is_empty() {
        eprintln!("{}: {accepted} mutated files accepted, {refused} refused", kind.name);
        return Ok(());
    }
    let repeat = "repeat one with COPPICE_MUTATION=NUMBER cargo test -p arena --test mutated -- --ignored";
    Err(format!("{}\n{repeat} {}", failures.join("\n"), kind.name))
}

/// Tests cases in one child process as far as it comes; returns the number of the first that is left.
fn some(kind: &Kind, numbers: Range<u64>, count: &mut Count) -> u64 {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = Command::new(env::current_exe().expect("this program"));
    child.args(["--child", kind.name]).arg(folder.path());
    child.args([numbers.start.to_string(), numbers.end.to_string()]);
    let mut child =
        child.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("a child");
    let (sender, lines) = mpsc::channel();
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let reader =
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    let mut current = None;
    let mut done = numbers.start;
    let problem = loop {
        match lines.recv_timeout(LIMIT) {
            Ok(line) => match line.strip_prefix("case ").and_then(|number| number.parse::<u64>().ok()) {
                Some(number) => current = Some(number),
                None => {
                    let number = current.take().expect("a number before each outcome");
                    done = number + 1;
                    match line.as_str() {
                        "accepted" => count.accepted += 1,
                        "refused" => count.refused += 1,
                        _ => count.failures.push(format!("{} {number}: {line}", kind.name)),
                    }
                }
            },
            Err(RecvTimeoutError::Timeout) => {
                let _ = child.kill();
                break Some(format!("not done after {LIMIT:?}"));
            }
            Err(RecvTimeoutError::Disconnected) => break None,
        }
    };
    let status = child.wait().expect("the child's status");
    drop(lines);
    let _ = reader.join();
    if problem.is_none() && status.success() {
        return numbers.end;
    }
    let number = current.unwrap_or(done);
    let problem = problem.unwrap_or_else(|| format!("the program ended with {status}"));
    count.failures.push(format!("{} {number}: {problem}", kind.name));
    number + 1
}

//! Runs a program that isn't a bot to its end: without input, with a time limit, and with a bound on what is kept of its
//! output.

use std::io;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::system;
use super::{exit_of, exits_before, live};
use crate::bot::exit::Exit;

/// Bytes per read.
const CHUNK_BYTES: usize = 16 << 10;

/// Maximum number of bytes kept of each stream; what comes after them is read and dropped.
pub const KEPT_BYTES: usize = 4 << 20;

/// A program's output and exit status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The standard output.
    pub stdout: Vec<u8>,
    /// The standard error.
    pub stderr: Vec<u8>,
    /// How it ended; `None` if it was killed at the time limit.
    pub exit: Option<Exit>,
    /// The time that it took.
    pub took: Duration,
}

/// Runs a program with an empty input until it exits, at most for `limit`. Then its whole process group is killed: what
/// it left running would take the processor from the next run.
///
/// # Errors
/// If it can't be started.
pub fn run_to_end(command: &mut Command, limit: Duration) -> io::Result<Run> {
    run_from(Stdio::null(), command, limit)
}

/// Runs a program like [`run_to_end`], with an input.
///
/// # Errors
/// If it can't be started.
pub fn run_from(input: Stdio, command: &mut Command, limit: Duration) -> io::Result<Run> {
    command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
    system::prepare(command);
    let (stop, stopped) = system::stop_pair()?;
    let start = Instant::now();
    let mut child = command.spawn()?;
    let group = Arc::new(system::Group::of(&child));
    live::enter(&group);
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut exit = None;
    let mut took = Duration::ZERO;
    thread::scope(|scope| {
        if let Some(pipe) = stdout {
            let source = system::Source::new(pipe, &stopped);
            scope.spawn(|| keep(source, &mut out));
        }
        if let Some(pipe) = stderr {
            let source = system::Source::new(pipe, &stopped);
            scope.spawn(|| keep(source, &mut err));
        }
        let left_by_itself = exits_before(&mut child, start + limit);
        took = start.elapsed();
        // Before the leader is reaped, its number can't be reused.
        live::leave(&group);
        group.kill();
        group.release();
        if !left_by_itself {
            // On systems without process groups.
            let _ = child.kill();
        }
        exit = child.wait().ok().filter(|_| left_by_itself).map(exit_of);
        drop(stop);
    });
    Ok(Run { stdout: out, stderr: err, exit, took })
}

/// Reads to the end, so that the writer never blocks, and keeps the beginning.
pub(super) fn keep(mut source: system::Source, into: &mut Vec<u8>) {
    let mut buffer = vec![0; CHUNK_BYTES];
    while let Some(count) = source.read(&mut buffer) {
        let room = KEPT_BYTES.saturating_sub(into.len());
        into.extend_from_slice(&buffer[..count.min(room)]);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn sh(script: &str, limit: Duration) -> Run {
        run_to_end(Command::new("sh").args(["-c", script]), limit).unwrap()
    }

    #[test]
    fn both_streams_are_read_whatever_their_size() {
        // More than a pipe holds on each, the one after the other.
        let run =
            sh("head -c 300000 /dev/zero >&2; head -c 200000 /dev/zero; exit 3", Duration::from_secs(60));
        assert_eq!((run.stdout.len(), run.stderr.len(), run.exit), (200_000, 300_000, Some(Exit::Code(3))));
        let run = sh("head -c 9000000 /dev/zero", Duration::from_secs(60));
        assert_eq!((run.stdout.len(), run.exit), (KEPT_BYTES, Some(Exit::Code(0))));
    }

    #[test]
    fn a_program_that_does_not_end_is_killed_with_its_children() {
        let run = sh("sleep 600 & echo $!; sleep 600", Duration::from_millis(300));
        assert_eq!(run.exit, None);
        let child = String::from_utf8(run.stdout).unwrap().trim().parse::<i32>().unwrap();
        assert!(is_gone(child));
        // A grandchild that outlives the program does not hold the output open.
        let run = sh("sleep 600 & echo $!", Duration::from_secs(60));
        assert_eq!(run.exit, Some(Exit::Code(0)));
        assert!(is_gone(String::from_utf8(run.stdout).unwrap().trim().parse::<i32>().unwrap()));
    }

    /// Whether a killed process disappears, or waits only to be reaped by its parent.
    fn is_gone(pid: i32) -> bool {
        let pid = rustix::process::Pid::from_raw(pid).unwrap();
        let is_zombie = || {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
            stat.is_ok_and(|text| text.contains(") Z "))
        };
        (0..500).any(|_| {
            thread::sleep(Duration::from_millis(10));
            rustix::process::test_kill_process(pid).is_err() || is_zombie()
        })
    }
}

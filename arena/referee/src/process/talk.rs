//! A program that isn't a bot and is talked to line by line, such as a referee.

use std::io;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::to_end::{keep, Run};
use super::{exit_of, exits_before, live, system, WRITE_AGAIN};

/// Bytes per read.
const CHUNK_BYTES: usize = 16 << 10;

/// Longest line; the rest is another line.
const MOST_LINE_BYTES: usize = 1 << 20;

/// Lines that are read ahead. More wait in the pipe.
const MOST_LINES: usize = 1024;

/// A running program.
pub struct Talk {
    child: Child,
    group: Arc<system::Group>,
    stop: Option<system::Stop>,
    stdin: Option<system::Feeder>,
    lines: Option<Receiver<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
    stderr: Option<JoinHandle<Vec<u8>>>,
    start: Instant,
}

/// The result of waiting for a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A line without its end.
    Line(String),
    /// The output ended.
    End,
    /// No line until the deadline.
    Nothing,
}

impl Talk {
    /// Starts a program.
    ///
    /// # Errors
    /// If it can't be started.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        system::prepare(command);
        let (stop, stopped) = system::stop_pair()?;
        let start = Instant::now();
        let mut child = command.spawn()?;
        let group = Arc::new(system::Group::of(&child));
        live::enter(&group);
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (sender, lines) = mpsc::sync_channel(MOST_LINES);
        let mut talk = Self {
            child,
            group,
            stop: Some(stop),
            stdin: None,
            lines: Some(lines),
            reader: None,
            stderr: None,
            start,
        };
        if let Some(stdin) = stdin {
            talk.stdin = Some(system::Feeder::new(stdin)?);
        }
        if let Some(pipe) = stdout {
            let source = system::Source::new(pipe, &stopped);
            talk.reader = Some(thread::spawn(move || read_lines(source, &sender)));
        }
        if let Some(pipe) = stderr {
            let source = system::Source::new(pipe, &stopped);
            talk.stderr = Some(thread::spawn(move || {
                let mut kept = Vec::new();
                keep(source, &mut kept);
                kept
            }));
        }
        Ok(talk)
    }

    /// Sends text. What the program doesn't read at once is sent while its next line is waited for.
    pub fn tell(&mut self, text: &str) {
        if let Some(stdin) = &mut self.stdin {
            stdin.feed(text.as_bytes());
        }
    }

    /// Waits for a line until `deadline`.
    pub fn hear(&mut self, deadline: Instant) -> Heard {
        let Some(lines) = &self.lines else { return Heard::End };
        loop {
            let all_sent = self.stdin.as_mut().is_none_or(system::Feeder::push);
            let left = deadline.saturating_duration_since(Instant::now());
            let wait = if all_sent { left } else { left.min(WRITE_AGAIN) };
            match lines.recv_timeout(wait) {
                Ok(line) => return Heard::Line(String::from_utf8_lossy(&line).into_owned()),
                Err(RecvTimeoutError::Disconnected) => return Heard::End,
                Err(RecvTimeoutError::Timeout) if wait == left => return Heard::Nothing,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Closes the program's input and ends it with all that it has started, after giving it `grace` to exit by itself. The
    /// standard output of the result is empty.
    pub fn end(mut self, grace: Duration) -> Run {
        self.stdin = None;
        let left_by_itself = exits_before(&mut self.child, Instant::now() + grace);
        let took = self.start.elapsed();
        self.kill(left_by_itself);
        let exit = self.child.wait().ok().filter(|_| left_by_itself).map(exit_of);
        let _ = self.reader.take().map(JoinHandle::join);
        let stderr = self.stderr.take().and_then(|reader| reader.join().ok()).unwrap_or_default();
        Run { stdout: Vec::new(), stderr, exit, took }
    }

    fn kill(&mut self, left_by_itself: bool) {
        // Before the leader is reaped, its number can't be reused.
        live::leave(&self.group);
        self.group.kill();
        self.group.release();
        if !left_by_itself {
            // On systems without process groups.
            let _ = self.child.kill();
        }
        self.lines = None;
        self.stop = None;
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        if self.stop.is_some() {
            self.kill(false);
            let _ = self.child.wait();
        }
    }
}

/// Passes each line on until the output or the conversation ends.
fn read_lines(mut source: system::Source, lines: &SyncSender<Vec<u8>>) {
    let mut buffer = vec![0; CHUNK_BYTES];
    let mut line = Vec::new();
    while let Some(count) = source.read(&mut buffer) {
        for piece in buffer[..count].split_inclusive(|&byte| byte == b'\n') {
            line.extend_from_slice(piece);
            if line.ends_with(b"\n") || line.len() >= MOST_LINE_BYTES {
                while line.ends_with(b"\n") || line.ends_with(b"\r") {
                    line.pop();
                }
                if lines.send(std::mem::take(&mut line)).is_err() {
                    return;
                }
            }
        }
    }
    if !line.is_empty() {
        let _ = lines.send(line);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    #[test]
    fn lines_go_both_ways() {
        let mut talk = Talk::start(
            Command::new("sh").args(["-c", "read a; echo \"got $a\"; read b; printf \"$b\"; exit 3"]),
        )
        .unwrap();
        talk.tell("one\ntwo\n");
        assert_eq!(talk.hear(soon()), Heard::Line("got one".to_owned()));
        assert_eq!(talk.hear(soon()), Heard::Line("two".to_owned()));
        assert_eq!(talk.hear(soon()), Heard::End);
        assert_eq!(talk.end(Duration::from_secs(60)).exit, Some(crate::bot::exit::Exit::Code(3)));
    }

    #[test]
    fn a_program_that_says_nothing_or_too_much_is_ended() {
        let mut talk = Talk::start(Command::new("sleep").arg("600")).unwrap();
        assert_eq!(talk.hear(Instant::now() + Duration::from_millis(20)), Heard::Nothing);
        assert_eq!(talk.end(Duration::ZERO).exit, None);
        let mut talk = Talk::start(&mut Command::new("yes")).unwrap();
        assert_eq!(talk.hear(soon()), Heard::Line("y".to_owned()));
        assert_eq!(talk.end(Duration::ZERO).exit, None);
    }
}

//! Runs a program on recorded input, and kills it if it is silent for too long or prints too much.

use crate::os::children::{spawn, ChildGuard};
use crate::os::system::end_group;
use crate::prove::dialogue::{Input, Turn};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{channel, sync_channel, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum output in bytes; no known program prints as much.
const MOST_BYTES: u64 = 64 << 20;
const MOST_LINES: usize = 2 << 20;
/// Maximum number of lines waiting to be read.
const WAITING: usize = 1024;
/// Maximum number of bytes of stderr to keep.
const COMPLAINT: usize = 2000;

/// The output of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// The lines of stdout, with line ends.
    pub lines: Vec<Vec<u8>>,
    /// How the program ended.
    pub end: End,
    /// The beginning of stderr.
    pub complaint: String,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// It exited, with this status.
    Ended(String),
    /// It exited before answering the recorded turn at this line of the log, with this status.
    Early(usize, String),
    /// It was killed because it did not answer the recorded turn at this line of the log.
    NoAnswer(usize),
    /// It was killed because it kept running after the end of its input.
    Unterminated,
    /// It was killed because it printed too much.
    TooMuch,
}

/// A child process that is killed when dropped.
struct KillOnDrop(Child, #[allow(dead_code, reason = "held until the child has ended")] ChildGuard);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(None)) {
            end_group(self.0.id());
        }
        // It may have exited already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs a program on input. `patience` is the maximum time for each answer and for the exit.
pub fn run(
    program: &Path,
    arguments: &[String],
    input: &Input,
    patience: Duration,
) -> std::io::Result<Heard> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let (child, known) = spawn(&mut command)?;
    let mut child = KillOnDrop(child, known);
    let lines = read_lines(child.0.stdout.take());
    let complaint = read_stderr(child.0.stderr.take());
    let mut session = Session { child: &mut child.0, lines, received: Vec::new(), bytes: 0, patience };
    let end = session.play(input);
    let received = session.received;
    drop(child);
    // The pipe already holds the rest of stderr, unless a grandchild keeps it open.
    let complaint = complaint.recv_timeout(patience.min(Duration::from_secs(1))).unwrap_or_default();
    Ok(Heard { lines: received, end, complaint })
}

struct Session<'c> {
    child: &'c mut Child,
    lines: Receiver<Vec<u8>>,
    received: Vec<Vec<u8>>,
    bytes: u64,
    patience: Duration,
}

impl Session<'_> {
    fn play(&mut self, input: &Input) -> End {
        let writer = writer(self.child.stdin.take());
        let early = match input {
            Input::Whole(bytes) => {
                // The program need not read its input, nor still be running.
                let _ = writer.send(bytes.clone());
                None
            }
            Input::Turns(turns) => self.turns(turns, &writer),
        };
        drop(writer);
        early.unwrap_or_else(|| self.rest(None))
    }

    fn turns(&mut self, turns: &[Turn], writer: &Sender<Vec<u8>>) -> Option<End> {
        let mut wanted = 0;
        for turn in turns {
            let _ = writer.send(turn.sent.clone());
            for &line in &turn.answers {
                wanted += 1;
                while self.received.len() < wanted {
                    match self.line() {
                        Ok(()) => {}
                        Err(Silence::Long) => return Some(End::NoAnswer(line)),
                        Err(Silence::End) => return Some(self.rest(Some(line))),
                        Err(Silence::TooMuch) => return Some(End::TooMuch),
                    }
                }
            }
        }
        None
    }

    /// Reads one more line.
    fn line(&mut self) -> Result<(), Silence> {
        match self.lines.recv_timeout(self.patience) {
            Ok(line) => {
                self.bytes += line.len() as u64;
                self.received.push(line);
                if self.bytes > MOST_BYTES || self.received.len() > MOST_LINES {
                    return Err(Silence::TooMuch);
                }
                Ok(())
            }
            Err(RecvTimeoutError::Timeout) => Err(Silence::Long),
            Err(RecvTimeoutError::Disconnected) => Err(Silence::End),
        }
    }

    /// Reads the rest: after the last turn, or after the program closed its output before answering the turn at
    /// `early`.
    fn rest(&mut self, early: Option<usize>) -> End {
        let silence = loop {
            if let Err(silence) = self.line() {
                break silence;
            }
        };
        match silence {
            Silence::TooMuch => return End::TooMuch,
            Silence::Long => return End::Unterminated,
            Silence::End => {}
        }
        let started = Instant::now();
        while started.elapsed() < self.patience {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    return match early {
                        None => End::Ended(status.to_string()),
                        Some(line) => End::Early(line, status.to_string()),
                    }
                }
                Ok(None) => thread::sleep(Duration::from_millis(2)),
                Err(_) => break,
            }
        }
        End::Unterminated
    }
}

/// Why no line was read.
enum Silence {
    Long,
    End,
    TooMuch,
}

/// Writes what it receives, in a thread of its own since the program may not read; closes the pipe when all senders are
/// dropped.
fn writer(stdin: Option<ChildStdin>) -> Sender<Vec<u8>> {
    let (sender, receiver) = channel::<Vec<u8>>();
    thread::spawn(move || {
        let Some(mut stdin) = stdin else { return };
        for bytes in receiver {
            if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

/// Reads the lines of a pipe in a thread; a line longer than the maximum output is split.
fn read_lines(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = sync_channel(WAITING);
    thread::spawn(move || {
        let Some(pipe) = pipe else { return };
        let mut pipe = BufReader::new(pipe);
        loop {
            let mut line = Vec::new();
            let read = pipe.by_ref().take(MOST_BYTES + 1).read_until(b'\n', &mut line);
            if !matches!(read, Ok(n) if n > 0) || sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Reads the beginning of stderr in a thread, and sends it when stderr is closed.
fn read_stderr(pipe: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let Some(mut pipe) = pipe else { return };
        let mut kept = Vec::new();
        let mut buffer = [0; 4096];
        while let Ok(n @ 1..) = pipe.read(&mut buffer) {
            let room = COMPLAINT.saturating_sub(kept.len()).min(n);
            kept.extend_from_slice(&buffer[..room]);
        }
        let _ = sender.send(String::from_utf8_lossy(&kept).trim_end().to_owned());
    });
    receiver
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, input: &[u8], patience: u64) -> Heard {
        let arguments = ["-c".to_owned(), script.to_owned()];
        let input = Input::read(input);
        run(Path::new("sh"), &arguments, &input, Duration::from_millis(patience)).unwrap()
    }

    fn lines(heard: &Heard) -> String {
        String::from_utf8_lossy(&heard.lines.concat()).into_owned()
    }

    const LONG: u64 = 60_000;
    const LOG: &[u8] = b"> 1\n> 2\n< x\n> 3\n< y\n";

    #[test]
    fn answers_in_turn() {
        let heard = shell("read a; read b; echo $a$b; read c; echo $c; echo end >&2; exit 3", LOG, LONG);
        assert_eq!(lines(&heard), "12\n3\n");
        assert!(matches!(&heard.end, End::Ended(s) if s.contains('3')), "{:?}", heard.end);
        assert_eq!(heard.complaint, "end");
        let heard = shell("cat", b"whole \xff\ninput", LONG);
        assert_eq!(heard.lines.concat(), b"whole \xff\ninput");
    }

    #[test]
    fn programs_that_hang_are_killed() {
        assert_eq!(shell("read a; read b; echo x; cat >&2", LOG, 300).end, End::NoAnswer(5));
        assert_eq!(shell("exec sleep 1000", b"whole", 300).end, End::Unterminated);
        let early = shell("echo only; exit 4", LOG, LONG);
        assert!(matches!(&early.end, End::Early(5, s) if s.contains('4')), "{:?}", early.end);
        // More than a pipe holds, for a program that does not read.
        let much = vec![b'x'; 1 << 20];
        assert!(matches!(shell("echo done", &much, LONG).end, End::Ended(_)));
        assert_eq!(shell("exec cat /dev/zero", b"", LONG).end, End::TooMuch);
        assert_eq!(shell("exec yes", b"", LONG).end, End::TooMuch);
    }

    #[test]
    fn missing_programs_are_errors() {
        let input = Input::Whole(Vec::new());
        assert!(run(Path::new("/no/such/program"), &[], &input, Duration::from_secs(1)).is_err());
    }
}

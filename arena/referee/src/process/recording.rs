//! The recording of a bot's three streams and of its end: for each line a mark, the time in microseconds, and the text.
//!
//! | mark | line |
//! |---|---|
//! | `=` | the time of the start, the first line |
//! | `>`, `<`, `!` | a line to the bot, from it, and of its standard error |
//! | `?` | the referee sends more although it hasn't read all output |
//! | `~` | a turn that isn't answered soon: the processor time that it has used, and its time so far, in microseconds |
//! | `.` | the end of the process: `code N` or `signal N`, and `closed` if its input had been closed before |

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::bot::exit::Exit;
use crate::text::{escaped, without_commands};

/// Bytes of a recording; what comes after them isn't recorded.
const MOST_BYTES: u64 = 64 << 20;

/// Bytes of a line that are recorded.
const LINE_BYTES: usize = 64 << 10;

/// A turn that lasts for less than this has no record of its processor time. No contest has a limit below it.
pub(super) const SOON: Duration = Duration::from_millis(20);

/// The stream that a line belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stream {
    /// The bot's input.
    ToBot,
    /// Standard output.
    FromBot,
    /// Standard error.
    Error,
}

impl Stream {
    fn mark(self) -> char {
        match self {
            Self::ToBot => '>',
            Self::FromBot => '<',
            Self::Error => '!',
        }
    }

    fn of(mark: &str) -> Option<Self> {
        [Self::ToBot, Self::FromBot, Self::Error].into_iter().find(|stream| mark == stream.mark().to_string())
    }
}

/// A recording that is being written: each line as soon as it is complete, so that a killed program loses none.
#[derive(Debug)]
pub struct Recording {
    file: File,
    begun: Instant,
    begun_us: u64,
    bytes: u64,
    /// The line of each stream that isn't complete, with the time of its first byte.
    open: [(Vec<u8>, u64); 3],
    /// Whether the bot's input has been closed.
    is_closed: bool,
    /// The turn that isn't answered yet.
    turn: Option<Turn>,
}

/// A turn that was sent.
#[derive(Debug)]
struct Turn {
    begun: Instant,
    /// The bot's processor time before.
    cpu: Duration,
    /// When it is recorded next: each time that the turn has doubled its time, so that a killed program leaves a late record.
    next: Duration,
}

impl Recording {
    /// Begins a recording with the time of its start. If the file is there, since the bot is started again, it is the next
    /// of [`path_of`].
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn begin(path: &Path) -> io::Result<Self> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let begun_us = u64::try_from(since.as_micros()).unwrap_or(u64::MAX);
        let mut starts = (1..).map(|start| File::create_new(path_of(path, start)));
        let is_taken = |file: &io::Result<File>| {
            file.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists)
        };
        let mut file = starts.find(|file| !is_taken(file)).unwrap_or_else(|| File::create(path))?;
        writeln!(file, "= {begun_us}")?;
        Ok(Self {
            file,
            begun: Instant::now(),
            begun_us,
            bytes: 0,
            open: Default::default(),
            is_closed: false,
            turn: None,
        })
    }

    /// Records bytes that are passed on now. A line to the bot has the time of its first byte, others that of their end.
    /// If the file can't be written, the game goes on without it.
    pub fn add(&mut self, stream: Stream, bytes: &[u8]) {
        if self.bytes > MOST_BYTES {
            return;
        }
        let now = self.now_us();
        let mut text = String::new();
        let (open, since) = &mut self.open[stream as usize];
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            if open.is_empty() {
                *since = now;
            }
            let room = LINE_BYTES.saturating_sub(open.len());
            open.extend_from_slice(&part[..part.len().min(room)]);
            if part.ends_with(b"\n") {
                text += &shown(stream, open, if stream == Stream::ToBot { *since } else { now });
                open.clear();
            }
        }
        self.write(&text);
    }

    fn now_us(&self) -> u64 {
        self.begun_us.saturating_add(u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX))
    }

    /// Records that more is sent to the bot although the referee hasn't read all of its output.
    pub fn unread(&mut self) {
        self.write(&format!("? {}\n", self.now_us()));
    }

    /// Notes that a turn is sent, unless one is open, and the bot's processor time before it.
    pub(super) fn turn_begins(&mut self, cpu: Option<Duration>) {
        if let (None, Some(cpu)) = (&self.turn, cpu) {
            self.turn = Some(Turn { begun: Instant::now(), cpu, next: SOON });
        }
    }

    /// Records the processor time of a turn that has lasted for long, if the system tells it.
    pub(super) fn turn_lasts(&mut self, cpu: impl FnOnce() -> Option<Duration>) {
        let Some(turn) = &mut self.turn else { return };
        let after = turn.begun.elapsed();
        if after < turn.next {
            return;
        }
        turn.next = 2 * after;
        if let Some(cpu) = cpu() {
            let [used, after] = [cpu.saturating_sub(turn.cpu), after].map(|time| time.as_micros());
            self.write(&format!("~ {} {used} {after}\n", self.now_us()));
        }
    }

    /// Does so at the end of a turn.
    pub(super) fn turn_ends(&mut self, cpu: impl FnOnce() -> Option<Duration>) {
        self.turn.iter_mut().for_each(|turn| turn.next = SOON);
        self.turn_lasts(cpu);
        self.turn = None;
    }

    /// Notes that the bot's input is closed.
    pub fn input_closed(&mut self) {
        self.is_closed = true;
    }

    /// Records how the process ended.
    pub fn exited(&mut self, exit: Exit) {
        self.turn = None;
        let how = match exit {
            Exit::Running => return,
            Exit::Code(code) => format!("code {code}"),
            Exit::Signal(signal) => format!("signal {signal}"),
        };
        let closed = if self.is_closed { " closed" } else { "" };
        self.write(&format!(". {} {how}{closed}\n", self.now_us()));
    }

    /// Records the lines that have no end.
    pub fn end(&mut self) {
        for stream in [Stream::Error, Stream::ToBot, Stream::FromBot] {
            let (open, since) = std::mem::take(&mut self.open[stream as usize]);
            if !open.is_empty() {
                self.write(&shown(stream, &open, since));
            }
        }
    }

    fn write(&mut self, text: &str) {
        self.bytes += text.len() as u64;
        // Without room on the disk the game goes on.
        let _ = self.file.write_all(text.as_bytes());
    }
}

/// The file in which the `start`-th start of a bot is recorded, from 1: the path itself, then with `.2`, `.3`, … after it.
pub fn path_of(path: &Path, start: u32) -> PathBuf {
    match start {
        0 | 1 => path.to_owned(),
        _ => {
            let mut name = path.as_os_str().to_owned();
            name.push(format!(".{start}"));
            PathBuf::from(name)
        }
    }
}

/// A line of the file.
fn shown(stream: Stream, line: &[u8], us: u64) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let text = match stream {
        Stream::Error => escaped(&without_commands(line)),
        Stream::ToBot | Stream::FromBot => escaped(line),
    };
    format!("{} {us} {text}\n", stream.mark())
}

/// A recorded line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// The stream it came on.
    pub stream: Stream,
    /// Time, in microseconds since 1970.
    pub us: u64,
    /// The line without its end; what isn't printable is escaped.
    pub text: String,
}

/// How a bot's process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// Exit code or signal.
    pub exit: Exit,
    /// Whether its input had been closed before.
    pub was_closed: bool,
}

/// The recording of a bot's process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BotRecording {
    /// The time of its start, in microseconds since 1970.
    pub begun_us: u64,
    /// The lines of its streams.
    pub lines: Vec<Recorded>,
    /// The number of lines after which the referee first sent more without having read all output.
    pub unread_at: Option<usize>,
    /// How the process ended; `None` if the wrapper was killed before.
    pub end: Option<End>,
    /// The last turn's processor time, if it wasn't answered soon and the system tells it.
    pub work: Option<Work>,
}

/// The processor time of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Work {
    /// The processor time.
    pub used: Duration,
    /// The time in which it was used.
    pub after: Duration,
}

/// Reads a recording. A last line that was cut off is left out.
pub fn read(bytes: &[u8]) -> Option<BotRecording> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    let begun_us = lines.next()?.strip_prefix("= ")?.parse().ok()?;
    let mut recording = BotRecording { begun_us, ..BotRecording::default() };
    for line in lines {
        recording.add(line);
    }
    Some(recording)
}

impl BotRecording {
    /// Adds a line of the file. One that makes no sense is left out.
    fn add(&mut self, line: &str) -> Option<()> {
        let mut parts = line.splitn(3, ' ');
        let (mark, us, text) = (parts.next()?, parts.next()?.parse().ok()?, parts.next());
        match mark {
            "?" => _ = self.unread_at.get_or_insert(self.lines.len()),
            "." => self.end = Some(end(text?)?),
            "~" => self.work = Some(work(text?)?),
            _ => {
                let line = Recorded { stream: Stream::of(mark)?, us, text: text?.to_owned() };
                let said = self.lines.iter().rfind(|line| line.stream != Stream::Error);
                if line.stream == Stream::ToBot && said.is_some_and(|line| line.stream == Stream::FromBot) {
                    self.work = None;
                }
                self.lines.push(line);
            }
        }
        Some(())
    }
}

fn work(text: &str) -> Option<Work> {
    let (used, after) = text.split_once(' ')?;
    let [used, after] = [used, after].map(|us| us.parse().ok().map(Duration::from_micros));
    Some(Work { used: used?, after: after? })
}

fn end(text: &str) -> Option<End> {
    let mut words = text.split(' ');
    let (kind, number) = (words.next()?, words.next()?.parse().ok()?);
    let exit = match kind {
        "code" => Exit::Code(number),
        "signal" => Exit::Signal(number),
        _ => return None,
    };
    Some(End { exit, was_closed: words.next() == Some("closed") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_recorded_when_they_are_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let mut recording = Recording::begin(&path).unwrap();
        let lines = || {
            let BotRecording { begun_us, lines, .. } = read(&std::fs::read(&path).unwrap()).unwrap();
            assert!(lines.iter().all(|line| line.us >= begun_us));
            lines.into_iter().map(|line| (line.stream, line.text)).collect::<Vec<_>>()
        };
        recording.add(Stream::ToBot, b"1 2\n\r\nha");
        recording.add(Stream::Error, b"a \xff\n");
        let line = |stream, text: &str| (stream, text.to_owned());
        let first = [line(Stream::ToBot, "1 2"), line(Stream::ToBot, ""), line(Stream::Error, "a \\xff")];
        assert_eq!(lines(), first);
        recording.add(Stream::FromBot, b"go\nno end");
        recording.add(Stream::ToBot, b"lf\n");
        recording.end();
        let rest =
            [line(Stream::FromBot, "go"), line(Stream::ToBot, "half"), line(Stream::FromBot, "no end")];
        assert_eq!(lines()[3..], rest);
        recording.add(Stream::FromBot, &[b'x'; 2 * LINE_BYTES]);
        recording.add(Stream::FromBot, b"y\n");
        assert_eq!(lines()[6].1.len(), LINE_BYTES);
    }

    #[test]
    fn the_end_and_unread_output_are_recorded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let read = || read(&std::fs::read(&path).unwrap()).unwrap();
        let mut recording = Recording::begin(&path).unwrap();
        recording.add(Stream::FromBot, b"a\nb\n");
        assert_eq!((read().unread_at, read().end), (None, None));
        recording.unread();
        recording.add(Stream::ToBot, b"2\n");
        recording.unread();
        recording.exited(Exit::Code(101));
        let end = |exit, was_closed| Some(End { exit, was_closed });
        assert_eq!(
            (read().unread_at, read().end, read().lines.len()),
            (Some(2), end(Exit::Code(101), false), 3)
        );
        recording.input_closed();
        recording.exited(Exit::Signal(11));
        assert_eq!(read().end, end(Exit::Signal(11), true));
    }

    #[test]
    fn processor_time_is_recorded_in_turns_that_last() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let work = || read(&std::fs::read(&path).unwrap()).unwrap().work;
        let ms = |ms| Some(Duration::from_millis(ms));
        let mut recording = Recording::begin(&path).unwrap();
        recording.turn_begins(ms(5));
        recording.add(Stream::ToBot, b"1\n");
        std::thread::sleep(SOON);
        // Still the same turn.
        recording.turn_begins(ms(6));
        recording.turn_lasts(|| ms(7));
        let first = work().unwrap();
        assert!(Some(first.used) == ms(2) && first.after >= SOON, "{first:?}");
        recording.turn_ends(|| ms(9));
        recording.add(Stream::FromBot, b"a\n");
        assert_eq!(work().map(|work| work.used), ms(4));
        recording.turn_lasts(|| ms(99));
        assert_eq!(work().map(|work| work.used), ms(4));
        recording.add(Stream::ToBot, b"2\n");
        assert_eq!(work(), None);
    }

    #[test]
    fn what_is_cut_off_or_no_recording_is_left_out() {
        let lines = vec![Recorded { stream: Stream::ToBot, us: 7, text: "a b".to_owned() }];
        let whole = BotRecording { begun_us: 5, lines, ..BotRecording::default() };
        assert_eq!(read(b"= 5\n> 7 a b\n. 8 code\n# 9 x\n. 9 core 3\n< 8 c"), Some(whole));
        for text in ["", "= 5", "x\n> 7 a\n"] {
            assert_eq!(read(text.as_bytes()), None, "{text}");
        }
    }
}

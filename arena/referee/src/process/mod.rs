//! A bot that runs as a child process, connected by three pipes.
//!
//! One thread reads the bot's output and takes the time of every line, another drains its standard
//! error; turns are written by the caller. The process leads a group of its own, and the
//! whole group is ended with it, and with the arena.

pub mod command_line;
#[cfg(unix)]
mod guard;
mod inbox;
mod live;
pub mod noise;
pub mod recording;
pub mod relay;
mod start;
mod tail;
pub mod talk;
pub mod to_end;

#[cfg(target_os = "linux")]
#[path = "linux.rs"]
mod running;
#[cfg(not(target_os = "linux"))]
#[path = "unsupported.rs"]
mod running;
#[cfg(unix)]
#[path = "unix.rs"]
mod system;
#[cfg(windows)]
#[path = "windows.rs"]
mod system;

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::{Arc, LazyLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use contest::Allowance;
use wait4::Wait4;

use crate::bot::data::BotData;
use crate::bot::excess::Excess;
use crate::bot::exit::Exit;
use crate::bot::usage::Usage;
use crate::bot::{Bot, Reply};
use crate::process::command_line::CommandLine;

use inbox::Inbox;
use tail::Tail;

pub use live::{interrupt, interrupt_flag, interrupted, INTERRUPTED};
pub use start::{is_closed_pipe, StartError};

/// Wait after the limit for a late answer, so that a message can tell how late it was.
const LATE: Duration = Duration::from_millis(50);

/// Maximum time for a bot that has closed its output to exit, so that its exit code is known.
const EXIT_AFTER_CLOSE: Duration = Duration::from_millis(500);

/// Interval between attempts to write the rest of a turn that didn't fit into the pipe.
const WRITE_AGAIN: Duration = Duration::from_millis(1);

/// Longest wait for the stderr reader before a turn, so that what the bot wrote by then belongs to the turn before.
const SETTLE: Duration = Duration::from_millis(10);

/// How long output that is in the pipe when a turn is to be sent may take to be read. It is a fault already, so that no time of
/// a game is lost.
const READ_STANDING: Duration = Duration::from_secs(1);

/// Interval between looks at a reader.
const SETTLE_AGAIN: Duration = Duration::from_micros(20);

/// The longest interval between checks whether a process has exited.
const LONGEST_PAUSE: Duration = Duration::from_millis(5);

/// A running bot. Dropping it kills its process group.
#[derive(Debug)]
pub struct Process {
    /// `None` once reaped: its number may then be reused.
    child: Option<Child>,
    group: Arc<system::Group>,
    stdin: Option<system::Feeder>,
    stop: Option<system::Stop>,
    inbox: Arc<Inbox>,
    tail: Arc<Tail>,
    /// Of standard output; `None` after the end.
    unread: Option<system::Gauge>,
    /// Of standard error; `None` after the end.
    unheard: Option<system::Gauge>,
    readers: Vec<JoinHandle<()>>,
    exit: Exit,
    /// Measured while it ran; after its end, the system's figures.
    /// Processor time when the last turn was sent, where the system tells.
    before: Option<Duration>,
    usage: Usage,
    allowance: Allowance,
}

impl Process {
    /// Starts a bot without resource limits.
    ///
    /// # Errors
    /// The system's error, such as a missing program.
    pub fn start(line: &CommandLine) -> io::Result<Self> {
        Self::start_within(line, Allowance::default())
    }

    /// Starts a bot with resource limits for its whole life.
    ///
    /// The system enforces the limits on Unix, for each of the bot's processes:
    ///
    /// - processor time by RLIMIT_CPU, in whole seconds, rounded up: SIGXCPU, and a second later SIGKILL;
    /// - memory by RLIMIT_DATA. On Linux, that counts private writable memory, touched or not: heap, stacks
    ///   of threads and static data, but not the program's code, shared libraries or reserved address space, which
    ///   Java and Go reserve by the gigabyte. On macOS it has almost no effect.
    ///
    /// [`Bot::excess`] also checks the measured usage: on Linux to the microsecond while the bot runs and over
    /// all its processes (memory: that of the largest, in the measure that the system limits); elsewhere at its end
    /// (memory: resident), so that a bot
    /// within the system's limits isn't caught during a game. On Windows nothing is enforced.
    ///
    /// # Errors
    /// The system's error, such as a missing program.
    pub fn start_within(line: &CommandLine, allowance: Allowance) -> io::Result<Self> {
        let mut command = line.command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        system::prepare(&mut command);
        system::limit(&mut command, allowance);
        let (stop, stopped) = system::stop_pair()?;
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let mut process = Self {
            group: Arc::new(system::Group::of(&child)),
            child: Some(child),
            stdin: None,
            stop: Some(stop),
            inbox: Arc::default(),
            tail: Arc::default(),
            unread: None,
            unheard: None,
            readers: Vec::new(),
            exit: Exit::Running,
            usage: Usage::default(),
            before: None,
            allowance,
        };
        // From here on, an error drops `process`, which kills the child.
        live::enter(&process.group);
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("the bot has no pipes"));
        };
        process.stdin = Some(system::Feeder::new(stdin)?);
        let inbox = Arc::clone(&process.inbox);
        let source = system::Source::new(stdout, &stopped);
        process.unread = Some(source.gauge());
        process.readers.push(spawn("answers", move || inbox.fill_from(source))?);
        let tail = Arc::clone(&process.tail);
        let source = system::Source::new(stderr, &stopped);
        process.unheard = Some(source.gauge());
        process.readers.push(spawn("stderr", move || tail.fill_from(source))?);
        Ok(process)
    }

    /// Sends any bytes and waits for a line.
    pub fn send(&mut self, bytes: &[u8], limit: Duration) -> Reply {
        let start = Instant::now();
        if let Some(stdin) = &mut self.stdin {
            stdin.feed(bytes);
        }
        match self.wait(start, 1, start + limit) {
            Some(inbox::Delivery::Reply(reply)) => reply,
            Some(inbox::Delivery::Closed { after, bytes }) => self.closed(after, bytes),
            None => Reply::Silent { after: start.elapsed(), bytes: self.inbox.unread() },
        }
    }

    /// Kills the other processes of its group, also those whose parent has ended, where the system lists them (Linux).
    pub fn end_followers(&self) {
        if let Some(child) = &self.child {
            running::end_followers(child.id());
        }
    }

    /// Closes the bot's input and waits for it to exit; `None` if it had to be killed.
    pub fn leave(&mut self, patience: Duration) -> Option<Exit> {
        self.stop(patience);
        match self.exit {
            Exit::Running => None,
            exit => Some(exit),
        }
    }

    /// Reads the whole output until it ends; nothing may have been read before. `begun` is a time before the start.
    pub fn output(&mut self, begun: Instant, limit: Duration) -> Reply {
        match self.wait(begun, usize::MAX, Instant::now() + limit) {
            Some(inbox::Delivery::Reply(reply)) => reply,
            Some(inbox::Delivery::Closed { after, bytes }) => self.closed(after, bytes),
            None => Reply::Silent { after: begun.elapsed(), bytes: self.inbox.unread() },
        }
    }

    /// Takes the unread output.
    pub fn unread(&mut self) -> Vec<u8> {
        self.inbox.unread()
    }

    /// The number of bytes written to standard error.
    pub fn stderr_bytes(&self) -> u64 {
        self.tail.count()
    }

    /// The output that has arrived although no turn was sent, without a last line end.
    fn standing(&mut self) -> Option<Vec<u8>> {
        // A reader that has ended leaves the rest of a flood in the pipe.
        settle(self.unread.as_ref().filter(|_| !self.inbox.has_ended()), READ_STANDING);
        let mut bytes = self.inbox.unread();
        if bytes.is_empty() {
            return None;
        }
        bytes.pop_if(|last| *last == b'\n');
        Some(bytes)
    }

    fn tell(&mut self, text: &str) {
        if let Some(stdin) = &mut self.stdin {
            stdin.feed(text.as_bytes());
        }
    }

    /// Waits for lines until `deadline`, and meanwhile sends the rest of the turn.
    fn wait(&mut self, start: Instant, lines: usize, deadline: Instant) -> Option<inbox::Delivery> {
        loop {
            let all_sent = self.stdin.as_mut().is_none_or(system::Feeder::push);
            let until = if all_sent { deadline } else { deadline.min(Instant::now() + WRITE_AGAIN) };
            let delivery = self.inbox.wait(start, lines, until);
            if delivery.is_some() || until == deadline {
                return delivery;
            }
        }
    }

    /// Waits until the process has exited, at most until `deadline`; it is not reaped.
    fn has_exited_until(&mut self, deadline: Instant) -> bool {
        self.child.as_mut().is_none_or(|child| exits_before(child, deadline))
    }

    /// Whether it has exited; it is not reaped.
    pub fn has_exited(&mut self) -> bool {
        self.child.as_mut().is_none_or(system::has_exited)
    }

    /// Measures a running process.
    fn look_at_usage(&mut self) {
        if let Some(child) = &self.child {
            self.usage = self.usage.max(running::usage(child.id()));
        }
    }

    /// Waits for the end of a process that has exited or been killed, and takes its usage.
    fn reap(&mut self, mut child: Child, left_by_itself: bool) {
        if !left_by_itself {
            // The group is already killed, if there was one.
            let _ = child.kill();
        }
        if let Ok(end) = child.wait4() {
            self.usage = self.usage.max(running::counted(&end.rusage));
            if left_by_itself {
                self.exit = exit_of(end.status);
            }
        }
    }

    fn closed(&mut self, after: Duration, bytes: Vec<u8>) -> Reply {
        self.stop(EXIT_AFTER_CLOSE);
        Reply::Closed { after, bytes, exit: self.exit }
    }
}

/// The processor time that the host of a virtual machine has kept from it since its start, of all processors
/// together; `None` where the system doesn't tell. Bots stand still during that time.
pub fn stolen_time() -> Option<Duration> {
    running::stolen_time()
}

/// A time before any that is measured.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The processor time of this thread; where the system doesn't tell (Windows), the time.
pub fn thread_time() -> Duration {
    system::thread_time().unwrap_or_else(|| START.elapsed())
}

/// The processor time of this thread as an instant, for budgets: see [`Budget::timed_by`](coppice::Budget::timed_by).
pub fn thread_clock() -> Instant {
    *START + thread_time()
}

/// The machine's name in its network.
pub fn machine_name() -> String {
    system::machine_name()
}

/// Opens a file, which may be created, to add to its end; `None` if another program does. Others can read it.
///
/// # Errors
/// If it can't be opened.
pub fn open_alone(path: &Path) -> io::Result<Option<File>> {
    system::open_alone(path)
}

/// Whether a program has opened a file by [`open_alone`].
pub fn is_opened_alone(path: &Path) -> bool {
    system::is_opened_alone(path)
}

/// Whether the reader of standard output has closed it. `false` where the system doesn't tell (Windows).
pub fn stdout_is_closed() -> bool {
    system::stdout_is_closed()
}

impl Bot for Process {
    fn ask(&mut self, text: &str, lines: usize, limit: Duration) -> Reply {
        if let Some(bytes) = self.standing() {
            return Reply::Unasked { bytes };
        }
        self.before = self.child.as_ref().and_then(|child| running::cpu_time(child.id()));
        let start = Instant::now();
        self.tell(text);
        match self.wait(start, lines, start + limit + LATE) {
            Some(inbox::Delivery::Reply(reply)) => reply,
            Some(inbox::Delivery::Closed { after, bytes }) => self.closed(after, bytes),
            // A descendant still holds the output open, but the bot has exited and can't answer.
            None if self.has_exited() => self.closed(limit, self.inbox.unread()),
            None => Reply::Silent { after: start.elapsed(), bytes: self.inbox.unread() },
        }
    }

    fn turn_cpu(&mut self) -> Option<Duration> {
        let now = running::own_time(self.child.as_ref()?.id())?;
        Some(now.saturating_sub(self.before?))
    }

    fn dismiss(&mut self) {
        self.look_at_usage();
        self.stdin = None;
    }

    fn stop(&mut self, grace: Duration) {
        if self.child.is_none() {
            return;
        }
        self.stdin = None;
        let left_by_itself = self.has_exited_until(Instant::now() + grace);
        if !left_by_itself {
            self.look_at_usage();
        }
        // Until the process is reaped, its number can't be reused: the group is killed
        // first, and nothing may kill it from here on.
        live::leave(&self.group);
        self.group.kill();
        self.group.release();
        if let Some(child) = self.child.take() {
            self.reap(child, left_by_itself);
        }
        self.stop = None;
        (self.unread, self.unheard) = (None, None);
        for reader in self.readers.drain(..) {
            let _ = reader.join();
        }
    }

    fn stderr_tail(&mut self) -> String {
        self.tail.text()
    }

    fn stderr_news(&mut self) -> Vec<u8> {
        settle(self.unheard.as_ref(), SETTLE);
        self.tail.take_news()
    }

    fn usage(&mut self) -> Usage {
        self.look_at_usage();
        self.usage
    }

    fn excess(&mut self) -> Option<Excess> {
        if self.allowance == Allowance::default() {
            return None;
        }
        let usage = self.usage();
        Excess::of(self.allowance, usage, self.exit, &self.tail.text())
    }

    fn plans(&mut self) -> Vec<String> {
        self.tail.plans()
    }

    fn data(&mut self) -> BotData {
        self.tail.data()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop(Duration::ZERO);
    }
}

/// Waits until what is in a pipe has been read, at most for `patience`.
fn settle(gauge: Option<&system::Gauge>, patience: Duration) {
    let end = Instant::now() + patience;
    while gauge.is_some_and(|gauge| !gauge.is_empty()) && Instant::now() < end {
        thread::sleep(SETTLE_AGAIN);
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name(name.to_owned()).spawn(work)
}

/// Waits until a process has exited, at most until `deadline`; it is not reaped.
fn exits_before(child: &mut Child, deadline: Instant) -> bool {
    let mut pause = Duration::from_micros(100);
    loop {
        if system::has_exited(child) {
            return true;
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        thread::sleep(pause.min(left));
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Becomes another program, where the system can do that (Unix); elsewhere runs it and waits for its end. Returns its
/// exit code.
///
/// # Errors
/// If it can't be started.
pub fn become_program(command: &mut std::process::Command) -> io::Result<Option<i32>> {
    system::replace_by(command)
}

fn exit_of(status: ExitStatus) -> Exit {
    match status.code() {
        Some(code) => Exit::Code(code),
        None => Exit::Signal(system::signal_of(status).unwrap_or(0)),
    }
}

//! Process groups and pipes on Unix.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use contest::Allowance;

use super::guard;
use crate::atomic::{ATTEMPTS, BETWEEN};
use crate::bot::exit::Exit;
use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::fs::FileType;
use rustix::process::{
    getrlimit, kill_process_group, setrlimit, waitid, Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions,
};
use rustix::time::{clock_gettime, ClockId};

/// Maximum number of reads after the stop: more than a full pipe takes.
const READS_AFTER_STOP: u32 = 64;

/// Makes the new process the leader of its own group.
pub(super) fn prepare(command: &mut Command) {
    command.process_group(0);
}

/// Makes the new process limit itself before it becomes the bot: only then does a limit hold from the bot's
/// first instruction, and only Linux can limit another process.
#[allow(unsafe_code)]
pub(super) fn limit(command: &mut Command, allowance: Allowance) {
    let cpu = allowance.cpu.map(|time| {
        let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
        (Resource::Cpu, lowered(Resource::Cpu, seconds, seconds.saturating_add(1)))
    });
    let memory = allowance.memory_bytes.map(|bytes| (Resource::Data, lowered(Resource::Data, bytes, bytes)));
    let limits = [cpu, memory];
    if limits.iter().all(Option::is_none) {
        // Without a hook, the standard library starts processes faster.
        return;
    }
    let limit_itself =
        move || limits.iter().flatten().try_for_each(|&(resource, limit)| Ok(setrlimit(resource, limit)?));
    // SAFETY: the hook runs between fork and exec, where only async-signal-safe functions may be called. It
    // makes system calls with values prepared before, and neither allocates nor locks.
    unsafe { command.pre_exec(limit_itself) };
}

/// The limit, but not above the arena's own, which can't be raised.
fn lowered(resource: Resource, soft: u64, hard: u64) -> Rlimit {
    let own = getrlimit(resource).maximum.unwrap_or(u64::MAX);
    Rlimit { current: Some(soft.min(own)), maximum: Some(hard.min(own)) }
}

/// Locks the file.
pub(super) fn open_alone(path: &Path) -> io::Result<Option<File>> {
    let file = File::options().read(true).append(true).create(true).open(path)?;
    Ok((!is_locked_by_another(&file)).then_some(file))
}

pub(super) fn is_opened_alone(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| is_locked_by_another(&file))
}

/// Locks a file for this program, unless another has locked it. Without file locks, the user is responsible. A child process
/// that has begun and not yet run its program holds a copy of its parent's locks for a moment.
fn is_locked_by_another(file: &File) -> bool {
    let is_locked = || matches!(file.try_lock(), Err(TryLockError::WouldBlock));
    (0..ATTEMPTS).all(|attempt| {
        if attempt > 0 {
            thread::sleep(BETWEEN);
        }
        is_locked()
    })
}

/// Becomes another program; returns only if that fails.
pub(super) fn replace_by(command: &mut Command) -> io::Result<Option<i32>> {
    Err(command.exec())
}

/// Ties a bot's life to its wrapper's; here the system does that.
pub(super) struct Bound;

impl Bound {
    /// Passes this process's SIGTERM, SIGINT and SIGHUP on as SIGTERM.
    pub(super) fn to(child: &Child) -> Self {
        if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            // Fails only if there is a handler already. The bot isn't reaped before the end of this process.
            let _ = ctrlc::set_handler(move || {
                let _ = rustix::process::kill_process(pid, Signal::TERM);
            });
        }
        Self
    }
}

/// Waits until a process has exited; it is not reaped.
pub(super) fn await_end(child: &mut Child) -> Exit {
    let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else { return Exit::Running };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    loop {
        return match waitid(WaitId::Pid(pid), options) {
            Err(rustix::io::Errno::INTR) => continue,
            Ok(Some(status)) => {
                let signal = || status.terminating_signal().map(Exit::Signal);
                status.exit_status().map(Exit::Code).or_else(signal).unwrap_or(Exit::Running)
            }
            Ok(None) | Err(_) => Exit::Running,
        };
    }
}

/// Whether bytes written to the standard output haven't been read; `false` where the system doesn't tell, or it isn't a pipe.
/// The output isn't kept open for that.
pub(super) fn stdout_is_unread() -> bool {
    let stdout = io::stdout();
    let is_pipe =
        rustix::fs::fstat(&stdout).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Fifo);
    is_pipe && rustix::io::ioctl_fionread(&stdout).is_ok_and(|count| count > 0)
}

/// Ends this process as another has ended: by the same code or signal, without a core of its own.
pub(super) fn end_like(status: ExitStatus) -> ! {
    if let Some(signal) = status.signal() {
        let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
        // Another program lacks this one's handlers.
        let _ = replace_by(Command::new("/bin/sh").args(["-c", &format!("kill -{signal} $$")]));
    }
    std::process::exit(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)))
}

/// A pipe as a file.
pub(super) fn file_of(pipe: impl Into<OwnedFd>) -> File {
    pipe.into().into()
}

/// Waits until there is something to read, or the end.
pub(super) fn await_bytes(pipe: &File) {
    let mut fds = [PollFd::new(pipe, PollFlags::IN)];
    while matches!(poll(&mut fds, None::<&Timespec>), Err(rustix::io::Errno::INTR)) {}
}

/// Whether a read returns at once; `None` where the system doesn't tell.
pub(super) fn has_bytes(pipe: &File) -> Option<bool> {
    let mut fds = [PollFd::new(pipe, PollFlags::IN)];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    Some(poll(&mut fds, Some(&now)).is_ok() && !fds[0].revents().is_empty())
}

/// The standard output as a file, which needs no lock.
pub(super) fn own_stdout() -> io::Result<File> {
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

/// Closes the standard input: who writes to it gets an error.
pub(super) fn close_stdin() {
    if let Ok(nothing) = File::open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(nothing);
    }
}

/// Closes the standard output: its reader sees the end.
pub(super) fn close_stdout() {
    if let Ok(nothing) = File::options().write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdout(nothing);
    }
}

/// A process and all its descendants except those that left the group.
#[derive(Debug)]
pub(super) struct Group {
    leader: Option<Pid>,
}

impl Group {
    /// The group of a new process; it is killed when the arena ends.
    pub(super) fn of(child: &Child) -> Self {
        let leader = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        leader.iter().copied().for_each(guard::enter);
        Self { leader }
    }

    /// The group has been killed, and its leader is about to be reaped.
    pub(super) fn release(&self) {
        self.leader.iter().copied().for_each(guard::leave);
    }

    /// Kills the group. Call it before the leader is reaped, since its number may be reused afterwards.
    pub(super) fn kill(&self) {
        if let Some(leader) = self.leader {
            // Fails only if no process is left.
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }
}

/// The processor time of this thread.
pub(super) fn thread_time() -> Option<Duration> {
    clock_gettime(ClockId::ThreadCPUTime).try_into().ok()
}

pub(super) fn machine_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// Whether the reading end of the pipe at standard output is closed.
pub(super) fn stdout_is_closed() -> bool {
    let stdout = io::stdout();
    let mut fds = [PollFd::new(&stdout, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut fds, Some(&now)).is_ok() && fds[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
}

/// Whether the process has exited; it is not reaped.
pub(super) fn has_exited(child: &mut Child) -> bool {
    let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else {
        return true;
    };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(pid), options), Ok(None))
}

/// The signal that ended the process.
pub(super) fn signal_of(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// Dropping it wakes the reader of a [`Source`] that has the other half.
pub(super) type Stop = PipeWriter;
pub(super) type Stopped = Arc<PipeReader>;

pub(super) fn stop_pair() -> io::Result<(Stop, Stopped)> {
    let (reader, writer) = io::pipe()?;
    Ok((writer, Arc::new(reader)))
}

/// One of a bot's output pipes. A process that left the group can keep the write end open,
/// so stopping the bot must also end a read.
pub(super) struct Source {
    pipe: Arc<File>,
    /// Whether bytes may have been read that the reader hasn't kept yet.
    is_reading: Arc<AtomicBool>,
    stopped: Stopped,
    reads_after_stop: u32,
}

/// Tells whether all that has been written to a [`Source`] has been read and kept.
#[derive(Debug)]
pub(super) struct Gauge {
    pipe: Arc<File>,
    is_reading: Arc<AtomicBool>,
}

impl Gauge {
    pub(super) fn is_empty(&self) -> bool {
        // In this order: bytes that have left the pipe were announced before.
        rustix::io::ioctl_fionread(&*self.pipe).map_or(true, |count| count == 0)
            && !self.is_reading.load(Ordering::SeqCst)
    }
}

impl Source {
    pub(super) fn new(pipe: impl Into<OwnedFd>, stopped: &Stopped) -> Self {
        let (pipe, stopped) = (Arc::new(pipe.into().into()), Arc::clone(stopped));
        Self { pipe, is_reading: Arc::default(), stopped, reads_after_stop: 0 }
    }

    /// A gauge that tells whether the data has been read.
    pub(super) fn gauge(&self) -> Gauge {
        Gauge { pipe: Arc::clone(&self.pipe), is_reading: Arc::clone(&self.is_reading) }
    }

    /// Waits for bytes and reads them; `None` at the end, or when stopped and the pipe is empty.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> Option<usize> {
        loop {
            self.is_reading.store(false, Ordering::SeqCst);
            let flags = PollFlags::IN;
            let mut fds =
                [PollFd::from_borrowed_fd(self.pipe.as_fd(), flags), PollFd::new(&*self.stopped, flags)];
            match poll(&mut fds, None::<&Timespec>) {
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => continue,
                Err(_) => return None,
            }
            if !fds[1].revents().is_empty() {
                self.reads_after_stop += 1;
                if self.reads_after_stop > READS_AFTER_STOP {
                    return None;
                }
            }
            if fds[0].revents().is_empty() {
                return None;
            }
            self.is_reading.store(true, Ordering::SeqCst);
            match (&*self.pipe).read(buffer) {
                Ok(count) if count > 0 => return Some(count),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(_) | Err(_) => {
                    self.is_reading.store(false, Ordering::SeqCst);
                    return None;
                }
            }
        }
    }
}

/// A bot's input, which never blocks the referee.
#[derive(Debug)]
pub(super) struct Feeder {
    pipe: ChildStdin,
    pending: Vec<u8>,
}

impl Feeder {
    pub(super) fn new(pipe: ChildStdin) -> io::Result<Self> {
        let flags = rustix::fs::fcntl_getfl(&pipe)?;
        rustix::fs::fcntl_setfl(&pipe, flags | rustix::fs::OFlags::NONBLOCK)?;
        Ok(Self { pipe, pending: Vec::new() })
    }

    /// Sends what fits into the pipe now and keeps the rest for [`Feeder::push`].
    pub(super) fn feed(&mut self, text: &[u8]) {
        if !self.pending.is_empty() {
            self.pending.extend_from_slice(text);
            return;
        }
        let sent = write_what_fits(&mut self.pipe, text);
        self.pending.extend_from_slice(&text[sent..]);
    }

    /// Sends more of the rest; whether nothing is left.
    pub(super) fn push(&mut self) -> bool {
        if !self.pending.is_empty() {
            let sent = write_what_fits(&mut self.pipe, &self.pending);
            self.pending.drain(..sent);
        }
        self.pending.is_empty()
    }
}

/// The number of bytes written or, if the bot has closed its input, discarded.
fn write_what_fits(pipe: &mut ChildStdin, text: &[u8]) -> usize {
    let mut sent = 0;
    while sent < text.len() {
        match pipe.write(&text[sent..]) {
            Ok(count) => sent += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return sent,
            Err(_) => return text.len(),
        }
    }
    sent
}

//! Job objects and pipes on Windows.
//!
//! A process is put into its job right after its start; processes that it starts in the microseconds
//! before that are not in the job.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::{AsHandle, AsRawHandle, OwnedHandle};
use std::os::windows::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus};
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::atomic::{ATTEMPTS, BETWEEN};
use crate::bot::exit::Exit;
use contest::Allowance;
use win32job::{ExtendedLimitInfo, Job};

/// From the Windows documentation: Ctrl-C goes to the arena only.
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

/// Keeps Ctrl-C from the new process.
pub(super) fn prepare(command: &mut Command) {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP);
}

/// Nothing is enforced here.
pub(super) fn limit(_command: &mut Command, _allowance: Allowance) {}

/// From the Windows documentation: who opens the file meanwhile may read or delete it, but not write it.
const READ_OR_DELETE: u32 = 1 | 4;

/// ERROR_SHARING_VIOLATION
const IS_OPEN: Option<i32> = Some(32);

/// Opens the file for this program alone to write: a lock of Windows would keep others from reading, too. Not to append,
/// which would keep this program from cutting off half a line: whoever writes seeks the end.
pub(super) fn open_alone(path: &Path) -> io::Result<Option<File>> {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false).share_mode(READ_OR_DELETE);
    for _ in 1..ATTEMPTS {
        match options.open(path) {
            // For a moment, perhaps, to be read.
            Err(error) if error.raw_os_error() == IS_OPEN => thread::sleep(BETWEEN),
            opened => return opened.map(Some),
        }
    }
    Ok(None)
}

pub(super) fn is_opened_alone(path: &Path) -> bool {
    let opened = File::options().read(true).share_mode(READ_OR_DELETE).open(path);
    opened.is_err_and(|error| error.raw_os_error() == IS_OPEN)
}

/// Runs another program to its end; returns its exit code.
pub(super) fn replace_by(command: &mut Command) -> io::Result<Option<i32>> {
    Ok(command.status()?.code())
}

/// Ties a bot's life to its wrapper's: a job that the system closes.
pub(super) struct Bound {
    _job: Group,
}

impl Bound {
    pub(super) fn to(child: &Child) -> Self {
        Self { _job: Group::of(child) }
    }
}

/// Waits until a process has exited.
pub(super) fn await_end(child: &mut Child) -> Exit {
    child.wait().map_or(Exit::Running, super::exit_of)
}

/// Unknown on Windows.
pub(super) fn stdout_is_unread() -> bool {
    false
}

/// Ends this process as another has ended.
pub(super) fn end_like(status: ExitStatus) -> ! {
    std::process::exit(status.code().unwrap_or(1))
}

/// A pipe as a file.
pub(super) fn file_of(pipe: impl Into<OwnedHandle>) -> File {
    pipe.into().into()
}

/// Nothing: a read waits.
pub(super) fn await_bytes(_pipe: &File) {}

/// Unknown on Windows.
pub(super) fn has_bytes(_pipe: &File) -> Option<bool> {
    None
}

/// The standard output as a file, which needs no lock.
pub(super) fn own_stdout() -> io::Result<File> {
    Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
}

/// Left open until this process ends.
pub(super) fn close_stdin() {}

/// Left open until this process ends.
pub(super) fn close_stdout() {}

/// A process and all its descendants. Without a job (nested jobs may be forbidden), only the
/// process itself is killed, by its owner.
#[derive(Debug)]
pub(super) struct Group {
    job: Mutex<Option<Job>>,
}

impl Group {
    pub(super) fn of(child: &Child) -> Self {
        let job = Job::create_with_limit_info(ExtendedLimitInfo::new().limit_kill_on_job_close()).ok();
        let job = job.filter(|job| job.assign_process(child.as_raw_handle() as isize).is_ok());
        Self { job: Mutex::new(job) }
    }

    /// Nothing to do: when the arena is killed, the system closes the job, which kills the bot.
    pub(super) fn release(&self) {}

    /// Closing the job kills all its processes.
    pub(super) fn kill(&self) {
        self.job.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// Not asked for on Windows.
pub(super) fn thread_time() -> Option<Duration> {
    None
}

pub(super) fn machine_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "machine".to_owned())
}

/// Unknown on Windows.
pub(super) fn stdout_is_closed() -> bool {
    false
}

/// Whether the process has exited.
pub(super) fn has_exited(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// Windows has no signals.
pub(super) fn signal_of(_status: ExitStatus) -> Option<i32> {
    None
}

/// Nothing: the job kills all processes that could hold a pipe open.
#[derive(Debug)]
pub(super) struct Stop;
pub(super) struct Stopped;

pub(super) fn stop_pair() -> io::Result<(Stop, Stopped)> {
    Ok((Stop, Stopped))
}

/// One of a bot's output pipes.
pub(super) struct Source {
    pipe: File,
}

impl Source {
    pub(super) fn new(pipe: impl Into<OwnedHandle>, _stopped: &Stopped) -> Self {
        Self { pipe: pipe.into().into() }
    }

    /// A gauge that tells whether the data has been read.
    pub(super) fn gauge(&self) -> Gauge {
        Gauge
    }

    /// Waits for bytes and reads them; `None` at the end.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> Option<usize> {
        loop {
            match self.pipe.read(buffer) {
                Ok(0) => return None,
                Ok(count) => return Some(count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
    }
}

/// Would tell whether all that has been written to a [`Source`] has been read; here nothing is known.
#[derive(Debug)]
pub(super) struct Gauge;

impl Gauge {
    pub(super) fn is_empty(&self) -> bool {
        true
    }
}

/// A bot's input. Writes to an anonymous pipe block, so a thread does them; it ends when the
/// feeder is dropped or the bot is gone.
#[derive(Debug)]
pub(super) struct Feeder {
    texts: Sender<Vec<u8>>,
}

impl Feeder {
    pub(super) fn new(mut pipe: ChildStdin) -> io::Result<Self> {
        let (texts, received) = mpsc::channel::<Vec<u8>>();
        super::spawn("turns", move || {
            for text in received {
                if pipe.write_all(&text).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { texts })
    }

    /// Passes the text to the writing thread.
    pub(super) fn feed(&mut self, text: &[u8]) {
        // Fails only if the bot is gone.
        let _ = self.texts.send(text.to_vec());
    }

    /// Nothing to do.
    pub(super) fn push(&mut self) -> bool {
        true
    }
}

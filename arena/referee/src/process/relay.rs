//! Runs a bot for an external referee and passes its three streams on unchanged, recording them.
//!
//! Bytes are passed on as soon as they come. The bot ends with this process (on Linux by a signal of the system, on Windows
//! by its job, elsewhere at the end of its input), gets its SIGTERM, and its end is this process's end.

use std::fs::File;
use std::io::{self, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::recording::{Recording, Stream, SOON};
use super::{running, spawn, system};

/// Bytes per read.
const CHUNK_BYTES: usize = 64 << 10;

/// How long the end of the output is kept back until the process has ended too, so that its exit status is recorded before
/// the referee can react. Processes close their output microseconds before they have ended.
const UNTIL_EXIT: Duration = Duration::from_millis(50);

/// Maximum time for the output of a bot that has ended: a process that it has left may hold it open.
const AFTER_END: Duration = Duration::from_millis(500);

/// Runs the bot to its end.
///
/// # Errors
/// If it can't be started.
pub fn relay(command: &mut Command, recording: Recording) -> io::Result<ExitStatus> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    running::end_with_parent(command);
    let mut child = command.spawn()?;
    // It lasts until the end of this function.
    let _bound = system::Bound::to(&child);
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(input), Some(output), Some(errors)) = pipes else {
        return Err(io::Error::other("the bot has no pipes"));
    };
    let recording = Arc::new(Mutex::new(recording));
    let errors = Arc::new(Errors {
        pipe: system::file_of(errors),
        turn: Mutex::new(()),
        recording: Arc::clone(&recording),
    });
    let (done, ended) = mpsc::channel();
    let (exited, has_exited) = mpsc::channel();
    // The arena's main thread has locked the standard output.
    let stdout = system::own_stdout()?;
    let pid = child.id();
    if running::cpu_time(pid).is_some() {
        let watched = Arc::clone(&recording);
        spawn("watch", move || watch(pid, &watched))?;
    }
    let to_bot = Arc::clone(&recording);
    spawn("to bot", move || pass_input(input, pid, &to_bot))?;
    let (from_bot, said, is_done) = (Arc::clone(&recording), Arc::clone(&errors), done.clone());
    spawn("from bot", move || {
        pass_output((output, pid), stdout, &said, &from_bot, &has_exited, &is_done);
    })?;
    spawn("stderr", move || {
        errors.pass_all();
        let _ = done.send(());
    })?;
    let exit = system::await_end(&mut child);
    recording.lock().unwrap_or_else(PoisonError::into_inner).exited(exit);
    let _ = exited.send(());
    for _ in 0..2 {
        let _ = ended.recv_timeout(AFTER_END);
    }
    recording.lock().unwrap_or_else(PoisonError::into_inner).end();
    child.wait()
}

/// Ends as the bot did.
pub fn end_like(status: ExitStatus) -> ! {
    system::end_like(status)
}

fn record(recording: &Mutex<Recording>, stream: Stream, bytes: &[u8]) {
    recording.lock().unwrap_or_else(PoisonError::into_inner).add(stream, bytes);
}

/// Records the processor time of turns that aren't answered soon: at their end this program may be killed.
fn watch(pid: u32, recording: &Mutex<Recording>) -> ! {
    loop {
        thread::sleep(SOON / 2);
        let mut recording = recording.lock().unwrap_or_else(PoisonError::into_inner);
        recording.turn_lasts(|| running::own_time(pid));
    }
}

/// Passes the input on. It is recorded before the bot can answer it.
fn pass_input(mut bot: impl Write, pid: u32, recording: &Mutex<Recording>) {
    let mut buffer = vec![0; CHUNK_BYTES];
    let mut input = io::stdin().lock();
    loop {
        let Some(count) = read(&mut input, &mut buffer) else {
            recording.lock().unwrap_or_else(PoisonError::into_inner).input_closed();
            break;
        };
        if system::stdout_is_unread() {
            recording.lock().unwrap_or_else(PoisonError::into_inner).unread();
        }
        recording.lock().unwrap_or_else(PoisonError::into_inner).turn_begins(running::cpu_time(pid));
        record(recording, Stream::ToBot, &buffer[..count]);
        if bot.write_all(&buffer[..count]).is_err() {
            // The bot has closed its input, so this one is closed too.
            break;
        }
    }
    drop(bot);
    system::close_stdin();
}

/// Passes the output on. It is recorded before the referee can react to it, after what the bot has said before.
fn pass_output(
    (mut bot, pid): (impl Read, u32),
    mut output: File,
    said: &Errors,
    recording: &Mutex<Recording>,
    has_exited: &Receiver<()>,
    done: &Sender<()>,
) {
    let mut buffer = vec![0; CHUNK_BYTES];
    while let Some(count) = read(&mut bot, &mut buffer) {
        said.pass_waiting();
        recording.lock().unwrap_or_else(PoisonError::into_inner).turn_ends(|| running::own_time(pid));
        record(recording, Stream::FromBot, &buffer[..count]);
        if output.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    drop(bot);
    let _ = has_exited.recv_timeout(UNTIL_EXIT);
    drop(output);
    system::close_stdout();
    let _ = done.send(());
}

/// The number of bytes read; `None` at the end.
fn read(from: &mut impl Read, buffer: &mut [u8]) -> Option<usize> {
    loop {
        match from.read(buffer) {
            Ok(0) => return None,
            Ok(count) => return Some(count),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

/// The bot's standard error, which is passed on by its own thread, and, so that it is recorded before the answer that
/// follows, by the one of the output.
struct Errors {
    pipe: File,
    turn: Mutex<()>,
    recording: Arc<Mutex<Recording>>,
}

impl Errors {
    fn pass_all(&self) {
        loop {
            system::await_bytes(&self.pipe);
            let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
            // The other thread may have read them meanwhile.
            if system::has_bytes(&self.pipe) != Some(false) && self.pass() == 0 {
                return;
            }
        }
    }

    /// Passes on what is there, where the system can tell (Unix).
    fn pass_waiting(&self) {
        // Elsewhere the other thread keeps its turn while it waits for bytes.
        if system::has_bytes(&self.pipe).is_none() {
            return;
        }
        // Also where nothing is there: the other thread may have read it without having recorded it yet.
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        while system::has_bytes(&self.pipe) == Some(true) && self.pass() > 0 {}
    }

    fn pass(&self) -> usize {
        let mut buffer = [0; 4096];
        let Some(count) = read(&mut &self.pipe, &mut buffer) else { return 0 };
        record(&self.recording, Stream::Error, &buffer[..count]);
        // Without a reader the bot plays on.
        let _ = io::stderr().write_all(&buffer[..count]);
        count
    }
}

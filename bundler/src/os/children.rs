//! Child processes, killed together on interrupt.

use crate::os::system;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Error, ErrorKind, Read};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

struct Running {
    interrupted: bool,
    ids: BTreeSet<u32>,
}

static RUNNING: Mutex<Running> = Mutex::new(Running { interrupted: false, ids: BTreeSet::new() });

fn running() -> MutexGuard<'static, Running> {
    // Nothing below panics while the lock is held; even then the set would be valid.
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Registration of a running child, so that [`interrupt`] can kill it; drop it when the child has exited.
#[derive(Debug)]
pub struct ChildGuard(u32);

impl Drop for ChildGuard {
    fn drop(&mut self) {
        running().ids.remove(&self.0);
    }
}

/// Starts a child, unless [`interrupt`] was called.
pub fn spawn(command: &mut Command) -> std::io::Result<(Child, ChildGuard)> {
    system::lead_a_group(command);
    let mut running = running();
    if running.interrupted {
        return Err(Error::from(ErrorKind::Interrupted));
    }
    let child = command.spawn()?;
    running.ids.insert(child.id());
    let known = ChildGuard(child.id());
    Ok((child, known))
}

/// Runs a child with empty stdin and collects its output; fails if [`interrupt`] was or is called.
pub fn output(command: &mut Command) -> std::io::Result<Output> {
    let (child, known) = spawn(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    let output = child.wait_with_output();
    drop(known);
    if interrupted() {
        return Err(Error::from(ErrorKind::Interrupted));
    }
    output
}

/// Ends one child early; it may be called before the child starts.
#[derive(Debug, Default)]
pub struct Stop(Mutex<(bool, Option<u32>)>);

impl Stop {
    /// Kills the child with its descendants.
    pub fn stop(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 = true;
        if let Some(child) = state.1.take() {
            system::end_group(child);
        }
    }

    /// Whether [`Stop::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0
    }

    /// Sets the child, or `None` before it is reaped.
    fn set(&self, child: Option<u32>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.1 = child;
        if let Some(child) = child.filter(|_| state.0) {
            system::end_group(child);
        }
    }
}

/// [`output`] that passes on each line of stdout as soon as it is printed; the child can be stopped.
pub fn output_by_lines(
    command: &mut Command,
    stop: &Stop,
    mut each: impl FnMut(&[u8]),
) -> std::io::Result<Output> {
    let (mut child, known) =
        spawn(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    stop.set(Some(child.id()));
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let errors = std::thread::spawn(move || {
        let mut said = Vec::new();
        // A pipe that breaks has ended.
        let _ = stderr.map(|mut pipe| pipe.read_to_end(&mut said));
        said
    });
    let mut said = Vec::new();
    let mut pipe = stdout.map(BufReader::new);
    let mut begin = 0;
    while let Some(Ok(1..)) = pipe.as_mut().map(|pipe| pipe.read_until(b'\n', &mut said)) {
        each(&said[begin..]);
        begin = said.len();
    }
    let stderr = errors.join().unwrap_or_default();
    // Until it is reaped, its number is its own.
    stop.set(None);
    let status = child.wait();
    drop(known);
    if interrupted() {
        return Err(Error::from(ErrorKind::Interrupted));
    }
    Ok(Output { status: status?, stdout: said, stderr })
}

/// Kills all running children with their descendants and prevents new ones, so that [`crate::bundle`] soon fails.
///
/// It applies to the whole process and cannot be undone, as for Ctrl-C.
pub fn interrupt() {
    let mut running = running();
    running.interrupted = true;
    running.ids.iter().for_each(|&id| system::end_group(id));
}

/// Whether [`interrupt`] was called.
pub fn interrupted() -> bool {
    running().interrupted
}

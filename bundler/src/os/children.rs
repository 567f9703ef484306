//! Child processes, killed together on interrupt.

use crate::os::system;
use std::collections::BTreeSet;
use std::io::{Error, ErrorKind};
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

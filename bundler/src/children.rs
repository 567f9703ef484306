//! Programs that the bundler runs, so that all of them can be ended at once.

use crate::system;
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
    // Nothing below can panic while the lock is held; if it did, what is there would still be true.
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program that [`interrupt`] ends; to be dropped when it has ended.
#[derive(Debug)]
pub struct Known(u32);

impl Drop for Known {
    fn drop(&mut self) {
        running().ids.remove(&self.0);
    }
}

/// Starts a program, unless [`interrupt`] was called.
pub fn spawn(command: &mut Command) -> std::io::Result<(Child, Known)> {
    system::lead_a_group(command);
    let mut running = running();
    if running.interrupted {
        return Err(Error::from(ErrorKind::Interrupted));
    }
    let child = command.spawn()?;
    running.ids.insert(child.id());
    let known = Known(child.id());
    Ok((child, known))
}

/// Runs a program to its end, with nothing to read, and takes what it says, unless [`interrupt`] was or is called.
pub fn output(command: &mut Command) -> std::io::Result<Output> {
    let (child, known) = spawn(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    let output = child.wait_with_output();
    drop(known);
    if interrupted() {
        return Err(Error::from(ErrorKind::Interrupted));
    }
    output
}

/// Ends every program that is being run, with its own children, and lets none start any more: [`crate::bundle`] then fails soon.
///
/// This is for the whole process and for good, as for Ctrl-C.
pub fn interrupt() {
    let mut running = running();
    running.interrupted = true;
    running.ids.iter().for_each(|&id| system::end_group(id));
}

/// Whether [`interrupt`] was called.
pub fn interrupted() -> bool {
    running().interrupted
}

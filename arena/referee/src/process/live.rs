//! Registry of live process groups, so that an interrupt can end them from another thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::system::Group;

/// The exit status after an interrupt: 128 and the number of SIGINT, as shells report it.
pub const INTERRUPTED: u8 = 130;

static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);
static GROUPS: Mutex<Vec<Arc<Group>>> = Mutex::new(Vec::new());

/// Kills all bots, and those that are started later: the program is about to exit.
pub fn interrupt() {
    let groups = groups();
    IS_INTERRUPTED.store(true, Ordering::SeqCst);
    groups.iter().for_each(|group| group.kill());
}

/// Whether the program was interrupted. The bots were killed then, so their endings are no faults.
pub fn interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::SeqCst)
}

/// The flag that `interrupt` sets, for searches to check.
pub fn interrupt_flag() -> &'static AtomicBool {
    &IS_INTERRUPTED
}

pub(super) fn enter(group: &Arc<Group>) {
    let mut groups = groups();
    groups.push(Arc::clone(group));
    if interrupted() {
        group.kill();
    }
}

pub(super) fn leave(group: &Arc<Group>) {
    groups().retain(|other| !Arc::ptr_eq(other, group));
}

fn groups() -> MutexGuard<'static, Vec<Arc<Group>>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

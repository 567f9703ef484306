//! Handles Ctrl-C: stops a running search, or, if none runs, the program.

use std::sync::atomic::{AtomicBool, Ordering};

use coppice_referee::process::INTERRUPTED;

static STOP: AtomicBool = AtomicBool::new(false);
static IS_THINKING: AtomicBool = AtomicBool::new(false);

/// Handles an interrupt.
pub(crate) fn interrupt() {
    STOP.store(true, Ordering::SeqCst);
    if !IS_THINKING.load(Ordering::SeqCst) {
        std::process::exit(INTERRUPTED.into());
    }
}

/// Runs `think` with the flag that an interrupt sets, and returns its result and whether the flag was set.
pub(crate) fn while_thinking<T>(think: impl FnOnce(&'static AtomicBool) -> T) -> (T, bool) {
    STOP.store(false, Ordering::SeqCst);
    IS_THINKING.store(true, Ordering::SeqCst);
    let result = think(&STOP);
    IS_THINKING.store(false, Ordering::SeqCst);
    (result, STOP.swap(false, Ordering::SeqCst))
}

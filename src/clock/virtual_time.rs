//! A clock of its own for each test: only [`advance`] makes time pass.

use std::cell::Cell;
use std::time::{Duration, Instant};

thread_local! {
    static NOW: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Runs a test on the virtual clock.
pub(crate) fn run<T>(test: impl FnOnce() -> T) -> T {
    NOW.set(Some(Instant::now()));
    let result = test();
    NOW.set(None);
    result
}

/// The virtual time; `None` outside of [`run`].
pub(crate) fn now() -> Option<Instant> {
    NOW.get()
}

/// Lets time pass.
pub(crate) fn advance(by: Duration) {
    NOW.set(NOW.get().map(|now| now + by));
}

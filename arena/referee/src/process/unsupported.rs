//! Resource usage on systems that don't report it for running processes.

use std::time::Duration;

use wait4::ResourceUsage;

use crate::bot::usage::Usage;

/// Unknown while it runs.
pub(super) fn usage(_pid: u32) -> Usage {
    Usage::default()
}

/// Unknown while it runs.
pub(super) fn own_time(_pid: u32) -> Option<Duration> {
    None
}

/// Unknown while it runs.
pub(super) fn cpu_time(_pid: u32) -> Option<Duration> {
    None
}

/// Unknown.
pub(super) fn stolen_time() -> Option<Duration> {
    None
}

/// A process ends at the end of its input.
pub(super) fn end_with_parent(_command: &mut std::process::Command) {}

/// Processes of a group aren't listed here.
pub(super) fn end_followers(_leader: u32) {}

/// The usage that the system reports at a process's end.
pub(super) fn counted(resources: &ResourceUsage) -> Usage {
    Usage {
        cpu: Some(resources.utime + resources.stime),
        peak_memory_bytes: Some(resources.maxrss).filter(|&bytes| bytes > 0),
        peak_data_bytes: None,
    }
}

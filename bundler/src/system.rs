//! What only one operating system has, each with a fallback for the others.

use std::fs::Permissions;
use std::process::Command;

/// Whether there was no standard output to begin with: then Rust's runtime puts `/dev/null` there, open for reading too,
/// which no shell's `>` does.
#[cfg(target_os = "linux")]
pub fn stdout_was_closed() -> bool {
    let is_null =
        std::fs::read_link("/proc/self/fd/1").is_ok_and(|to| to == std::path::Path::new("/dev/null"));
    let flags = std::fs::read_to_string("/proc/self/fdinfo/1").unwrap_or_default();
    let access = flags.lines().find_map(|l| l.strip_prefix("flags:")).and_then(|f| f.trim().chars().last());
    is_null && access == Some('2')
}

/// Cannot be told here.
#[cfg(not(target_os = "linux"))]
pub fn stdout_was_closed() -> bool {
    false
}

/// Who may read and write a new file: whoever the user's mask allows, as with any other program.
#[cfg(unix)]
pub fn new_file() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

/// The system's own default.
#[cfg(not(unix))]
pub fn new_file() -> Option<Permissions> {
    None
}

/// Makes a program that is to be started the leader of a group, so that it can be ended with its children.
#[cfg(unix)]
pub fn lead_a_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

/// There are no groups here.
#[cfg(not(unix))]
pub fn lead_a_group(_: &mut Command) {}

/// Ends a program that leads a group, and its group.
#[cfg(unix)]
pub fn end_group(leader: u32) {
    if let Ok(group) = libc::pid_t::try_from(leader) {
        // SAFETY: `kill` takes two numbers and touches no memory of ours.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
}

/// Ends a program and its children.
#[cfg(windows)]
pub fn end_group(leader: u32) {
    // If that fails, the program ends by itself a little later.
    let _ = Command::new("taskkill").args(["/T", "/F", "/PID", &leader.to_string()]).output();
}

/// It ends by itself.
#[cfg(not(any(unix, windows)))]
pub fn end_group(_: u32) {}

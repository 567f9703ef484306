//! Functions that differ between operating systems, each with a fallback.

use std::fs::Permissions;
use std::process::Command;

/// Whether stdout was closed at start: Rust's runtime then opens `/dev/null` for reading and writing, which no shell's
/// `>` does.
#[cfg(target_os = "linux")]
pub fn stdout_was_closed() -> bool {
    let is_null =
        std::fs::read_link("/proc/self/fd/1").is_ok_and(|to| to == std::path::Path::new("/dev/null"));
    let flags = std::fs::read_to_string("/proc/self/fdinfo/1").unwrap_or_default();
    let access = flags.lines().find_map(|l| l.strip_prefix("flags:")).and_then(|f| f.trim().chars().last());
    is_null && access == Some('2')
}

/// Cannot be detected on this system.
#[cfg(not(target_os = "linux"))]
pub fn stdout_was_closed() -> bool {
    false
}

/// Whether an error is that of a pipe without a reader.
pub fn is_closed_pipe(error: &std::io::Error) -> bool {
    // ERROR_PIPE_NOT_CONNECTED, which the standard library doesn't know as such.
    let is_disconnected = cfg!(windows) && error.raw_os_error() == Some(233);
    is_disconnected || error.kind() == std::io::ErrorKind::BrokenPipe
}

/// Whether the error of replacing a file may be that another program has it open, which Windows refuses:
/// ERROR_ACCESS_DENIED, or ERROR_SHARING_VIOLATION for the new one.
pub fn is_in_use(error: &std::io::Error) -> bool {
    cfg!(windows) && matches!(error.raw_os_error(), Some(5 | 32))
}

/// Opens a file as programs of Windows do that let no other replace it.
#[cfg(all(test, windows))]
pub fn reader_that_excludes_others(path: &std::path::Path) -> std::io::Result<std::fs::File> {
    use std::os::windows::fs::OpenOptionsExt;
    const FILE_SHARE_READ: u32 = 1;
    std::fs::OpenOptions::new().read(true).share_mode(FILE_SHARE_READ).open(path)
}

/// Opens a file; here others may replace it.
#[cfg(all(test, not(windows)))]
pub fn reader_that_excludes_others(path: &std::path::Path) -> std::io::Result<std::fs::File> {
    std::fs::File::open(path)
}

/// Permissions of a new file: those that the user's umask allows, as for any other program.
#[cfg(unix)]
pub fn new_file() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

/// The system's default.
#[cfg(not(unix))]
pub fn new_file() -> Option<Permissions> {
    None
}

/// Makes a program start as the leader of a process group, so that it can be killed with its children.
#[cfg(unix)]
pub fn lead_a_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

/// This system has no process groups.
#[cfg(not(unix))]
pub fn lead_a_group(_: &mut Command) {}

/// Kills a process group by its leader.
#[allow(unsafe_code)]
#[cfg(unix)]
pub fn end_group(leader: u32) {
    if let Ok(group) = libc::pid_t::try_from(leader) {
        // SAFETY: `kill` takes two integers and accesses no memory.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
}

/// Kills a process and its children.
#[cfg(windows)]
pub fn end_group(leader: u32) {
    // If that fails, the program exits by itself a little later.
    let _ = Command::new("taskkill").args(["/T", "/F", "/PID", &leader.to_string()]).output();
}

/// Not supported on this system: the program exits by itself.
#[cfg(not(any(unix, windows)))]
pub fn end_group(_: u32) {}

//! Ends the bots if the arena is killed and can't end them itself (Unix).
//!
//! A shell reads the numbers of process groups from a pipe, and at the end of its input kills those that are left. The
//! input ends when the arena does, for any reason. The shell leads its own group, so that a signal to the arena's group
//! doesn't reach it. A parent-death signal, which only Linux has, would not reach processes that the bot has started.

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

use rustix::process::Pid;

/// Starts a shell in the background and exits, so that the arena has no child to wait for. The shell reads `+ GROUP`
/// and `- GROUP`, and at the end kills the groups that are left.
const SCRIPT: &str = r#"exec 3<&0
{
    trap '' INT TERM HUP
    groups=
    while read -r change group; do
        case $change in
        +) groups="$groups $group" ;;
        *) left=; for other in $groups; do [ "$other" = "$group" ] || left="$left $other"; done; groups=$left ;;
        esac
    done
    for group in $groups; do kill -9 "-$group" 2>/dev/null; done
} <&3 3<&- &"#;

/// The shell's input; `None` if it couldn't be started: bots that don't read their input then outlive a killed arena.
static INPUT: OnceLock<Option<Mutex<ChildStdin>>> = OnceLock::new();

/// Registers a group to be killed at the arena's end.
pub(super) fn enter(leader: Pid) {
    say('+', leader);
}

/// Unregisters a group. Call it before the leader is reaped, after which its number may be reused.
pub(super) fn leave(leader: Pid) {
    say('-', leader);
}

fn say(change: char, leader: Pid) {
    if let Some(input) = INPUT.get_or_init(|| start().ok().map(Mutex::new)) {
        let line = format!("{change} {}\n", leader.as_raw_nonzero());
        // Fails only if the shell is gone.
        let _ = input.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes());
    }
}

fn start() -> io::Result<ChildStdin> {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", SCRIPT]).process_group(0).current_dir("/");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let input = child.stdin.take().ok_or_else(|| io::Error::other("no pipe"))?;
    child.wait()?;
    Ok(input)
}

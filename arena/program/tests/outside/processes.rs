//! Interrupts processes as Ctrl-C does, and asks whether they are there.

use std::process::{Child, Command};

/// A process that [`interrupt`] can reach.
pub fn interruptible(command: &mut Command) -> &mut Command {
    // A console of its own, from which nothing but it gets the interrupt.
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(command, 0x0800_0000);
    command
}

/// Interrupts a process that was made [`interruptible`].
#[cfg(unix)]
pub fn interrupt(child: &Child) {
    use rustix::process::{kill_process, Pid, Signal};
    kill_process(Pid::from_child(child), Signal::INT).unwrap();
}

#[cfg(windows)]
pub fn interrupt(child: &Child) {
    assert!(ask("interrupt", child.id()), "it has a console");
}

/// Whether a process has ended, even if its parent has not waited for it yet.
#[cfg(unix)]
pub fn is_gone(id: u32) -> bool {
    let listed = Command::new("ps").args(["-o", "stat=", "-p", &id.to_string()]).output().unwrap();
    let state = String::from_utf8(listed.stdout).unwrap();
    state.trim().is_empty() || state.trim().starts_with('Z')
}

#[cfg(windows)]
pub fn is_gone(id: u32) -> bool {
    !ask("is-running", id)
}

#[cfg(windows)]
fn ask(command: &str, id: u32) -> bool {
    let mut program = Command::new(super::built("examples/processes"));
    program.args([command, &id.to_string()]).status().unwrap().success()
}

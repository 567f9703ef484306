//! Resource usage of running processes on Linux.

use std::fs;
use std::time::Duration;

use nix::sys::resource::{getrusage, UsageWho};
use nix::time::{clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;
use wait4::ResourceUsage;

use crate::bot::usage::Usage;

/// Maximum number of a bot's processes that are measured.
const MAX_PROCESSES: usize = 64;

/// The resource usage of a process and its descendants so far.
pub(super) fn usage(pid: u32) -> Usage {
    let mut sum = Usage::default();
    for pid in tree(pid) {
        let cpu = cpu_time(pid).map(|own| own + waited_for(pid).unwrap_or_default());
        if let Some(cpu) = cpu {
            sum.cpu = Some(sum.cpu.unwrap_or_default() + cpu);
        }
        // None of it after the process has ended.
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        sum.peak_memory_bytes = sum.peak_memory_bytes.max(bytes_in(&status, "VmHWM:"));
        sum.peak_data_bytes = sum.peak_data_bytes.max(bytes_in(&status, "VmData:"));
    }
    sum
}

/// The usage that the system reports at a process's end.
///
/// A process starts as a copy of the arena's, and Linux counts that copy's memory as its own. So a peak below
/// the arena's own isn't the bot's; the measurements while it ran are used then.
pub(super) fn counted(resources: &ResourceUsage) -> Usage {
    let own = getrusage(UsageWho::RUSAGE_SELF).ok().and_then(|own| u64::try_from(own.max_rss()).ok());
    let own_bytes = own.map_or(u64::MAX, |kib| kib.saturating_mul(1024));
    Usage {
        cpu: Some(resources.utime + resources.stime),
        peak_memory_bytes: Some(resources.maxrss).filter(|&bytes| bytes > own_bytes),
        peak_data_bytes: None,
    }
}

/// The time that the host of a virtual machine has kept from all its processors together since its start, to a
/// hundredth of a second (proc_stat(5), `steal`); zero without a host.
pub(super) fn stolen_time() -> Option<Duration> {
    stolen_in(&fs::read_to_string("/proc/stat").ok()?).map(from_ticks)
}

fn stolen_in(stat: &str) -> Option<u64> {
    let all = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    all.split_whitespace().nth(7)?.parse().ok()
}

/// A process and its descendants, except those whose parent has exited.
fn tree(root: u32) -> Vec<u32> {
    let mut pids = vec![root];
    let mut next = 0;
    while next < pids.len() && pids.len() < MAX_PROCESSES {
        pids.extend(children(pids[next]));
        next += 1;
    }
    pids.truncate(MAX_PROCESSES);
    pids
}

/// Makes a new process end with this one.
#[allow(unsafe_code)]
pub(super) fn end_with_parent(command: &mut std::process::Command) {
    use std::os::unix::process::CommandExt;
    let parent = rustix::process::getpid();
    let hook = move || {
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
        match rustix::process::getppid() == Some(parent) {
            true => Ok(()),
            // It has ended meanwhile.
            false => Err(rustix::io::Errno::SRCH.into()),
        }
    };
    // SAFETY: the hook runs between fork and exec, where only async-signal-safe functions may be called. It makes two
    // system calls, and neither allocates nor locks.
    unsafe { command.pre_exec(hook) };
}

/// Kills the processes of a group other than its leader.
pub(super) fn end_followers(leader: u32) {
    let Ok(entries) = fs::read_dir("/proc") else { return };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let followers = pids.filter(|&pid| pid != leader && group_of(pid) == Some(leader));
    for pid in followers.filter_map(|pid| rustix::process::Pid::from_raw(i32::try_from(pid).ok()?)) {
        // Fails only if it has ended.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
}

/// The process group of a process: the third field after its name (proc_pid_stat(5)).
fn group_of(pid: u32) -> Option<u32> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let name_end = stat.iter().rposition(|&byte| byte == b')')?;
    let fields = std::str::from_utf8(&stat[name_end + 1..]).ok()?;
    fields.split_whitespace().nth(2)?.parse().ok()
}

fn children(pid: u32) -> Vec<u32> {
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let lists = tasks.flatten().filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists.flat_map(|list| numbers(&list).collect::<Vec<_>>()).collect()
}

fn numbers(text: &str) -> impl Iterator<Item = u32> + '_ {
    text.split_whitespace().filter_map(|word| word.parse().ok())
}

/// The processor time of a process that has no children, whose time would have to be added.
pub(super) fn own_time(pid: u32) -> Option<Duration> {
    cpu_time(pid).filter(|_| children(pid).is_empty())
}

/// The processor time of all threads of a process.
pub(super) fn cpu_time(pid: u32) -> Option<Duration> {
    let clock = clock_getcpuclockid(Pid::from_raw(i32::try_from(pid).ok()?)).ok()?;
    Some(clock_gettime(clock).ok()?.into())
}

/// Processor time of a process's reaped children, to a hundredth of a second.
fn waited_for(pid: u32) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name may contain anything and ends at the last parenthesis; field 3 of proc(5) follows it.
    // Fields 16 and 17 are cutime and cstime.
    let fields = stat.rsplit_once(')')?.1.split_whitespace().skip(13).take(2);
    let ticks = fields.map(|ticks| ticks.parse::<u64>().unwrap_or(0)).sum::<u64>();
    Some(from_ticks(ticks))
}

fn from_ticks(ticks: u64) -> Duration {
    Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64)
}

/// An amount of memory in a process's status (proc_pid_status(5)): `VmHWM`, the peak of what was resident, or `VmData`, the
/// private writable memory now, which RLIMIT_DATA limits.
fn bytes_in(status: &str, field: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kib = line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn this_process_uses_something() {
        let usage = usage(std::process::id());
        assert!(usage.cpu.is_some_and(|cpu| cpu > Duration::ZERO), "{usage:?}");
        assert!(usage.peak_memory_bytes.is_some_and(|bytes| bytes > 100_000), "{usage:?}");
        assert!(usage.peak_data_bytes.is_some_and(|bytes| bytes > 100_000), "{usage:?}");
    }

    #[test]
    fn what_was_stolen_is_the_eighth_number() {
        let stat = "cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 11 12 13 14 15 16 17 18 19 20\nintr 21\n";
        assert_eq!(stolen_in(stat), Some(8));
        assert_eq!(stolen_in("cpu  1 2 3 4\n"), None);
        assert!(stolen_time().is_some(), "/proc/stat has it since Linux 2.6.11");
    }

    #[test]
    fn children_are_found() {
        let mut child = Command::new("sleep").arg("60").stdin(Stdio::null()).spawn().unwrap();
        let found = tree(std::process::id()).contains(&child.id());
        let _ = (child.kill(), child.wait());
        assert!(found);
    }

    #[test]
    fn nobody_uses_nothing() {
        // Above Linux's highest process number, 2^22.
        assert_eq!(usage((1 << 22) + 1), Usage::default());
    }
}

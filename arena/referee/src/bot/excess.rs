//! Detects bots that exceed their processor time or memory limit.

use std::fmt;
use std::time::Duration;

use contest::Allowance;

use crate::bot::exit::Exit;
use crate::bot::usage::Usage;
use crate::text::millis;

/// SIGXCPU's number on Linux, macOS and the BSDs: the system sends it when the processor time is used up.
const CPU_TIME_USED_UP: i32 = 24;

/// Out-of-memory messages in lower case: Rust, C++, Python, Java and C#, Go and Node.
const OUT_OF_MEMORY: [&str; 7] = [
    "memory allocation of ",
    "bad_alloc",
    "memoryerror",
    "outofmemory",
    "out of memory",
    "cannot allocate memory",
    "allocation failed",
];

/// The exceeded limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Excess {
    /// Processor time, over the whole game.
    Cpu {
        /// The time used, if it was measured.
        used: Option<Duration>,
        /// The limit.
        allowed: Duration,
    },
    /// Memory.
    Memory {
        /// The observed peak; `None` if the system refused an allocation.
        used_bytes: Option<u64>,
        /// The limit.
        allowed_bytes: u64,
    },
}

impl Excess {
    /// Compares a bot's usage with its allowance; `exit` and `stderr_tail` describe its end, if it has ended.
    pub fn of(allowance: Allowance, usage: Usage, exit: Exit, stderr_tail: &str) -> Option<Self> {
        let cpu = allowance.cpu.filter(|&allowed| {
            usage.cpu.is_some_and(|used| used > allowed) || exit == Exit::Signal(CPU_TIME_USED_UP)
        });
        let cpu = cpu.map(|allowed| Self::Cpu { used: usage.cpu, allowed });
        cpu.or_else(|| {
            let allowed_bytes = allowance.memory_bytes?;
            if exit.is_crash() && speaks_of_memory(stderr_tail) {
                // The measured usage isn't compared: it may include the crash report, such as a stack trace.
                return Some(Self::Memory { used_bytes: None, allowed_bytes });
            }
            // The quantity that the system's limit counts, where it is known.
            let used_bytes =
                usage.peak_data_bytes.or(usage.peak_memory_bytes).filter(|&used| used > allowed_bytes)?;
            Some(Self::Memory { used_bytes: Some(used_bytes), allowed_bytes })
        })
    }

    /// The limit in words, as a [`FaultReport`](crate::game::fault::FaultReport) shows it.
    pub fn expected(&self) -> String {
        match self {
            Self::Cpu { allowed, .. } => {
                format!("at most {} ms of processor time in a game", millis(*allowed))
            }
            Self::Memory { allowed_bytes, .. } => format!("at most {} of memory", megabytes(*allowed_bytes)),
        }
    }
}

/// The actual usage.
impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Cpu { used: Some(used), .. } => write!(f, "{} ms", millis(used)),
            Self::Cpu { used: None, .. } => f.write_str("more"),
            Self::Memory { used_bytes: Some(used), .. } => f.write_str(&megabytes(used)),
            Self::Memory { used_bytes: None, .. } => {
                f.write_str("a request for more, which was refused, and a crash")
            }
        }
    }
}

fn speaks_of_memory(stderr_tail: &str) -> bool {
    let words = stderr_tail.to_lowercase();
    OUT_OF_MEMORY.iter().any(|phrase| words.contains(phrase))
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOWANCE: Allowance =
        Allowance { cpu: Some(Duration::from_secs(180)), memory_bytes: Some(250_000_000) };

    fn usage(cpu_ms: u64, peak_memory_bytes: u64) -> Usage {
        Usage {
            cpu: Some(Duration::from_millis(cpu_ms)),
            peak_memory_bytes: Some(peak_memory_bytes),
            ..Usage::default()
        }
    }

    fn excess(usage: Usage, exit: Exit, stderr_tail: &str) -> Option<(String, String)> {
        let excess = Excess::of(ALLOWANCE, usage, exit, stderr_tail)?;
        Some((excess.expected(), excess.to_string()))
    }

    fn said(expected: &str, came: &str) -> Option<(String, String)> {
        Some((expected.to_owned(), came.to_owned()))
    }

    const CPU: &str = "at most 180000 ms of processor time in a game";
    const MEMORY: &str = "at most 250.0 MB of memory";

    #[test]
    fn what_is_allowed_is_allowed() {
        assert_eq!(excess(usage(180_000, 250_000_000), Exit::Running, ""), None);
        assert_eq!(excess(Usage::default(), Exit::Code(1), "index out of bounds"), None);
        let unlimited = Allowance::default();
        assert_eq!(Excess::of(unlimited, usage(u64::MAX / 2, u64::MAX), Exit::Signal(24), "bad_alloc"), None);
    }

    #[test]
    fn more_is_too_much() {
        assert_eq!(excess(usage(180_001, 0), Exit::Running, ""), said(CPU, "180001 ms"));
        assert_eq!(excess(usage(0, 250_100_000), Exit::Running, ""), said(MEMORY, "250.1 MB"));
    }

    #[test]
    fn the_measure_of_the_limit_counts_where_it_is_known() {
        // A program's code and libraries are resident, but not limited.
        let small = Usage { peak_data_bytes: Some(200_000_000), ..usage(0, 260_000_000) };
        assert_eq!(excess(small, Exit::Running, ""), None);
        // Memory that was never touched counts towards the limit, but isn't resident.
        let large = Usage { peak_data_bytes: Some(260_000_000), ..usage(0, 5_000_000) };
        assert_eq!(excess(large, Exit::Running, ""), said(MEMORY, "260.0 MB"));
    }

    #[test]
    fn the_systems_refusal_is_told_from_a_crash() {
        assert_eq!(excess(Usage::default(), Exit::Signal(24), ""), said(CPU, "more"));
        let refused = said(MEMORY, "a request for more, which was refused, and a crash");
        let words = "memory allocation of 1073741824 bytes failed\n";
        assert_eq!(excess(usage(1, 1), Exit::Signal(6), words), refused);
        assert_eq!(excess(Usage::default(), Exit::Code(1), "  File \"a.py\"\nMemoryError"), refused);
        assert_eq!(excess(Usage::default(), Exit::Code(0), words), None);
    }
}

//! Options for a bot's resource limits in a whole game.

use std::time::Duration;

use contest::Allowance;

use crate::command::misuse::InvalidValue;

/// Bytes per megabyte, as contests define it.
const BYTES_PER_MB: u64 = 1_000_000;

/// `--cpu-limit` and `--memory-limit`, for commands that start bots.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub struct AllowanceArgs {
    /// Limit on each bot's processor time per game in seconds, over all its turns, instead of the contest's
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub cpu_limit: Option<Duration>,
    /// Memory limit for each process of a bot in megabytes (1,000,000 bytes), instead of the contest's
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub memory_limit: Option<u64>,
}

impl AllowanceArgs {
    /// Whether there is any limit here.
    pub fn is_given(&self) -> bool {
        self.cpu_limit.is_some() || self.memory_limit.is_some()
    }

    /// The limits given here, with the contest's for those left out.
    pub fn or(&self, contest: Allowance) -> Allowance {
        Allowance {
            cpu: self.cpu_limit.or(contest.cpu),
            memory_bytes: self.memory_limit.map(|mb| mb * BYTES_PER_MB).or(contest.memory_bytes),
        }
    }
}

fn seconds(text: &str) -> Result<Duration, InvalidValue> {
    let seconds = text.parse::<f64>().ok().filter(|&seconds| seconds > 0.0);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| "give seconds, above 0, such as 180 or 0.5".into())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        allowance: AllowanceArgs,
    }

    fn parse(arguments: &[&str]) -> Result<Allowance, clap::Error> {
        let contest = Allowance { cpu: None, memory_bytes: Some(7) };
        Cli::try_parse_from([&["arena"], arguments].concat()).map(|cli| cli.allowance.or(contest))
    }

    #[test]
    fn the_command_line_wins() {
        assert_eq!(parse(&[]).unwrap(), Allowance { cpu: None, memory_bytes: Some(7) });
        let given = parse(&["--cpu-limit", "0.5", "--memory-limit", "250"]).unwrap();
        let half = Duration::from_millis(500);
        assert_eq!(given, Allowance { cpu: Some(half), memory_bytes: Some(250_000_000) });
    }

    #[test]
    fn nonsense_is_refused() {
        for value in ["0", "-1", "nan", "inf", "x", "1e300"] {
            assert!(parse(&["--cpu-limit", value]).is_err(), "{value}");
        }
        for value in ["0", "1.5", "99999999999999999999"] {
            assert!(parse(&["--memory-limit", value]).is_err(), "{value}");
        }
    }
}

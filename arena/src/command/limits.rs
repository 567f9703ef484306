//! Options for the time limits of answers.

use std::ops::RangeInclusive;
use std::time::Duration;

use contest::Limits;

use crate::command::misuse::InvalidValue;

/// The range of a limit in milliseconds.
pub(crate) const LIMIT_MS: RangeInclusive<i64> = 1..=86_400_000;

/// The range of `--time-scale`.
const SCALES: RangeInclusive<f64> = 0.01..=1000.0;

/// `--first-ms`, `--later-ms` and `--time-scale`, for commands that referee bots.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub struct LimitArgs {
    /// Milliseconds for each bot's first answer, 1 to 86400000, instead of the contest's
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u32).range(LIMIT_MS))]
    pub first_ms: Option<u32>,
    /// Milliseconds for every other answer, 1 to 86400000, instead of the contest's
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u32).range(LIMIT_MS))]
    pub later_ms: Option<u32>,
    /// Multiply both limits, for every bot: 2 on a machine that is half busy with other programs. Bots that are told
    /// their limit use all of it; others think as long as before, and may answer later
    #[arg(long, value_name = "FACTOR", value_parser = scale)]
    pub time_scale: Option<f64>,
}

impl LimitArgs {
    /// The limits given here, with the contest's for those left out.
    pub fn or(&self, contest: Limits) -> Limits {
        let limit = |given: Option<u32>, own: Duration| {
            given.map_or(own, |ms| Duration::from_millis(ms.into())).mul_f64(self.time_scale.unwrap_or(1.0))
        };
        Limits { first: limit(self.first_ms, contest.first), later: limit(self.later_ms, contest.later) }
    }

    /// The options as they are written on a command line, each with a space before it.
    pub fn words(&self) -> String {
        let ms = [("--first-ms", self.first_ms), ("--later-ms", self.later_ms)];
        let mut words =
            ms.map(|(name, given)| given.map_or_else(String::new, |ms| format!(" {name} {ms}"))).concat();
        if let Some(scale) = self.time_scale {
            words += &format!(" --time-scale {scale}");
        }
        words
    }
}

/// Limits with milliseconds added to each.
pub(crate) fn with_grace(limits: Limits, grace_ms: u32) -> Limits {
    let grace = Duration::from_millis(grace_ms.into());
    Limits { first: limits.first + grace, later: limits.later + grace }
}

fn scale(text: &str) -> Result<f64, InvalidValue> {
    let scale = text.parse::<f64>().ok().filter(|scale| SCALES.contains(scale));
    scale.ok_or_else(|| format!("expected a number from {} to {}", SCALES.start(), SCALES.end()).into())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        limits: LimitArgs,
    }

    fn parse(line: &str) -> Result<LimitArgs, clap::Error> {
        Cli::try_parse_from(["arena"].into_iter().chain(line.split_whitespace())).map(|cli| cli.limits)
    }

    #[test]
    fn limits_are_replaced_and_scaled() {
        let ms = Duration::from_millis;
        let contest = Limits { first: ms(1000), later: ms(100) };
        let limits = |line: &str| {
            let limits = parse(line).unwrap().or(contest);
            (limits.first, limits.later)
        };
        assert_eq!(limits(""), (ms(1000), ms(100)));
        assert_eq!(limits("--later-ms 40"), (ms(1000), ms(40)));
        assert_eq!(limits("--time-scale 2.5"), (ms(2500), ms(250)));
        assert_eq!(limits("--first-ms 30 --time-scale 2"), (ms(60), ms(200)));
        let line = " --first-ms 30 --later-ms 40 --time-scale 1.5";
        assert_eq!(parse(line).unwrap().words(), line);
    }

    #[test]
    fn invalid_limits_are_refused() {
        for line in [
            "--first-ms 0",
            "--later-ms x",
            "--time-scale 0",
            "--time-scale nan",
            "--time-scale inf",
            "--time-scale 1e4",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}

//! The settings of an external referee, and its seeds.

use std::time::Duration;

use contest::Limits;
use serde::{Deserialize, Serialize};

use super::{NegativeScores, Tester};

/// How a referee with the arguments of cg-brutaltester takes the seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum SeedOption {
    /// `-d seed=N`
    D,
    /// `-seed N`
    Seed,
    /// Not at all: its games can't be repeated
    None,
}

/// The settings of an external referee.
#[derive(Debug)]
pub struct Settings {
    /// The contest's name in results.
    pub name: String,
    /// The number of bots in a game, 1 to 8.
    pub seats: usize,
    /// How the seed is passed; `None` finds out.
    pub seed: Option<SeedOption>,
    /// The number of bits of a seed: 64 for any signed number, fewer for numbers that are never negative.
    pub seed_bits: u32,
    /// The league, for referees with `-league N`.
    pub league: Option<u32>,
    /// Further arguments.
    pub arguments: Vec<String>,
    /// Maximum duration of a game.
    pub limit: Duration,
    /// Whether a Java virtual machine gets no flags but those of the command line.
    pub plain_jvm: bool,
    /// Whether Java virtual machines are kept from game to game.
    pub keep_jvm: bool,
    /// Whether the bots are programs of this machine. Otherwise the referee alone finds them, as in a container: nothing
    /// checks, wraps or records them.
    pub checks_bots: bool,
    /// The meaning of a negative score.
    pub negative_scores: NegativeScores,
    /// Time limits of bots that this program runs, if the referee speaks the old protocol.
    pub old_protocol: Option<Limits>,
    /// The settings of a heuristic contest, whose tester the command line is.
    pub tester: Option<Tester>,
}

impl Settings {
    /// The options that change a game, to be written after the command line.
    pub fn identity(&self) -> String {
        if let Some(tester) = &self.tester {
            return tester.identity();
        }
        let Settings { league, arguments, seed_bits, seed, negative_scores, .. } = self;
        let mut text = String::new();
        text.extend(league.map(|league| format!(" -league {league}")));
        text.extend(arguments.iter().map(|word| format!(" {word}")));
        if *seed_bits != 64 {
            text += &format!("; seeds of {seed_bits} bits");
        }
        if *seed == Some(SeedOption::None) {
            text += "; without seeds";
        }
        if let Some(Limits { first, later }) = self.old_protocol {
            text += &format!("; old protocol, {} and {} ms", first.as_millis(), later.as_millis());
        }
        // Failures that the referee or a bot's process tells of are failures by the option as well.
        if *negative_scores == NegativeScores::Scores {
            text += "; negative scores are scores";
        }
        text
    }

    /// The seed that the referee gets: as many of its bits as it takes.
    pub fn seed_sent(&self, seed: u64) -> u64 {
        match self.seed_bits {
            64.. => seed,
            bits => seed & ((1 << bits) - 1),
        }
    }

    /// The seed as it is passed. The platform's are signed.
    pub fn seed_text(&self, seed: u64) -> String {
        match self.seed_bits {
            _ if self.tester.is_some() => seed.to_string(),
            64.. => seed.cast_signed().to_string(),
            _ => self.seed_sent(seed).to_string(),
        }
    }
}

/// Whether two texts are the same 64-bit number, signed or not.
pub(super) fn is_same_seed(a: &str, b: &str) -> bool {
    let number = |text: &str| text.parse::<u64>().or_else(|_| text.parse::<i64>().map(i64::cast_unsigned));
    matches!((number(a), number(b)), (Ok(a), Ok(b)) if a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_equal_as_signed_and_as_unsigned_numbers() {
        assert!(is_same_seed("-1", "18446744073709551615"));
        assert!(is_same_seed("007", "7"));
        for (a, b) in [("1", "2"), ("x", "x"), ("", "0"), ("1.0", "1")] {
            assert!(!is_same_seed(a, b), "{a} {b}");
        }
    }
}

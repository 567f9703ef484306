//! Heuristic contests: one player, many seeds, a score. The bot reads a case's input and writes its output, and the
//! contest's tester prints the score; an interactive tester starts the bot itself.

mod best;
mod case;
mod places;

use std::fs;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::process::command_line::CommandLine;
use places::with_seed;

pub use best::{BestError, BestKnown, Ledger, FILE_NAME as BEST_FILE};
pub use places::{takes_seed, unknown_place, NoNumber, Pattern};

/// The file in which a drawing is looked for unless another one is named.
pub const USUAL_PICTURE: &str = "{out}.svg";

/// The settings of a tester.
#[derive(Debug)]
pub struct Tester {
    /// The path of a seed's input, with a place `{seed}`.
    pub inputs: String,
    /// The command that writes the input of a seed, to `{in}` or to its standard output.
    pub generator: Option<CommandLine>,
    /// The score in a line of the tester.
    pub score: Pattern,
    /// A text in the tester's output that says that the bot failed.
    pub failure: Option<String>,
    /// Factor of a score, so that it becomes a whole number.
    pub scale: u32,
    /// Time for a case.
    pub limit: Duration,
    /// Names of the numbers in an input's first line.
    pub sizes: Vec<String>,
    /// Further numbers of a case in the tester's output.
    pub attributes: Vec<Pattern>,
    /// The command that draws an output; without it, the tester does.
    pub drawer: Option<CommandLine>,
    /// The drawing's file: an SVG, or a page that holds one.
    pub picture: String,
    /// The best known scores.
    pub ledger: Ledger,
    /// Whether it was said that a case lacks numbers or a picture.
    pub has_told: AtomicBool,
}

impl Tester {
    /// The path of a seed's input.
    pub fn path(inputs: &str, seed: u64) -> String {
        with_seed(inputs, seed)
    }

    /// A digest of a seed's input; `None` if it can't be read.
    pub(super) fn digest(&self, seed: u64) -> Option<String> {
        let digest = Sha256::digest(fs::read(Self::path(&self.inputs, seed)).ok()?);
        Some(digest[..8].iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The options that change a case's score, as text.
    pub(super) fn identity(&self) -> String {
        let Self { inputs, score, failure, scale, limit, .. } = self;
        let failure = failure.iter().map(|text| format!(", failed: `{text}`")).collect::<String>();
        let scale = if *scale == 1 { String::new() } else { format!(" times {scale}") };
        format!("; inputs {inputs}, `{score}`{scale}{failure}, {} ms", limit.as_millis())
    }

    /// A score as a whole number.
    fn scaled(&self, number: &str) -> Result<i64, String> {
        let whole = number.parse::<i64>().ok().and_then(|whole| whole.checked_mul(self.scale.into()));
        if let Some(whole) = whole {
            return Ok(whole);
        }
        let value = number.parse::<f64>().unwrap_or(f64::NAN) * f64::from(self.scale);
        if self.scale == 1 && value.fract() != 0.0 {
            return Err(format!(
                "its score {number} has a fraction: give a scale, such as 1000000, by which scores are multiplied"
            ));
        }
        // Beyond, not every whole number is a float.
        match value.abs() < 9e15 {
            true => Ok(value.round() as i64),
            false => Err(format!("its score {number} times {} is too large", self.scale)),
        }
    }
}

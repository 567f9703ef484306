//! Proves that a bundle is the same program, and replays recorded input.

pub mod dialogue;
pub mod layout;
pub mod proof;
pub mod replay;
pub mod session;

use crate::api::bundle::Stage;
use crate::api::error::Error;
use crate::merge::ladder::Ladder;
use crate::prune::trim;
use crate::prune::unneeded::Means;
use crate::rustc::Checker;
use crate::syntax::text::Files;
use proof::Standard;

/// Trims the program and meanwhile compiles the standard that the result must meet.
pub fn trim_and_compile_standard(
    ladder: &mut Ladder,
    checker: &Checker,
    files: &Files,
    notes: &mut Vec<String>,
) -> Result<Standard, Error> {
    let untrimmed = ladder.clone();
    std::thread::scope(|scope| {
        let standard = scope.spawn(|| Standard::of(&untrimmed, checker));
        if let Some(text) = trim(ladder, Means::Code, checker, files, notes)? {
            ladder.push(Stage::Trimmed, text);
        }
        standard.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

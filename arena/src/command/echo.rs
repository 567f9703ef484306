//! `arena echo`: a bot that only echoes, with which the machine's own noise is measured.

use std::io;

use crate::process::noise;

/// Answers each line of the standard input with itself.
pub fn run(out: &mut dyn io::Write) {
    noise::answer_at_once(io::stdin().lock(), out);
}

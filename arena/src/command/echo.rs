//! `arena echo`: a bot that only echoes, used to measure the machine's own delays.

use std::io;

use coppice_referee::process::noise;

/// Answers each line of the standard input with itself.
pub(crate) fn run(out: &mut dyn io::Write) {
    noise::answer_at_once(io::stdin().lock(), out);
}

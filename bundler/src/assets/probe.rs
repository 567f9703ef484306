//! A program to paste into a site once: whether it is accepted tells if the size limit counts bytes or UTF-16 units.

use super::radix::Alphabet;
use crate::api::options::Unit;

/// The program's source with places for the limit, the number of characters, the characters.
const PROGRAM: &str = r##"// Made by `bundler probe`: whether a site accepts this program tells what its limit of @limit@ counts.
// Refused as too long: bytes. Accepted: UTF-16 units or characters; then bundle with `--limit @limit@utf16`.
// It plays no game. It says on standard error whether its characters arrived unharmed.
fn main() {
    let arrived: Vec<u32> = TEXT.chars().filter(|c| !c.is_whitespace()).map(u32::from).collect();
    let sent: Vec<u32> = (0..38_968).map(|i| i + if i < 28_813 { 0x3400 } else { 0x3B73 }).cycle().take(@count@).collect();
    match sent.iter().zip(&arrived).position(|(sent, arrived)| sent != arrived) {
        Some(i) => eprintln!("probe: accepted, but character {i} arrived as U+{:04X} instead of U+{:04X}", arrived[i], sent[i]),
        None if arrived.len() != sent.len() => {
            eprintln!("probe: accepted, but {} characters arrived instead of {}", arrived.len(), sent.len());
        }
        None => eprintln!("probe: accepted, and all {} characters arrived unharmed", sent.len()),
    }
}

const TEXT: &str = r"
@text@
";
"##;

/// The smallest limit that a probe is made for.
pub const LEAST: u64 = 3_000;

/// The program for a limit of `limit`, at least [`LEAST`]: it is as long as that in UTF-16 units, within 2 % and some
/// lines, and longer in bytes.
pub fn program(limit: u64) -> String {
    // 1 % for line breaks, and a few units for the numbers.
    let count = limit.saturating_sub(Unit::Utf16.size(PROGRAM) as u64 + 20) * 99 / 100;
    let digits: Vec<u64> = (0..count).map(|i| i % Alphabet::Wide.radix()).collect();
    let program = PROGRAM.replace("@limit@", &limit.to_string()).replace("@count@", &count.to_string());
    program.replace("@text@", &Alphabet::Wide.written(&digits))
}

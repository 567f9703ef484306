//! Files of our own in place of some of the registry's, which need system libraries or procedural macros.
//!
//! A stand-in has all that other crates use of the file it replaces, and the same values where these are determined.

use crate::plan::{Plan, Unit};
use crate::syntax::text::{Files, Text};
use std::path::Path;

#[cfg(test)]
mod chacha;
#[cfg(test)]
mod getrandom2;

/// A file in place of another.
#[derive(Debug)]
pub struct StandIn {
    package: &'static str,
    /// The versions that it fits, by their beginning.
    versions: &'static [&'static str],
    /// The path within the package.
    file: &'static str,
    with: With,
    /// The difference, as a note.
    note: &'static str,
}

/// The replacement of a file.
#[derive(Debug)]
enum With {
    /// Another text.
    Text(&'static str),
    /// The file's text with one part replaced.
    Part { from: &'static str, to: &'static str },
}

const SEEDS: &str = "takes its random bytes from the keys of std's hash maps instead of calling the system";

const STAND_INS: &[StandIn] = &[
    StandIn {
        package: "getrandom",
        versions: &["0.1.", "0.2."],
        file: "src/lib.rs",
        with: With::Text(include_str!("getrandom2.rs")),
        note: SEEDS,
    },
    StandIn {
        package: "getrandom",
        versions: &["0.3.", "0.4."],
        file: "src/lib.rs",
        with: With::Text(include_str!("getrandom3.rs")),
        note: SEEDS,
    },
    StandIn {
        package: "rand_chacha",
        versions: &["0.2.", "0.3.", "0.9."],
        file: "src/guts.rs",
        with: With::Text(include_str!("chacha.rs")),
        note: "computes its blocks in plain integers instead of the vectors of ppv-lite86; its numbers are the same",
    },
    StandIn {
        package: "rand",
        versions: &["0.8."],
        file: "src/rngs/adapter/reseeding.rs",
        with: With::Part { from: FORK, to: "let ret = 0;\nlet _: extern \"C\" fn() = fork_handler;" },
        note: NO_FORKS,
    },
    StandIn {
        package: "rand",
        versions: &["0.7."],
        file: "src/rngs/adapter/reseeding.rs",
        with: With::Part {
            from: "unsafe {
            libc::pthread_atfork(None, None, Some(fork_handler));
        }",
            to: "{ let _: extern \"C\" fn() = fork_handler; }",
        },
        note: NO_FORKS,
    },
];

const NO_FORKS: &str = "does not notice a fork of the process";

/// The call of the system with which rand 0.8 watches for forks.
const FORK: &str = "let ret = unsafe { libc::pthread_atfork(
                Some(fork_handler),
                Some(fork_handler),
                Some(fork_handler),
            ) };";

/// The stand-in for a file of a crate.
fn stand_in(unit: &Unit, path: &Path) -> Option<&'static StandIn> {
    let fits = |s: &&StandIn| {
        unit.foreign
            && s.package == unit.package
            && s.versions.iter().any(|v| unit.version.starts_with(v))
            && path == unit.folder.join(s.file)
    };
    STAND_INS.iter().find(fits)
}

/// The text in place of a file of a crate; `read` is the file's own.
pub fn text(unit: &Unit, path: &Path, read: String) -> String {
    match stand_in(unit, path).map(|s| &s.with) {
        None => read,
        Some(With::Text(text)) => (*text).to_owned(),
        Some(With::Part { from, to }) => read.replace(from, to),
    }
}

/// A note for each stand-in that a text has parts of.
pub fn notes<'a>(plan: &'a Plan, text: &Text, files: &'a Files) -> impl Iterator<Item = String> + 'a {
    text.files().into_iter().filter_map(|file| {
        let path = files.path(file);
        let (unit, stand_in) = plan.libs.iter().find_map(|u| Some((u, stand_in(u, path)?)))?;
        Some(format!("{} {} {}", unit.package, unit.version, stand_in.note))
    })
}

#[cfg(test)]
mod tests {
    use super::chacha::ChaCha;

    /// RFC 8439, section 2.3.2: key 00 01 … 1f, nonce 00 00 00 09 00 00 00 4a 00 00 00 00, block 1.
    #[test]
    fn chacha_computes_the_blocks_of_the_rfc() {
        let mut key = [0; 32];
        (0..).zip(&mut key).for_each(|(i, byte)| *byte = i);
        let mut rng = ChaCha::new(&key, &[0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0]);
        rng.set_stream_param(0, rng.get_stream_param(0) | 1);
        let mut words = [0u32; 64];
        rng.refill4(10, &mut words);
        assert_eq!(words[..4], [0xe4e7_f110, 0x1559_3bd1, 0x1fdd_0f50, 0xc471_20a3]);
        assert_eq!(words[12..16], [0xd19c_12b5, 0xb94e_16de, 0xe883_d0cb, 0x4e3c_50a2]);
        assert_eq!((rng.get_block_pos() as u32, rng.get_seed()), (5, key));
        assert_eq!(rng.get_nonce(), 0x4a00_0000);
        rng.set_nonce(0x4a00_0000);
        rng.set_block_pos(0x0900_0000 << 32 | 1);
        let mut bytes = [0u8; 256];
        rng.refill4(10, &mut bytes);
        assert!(bytes.chunks(4).zip(words).all(|(four, word)| four == word.to_le_bytes()));
    }

    #[test]
    fn random_bytes_differ_and_fill_any_length() {
        let (mut a, mut b) = ([0; 61], [0; 61]);
        super::getrandom2::getrandom(&mut a).unwrap();
        super::getrandom2::getrandom(&mut b).unwrap();
        assert_ne!(a, b);
        let kinds: std::collections::HashSet<u8> = a.iter().chain(&b).copied().collect();
        assert!(kinds.len() > 50, "{}", kinds.len());
    }
}

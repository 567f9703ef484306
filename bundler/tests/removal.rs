//! What nothing needs goes, in crates of a registry too; what is needed without being named stays.

mod common;

use common::{fixture, plays_the_same};
use std::path::Path;

#[test]
fn what_nothing_needs_goes() {
    let bundle = plays_the_same(&fixture("removal"), "removal");
    for dead in [
        "never in a bundle",
        "marker_of",
        "Mul",
        "u128",
        "#[derive(Hash",
        "narrowest",
        "marker_of_write",
        "7777",
    ] {
        assert!(!bundle.contains(dead), "{dead} is left:\n{bundle}");
    }
    for live in [
        "impl Drop",
        "impl From<std::num::ParseIntError>",
        "impl std::iter::Sum",
        "fmt::Display",
        "asked_by_assertions_only",
        "0x10",
    ] {
        assert!(bundle.contains(live), "{live} is gone:\n{bundle}");
    }
}

/// What the crates add to a bundle: all but the bot's own module and the root before the first crate's.
fn of_crates(bundle: &str) -> usize {
    let root = bundle.find("mod arrayvec").unwrap();
    let own = &bundle[bundle.find("mod breakthrough").unwrap()..];
    // The strings of the bot have as many closing braces as opening ones.
    let mut depth = 0usize;
    let end = own.char_indices().find(|(_, c)| {
        depth = depth + usize::from(*c == '{') - usize::from(*c == '}');
        depth == 0 && *c == '}'
    });
    bundle.len() - root - end.unwrap().0
}

#[test]
#[ignore = "compiles five crates many times"]
fn four_crates() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/crates");
    for (bin, most) in [("breakthrough", 40_000), ("breakthrough-rand08", 40_000)] {
        let bundle = plays_the_same(&folder, bin);
        println!("{bin}: the crates add {} bytes", of_crates(&bundle));
        assert!(of_crates(&bundle) <= most, "{bin}: {} bytes of crates", of_crates(&bundle));
    }
}

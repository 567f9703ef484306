//! What nothing needs goes, in crates of a registry too; what is needed without being named stays.

mod common;

use common::{fixture, plays_the_same};
use std::path::Path;

#[test]
fn what_nothing_needs_goes() {
    let bundle = plays_the_same(&fixture("removal"), "removal");
    for dead in ["never in a bundle", "marker_of", "Mul", "u128", "Hash", "narrowest"] {
        assert!(!bundle.contains(dead), "{dead} is left:\n{bundle}");
    }
    for live in ["impl Drop", "impl From<std::num::ParseIntError>", "impl std::iter::Sum", "fmt::Display"] {
        assert!(bundle.contains(live), "{live} is gone:\n{bundle}");
    }
}

/// The bytes of a bundle outside the bot's own module and root.
fn of_crates(bundle: &str) -> usize {
    let own = bundle.split("pub mod breakthrough {").nth(1).unwrap_or("");
    let end = ["\n\npub mod rand_core", "\npub mod rand_core", "\npub mod rand"];
    let end = end.iter().filter_map(|e| own.find(e)).min().unwrap_or(own.len());
    let root = bundle.find("pub mod arrayvec").unwrap_or(0);
    bundle.len() - end - root
}

#[test]
#[ignore = "compiles five crates many times"]
fn four_crates() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/crates");
    for (bin, most) in [("breakthrough", 50_000), ("breakthrough-rand08", 40_000)] {
        let bundle = plays_the_same(&folder, bin);
        assert!(of_crates(&bundle) <= most, "{bin}: {} bytes of crates", of_crates(&bundle));
    }
}

//! Bundles tricky fixtures: each bundle compiles alone without a warning and behaves like the original.

mod common;

use common::{bundled, fixture, plays_the_same, run_alone, Run};

/// Markers of code that must not be in any bundle.
const NEVER: &[&str] = &["never in a bundle", "never_in_a_bundle", "marker_of"];

fn same(name: &str, bin: &str) -> String {
    let bundle = plays_the_same(&fixture(name), bin);
    for marker in NEVER {
        assert!(!bundle.contains(marker), "{marker:?} is in the bundle of {name}");
    }
    bundle
}

#[test]
fn modules() {
    let bundle = same("modules", "modules");
    assert!(!bundle.contains("mod dead"), "a dead module is left:\n{bundle}");
    assert!(!bundle.contains("unused"), "a dead item is left:\n{bundle}");
    assert!(!bundle.contains('\r') && !bundle.contains('\u{feff}'));
    assert!(!bundle.contains("/*") && bundle.matches("//").count() == 1, "comments are left:\n{bundle}");
}

#[test]
fn macros_and_features() {
    let bundle = same("macros", "macros");
    assert!(!bundle.contains("never_used"), "a dead macro is left:\n{bundle}");
    assert!(!bundle.contains("feature"), "a decided cfg is left:\n{bundle}");
}

#[test]
fn names() {
    same("names", "names");
}

#[test]
fn traits() {
    let bundle = same("traits", "player");
    for dead in ["mod other", "Unused", "unused_required", "never_called", "marked"] {
        assert!(!bundle.contains(dead), "{dead} is left:\n{bundle}");
    }
    assert!(bundle.contains("cfg(target_arch = \"aarch64\")"), "code for another target is gone:\n{bundle}");
    assert!(!bundle.contains("allow("), "a lint is allowed:\n{bundle}");
}

#[test]
fn effects_impls_and_edition_2015() {
    let bundle = same("traps", "traps");
    assert!(!bundle.contains("mod old {") || bundle.contains("_: &mut State"), "{bundle}");
    assert!(!bundle.contains("scripted"), "a dead module is left:\n{bundle}");
}

#[test]
fn an_example() {
    let run = Run::bundler(&fixture("traits"), &["shown"]);
    assert!(run.stdout.contains("the example `shown`") || run.stdout.contains("The example `shown`"));
    assert!(!run.stdout.contains("Guard"), "{}", run.stdout);
}

#[test]
fn a_dead_derive_is_accepted() {
    let bundle = bundled(&fixture("refused"), "dead-derive");
    assert!(!bundle.contains("Dead"), "{bundle}");
}

#[test]
fn items_used_on_another_target_stay() {
    let bundle = same("targets", "targets");
    assert!(bundle.contains("fn only_elsewhere"), "an item that another target needs is gone:\n{bundle}");
    assert!(!bundle.contains("fn nowhere_at_all"), "{bundle}");
}

#[test]
fn bundles_do_not_depend_on_the_path() {
    let copy = tempfile::tempdir().unwrap();
    let from = fixture("macros");
    common::copy(&from, &copy.path().join("elsewhere"));
    assert_eq!(bundled(&from, "macros"), bundled(&copy.path().join("elsewhere"), "macros"));
}

#[test]
fn from_a_subfolder_and_without_a_name() {
    let inside = fixture("names").join("my-hyphen/src");
    assert_eq!(Run::bundler(&inside, &["names"]).stdout, bundled(&fixture("names"), "names"));
    let alone = Run::bundler(&fixture("modules").join("src/within"), &[]);
    assert_eq!(alone.stdout, bundled(&fixture("modules"), "modules"));
    let said: Vec<&str> = alone.stderr.lines().filter(|l| !l.starts_with("bundler: ")).collect();
    let [summary, proof] = said[..] else { panic!("{}", alone.stderr) };
    assert!(summary.starts_with("bundled: "), "{summary}");
    assert!(proof.starts_with("proved: compiles without a warning on rustc 1."), "{proof}");
    assert!(proof.contains(" functions, the same since merging"), "{proof}");
}

#[test]
fn cfg_bundled() {
    let folder = fixture("in-bundles");
    let bundle = bundled(&folder, "in-bundles");
    assert_eq!(common::original(&folder, "in-bundles"), "whole 2 7 of the library\n");
    assert_eq!(run_alone(&bundle, "in-bundles"), "bundled 1 7 of the bundle\n");
    for left in ["never", "cfg", "set_by_hand"] {
        assert!(!bundle.contains(left), "{left} is left:\n{bundle}");
    }
}

/// A module for another target needs no file, as rustc reads none.
#[test]
fn modules_of_other_targets_may_be_missing() {
    let folder = common::workspace(&[
        ("Cargo.toml", &common::manifest("bot", "")),
        ("src/main.rs", "#[cfg(windows)]\nmod win;\n#[cfg(windows)]\nuse win::f;\n#[cfg(not(windows))]\nfn f() -> u8 { 7 }\nfn main() { println!(\"{}\", f()) }\n"),
    ]);
    let bundle = bundled(folder.path(), "bot");
    if cfg!(not(windows)) {
        assert_eq!(run_alone(&bundle, "bot"), "7\n");
    }
}

mod slow {
    use super::*;

    /// The shapes of a contest player's library: modules of algorithms, macros for input, traits with constants, const
    /// generics, operators made by macros, annealing.
    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn a_library_of_algorithms() {
        for bin in ["parts", "tour"] {
            same("contest-library", bin);
        }
        let folder = fixture("contest-library");
        let run = Run::bundler(&folder, &["sums"]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert_eq!(run_alone(&run.stdout, "sums"), common::original(&folder, "sums"));
        let notes: Vec<&str> = run.stderr.lines().filter(|line| line.starts_with("note")).collect();
        assert!(notes.iter().all(|note| note.contains("may differ")), "{notes:?}");
    }

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn files_as_text() {
        let bundle = same("assets", "assets");
        assert!(!bundle.contains("include_bytes"), "{bundle}");
        assert!(
            bundle.contains("fn WEIGHTS()"),
            "a static with a file is decoded by the compiler:\n{bundle}"
        );
        assert!(bundle.contains("fn modelled"), "nothing is entropy-coded:\n{bundle}");
    }
}

#[test]
#[ignore = "slow: .ci/deep runs it"]
fn files_as_wide_text() {
    let folder = fixture("assets");
    let run = Run::bundler(&folder, &["--limit", "chars"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let ascii = bundled(&folder, "assets");
    assert!(run.stdout.chars().count() * 10 < ascii.len() * 7, "{}", run.stdout.chars().count());
    assert_eq!(run_alone(&run.stdout, "assets"), run_alone(&ascii, "assets"));
}

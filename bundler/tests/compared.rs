//! `--compare-build`: the bundle's functions are those of cargo's own build, or the report names the first that differs.

mod common;

use common::{fixture, Run};
use std::path::Path;

/// The lines of a report on what is proved.
fn proofs(folder: &Path, bin: &str) -> String {
    let run = Run::bundler(folder, &[bin, "--compare-build", "--limit", "10000000"]);
    assert_eq!(run.status, 0, "{bin}: {}", run.stderr);
    run.stderr.lines().filter(|line| line.contains("proved: ")).collect::<Vec<_>>().join("\n")
}

fn is_same(folder: &Path, bin: &str) -> bool {
    proofs(folder, bin).contains(" functions the same as in cargo's build")
}

/// Libraries, macros of several crates, and functions that only std calls.
#[test]
fn bundles_have_the_code_of_cargos_build() {
    for name in ["global-allocator", "macros", "two-versions"] {
        let proofs = proofs(&fixture(name), name);
        let words: Vec<&str> = proofs.split_whitespace().collect();
        let of = words.windows(2).position(|pair| pair == ["functions", "the"]).unwrap_or_default();
        let is_whole = of > 2 && words[of - 1] == words[of - 3];
        assert!(is_whole && proofs.contains("the same as in cargo's build"), "{name}: {proofs}");
    }
}

#[test]
fn the_first_function_that_differs_is_named() {
    let proofs = proofs(&fixture("edition-2018"), "edition-2018");
    assert!(proofs.contains("not proved: the same as cargo's build: "), "{proofs}");
    assert!(proofs.contains("bundle::former::total differs"), "{proofs}");
}

/// Its macro takes no documentation in a bundle.
#[test]
fn a_source_that_does_not_compile_as_a_bundle() {
    let proofs = proofs(&fixture("in-bundles"), "in-bundles");
    assert!(proofs.contains("which fails with `--cfg bundled`: error: no rules expected"), "{proofs}");
}

mod slow {
    use super::*;
    use crate::common::{manifest, workspace};

    /// Cargo takes these in place of those for all targets, to which ours are added first.
    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn flags_for_a_target_are_kept() {
        let folder = workspace(&[
            ("Cargo.toml", &manifest("bot", "[workspace]\n")),
            (".cargo/config.toml", "[target.'cfg(all())']\nrustflags = [\"--cfg\", \"special\"]\n"),
            (
                "src/main.rs",
                "#[cfg(special)]\nfn main() { println!(\"special\") }\n#[cfg(not(special))]\nfn main() {}\n",
            ),
        ]);
        assert!(is_same(folder.path(), "bot"));
    }

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn functions_that_decode_files_differ() {
        let proofs = proofs(&fixture("assets"), "assets");
        assert!(proofs.contains("differs; the bundle decodes "), "{proofs}");
    }
}

mod deep {
    use super::*;

    /// Fixtures that differ: code of edition 2018 that another edition reads otherwise, and messages with paths.
    const DIFFERENT: [&str; 2] = ["edition-2018", "names-of-builtins"];

    #[test]
    #[ignore = "bundles every trap"]
    fn every_trap_but_two_is_the_same() {
        for entry in std::fs::read_dir(fixture("macros").parent().unwrap()).unwrap() {
            let folder = entry.unwrap().path();
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            let is_trap =
                std::fs::read_to_string(folder.join("Cargo.toml")).is_ok_and(|t| t.starts_with("# Trap: "));
            if is_trap {
                assert_eq!(is_same(&folder, &name), !DIFFERENT.contains(&name.as_str()), "{name}");
            }
        }
    }
}

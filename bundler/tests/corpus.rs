//! Registry crates as contests use them: each bundle compiles alone, on this compiler and on Rust 1.85, without a
//! warning, and prints what the original prints; what cannot be bundled is refused with place and reason.
//!
//! Missing crates are fetched once; everything else is offline. Rust 1.85 is expected at /usr/bin/rustc, or where
//! OLD_RUSTC says; without it only this compiler is used.

mod common;

use common::{original, run_alone, Run};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;

/// A limit that no crate reaches; other tests check that bundles are small.
const NO_LIMIT: [&str; 2] = ["--limit", "10000000"];

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

fn bundler(name: &str) -> Run {
    bundler_with(name, &[])
}

fn bundler_with(name: &str, arguments: &[&str]) -> Run {
    fetch();
    let run = Run::bundler(&corpus().join(name), &[&[name][..], &NO_LIMIT, arguments].concat());
    assert!(
        !run.stderr.contains("attempting to make an HTTP request"),
        "the crates are not downloaded: this test needs the network once"
    );
    run
}

/// Fetches the crates. An error is ignored, since they may already be there.
fn fetch() {
    static FETCHED: Once = Once::new();
    FETCHED.call_once(|| {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
        let _ = Command::new(cargo).args(["fetch", "--locked", "--quiet"]).current_dir(corpus()).status();
    });
}

fn old_rustc() -> Option<PathBuf> {
    let path = std::env::var_os("OLD_RUSTC").map_or_else(|| "/usr/bin/rustc".into(), PathBuf::from);
    let said = Command::new(&path).arg("--version").output().ok()?;
    String::from_utf8_lossy(&said.stdout).starts_with("rustc 1.85").then_some(path)
}

/// Programs with a trait that is only a bound of an associated type: Rust 1.85 takes it for unused, later compilers don't.
const ONLY_BOUNDS: [&str; 1] = ["on-bitflags2"];

fn compiles_on(rustc: &Path, bundle: &str, name: &str) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("submit.rs"), bundle).unwrap();
    let compiled = Command::new(rustc)
        .args(["--edition", "2021", "-D", "warnings", "--emit=metadata", "submit.rs"])
        // A lint that only compilers of that time have.
        .args(["-A", "elided-named-lifetimes"])
        .args(if ONLY_BOUNDS.contains(&name) { &["-A", "dead-code"][..] } else { &[] })
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "on {}, {name}:\n{said}", rustc.display());
}

fn works(name: &str) {
    works_with(name, bundler(name));
}

fn works_with(name: &str, run: Run) {
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(run_alone(&run.stdout, name), original(&corpus(), name));
    if let Some(old) = old_rustc() {
        compiles_on(&old, &run.stdout, name);
    }
}

fn refused(name: &str, expected: &[&str]) {
    let run = bundler(name);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{}", run.stderr);
    for part in expected {
        assert!(run.stderr.contains(part), "{name}: no {part:?} in:\n{}", run.stderr);
    }
    assert!(!run.stderr.contains("bug in the bundler"), "{}", run.stderr);
}

/// The versions are compared before anything is compiled.
#[test]
fn another_version_on_the_site() {
    let run = bundler_with("on-proconio04-derive", &["--platform", "atcoder"]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{}", run.stderr);
    for part in ["src/main.rs:3:3: `#[fastout]`", "proconio 0.4.5", "AtCoder has proconio 0.5.0"] {
        assert!(run.stderr.contains(part), "no {part:?} in:\n{}", run.stderr);
    }
    assert!(!run.stderr.contains("--platform atcoder"), "{}", run.stderr);
}

#[test]
fn smallvec() {
    works("on-smallvec");
}

/// The other packages that bots are made of.
mod slow {
    use super::works;

    macro_rules! works {
        ($($name:ident)*) => {
            $(#[test] #[ignore = "slow: .ci/run runs it"] fn $name() {
                works(&concat!("on-", stringify!($name)).replace('_', "-"))
            })*
        };
    }

    works!(arrayvec fxhash);
}

mod more {
    use super::{bundler, refused, works, works_with};

    macro_rules! works {
        ($($name:ident)*) => {
            $(#[test] #[ignore = "compiles a crate of the registry"] fn $name() {
                works(&concat!("on-", stringify!($name)).replace('_', "-"))
            })*
        };
    }

    works!(ac_library annealing anyhow ascii bit_set bit_vec bitflags1 bitflags2 bumpalo bytemuck byteorder cfg_if either fastrand fixedbitset
        glam hashbrown heapless indexmap itertools itoa lazy_static libm matrixmultiply memchr ndarray nom num_bigint num_integer num_rational num_traits
        once_cell ordered_float permutohedron petgraph priority_queue proconio proconio03 proconio04
        rand7 rand8 rand8_default rand9 rand9_default rand10_default rand_distr rand_chacha rand_pcg rand_xoshiro regex rustc_hash
        scopeguard slab slotmap smallstr static_assertions superslice text_io tinyvec typed_arena
        cargo_snippet chrono fnv itertools10 itertools11 itertools12 itertools13 num_complex wide);

    /// Of crates with impls for every number, only what the program contains is left.
    #[test]
    #[ignore = "compiles crates of the registry"]
    fn crates_of_numbers_are_small() {
        for (name, most) in [("on-primes", 12_000), ("on-ordered-float", 8_000), ("on-num-integer", 12_000)] {
            let run = bundler(name);
            assert!(!run.stderr.contains("kept"), "{name}: {}", run.stderr);
            assert!(run.stdout.len() <= most, "{name}: {} bytes", run.stdout.len());
            works_with(name, run);
        }
    }

    #[test]
    #[ignore = "compiles crates of the registry"]
    fn crates_have_the_code_of_cargos_build() {
        for name in ["on-arrayvec", "on-byteorder", "on-proconio", "on-rand8", "on-smallvec"] {
            let run = super::bundler_with(name, &["--compare-build"]);
            assert!(run.stderr.contains("functions the same as in cargo's build"), "{name}: {}", run.stderr);
        }
    }

    #[test]
    #[ignore = "compiles a crate of the registry"]
    fn derives_are_expanded() {
        super::fetch();
        for name in ["on-derive-more", "on-derive-more1", "on-pathfinding", "on-serde", "on-strum"] {
            let arguments = [&[name, "--expand-derives"][..], &super::NO_LIMIT].concat();
            works_with(name, super::Run::bundler(&super::corpus().join(name), &arguments));
        }
    }

    #[test]
    #[ignore = "compiles a crate of the registry"]
    fn no_package_is_without_an_assertion() {
        let source = include_str!("corpus.rs");
        for entry in std::fs::read_dir(super::corpus()).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let Some(package) = name.strip_prefix("on-") else { continue };
            let word = package.replace('-', "_");
            let is_listed = source.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == word);
            assert!(is_listed || source.contains(&name), "{name}");
        }
    }

    #[test]
    #[ignore = "compiles a crate of the registry"]
    fn crates_of_a_site_are_not_inlined() {
        super::fetch();
        let folder = super::corpus().join("on-itertools");
        let run = super::Run::bundler(&folder, &["--platform", "atcoder"]);
        assert!(
            run.stdout.contains("use itertools::") && !run.stdout.contains("mod itertools"),
            "{}",
            run.stderr
        );
        let run = super::Run::bundler(&folder, &["--platform", "codingame", "--limit", "500000"]);
        assert!(run.stdout.contains("mod itertools"), "{}", run.stderr);
    }

    #[test]
    #[ignore = "compiles a crate of the registry"]
    fn messages_that_may_differ_are_noted() {
        super::fetch();
        let folder = super::corpus().join("on-proconio");
        let run = super::Run::bundler(&folder, &[]);
        assert!(run.stderr.contains("may differ: `type_name` at "), "{}", run.stderr);
        let run = super::Run::bundler(&folder, &["--strict"]);
        assert_eq!(run.status, 1, "{}", run.stderr);
        assert!(run.stderr.contains("proconio-0.5.0/src/source/mod.rs:"), "{}", run.stderr);
    }

    #[test]
    #[ignore = "compiles a crate of the registry"]
    fn other_crates_are_refused() {
        refused("on-derive-more", &["src/main.rs:1", "derive(Add)", "cargo expand"]);
        refused("on-serde", &["src/main.rs:1", "derive(Serialize)", "cargo expand"]);
        refused("on-libc", &["libc-0.2.", "It is there because the Cargo.toml of `on-libc` asks for `libc`"]);
        refused(
            "on-bitvec",
            &["funty-2.0.0/src/lib.rs:", "`on-bitvec` asks for `bitvec`", "asks for `funty`"],
        );
        refused("on-strum", &["src/main.rs:3", "derive(Display)", "--expand-derives"]);
        refused(
            "on-pathfinding",
            &["matrix.rs:", "derive(Error)", "--expand-derives", "asks for `pathfinding`"],
        );
        refused(
            "on-ahash",
            &["zerocopy-0.8.", "a module of the bundle", "asks for `ahash`, which asks for `zerocopy`"],
        );
        refused(
            "on-nalgebra",
            &["simba-0.9.1/src/scalar/complex.rs:16", "of crate `paste`", "asks for `simba`"],
        );
    }
}

//! One small workspace for each trap of the language or of cargo: bundled, compiled alone without a warning, and run.
//!
//! Each folder of `tests/fixtures` whose `Cargo.toml` begins with `# Trap:` has one binary with the folder's name.

mod common;

use common::{bundler, fixture, Run};
use std::path::Path;
use std::process::Command;

/// The header line of a bundle of edition 2024.
const NEW: &str = "rustc -O --edition 2024\n";

/// The compilers that must accept a bundle: the current one, and an old one if there is one.
fn compilers() -> Vec<String> {
    let current = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let old = std::env::var("BUNDLER_OLD_RUSTC").unwrap_or_else(|_| "/usr/bin/rustc".into());
    let version =
        Command::new(&old).arg("-V").output().map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
    let is_old = version.is_ok_and(|v| v.starts_with("rustc 1.85"));
    std::iter::once(current).chain(is_old.then_some(old)).collect()
}

/// Runs the workspace's own binary.
fn original(folder: &Path, bin: &str) -> Run {
    let target = common::target(folder);
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--bin", bin])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", &target)
        .env("CARGO_NET_OFFLINE", "true")
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let program = target.join("debug").join(format!("{bin}{}", std::env::consts::EXE_SUFFIX));
    Run::of(Command::new(program).current_dir(folder).output().unwrap())
}

/// Compiles a bundle alone, with warnings denied, and runs it.
fn alone(bundle: &str, compiler: &str) -> Run {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("submit.rs"), bundle).unwrap();
    let edition = if bundle.contains(NEW) { "2024" } else { "2021" };
    let compiled = Command::new(compiler)
        .args(["--edition", edition, "-O", "-D", "warnings", "submit.rs", "-o", "submit"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&compiled.stderr).into_owned();
    assert!(compiled.status.success(), "{compiler} does not compile it:\n{stderr}\n{bundle}");
    Run::of(Command::new(folder.path().join("submit")).output().unwrap())
}

/// Bundles, compiles with every compiler, and compares with the original.
fn trap(name: &str) {
    let folder = fixture(name);
    let run = Run::bundler(&folder, &[name]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let is_expected = |line: &str| line.contains("--edition 2024") || line.contains("may differ: `file!`");
    let undone = run.stderr.lines().find(|l| l.starts_with("note:") && !is_expected(l));
    assert_eq!(undone, None, "a step was undone");
    let original = original(&folder, name);
    assert!(!original.stdout.is_empty(), "{name} prints nothing: {}", original.stderr);
    for compiler in compilers() {
        // Code that needs edition 2024 may need a newer compiler than the first with that edition.
        if compiler != compilers()[0] && run.stdout.contains(NEW) {
            continue;
        }
        let run = alone(&run.stdout, &compiler);
        assert_eq!(
            (run.status, &run.stdout),
            (original.status, &original.stdout),
            "{name} by {compiler}: {}",
            run.stderr
        );
    }
    assert!(!run.stdout.contains("never in a bundle"), "{}", run.stdout);
}

macro_rules! traps {
    (@one [$($attribute:meta)?] $test:ident $name:literal) => {
        #[test]
        $(#[$attribute])?
        fn $test() {
            super::trap($name);
        }
    };
    ($attributes:tt $($test:ident $name:literal;)*) => {
        $(traps!(@one $attributes $test $name);)*
        pub const TRAPS: &[&str] = &[$($name),*];
    };
}

/// One of each kind: editions, features, build scripts, files, macros, modules, versions.
mod quick {
    traps! {
        []
        edition_2015 "edition-2015";
        edition_2024_plain "edition-2024-plain";
        features_of_one "features-of-one";
        generated_by_script "generated-by-script";
        docs_in_macros "docs-in-macros";
        features_in_macros "features-in-macros";
        include_text "include-text";
        macros_across "macros-across";
        modules_in_functions "modules-in-functions";
        two_versions "two-versions";
    }
}

mod slow {
    traps! {
        [ignore = "slow: .ci/run runs it"]
        build_script_cfgs "build-script-cfgs";
        edition_2018 "edition-2018";
        edition_2018_closures "edition-2018-closures";
        edition_2024_chains "edition-2024-chains";
        env_values "env-values";
        extern_crate_as "extern-crate-as";
        flags_cfgs "flags-cfgs";
        global_allocator "global-allocator";
        include_source "include-source";
        include_by_cfg "include-by-cfg";
        macro_siblings "macro-siblings";
        macros_of_private_modules "macros-of-private-modules";
        macro_crate_paths "macro-crate-paths";
        macro_order "macro-order";
        macro_use "macro-use";
        macros_by_path "macros-by-path";
        module_named_like_refused "module-named-like-refused";
        modules_by_macro "modules-by-macro";
        names_of_builtins "names-of-builtins";
        path_by_cfg_attr "path-by-cfg-attr";
        raw_names "raw-names";
        restricted_visibility "restricted-visibility";
        stringify_names "stringify-names";
    }
}

/// The bundle is compiled as a package that depends on the external crates alone.
#[test]
fn external_crate() {
    let folder = fixture("external-crate");
    let run = Run::bundler(&folder, &["--external", "given", "--external", "second-given"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(!run.stdout.contains("fn double(") && !run.stdout.contains("\"second\""), "{}", run.stdout);
    assert!(run.stdout.contains("mod between"), "{}", run.stdout);
    let site = tempfile::tempdir().unwrap();
    common::copy(&folder, site.path());
    std::fs::write(site.path().join("src/main.rs"), &run.stdout).unwrap();
    let manifest = site.path().join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let lines =
        text.lines().filter(|l| !l.starts_with("between")).map(|l| l.replace("kept_name", "second_given"));
    std::fs::write(
        &manifest,
        lines.collect::<Vec<_>>().join("\n").replace("external-crate", "external-site"),
    )
    .unwrap();
    let there = original(site.path(), "external-site");
    assert_eq!(there.stdout, original(&folder, "external-crate").stdout);
}

#[test]
fn an_unknown_external_crate() {
    let output = bundler(&fixture("external-crate")).args(["--external", "gven"]).output().unwrap();
    let run = Run::of(output);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("--external gven"), "{}", run.stderr);
}

#[test]
fn every_trap_is_tested() {
    let mut folders: Vec<String> =
        std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| {
                std::fs::read_to_string(path.join("Cargo.toml")).is_ok_and(|t| t.starts_with("# Trap: "))
            })
            .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
    folders.sort();
    let mut traps = [quick::TRAPS, slow::TRAPS, &["external-crate"]].concat();
    traps.sort_unstable();
    assert_eq!(traps, folders);
}

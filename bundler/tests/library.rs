//! The library, as another tool calls it.

mod common;

use bundler::{bundle, Cargo, Error, Limit, Options, Platform, Unit};
use common::{fixture, manifest, workspace};

/// Options for a workspace, without compiling.
fn options(folder: &std::path::Path) -> Options {
    let manifest_path = Some(folder.join("Cargo.toml"));
    Options { manifest_path, check: false, cache: false, ..Options::default() }
}

#[test]
fn bundles_describe_themselves() {
    let toml = manifest("bot", "[dependencies]\nlib = { path = \"lib\" }\n");
    let main = "fn main() { println!(\"{} {}\", lib::f(), include_str!(\"data.txt\")) }\n";
    let folder = workspace(&[
        ("Cargo.toml", &toml),
        ("src/main.rs", main),
        ("src/data.txt", "data"),
        ("lib/Cargo.toml", &manifest("lib", "")),
        ("lib/src/lib.rs", "pub fn f() -> u8 { 7 }\n"),
    ]);
    let bundle = bundle(&options(folder.path())).unwrap();
    assert_eq!(bundle.size.bytes, bundle.text.len());
    assert_eq!((bundle.target.kind, bundle.target.name.as_str()), ("binary", "bot"));
    assert_eq!(bundle.crates.iter().map(|c| c.bytes).sum::<usize>(), bundle.text.len());
    let folder = std::fs::canonicalize(folder.path()).unwrap();
    let files: Vec<String> = bundle
        .files
        .iter()
        .map(|f| std::fs::canonicalize(f).unwrap())
        .map(|f| f.strip_prefix(&folder).unwrap().to_string_lossy().replace('\\', "/"))
        .collect();
    let wanted =
        ["Cargo.lock", "Cargo.toml", "lib/Cargo.toml", "lib/src/lib.rs", "src/data.txt", "src/main.rs"];
    assert_eq!(files, wanted);
    let again: serde_json::Value = serde_json::from_str(&bundle.json()).unwrap();
    for field in [
        "target", "edition", "size", "limit", "crates", "assets", "proofs", "steps", "files", "times",
        "notes",
    ] {
        assert!(!again[field].is_null(), "{field}");
    }
}

#[test]
fn errors_have_a_kind_and_a_place() {
    let folder = fixture("refused");
    let fails = |bin: &str| bundle(&Options { bin: Some(bin.into()), ..options(&folder) }).unwrap_err();
    let refused = fails("derived");
    let place = refused.place().unwrap();
    assert_eq!((refused.kind(), refused.status(), place.line), ("refused", 1, Some(5)));
    assert!(place.file.ends_with("derived.rs"), "{}", place.file);
    assert_eq!((fails("none-such").kind(), fails("none-such").place()), ("usage", None));
}

#[test]
fn errors_are_coloured_on_request() {
    let folder = fixture("refused");
    let said = |color: bool| {
        let cargo = Cargo { color, ..Cargo::default() };
        let bin = Some("broken".into());
        bundle(&Options { bin, check: true, cargo, ..options(&folder) }).unwrap_err()
    };
    // Cargo builds in the tests' target folder, not in the fixture.
    std::env::set_var("CARGO_TARGET_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/target"));
    let (plain, coloured) = (said(false), said(true));
    assert!(!plain.to_string().contains('\u{1b}') && coloured.to_string().contains('\u{1b}'), "{coloured}");
    assert_eq!(plain.place(), coloured.place());
    assert_eq!((plain.kind(), plain.place().and_then(|p| p.line)), ("source", Some(2)));
}

#[test]
fn over_limit_errors_hold_the_bundle() {
    let limit = Limit { size: 20, unit: Unit::Chars };
    let options = Options { limit, ..options(&fixture("modules")) };
    match bundle(&options) {
        Err(Error::OverLimit { bundle, message }) => {
            assert!(bundle.size.chars > 20 && message.contains("over the limit of 20"), "{message}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn platforms_provide_crates() {
    let options = Options {
        platform: Platform::named("atcoder").ok(),
        external: vec!["mine".into()],
        ..Options::default()
    };
    assert!(options.is_external("itertools", "0.14.0") && options.is_external("mine", "0.1.0"));
    assert!(!options.is_external("itertools", "0.13.0") && !options.is_external("smallvec", "2.0.0"));
}

/// An unchanged program is not bundled again; a changed file that it includes counts.
#[test]
fn results_are_kept_until_a_file_changes() {
    let folder = workspace(&[
        ("Cargo.toml", &manifest("bot", "")),
        ("src/main.rs", "fn main() { println!(\"{}\", include_str!(\"data.txt\")) }\n"),
        ("src/data.txt", "first"),
    ]);
    let options = Options { check: true, cache: true, ..options(folder.path()) };
    let one = bundle(&options).unwrap();
    let two = bundle(&options).unwrap();
    assert_eq!((&one.text, one.map.json(), &one.files), (&two.text, two.map.json(), &two.files));
    assert!(one.json() == two.json(), "the kept result has its own times too");
    std::fs::write(folder.path().join("src/data.txt"), "second").unwrap();
    let three = bundle(&options).unwrap();
    assert!(three.text.contains("second") && !three.text.contains("first"), "{}", three.text);
    let shorter = bundle(&Options { minify: Some(bundler::Minify::Space), ..options }).unwrap();
    assert!(shorter.text.len() < three.text.len());
}

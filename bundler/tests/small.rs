//! Minified bundles behave like the original, and their maps lead back to the source.

mod common;

use bundler::internals::{columns, Kind, Tokens};
use bundler::{Map, MapIndex};
use common::{
    bundled, bundled_with, bundler, fixture, manifest, original, run_alone, run_alone_with, workspace, Run,
};
use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Every binary that the fixtures bundle.
const BINARIES: &[(&str, &str)] = &[
    ("modules", "modules"),
    ("macros", "macros"),
    ("names", "names"),
    ("traits", "player"),
    ("traps", "traps"),
    ("targets", "targets"),
    ("short", "short"),
    ("pasted", "pasted"),
];

#[test]
fn a_minified_bundle_behaves_the_same() {
    minified_behave_the_same(&[("names", "names")]);
}

fn minified_behave_the_same(binaries: &[(&str, &str)]) {
    for (folder, bin) in binaries {
        let folder = fixture(folder);
        let plain = bundled(&folder, bin);
        let expected = original(&folder, bin);
        assert_eq!(run_alone(&plain, bin), expected, "{bin}");
        let mut last = plain.len();
        for level in ["space", "names"] {
            let (small, _) = &*mapped(&folder, bin, level);
            assert!(small.len() < last, "{bin}, {level}: {} and {last}", small.len());
            assert_eq!(run_alone(small, bin), expected, "{bin}, {level}");
            last = small.len();
        }
    }
}

/// Without `--minify`, the limit chooses the level, and the result is what `--minify` makes of that level.
#[test]
fn the_least_level_that_fits_is_taken() {
    let folder = fixture("short");
    let [comments, space, names] =
        ["comments", "space", "names"].map(|level| mapped(&folder, "short", level).0.clone());
    let [plain, dense, least] = [&comments, &space, &names].map(String::len);
    let run = |limit: usize, more: &[&str]| {
        Run::bundler(&folder, &[&["short", "--limit", &limit.to_string()], more].concat())
    };
    let lower = |name: &str, size: usize| format!("because `{name}` would have {} bytes\n", thousands(size));
    for (limit, bundle, reason) in [
        (plain, &comments, String::new()),
        (plain - 1, &space, format!("minified: `space`, {}", lower("comments", plain))),
        (dense, &space, format!("minified: `space`, {}", lower("comments", plain))),
        (dense - 1, &names, format!("minified: `names`, {}", lower("space", dense))),
    ] {
        let run = run(limit, &[]);
        assert_eq!((run.status, &run.stdout), (0, bundle), "{limit}: {}", run.stderr);
        assert_eq!(run.stderr.contains("minified:"), !reason.is_empty(), "{limit}: {}", run.stderr);
        assert!(run.stderr.contains(&reason), "{limit}: {}", run.stderr);
        let proof = run.stderr.lines().find(|line| line.starts_with("proved: compiles without a warning"));
        assert!(proof.is_some_and(|proof| proof.contains("the same since merging")), "{}", run.stderr);
    }
    let report: serde_json::Value = serde_json::from_str(&run(dense - 1, &["--json"]).stdout).unwrap();
    let over = [("comments", plain), ("space", dense)]
        .map(|(level, size)| serde_json::json!({ "level": level, "size": size }));
    assert_eq!(report["minified"], serde_json::json!({ "level": "names", "fixed": false, "over": over }));
    let tight = run(least - 1, &[]);
    assert_eq!((tight.status, tight.stdout.as_str()), (3, ""));
    let said = format!("{} bytes at the level `names`, 1 over the limit", thousands(least));
    assert!(tight.stderr.contains(&said) && tight.stderr.contains("no level"), "{}", tight.stderr);
    let fixed = run(plain - 1, &["--minify", "comments"]);
    assert_eq!((fixed.status, fixed.stdout.as_str()), (3, ""));
    let said = format!("{} bytes at the level `comments`, 1 over the limit", thousands(plain));
    let advice = "a higher --minify level makes it smaller";
    assert!(fixed.stderr.contains(&said) && fixed.stderr.contains(advice), "{}", fixed.stderr);
    assert_eq!(run_alone(&names, "short"), original(&folder, "short"));
}

/// A number as the bundler prints it; below a million.
fn thousands(n: usize) -> String {
    match n {
        0..1000 => n.to_string(),
        _ => format!("{},{:03}", n / 1000, n % 1000),
    }
}

#[test]
fn names_printed_by_a_macro_stay() {
    // Nothing in the text shows that `left_hand` is printed: the macro names neither the derive's fields nor its input.
    let main = "macro_rules! shown { ($(#[$m:meta])* $n:ident $b:tt) => { $(#[$m])* #[derive(Debug, Default)] struct $n $b }; }\n\
        shown!(Palm { left_hand: Hand, right_hand: Hand });\n\
        type Hand = u8;\nfn left_hand(many_fingers: u8) -> Palm { Palm { left_hand: many_fingers, ..Palm::default() } }\n\
        fn main() { let chosen_palm = left_hand(5); println!(\"{:?} {}\", chosen_palm, chosen_palm.left_hand + chosen_palm.right_hand); }\n";
    let folder = workspace(&[("Cargo.toml", &manifest("palm", "[workspace]\n")), ("src/main.rs", main)]);
    let run = Run::bundler(folder.path(), &["--minify", "names"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.contains("not shortened: "), "{}\n{}", run.stderr, run.stdout);
    assert!(!run.stdout.contains("many_fingers") && !run.stdout.contains("chosen_palm"), "{}", run.stdout);
    assert_eq!(run_alone(&run.stdout, "palm"), "Palm { left_hand: 5, right_hand: 0 } 5\n");
}

/// All levels.
const LEVELS: &[&str] = &["none", "comments", "space", "names"];

/// A bundle and its map, made once for all tests.
fn mapped(folder: &Path, bin: &str, level: &str) -> Arc<(String, MapIndex)> {
    type Key = (PathBuf, String, String);
    type Slot = Arc<OnceLock<Arc<(String, MapIndex)>>>;
    static BUNDLES: Mutex<Option<HashMap<Key, Slot>>> = Mutex::new(None);
    let slot = {
        let mut bundles = BUNDLES.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (folder.to_owned(), bin.to_owned(), level.to_owned());
        Arc::clone(bundles.get_or_insert_default().entry(key).or_default())
    };
    Arc::clone(slot.get_or_init(|| Arc::new(make_mapped(folder, bin, level))))
}

fn make_mapped(folder: &Path, bin: &str, level: &str) -> (String, MapIndex) {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("bundle.map");
    let bundle = bundled_with(folder, &[bin, "--minify", level, "--map", file.to_str().unwrap()]);
    (bundle, Map::read(&std::fs::read(file).unwrap()).unwrap())
}

/// Runs `bundler explain` with input.
fn explained(folder: &Path, arguments: &[&str], input: &[u8]) -> Run {
    let mut command = bundler(folder);
    command
        .arg("explain")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // It may exit without reading everything.
    let _ = child.stdin.take().unwrap().write_all(input);
    Run::of(child.wait_with_output().unwrap())
}

#[test]
fn panics_and_errors_are_explained() {
    let folder = fixture("explained");
    for level in LEVELS {
        let (bundle, ways) = &*mapped(&folder, "explained", level);
        let map = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(map.path(), ways.map.json()).unwrap();
        let map = ["--map", map.path().to_str().unwrap()];
        let panic = run_alone_with(bundle, "explained", &["more"]);
        assert_ne!(panic.status, 0);
        let translated = explained(&folder, &map, panic.stderr.as_bytes());
        assert_eq!(translated.status, 0, "{}", translated.stderr);
        assert!(
            translated.stdout.contains("panicked at src/counter.rs:18:36:"),
            "{level}: {}",
            translated.stdout
        );
        assert!(translated.stdout.contains("nothing left"), "{}", translated.stdout);

        let short = |old: &str| {
            ways.map.renamed.iter().find(|(_, o)| *o == old).map_or(old.to_owned(), |(new, _)| new.clone())
        };
        let path = ["bundle", "explained", "counter", "Counter", "total"].map(short).join("::");
        assert_eq!(level == &"names", !path.contains("Counter::total"), "{path}");
        let translated = explained(&folder, &map, format!("   4: {path}\n").as_bytes());
        assert_eq!(translated.stdout, "   4: bundle::explained::counter::Counter::total\n", "{level}");

        let wrong = bundle.replace("\"nothing left\"", "nothing_left");
        assert_ne!(&wrong, bundle);
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("submit.rs"), wrong).unwrap();
        let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
        let mut compile = std::process::Command::new(rustc);
        let said =
            compile.args(["--edition", "2021", "submit.rs"]).current_dir(place.path()).output().unwrap();
        let translated = explained(&folder, &map, &said.stderr);
        assert!(translated.stdout.contains("--> src/counter.rs:18:"), "{level}: {}", translated.stdout);
    }
}

#[test]
fn places_are_explained() {
    let folder = fixture("explained");
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("submit.rs");
    let bundle = bundled(&folder, "explained");
    std::fs::write(&file, &bundle).unwrap();
    let line = bundle.lines().position(|l| l.contains("nothing left")).unwrap() + 1;
    let ask = |what: String, more: &[&str]| {
        let question = format!("{}:{what}", file.display());
        explained(&folder, &[&[question.as_str()], more].concat(), b"")
    };
    // The workspace stores the maps of its bundles by their content.
    assert_eq!(ask(format!("{line}"), &[]).stdout, "src/counter.rs:18\n");
    assert_eq!(ask(format!("{line}:9"), &[]).stdout.lines().count(), 1);
    let beyond = ask("99999".into(), &[]);
    assert_eq!((beyond.status, beyond.stdout.as_str()), (1, ""));
    assert!(beyond.stderr.contains("has only"), "{}", beyond.stderr);
    // The last bundle depends on the other tests that use this fixture.
    let elsewhere = explained(&folder, &["no-such-file.rs:1"], b"");
    let notes = ["no-such-file.rs does not exist", "last bundle", "`explained`"];
    assert!(notes.iter().all(|n| elsewhere.stderr.contains(n)), "{}", elsewhere.stderr);
    assert_eq!(ask(format!("{line}"), &[]).stderr, "");
    // Output that names the bundle's file is that bundle's, whichever was made last.
    make_mapped(&folder, "explained", "names");
    let piped =
        explained(&folder, &[], format!("no place\npanicked at {}:{line}:9:\n", file.display()).as_bytes());
    assert!(piped.stdout.starts_with("no place\npanicked at src/counter.rs:18:"), "{}", piped.stdout);
    assert_eq!(piped.stderr, "");
    // A map next to the bundle takes precedence; an invalid one is reported.
    let (_, ways) = &*mapped(&folder, "explained", "comments");
    std::fs::write(place.path().join("submit.rs.map"), ways.map.json()).unwrap();
    assert_eq!(ask(format!("{line}"), &[]).stdout, "src/counter.rs:18\n");
    std::fs::write(place.path().join("submit.rs.map"), "{}").unwrap();
    assert!(ask(format!("{line}"), &[]).stderr.contains("not a bundle's source map"));
    std::fs::remove_file(place.path().join("submit.rs.map")).unwrap();
    // If the bundle was changed, there is a warning as well as the answer.
    std::fs::write(&file, format!("{bundle}\n// changed\n")).unwrap();
    let map = place.path().join("other.map");
    std::fs::write(&map, ways.map.json()).unwrap();
    let changed = ask(format!("{line}"), &["--map", map.to_str().unwrap()]);
    assert_eq!(changed.stdout, "src/counter.rs:18\n");
    assert!(changed.stderr.contains("differs from the bundle"), "{}", changed.stderr);
    assert_eq!(ask("x".into(), &[]).status, 2);
}

#[test]
fn comments_stay_on_request() {
    let folder = fixture("explained");
    let (bundle, _) = &*mapped(&folder, "explained", "none");
    for said in [
        "// The next line is the one that panics.",
        "/// Counts one.",
        "// Counts, and panics when",
        "// Panics on purpose",
    ] {
        assert!(bundle.contains(said), "no {said:?} in:\n{bundle}");
    }
    assert!(!bundle.contains("ever called"), "{bundle}");
    comments_change_nothing(&[("names", "names")]);
}

/// A bundle with comments has the tokens of the one without, except for paths that are shortened there.
fn comments_change_nothing(binaries: &[(&str, &str)]) {
    let tokens = |text: &str| -> Vec<String> {
        let tokens = Tokens::read(text).unwrap();
        let texts = tokens.iter().map(|t| text[t.range.clone()].to_owned());
        let mut out: Vec<String> = Vec::new();
        let mut importing = false;
        // Imports are shortened in bundles without comments.
        for text in texts.filter(|t| !t.starts_with("//")) {
            if text == "use" {
                importing = true;
                while let Some(last) = out.last().map(String::as_str) {
                    if !["pub", "(", "crate", ")"].contains(&last) {
                        break;
                    }
                    out.pop();
                }
            } else if importing {
                importing = text != ";";
            } else {
                out.push(text);
            }
        }
        out
    };
    for (folder, bin) in binaries {
        let folder = fixture(folder);
        let (plain, _) = &*mapped(&folder, bin, "comments");
        let (with, _) = &*mapped(&folder, bin, "none");
        let all = tokens(with);
        let mut rest = all.iter();
        assert!(tokens(plain).iter().all(|t| rest.any(|w| w == t)), "{bin}:\n{with}\n{plain}");
        assert_eq!(run_alone(with, bin), run_alone(plain, bin), "{bin}");
    }
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn minified_bundles_behave_the_same() {
        minified_behave_the_same(BINARIES);
    }

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn comments_stay_in_each() {
        comments_change_nothing(BINARIES);
    }

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn every_token_maps_to_its_source() {
        for (folder, bin) in BINARIES {
            for level in LEVELS {
                let folder = fixture(folder);
                let (bundle, ways) = &*mapped(&folder, bin, level);
                let (mut known, mut made) = (0, 0);
                for token in Tokens::read(bundle).unwrap().iter() {
                    let before = &bundle[..token.range.start];
                    let column = columns(before.rsplit('\n').next().unwrap()) + 1;
                    let text = bundle[token.range.clone()].lines().next().unwrap();
                    if token.kind == Kind::Doc {
                        continue;
                    }
                    let Some(place) = ways.exactly_at(before.matches('\n').count() + 1, column) else {
                        made += 1;
                        continue;
                    };
                    known += 1;
                    let source = std::fs::read_to_string(folder.join(&place.file)).unwrap();
                    let line = source.lines().nth(place.line - 1).unwrap();
                    let there: String =
                        line.trim_start_matches('\u{feff}').chars().skip(place.column - 1).collect();
                    let old = ways.map.renamed.get(text).map_or(text, String::as_str);
                    assert!(there.starts_with(old), "{bin}, {level}: {text:?} leads to {place:?}: {there:?}");
                }
                assert!(
                    known > 4 * made,
                    "{bin}, {level}: {made} of {} tokens have no known source",
                    known + made
                );
            }
        }
    }
}

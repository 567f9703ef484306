//! Tests of the compiler's calls.

use super::*;

#[test]
fn one_call_finds_diagnostics_and_code() {
    let folder = tempfile::tempdir().unwrap();
    let checker = |cache: &Cache| Checker::new(cache.clone(), Flags::default()).unwrap();
    let said = |outcome: Outcome| {
        (outcome.ok, outcome.diagnostics.into_iter().map(|d| d.rendered).collect::<Vec<_>>())
    };
    for (source, calls) in [
        ("fn unused() {} fn main() { println!(\"{}\", 1 + 1) }", 1),
        ("fn main() { g() }", 3),
        // A message that names its line isn't compared with it.
        ("fn unused() {} fn main() { println!(\"{}\", line!()) }", 2),
    ] {
        let (at_once, apart) = (Cache::at(&folder.path().join("1")), Cache::at(&folder.path().join("2")));
        let both = checker(&at_once);
        let outcome = both.check_and_code(source).unwrap();
        assert_eq!(said(outcome), said(checker(&apart).check(source).unwrap()));
        assert_eq!(both.code(source).unwrap(), checker(&apart).code(source).unwrap());
        assert_eq!(both.runs(), calls, "{source}");
    }
}

#[test]
fn included_files_are_part_of_the_cache_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two (2).bin");
    let source =
        |path: &Path, macro_name: &str| format!("fn main() {{ let _: [u8; 2] = *{macro_name}!({path:?}); }}");
    let cache = Cache::at(&folder.path().join("cache"));
    let runs = |source: &str| {
        let checker = Checker::new(cache.clone(), Flags::default()).unwrap();
        (checker.check(source).unwrap().ok, checker.runs())
    };
    let bytes = source(&file, "include_bytes");
    std::fs::write(&file, "12").unwrap();
    assert_eq!([runs(&bytes), runs(&bytes)], [(true, 1), (true, 0)]);
    std::fs::write(&file, "123").unwrap();
    assert_eq!([runs(&bytes), runs(&bytes)], [(false, 1), (false, 0)]);
    std::fs::write(&file, "12").unwrap();
    assert_eq!(runs(&bytes), (true, 0));
    // Other forms, missing files and relative paths are compiled each time.
    for other in [
        source(&file, "include_str"),
        source(&folder.path().join("none"), "include_bytes"),
        source(Path::new("two.bin"), "include_bytes"),
        bytes.replace("!(", "! ("),
    ] {
        assert_eq!([runs(&other).1, runs(&other).1], [1, 1], "{other}");
    }
    // A word that merely contains `include`.
    let included = "fn included() {} fn main() { included() } // not_include";
    assert_eq!([runs(included), runs(included)], [(true, 1), (true, 0)]);
}

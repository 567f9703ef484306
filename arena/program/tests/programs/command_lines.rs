//! Tests bots whose command lines and paths have what paths have: blanks, quotes, other letters, separators, extensions.

use std::fs;
use std::path::Path;

use crate::outside::{arena, built, err, first, out, PATIENT};

/// Plays a game of a command line, from a folder; the other bot is always the same.
fn plays(folder: &Path, line: &str) {
    let words = ["play", "reversi", line, &first(""), "--log-dir", "games"];
    let output = arena(folder, &[&words[..], &PATIENT].concat());
    assert_eq!(output.status.code(), Some(0), "{line}: {}", err(&output));
    assert!(out(&output).trim_end().ends_with(", normal"), "{line}: {}", out(&output));
}

#[test]
fn programs_are_named_by_paths_of_any_form() {
    let folder = tempfile::tempdir().unwrap();
    let within = folder.path().join("J Müller's 今日 (1)");
    fs::create_dir(&within).unwrap();
    let name = format!("my bot{}", std::env::consts::EXE_SUFFIX);
    let path = within.join(&name);
    fs::copy(built("examples/first"), &path).unwrap();
    let whole = path.to_str().unwrap();
    let short = Path::new(".").join(&name);
    let short = short.to_str().unwrap();
    for line in [whole, short, &name] {
        plays(&within, line);
    }
    for line in [format!("\"{whole}\""), format!("\"{short}\" \"an argument\""), format!("'{short}' 'a b'")] {
        plays(&within, &line);
    }
    // Resolved, as Windows writes it, with `\\?\`.
    plays(folder.path(), path.canonicalize().unwrap().to_str().unwrap());
}

#[cfg(windows)]
#[test]
fn batch_files_are_bots_with_and_without_their_extension() {
    let folder = tempfile::tempdir().unwrap();
    let within = folder.path().join("my bots");
    fs::create_dir(&within).unwrap();
    for name in ["first.bat", "second.cmd"] {
        fs::write(within.join(name), format!("@\"{}\" %*\r\n", built("examples/first").display())).unwrap();
    }
    for line in [r".\first.bat", r".\second.cmd", r".\first", r#"".\second" "an argument""#, "first.bat"] {
        plays(&within, line);
    }
}

//! Tests on cargo's metadata as it is on Windows: drives, backslashes, a blank and a letter that isn't ASCII.

use super::Plan;
use crate::api::options::Options;
use crate::read::crates::Source;
use cargo_metadata::Metadata;
use std::path::Path;

/// The folder of the user in [`METADATA`], as JSON has it.
const USER: &str = r"C:\\Users\\J Müller";

/// A workspace of a binary, a library and a derive, and a registry crate. Cargo joins a path of a manifest as it is written
/// there, with slashes; ids are URLs.
const METADATA: &str = r#"{
"packages":[
{"name":"bot","version":"0.1.0","id":"path+file:///C:/Users/J%20M%C3%BCller/contest/bot#0.1.0","source":null,"dependencies":[
{"name":"fast","source":"registry+https://github.com/rust-lang/crates.io-index","req":"^0.2","kind":null,"optional":false,
"uses_default_features":true,"features":[],"target":null,"rename":null,"registry":null}],
"targets":[{"kind":["bin"],"crate_types":["bin"],"name":"bot","src_path":"C:\\Users\\J Müller\\contest\\bot\\src/bin/bot.rs","edition":"2021"}],
"features":{},"manifest_path":"C:\\Users\\J Müller\\contest\\bot\\Cargo.toml","edition":"2021"},
{"name":"library","version":"0.1.0","id":"path+file:///C:/Users/J%20M%C3%BCller/contest/library#0.1.0","source":null,"dependencies":[],
"targets":[{"kind":["lib"],"crate_types":["lib"],"name":"library","src_path":"C:\\Users\\J Müller\\contest\\library\\src\\lib.rs","edition":"2021"}],
"features":{},"manifest_path":"C:\\Users\\J Müller\\contest\\library\\Cargo.toml","edition":"2021"},
{"name":"derive","version":"0.1.0","id":"path+file:///C:/Users/J%20M%C3%BCller/contest/derive#0.1.0","source":null,"dependencies":[],
"targets":[{"kind":["proc-macro"],"crate_types":["proc-macro"],"name":"derive","src_path":"C:\\Users\\J Müller\\contest\\derive\\src\\lib.rs","edition":"2021"}],
"features":{},"manifest_path":"C:\\Users\\J Müller\\contest\\derive\\Cargo.toml","edition":"2021"},
{"name":"fast","version":"0.2.1","id":"registry+https://github.com/rust-lang/crates.io-index#fast@0.2.1",
"source":"registry+https://github.com/rust-lang/crates.io-index","dependencies":[],
"targets":[{"kind":["lib"],"crate_types":["lib"],"name":"fast","src_path":"C:\\Users\\J Müller\\.cargo\\registry\\src\\index\\fast-0.2.1\\lib.rs","edition":"2015"}],
"features":{},"manifest_path":"C:\\Users\\J Müller\\.cargo\\registry\\src\\index\\fast-0.2.1\\Cargo.toml","edition":"2015"}],
"workspace_members":["path+file:///C:/Users/J%20M%C3%BCller/contest/bot#0.1.0"],
"resolve":{"root":null,"nodes":[
{"id":"path+file:///C:/Users/J%20M%C3%BCller/contest/bot#0.1.0","dependencies":[],"features":[],"deps":[
{"name":"fast","pkg":"registry+https://github.com/rust-lang/crates.io-index#fast@0.2.1","dep_kinds":[{"kind":null,"target":null}]},
{"name":"library","pkg":"path+file:///C:/Users/J%20M%C3%BCller/contest/library#0.1.0","dep_kinds":[{"kind":null,"target":null}]}]},
{"id":"path+file:///C:/Users/J%20M%C3%BCller/contest/library#0.1.0","dependencies":[],"features":[],"deps":[
{"name":"derive","pkg":"path+file:///C:/Users/J%20M%C3%BCller/contest/derive#0.1.0","dep_kinds":[{"kind":null,"target":null}]}]},
{"id":"path+file:///C:/Users/J%20M%C3%BCller/contest/derive#0.1.0","dependencies":[],"features":[],"deps":[]},
{"id":"registry+https://github.com/rust-lang/crates.io-index#fast@0.2.1","dependencies":[],"features":[],"deps":[]}]},
"target_directory":"C:\\Users\\J Müller\\contest\\target","version":1,"workspace_root":"C:\\Users\\J Müller\\contest"}"#;

/// The plan that is made on Windows.
pub(super) fn windows() -> Plan {
    plan(METADATA)
}

/// The plan for the binary of a workspace.
fn plan(metadata: &str) -> Plan {
    let metadata: Metadata = serde_json::from_str(metadata).unwrap();
    Plan::of(&metadata, &Options::default()).unwrap()
}

/// The metadata of the workspace if this folder is the user's, on this system.
fn moved_to(user: &Path) -> String {
    let json = METADATA.replace(USER, r"\\?user");
    let json = if cfg!(windows) { json } else { json.replace(r"\\", "/").replace("/?user", r"\\?user") };
    // Cargo joins a resolved path with backslashes.
    let is_resolved = user.to_string_lossy().starts_with(r"\\?\");
    let json = if is_resolved { json.replace("src/bin/", r"src\\bin\\") } else { json };
    let user = serde_json::to_string(user).unwrap();
    json.replace(r"\\?user", user.trim_matches('"'))
}

/// Files of Windows editors: with a byte order mark and carriage returns.
const FILES: [(&str, &str); 7] = [
    (
        "contest/bot/src/bin/bot.rs",
        "\u{feff}mod board;\r\n#[path = \"parts/clock.rs\"]\r\nmod clock;\r\ninclude!(\"parts/table.rs\");\r\n\
         const BOOK: &str = include_str!(\"../../book.txt\");\r\nstatic BYTES: &[u8] = include_bytes!(\"../../book.txt\");\r\n\
         const WHOLE: &str = include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/book.txt\"));\r\n\
         const LINES: &str = \"a\r\nb\";\r\nfn main() { library::f(fast::g()) }\r\n",
    ),
    ("contest/bot/src/bin/board.rs", "\u{feff}pub mod cell;\r\n"),
    ("contest/bot/src/bin/board/cell.rs", "pub fn in_board() {}\r\n"),
    ("contest/bot/src/bin/parts/clock.rs", "pub fn in_clock() {}\r\n"),
    ("contest/bot/src/bin/parts/table.rs", "\u{feff}pub fn in_table() {}\r\n"),
    ("contest/library/src/lib.rs", "pub fn f(x: u8) {}\r\n"),
    (".cargo/registry/src/index/fast-0.2.1/lib.rs", "pub fn g() -> u8 { 7 }\r\n"),
];

/// Reads the workspace from files in this folder; returns the paths for reports.
fn read(user: &Path) -> Vec<String> {
    let plan = plan(&moved_to(user));
    let source = Source::read(&plan).unwrap();
    let text = source.bin.source();
    assert!(["in_board", "in_clock", "in_table"].iter().all(|name| text.contains(name)), "{text}");
    // A file that is included as text keeps its bytes; source has line feeds.
    assert_eq!(text.matches(r#""\u{feff}one\r\ntwo""#).count(), 2, "{text}");
    assert!(text.contains("\"a\nb\"") && !text.contains('\r'), "{text}");
    let bytes = crate::assets::places::places(&source.bin);
    assert_eq!(bytes[0].bytes.as_slice(), "\u{feff}one\r\ntwo".as_bytes());
    let files = source.files.all().map(|(_, path, _)| (path, plan.shown(path)));
    let mut shown = Vec::new();
    for (path, name) in files {
        let is_foreign = name.starts_with("fast-0.2.1/");
        assert_eq!((plan.is_own(path), plan.chain(path).is_some()), (!is_foreign, is_foreign), "{name}");
        shown.push(name);
    }
    shown.sort();
    shown
}

#[test]
fn metadata_of_a_windows_machine_makes_a_plan() {
    let plan = windows();
    assert_eq!((plan.target.as_str(), plan.libs.len(), plan.packages), ("bot", 2, 4));
    assert_eq!(plan.manifest.to_str(), Some(r"C:\Users\J Müller\contest\bot\Cargo.toml"));
    assert_eq!(plan.workspace.to_str(), Some(r"C:\Users\J Müller\contest"));
    let libs = plan.libs.iter().map(|lib| (lib.name.as_str(), lib.foreign)).collect::<Vec<_>>();
    assert_eq!(libs, [("fast", true), ("library", false)]);
    assert!(plan.procedural().contains("derive"));
}

#[test]
fn source_of_windows_editors_is_read_from_any_folder() {
    let folder = tempfile::tempdir().unwrap();
    let user = folder.path().join("J Müller (work)");
    for (path, content) in FILES.into_iter().chain([("contest/bot/book.txt", "\u{feff}one\r\ntwo")]) {
        let path = user.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    let expected = [
        "bot/src/bin/board.rs",
        "bot/src/bin/board/cell.rs",
        "bot/src/bin/bot.rs",
        "bot/src/bin/parts/clock.rs",
        "bot/src/bin/parts/table.rs",
        "fast-0.2.1/lib.rs",
        "library/src/lib.rs",
    ];
    assert_eq!(read(&user), expected);
    // On Windows, this path begins with `\\?\`, and a slash separates nothing in it.
    assert_eq!(read(&user.canonicalize().unwrap()), expected);
}

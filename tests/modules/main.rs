//! Tests the packages' structure: no import cycles between top-level modules, here called rooms.

mod graph;
mod rooms;
mod systems;

use std::path::Path;

use coppice_tests::workspace;
use rooms::Rooms;

/// Each package's root file and, if it has one, the prescribed order of its rooms.
const PACKAGES: &[Rooms<'static>] = &[
    // Shared modules first, then the steps in the order of processing.
    Rooms {
        root: "bundler/src/lib.rs",
        order: &[
            &["syntax"],
            &["api"],
            &["os"],
            &["rustc"],
            &["plan"],
            &["read"],
            &["merge"],
            &["prune"],
            &["assets"],
            &["prove"],
            &["minify"],
            &["report"],
            &["ahead", "smallest", "single", "cli"],
            &["internals"],
        ],
    },
    Rooms {
        root: "arena/stats/src/lib.rs",
        order: &[
            &["normal", "elo", "times"],
            &["chi_square", "estimate", "student"],
            &["clusters", "outcomes"],
            &["likelihood", "scoring"],
            &["gsprt", "sample"],
            &["summary"],
            &["repeats", "rating", "tuning"],
        ],
    },
    Rooms {
        root: "arena/referee/src/lib.rs",
        order: &[
            &["text", "atomic", "clipboard", "contests", "failure"],
            &["bot"],
            &["process"],
            &["game"],
            &["external", "record", "transcript"],
            &["replay", "report"],
            &["series"],
            &["cluster"],
        ],
    },
    Rooms { root: "arena/pages/src/lib.rs", order: &[&["svg"], &["html"], &["play", "run_page", "view"]] },
    Rooms {
        root: "arena/scaffold/src/lib.rs",
        order: &[
            &["keywords"],
            &["dependency", "name"],
            &["new_file"],
            &["heuristic", "own_contest", "stub"],
        ],
    },
    Rooms {
        root: "arena/src/lib.rs",
        order: &[
            &["attributes", "check", "console", "pool", "project", "game_files", "server", "tune"],
            &["failure"],
            &["person", "program"],
            &["command"],
            &["subcommand"],
            &["cli"],
        ],
    },
    Rooms {
        root: "arena/study/src/lib.rs",
        order: &[
            &["kind", "origin"],
            &["published"],
            &["plan", "verdict"],
            &["error", "row"],
            &["behaviour", "claim", "family", "ranking", "trial", "work"],
            &["curves"],
            &["picture"],
            &["report", "run"],
            &["summary"],
            &["command"],
        ],
    },
    Rooms {
        root: "factory/src/lib.rs",
        order: &[
            &[
                "alternating",
                "encoder",
                "file",
                "loss",
                "options",
                "parallel",
                "progress",
                "sample",
                "vectors",
            ],
            &["recipe", "self_play"],
            &["model"],
            &["subject"],
            &["judge"],
            &["data", "proof", "subjects"],
            &["origin"],
            &["learn"],
            &["steps"],
            &["cli"],
        ],
    },
    Rooms { root: "contest/src/lib.rs", order: &[] },
    Rooms { root: "src/lib.rs", order: &[] },
    Rooms { root: "bots/lib.rs", order: &[] },
];

#[test]
fn packages_have_no_import_cycles() {
    let reader = |path: &Path| std::fs::read_to_string(workspace().join(path)).ok();
    let complaints: Vec<String> = PACKAGES
        .iter()
        .filter_map(|package| package.check(&reader).err().map(|e| format!("{}: {e}", package.root)))
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

/// Checks a crate given as files, with the order of its rooms.
fn check(files: &[(&str, &str)], order: &[&[&str]]) -> Result<(), String> {
    let reader = |path: &Path| {
        files.iter().find(|(name, _)| Path::new(name) == path).map(|(_, text)| (*text).to_owned())
    };
    Rooms { root: "lib.rs", order }.check(&reader)
}

/// Checks a crate with a cycle between `a` and `b`; the error must name these places.
fn assert_cycle(a: &str, b: &str, more: &[(&str, &str)], places: &[&str]) {
    let files =
        [&[("lib.rs", "mod a;\nmod b;\nmod c;\npub use a::A;"), ("a.rs", a), ("b.rs", b)], more].concat();
    let files = if more.is_empty() { [&files[..], &[("c.rs", "")]].concat() } else { files };
    let complaint = check(&files, &[]).expect_err("a cycle");
    assert!(complaint.starts_with("an import cycle:"), "{complaint}");
    for place in places {
        assert!(complaint.contains(place), "no {place:?} in {complaint}");
    }
}

#[test]
fn a_cycle_is_reported_with_its_places() {
    assert_cycle(
        "use crate::b::B;\npub struct A(B);",
        "\nuse crate::a::A;\npub struct B;\nfn f(_: A) {}",
        &[],
        &["a.rs:1: crate::b::B", "b.rs:2: crate::a::A"],
    );
}

/// `b` names `a::T` only in an expression, while `a` imports `b` as a module.
#[test]
fn a_cycle_through_an_expression_is_found() {
    assert_cycle(
        "use crate::b;\npub struct A;\nfn f() { b::g() }",
        "pub fn g() { let _ = crate::a::A; }",
        &[],
        &["a.rs:1: crate::b", "b.rs:1: crate::a::A"],
    );
}

#[test]
fn a_cycle_through_a_re_export_is_found() {
    // The root re-exports `A` from `a`.
    let b = "pub struct B;\npub fn f(_: crate::A) {}";
    assert_cycle("use crate::b::B;\npub struct A(B);", b, &[], &["b.rs:2: crate::A"]);
    // Through a third module that only re-exports.
    let c = ("c.rs", "pub use crate::a::*;");
    let b = "use crate::c::A;\npub struct B;\nfn f(_: A) {}";
    assert_cycle("use crate::b::B;\npub struct A(B);", b, &[c], &["b.rs:1: crate::c::A"]);
}

#[test]
fn a_cycle_through_super_is_found() {
    let files = [
        ("lib.rs", "mod a;\nmod b;"),
        ("a/mod.rs", "mod deep;\npub struct A;"),
        ("a/deep.rs", "fn f() { super::super::b::g(); }"),
        ("b.rs", "pub fn g() { h!(super::a::A) }"),
    ];
    let complaint = check(&files, &[]).expect_err("a cycle");
    assert!(complaint.contains("a/deep.rs:1: super::super::b::g"), "{complaint}");
    assert!(complaint.contains("b.rs:1: super::a::A"), "{complaint}");
}

#[test]
fn acyclic_imports_pass() {
    let files = [
        ("lib.rs", "mod a;\nmod b;\n#[path = \"elsewhere/d.rs\"] mod d;\npub use b::B;\nfn root() { a::f(); b::g(); d::x() }"),
        ("a.rs", "use crate::b::{self, B};\npub fn f() -> B { b::g() }"),
        // Tests may import from any room, and other crates may have modules of the same names.
        ("b.rs", "use std::fmt::a;\npub struct B;\npub fn g() -> B { B }\n#[cfg(test)]\nmod tests { use crate::a::f; }"),
        ("elsewhere/d.rs", "pub fn x() { super::a::f() }"),
    ];
    assert_eq!(check(&files, &[]), Ok(()));
    assert_eq!(check(&files, &[&["b"], &["a"], &["d"]]), Ok(()));
}

#[test]
fn an_import_against_the_order_is_found() {
    let files = [("lib.rs", "mod a;\nmod b;"), ("a.rs", "use crate::b::B;"), ("b.rs", "pub struct B;")];
    let complaint = check(&files, &[&["a"], &["b"]]).expect_err("against the order");
    assert_eq!(complaint, "a is before b, and imports from it:\n    a.rs:1: crate::b::B");
    let complaint = check(&files, &[&["b"]]).expect_err("no place for a");
    assert_eq!(complaint, "a is not in the order of rooms");
    let files = [("lib.rs", "mod a;\npub struct R;"), ("a.rs", "use crate::R;")];
    let complaint = check(&files, &[]).expect_err("from the root");
    assert_eq!(complaint, "a imports from the root:\n    a.rs:1: crate::R");
}

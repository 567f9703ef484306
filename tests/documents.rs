//! Checks the documents against the repository: the README's size and example, the table of bots, and every link to a
//! file.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace's folder")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_readme_is_a_page() {
    let bytes = read("README.md").len();
    assert!(bytes <= 8192, "README.md has {bytes} bytes: what is more than a page goes to docs/");
}

#[test]
fn the_readme_shows_the_example() {
    let source = read("examples/mine/src/main.rs");
    assert!(
        read("README.md").contains(&format!("```rust\n{source}```\n")),
        "copy examples/mine/src/main.rs into README.md"
    );
}

#[test]
fn the_table_of_bots_lists_every_bot() {
    let (table, manifest) = (read("docs/bots.md"), read("bots/Cargo.toml"));
    for bin in manifest.split("[[bin]]").skip(1) {
        let name = bin.split('"').nth(1).expect("a name");
        assert!(table.contains(&format!("\n| `{name}` | ")), "docs/bots.md has no row for {name}");
    }
}

/// All documents, including the packages' READMEs.
fn documents() -> Vec<PathBuf> {
    let mut all = Vec::new();
    for folder in ["", "docs", "src", "bundler", "bots", "arena"] {
        let mut folders = vec![root().join(folder)];
        if folder == "bots" {
            let entries = fs::read_dir(root().join(folder)).expect("the bots");
            folders.extend(entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir()));
        }
        for entry in folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder")) {
            let path = entry.expect("an entry").path();
            all.extend((path.extension().is_some_and(|extension| extension == "md")).then_some(path));
        }
    }
    all
}

#[test]
fn every_link_leads_to_a_file() {
    let documents = documents();
    assert!(documents.len() > 15, "{documents:?}");
    for path in documents {
        let text = fs::read_to_string(&path).expect("text");
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().expect("a part");
            if !file.is_empty() && !target.contains("://") {
                let linked = path.parent().expect("a folder").join(file);
                assert!(linked.exists(), "{}: nothing at {target}", path.display());
            }
        }
    }
}

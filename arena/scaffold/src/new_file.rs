//! The files of a new package.

use minijinja::{Environment, Value};

use crate::dependency::Dependency;
use crate::name::PackageName;

/// A file of a new package: its path below the package's folder, with `/`, and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFile {
    /// The path.
    pub path: String,
    /// The text.
    pub text: String,
}

impl NewFile {
    /// A file.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }
}

/// The versions of this workspace's dependencies, with which it was tested. The first command of cargo in the new package keeps
/// those and takes off the packages that it doesn't need.
const LOCK: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock"));

/// The files of every new package: its manifest, and what tools read.
pub(crate) fn common_files(name: &PackageName, coppice: &Dependency, dependencies: &[&str]) -> Vec<NewFile> {
    let table = |dependency: &&str| {
        let table = match *dependency {
            "contest" if dependencies.contains(&"coppice-arena") => coppice.table("contest", &["serve"]),
            "contest" => coppice.table("contest", &[]),
            "coppice-arena" => coppice.table("arena", &[]),
            _ => coppice.table("", &[]),
        };
        format!("{dependency} = {table}\n")
    };
    let dependencies: String = dependencies.iter().map(table).collect();
    let manifest = include_str!("manifest.toml.txt")
        .replace("{name}", name.as_str())
        .replace("{dependencies}", dependencies.trim_end());
    vec![
        NewFile::new("Cargo.toml", manifest),
        NewFile::new("Cargo.lock", LOCK),
        NewFile::new("rustfmt.toml", "max_width = 110\nuse_small_heuristics = \"Max\"\n"),
        NewFile::new(".gitignore", "/target\n/games\n/arena-games\n/arena-tunes\n"),
    ]
}

/// Fills in a template.
pub(crate) fn filled(template: &str, values: &Value) -> String {
    let environment = Environment::new();
    let text = environment
        .render_str(template, values)
        .expect("the templates are right: the tests of all shapes and stubs fill them");
    // Blocks leave empty lines where they aren't taken.
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim_end) {
        if !line.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(line);
        }
    }
    lines.join("\n").trim_end().to_owned() + "\n"
}

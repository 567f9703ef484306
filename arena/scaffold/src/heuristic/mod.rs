//! A heuristic contest: one player, many seeds, a score.

use minijinja::context;

use crate::dependency::Dependency;
use crate::name::PackageName;
use crate::new_file::{common_files, filled, NewFile};

/// The package's files.
pub fn files(name: &PackageName, coppice: &Dependency) -> Vec<NewFile> {
    let values = context! { name => name.as_str(), package => name.in_source() };
    let file = |path: &str, template: &str| NewFile::new(path, filled(template, &values));
    let mut files = vec![
        file("src/lib.rs", include_str!("lib.rs.txt")),
        file("src/main.rs", include_str!("main.rs.txt")),
        file(&format!("src/bin/{name}-tester.rs"), include_str!("tester.rs.txt")),
        file("tests/cases.rs", include_str!("cases.rs.txt")),
        file("README.md", include_str!("readme.md")),
        file("arena.toml", include_str!("arena.toml.txt")),
    ];
    files.extend(common_files(name, coppice, &["coppice"]));
    files
}

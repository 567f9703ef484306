//! A contest of one's own: rules, evaluation, protocol, bot, arena and tests. The texts are those of the package
//! `examples/template`, which the tests compile and run.

use crate::dependency::Dependency;
use crate::name::PackageName;
use crate::new_file::{common_files, NewFile};

/// The name that the texts have instead of the package's.
const TEMPLATE: &str = "template";

/// A text of the template.
macro_rules! text {
    ($path:literal) => {
        ($path, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/template/", $path)))
    };
}

/// The sources, with their paths.
const SOURCES: [(&str, &str); 7] = [
    text!("src/lib.rs"),
    text!("src/game.rs"),
    text!("src/eval.rs"),
    text!("src/protocol.rs"),
    text!("src/main.rs"),
    text!("src/bin/template-arena.rs"),
    text!("tests/rules.rs"),
];

/// The package's files.
pub fn files(name: &PackageName, coppice: &Dependency) -> Vec<NewFile> {
    let source = |(path, text): (&str, &str)| {
        let text = text
            .replace(&format!("\"{TEMPLATE}\""), &format!("\"{name}\""))
            .replace(&format!("use {TEMPLATE}::"), &format!("use {}::", name.in_source()));
        NewFile::new(path.replace(TEMPLATE, name.as_str()), text)
    };
    let mut files: Vec<NewFile> = SOURCES.into_iter().map(source).collect();
    files.push(NewFile::new("README.md", include_str!("contest.md").replace("{name}", name.as_str())));
    files.extend(common_files(name, coppice, &["contest", "coppice", "coppice-arena"]));
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_gets_the_name() {
        let name = PackageName::new("connect-four").unwrap();
        let files = files(&name, &Dependency::new(None).unwrap());
        let text = |path: &str| &files.iter().find(|file| file.path == path).expect(path).text;
        assert!(text("src/bin/connect-four-arena.rs").contains("use connect_four::eval::Eval;"));
        assert!(text("src/protocol.rs").contains("NAME: &'static str = \"connect-four\""));
        assert!(text("Cargo.toml").contains("default-run = \"connect-four\""));
        for file in &files {
            assert!(!file.text.contains(TEMPLATE), "{}", file.path);
        }
    }
}

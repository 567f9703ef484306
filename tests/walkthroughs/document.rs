//! The parts of a document that a walk-through needs: its sections, and in them the files and consoles.

use std::fs;

use coppice_tests::workspace;

/// A command of a console, and the lines shown below it.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// The command's line in the document, from 1.
    pub line: usize,
    /// The command, without `$ `.
    pub command: String,
    /// What it prints, as shown.
    pub output: Vec<String>,
}

/// A fenced block that a walk-through uses.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// A file's name and its content.
    File(String, String),
    /// Commands with what they print.
    Console(Vec<Shown>),
}

/// A part of a document below a heading, up to the next one.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// The heading's words; empty for what stands before the first `##`.
    pub heading: String,
    /// Its files and consoles, in order.
    pub parts: Vec<Part>,
}

impl Section {
    /// Whether it has a console.
    pub fn has_console(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Console(_)))
    }
}

/// The sections of a document's text.
///
/// A console is a fenced block without a language whose first line begins with `$ `; it may be indented as a whole. A
/// file is a block with a language below a paragraph that begins with the file's name in backticks.
pub fn sections(text: &str) -> Vec<Section> {
    let mut sections = vec![Section { heading: String::new(), parts: Vec::new() }];
    let mut lines = (1..).zip(text.lines());
    let (mut above, mut was_blank) = ("", true);
    while let Some((_, line)) = lines.next() {
        let content = line.trim_start();
        if let Some(language) = content.strip_prefix("```") {
            let indent = line.len() - content.len();
            let block = lines.by_ref().map(|(number, line)| (number, line.get(indent..).unwrap_or_default()));
            let block: Vec<(usize, &str)> = block.take_while(|(_, line)| *line != "```").collect();
            let name = above.strip_prefix('`').and_then(|rest| rest.split('`').next());
            let part = match (language, name) {
                ("", _) if block.first().is_some_and(|(_, line)| line.starts_with("$ ")) => {
                    Part::Console(commands(&block))
                }
                ("" | "sh", _) | (_, None) => continue,
                (_, Some(name)) => {
                    let lines: Vec<&str> = block.iter().map(|(_, line)| *line).collect();
                    Part::File(name.to_owned(), lines.join("\n") + "\n")
                }
            };
            sections.last_mut().expect("a section").parts.push(part);
        } else if let Some(heading) = line.strip_prefix("### ").or_else(|| line.strip_prefix("## ")) {
            sections.push(Section { heading: heading.to_owned(), parts: Vec::new() });
        } else {
            if was_blank && !line.is_empty() {
                above = line;
            }
            was_blank = line.is_empty();
        }
    }
    sections
}

fn commands(block: &[(usize, &str)]) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    for (number, line) in block {
        match line.strip_prefix("$ ") {
            Some(command) => {
                all.push(Shown { line: *number, command: command.to_owned(), output: Vec::new() });
            }
            None => all.last_mut().expect("a console begins with a command").output.push((*line).to_owned()),
        }
    }
    all
}

/// The text of a document of this repository.
pub fn read(document: &str) -> String {
    fs::read_to_string(workspace().join(document)).unwrap_or_else(|error| panic!("{document}: {error}"))
}

/// A document's text with other lines below a command. The command is found by its own text and what is shown below it,
/// nearest to where it was: other consoles of the document may have been renewed meanwhile.
pub fn with_output(text: &str, shown: &Shown, output: &[String]) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let is_here = |at: usize| {
        let block = &lines[at..lines.len().min(at + 1 + shown.output.len())];
        let mut expected =
            std::iter::once(format!("$ {}", shown.command)).chain(shown.output.iter().cloned());
        block.iter().all(|line| expected.next().is_some_and(|shown| line.trim_start() == shown.trim_start()))
            && expected.next().is_none()
    };
    let found = (0..lines.len()).filter(|&at| is_here(at)).min_by_key(|at| (at + 1).abs_diff(shown.line));
    let at = found.unwrap_or_else(|| panic!("the document no longer has `{}`", shown.command));
    let indent = &lines[at][..lines[at].len() - lines[at].trim_start().len()];
    let output = output.iter().map(|line| format!("{indent}{line}").trim_end().to_owned());
    let before = lines[..=at].iter().map(|line| (*line).to_owned());
    let behind = lines[at + 1 + shown.output.len()..].iter().map(|line| (*line).to_owned());
    before.chain(output).chain(behind).map(|line| line + "\n").collect()
}

#[test]
fn blocks_are_files_or_consoles() {
    let text = "# T\n\n- An item\n\n  ```\n  $ zero\n    [...]\n  ```\n## A\n`src/a.rs`, the\nrules:\n\n```rust\nfn a() {}\n```\n\n```\n\
                $ one\nx\n$ two\n```\n\n`b`\n\n```sh\nc\n```\n```\ndrawing\n```\n";
    let shown = |line, command: &str, output: &[&str]| Shown {
        line,
        command: command.to_owned(),
        output: output.iter().map(|line| (*line).to_owned()).collect(),
    };
    let (zero, one, two) = (shown(6, "zero", &["  [...]"]), shown(18, "one", &["x"]), shown(20, "two", &[]));
    let file = Part::File("src/a.rs".to_owned(), "fn a() {}\n".to_owned());
    let sections = sections(text);
    assert_eq!(sections.len(), 2);
    assert_eq!(
        sections[0],
        Section { heading: String::new(), parts: vec![Part::Console(vec![zero.clone()])] }
    );
    assert_eq!(
        sections[1],
        Section { heading: "A".to_owned(), parts: vec![file, Part::Console(vec![one.clone(), two])] }
    );
    let renewed = with_output(text, &zero, &["a".to_owned(), "  [...]".to_owned()]);
    assert_eq!(renewed, text.replace("  $ zero\n", "  $ zero\n  a\n"));
    assert_eq!(with_output(&renewed, &one, &["y".to_owned()]), renewed.replace("\nx\n", "\ny\n"));
}

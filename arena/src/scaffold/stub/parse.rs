//! Parses a stub: commands (`read`, `write`, `gameloop`, `loop`, `loopline`) and blocks of text (`STATEMENT`, `INPUT`,
//! `OUTPUT`), in any order.

use super::model::{Answer, Count, Item, Kind, Part, Stub, Variable};

/// The most lines of a stub; the longest published one has 150.
const MOST_LINES: usize = 5_000;

/// The most loops around a step.
const MOST_LOOPS: usize = 8;

/// The largest number that may be written as a count.
const MOST_TIMES: i64 = 10_000;

/// Why a text isn't a stub.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StubError {
    /// A line can't be understood.
    #[error("line {line}: expected {expected}, found {found}")]
    Line {
        /// The line's number, from 1.
        line: usize,
        /// What was expected there.
        expected: String,
        /// What was found.
        found: String,
    },
    /// There is no command.
    #[error("the stub is empty: it has no command (read, write, loop, loopline, gameloop)")]
    Empty,
    /// It is a program.
    #[error(
        "line {line}: `{found}`: this is the code that the site generates from a stub, not the stub. A stub describes the \
         input in lines such as `read width:int height:int`, `gameloop` and `write WAIT`. It is in the repository of the \
         contest: config/stub.txt, or config/level1/stub.txt, config/level2/stub.txt and so on for its leagues"
    )]
    GeneratedCode {
        /// The line's number, from 1.
        line: usize,
        /// The line.
        found: String,
    },
}

/// Beginnings of lines of programs in the site's languages.
const CODE: [&str; 16] = [
    "use std::io",
    "macro_rules!",
    "fn main",
    "import java",
    "public static void",
    "class Player",
    "#include",
    "import sys",
    "import math",
    "while (true)",
    "while (1)",
    "while True",
    "while true",
    "using System",
    "package main",
    "<?php",
];

/// Parses a stub.
///
/// # Errors
/// The first line that can't be understood.
pub fn parse(bytes: &[u8]) -> Result<Stub, StubError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
        fail(line, "text in UTF-8", "other bytes: is this the stub's text file?")
    })?;
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    if lines.len() > MOST_LINES {
        let expected = format!("a stub of at most {MOST_LINES} lines");
        return Err(fail(MOST_LINES + 1, expected, format!("a file of {}", lines.len())));
    }
    if let Some(at) = lines.iter().position(|line| line.contains('\0')) {
        return Err(fail(at + 1, "text", "a byte 0: is this the stub's text file?"));
    }
    let is_code = |line: &&str| CODE.iter().any(|code| line.starts_with(code));
    match (Parser {
        at: 0,
        read: Vec::new(),
        read_in_loops: Vec::new(),
        notes: Vec::new(),
        lines: lines.clone(),
    })
    .stub()
    {
        Err(StubError::Line { .. }) if lines.iter().any(is_code) => {
            let line = lines.iter().position(is_code).unwrap_or(0);
            Err(StubError::GeneratedCode { line: line + 1, found: shortened(lines[line].to_owned()) })
        }
        result => result,
    }
}

fn fail(line: usize, expected: impl Into<String>, found: impl Into<String>) -> StubError {
    StubError::Line { line, expected: expected.into(), found: shortened(found.into()) }
}

fn shortened(found: String) -> String {
    match found.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &found[..end]),
        None => found,
    }
}

const BLOCKS: [&str; 3] = ["STATEMENT", "INPUT", "OUTPUT"];

/// Whether a line begins a command; in an answer's text, `READ` or `Loop` are words like others.
fn is_command(line: &str) -> bool {
    let word = line.split_ascii_whitespace().next().unwrap_or("");
    matches!(word, "read" | "write" | "gameloop" | "GAMELOOP" | "loop" | "loopline")
}

/// The block that a line begins, and its text on the same line.
fn block_of(line: &str) -> Option<(&'static str, &str)> {
    BLOCKS.iter().find_map(|block| {
        let rest = line.strip_prefix(block)?;
        (rest.is_empty() || rest.starts_with([' ', '\t', ':']))
            .then(|| (*block, rest.trim_start_matches(':').trim()))
    })
}

struct Parser<'a> {
    lines: Vec<&'a str>,
    /// The next line.
    at: usize,
    /// Variables that are read once in the start or a turn.
    read: Vec<String>,
    /// Variables that are read in loops, with the lines.
    read_in_loops: Vec<(String, usize)>,
    /// What was read otherwise than it is written.
    notes: Vec<String>,
}

impl<'a> Parser<'a> {
    fn stub(mut self) -> Result<Stub, StubError> {
        let mut stub = Stub::default();
        while let Some(&line) = self.lines.get(self.at) {
            self.at += 1;
            if line.is_empty() {
                continue;
            }
            if line.starts_with("//") {
                self.note("a comment (`//`) is skipped");
                continue;
            }
            if let Some((block, first)) = block_of(line) {
                let mut text = self.block();
                if !first.is_empty() {
                    self.note(&format!("the text behind {block} on the same line belongs to the block"));
                    text.insert(0, first.to_owned());
                }
                match block {
                    "STATEMENT" => stub.statement.extend(text),
                    "OUTPUT" => stub.output.extend(text),
                    _ => {
                        // Comments on names that aren't read are ignored later.
                        let pairs = text.iter().filter_map(|line| line.split_once(':'));
                        stub.comments.extend(
                            pairs.map(|(name, comment)| (name.trim().to_owned(), comment.trim().to_owned())),
                        );
                    }
                }
                continue;
            }
            let (word, mut rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
            if word.eq_ignore_ascii_case("gameloop") {
                if stub.turn.is_some() {
                    return Err(fail(self.at, "one gameloop", "a second one"));
                }
                stub.turn = Some(Vec::new());
                rest = rest.trim();
                if rest.is_empty() {
                    continue;
                }
            } else {
                rest = line;
            }
            let items = stub.turn.as_mut().unwrap_or(&mut stub.start);
            match (items.last_mut(), self.is_text(rest)) {
                (Some(Item::Write(Answer::Lines(lines))), true) => {
                    lines.push(rest.to_owned());
                    lines.retain(|line| !line.is_empty());
                    self.note("a line after an empty one that is no command belongs to the answer above it");
                }
                _ => items.push(self.command(rest, 0)?),
            }
        }
        if stub.start.is_empty() && stub.turn.is_none() {
            return Err(StubError::Empty);
        }
        stub.notes = self.notes;
        Ok(stub)
    }

    fn note(&mut self, note: &str) {
        let note = format!("line {}: {note}", self.at);
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Whether a line can only be an answer's text: no command, and nothing like a variable with a type.
    fn is_text(&self, line: &str) -> bool {
        let word = line.split_ascii_whitespace().next().unwrap_or("").to_ascii_lowercase();
        let is_command = matches!(word.as_str(), "read" | "write" | "gameloop" | "loop" | "loopline");
        let types = [":int", ":long", ":float", ":bool", ":word", ":string"];
        !is_command && !types.iter().any(|kind| line.contains(kind))
    }

    /// The lines of a block: up to an empty line, the next block, or the end.
    fn block(&mut self) -> Vec<String> {
        let rest = &self.lines[self.at..];
        let is_new = |line: &str| line.is_empty() || BLOCKS.contains(&line);
        let count = rest.iter().take_while(|line| !is_new(line)).count();
        self.at += count;
        rest[..count].iter().map(|&line| line.to_owned()).collect()
    }

    /// A command, whose line was taken.
    fn command(&mut self, line: &'a str, loops: usize) -> Result<Item, StubError> {
        let here = self.at;
        let (word, rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
        let rest = rest.trim();
        let lower = word.to_ascii_lowercase();
        if lower != word {
            self.note(&format!("`{word}` is read as `{lower}`"));
        }
        match lower.as_str() {
            "read" => {
                let mut all = self.variables(rest, here)?;
                // A string takes the rest of its line.
                let last = all.len() - 1;
                for variable in all[..last].iter_mut().filter(|variable| variable.kind == Kind::Text) {
                    self.note(&format!("`{}` is a string in front of others: read as a word", variable.name));
                    variable.kind = Kind::Word;
                }
                for variable in &all {
                    match loops {
                        0 => self.read.push(variable.name.clone()),
                        _ => self.read_in_loops.push((variable.name.clone(), here)),
                    }
                }
                Ok(Item::Read(all))
            }
            "loopline" => {
                let (count, rest) = self.count(rest, here)?;
                let mut all = self.variables(rest, here)?;
                // Between others on one line a string is a word.
                for variable in all.iter_mut().filter(|variable| variable.kind == Kind::Text) {
                    variable.kind = Kind::Word;
                }
                self.read_in_loops.extend(all.iter().map(|variable| (variable.name.clone(), here)));
                Ok(Item::LoopLine(count, all))
            }
            "loop" => {
                if loops == MOST_LOOPS {
                    return Err(fail(here, format!("at most {MOST_LOOPS} loops in each other"), line));
                }
                let (count, body) = self.count(rest, here)?;
                // The body may stand on the next line.
                let body = if body.is_empty() { self.next_command(here)? } else { body };
                let body = self.command(body, loops + 1)?;
                Ok(Item::Loop(count, Box::new(body)))
            }
            "write" => self.answer(rest, here).map(Item::Write),
            "gameloop" => Err(fail(here, "gameloop outside of loops", line)),
            _ => Err(fail(
                here,
                "a command (read, write, gameloop, loop, loopline) or a block",
                format!("`{line}`"),
            )),
        }
    }

    /// The next line with something on it.
    fn next_command(&mut self, here: usize) -> Result<&'a str, StubError> {
        while let Some(&line) = self.lines.get(self.at) {
            self.at += 1;
            if !line.is_empty() {
                return Ok(line);
            }
        }
        Err(fail(here, "a command in the loop", "the end"))
    }

    /// The text of an answer: the rest of the line, and further lines up to an empty one, a block or a command.
    fn answer(&mut self, first: &str, here: usize) -> Result<Answer, StubError> {
        let rest = &self.lines[self.at..];
        let count = rest
            .iter()
            .take_while(|line| {
                !line.is_empty() && block_of(line).is_none() && !is_command(line) && !line.starts_with("//")
            })
            .count();
        self.at += count;
        let more = &rest[..count];
        if let Some(inside) =
            first.strip_prefix("join").map(str::trim_start).and_then(|rest| rest.strip_prefix('('))
        {
            // The list may go on over several lines.
            let inside = [&[inside], more].concat().join(" ");
            return join(inside.trim_end(), here);
        }
        let lines = [&[first], more].concat();
        Ok(Answer::Lines(lines.into_iter().map(str::to_owned).collect()))
    }

    /// `N` or a name, and what follows.
    fn count<'t>(&self, text: &'t str, line: usize) -> Result<(Count, &'t str), StubError> {
        let (word, rest) = text.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((text, ""));
        let count = match word.parse::<i64>() {
            Ok(number) if (0..=MOST_TIMES).contains(&number) => Count::Number(number),
            Ok(_) => return Err(fail(line, format!("a count from 0 to {MOST_TIMES}"), format!("`{word}`"))),
            Err(_) if word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') && word.len() > 1 => {
                return Err(fail(line, format!("a count from 0 to {MOST_TIMES}"), format!("`{word}`")));
            }
            Err(_) if is_name(word) => Count::Name(word.to_owned()),
            Err(_) => {
                return Err(fail(line, "a number or a variable's name behind loop", format!("`{word}`")));
            }
        };
        if !self.read.iter().any(|name| name == word) {
            if let Some((_, at)) = self.read_in_loops.iter().find(|(name, _)| name == word) {
                let found = format!(
                    "`{word}`, which line {at} reads in a loop; a loop repeats one command, so that no loop can follow it \
                     inside. Write the reader of these lines by hand, without them in the stub"
                );
                return Err(StubError::Line {
                    line,
                    expected: "a count that is read once".to_owned(),
                    found,
                });
            }
        }
        Ok((count, rest.trim()))
    }

    /// `name:type name:type …`.
    fn variables(&mut self, text: &str, line: usize) -> Result<Vec<Variable>, StubError> {
        let mut joined = text.to_owned();
        if [" :", ": ", "\t:", ":\t"].iter().any(|blank| text.contains(blank)) {
            self.note("blanks around a colon are left out");
            joined = text.split(':').map(str::trim).collect::<Vec<_>>().join(":");
        }
        let mut all = Vec::new();
        for word in joined.split_ascii_whitespace() {
            let (name, kind) = word.split_once(':').unwrap_or((word, "int"));
            if !is_name(name) {
                return Err(fail(line, "a variable, name:type", format!("`{word}`")));
            }
            let (kind, length) =
                kind.split_once('(').map_or((kind, None), |(kind, length)| (kind, Some(length)));
            if length.is_some_and(|length| !length.ends_with(')')) {
                return Err(fail(line, "a length in brackets, such as word(10)", format!("`{word}`")));
            }
            let lower = kind.to_ascii_lowercase();
            if lower != kind || lower == "double" {
                let read = if lower == "double" { "float" } else { &lower };
                self.note(&format!("the type `{kind}` is read as `{read}`"));
            }
            let kind = match lower.as_str() {
                "int" | "" => Kind::Int,
                "long" => Kind::Long,
                "float" | "double" => Kind::Float,
                "bool" => Kind::Bool,
                "word" => Kind::Word,
                "string" => Kind::Text,
                _ => {
                    let expected = "a type: int, long, float, bool, word(N) or string(N)";
                    return Err(fail(line, expected, format!("`{word}`")));
                }
            };
            let length = length.map(|length| length.trim_end_matches(')').to_owned());
            all.push(Variable { name: name.to_owned(), kind, length });
        }
        if all.is_empty() {
            return Err(fail(line, "variables, name:type", "none"));
        }
        Ok(all)
    }
}

fn is_name(word: &str) -> bool {
    word.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && word.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
}

/// The inside of `join(…)`: quoted texts and names, with commas between.
fn join(inside: &str, line: usize) -> Result<Answer, StubError> {
    let mut parts = Vec::new();
    let mut rest = inside.trim_start();
    loop {
        if let Some(quoted) = rest.strip_prefix('"') {
            let Some(end) = closing_quote(quoted) else {
                return Err(fail(line, "a closing quote", format!("`{rest}`")));
            };
            parts.push(Part::Literal(quoted[..end].replace("\\\"", "\"").replace("\\\\", "\\")));
            rest = quoted[end + 1..].trim_start();
        } else {
            let end = rest.find([',', ')']).unwrap_or(rest.len());
            let word = rest[..end].trim();
            match word {
                "" => {}
                _ if is_name(word) => parts.push(Part::Name(word.to_owned())),
                _ => parts.push(Part::Literal(word.to_owned())),
            }
            rest = &rest[end..];
        }
        rest = match rest.chars().next() {
            Some(',') => rest[1..].trim_start(),
            Some(')') if rest[1..].trim().is_empty() => break,
            _ => return Err(fail(line, "a comma or the closing bracket of join", format!("`{rest}`"))),
        };
    }
    Ok(if parts.is_empty() { Answer::Lines(vec!["join()".to_owned()]) } else { Answer::Join(parts) })
}

/// The place of the quote that ends a text; one behind a backslash doesn't.
fn closing_quote(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.char_indices()
        .find(|&(_, c)| {
            let ends = c == '"' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            ends
        })
        .map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Stub {
        parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn error(text: &str) -> String {
        parse(text.as_bytes()).unwrap_err().to_string()
    }

    fn int(name: &str) -> Variable {
        Variable { name: name.to_owned(), kind: Kind::Int, length: None }
    }

    #[test]
    fn commands_and_blocks_in_any_order() {
        let stub =
            read("INPUT\nx : how far: in cells\n\nread x y:long\ngameloop\n  write WAIT\nSTATEMENT\nGo!\n");
        assert_eq!(stub.start.len(), 1);
        assert_eq!(stub.turn, Some(vec![Item::Write(Answer::Lines(vec!["WAIT".to_owned()]))]));
        assert_eq!(stub.comments["x"], "how far: in cells");
        assert_eq!(stub.statement, ["Go!"]);
    }

    #[test]
    fn bodies_of_loops_may_stand_on_the_next_line() {
        let one = read("loop 2 loop n read a:int");
        assert_eq!(one, read("loop 2\n\n   loop n\n\tread a:int"));
        let inner = Item::Loop(Count::Name("n".to_owned()), Box::new(Item::Read(vec![int("a")])));
        assert_eq!(one.start, [Item::Loop(Count::Number(2), Box::new(inner))]);
    }

    #[test]
    fn answers_have_lines_or_parts() {
        let lines = |text: &str| read(text).start;
        let plain =
            |lines: &[&str]| Item::Write(Answer::Lines(lines.iter().map(|&l| l.to_owned()).collect()));
        assert_eq!(lines("write a b\nc\n\nwrite d"), [plain(&["a b", "c"]), plain(&["d"])]);
        assert_eq!(lines("write a\nwrite b\nOUTPUT\nx"), [plain(&["a"]), plain(&["b"])]);
        assert_eq!(lines("write join()"), [plain(&["join()"])]);
        let parts = |parts: &[Part]| Item::Write(Answer::Join(parts.to_vec()));
        let literal = |text: &str| Part::Literal(text.to_owned());
        let name = |text: &str| Part::Name(text.to_owned());
        assert_eq!(
            lines(r#"write join("MOVE, or (not)", x, 3,"say \"hi\"")"#),
            [parts(&[literal("MOVE, or (not)"), name("x"), literal("3"), literal("say \"hi\"")])]
        );
    }

    #[test]
    fn near_misses_are_read_with_a_note() {
        for (text, right, note) in [
            ("read a:string(9) b:int", "read a:word(9) b:int", "line 1: `a` is a string in front of others"),
            ("read a : int b: long", "read a:int b:long", "line 1: blanks around a colon"),
            ("GAMELOOP\nread a:INT", "gameloop\nread a:int", "line 2: the type `INT` is read as `int`"),
            ("Read a", "read a", "line 1: `Read` is read as `read`"),
            ("// first\nread a\nwrite b\n// last", "read a\nwrite b", "line 1: a comment"),
            ("read a:double", "read a:float", "line 1: the type `double` is read as `float`"),
            ("read a\nINPUT a: b", "read a\nINPUT\na: b", "line 2: the text behind INPUT"),
            ("write\n\nMOVE x y\n\nWAIT", "write MOVE x y\nWAIT", "line 3: a line after an empty one"),
        ] {
            let (stub, right) = (read(text), read(right));
            assert!(stub.notes.iter().any(|said| said.starts_with(note)), "{text:?}: {:?}", stub.notes);
            assert_eq!(Stub { notes: Vec::new(), ..stub }, right, "{text:?}");
        }
    }

    #[test]
    fn windows_files_are_read() {
        assert_eq!(
            read("\u{feff}read a:int\r\ngameloop\r\nwrite x  \r\n"),
            read("read a:int\ngameloop\nwrite x")
        );
    }

    #[test]
    fn errors_say_where_and_what() {
        for (text, expected) in [
            ("", "the stub is empty"),
            ("// nothing\n\nINPUT\nx: y", "the stub is empty"),
            ("read a:int\nreed b", "line 2: expected a command (read, write, gameloop, loop, loopline) or a block, found `reed b`"),
            ("read", "line 1: expected variables"),
            ("loop", "line 1: expected a number or a variable's name behind loop, found ``"),
            ("loop 3", "line 1: expected a command in the loop, found the end"),
            ("loop a+1 read x", "line 1: expected a number or a variable's name behind loop, found `a+1`"),
            ("read a:integer", "line 1: expected a type"),
            ("read a:word(3", "line 1: expected a length in brackets"),
            ("read 3:int", "line 1: expected a variable"),
            ("loop 10001 read a", "line 1: expected a count from 0 to 10000, found `10001`"),
            ("loop -1 read a", "line 1: expected a count from 0 to 10000, found `-1`"),
            ("loopline 99999999999999999999 a", "line 1: expected a count from 0 to 10000"),
            ("read n\nloop n\n  read k\n  loop k read v", "line 4: expected a count that is read once, found `k`, which line 3 reads in a loop"),
            ("write a\n\nreed b:int", "line 3: expected a command"),
            ("use std::io;\n\nmacro_rules! parse_input {", "line 1: `use std::io;`: this is the code that the site generates"),
            ("// Score points\nimport java.util.*;", "line 2: `import java.util.*;`: this is the code"),
            ("import sys\n\nwhile True:\n", "line 1: `import sys`: this is the code"),
            ("write join(\"a", "line 1: expected a closing quote"),
            ("write join(a, b", "line 1: expected a comma or the closing bracket"),
            ("gameloop\ngameloop", "line 2: expected one gameloop"),
            ("loop 2 gameloop", "line 1: expected gameloop outside of loops"),
            ("read a\0", "line 1: expected text"),
        ] {
            let found = error(text);
            assert!(found.starts_with(expected), "{text:?}: {found}");
        }
        assert!(parse(b"read a\n\xff")
            .unwrap_err()
            .to_string()
            .starts_with("line 2: expected text in UTF-8"));
        let long = "read a\n".repeat(1_000_000);
        assert!(parse(long.as_bytes()).unwrap_err().to_string().contains("a file of 1000000"));
        let deep = "loop 2 ".repeat(20) + "read a";
        assert!(error(&deep).contains("at most 8 loops"));
    }
}

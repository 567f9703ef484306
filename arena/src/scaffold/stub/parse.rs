//! Parses a stub: commands (`read`, `write`, `gameloop`, `loop`, `loopline`) and blocks of text (`STATEMENT`, `INPUT`,
//! `OUTPUT`), in any order.

use super::model::{Answer, Count, Item, Kind, Part, Stub, Variable};

/// The most lines of a stub; the longest published one has 150.
const MOST_LINES: usize = 5_000;

/// The most loops around a step.
const MOST_LOOPS: usize = 8;

/// Where a text isn't a stub.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected {expected}, found {found}")]
pub struct StubError {
    /// The line's number, from 1.
    pub line: usize,
    /// What was expected there.
    pub expected: String,
    /// What was found.
    pub found: String,
}

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
    Parser { lines, at: 0 }.stub()
}

fn fail(line: usize, expected: impl Into<String>, found: impl Into<String>) -> StubError {
    let found: String = found.into();
    let found = match found.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &found[..end]),
        None => found,
    };
    StubError { line, expected: expected.into(), found }
}

const BLOCKS: [&str; 3] = ["STATEMENT", "INPUT", "OUTPUT"];

/// A line that begins one of these begins a command.
fn is_command(line: &str) -> bool {
    let word = line.split_ascii_whitespace().next().unwrap_or("");
    matches!(word, "read" | "write" | "gameloop" | "loop" | "loopline")
}

struct Parser<'a> {
    lines: Vec<&'a str>,
    /// The next line.
    at: usize,
}

impl<'a> Parser<'a> {
    fn stub(mut self) -> Result<Stub, StubError> {
        let mut stub = Stub::default();
        while let Some(&line) = self.lines.get(self.at) {
            self.at += 1;
            match line {
                "" => {}
                "STATEMENT" => stub.statement.extend(self.block()),
                "OUTPUT" => stub.output.extend(self.block()),
                "INPUT" => {
                    for line in self.block() {
                        // Comments on names that aren't read are ignored later.
                        if let Some((name, comment)) = line.split_once(':') {
                            stub.comments.insert(name.trim().to_owned(), comment.trim().to_owned());
                        }
                    }
                }
                line => {
                    let mut words = line.split_ascii_whitespace().peekable();
                    if words.next_if_eq(&"gameloop").is_some() {
                        if stub.turn.is_some() {
                            return Err(fail(self.at, "one gameloop", "a second one"));
                        }
                        stub.turn = Some(Vec::new());
                        if words.peek().is_none() {
                            continue;
                        }
                    }
                    let rest = line.strip_prefix("gameloop").map_or(line, str::trim_start);
                    let item = self.command(rest, 0)?;
                    stub.turn.as_mut().unwrap_or(&mut stub.start).push(item);
                }
            }
        }
        if stub.start.is_empty() && stub.turn.is_none() {
            return Err(fail(
                self.lines.len().max(1),
                "a command: read, write, loop, loopline or gameloop",
                "none",
            ));
        }
        Ok(stub)
    }

    /// The lines of a block: up to an empty line, the next block, or the end.
    fn block(&mut self) -> Vec<String> {
        let rest = &self.lines[self.at..];
        let count = rest.iter().take_while(|line| !line.is_empty() && !BLOCKS.contains(line)).count();
        self.at += count;
        rest[..count].iter().map(|&line| line.to_owned()).collect()
    }

    /// A command, whose line was taken.
    fn command(&mut self, line: &'a str, loops: usize) -> Result<Item, StubError> {
        let here = self.at;
        let (word, rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "read" => {
                let all = variables(rest, here)?;
                // A string takes the rest of its line.
                match all.iter().position(|variable| variable.kind == Kind::Text) {
                    Some(at) if at + 1 < all.len() => {
                        let found = format!("`{}` behind it", all[at + 1].name);
                        Err(fail(here, "a string at the end of its line", found))
                    }
                    _ => Ok(Item::Read(all)),
                }
            }
            "loopline" => {
                let (count, rest) = count(rest, here)?;
                let mut all = variables(rest, here)?;
                // Between others on one line a string is a word.
                for variable in all.iter_mut().filter(|variable| variable.kind == Kind::Text) {
                    variable.kind = Kind::Word;
                }
                Ok(Item::LoopLine(count, all))
            }
            "loop" => {
                if loops == MOST_LOOPS {
                    return Err(fail(here, format!("at most {MOST_LOOPS} loops in each other"), line));
                }
                let (count, body) = count(rest, here)?;
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
            .take_while(|line| !line.is_empty() && !BLOCKS.contains(line) && !is_command(line))
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
}

/// `N` or a name, and what follows.
fn count(text: &str, line: usize) -> Result<(Count, &str), StubError> {
    let (word, rest) = text.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((text, ""));
    let count = match word.parse::<i64>() {
        Ok(number) => Count::Number(number),
        Err(_) if is_name(word) => Count::Name(word.to_owned()),
        Err(_) => return Err(fail(line, "a number or a variable's name behind loop", format!("`{word}`"))),
    };
    Ok((count, rest.trim()))
}

fn is_name(word: &str) -> bool {
    word.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && word.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
}

/// `name:type name:type …`.
fn variables(text: &str, line: usize) -> Result<Vec<Variable>, StubError> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let mut all = Vec::new();
    for word in &words {
        let (name, kind) = word.split_once(':').unwrap_or((word, "int"));
        if !is_name(name) {
            return Err(fail(line, "a variable, name:type", format!("`{word}`")));
        }
        let (kind, length) = kind.split_once('(').map_or((kind, None), |(kind, length)| (kind, Some(length)));
        if length.is_some_and(|length| !length.ends_with(')')) {
            return Err(fail(line, "a length in brackets, such as word(10)", format!("`{word}`")));
        }
        let kind = match kind {
            "int" | "" => Kind::Int,
            "long" => Kind::Long,
            "float" => Kind::Float,
            "bool" => Kind::Bool,
            "word" => Kind::Word,
            "string" => Kind::Text,
            _ => {
                let expected = "a type: int, long, float, bool, word(N) or string(N)";
                return Err(fail(line, expected, format!("`{word}`")));
            }
        };
        all.push(Variable { name: name.to_owned(), kind });
    }
    if all.is_empty() {
        return Err(fail(line, "variables, name:type", "none"));
    }
    Ok(all)
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
        Variable { name: name.to_owned(), kind: Kind::Int }
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
    fn windows_files_are_read() {
        assert_eq!(
            read("\u{feff}read a:int\r\ngameloop\r\nwrite x  \r\n"),
            read("read a:int\ngameloop\nwrite x")
        );
    }

    #[test]
    fn errors_say_where_and_what() {
        for (text, expected) in [
            ("", "line 1: expected a command"),
            ("read a:int\nreed b", "line 2: expected a command (read, write, gameloop, loop, loopline) or a block, found `reed b`"),
            ("read", "line 1: expected variables"),
            ("loop", "line 1: expected a number or a variable's name behind loop, found ``"),
            ("loop 3", "line 1: expected a command in the loop, found the end"),
            ("loop a+1 read x", "line 1: expected a number or a variable's name behind loop, found `a+1`"),
            ("read a:integer", "line 1: expected a type"),
            ("read a:word(3", "line 1: expected a length in brackets"),
            ("read 3:int", "line 1: expected a variable"),
            ("read a:string(9) b:int", "line 1: expected a string at the end of its line, found `b` behind it"),
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

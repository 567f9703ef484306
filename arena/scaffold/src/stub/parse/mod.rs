//! Parses a stub: commands (`read`, `write`, `gameloop`, `loop`, `loopline`) and blocks of text (`STATEMENT`, `INPUT`,
//! `OUTPUT`), in any order.

mod error;
#[cfg(test)]
mod tests;
mod words;

use super::model::{Answer, Count, Item, Kind, Stub, Variable};
use contest::utf8;
use error::{fail, is_code, shortened};
use words::join;

pub use error::StubError;

/// The most lines of a stub; the longest published one has 150.
const MOST_LINES: usize = 5_000;

/// The most loops around a step.
const MOST_LOOPS: usize = 8;

/// Parses a stub.
///
/// # Errors
/// The first line that can't be understood.
pub(super) fn parse(bytes: &[u8]) -> Result<Stub, StubError> {
    let bytes = utf8::without_mark(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
        fail(line, "text in UTF-8", "other bytes: is this the stub's text file?")
    })?;
    // Line ends of old Macs, and blanks as word processors and web pages have them.
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = text.replace(|c: char| c.is_whitespace() && !c.is_ascii(), " ");
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    if lines.len() > MOST_LINES {
        let expected = format!("a stub of at most {MOST_LINES} lines");
        return Err(fail(MOST_LINES + 1, expected, format!("a file of {}", lines.len())));
    }
    if let Some(at) = lines.iter().position(|line| line.contains('\0')) {
        return Err(fail(at + 1, "text", "a byte 0: is this the stub's text file?"));
    }
    let is_code = |line: &&str| is_code(line);
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

/// The end of a section of code in a language, if a line begins one: `CODE-START-Rust` ends with `CODE-END-Rust`.
fn code_end(line: &str) -> Option<String> {
    line.strip_prefix("CODE-START").map(|language| format!("CODE-END{language}"))
}

/// Whether a line has the form of a block's name: one word in capitals of at least this length. An answer has such words
/// too (`WAIT`), but not behind an empty line and with text below.
fn is_block_name(line: &str) -> bool {
    line.len() >= SHORTEST_BLOCK && line.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

/// The letters of `INPUT`, the shortest known block.
const SHORTEST_BLOCK: usize = 5;

/// Whether a line behind a block and an empty line can only be a paragraph of it: a sentence may begin with `Read`, but it
/// has no variable with a type.
fn is_paragraph(line: &str) -> bool {
    !is_command(line) && !has_type(line)
}

/// Whether a line has something like a variable with a type.
fn has_type(line: &str) -> bool {
    let types = [":int", ":long", ":float", ":bool", ":word", ":string"];
    types.iter().any(|kind| line.contains(kind))
}

/// Adds the text of a block.
fn add_block(stub: &mut Stub, block: &str, text: Vec<String>) {
    match block {
        "STATEMENT" => stub.statement.extend(text),
        "OUTPUT" => stub.output.extend(text),
        _ => {
            // Comments on names that aren't read are ignored later.
            let pairs = text.iter().filter_map(|line| line.split_once(':'));
            let pairs = pairs.map(|(name, comment)| (name.trim().to_owned(), comment.trim().to_owned()));
            stub.comments.extend(pairs);
        }
    }
}

struct Parser<'a> {
    lines: Vec<&'a str>,
    /// The next line.
    at: usize,
    /// Variables that are read once in the start or a turn.
    read: Vec<String>,
    /// Variables that are read in loops, with the lines.
    read_in_loops: Vec<(String, usize)>,
    /// Where the stub was read differently from how it is written.
    notes: Vec<String>,
}

impl<'a> Parser<'a> {
    fn stub(mut self) -> Result<Stub, StubError> {
        let mut stub = Stub::default();
        // The block that paragraphs behind it belong to.
        let mut block_before = None;
        while let Some(&line) = self.lines.get(self.at) {
            self.at += 1;
            if line.is_empty() {
                continue;
            }
            if line.starts_with("//") {
                self.note("a comment (`//`) is skipped");
                continue;
            }
            if let Some(end) = code_end(line) {
                self.note(&format!("the section {line} is skipped"));
                let begin = self.at;
                let length = self.lines[begin..].iter().position(|line| *line == end);
                let Some(length) = length else { return Err(fail(begin, format!("its end, {end}"), "none")) };
                self.at += length + 1;
                continue;
            }
            if self.is_unknown_block(line) {
                self.note(&format!("the block {line} is unknown, and skipped"));
                self.block();
                block_before = None;
                continue;
            }
            if let Some((block, first)) = block_of(line) {
                let mut text = self.block();
                if !first.is_empty() {
                    self.note(&format!("the text behind {block} on the same line belongs to the block"));
                    text.insert(0, first.to_owned());
                }
                add_block(&mut stub, block, text);
                block_before = Some(block);
                continue;
            }
            if let Some(block) = block_before.filter(|_| is_paragraph(line)) {
                self.note_once(&format!(
                    "a line after an empty one that isn't a command belongs to the {block} above it"
                ));
                add_block(&mut stub, block, vec![line.to_owned()]);
                continue;
            }
            block_before = None;
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
                    self.note(
                        "a line after an empty one that isn't a command belongs to the answer above it",
                    );
                }
                _ => {
                    let item = self.command(rest, 0)?;
                    if !item.writes() && items.iter().any(Item::writes) {
                        self.note_once(
                            "the stub reads after it has written: the bot reads all input of a turn before it answers. If the \
                             referee waits for the first answer, change `play` in src/player.rs",
                        );
                    }
                    items.push(item);
                }
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

    /// A note about the first line of its kind.
    fn note_once(&mut self, note: &str) {
        if !self.notes.iter().any(|known| known.ends_with(note)) {
            self.note(note);
        }
    }

    /// Whether a line can only be an answer's text: no command, and nothing like a variable with a type.
    fn is_text(&self, line: &str) -> bool {
        let word = line.split_ascii_whitespace().next().unwrap_or("").to_ascii_lowercase();
        let is_command = matches!(word.as_str(), "read" | "write" | "gameloop" | "loop" | "loopline");
        !is_command && !has_type(line)
    }

    /// Whether the line that was taken is the name of an unknown block: no text before it or an empty line, and text below.
    fn is_unknown_block(&self, line: &str) -> bool {
        let is_apart = self.at < 2 || self.lines[self.at - 2].is_empty();
        let is_text = |line: &&str| !line.is_empty() && !is_command(line);
        is_block_name(line)
            && !BLOCKS.contains(&line)
            && is_apart
            && !line.eq_ignore_ascii_case("gameloop")
            && self.lines.get(self.at).is_some_and(is_text)
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
                    self.note(&format!("`{}` is a string before others: read as a word", variable.name));
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
        let (count, rest) = words::count(text, line)?;
        let Count::Name(word) = &count else { return Ok((count, rest)) };
        let is = |name: &String| name == word;
        match self.read_in_loops.iter().find(|(name, _)| is(name)) {
            Some((_, at)) if !self.read.iter().any(is) => {
                let found = format!(
                    "`{word}`, which line {at} reads in a loop; a loop repeats one command, so that no loop can follow it \
                     inside. Write the reader of these lines by hand, without them in the stub"
                );
                Err(StubError::Line { line, expected: "a count that is read once".to_owned(), found })
            }
            _ => Ok((count, rest)),
        }
    }

    /// `name:type name:type …`.
    fn variables(&mut self, text: &str, line: usize) -> Result<Vec<Variable>, StubError> {
        let (all, notes) = words::variables(text, line)?;
        notes.iter().for_each(|note| self.note(note));
        Ok(all)
    }
}

//! The parts of a command: counts, variables with their types, the list of `join(…)`.

use crate::stub::model::{Answer, Count, Kind, Part, Variable};

use super::error::{fail, StubError};

/// The largest number that may be written as a count.
const MOST_TIMES: i64 = 10_000;

/// `N` or a name, and what follows.
pub(super) fn count(text: &str, line: usize) -> Result<(Count, &str), StubError> {
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
    Ok((count, rest.trim()))
}

/// Parses `name:type name:type …`; also returns notes on parts that are read differently from how they are written.
pub(super) fn variables(text: &str, line: usize) -> Result<(Vec<Variable>, Vec<String>), StubError> {
    let mut notes = Vec::new();
    let mut joined = text.to_owned();
    if [" :", ": ", "\t:", ":\t"].iter().any(|blank| text.contains(blank)) {
        notes.push("blanks around a colon are left out".to_owned());
        joined = text.split(':').map(str::trim).collect::<Vec<_>>().join(":");
    }
    let mut all = Vec::new();
    for word in joined.split_ascii_whitespace() {
        let (name, kind) = word.split_once(':').unwrap_or((word, "int"));
        if !is_name(name) {
            return Err(fail(line, "a variable, name:type", format!("`{word}`")));
        }
        let (kind, length) = kind.split_once('(').map_or((kind, None), |(kind, length)| (kind, Some(length)));
        if length.is_some_and(|length| !length.ends_with(')')) {
            return Err(fail(line, "a length in brackets, such as word(10)", format!("`{word}`")));
        }
        let lower = kind.to_ascii_lowercase();
        if lower != kind || lower == "double" {
            let read = if lower == "double" { "float" } else { &lower };
            notes.push(format!("the type `{kind}` is read as `{read}`"));
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
    Ok((all, notes))
}

fn is_name(word: &str) -> bool {
    word.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && word.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
}

/// The inside of `join(…)`: quoted texts and names, with commas between.
pub(super) fn join(inside: &str, line: usize) -> Result<Answer, StubError> {
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

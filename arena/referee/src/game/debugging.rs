//! Recognises debugging output on a bot's standard output, for a hint in the report of its fault.

/// The hint that a report adds about such output.
pub const HINT: &str =
    "; this looks like debugging output, which belongs on standard error (eprintln!, cerr, sys.stderr, System.err)";

/// The number of bytes that are looked at.
const SHOWN_BYTES: usize = 2_000;

/// Texts that log libraries, debuggers' macros and printed structures have, and answers of protocols don't.
const MARKS: [&str; 14] = [
    "dbg",
    "debug",
    "[info]",
    "[warn",
    "[error",
    "[trace",
    "[src/",
    ".rs:",
    ".py\", line",
    ".cpp:",
    "some(",
    "ok(",
    "err(",
    "traceback",
];

/// The number of words of small letters in a row that make a sentence. Answers have fewer; messages for spectators may
/// have more, so that the hint says only what a text looks like.
const SENTENCE: usize = 4;

/// Whether a text looks like debugging output rather than like an answer: it has a mark of such, a list or a structure, a
/// name with a value, or a sentence.
pub fn is_likely(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&text[..text.len().min(SHOWN_BYTES)]);
    text.lines().any(|line| {
        let lower = line.to_lowercase();
        MARKS.iter().any(|mark| lower.contains(mark))
            || is_structure(line)
            || has_value(line)
            || is_sentence(line)
    })
}

/// A list, a tuple or a structure as languages print them.
fn is_structure(line: &str) -> bool {
    [('[', ']'), ('{', '}')].iter().any(|&(open, close)| {
        let begin = line.find(open);
        begin.is_some_and(|begin| line[begin..].contains(close))
    })
}

/// `name=value` or `name: value`.
fn has_value(line: &str) -> bool {
    let is_name = |text: &str| {
        let name = text.trim_end().rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
        name.len() > 1 && name.starts_with(|c: char| c.is_alphabetic() || c == '_')
    };
    let after = |rest: &str| !rest.trim().is_empty();
    let split = |mark: &str| line.split_once(mark).is_some_and(|(name, rest)| is_name(name) && after(rest));
    split("=") || split(": ")
}

fn is_sentence(line: &str) -> bool {
    let is_word = |word: &str| {
        let word = word.trim_end_matches(['.', ',', ':', '!', '?', '…']);
        word.len() > 1 && word.chars().all(|c| c.is_lowercase() || c == '\'')
    };
    let words = line.split_whitespace().collect::<Vec<_>>();
    words.windows(SENTENCE).any(|words| words.iter().all(|word| is_word(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debugging_output_is_recognised() {
        for text in [
            "[src/main.rs:12:5] best = 3",
            "DEBUG turn 3",
            "dbg 5 5",
            "depth=3",
            "score: 17",
            "nodes = 100000",
            "[1, 2, 3]",
            "Board { own: 1 }",
            "Some(Move(3))",
            "thinking about the next move",
            "0 0\nbest value = 3",
        ] {
            assert!(is_likely(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn answers_of_protocols_are_none() {
        for text in [
            "f5",
            "EXPERT f5 MSG good luck",
            "0 2",
            "zz",
            "",
            "MOVE&BUILD 0 N SE",
            "ACCEPT-DEFEAT",
            "WAIT",
            "8000 4500 SHIELD nice shot",
            "move 0,3-2,3-2,5",
            "ok\nmove s2,3+2,2+2,3",
            "end first",
            "error unknown command",
            "-90 4",
            "\u{0}\u{fffd}",
            "(3,4)",
        ] {
            assert!(!is_likely(text.as_bytes()), "{text}");
        }
        assert!(!is_likely(&[0xff; 5_000]));
    }
}

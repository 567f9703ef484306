//! Reads the file that a referee writes with `-l`: the bots' standard error, and the referee's summary.

use contest::utf8;
use serde_json::Value;

/// Lines of the referee's words that are kept.
const KEPT_LINES: usize = 6;

/// The content of such a file; parts that it lacks are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct GameFile {
    /// The standard error of each bot.
    pub stderr: Vec<String>,
    /// Why the game failed, or the last summaries of its turns.
    pub words: String,
}

/// Reads the file of a game with `seats` players. What can't be read is left out: the scores don't depend on it.
pub(super) fn read(bytes: &[u8], seats: usize) -> GameFile {
    let Ok(value) = serde_json::from_slice::<Value>(utf8::without_mark(bytes)) else {
        return GameFile::default();
    };
    let texts = |list: &Value| {
        let list = list.as_array().map_or(&[][..], Vec::as_slice);
        list.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
    };
    let stderr = |seat: usize| {
        let texts = texts(&value["errors"][seat.to_string()]);
        texts.iter().flat_map(|text| text.lines()).map(|line| format!("{line}\n")).collect()
    };
    let failure = value["failCause"].as_str().map(str::to_owned);
    let summaries = texts(&value["summaries"]);
    let lines = summaries.iter().flat_map(|text| text.lines()).filter(|line| !line.trim().is_empty());
    let lines = lines.collect::<Vec<_>>();
    let words = failure.unwrap_or_else(|| lines[lines.len().saturating_sub(KEPT_LINES)..].join("\n"));
    GameFile { stderr: (0..seats).map(stderr).collect(), words }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stderr_is_read_by_seat_and_the_last_summaries() {
        let text = r#"{"scores": {"0": 1, "1": -1}, "errors": {"referee": [""], "0": [null, "[TDATA] d = 3\nx"],
            "1": ["a\n", null]}, "summaries": ["", "start\n", "$1 timeout!\n"], "views": []}"#;
        let file = read(text.as_bytes(), 2);
        assert_eq!(file.stderr, ["[TDATA] d = 3\nx\n", "a\n"]);
        assert_eq!(file.words, "start\n$1 timeout!");
        assert_eq!(read(br#"{"failCause": "no map"}"#, 1).words, "no map");
    }

    #[test]
    fn any_other_file_is_empty() {
        for text in
            ["", "[1]", "{\"errors\": 3, \"summaries\": {\"a\": 1}}", "{\"errors\": {\"0\": 5}}", "\u{0}"]
        {
            let file = read(text.as_bytes(), 2);
            assert!(file.words.is_empty() && file.stderr.iter().all(String::is_empty), "{text}");
        }
    }
}

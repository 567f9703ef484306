//! Reads the file that a referee writes with `-l`: the bots' standard error, and the referee's summaries.

use contest::utf8;
use serde_json::Value;

use super::failures::is_failure;

/// Lines of the referee's words that are shown.
const SHOWN_LINES: usize = 6;

/// The content of such a file; parts that it lacks are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct GameFile {
    /// The standard error of each bot.
    pub stderr: Vec<String>,
    /// Why the game as a whole has failed.
    failure: Option<String>,
    /// The lines of the summaries, without markup.
    summaries: Vec<String>,
    /// The names of each seat's bot in the summaries: `$1`, and its agent's.
    names: Vec<Vec<String>>,
}

impl GameFile {
    /// The lines that name a seat, as `$1` does.
    pub(super) fn about(&self, seat: usize) -> Vec<String> {
        self.summaries.iter().filter(|line| self.is_about(line, seat)).cloned().collect()
    }

    /// Whether a line that names no seat tells of a failure.
    pub(super) fn tells_of_some_failure(&self) -> bool {
        self.general().any(is_failure)
    }

    /// The lines that name no seat.
    fn general(&self) -> impl Iterator<Item = &str> {
        let names_one = |line: &str| (0..self.names.len()).any(|seat| self.is_about(line, seat));
        self.summaries.iter().map(String::as_str).filter(move |line| !names_one(line))
    }

    fn is_about(&self, line: &str, seat: usize) -> bool {
        self.names.get(seat).is_some_and(|names| names.iter().any(|name| has_word(line, name)))
    }

    /// The referee's words about a bot that has failed: the last line about it that tells of a failure, else the last about
    /// it, else the last ones that name no seat.
    pub(super) fn words(&self, seat: usize) -> String {
        if let Some(failure) = &self.failure {
            return failure.clone();
        }
        let about = self.about(seat);
        let line = about.iter().rev().find(|line| is_failure(line)).or(about.last());
        line.cloned().unwrap_or_else(|| {
            let general = self.general().collect::<Vec<_>>();
            general[general.len().saturating_sub(SHOWN_LINES)..].join("\n")
        })
    }
}

/// Whether a line has a word: `$1`, but not as a part of `$12`.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        !line[..at].ends_with(char::is_alphanumeric)
            && !line[at + word.len()..].starts_with(char::is_alphanumeric)
    })
}

/// A line without the platform's markup, as in `¤RED¤text§RED§`.
fn without_markup(line: &str) -> String {
    let mut text = line.to_owned();
    for mark in ['¤', '§'] {
        while let Some(start) = text.find(mark) {
            let after = start + mark.len_utf8();
            let word = text[after..].find(mark).filter(|&end| {
                end > 0 && text[after..after + end].chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            });
            let end = word.map_or(after, |end| after + end + mark.len_utf8());
            text.replace_range(start..end, "");
        }
    }
    text
}

/// Reads the file of a game with `seats` players. Unreadable parts are left out: the scores don't depend on them.
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
    // `p1` is what `arena referee` calls seat 0, after cg-brutaltester's options. Names of one letter are words like others.
    let names = |seat: usize| {
        let agents = value["agents"].as_array().map_or(&[][..], Vec::as_slice);
        let is_seat = |agent: &&Value| agent["index"].as_u64() == Some(seat as u64);
        let agent = agents.iter().find(is_seat).and_then(|agent| agent["name"].as_str());
        let agent = agent.filter(|name| name.chars().count() > 1).map(str::to_owned);
        [format!("${seat}"), format!("p{}", seat + 1)].into_iter().chain(agent).collect()
    };
    let summaries = texts(&value["summaries"]);
    let lines = summaries.iter().flat_map(|text| text.lines()).map(without_markup);
    GameFile {
        stderr: (0..seats).map(stderr).collect(),
        names: (0..seats).map(names).collect(),
        failure: value["failCause"].as_str().map(str::to_owned),
        summaries: lines.map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stderr_is_read_by_seat() {
        let text = r#"{"scores": {"0": 1, "1": -1}, "errors": {"referee": [""], "0": [null, "[TDATA] d = 3\nx"],
            "1": ["a\n", null]}, "summaries": ["", "start\n", "$1 timeout!\n"], "views": []}"#;
        let file = read(text.as_bytes(), 2);
        assert_eq!(file.stderr, ["[TDATA] d = 3\nx\n", "a\n"]);
        assert_eq!((file.words(0).as_str(), file.words(1).as_str()), ("start", "$1 timeout!"));
        assert_eq!(read(br#"{"failCause": "no map"}"#, 1).words(0), "no map");
    }

    #[test]
    fn words_are_about_the_seat_that_failed() {
        let text = r#"{"summaries": ["", "¤RED¤$0 has not provided 1 lines in time§RED§\n", "$1 earns a point",
            "$10 is far ahead", "Game over: Hurdle Race\n$1 earns a GOLD medal\n$0 is last"]}"#;
        let file = read(text.as_bytes(), 2);
        assert_eq!(file.words(0), "$0 has not provided 1 lines in time");
        assert_eq!(file.words(1), "$1 earns a GOLD medal");
        assert_eq!(file.about(1), ["$1 earns a point", "$1 earns a GOLD medal"]);
        assert_eq!(file.words(2), "$10 is far ahead\nGame over: Hurdle Race");
    }

    #[test]
    fn bots_are_called_by_number_or_by_name() {
        let text = r#"{"summaries": ["p1, turn 1: protocol, expected one line", "Ann earns a point", "Anna timed out"],
            "agents": [{"index": 1, "name": "Ann"}, {"index": 0, "name": "Anna"}]}"#;
        let file = read(text.as_bytes(), 2);
        assert_eq!(file.about(0), ["p1, turn 1: protocol, expected one line", "Anna timed out"]);
        assert_eq!(
            (file.about(1), file.tells_of_some_failure()),
            (vec!["Ann earns a point".to_owned()], false)
        );
        assert!(read(br#"{"summaries": ["invalid action: x"]}"#, 2).tells_of_some_failure());
    }

    #[test]
    fn markup_is_left_out_and_its_text_is_kept() {
        for (line, shown) in [
            ("¤RED¤$0: no move§RED§", "$0: no move"),
            ("a ¤GREEN¤b¤GREEN¤ c", "a b c"),
            ("5 ¤ each, not ¤ a mark", "5  each, not  a mark"),
            ("plain", "plain"),
        ] {
            assert_eq!(without_markup(line), shown);
        }
    }

    #[test]
    fn any_other_file_is_empty() {
        for text in
            ["", "[1]", "{\"errors\": 3, \"summaries\": {\"a\": 1}}", "{\"errors\": {\"0\": 5}}", "\u{0}"]
        {
            let file = read(text.as_bytes(), 2);
            assert!(file.words(0).is_empty() && file.stderr.iter().all(String::is_empty), "{text}");
        }
    }
}

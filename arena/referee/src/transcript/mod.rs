//! Game transcripts of other programs: the players' answers in order. The bots' input is missing from them;
//! [`rebuild`] derives it from the rules.
//!
//! Two formats are read: the platform's replay (`platform.rs`) and the published runner's result
//! (`runner.rs`). Fields that are not needed are ignored.

mod error;
mod field;
mod parts;
mod platform;
pub mod rebuild;
pub mod recognise;
mod runner;

use std::fs;
use std::path::Path;

use contest::utf8;
use serde_json::Value;

use field::Field;

pub use error::TranscriptError;
pub use parts::{InvalidParameter, Parameters, Player, Transcript};

/// Fields that a replay of the platform may be wrapped in, the outer ones first: in one of them or in both; `success` may
/// also be a flag next to the replay.
const WRAPS: [&str; 3] = ["gameResult", "success", "gameResult"];

/// The replay or result within a file's value, without its wrappers.
pub fn unwrapped(root: &Value) -> &Value {
    WRAPS.into_iter().fold(root, |root, key| match root.get("frames") {
        None => root.get(key).unwrap_or(root),
        Some(_) => root,
    })
}

impl Transcript {
    /// Reads a file.
    ///
    /// # Errors
    /// If it can't be read, isn't complete JSON, or lacks a required field.
    pub fn read(path: &Path) -> Result<Self, TranscriptError> {
        let bytes = fs::read(path).map_err(|source| TranscriptError::Io { path: path.to_owned(), source })?;
        Self::parse(path, &bytes)
    }

    /// Reads the content of a file; `path` is for messages.
    ///
    /// # Errors
    /// If it isn't complete JSON, or lacks a required field.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self, TranscriptError> {
        let value = json(path, bytes)?;
        let root = Field::root(path, &value);
        let root = WRAPS.into_iter().fold(root, |root, key| match root.get("frames") {
            None => root.get(key).unwrap_or(root),
            Some(_) => root,
        });
        if let Some(frames) = root.get("frames") {
            platform::transcript(&root, &frames)
        } else if let Some(outputs) = root.get("outputs") {
            runner::transcript(&root, &outputs)
        } else {
            Err(root.wrong(
                "`frames`, as in a replay of the platform, or `outputs`, as in a result of its runner",
            ))
        }
    }

    /// Reads a truncated file up to its last whole value, if that is a game.
    pub fn parse_cut(path: &Path, bytes: &[u8]) -> Option<Self> {
        let close_json = close_json(std::str::from_utf8(utf8::without_mark(bytes)).ok()?);
        Self::parse(path, close_json.as_bytes()).ok()
    }

    /// Adds players that a truncated file doesn't mention.
    pub fn pad_players(&mut self, seats: usize) {
        for player in self.players.len()..seats {
            self.players.push(Player { name: format!("player {player}"), score: None, rank: None });
        }
    }

    /// A player's name in messages.
    pub fn called(&self, player: usize) -> String {
        match self.players.get(player) {
            Some(known) => format!("player {player} ({})", known.name),
            None => format!("player {player}"),
        }
    }
}

/// The whole file as a value.
pub fn json(path: &Path, bytes: &[u8]) -> Result<Value, TranscriptError> {
    serde_json::from_slice(utf8::without_mark(bytes)).map_err(|source| {
        let (path, line, column) = (path.to_owned(), source.line(), source.column());
        if source.is_eof() {
            return TranscriptError::Cut { path, line, column };
        }
        let text = source.to_string();
        let reason = text.split(" at line ").next().unwrap_or_default().to_owned();
        TranscriptError::Json { path, line, column, reason }
    })
}

/// Truncated JSON up to its last whole value, with the brackets closed.
fn close_json(text: &str) -> String {
    let (mut open, mut in_string, mut escaped) = (Vec::new(), false, false);
    let mut whole = (0, Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' => open.push('}'),
            b'[' => open.push(']'),
            b'}' | b']' => {
                open.pop();
                whole = (at + 1, open.clone());
            }
            b',' => whole = (at, open.clone()),
            _ => {}
        }
    }
    let (end, open) = whole;
    text[..end].chars().chain(open.into_iter().rev()).collect()
}

#[cfg(test)]
mod tests {
    use super::parts::Answer;
    use super::*;

    fn parse(text: &str) -> Result<Transcript, TranscriptError> {
        Transcript::parse(Path::new("a.json"), text.as_bytes())
    }

    const PLATFORM: &str = r#"{"gameId": 7, "refereeInput": "seed=4\nmap=2\n", "scores": [1.0, -1], "ranks": [0, 1],
        "agents": [{"index": 0, "agentId": 11, "codingamer": {"pseudo": "a"}}, {"index": 1, "agentId": 12}],
        "frames": [{"agentId": -1, "view": "x"}, {"agentId": 0, "stdout": "c4\n", "stderr": "depth 3\n", "new": {}}, {"agentId": 12, "stdout": "c3"}]}"#;

    #[test]
    fn a_replay_of_the_platform() {
        let game = parse(PLATFORM).unwrap();
        assert_eq!((game.id, game.parameters.seed), (Some(7), Some(4)));
        assert_eq!(game.players[0], Player { name: "a".into(), score: Some(1.0), rank: Some(0.0) });
        assert_eq!(game.players[1], Player { name: "player 1".into(), score: Some(-1.0), rank: Some(1.0) });
        let answer = |player, text: &str, place: &str| {
            let said = if player == 0 { "depth 3\n".to_owned() } else { String::new() };
            Answer { player, text: text.into(), said, place: place.into() }
        };
        assert_eq!(game.answers, [answer(0, "c4", "frames[1].stdout"), answer(1, "c3", "frames[2].stdout")]);
        let wrapped = parse(&format!("\u{feff}{{\"success\": {PLATFORM}}}")).unwrap();
        assert_eq!(wrapped.answers[1], answer(1, "c3", "success.frames[2].stdout"));
        assert_eq!((wrapped.players, wrapped.parameters), (game.players, game.parameters));
        for (text, place) in [
            (format!("{{\"gameResult\": {PLATFORM}, \"success\": true}}"), "gameResult"),
            (format!("{{\"success\": {{\"gameResult\": {PLATFORM}}}}}"), "success.gameResult"),
        ] {
            let wrapped = parse(&text).unwrap();
            assert_eq!(wrapped.answers[1], answer(1, "c3", &format!("{place}.frames[2].stdout")));
        }
    }

    #[test]
    fn a_result_of_the_runner() {
        let text = r#"{"outputs": {"0": [null, "c4\r\n", null], "1": [null, null, "ok\nmove 3"], "referee": ["", "", ""]},
            "scores": {"0": 1, "1": 0}, "gameParameters": ["seed=-1\n"], "agents": [{"index": 1, "name": "me"}]}"#;
        let game = parse(text).unwrap();
        assert_eq!((game.id, game.parameters.seed), (None, Some(u64::MAX)));
        let names: Vec<&str> = game.players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["player 0", "me"]);
        let texts: Vec<_> =
            game.answers.iter().map(|a| (a.player, a.text.as_str(), a.place.as_str())).collect();
        assert_eq!(texts, [(0, "c4", "outputs[\"0\"][1]"), (1, "ok\nmove 3", "outputs[\"1\"][2]")]);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        for (text, expected) in [
            ("", "a.json:1:0: the file ends in the middle"),
            (&PLATFORM[..PLATFORM.len() - 9], "a.json:3:"),
            ("[1 2]", "a.json:1:4: not JSON: expected `,` or `]`"),
            ("[]", "a.json: the whole file: expected `frames`"),
            (r#"{"a": 1, "b": []}"#, "a.json: the whole file: expected `frames`"),
            (r#"{"success": null}"#, "a.json: success: expected `frames`"),
            (r#"{"frames": 7}"#, "a.json: frames: expected a list, found 7"),
            (r#"{"frames": [{"agentId": "x", "stdout": "c4"}]}"#, "a.json: frames[0].agentId: expected"),
            (
                r#"{"frames": [{"agentId": 0, "stdout": 3}]}"#,
                "a.json: frames[0].stdout: expected a text, found 3",
            ),
            (
                r#"{"frames": [], "refereeInput": "seed=x"}"#,
                "a.json: refereeInput: expected `seed=` and a whole",
            ),
            (r#"{"outputs": {"0": [{}]}}"#, "a.json: outputs[\"0\"][0]: expected a text or null, found {}"),
            (r#"{"outputs": {"0": [], "1": 3}}"#, "a.json: outputs[\"1\"]: expected a list, found 3"),
            (r#"{"outputs": {"0": []}, "scores": [1, "x"]}"#, "a.json: scores[1]: expected a number"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
        let error = parse(r#"{"a": 1, "b": []}"#).unwrap_err().to_string();
        assert!(error.ends_with("found an object with the fields a, b"), "{error}");
    }

    #[test]
    fn replays_cut_off_anywhere_are_refused_but_hold_what_is_there() {
        let mut answers = 0;
        for end in 0..PLATFORM.len() {
            assert!(parse(&PLATFORM[..end]).is_err(), "{end}");
            let there = Transcript::parse_cut(Path::new("a.json"), &PLATFORM.as_bytes()[..end]);
            let now = there.map_or(0, |game| game.answers.len());
            assert!(now >= answers, "{end}");
            answers = now;
        }
        assert_eq!(answers, 2);
    }
}

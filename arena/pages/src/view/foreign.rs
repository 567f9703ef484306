//! A game of a contest that this program doesn't have, from the result of the published runner (`outputs`, `errors`,
//! `summaries`: an entry a frame) or a replay of the site (`frames`): texts, numbers, and what the bots drew.

use contest::utf8;
use serde_json::Value;

use super::{numbers, Viewed, ViewedBot, ViewedTurn};
use coppice_referee::transcript::unwrapped;

/// Most players.
const MOST_PLAYERS: usize = 8;

/// The game, if the file is one of the two.
pub fn view(name: &str, bytes: &[u8]) -> Option<Viewed> {
    let root: Value = serde_json::from_slice(utf8::without_mark(bytes)).ok()?;
    let root = unwrapped(&root);
    let mut viewed = Viewed { name: name.to_owned(), ..Viewed::default() };
    match root.get("frames").and_then(Value::as_array) {
        Some(frames) => of_frames(root, frames, &mut viewed),
        None => of_outputs(root, &mut viewed)?,
    }
    let seats = viewed.turns.iter().map(|turn| turn.seat + 1).max()?.max(viewed.scores.len());
    viewed.bots = (0..seats).map(|seat| bot(root, seat)).collect();
    if let Some(cause) = root["failCause"].as_str() {
        viewed.notes.push(format!("the referee failed: {cause}"));
    }
    Some(viewed)
}

/// Adds what the bots said, and their names, to a game that was rebuilt by its rules from such a file, whose answers are in
/// the same order. Changes nothing if they aren't.
pub fn complete(viewed: &mut Viewed, bytes: &[u8]) {
    let Some(file) = view("", bytes) else { return };
    let is_same = |(ours, theirs): (&ViewedTurn, &ViewedTurn)| ours.answer.trim() == theirs.answer.trim();
    let count = viewed.turns.len();
    if file.turns.len() < count || !viewed.turns.iter().zip(&file.turns).all(is_same) {
        return;
    }
    for (ours, theirs) in viewed.turns.iter_mut().zip(file.turns) {
        if let (Some(bot), Some(named)) = (viewed.bots.get_mut(ours.seat), file.bots.get(theirs.seat)) {
            bot.name.clone_from(&named.name);
        }
        (ours.said, ours.numbers) = (theirs.said, theirs.numbers);
    }
}

/// Adds the texts and rounds of such a file to a game that was read from its dialogues, if its answers are the same in the same order.
pub fn add_texts(viewed: &mut Viewed, bytes: &[u8]) {
    let Some(file) = view("", bytes) else { return };
    let is_same = |(ours, theirs): (&ViewedTurn, &ViewedTurn)| {
        ours.seat == theirs.seat && ours.answer.trim() == theirs.answer.trim()
    };
    if file.turns.len() <= viewed.turns.len() && viewed.turns.iter().zip(&file.turns).all(is_same) {
        let pairs = viewed.turns.iter_mut().zip(file.turns);
        pairs.for_each(|(ours, theirs)| (ours.text, ours.round) = (theirs.text, theirs.round));
    }
}

fn of_frames(root: &Value, frames: &[Value], viewed: &mut Viewed) {
    for frame in frames {
        let text = |key: &str| frame[key].as_str().unwrap_or_default().trim_end().to_owned();
        let Some(seat) = frame["agentId"].as_u64().filter(|&seat| seat < MOST_PLAYERS as u64) else {
            continue;
        };
        if frame.get("stdout").is_some_and(Value::is_string) {
            add(viewed, seat as usize, 0, [text("stdout"), text("stderr"), text("summary")]);
        }
    }
    viewed.scores = scores(&root["scores"]);
}

fn of_outputs(root: &Value, viewed: &mut Viewed) -> Option<()> {
    let outputs = root.get("outputs")?.as_object()?;
    let players: Vec<usize> = outputs
        .keys()
        .filter_map(|key| key.parse().ok())
        .filter(|&seat: &usize| seat < MOST_PLAYERS)
        .collect();
    let frames = outputs.values().filter_map(Value::as_array).map(Vec::len).max()?;
    let text = |value: &Value| value.as_str().map(|text| text.trim_end().to_owned());
    for frame in 0..frames {
        for &seat in &players {
            let key = seat.to_string();
            if let Some(answer) = text(&outputs[&key][frame]) {
                let said = text(&root["errors"][&key][frame]).unwrap_or_default();
                let summary = text(&root["summaries"][frame]).unwrap_or_default();
                add(viewed, seat, frame + 1, [answer, said, summary]);
            }
        }
    }
    viewed.scores = scores(&root["scores"]);
    Some(())
}

fn add(viewed: &mut Viewed, seat: usize, round: usize, [answer, said, text]: [String; 3]) {
    let numbers = numbers::read(&said);
    viewed.turns.push(ViewedTurn { seat, round, answer, said, text, numbers, ..ViewedTurn::default() });
}

/// A list, or an object by player.
fn scores(value: &Value) -> Vec<i64> {
    let score = |value: &Value| value.as_f64().map(|score| score as i64);
    match value {
        Value::Array(list) => list.iter().filter_map(score).collect(),
        Value::Object(by_player) => {
            (0..by_player.len()).map_while(|seat| score(by_player.get(&seat.to_string())?)).collect()
        }
        _ => Vec::new(),
    }
}

fn bot(root: &Value, seat: usize) -> ViewedBot {
    let agents = root["agents"].as_array().map_or(&[][..], Vec::as_slice);
    let is_seat = |agent: &&Value| agent["index"].as_u64() == Some(seat as u64);
    let agent = agents.iter().find(is_seat).or_else(|| agents.get(seat)).unwrap_or(&Value::Null);
    let places = ["/codingamer/pseudo", "/arenaboss/nickname", "/name"];
    let name = places.iter().find_map(|place| agent.pointer(place)?.as_str());
    ViewedBot { name: name.map_or_else(|| format!("seat {seat}"), str::to_owned), command: String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runners_result_is_read_frame_by_frame() {
        let text = r#"{"outputs": {"0": ["a\n", null, "c"], "1": [null, "b", null], "referee": []},
            "errors": {"0": ["[TDATA] depth = 3\n", null, null], "1": [null, "hi", null]},
            "summaries": ["", "moved", ""], "scores": {"0": 3.0, "1": 1},
            "agents": [{"index": 0, "name": "Player 0"}]}"#;
        let viewed = view("game", text.as_bytes()).unwrap();
        let turns: Vec<(usize, &str)> =
            viewed.turns.iter().map(|turn| (turn.seat, turn.answer.as_str())).collect();
        assert_eq!(turns, [(0, "a"), (1, "b"), (0, "c")]);
        assert_eq!(viewed.label(3), "turn 3", "no seats are asked together");
        assert_eq!(viewed.turns[0].numbers["depth"], 3.0);
        assert_eq!((viewed.turns[1].said.as_str(), viewed.turns[1].text.as_str()), ("hi", "moved"));
        assert_eq!(viewed.scores, [3, 1]);
        assert_eq!((viewed.bots[0].name.as_str(), viewed.bots[1].name.as_str()), ("Player 0", "seat 1"));
    }

    #[test]
    fn a_replay_of_the_site_is_read_frame_by_frame() {
        let text = r#"{"gameResult": {"frames": [{"agentId": -1, "view": "x"}, {"agentId": 1, "stdout": "go\n",
            "stderr": "@c red 1 1 1"}], "scores": [0, 5], "agents": [{"index": 1, "codingamer": {"pseudo": "me"}}]}}"#;
        let viewed = view("game", text.as_bytes()).unwrap();
        assert_eq!((viewed.turns.len(), viewed.turns[0].seat), (1, 1));
        assert_eq!(viewed.bots[1].name, "me");
        assert_eq!(viewed.scores, [0, 5]);
    }

    #[test]
    fn other_files_are_no_games() {
        for text in ["", "{}", "[1]", r#"{"outputs": 3}"#, r#"{"outputs": {}}"#, r#"{"frames": []}"#] {
            assert!(view("x", text.as_bytes()).is_none(), "{text}");
        }
    }
}

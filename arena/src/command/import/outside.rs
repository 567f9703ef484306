//! Games of contests whose rules this program lacks: recorded by their answers, scores and ranks alone.

use contest::Seat;
use serde_json::{json, Value};

use crate::game_files::{self, NoGame};
use coppice_referee::game::log::{Direction, Log};
use coppice_referee::record::GameRecord;
use coppice_referee::transcript::{Player, Transcript};

/// The record of a game of the contest called `contest`.
///
/// # Errors
/// If a player has neither a score nor a rank.
pub(super) fn record(transcript: &Transcript, contest: &str, game: u32) -> Result<GameRecord, NoGame> {
    let players = &transcript.players;
    let names = distinct(players);
    let command = |player| format!("{} of {}", transcript.called(player), transcript.path.display());
    let bot = |(player, name): (usize, &String)| json!({"name": name, "command": command(player)});
    let [scores, ranks] =
        [|player: &Player| player.score, |player: &Player| player.rank].map(|of| whole(players, of));
    // Where the file's order is another than that of its scores, less may be better.
    let result = match (scores, ranks) {
        (Some(scores), Some(ranks)) if !agree(&scores, &ranks) => json!({ "ranks": ranks }),
        (Some(scores), _) => json!({ "scores": scores.iter().map(number).collect::<Vec<_>>() }),
        (None, Some(ranks)) => json!({ "ranks": ranks }),
        (None, None) => return Err("no score or rank of every player: the game isn't over".into()),
    };
    let data = players.iter().map(|player| {
        let [score, rank] = [("score", player.score), ("rank", player.rank)];
        [score, rank].into_iter().filter_map(|(name, value)| Some((name.to_owned(), json!(value?)))).collect()
    });
    let mut value = json!({
        "game": game,
        "contest": contest,
        "bots": names.iter().enumerate().map(bot).collect::<Vec<_>>(),
        "seed": transcript.parameters.seed.unwrap_or(0),
        "player_data": data.collect::<Vec<Value>>(),
    });
    value
        .as_object_mut()
        .into_iter()
        .for_each(|all| all.extend(result.as_object().cloned().unwrap_or_default()));
    let mut record = game_files::record(value, game)?;
    record.turns = transcript.answers.iter().map(|answer| answer.player).collect();
    Ok(record)
}

/// The beginning of a line of standard error on which a bot repeats a line of its input.
const INPUT: &str = "> ";

/// The dialogues by seat, if a bot repeated its input on standard error: each line after `> `. Of the other bots only the
/// answers are known; an empty line stands for a turn's input.
pub(super) fn dialogues(transcript: &Transcript) -> Option<Vec<Log>> {
    let is_input = |line: &&str| line.starts_with(INPUT) || *line == INPUT.trim_end();
    let repeats = |seat: Seat| {
        let mut answers = transcript.answers.iter().filter(|answer| answer.player == seat);
        answers.any(|answer| answer.said.lines().any(|line| is_input(&line)))
    };
    let repeats: Vec<bool> = (0..transcript.players.len()).map(repeats).collect();
    if !repeats.contains(&true) {
        return None;
    }
    let mut logs = vec![Log::default(); transcript.players.len()];
    for answer in &transcript.answers {
        let log = &mut logs[answer.player];
        let (input, said): (Vec<&str>, Vec<&str>) = answer.said.lines().partition(is_input);
        match repeats[answer.player] {
            true => input.iter().for_each(|line| {
                let text = line.strip_prefix(INPUT).unwrap_or_default();
                log.push_bytes(Direction::ToBot, text.as_bytes());
            }),
            false => log.push_bytes(Direction::ToBot, b""),
        }
        log.push_bytes(Direction::FromBot, answer.text.as_bytes());
        said.iter().for_each(|line| log.push_said(format!("{line}\n").as_bytes()));
    }
    Some(logs)
}

/// The players' names. A player that is on two seats gets a number on the second.
fn distinct(players: &[Player]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for player in players {
        let mut name = player.name.clone();
        for number in 2.. {
            if !names.contains(&name) {
                break;
            }
            name = format!("{} ({number})", player.name);
        }
        names.push(name);
    }
    names
}

/// A number of every player, or none.
fn whole(players: &[Player], of: fn(&Player) -> Option<f64>) -> Option<Vec<f64>> {
    players.iter().map(of).collect::<Option<Vec<_>>>().filter(|all| !all.is_empty())
}

/// Whether more points are a better rank, and equal points an equal one.
fn agree(scores: &[f64], ranks: &[f64]) -> bool {
    let order = |a: usize, b: usize| scores[a].partial_cmp(&scores[b]) == ranks[b].partial_cmp(&ranks[a]);
    (0..scores.len()).all(|a| (0..a).all(|b| order(a, b)))
}

/// A whole number where it is one, since points are.
fn number(value: &f64) -> Value {
    let whole = *value as i64;
    if whole as f64 == *value {
        json!(whole)
    } else {
        json!(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(name: &str, score: Option<f64>, rank: Option<f64>) -> Player {
        Player { name: name.to_owned(), score, rank }
    }

    fn played(players: Vec<Player>) -> Result<GameRecord, NoGame> {
        let transcript = Transcript {
            path: "1.json".into(),
            parameters: Default::default(),
            id: None,
            players,
            answers: Vec::new(),
        };
        record(&transcript, "golf", 7)
    }

    #[test]
    fn ranks_decide_where_scores_have_another_order() {
        let scores = |players| played(players).unwrap().scores;
        let [a, b] = [("a", Some(3.0)), ("b", Some(5.0))];
        let ranked = |[first, second]: [f64; 2]| {
            scores(vec![player(a.0, a.1, Some(first)), player(b.0, b.1, Some(second))])
        };
        assert_eq!(ranked([1.0, 0.0]), [3, 5]);
        assert_eq!(ranked([0.0, 1.0]), [1, 0], "golf: fewer points are better");
        assert_eq!(scores(vec![player("a", None, Some(0.0)), player("b", None, Some(0.0))]), [0, 0]);
        assert_eq!(scores(vec![player("a", Some(-6.0), None), player("b", Some(-9.0), None)]), [-6, -9]);
        assert_eq!(scores(vec![player("a", Some(0.5), None), player("b", Some(0.25), None)]), [1, 0]);
        assert!(played(vec![player("a", Some(1.0), None), player("b", None, None)]).is_err());
    }

    #[test]
    fn a_player_against_itself_has_two_names() {
        let record = played(vec![player("a", Some(1.0), None), player("a", Some(0.0), None)]).unwrap();
        assert_eq!([&record.bots[0].name, &record.bots[1].name], ["a", "a (2)"]);
        assert_eq!((record.game, &record.contest[..]), (7, "golf"));
    }
}

//! Parses the platform's replay: `frames`, each with the player's number and its output.

use super::error::TranscriptError;
use super::field::Field;
use super::parts::{trimmed, Answer, InvalidParameter, Parameters, Player, Transcript, MOST_PLAYERS};

pub(super) fn transcript(root: &Field, frames: &Field) -> Result<Transcript, TranscriptError> {
    let agents = agents(root)?;
    let mut answers = Vec::new();
    for frame in frames.list()? {
        // Frames without an answer show what the game did.
        let Some(stdout) = frame.get_some("stdout") else { continue };
        let who = frame.get("agentId").ok_or_else(|| frame.wrong("the field agentId, a player's number"))?;
        let Ok(number @ 0..) = who.whole() else {
            return Err(who.wrong("a player's number"));
        };
        let text = stdout.text()?;
        if !text.is_empty() {
            let player = index(number as u64, &agents);
            let said = frame.get_some("stderr").and_then(|said| said.text().ok().map(str::to_owned));
            answers.push(Answer {
                player,
                text: trimmed(text),
                said: said.unwrap_or_default(),
                place: stdout.place(),
            });
        }
    }
    Ok(Transcript {
        path: root.path().to_owned(),
        parameters: parameters(root.get_some("refereeInput"))?,
        id: root.get("gameId").and_then(|id| id.index()),
        players: players(root, &agents, &answers)?,
        answers,
    })
}

/// A player's numbers.
pub(super) struct Agent {
    /// Index in the game's scores and frames.
    index: usize,
    /// The number of its program on the platform.
    id: Option<u64>,
    name: Option<String>,
}

/// The players, if the file describes them.
pub(super) fn agents(root: &Field) -> Result<Vec<Agent>, TranscriptError> {
    let Some(list) = root.get_some("agents") else { return Ok(Vec::new()) };
    let agents = list.list()?;
    Ok(agents
        .iter()
        .enumerate()
        .map(|(i, agent)| {
            let text = |field: Option<Field>, key: &str| {
                field.and_then(|field| field.get(key)?.text().ok().map(str::to_owned))
            };
            // A person, one of the platform's bosses, or a runner's name.
            let name = text(agent.get("codingamer"), "pseudo")
                .or_else(|| text(agent.get("arenaboss"), "nickname"))
                .or_else(|| agent.get("name")?.text().ok().map(str::to_owned));
            let index = agent.get("index").and_then(|index| index.index());
            Agent {
                index: index.map_or(i, |index| index as usize),
                id: agent.get("agentId").and_then(|id| id.index()),
                name,
            }
        })
        .collect())
}

/// A frame's player: by its number in the game, or by the number of its program.
fn index(number: u64, agents: &[Agent]) -> usize {
    let is_index = agents.iter().any(|agent| agent.index as u64 == number);
    let by_id = agents.iter().find(|agent| !is_index && agent.id == Some(number));
    by_id.map_or(number as usize, |agent| agent.index)
}

/// The seed and other lines `name=value`.
pub(super) fn parameters(field: Option<Field>) -> Result<Parameters, TranscriptError> {
    let Some(field) = field else { return Ok(Parameters::default()) };
    let lines = if field.is_list() { field.list()? } else { vec![field] };
    let text = lines.iter().map(Field::text).collect::<Result<Vec<_>, _>>()?.join("\n");
    Parameters::parse(&text).map_err(|InvalidParameter(word)| {
        let (name, _) = word.split_once('=').unwrap_or((&word, ""));
        lines[0].wrong(format!("`{name}=` and a whole number"))
    })
}

/// All players in the file.
pub(super) fn players(
    root: &Field,
    agents: &[Agent],
    answers: &[Answer],
) -> Result<Vec<Player>, TranscriptError> {
    let scores = by_player(root.get_some("scores"))?;
    let ranks = by_player(root.get_some("ranks"))?;
    let known = agents.iter().map(|agent| agent.index).chain(answers.iter().map(|answer| answer.player));
    let count = known.map(|player| player.saturating_add(1)).max().unwrap_or(0).max(scores.len());
    let most = MOST_PLAYERS;
    if count > most {
        return Err(root.wrong(format!("at most {most} players, numbered from 0")));
    }
    Ok((0..count)
        .map(|player| {
            let agent = agents.iter().find(|agent| agent.index == player);
            let name = agent.and_then(|agent| agent.name.clone());
            Player {
                name: name.unwrap_or_else(|| format!("player {player}")),
                score: scores.get(player).copied().flatten(),
                rank: ranks.get(player).copied().flatten(),
            }
        })
        .collect())
}

/// Points or ranks by player, in a list or by number.
fn by_player(field: Option<Field>) -> Result<Vec<Option<f64>>, TranscriptError> {
    let Some(field) = field else { return Ok(Vec::new()) };
    let number = |field: Field| if field.is_null() { Ok(None) } else { field.number().map(Some) };
    if field.is_list() {
        return field.list()?.into_iter().map(number).collect();
    }
    let mut scores = Vec::new();
    for key in field.keys()? {
        let Some(player) = key.parse::<usize>().ok().filter(|&player| player < MOST_PLAYERS) else {
            continue;
        };
        let Some(score) = field.get(key) else { continue };
        scores.resize(scores.len().max(player + 1), None);
        scores[player] = number(score)?;
    }
    Ok(scores)
}

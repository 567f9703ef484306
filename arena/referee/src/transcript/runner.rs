//! Parses the published runner's result: `outputs` has, for each player, one entry per turn, null where the player
//! wasn't asked.

use super::error::TranscriptError;
use super::field::Field;
use super::parts::{trimmed, Answer, Transcript, MOST_PLAYERS};
use super::platform::{agents, parameters, players};

pub(super) fn transcript(root: &Field, outputs: &Field) -> Result<Transcript, TranscriptError> {
    let mut by_turn = Vec::new();
    let errors = root.get_some("errors");
    for key in outputs.keys()? {
        // The referee has a list of its own.
        let (Ok(player), Some(entries)) = (key.parse::<usize>(), outputs.get(key)) else { continue };
        if player >= MOST_PLAYERS {
            return Err(outputs.wrong(format!("at most {MOST_PLAYERS} players, numbered from 0")));
        }
        let errors = errors.as_ref().and_then(|errors| errors.get(key)?.list().ok()).unwrap_or_default();
        for (turn, entry) in entries.list()?.iter().enumerate() {
            if entry.is_null() {
                continue;
            }
            let text = entry.text().map_err(|_| entry.wrong("a text or null"))?;
            // Not even a line end: nothing was said.
            if !text.is_empty() {
                let said = errors.get(turn).and_then(|said| said.text().ok()).unwrap_or_default().to_owned();
                by_turn.push((turn, Answer { player, text: trimmed(text), said, place: entry.place() }));
            }
        }
    }
    by_turn.sort_by_key(|(turn, answer)| (*turn, answer.player));
    let answers: Vec<Answer> = by_turn.into_iter().map(|(_, answer)| answer).collect();
    Ok(Transcript {
        path: root.path().to_owned(),
        parameters: parameters(root.get_some("gameParameters"))?,
        id: None,
        players: players(root, &agents(root)?, &answers)?,
        answers,
    })
}

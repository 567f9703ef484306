//! The page's list of turns to look at.

use serde::Serialize;

use crate::view::outcome::rank_word;
use crate::view::{bot_colours, look, Viewed};

/// The turns to look at of one bot, or of all where there are two.
#[derive(Serialize)]
pub(super) struct Looks {
    /// Seat, from 0.
    pub seat: usize,
    /// The number of the bot's colour.
    pub colour: usize,
    /// The bot's name, where there are more than two; else empty.
    pub name: String,
    /// Place and losing turn, in words.
    pub summary: String,
    /// Turns to look at.
    pub turns: Vec<Look>,
}

/// A turn to look at.
#[derive(Serialize)]
pub(super) struct Look {
    /// Turn number, from 1.
    pub turn: usize,
    /// Text of the link.
    pub label: String,
    /// Why.
    pub why: String,
    /// Which bot lost the game in this turn, in words; may be empty.
    pub lost: String,
}

/// The turns to look at: of more than two bots by bot, which a reader chooses.
pub(super) fn by_bot(game: &Viewed, looks: &[look::Look]) -> Vec<Looks> {
    let is_many = game.bots.len() > 2;
    let is_same = |a: &look::Look, b: &look::Look| !is_many || a.seat == b.seat;
    let look = |look: &look::Look| Look {
        turn: look.turn,
        label: game.label(look.turn),
        why: look.why.clone(),
        lost: lost(game, look),
    };
    let of_bot = |looks: &[look::Look]| {
        let (seat, first) = (looks[0].seat, looks.iter().find(|look| look.lost_by.is_some()));
        let place = match rank_word(game, seat) {
            place if place.is_empty() => Vec::new(),
            place => vec![format!("{place} of {}", game.bots.len())],
        };
        let lost =
            first.map(|look| format!("{}in {}", look.told.trim_end_matches("here"), game.label(look.turn)));
        Looks {
            seat: seat % bot_colours::COUNT,
            colour: game.colours.get(seat).copied().unwrap_or(seat) % bot_colours::COUNT,
            name: if is_many { game.name(seat) } else { String::new() },
            summary: place.into_iter().chain(lost).collect::<Vec<_>>().join("; "),
            turns: looks.iter().map(look).collect(),
        }
    };
    looks.chunk_by(is_same).map(of_bot).collect()
}

/// Which bot lost the game in a turn, in words; may be empty.
pub(super) fn lost(game: &Viewed, look: &look::Look) -> String {
    look.lost_by.map_or_else(String::new, |seat| format!("{} {}", game.name(seat), look.told))
}

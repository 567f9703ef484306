//! Digest of a finished game that a run keeps in memory: a hundred bytes, so that a million games fit. The rest is in the
//! game's file.

use coppice::rng::mix;

use crate::record::GameRecord;
use crate::report::standings::Played;

/// A finished game in short.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameDigest {
    /// The group, from 0.
    pub group: u32,
    /// The number of the opening's moves.
    pub opening_plies: u32,
    /// Whether it was over before each bot had moved, without a fault; never of an external referee's games.
    pub is_over_at_once: bool,
    /// Points of the seed's best known score.
    pub best: Option<i64>,
    /// The bots by seat.
    seats: Box<[Seat]>,
    /// A hash of the opening's moves.
    opening: u64,
    /// A hash of bots, moves and points; `None` if an external referee played, whose moves aren't known.
    moves: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seat {
    bot: u32,
    points: i64,
}

impl GameDigest {
    /// The digest of a game between bots of these names.
    pub fn of(record: &GameRecord, names: &[String]) -> Self {
        let index =
            |name: &str| names.iter().position(|other| other == name).map_or(u32::MAX, |bot| bot as u32);
        let seats = record.bots.iter().zip(record.points());
        let seats = seats.map(|(bot, points)| Seat { bot: index(&bot.name), points });
        let is_outside = record.run.referee.is_some();
        let has_silent = record.times_ms.iter().any(Vec::is_empty);
        let mut digest = Self {
            group: record.group,
            opening_plies: record.opening_plies() as u32,
            is_over_at_once: !is_outside && record.faults.is_empty() && has_silent,
            best: record.best_points(),
            seats: seats.collect(),
            opening: hash(&record.opening),
            moves: None,
        };
        if !is_outside {
            // The points too: with another map, the same moves may lead to others.
            let numbers = digest.seats.iter().flat_map(|seat| [u64::from(seat.bot), seat.points as u64]);
            digest.moves = Some(numbers.fold(hash(&record.moves), |hash, number| mix(hash ^ number)));
        }
        digest
    }

    /// Points by seat: more are better.
    pub fn points(&self) -> impl ExactSizeIterator<Item = i64> + Clone + '_ {
        self.seats.iter().map(|seat| seat.points)
    }

    /// The seat of a bot, by its index.
    pub fn seat_of(&self, bot: u32) -> Option<usize> {
        self.seats.iter().position(|seat| seat.bot == bot)
    }

    /// A hash that is equal for games with the same opening.
    pub fn opening(&self) -> u64 {
        self.opening
    }

    /// The bots' results, for a table of ratings.
    pub fn played(&self) -> Vec<Played> {
        let seats = self.seats.iter().enumerate();
        let played =
            |(seat, &Seat { bot, points }): (usize, &Seat)| Played { bot: bot as usize, seat, points };
        seats.map(played).collect()
    }

    /// A hash that is equal for games with the same bots on the same seats, the same moves and the same points; `None` if the
    /// moves aren't known.
    pub fn moves(&self) -> Option<u64> {
        self.moves
    }
}

/// A hash that is the same in each version of this program: files keep it.
fn hash(text: &str) -> u64 {
    text.bytes().fold(text.len() as u64, |hash, byte| mix(hash ^ u64::from(byte)))
}

//! Standings: several bots ordered by rating.

mod display;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::record::BotRecord;
use coppice_stats::rating::{Meeting, Meetings, Outcome, Ratings};
use coppice_stats::Estimate;

/// The rating table of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standings {
    /// The rows, from the strongest to the weakest.
    pub rows: Vec<Row>,
    /// The advantage of each seat in Elo above the mean of the seats; empty for single-player contests.
    pub seats: Vec<Estimate>,
    /// The advantage of the first seat over the second, if there are two.
    pub first_seat_advantage: Option<Estimate>,
    /// The share of draws between equal bots, by the rating model.
    pub draw_share: f64,
}

/// A bot's standing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The rank, from 1.
    pub rank: usize,
    /// The bot's name: A, B, …
    pub name: String,
    /// Command line of the bot.
    pub command: String,
    /// Elo above the mean of all.
    pub rating: Estimate,
    /// The number of its meetings.
    pub meetings: u64,
    /// Wins and half the draws per meeting.
    pub score: f64,
    /// The likelihood that it is stronger than the next row; `None` in the last.
    pub los_over_next: Option<f64>,
    /// Results against each row, in their order; `None` against itself.
    pub against: Vec<Record>,
}

/// One bot's results against another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Record {
    /// Meetings won.
    pub wins: u64,
    /// Meetings drawn.
    pub draws: u64,
    /// Meetings lost.
    pub losses: u64,
}

impl Record {
    /// The number of meetings.
    pub fn count(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Wins and half the draws per meeting.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }
}

impl Standings {
    /// The standings of these bots after these meetings.
    pub fn of(bots: &[BotRecord], meetings: &Meetings) -> Self {
        let ratings = Ratings::of(meetings);
        let order = ratings.order();
        let rows = order.iter().enumerate().map(|(place, &bot)| {
            let record = |&other: &usize| match other == bot {
                true => Record::default(),
                false => {
                    let [wins, draws, losses] = meetings.results(bot, other);
                    Record { wins, draws, losses }
                }
            };
            let against = order.iter().map(record).collect::<Vec<_>>();
            let count = against.iter().map(|record| record.count()).sum::<u64>();
            let points = against.iter().map(|record| record.points()).sum::<f64>();
            let BotRecord { name, command, .. } = bots[bot].clone();
            Row {
                rank: place + 1,
                name,
                command,
                rating: ratings.rating(bot),
                meetings: count,
                score: if count == 0 { 0.5 } else { points / count as f64 },
                los_over_next: order.get(place + 1).map(|&next| ratings.los(bot, next)),
                against,
            }
        });
        let several = meetings.seats() > 1;
        Self {
            rows: rows.collect(),
            seats: if several { ratings.seats() } else { Vec::new() },
            first_seat_advantage: (meetings.seats() == 2).then(|| ratings.seat_difference(0, 1)),
            draw_share: ratings.draw_share(),
        }
    }
}

/// The meetings of `bots` bots in games with `seats` seats, each given by its group and its bots: each pair of bots in a
/// game, or, with a single seat, each pair with the same seed.
pub fn meetings(bots: usize, seats: usize, games: impl Iterator<Item = (u32, Vec<Played>)>) -> Meetings {
    let mut groups = BTreeMap::<u32, Vec<Vec<Played>>>::new();
    for (group, played) in games {
        groups.entry(group).or_default().push(played);
    }
    let mut meetings = Meetings::new(bots, seats);
    groups.into_values().for_each(|group| add_tables(group, &mut meetings));
    meetings
}

/// Adds the games of one group, each given by its bots.
pub fn add_tables(tables: Vec<Vec<Played>>, meetings: &mut Meetings) {
    let tables = match meetings.seats() {
        1 => vec![tables.into_iter().flatten().collect()],
        _ => tables,
    };
    meetings.add_group(tables.iter().flat_map(|table| {
        table.iter().enumerate().flat_map(|(place, first)| {
            table[..place].iter().map(move |second| Meeting {
                bots: [first.bot, second.bot],
                seats: [first.seat, second.seat],
                outcome: Outcome::of(first.points, second.points),
            })
        })
    }));
}

/// One bot's result in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// The bot.
    pub bot: usize,
    /// Seat, from 0.
    pub seat: usize,
    /// Points; more is better.
    pub points: i64,
}

#[cfg(test)]
mod tests;

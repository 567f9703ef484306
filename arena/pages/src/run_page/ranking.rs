//! The order of a report's games: the worst losses of one bot first.

use std::cmp::Ordering;

use coppice_referee::record::GameRecord;

/// How a game ended for one bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// Another had more points.
    Lost,
    /// No other had more points, some as many.
    Drawn,
    /// It had the most points, or it played alone.
    Won,
    /// It didn't play.
    Absent,
}

impl End {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Lost => "lost",
            Self::Drawn => "drawn",
            Self::Won => "won",
            Self::Absent => "",
        }
    }
}

/// A game as one bot sees it.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// The record.
    pub record: &'a GameRecord,
    /// How it ended.
    pub end: End,
    /// Whether the bot itself failed.
    pub failed: bool,
    /// Points above the best of the others.
    pub margin: i64,
}

impl<'a> Seen<'a> {
    /// The game as the bot of this name sees it. Where bots play alone, `others` are the games on the same seed.
    pub fn of(record: &'a GameRecord, name: &str, others: &[&GameRecord]) -> Self {
        let Some(seat) = record.bots.iter().position(|bot| bot.name == name) else {
            return Self { record, end: End::Absent, failed: false, margin: 0 };
        };
        let points = record.points();
        let mine = points.get(seat).copied().unwrap_or(0);
        let beside = points.iter().enumerate().filter(|(other, _)| *other != seat).map(|(_, &points)| points);
        let elsewhere = others.iter().filter(|other| other.bots.len() == 1 && other.game != record.game);
        let best = beside.chain(elsewhere.filter_map(|other| other.points().first().copied())).max();
        let end = match best.map_or(Ordering::Greater, |best| mine.cmp(&best)) {
            Ordering::Less => End::Lost,
            Ordering::Equal => End::Drawn,
            Ordering::Greater => End::Won,
        };
        let failed = record.faults.iter().any(|fault| fault.seat == seat);
        Self { record, end, failed, margin: mine.saturating_sub(best.unwrap_or(mine)) }
    }
}

/// Sorts games: losses before draws before wins; own failures first, then the largest margin, then the shortest game.
pub fn sort(games: &mut [Seen<'_>]) {
    games.sort_by_key(|seen| {
        (seen.end, !seen.failed, seen.margin, seen.record.move_count(), seen.record.game)
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use coppice_referee::game::fault::{Ending, FaultReport};
    use coppice_referee::record::example;

    #[test]
    fn the_worst_losses_come_first() {
        // A is on seat 0 in odd games, on seat 1 in even ones.
        let game = |number: u32, scores: [i64; 2]| GameRecord { scores: scores.to_vec(), ..example(number) };
        let fault = FaultReport {
            bot: "A".to_owned(),
            seat: 0,
            turn: 3,
            after_answer: false,
            ending: Ending::IllegalMove,
            expected: String::new(),
            received: String::new(),
            stderr: String::new(),
            is_idle: false,
        };
        let failed = GameRecord { faults: vec![fault], ..game(7, [0, 1]) };
        let short = GameRecord { moves: "a1".to_owned(), ..game(9, [2, 5]) };
        let all = [game(1, [5, 2]), game(2, [9, 1]), game(3, [2, 5]), game(4, [4, 4]), failed, short];
        let mut seen = all.iter().map(|record| Seen::of(record, "A", &[])).collect::<Vec<_>>();
        sort(&mut seen);
        assert_eq!(seen.iter().map(|seen| seen.record.game).collect::<Vec<_>>(), [7, 2, 9, 3, 4, 1]);
        assert_eq!(Seen::of(&all[0], "C", &[]).end, End::Absent);
    }

    #[test]
    fn who_plays_alone_loses_to_the_others_on_its_seed() {
        let alone = |game: u32, name: usize, score: i64| {
            let bots = vec![example(1).bots[name].clone()];
            GameRecord { bots, scores: vec![score], ..example(game) }
        };
        let (mine, other) = (alone(1, 0, 10), alone(2, 1, 12));
        let seen = Seen::of(&mine, "A", &[&mine, &other]);
        assert_eq!((seen.end, seen.margin), (End::Lost, -2));
    }
}

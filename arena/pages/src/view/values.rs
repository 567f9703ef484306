//! The evaluations of one seat over a game: where they fell for good, and from where they stay low.

use contest::Seat;

use super::asinh_scale::Bend;
use super::numbers::{is_certain, most_estimate, WIN};
use super::outcome::is_lost;
use super::{Viewed, ViewedTurn};

/// Names under which bots report what they think of a position, the first that is there counts.
const EVALUATIONS: [&str; 4] = ["score", "eval", "evaluation", "value"];

/// The share of the largest size at which an evaluation is low.
const LOW_SHARE: f64 = 1.0 / 3.0;

/// The name under which a game's bots report their evaluation.
pub(super) fn evaluation(game: &Viewed) -> Option<&'static str> {
    EVALUATIONS.into_iter().find(|name| game.turns.iter().any(|turn| turn.numbers.contains_key(*name)))
}

/// The evaluations of a seat's turns.
#[derive(Debug, Clone)]
pub(super) struct Values {
    /// The number of each turn, from 1, and its value for the seat.
    pub all: Vec<(usize, f64)>,
    bend: Bend,
    /// Whether the game was lost, which its end says although no evaluation may.
    is_lost: bool,
}

impl Values {
    /// The values that the seat's bot reported.
    pub(super) fn own(game: &Viewed, seat: Seat) -> Self {
        Self::reported(game, seat, seat)
    }

    /// The only opponent's values, negated.
    pub(super) fn of_opponent(game: &Viewed, seat: Seat) -> Option<Self> {
        let opponent = (game.bots.len() == 2).then(|| 1 - seat)?;
        let mut values = Self::reported(game, opponent, seat);
        values.all.iter_mut().for_each(|(_, value)| *value = -*value);
        Some(values)
    }

    fn reported(game: &Viewed, by: Seat, seat: Seat) -> Self {
        let key = evaluation(game);
        let all = of_turns(game, by, |turn| key.and_then(|key| turn.numbers.get(key).copied()));
        let bend = Bend::of(all.iter().map(|(_, value)| *value), most_estimate(game.bots.len()));
        Self { all, bend, is_lost: is_lost(game, seat) }
    }

    /// Values by the bot that was asked about each turn, with the larger budget where it was asked again. Two players share
    /// one scale; with more each has its own.
    pub(super) fn of_other(game: &Viewed, seat: Seat) -> Self {
        let all = of_turns(game, seat, |turn| turn.other.as_ref().map(|other| other.last().score));
        let turns = game.turns.iter().filter(|turn| game.bots.len() < 3 || turn.seat == seat);
        let scores = turns.filter_map(|turn| turn.other.as_ref().map(|other| other.score));
        let bend = Bend::of(scores, most_estimate(game.bots.len()));
        Self { all, bend, is_lost: is_lost(game, seat) }
    }

    /// The value at which the game is clearly lost.
    fn low(&self) -> f64 {
        -self.bend.middle.max(self.bend.largest * LOW_SHARE)
    }

    /// The place of a value on a scale on which a lead that is lost counts, and how clearly a game is won or lost doesn't.
    pub(super) fn place(&self, value: f64) -> f64 {
        let low = self.bend.at(self.low());
        self.bend.at(value).clamp(low, -low)
    }

    /// The place of a value on a scale without ends, for games that were lost from the first turn.
    pub(super) fn far_place(&self, value: f64) -> f64 {
        self.bend.at(value)
    }

    /// The highest value after a turn; for the last, that of a lost game.
    pub(super) fn best_after(&self, turn: usize) -> Option<f64> {
        let later = self.all.iter().filter(|(number, _)| *number > turn).map(|(_, value)| *value);
        later.chain(self.is_lost.then_some(-WIN)).reduce(f64::max)
    }

    /// The index of the value that was furthest above all later ones, and how far.
    pub(super) fn lasting_fall(&self) -> Option<(usize, f64)> {
        let fall = |(at, &(turn, value)): (usize, &(usize, f64))| {
            Some((at, self.place(value) - self.place(self.best_after(turn)?)))
        };
        self.all.iter().enumerate().filter_map(fall).max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Whether a value is more than half of the way down to where a game is clearly lost.
    pub(super) fn is_far_behind(&self, value: f64) -> bool {
        self.place(value) < self.place(self.low()) / 2.0
    }

    /// The index of the last value above 0, if others follow.
    pub(super) fn last_ahead(&self) -> Option<usize> {
        self.all.iter().rposition(|(_, value)| *value > 0.0).filter(|at| at + 1 < self.all.len())
    }

    /// The first turn with a certain loss, or a low value after which all are far behind.
    pub(super) fn clearly_lost(&self) -> Option<(usize, f64)> {
        let is_lost = |at: usize| {
            let value = self.all[at].1;
            let stays = || self.all[at..].iter().all(|(_, later)| self.is_far_behind(*later));
            value < 0.0 && (is_certain(value) || (value <= self.low() && stays()))
        };
        (0..self.all.len()).find(|&at| is_lost(at)).map(|at| self.all[at])
    }
}

fn of_turns(game: &Viewed, seat: Seat, value: impl Fn(&ViewedTurn) -> Option<f64>) -> Vec<(usize, f64)> {
    let turns = game.turns.iter().enumerate().filter(|(_, turn)| turn.seat == seat);
    turns.filter_map(|(at, turn)| Some((at + 1, value(turn)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(values: &[f64], seats: usize) -> Values {
        let bend = Bend::of(values.iter().copied(), most_estimate(seats));
        Values { all: (1..).zip(values.iter().copied()).collect(), bend, is_lost: true }
    }

    #[test]
    fn a_game_is_lost_where_the_evaluation_stays_low() {
        let lost = |all: &[f64]| values(all, 2).clearly_lost().map(|(turn, _)| turn);
        assert_eq!(lost(&[10.0, -80.0, 5.0, -20.0, -90.0, -200.0]), Some(5), "it recovered after the second");
        assert_eq!(lost(&[10.0, 20.0, -999_992.0]), Some(3));
        assert_eq!(
            lost(&[10.0, -80.0, -1.0, -90.0, -200.0]),
            Some(4),
            "it nearly recovered after the second"
        );
        assert_eq!((lost(&[10.0, 20.0]), lost(&[]), lost(&[0.0])), (None, None, None));
    }

    #[test]
    fn what_came_back_was_not_lost() {
        let fall = |all: &[f64]| values(all, 2).lasting_fall().map(|(at, _)| at);
        assert_eq!(
            fall(&[300.0, -400.0, 200.0, 150.0, -100.0, -500.0]),
            Some(3),
            "the second fall was final"
        );
        assert_eq!(fall(&[10.0, 5.0, 20.0, -300.0, -400.0]), Some(2));
        assert_eq!(fall(&[10.0, 20.0, 15.0]), Some(2), "never seen: it is lost at the end");
        assert_eq!(fall(&[]), None);
    }

    #[test]
    fn going_out_is_no_fall_once_the_area_is_lost() {
        // Three or four players: the last value is that of a player who is out.
        let all = [900.0, 700.0, -3_000.0, -6_000.0, -20_000.0, -899_800.0];
        assert_eq!(values(&all, 4).lasting_fall().map(|(at, _)| at), Some(1));
        assert_eq!(values(&all, 4).clearly_lost().map(|(turn, _)| turn), Some(5));
    }
}

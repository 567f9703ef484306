//! A published order of several entrants, from games of each pair.

use super::row::Figure;
use coppice_stats::rating::Ratings;

/// The probability with which an order that holds is taken for another one, and a neighbour's place for shown that isn't.
const ERROR: f64 = 0.025;

/// All pairs of `count` entrants.
pub(crate) fn pairs(count: usize) -> Vec<Vec<usize>> {
    (0..count).flat_map(|a| (a + 1..count).map(move |b| vec![a, b])).collect()
}

/// The figure of entrants in the published order. One pair of all is in error with at most 2.5 % (Bonferroni's bound).
pub(crate) fn figure(ratings: &Ratings, games: u32) -> Figure {
    let count = ratings.bots();
    let all = pairs(count);
    let is_reversed = |pair: &&Vec<usize>| ratings.los(pair[0], pair[1]) < ERROR / all.len() as f64;
    let is_open = |&place: &usize| ratings.los(place, place + 1) <= 1.0 - ERROR;
    Figure::Ranking {
        ratings: (0..count).map(|place| ratings.rating(place)).collect(),
        open: (0..count.saturating_sub(1)).filter(is_open).count() as u32,
        reversed: all.iter().filter(is_reversed).count() as u32,
        games,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::Published;
    use crate::verdict::Verdict;
    use coppice_stats::rating::{Meeting, Meetings, Outcome};

    /// The verdict on three entrants; in each pair the first wins `wins` of 20 games.
    fn verdict(wins: [u32; 3]) -> Verdict {
        let mut meetings = Meetings::new(3, 2);
        for (pair, wins) in pairs(3).iter().zip(wins) {
            for game in 0..20 {
                let outcome = if game < wins { Outcome::Win } else { Outcome::Loss };
                let seats = if game % 2 == 0 { [0, 1] } else { [1, 0] };
                meetings.add_group([Meeting { bots: [pair[0], pair[1]], seats, outcome }]);
            }
        }
        figure(&Ratings::of(&meetings), 60).verdict(Some(Published::Ranked { ranked: 3 }))
    }

    #[test]
    fn an_order_holds_if_each_place_is_shown() {
        assert_eq!(pairs(4).len(), 6);
        assert_eq!(verdict([17, 19, 17]), Verdict::Agrees);
        assert_eq!(verdict([10, 19, 19]), Verdict::TooFew);
        assert_eq!(verdict([17, 1, 2]), Verdict::Differs);
        assert_eq!(verdict([2, 17, 19]), Verdict::Differs);
    }
}

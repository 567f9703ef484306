//! The games of a plan: who sits where, and with which seed.

use coppice::rng::{split_mix, SPLIT_MIX_STEP};

use super::Series;
use crate::record::Seating;
use crate::series::seeds::Seeds;

/// One game of a series before it is played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixture {
    /// The game's number, from 1.
    pub game: u32,
    /// Games with the same opening and the same bots share a group, from 0: a pair, if there are two seats.
    pub group: u32,
    /// The contest's seed for this game.
    pub seed: u64,
    /// The index of the bot on each seat.
    pub seating: Vec<usize>,
}

impl Series<'_> {
    /// The number of games that share an opening: one for each rotation of the seats (or each order of the bots), or,
    /// with a single seat, for each bot.
    pub fn group_size(&self) -> u32 {
        let bots = self.lineups.first().map_or(1, Vec::len).max(1) as u32;
        match self.seating {
            Seating::All if self.host.seats() > 1 => (1..=bots).product(),
            _ => bots,
        }
    }

    /// Game number `game`, from 1. The line-ups take turns, a group at a time; all of them get an opening before
    /// the next is drawn.
    pub fn fixture(&self, game: u32) -> Fixture {
        let index = game.saturating_sub(1);
        let group = index / self.group_size();
        let order = (index % self.group_size()) as usize;
        let lineups = self.lineups.len().max(1) as u32;
        let lineup = self.lineups.get((group % lineups) as usize).map_or(&[][..], Vec::as_slice);
        let seed = self.seed_of(group / lineups);
        Fixture { game, group, seed, seating: self.seating_of(lineup, order) }
    }

    /// The games of group number `group`, if these bots meet in it and each group has a seed of its own.
    pub fn fixtures_of(&self, group: u32, lineup: &[usize]) -> Vec<Fixture> {
        let (first, seed) = (group * self.group_size() + 1, self.seed_of(group));
        let fixture = |order: u32| {
            let seating = self.seating_of(lineup, order as usize);
            Fixture { game: first + order, group, seed, seating }
        };
        (0..self.group_size()).map(fixture).collect()
    }

    /// The seed at a place: named, or derived. A heuristic contest's seeds are numbers of inputs and follow each other.
    fn seed_of(&self, place: u32) -> u64 {
        match &self.seeds {
            Some(seeds) => seeds.at(place),
            None if self.host.is_heuristic() => self.seed.wrapping_add(place.into()),
            None => derived_seed(self.seed, place),
        }
    }

    /// The seed for a random number: one of those that are named, or the number.
    pub fn drawn(&self, random: u64) -> u64 {
        let of_seeds = |seeds: &Seeds| seeds.all()[(random % seeds.all().len() as u64) as usize];
        self.seeds.as_ref().map_or(random, of_seeds)
    }

    /// The bot on each seat in game number `order` of a group.
    fn seating_of(&self, lineup: &[usize], order: usize) -> Vec<usize> {
        let seats = if self.host.seats() == 1 { 1 } else { lineup.len() };
        seating_of(self.seating, lineup, seats, order)
    }
}

/// The seat of the bot that the command line named first, in game number `game` of a run between as many bots as a game
/// has seats.
pub fn seat_of_first(game: u32, seats: usize, seating: Seating) -> usize {
    let (seats, order) = (seats.max(1), game.saturating_sub(1) as usize);
    let size = if seating == Seating::All { (1..=seats).product() } else { seats };
    let lineup = (0..seats).collect::<Vec<_>>();
    seating_of(seating, &lineup, seats, order % size).iter().position(|&bot| bot == 0).unwrap_or(0)
}

/// The bot on each seat in game number `order` of a group.
fn seating_of(seating: Seating, lineup: &[usize], seats: usize, order: usize) -> Vec<usize> {
    match seating {
        Seating::All if seats > 1 => permutation(lineup, order),
        _ => (0..seats).map(|seat| lineup[(seat + order) % lineup.len()]).collect(),
    }
}

/// Order number `number` of `items`, in lexicographic order by their places.
fn permutation(items: &[usize], mut number: usize) -> Vec<usize> {
    let mut left = items.to_vec();
    let orders = |count: usize| (1..=count).product::<usize>();
    let mut taken = Vec::new();
    while !left.is_empty() {
        let each = orders(left.len() - 1);
        taken.push(left.remove(number / each % left.len()));
        number %= each;
    }
    taken
}

/// The seed of a group of games: SplitMix64's output number `group` from the state `seed`.
pub fn derived_seed(seed: u64, group: u32) -> u64 {
    let mut state = seed.wrapping_add(SPLIT_MIX_STEP.wrapping_mul(u64::from(group)));
    split_mix(&mut state)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_those_of_splitmix64() {
        // The first outputs of Vigna's reference implementation from state 0.
        assert_eq!(derived_seed(0, 0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(derived_seed(0, 1), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn the_first_bot_takes_each_seat_in_turn() {
        let seats = |seats: usize, seating: Seating, games: u32| {
            (1..=games).map(|game| seat_of_first(game, seats, seating)).collect::<Vec<_>>()
        };
        assert_eq!(seats(1, Seating::Rotations, 3), [0, 0, 0]);
        assert_eq!(seats(2, Seating::Rotations, 4), [0, 1, 0, 1]);
        assert_eq!(seats(3, Seating::Rotations, 4), [0, 2, 1, 0]);
        assert_eq!(seats(3, Seating::All, 7), [0, 0, 1, 2, 1, 2, 0]);
    }

    #[test]
    fn all_orders_differ() {
        let orders = (0..24).map(|number| permutation(&[3, 5, 7, 9], number)).collect::<Vec<_>>();
        assert_eq!((orders[0].as_slice(), orders[23].as_slice()), (&[3, 5, 7, 9][..], &[9, 7, 5, 3][..]));
        assert!(orders.windows(2).all(|pair| pair[0] < pair[1]));
    }
}

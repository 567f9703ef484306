//! Goofspiel, the game of pure strategy.

use coppice::{Choices, Joint, List, Payoff, Player};

/// Goofspiel with cards 1 to `N`: prizes turn up in random order, both bid a card at the same time, the higher card wins
/// the prize, equal bids discard it. The payoff is the difference of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Goofspiel<const N: usize> {
    /// Cards as bits.
    hands: [u8; 2],
    prizes: u8,
    /// The prize that has turned up; 0 for none.
    prize: u8,
    difference: i8,
}

impl<const N: usize> Goofspiel<N> {
    /// The start, before the first prize turns up.
    pub const START: Self =
        Goofspiel { hands: [(1 << N) - 1; 2], prizes: (1 << N) - 1, prize: 0, difference: 0 };

    /// After the prize of this value has turned up first.
    pub fn first_prize(prize: u8) -> Self {
        let mut game = Self::START;
        game.happen(prize);
        game
    }
}

impl<const N: usize> Joint for Goofspiel<N> {
    type Move = u8;
    type Moves = List<u8, N>;
    type Outcome = u8;
    const MAX_POINTS: i32 = (N * (N + 1) / 2) as i32;

    fn moves(&self, player: Player, list: &mut List<u8, N>) {
        if self.prize > 0 {
            (1..=N as u8)
                .filter(|card| self.hands[player.index()] >> (card - 1) & 1 == 1)
                .for_each(|card| list.push(card));
        }
    }

    fn play(&mut self, choices: &Choices<u8>) {
        let [a, b] =
            [Player::FIRST, Player::SECOND].map(|player| choices.of(player).expect("a card of both"));
        self.hands[0] &= !(1 << (a - 1));
        self.hands[1] &= !(1 << (b - 1));
        self.difference += (a.cmp(&b) as i8) * self.prize as i8;
        self.prize = 0;
    }

    fn payoff(&self, player: Player) -> Payoff {
        let points = i32::from(self.difference);
        Payoff(if player == Player::FIRST { points } else { -points })
    }

    fn hash(&self) -> u64 {
        let numbers = [self.hands[0], self.hands[1], self.prizes, self.prize, self.difference as u8];
        super::mixed(numbers.map(u64::from))
    }

    fn outcome(&self, i: usize) -> Option<(u8, u32)> {
        let left = (1..=N as u8).filter(|prize| self.prizes >> (prize - 1) & 1 == 1);
        left.filter(|_| self.prize == 0).nth(i).map(|prize| (prize, 1))
    }

    fn happen(&mut self, prize: u8) {
        self.prizes &= !(1 << (prize - 1));
        self.prize = prize;
    }
}

//! The rules of Goofspiel.

use std::fmt;

use coppice::bits::nth_one;
use coppice::rng::mix;
use coppice::{Choices, Joint, List, Payoff, Player, Rng};

/// Cards of each player, and prizes: one of each number from 1.
pub const CARDS: usize = 13;
/// A set of all cards: bit 0 is card 1.
pub const ALL: u16 = (1 << CARDS) - 1;
/// The points of all prizes.
pub const POINTS: u8 = (CARDS * (CARDS + 1) / 2) as u8;

/// A position. Prizes turn up in random order; for each one both players bid a card of theirs at once. The higher card takes the
/// prize, equal ones nobody. All cards are shown after the bid. Who has more points wins, however many: the game is over as soon
/// as that is certain.
///
/// A move is a card, 1 to 13.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Goofspiel {
    hands: [u16; 2],
    /// Those that haven't turned up.
    prizes: u16,
    /// The prize that has turned up; 0 for none.
    prize: u8,
    /// The first player's points less the second's.
    lead: i8,
    /// Points that nobody has yet, those of the prize that has turned up among them.
    left: u8,
}

/// The cards of a set.
#[inline(always)]
pub fn cards(mut set: u16) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let card = (set != 0).then(|| set.trailing_zeros() as u8 + 1);
        set &= set.wrapping_sub(1);
        card
    })
}

/// The points of a set of cards.
#[inline(always)]
pub fn sum(set: u16) -> u8 {
    cards(set).sum()
}

/// The set of one card; none for card 0.
#[inline(always)]
pub fn set_of(card: u8) -> u16 {
    (1 << card) >> 1
}

impl Goofspiel {
    /// All cards in hand, no prize turned up.
    pub const START: Goofspiel = Goofspiel { hands: [ALL; 2], prizes: ALL, prize: 0, lead: 0, left: POINTS };

    /// The position with these hands, prizes to come, prize that has turned up (0 for none) and lead of the first player; `None` if
    /// the rules don't allow it.
    pub fn new(hands: [u16; 2], prizes: u16, prize: u8, lead: i8) -> Option<Goofspiel> {
        let are_cards = (hands[0] | hands[1] | prizes) & !ALL == 0 && usize::from(prize) <= CARDS;
        if !are_cards || prizes & set_of(prize) != 0 {
            return None;
        }
        let bids = prizes.count_ones() + u32::from(prize > 0);
        let left = sum(prizes) + prize;
        let fits =
            hands.into_iter().all(|hand| hand.count_ones() == bids) && lead.unsigned_abs() <= POINTS - left;
        fits.then_some(Goofspiel { hands, prizes, prize, lead, left })
    }

    /// The players' cards, the first player's first: bit 0 is card 1.
    pub fn hands(&self) -> [u16; 2] {
        self.hands
    }

    /// The prizes that haven't turned up.
    pub fn prizes(&self) -> u16 {
        self.prizes
    }

    /// The prize that has turned up; 0 for none.
    pub fn prize(&self) -> u8 {
        self.prize
    }

    /// Points that nobody has yet, those of the prize that has turned up among them: 0 to 91.
    pub fn left(&self) -> u8 {
        self.left
    }

    /// A player's points less the other's: -91 to 91.
    #[inline(always)]
    pub fn lead(&self, player: Player) -> i8 {
        if player == Player::FIRST {
            self.lead
        } else {
            -self.lead
        }
    }

    /// The same position with the players' places exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Goofspiel {
        let [first, second] = self.hands;
        Goofspiel { hands: [second, first], lead: -self.lead, ..*self }
    }
}

impl Joint for Goofspiel {
    type Move = u8;
    type Moves = List<u8, CARDS>;
    /// A prize.
    type Outcome = u8;
    const MAX_POINTS: i32 = 1;

    #[inline(always)]
    fn moves(&self, player: Player, list: &mut List<u8, CARDS>) {
        if self.prize > 0 && !self.is_over() {
            cards(self.hands[player.index()]).for_each(|card| list.push(card));
        }
    }

    #[inline(always)]
    fn play(&mut self, choices: &Choices<u8>) {
        let bids = [Player::FIRST, Player::SECOND].map(|player| choices.of(player).unwrap_or(0));
        for (hand, bid) in self.hands.iter_mut().zip(bids) {
            debug_assert!(*hand & set_of(bid) != 0, "card {bid} is not in hand");
            *hand &= !set_of(bid);
        }
        self.lead += bids[0].cmp(&bids[1]) as i8 * self.prize as i8;
        self.left -= self.prize;
        self.prize = 0;
    }

    /// 1 for more points than the other, -1 for fewer.
    #[inline(always)]
    fn payoff(&self, player: Player) -> Payoff {
        Payoff(self.lead(player).signum().into())
    }

    /// No two positions have the same.
    #[inline(always)]
    fn hash(&self) -> u64 {
        let [first, second] = self.hands.map(u64::from);
        let numbers = u64::from(self.prize) << 8 | u64::from(self.lead as u8);
        mix(first << 48 | second << 32 | u64::from(self.prizes) << 16 | numbers)
    }

    #[inline(always)]
    fn outcome(&self, i: usize) -> Option<(u8, u32)> {
        let is_known = !self.awaits_chance() || i >= self.prizes.count_ones() as usize;
        (!is_known).then(|| (nth_one(self.prizes.into(), i as u32) as u8 + 1, 1))
    }

    #[inline(always)]
    fn happen(&mut self, prize: u8) {
        self.prizes &= !set_of(prize);
        self.prize = prize;
    }

    #[inline(always)]
    fn awaits_chance(&self) -> bool {
        self.prize == 0 && !self.is_over()
    }

    #[inline(always)]
    fn draw(&self, rng: &mut Rng) -> Option<u8> {
        let count = self.prizes.count_ones();
        self.awaits_chance().then(|| nth_one(self.prizes.into(), rng.below(count)) as u8 + 1)
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.left == 0 || self.lead.unsigned_abs() > self.left
    }
}

impl fmt::Display for Goofspiel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second, prizes] =
            [self.hands[0], self.hands[1], self.prizes].map(|set| cards(set).collect::<Vec<_>>());
        write!(
            f,
            "prize {} of {prizes:?} to come, hands {first:?} and {second:?}, lead {}",
            self.prize, self.lead
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bid(game: &mut Goofspiel, prize: u8, first: u8, second: u8) {
        game.happen(prize);
        game.play(&Choices::NONE.with(Player::FIRST, first).with(Player::SECOND, second));
    }

    #[test]
    fn higher_bids_take_prizes_until_the_rest_cannot_matter() {
        let mut game = Goofspiel::START;
        assert_eq!(
            (0..).map_while(|i| game.outcome(i)).map(|(prize, _)| prize).collect::<Vec<_>>(),
            cards(ALL).collect::<Vec<_>>()
        );
        bid(&mut game, 5, 7, 7);
        assert_eq!((game.lead(Player::FIRST), game.left()), (0, 86), "equal bids");
        bid(&mut game, 13, 1, 13);
        assert_eq!((game.lead(Player::SECOND), game.left()), (13, 73));
        for prize in [12, 11, 10] {
            assert!(!game.is_over());
            bid(&mut game, prize, prize - 1, prize);
        }
        assert_eq!((game.lead(Player::SECOND), game.left()), (46, 40));
        assert!(game.is_over() && game.outcome(0).is_none());
        assert_eq!(game.payoff(Player::FIRST), Payoff(-1));
        let mut list = List::default();
        game.moves(Player::FIRST, &mut list);
        assert!(list.is_empty());
    }

    #[test]
    fn positions_outside_the_rules_are_none() {
        assert_eq!(Goofspiel::new([ALL; 2], ALL, 0, 0), Some(Goofspiel::START));
        assert_eq!(Goofspiel::new([ALL; 2], ALL, 1, 0), None, "a prize twice");
        assert_eq!(Goofspiel::new([ALL, 1], ALL, 0, 0), None, "too few cards");
        assert_eq!(Goofspiel::new([ALL; 2], ALL, 0, 1), None, "points from nowhere");
        assert_eq!(Goofspiel::new([1 << 13; 2], 0, 13, 0), None, "no such card");
        assert_eq!(Goofspiel::new([1; 2], 0, 200, 0), None, "no such prize");
    }
}

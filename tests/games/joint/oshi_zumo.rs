//! Oshi-Zumo, the pushing sumo.

use coppice::{Choices, Joint, List, Payoff, Player};

/// Both bid coins at the same time, the higher bid pushes the wrestler one field towards the other's side, all bids are
/// spent. A player with coins bids at least one. Who has the wrestler pushed off the board, or in its half when the coins are
/// gone, loses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OshiZumo {
    coins: [u8; 2],
    /// From the middle, towards the second player's side.
    wrestler: i8,
}

/// Fields on either side of the middle.
const SIDE: i8 = 1;

impl OshiZumo {
    /// The start with so many coins each, at most 15.
    pub fn new(coins: u8) -> OshiZumo {
        OshiZumo { coins: [coins; 2], wrestler: 0 }
    }
}

impl Joint for OshiZumo {
    type Move = u8;
    type Moves = List<u8, 16>;
    type Outcome = ();
    const MAX_POINTS: i32 = 1;

    fn moves(&self, player: Player, list: &mut List<u8, 16>) {
        if self.wrestler.abs() <= SIDE && self.coins != [0, 0] {
            let coins = self.coins[player.index()];
            (coins.min(1)..=coins).for_each(|bid| list.push(bid));
        }
    }

    fn play(&mut self, choices: &Choices<u8>) {
        let [a, b] = [Player::FIRST, Player::SECOND].map(|player| choices.of(player).expect("a bid of both"));
        self.coins = [self.coins[0] - a, self.coins[1] - b];
        self.wrestler += a.cmp(&b) as i8;
    }

    fn payoff(&self, player: Player) -> Payoff {
        let points = i32::from(self.wrestler.signum());
        Payoff(if player == Player::FIRST { points } else { -points })
    }

    fn hash(&self) -> u64 {
        super::mixed([self.coins[0].into(), self.coins[1].into(), (self.wrestler + 9) as u64])
    }
}

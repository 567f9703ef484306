//! A race with dice: a small stochastic board game that ends.

use coppice::{Choices, InTurns, Joint, List, Payoff, Player, Rng};

/// Two runners on a track of eight fields. Whose turn it is chooses a die: steady, which shows 1 or 2, or bold, which
/// shows 0 twice as often as 4. Who lands on the other sends it back to the start. The first to reach the end wins 2; if
/// neither has in ten turns, the one ahead wins 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Race {
    at: [u8; 2],
    turn: u8,
    /// The die that is in the air: 1 steady, 2 bold, 0 none.
    die: u8,
}

const END: u8 = 8;
const TURNS: u8 = 10;

impl Race {
    /// Both at the start.
    pub const START: Race = Race { at: [0; 2], turn: 0, die: 0 };
}

impl Joint for Race {
    /// The die.
    type Move = u8;
    type Moves = List<u8, 2>;
    /// What it shows.
    type Outcome = u8;
    const MAX_POINTS: i32 = 2;

    fn moves(&self, player: Player, list: &mut List<u8, 2>) {
        if player == self.to_move() && self.die == 0 && self.turn < TURNS && !self.at.contains(&END) {
            (1..3).for_each(|die| list.push(die));
        }
    }

    fn play(&mut self, choices: &Choices<u8>) {
        self.die = choices.of(self.to_move()).expect("a die");
    }

    fn payoff(&self, player: Player) -> Payoff {
        let ahead = self.at[0].cmp(&self.at[1]) as i32;
        let points = if self.at.contains(&END) { 2 * ahead } else { ahead };
        Payoff(if player == Player::FIRST { points } else { -points })
    }

    fn hash(&self) -> u64 {
        super::mixed_bytes([self.at[0], self.at[1], self.turn, self.die, 0, 0, 0, 0])
    }

    fn outcome(&self, i: usize) -> Option<(u8, u32)> {
        let faces: &[(u8, u32)] = match self.die {
            0 => &[],
            1 => &[(1, 1), (2, 1)],
            _ => &[(0, 2), (4, 1)],
        };
        faces.get(i).copied()
    }

    fn only_chooser(&self) -> Option<Player> {
        Some(self.to_move())
    }

    fn random_move(&self, player: Player, rng: &mut Rng) -> Option<u8> {
        let is_open =
            player == self.to_move() && self.die == 0 && self.turn < TURNS && !self.at.contains(&END);
        is_open.then(|| 1 + rng.below(2) as u8)
    }

    fn draw(&self, rng: &mut Rng) -> Option<u8> {
        match self.die {
            0 => None,
            1 => Some(1 + rng.below(2) as u8),
            _ => Some(if rng.below(3) < 2 { 0 } else { 4 }),
        }
    }

    fn happen(&mut self, face: u8) {
        let own = self.to_move().index();
        self.at[own] = (self.at[own] + face).min(END);
        if self.at[own] == self.at[1 - own] && face > 0 {
            self.at[1 - own] = 0;
        }
        self.turn += 1;
        self.die = 0;
    }
}

impl InTurns for Race {
    fn to_move(&self) -> Player {
        Player::new(self.turn % 2)
    }
}

//! Pig for two: a game with dice that need not end.

use coppice::{Choices, InTurns, Joint, List, Payoff, Player, Rng};

/// Whose turn it is throws a six-sided die as often as it likes. A 1 ends the turn and loses what was thrown in it; to
/// stop adds it to the player's score. `TARGET` points win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pig<const TARGET: u8> {
    /// Scores before this turn.
    pub scores: [u8; 2],
    /// What was thrown in this turn.
    pub turn: u8,
    /// Whose turn it is.
    pub player: Player,
    /// The die is in the air.
    pub thrown: bool,
}

impl<const TARGET: u8> Pig<TARGET> {
    /// No points yet.
    pub const START: Self = Pig { scores: [0; 2], turn: 0, player: Player::FIRST, thrown: false };

    fn total(&self) -> u8 {
        self.scores[self.player.index()] + self.turn
    }
}

impl<const TARGET: u8> Joint for Pig<TARGET> {
    /// Whether to throw.
    type Move = bool;
    type Moves = List<bool, 2>;
    type Outcome = u8;
    const MAX_POINTS: i32 = 1;

    fn moves(&self, player: Player, list: &mut List<bool, 2>) {
        if player == self.player && !self.thrown && self.total() < TARGET {
            list.push(true);
            if self.turn > 0 {
                list.push(false);
            }
        }
    }

    fn play(&mut self, choices: &Choices<bool>) {
        self.thrown = choices.of(self.player) == Some(true);
        if !self.thrown {
            self.scores[self.player.index()] = self.total();
            (self.turn, self.player) = (0, self.player.other());
        }
    }

    fn payoff(&self, player: Player) -> Payoff {
        Payoff(if player == self.player { 1 } else { -1 })
    }

    fn hash(&self) -> u64 {
        let [a, b] = self.scores;
        super::mixed_bytes([a, b, self.turn, self.player.index() as u8, self.thrown.into(), 0, 0, 0])
    }

    fn outcome(&self, i: usize) -> Option<(u8, u32)> {
        (self.thrown && i < 6).then_some((i as u8 + 1, 1))
    }

    fn only_chooser(&self) -> Option<Player> {
        Some(self.player)
    }

    fn random_move(&self, player: Player, rng: &mut Rng) -> Option<bool> {
        let is_open = player == self.player && !self.thrown && self.total() < TARGET;
        is_open.then(|| self.turn == 0 || rng.below(2) == 0)
    }

    fn draw(&self, rng: &mut Rng) -> Option<u8> {
        self.thrown.then(|| rng.below(6) as u8 + 1)
    }

    fn happen(&mut self, face: u8) {
        self.thrown = false;
        if face == 1 {
            (self.turn, self.player) = (0, self.player.other());
        } else {
            self.turn += face;
        }
    }
}

impl<const TARGET: u8> InTurns for Pig<TARGET> {
    fn to_move(&self) -> Player {
        self.player
    }
}

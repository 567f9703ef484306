//! Rock, paper, scissors in which paper against rock pays 3.

use coppice::{Choices, Joint, List, Payoff, Player};

/// One throw of rock (0), paper (1) or scissors (2). The equilibrium is 1/5, 1/5, 3/5, and its value 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Throw(Option<[u8; 2]>);

impl Throw {
    /// Before the throw.
    pub const START: Throw = Throw(None);
    /// The equilibrium.
    pub const EQUILIBRIUM: [f64; 3] = [0.2, 0.2, 0.6];
}

impl Joint for Throw {
    type Move = u8;
    type Moves = List<u8, 3>;
    type Outcome = ();
    const MAX_POINTS: i32 = 3;

    fn moves(&self, _: Player, list: &mut List<u8, 3>) {
        if self.0.is_none() {
            (0..3).for_each(|m| list.push(m));
        }
    }

    fn play(&mut self, choices: &Choices<u8>) {
        self.0 = choices.of(Player::FIRST).zip(choices.of(Player::SECOND)).map(|(a, b)| [a, b]);
    }

    fn payoff(&self, player: Player) -> Payoff {
        let [a, b] = self.0.unwrap_or([0, 0]);
        let points = [[0, -3, 1], [3, 0, -1], [-1, 1, 0]][usize::from(a)][usize::from(b)];
        Payoff(if player == Player::FIRST { points } else { -points })
    }

    fn hash(&self) -> u64 {
        super::mixed(self.0.map(|pair| pair.map(u64::from)).unwrap_or([7, 7]))
    }
}

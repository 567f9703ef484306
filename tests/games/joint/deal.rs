//! A game with many moves and chance before each of them, whose moves can be ranked well.

use coppice::rng::mix;
use coppice::{Choices, Estimate, InTurns, Joint, List, Payoff, Player};

/// Two players take turns for so many moves. Before each move but the first, one of six hands is dealt; then one of `M` moves wins 0 to
/// 9 points. The payoff is the difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Deal<const M: usize> {
    state: u64,
    left: u32,
    difference: i32,
    waits: bool,
    to_move: Player,
}

impl<const M: usize> Deal<M> {
    /// The game of `seed` with so many moves, at most 6.
    pub fn new(seed: u64, moves: u32) -> Self {
        Deal { state: mix(seed), left: moves, difference: 0, waits: false, to_move: Player::FIRST }
    }

    fn gain(&self, m: u8) -> i32 {
        (mix(self.state ^ (u64::from(m) + 1)) >> 32) as i32 % 10
    }
}

impl<const M: usize> Joint for Deal<M> {
    type Move = u8;
    type Moves = List<u8, M>;
    type Outcome = u8;
    const MAX_POINTS: i32 = 30;

    fn moves(&self, player: Player, list: &mut List<u8, M>) {
        if player == self.to_move && !self.waits && self.left > 0 {
            (0..M as u8).for_each(|m| list.push(m));
        }
    }

    fn play(&mut self, choices: &Choices<u8>) {
        let m = choices.of(self.to_move).expect("a move");
        let gain = self.gain(m).abs();
        self.difference += if self.to_move == Player::FIRST { gain } else { -gain };
        self.state = mix(self.state ^ u64::from(m) << 8);
        self.left -= 1;
        self.to_move = self.to_move.other();
        self.waits = self.left > 0;
    }

    fn payoff(&self, player: Player) -> Payoff {
        Payoff(if player == Player::FIRST { self.difference } else { -self.difference })
    }

    fn hash(&self) -> u64 {
        super::mixed([self.state, self.difference as u64, self.waits.into()])
    }

    fn outcome(&self, i: usize) -> Option<(u8, u32)> {
        (self.waits && i < 6).then_some((i as u8, 1))
    }

    fn happen(&mut self, hand: u8) {
        self.state = mix(self.state ^ (u64::from(hand) + 1) << 16);
        self.waits = false;
    }
}

impl<const M: usize> InTurns for Deal<M> {
    fn to_move(&self) -> Player {
        self.to_move
    }
}

/// The points so far; moves by what they win.
#[derive(Debug, Clone, Copy)]
pub struct Gains;

impl<const M: usize> Estimate<Deal<M>> for Gains {
    fn estimate(&self, game: &Deal<M>, player: Player) -> f64 {
        game.payoff(player).0.into()
    }

    fn rank(&self, game: &Deal<M>, _: Player, m: u8) -> i32 {
        game.gain(m).abs()
    }
}

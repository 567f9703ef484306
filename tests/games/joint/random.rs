//! Random trees of joint moves and chance.

use coppice::rng::mix;
use coppice::{Choices, InTurns, Joint, List, Payoff, Player};

/// A random game for `N` players: the seed determines where chance decides and by which weights, how many moves each
/// player has, when it ends and how. With `TOGETHER` players choose at the same time, without it in turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RandomJoint<const N: usize, const TOGETHER: bool> {
    state: u64,
    plies_left: u32,
}

impl<const N: usize, const TOGETHER: bool> RandomJoint<N, TOGETHER> {
    /// The game of `seed`, at most `plies` moves and outcomes deep.
    pub fn new(seed: u64, plies: u32) -> Self {
        RandomJoint { state: mix(seed + 1), plies_left: plies }
    }

    fn is_done(&self) -> bool {
        self.plies_left == 0 || self.state >> 24 & 7 == 0
    }

    fn is_chance(&self) -> bool {
        !self.is_done() && self.state >> 28 & 3 == 0
    }

    fn advance(&mut self, by: u64) {
        self.state = mix(self.state ^ (by + 1));
        self.plies_left -= 1;
    }

    /// An arbitrary estimate.
    pub fn noise(&self, player: Player) -> f64 {
        match (N, player) {
            (2, Player::SECOND) => -self.noise(Player::FIRST),
            _ => f64::from((mix(self.state ^ player.index() as u64) >> 40) as i32 % 160) / 10.0 - 8.0,
        }
    }
}

impl<const N: usize, const TOGETHER: bool> Joint for RandomJoint<N, TOGETHER> {
    type Move = u8;
    type Moves = List<u8, 4>;
    type Outcome = u8;
    const PLAYERS: usize = N;
    const MAX_POINTS: i32 = 8;

    fn moves(&self, player: Player, list: &mut List<u8, 4>) {
        if !self.is_done() && !self.is_chance() {
            let is_mover = player == self.to_move();
            // Who need not move has none in two of five states.
            let bits = (mix(self.state ^ 77 ^ player.index() as u64) >> 20 & 0xffff) as u8;
            let count = if is_mover { 1 + bits % 4 } else { (bits % 5).saturating_sub(1) };
            (0..count).filter(|_| TOGETHER || is_mover).for_each(|m| list.push(m));
        }
    }

    fn play(&mut self, choices: &Choices<u8>) {
        let players = (0..N as u8).map(Player::new);
        let by = players.fold(0, |by, player| by << 3 | u64::from(choices.of(player).map_or(0, |m| m + 1)));
        self.advance(by);
    }

    fn payoff(&self, player: Player) -> Payoff {
        let points = |bits: u32| (self.state >> bits & 0xff) as i32 % 17 - 8;
        Payoff(match (N, player) {
            (2, Player::FIRST) => points(32),
            (2, _) => -points(32),
            (_, player) => points(32 + 4 * player.index() as u32),
        })
    }

    fn hash(&self) -> u64 {
        mix(self.state ^ u64::from(self.plies_left))
    }

    fn outcome(&self, i: usize) -> Option<(u8, u32)> {
        let count = 2 + (self.state >> 30 & 3) as usize;
        (self.is_chance() && i < count).then(|| (i as u8, 1 + (self.state >> (8 * i) & 3) as u32))
    }

    fn happen(&mut self, outcome: u8) {
        self.advance(u64::from(outcome));
    }
}

impl<const N: usize, const TOGETHER: bool> InTurns for RandomJoint<N, TOGETHER> {
    fn to_move(&self) -> Player {
        Player::new(((self.state >> 20 & 0xf) % N as u64) as u8)
    }
}

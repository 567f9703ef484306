//! One-player state outside the nodes (best line and payoff range), and playouts for any number of players.

use crate::clock::Meter;
use crate::game::{Game, Player};
use crate::rng::Rng;

use super::options::MAX_PATH;
use super::policy::{Policy, Rewards};

/// The best line that was played to the end, and the range of what was seen. Nothing for more than one
/// player.
#[derive(Debug, Clone)]
pub(super) struct Solo<M> {
    /// The moves of the last playout.
    played: Vec<M>,
    /// The best line, and its payoff.
    pub(super) line: Vec<M>,
    pub(super) best: Option<i32>,
    /// The least and the most seen.
    range: (i32, i32),
}

impl<M: Copy> Solo<M> {
    pub(super) fn new(players: usize) -> Solo<M> {
        let line = || Vec::with_capacity(if players == 1 { 4 * MAX_PATH } else { 0 });
        Solo { played: line(), line: line(), best: None, range: (i32::MAX, i32::MIN) }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.line.clear();
        (self.best, self.range) = (None, (i32::MAX, i32::MIN));
    }

    /// Begins an iteration.
    #[inline(always)]
    pub(super) fn begin(&mut self) {
        self.played.clear();
    }

    /// Notes a move outside of the nodes.
    #[inline(always)]
    pub(super) fn note<G: Game>(&mut self, m: M) {
        if G::PLAYERS == 1 && self.played.len() < self.played.capacity() {
            self.played.push(m);
        }
    }

    /// Takes note of how an iteration ended, at a state `G`; its payoff, if that is the best so far.
    #[inline(always)]
    pub(super) fn judge<G: Game>(&mut self, state: &G, rewards: &Rewards, is_over: bool) -> Option<i32> {
        if G::PLAYERS != 1 {
            return None;
        }
        let reward = rewards.of(Player::FIRST);
        self.range = (self.range.0.min(reward), self.range.1.max(reward));
        let payoff = state.payoff(Player::FIRST).0;
        (is_over && self.best.is_none_or(|best| payoff > best)).then_some(payoff)
    }

    /// The last iteration's line is the best: `inside` are its moves through nodes.
    #[cold]
    pub(super) fn remember(&mut self, payoff: i32, inside: impl Iterator<Item = M>) {
        self.best = Some(payoff);
        self.line.clear();
        let room = self.line.capacity();
        self.line.extend(inside.chain(self.played.iter().copied()).take(room));
    }

    /// A mean reward brought into 0 to 1.
    #[inline(always)]
    pub(super) fn share(&self, mean: f32) -> f32 {
        let (least, most) = (self.range.0 as f32, self.range.1 as f32);
        if most > least {
            (mean - least) / (most - least)
        } else {
            0.5
        }
    }
}

/// Plays on from a state that is `plies` moves into its playout; whether the game is over then. `None` if the deadline
/// passed.
#[inline(always)]
pub(super) fn play_out<G: Game, P: Policy<G>, const CAREFUL: bool>(
    policy: &mut P,
    rng: &mut Rng,
    solo: &mut Solo<G::Move>,
    state: &mut G,
    plies: &mut u32,
    meter: &mut Meter<16>,
) -> Option<bool> {
    let limit = policy.limit();
    loop {
        if !meter.step_if::<CAREFUL>() {
            return None;
        }
        if *plies == limit {
            return Some(state.is_over());
        }
        let Some(m) = policy.next(state, *plies, rng) else { return Some(true) };
        solo.note::<G>(m);
        state.play(m);
        *plies += 1;
    }
}

/// The prior of a move. `None` if the deadline passed, which isn't asked where priors are nothing.
#[inline(always)]
pub(super) fn prior<G: Game, P: Policy<G>>(
    policy: &mut P,
    state: &G,
    m: G::Move,
    meter: &mut Meter<16>,
) -> Option<P::Prior> {
    (size_of::<P::Prior>() == 0 || meter.step()).then(|| policy.prior(state, m))
}

/// Brings a node's moves in the policy's order, but `first` before the others.
#[inline(always)]
pub(super) fn arrange<G: Game, P: Policy<G>>(
    policy: &mut P,
    rng: &mut Rng,
    state: &G,
    moves: &mut [G::Move],
    first: Option<G::Move>,
) {
    policy.order(state, moves, rng);
    if let Some(i) = first.and_then(|first| moves.iter().position(|&m| m == first)) {
        moves[..=i].rotate_right(1);
    }
}

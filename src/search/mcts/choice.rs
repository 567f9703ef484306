//! The choice of a move by UCB1, and of the answer: for the tree and the graph.

use std::cmp::Ordering;

use super::options::{Jump, WIN};

/// The best of several moves, the first of equal values, found without a branch, which would be mispredicted
/// half the time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Best {
    value: f32,
    place: u32,
}

impl Best {
    /// No move yet.
    pub(super) const NONE: Best = Best { value: f32::NEG_INFINITY, place: u32::MAX };

    #[inline(always)]
    pub(super) fn offer(&mut self, value: f32, place: u32) {
        let is_better = value > self.value;
        self.place = if is_better { place } else { self.place };
        self.value = if is_better { value } else { self.value };
    }

    /// The place of the move to go on with, given the best of those that have been tried, of which there
    /// are `tried`, and of the others; `draw` is a number below that of the moves. `None` if no move
    /// matters.
    #[inline(always)]
    pub(super) fn choose(
        self,
        fresh: Best,
        tried: u32,
        jump: Jump,
        draw: impl FnOnce() -> u32,
    ) -> Option<usize> {
        let widen = match jump {
            // The place of none is above all others, its value below.
            _ if self.place.max(fresh.place) == u32::MAX => self.place == u32::MAX,
            // Ties go to the tried move.
            Jump::Never => fresh.value > self.value,
            jump => (draw() < tried) == (jump == Jump::Written),
        };
        let chosen = if widen { fresh } else { self };
        (chosen.place != u32::MAX).then_some(chosen.place as usize)
    }
}

/// A move's statistics for the choice of the answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate<I> {
    pub(super) id: I,
    /// The least and the most that the payoff's sign can be.
    pub(super) view: (i8, i8),
    pub(super) visits: u32,
    /// The mean reward.
    pub(super) mean: f64,
}

/// The move to choose: the most visited, or `by_mean` the one with the best mean, of those that may still turn out
/// better than what is certain, unless what is certain is worth as much as that one seems to be.
pub(super) fn answer<I: Copy>(moves: impl Iterator<Item = Candidate<I>> + Clone, by_mean: bool) -> Option<I> {
    let certain = moves.clone().max_by_key(|candidate| (candidate.view.0, candidate.visits))?;
    let lower = certain.view.0;
    let open = moves.filter(|candidate| candidate.view.1 > lower);
    let open = match by_mean {
        false => open.max_by_key(|candidate| candidate.visits),
        true => open.max_by(|a, b| {
            let worth = |candidate: &Candidate<I>| (candidate.visits > 0, candidate.mean);
            worth(a).partial_cmp(&worth(b)).unwrap_or(Ordering::Equal)
        }),
    };
    let Some(open) = open else { return Some(certain.id) };
    let is_better = open.mean > f64::from(lower) * f64::from(WIN);
    Some(if is_better || lower < 0 { open.id } else { certain.id })
}

//! Finds the joint move that led from the state of one search to that of the next.

use crate::clock::Budget;
use crate::game::Player;
use crate::joint::{players, Choices, Joint};
use crate::search::keep::{bound, Bound};

use super::report::listed;

/// The most joint moves that are tried: about a millisecond. The clock may end the trial earlier.
const MOST_TRIED: usize = 20_000;

/// The joint move that leads from one state to the other, whatever chance decides after it; `None` if none does, or there
/// are too many to try.
pub(super) fn turn_between<G: Joint>(from: &G, to: &G, budget: &Budget) -> Option<Choices<G::Move>> {
    let mut bound = bound(budget);
    let mut combinations = None;
    for player in players::<G>() {
        let count = bound.is_in_time().then(|| listed(from, player).len())?;
        if count > 0 {
            combinations = Some(count.saturating_mul(combinations.unwrap_or(1)));
        }
    }
    if combinations? > MOST_TRIED {
        return None;
    }
    find(from, to, 0, Choices::NONE, &mut bound)
}

/// Goes on where the players before number `at` have chosen.
fn find<G: Joint>(
    from: &G,
    to: &G,
    at: usize,
    choices: Choices<G::Move>,
    bound: &mut Bound,
) -> Option<Choices<G::Move>> {
    if at == G::PLAYERS {
        let mut next = bound.take().then(|| from.clone())?;
        next.play(&choices);
        return can_become(&next, to, bound).then_some(choices);
    }
    let player = Player::new(at as u8);
    let list = bound.is_in_time().then(|| listed(from, player))?;
    if list.is_empty() {
        return find(from, to, at + 1, choices, bound);
    }
    list.iter().find_map(|&m| find(from, to, at + 1, choices.with(player, m), bound))
}

/// Whether one state is the other, or chance may make it that.
fn can_become<G: Joint>(from: &G, to: &G, bound: &mut Bound) -> bool {
    if from == to {
        return true;
    }
    (0..).map_while(|i| from.outcome(i)).any(|(outcome, _)| {
        let Some(mut next) = bound.take().then(|| from.clone()) else { return false };
        next.happen(outcome);
        can_become(&next, to, bound)
    })
}

//! Perft for simultaneous moves: counts of turn sequences.

use coppice::joint::players;
use coppice::{Choices, Joint, Player};

use crate::perft::Perft;

use super::notation::{self, choosers, listed, JointNotation};

/// The counts of a [`Joint`] game from a position: a ply is a turn of all players, and each outcome of chance before and
/// between turns counts. Games that end earlier are left out.
#[derive(Debug, Clone, Copy)]
pub struct JointPerft<G> {
    /// The position.
    pub start: G,
}

/// The number of sequences of `depth` turns.
fn count<G: Joint>(game: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.awaits_chance() {
        return outcomes(game).map(|next| count(&next, depth)).sum();
    }
    if depth == 1 {
        let counts =
            players::<G>().map(|player| listed(game, player).len() as u64).filter(|&count| count > 0);
        return counts.reduce(|all, count| all * count).unwrap_or(0);
    }
    let mut sum = 0;
    each_turn(game, &mut |choices| sum += count(&after(game, choices), depth - 1));
    sum
}

fn outcomes<G: Joint>(game: &G) -> impl Iterator<Item = G> + '_ {
    (0..).map_while(|i| game.outcome(i)).map(|(outcome, _)| {
        let mut next = game.clone();
        next.happen(outcome);
        next
    })
}

fn after<G: Joint>(game: &G, choices: &Choices<G::Move>) -> G {
    let mut next = game.clone();
    next.play(choices);
    next
}

/// Calls `visit` for each combination of moves of the players who have any; the last player's moves change first.
fn each_turn<G: Joint>(game: &G, visit: &mut dyn FnMut(&Choices<G::Move>)) {
    let players = choosers(game);
    if !players.is_empty() {
        combine(game, &players, Choices::NONE, visit);
    }
}

fn combine<G: Joint>(
    game: &G,
    players: &[Player],
    choices: Choices<G::Move>,
    visit: &mut dyn FnMut(&Choices<G::Move>),
) {
    match players {
        [] => visit(&choices),
        [first, rest @ ..] => {
            for &m in listed(game, *first).iter() {
                combine(game, rest, choices.with(*first, m), visit);
            }
        }
    }
}

impl<G: JointNotation> Perft for JointPerft<G> {
    fn count(&self, depth: u32) -> u64 {
        count(&self.start, depth)
    }

    /// Where chance decides first, turns after different outcomes that are written alike are counted together.
    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let mut counts: Vec<(String, u64)> = Vec::new();
        let mut open = vec![self.start.clone()];
        while let Some(game) = open.pop() {
            if game.awaits_chance() {
                open.extend(outcomes(&game));
                continue;
            }
            each_turn(&game, &mut |choices| {
                let word = notation::write_turn(&game, choices);
                let leaves = count(&after(&game, choices), depth.saturating_sub(1));
                match counts.iter_mut().find(|(known, _)| *known == word) {
                    Some((_, sum)) => *sum += leaves,
                    None => counts.push((word, leaves)),
                }
            });
        }
        counts
    }
}

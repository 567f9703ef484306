//! The [`Genes`] trait: what evolution needs to know of a simulation.

use crate::game::Player;
use crate::joint::Joint;
use crate::rng::Rng;

use super::report::listed;

/// What [`Evolve`](crate::search::Evolve) needs to know of a simulation. Only [`Genes::estimate`] must be written.
///
/// A plan is a gene for each turn and each unit; a unit is a player of the [`Joint`] game. A gene is a number of 16
/// bits, whose meaning is decided by [`Genes::decode`] in the state where it is used: a plan stays a plan whatever the others
/// do.
pub trait Genes<G: Joint> {
    /// The value of the state at the end of a plan for a player, in points, if the game isn't over there.
    fn estimate(&self, game: &G, player: Player) -> f64;

    /// The move that a gene stands for; `None` if and only if the player has none. By default a fraction of the list of
    /// moves, in 65,536ths. It may return moves that the list doesn't have, if [`Joint::play`] accepts them: an angle, a
    /// thrust.
    #[inline(always)]
    fn decode(&self, game: &G, player: Player, gene: u16) -> Option<G::Move> {
        let list = listed(game, player);
        list.get((usize::from(gene) * list.len()) >> 16).copied()
    }

    /// A player's reward for a turn on the way, in points; counted with the discount of the turn. 0 by default.
    #[inline(always)]
    fn reward(&self, _before: &G, _after: &G, _player: Player) -> f64 {
        0.0
    }

    /// The side of a unit: units of one side evolve together. By default each player is a side.
    #[inline(always)]
    fn side(&self, player: Player) -> usize {
        player.index()
    }

    /// The gene that the `i`-th heuristic chooses for a unit in a state, for a plan of the first generation; `None` from
    /// their number on.
    #[inline(always)]
    fn heuristic(&self, _i: usize, _game: &G, _player: Player) -> Option<u16> {
        None
    }

    /// A mutated gene. By default any other; for angles, one nearby is often better.
    #[inline(always)]
    fn mutate(&self, _gene: u16, rng: &mut Rng) -> u16 {
        rng.next_u64() as u16
    }
}

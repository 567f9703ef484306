//! Two ways to reach the position after a move: on a copy of the state, or by make and unmake.

use crate::game::{Game, Reversible};

/// How a search reaches the position after a move, and returns.
pub trait Step<G: Game> {
    /// The data that returns to the state before.
    type Held;

    /// Whether returning is a call of the game's.
    const UNMAKES: bool;

    /// Makes a legal move.
    fn step(game: &mut G, m: G::Move) -> Self::Held;

    /// The position after it.
    fn next<'a>(game: &'a mut G, held: &'a mut Self::Held) -> &'a mut G;

    /// Restores `game`.
    fn back(game: &mut G, m: G::Move, held: Self::Held);
}

/// Makes each move on a copy.
#[derive(Debug, Clone, Copy)]
pub struct Copies;

impl<G: Game> Step<G> for Copies {
    type Held = G;
    const UNMAKES: bool = false;

    #[inline(always)]
    fn step(game: &mut G, m: G::Move) -> G {
        game.after(m)
    }

    #[inline(always)]
    fn next<'a>(_: &'a mut G, next: &'a mut G) -> &'a mut G {
        next
    }

    #[inline(always)]
    fn back(_: &mut G, _: G::Move, _: G) {}
}

/// Makes and unmakes moves on the state itself.
#[derive(Debug, Clone, Copy)]
pub struct InPlace;

impl<G: Reversible> Step<G> for InPlace {
    type Held = G::Undo;
    const UNMAKES: bool = true;

    #[inline(always)]
    fn step(game: &mut G, m: G::Move) -> G::Undo {
        game.make(m)
    }

    #[inline(always)]
    fn next<'a>(game: &'a mut G, _: &'a mut G::Undo) -> &'a mut G {
        game
    }

    #[inline(always)]
    fn back(game: &mut G, m: G::Move, undo: G::Undo) {
        game.unmake(m, undo);
    }
}

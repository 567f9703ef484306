//! Adapts this project's games to the crate `board-game` 0.8.

use std::fmt;
use std::ops::ControlFlow;

use board_game::ai::mcts::{mcts_build_tree, Node};
use board_game::board::{
    AltBoard, Alternating, Board, BoardDone, BoardMoves, BoardSymmetry, Outcome, PlayError, Player,
};
use board_game::symmetry::UnitSymmetry;
use internal_iterator::InternalIterator;
use rand08::rngs::SmallRng;
use rand08::{Rng, SeedableRng};

use super::games::Rules;
use super::minimax_rs::draw;

/// A game wrapped for the peer. Random moves are drawn by the game's own method with `DRAWN`, otherwise from
/// a list, the peer's default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peer<G, const DRAWN: bool>(pub G);

/// A move wrapped for the peer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown<M>(M);

impl<G: fmt::Debug, const DRAWN: bool> fmt::Display for Peer<G, DRAWN> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl<M: fmt::Debug> fmt::Display for Shown<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

fn seat(player: coppice::Player) -> Player {
    Player::BOTH[player.index()]
}

impl<G: Rules, const DRAWN: bool> Board for Peer<G, DRAWN> {
    type Move = Shown<G::Move>;

    fn next_player(&self) -> Player {
        seat(self.0.to_move())
    }
    fn is_available_move(&self, m: Shown<G::Move>) -> Result<bool, BoardDone> {
        Ok(Moves::listed(self)?.0.contains(&m.0))
    }
    fn random_available_move(&self, rng: &mut impl Rng) -> Result<Shown<G::Move>, BoardDone> {
        if DRAWN {
            return draw(&self.0).map(Shown).ok_or(BoardDone);
        }
        let Moves(list) = Moves::listed(self)?;
        Ok(Shown(list[rng.gen_range(0..list.len())]))
    }
    fn play(&mut self, m: Shown<G::Move>) -> Result<(), PlayError> {
        self.0.play(m.0);
        Ok(())
    }
    fn outcome(&self) -> Option<Outcome> {
        self.0.is_over().then(|| match self.0.payoff(coppice::Player::FIRST).sign() {
            1 => Outcome::WonBy(Player::A),
            0 => Outcome::Draw,
            _ => Outcome::WonBy(Player::B),
        })
    }
    fn is_done(&self) -> bool {
        self.0.is_over()
    }
    fn can_lose_after_move() -> bool {
        true
    }
}

impl<G, const DRAWN: bool> Alternating for Peer<G, DRAWN> {}

/// The legal moves of a position.
#[derive(Clone)]
pub struct Moves<G: Rules>(G::Moves);

impl<G: Rules> Moves<G> {
    fn listed<const DRAWN: bool>(board: &Peer<G, DRAWN>) -> Result<Moves<G>, BoardDone> {
        let mut list = G::Moves::default();
        board.0.moves(&mut list);
        if list.is_empty() {
            Err(BoardDone)
        } else {
            Ok(Moves(list))
        }
    }
}

impl<G: Rules> InternalIterator for Moves<G> {
    type Item = Shown<G::Move>;

    fn try_for_each<R, F: FnMut(Self::Item) -> ControlFlow<R>>(self, mut f: F) -> ControlFlow<R> {
        self.0.iter().try_for_each(|&m| f(Shown(m)))
    }
}

impl<'a, G: Rules, const DRAWN: bool> BoardMoves<'a, Peer<G, DRAWN>> for Peer<G, DRAWN> {
    type AllMovesIterator = Moves<G>;
    type AvailableMovesIterator = Moves<G>;

    fn all_possible_moves() -> Moves<G> {
        unreachable!("the peer's searches never call this")
    }
    fn available_moves(&'a self) -> Result<Moves<G>, BoardDone> {
        Moves::listed(self)
    }
}

impl<G: Rules, const DRAWN: bool> BoardSymmetry<Peer<G, DRAWN>> for Peer<G, DRAWN> {
    type Symmetry = UnitSymmetry;
    type CanonicalKey = ();

    fn map(&self, _: UnitSymmetry) -> Self {
        self.clone()
    }
    fn map_move(&self, _: UnitSymmetry, m: Shown<G::Move>) -> Shown<G::Move> {
        m
    }
    fn canonical_key(&self) {}
}

/// Grows a tree; returns the iterations, the nodes, and the bytes of a node.
pub fn mcts<G: Rules>(game: &G, iterations: u64, exploration: f32, drawn: bool) -> (u64, usize, usize) {
    match drawn {
        true => grown(Peer::<G, true>(game.clone()), iterations, exploration),
        false => grown(Peer::<G, false>(game.clone()), iterations, exploration),
    }
}

fn grown<B: AltBoard>(board: B, iterations: u64, exploration: f32) -> (u64, usize, usize) {
    let mut rng = SmallRng::seed_from_u64(1);
    let tree = mcts_build_tree(&board, iterations, exploration, &mut rng);
    (tree[0].visits as u64, tree.nodes.len(), size_of::<Node<B::Move>>())
}

//! The games for the benchmarks, in the forms that the peers need.

use std::cell::Cell;
use std::fmt::Debug;

use bots::mancala::eval::StoreDifference;
use bots::mancala::Board as Kalah;
use coppice::{Evaluation, Game, List, Payoff, Player, Rng, Score};

/// The requirements of both peers on a game.
pub trait Rules: Game<Moves: Clone, Move: Send + Sync> + Eq + Debug + Send + Sync + 'static {}

impl<G: Game<Moves: Clone, Move: Send + Sync> + Eq + Debug + Send + Sync + 'static> Rules for G {}

thread_local!(static MADE: Cell<u64> = const { Cell::new(0) });

/// The number of moves that `work` makes in [`Counted`] games on this thread.
pub fn moves_made(work: impl FnOnce()) -> u64 {
    let before = MADE.get();
    work();
    MADE.get() - before
}

/// A game that counts its moves, as a uniform measure of nodes for every search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted<G>(pub G);

impl<G: Game> Game for Counted<G> {
    type Move = G::Move;
    type Moves = G::Moves;
    const PLAYERS: usize = G::PLAYERS;
    const ENDS_BY_WAY: bool = G::ENDS_BY_WAY;

    #[inline(always)]
    fn to_move(&self) -> Player {
        self.0.to_move()
    }
    #[inline(always)]
    fn moves(&self, list: &mut G::Moves) {
        self.0.moves(list);
    }
    #[inline(always)]
    fn play(&mut self, m: G::Move) {
        MADE.set(MADE.get() + 1);
        self.0.play(m);
    }
    #[inline(always)]
    fn payoff(&self, player: Player) -> Payoff {
        self.0.payoff(player)
    }
    #[inline(always)]
    fn hash(&self) -> u64 {
        self.0.hash()
    }
    #[inline(always)]
    fn move_index(m: G::Move) -> u16 {
        G::move_index(m)
    }
    #[inline(always)]
    fn is_over(&self) -> bool {
        self.0.is_over()
    }
    #[inline(always)]
    fn count_moves(&self) -> usize {
        self.0.count_moves()
    }
    #[inline(always)]
    fn random_move(&self, rng: &mut Rng) -> Option<G::Move> {
        self.0.random_move(rng)
    }
}

/// Applies an evaluation to the wrapped game.
#[derive(Debug, Clone, Copy, Default)]
pub struct Inside<E>(pub E);

impl<G: Game, E: Evaluation<G>> Evaluation<Counted<G>> for Inside<E> {
    #[inline(always)]
    fn evaluate(&self, game: &Counted<G>) -> Score {
        self.0.evaluate(&game.0)
    }
    #[inline(always)]
    fn rank(&self, game: &Counted<G>, m: G::Move) -> i32 {
        self.0.rank(&game.0, m)
    }
}

/// Kalah for searches that require strictly alternating turns: when a player moves again, the other passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InTurn {
    board: Kalah,
    passing: bool,
}

impl InTurn {
    const PASS: u8 = 6;

    pub fn new(board: Kalah) -> InTurn {
        InTurn { board, passing: false }
    }
}

impl Game for InTurn {
    type Move = u8;
    type Moves = List<u8, 7>;

    #[inline(always)]
    fn to_move(&self) -> Player {
        let to_move = self.board.to_move();
        if self.passing {
            to_move.other()
        } else {
            to_move
        }
    }
    #[inline(always)]
    fn moves(&self, list: &mut List<u8, 7>) {
        let mut holes = List::default();
        self.board.moves(&mut holes);
        if self.passing && !holes.is_empty() {
            list.push(InTurn::PASS);
        } else {
            holes.iter().for_each(|&hole| list.push(hole));
        }
    }
    #[inline(always)]
    fn play(&mut self, m: u8) {
        if m == InTurn::PASS {
            self.passing = false;
        } else {
            let mover = self.board.to_move();
            self.board.play(m);
            self.passing = self.board.to_move() == mover;
        }
    }
    #[inline(always)]
    fn payoff(&self, player: Player) -> Payoff {
        self.board.payoff(player)
    }
    #[inline(always)]
    fn hash(&self) -> u64 {
        self.board.hash() ^ if self.passing { 0x9e37_79b9_7f4a_7c15 } else { 0 }
    }
    #[inline(always)]
    fn move_index(m: u8) -> u16 {
        u16::from(m)
    }
    #[inline(always)]
    fn is_over(&self) -> bool {
        self.board.is_over()
    }
    #[inline(always)]
    fn count_moves(&self) -> usize {
        match self.board.count_moves() {
            1.. if self.passing => 1,
            count => count,
        }
    }
    #[inline(always)]
    fn random_move(&self, rng: &mut Rng) -> Option<u8> {
        if self.passing && !self.board.is_over() {
            return Some(InTurn::PASS);
        }
        self.board.random_move(rng)
    }
}

impl Evaluation<InTurn> for StoreDifferenceInTurn {
    #[inline(always)]
    fn evaluate(&self, game: &InTurn) -> Score {
        StoreDifference.evaluate(&game.board).for_parent(!game.passing)
    }
}

/// [`StoreDifference`] for [`InTurn`].
#[derive(Debug, Clone, Copy, Default)]
pub struct StoreDifferenceInTurn;

/// Positions of random games, `plies` from the start.
pub fn positions<G: Game>(start: &G, plies: u32, count: usize) -> Vec<G> {
    let mut rng = Rng::new(20);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut game = start.clone();
        for _ in 0..plies {
            if let Some(m) = game.random_move(&mut rng) {
                game.play(m);
            }
        }
        if !game.is_over() {
            positions.push(game);
        }
    }
    positions
}

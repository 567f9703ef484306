//! The original's greedy agent, which also plays the moves of its Monte Carlo playouts.

use coppice::search::Policy;
use coppice::{Budget, Game, List, Report, Rng, Score, Search};

use super::busy::Busy;
use crate::freckers::board::Board;
use crate::freckers::cell::{Cells, Move, Way, GOAL};

/// Makes the move by which a frog gains most of its distance to the nearest free cell of the far row, in steps on a
/// board full of pads. Ties are broken at random.
#[derive(Debug, Clone)]
pub struct Greedy {
    rng: Rng,
}

impl Greedy {
    /// A player that breaks ties by `seed`.
    pub fn new(seed: u64) -> Greedy {
        Greedy { rng: Rng::new(seed) }
    }
}

/// The number of steps from each cell to the nearest free one of the far row; 8 if unreachable.
fn distances(board: &Board) -> [u8; 64] {
    let mut distances = [8; 64];
    let mut near: Cells = 0;
    let mut new = GOAL & !(board.own() | board.other());
    for distance in 0..8 {
        near |= new;
        while new != 0 {
            distances[new.trailing_zeros() as usize] = distance;
            new &= new - 1;
        }
        new = Way::ALL.iter().fold(0, |cells, way| cells | way.back(near)) & !near;
    }
    // Frogs that have arrived have no distance left.
    (56..64).for_each(|cell| distances[cell] = 0);
    distances
}

/// The greedy move; `None` if the game is over.
fn choose(board: &Board, rng: &mut Rng) -> Option<Move> {
    let mut list = List::default();
    Busy(*board).moves(&mut list);
    let distances = distances(board);
    let (mut best, mut most, mut ties) = (None, i32::MIN, 0);
    for &m in list.iter() {
        let distance = |cell: u8| i32::from(distances[usize::from(cell)]);
        let gain = distance(m.from()) - distance(m.to());
        if gain > most {
            (best, most, ties) = (Some(m), gain, 1);
        } else if gain == most {
            ties += 1;
            if rng.below(ties) == 0 {
                best = Some(m);
            }
        }
    }
    best
}

impl Search<Board> for Greedy {
    /// Looks at this position only.
    fn search(&mut self, board: &Board, _: Budget) -> Report<Move> {
        let best = choose(board, &mut self.rng);
        let score = match best {
            Some(_) => Score::DRAW,
            None => Score::ended(board.payoff(board.to_move())),
        };
        Report { best, score, nodes: 0, depth: 0, solved: best.is_none(), restarted: false }
    }
}

/// Plays to the end, greedily or at random; the answer is the move with the highest win rate.
#[derive(Debug, Clone, Copy)]
pub struct Playouts {
    /// By greedy moves.
    pub is_greedy: bool,
}

impl Policy<Busy> for Playouts {
    type Prior = ();

    fn next(&mut self, game: &Busy, _plies: u32, rng: &mut Rng) -> Option<Move> {
        match self.is_greedy {
            true => choose(&game.0, rng),
            false => game.random_move(rng),
        }
    }

    fn answers_by_mean(&self) -> bool {
        true
    }
}

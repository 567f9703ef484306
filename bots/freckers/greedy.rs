//! The original's greedy agent, which its Monte Carlo search plays out with too.

use coppice::search::Policy;
use coppice::{Budget, Game, List, Report, Rng, Score, Search};

use super::board::Board;
use super::busy::Busy;
use super::cell::{Cells, Move, Way, GOAL};

/// Makes the move by which a frog gains most of its way to the nearest free cell of the far row, in steps on a board
/// full of pads; ties are drawn by lot.
#[derive(Debug, Clone)]
pub struct Greedy {
    rng: Rng,
}

impl Greedy {
    /// A player whose ties fall by `seed`.
    pub fn new(seed: u64) -> Greedy {
        Greedy { rng: Rng::new(seed) }
    }
}

/// How many steps it is from each cell to the nearest free one of the far row; 8 from where there is no way.
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
    // Who has arrived has no way to go.
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
    /// Looks at no position but this one.
    fn search(&mut self, board: &Board, _: Budget) -> Report<Move> {
        let best = choose(board, &mut self.rng);
        let score = match best {
            Some(_) => Score::DRAW,
            None => Score::ended(board.payoff(board.to_move())),
        };
        Report { best, score, nodes: 0, depth: 0, solved: best.is_none(), restarted: false }
    }
}

/// Playouts of greedy moves to the end; the answer is the move with the best share of wins.
#[derive(Debug, Clone, Copy, Default)]
pub struct GreedyPlayouts;

impl Policy<Busy> for GreedyPlayouts {
    type Prior = ();

    fn next(&mut self, game: &Busy, _plies: u32, rng: &mut Rng) -> Option<Move> {
        choose(&game.0, rng)
    }

    fn answers_by_mean(&self) -> bool {
        true
    }
}

//! Mobility, corners, stability, by phase of the game.

use coppice::{Evaluation, Score};

use crate::reversi::board::mobility;
use crate::reversi::{Board, Cell};

const CORNERS: u64 = 0x8100_0000_0000_0081;
const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = 0x8080_8080_8080_8080;

/// How many features there are.
pub const FEATURES: usize = 8;

/// The differences, own less the opponent's, that an estimate is made of.
///
/// 0 moves; 1 empty cells beside the other's discs (moves to come); 2 corners; 3 discs diagonally
/// beside an empty corner; 4 discs next to an empty corner on the edge; 5 discs that can't be turned
/// any more because they hang together with a corner along an edge; 6 other discs on edges; 7 discs.
#[inline(always)]
pub fn features(board: &Board) -> [i32; FEATURES] {
    let (own, opponent, empty) = (board.own(), board.opponent(), board.empty());
    let count = |mask: u64| (own & mask).count_ones() as i32 - (opponent & mask).count_ones() as i32;
    let moves = mobility(own, opponent).count_ones() as i32 - mobility(opponent, own).count_ones() as i32;
    let around = |discs: u64| (spread(discs) & empty).count_ones() as i32;
    let open = empty & CORNERS;
    // Beside each empty corner: diagonally, and along both edges.
    let sideways = (open & LEFT) << 1 | (open & RIGHT) >> 1;
    let diagonal = sideways << 8 | sideways >> 8;
    let beside = sideways | open << 8 | open >> 8;
    let (own_stable, opponent_stable) = (edge_stable(own), edge_stable(opponent));
    let edges = EDGES & !CORNERS & !beside & !own_stable & !opponent_stable;
    [
        moves,
        around(opponent) - around(own),
        count(CORNERS),
        count(diagonal),
        count(beside),
        own_stable.count_ones() as i32 - opponent_stable.count_ones() as i32,
        count(edges),
        board.disc_difference(),
    ]
}

const EDGES: u64 = 0xff81_8181_8181_81ff;

/// All cells with a neighbour among `discs`.
#[inline(always)]
fn spread(discs: u64) -> u64 {
    let row = discs | (discs & !RIGHT) << 1 | (discs & !LEFT) >> 1;
    row | row << 8 | row >> 8
}

/// Discs on an edge that hang together with a corner of the same colour.
#[inline(always)]
fn edge_stable(discs: u64) -> u64 {
    let mut stable = discs & CORNERS;
    if stable == 0 {
        return 0;
    }
    let across = discs & 0xff00_0000_0000_00ff;
    let down = discs & (LEFT | RIGHT);
    for _ in 0..6 {
        stable |= across & ((stable & !RIGHT) << 1 | (stable & !LEFT) >> 1);
        stable |= down & (stable << 8 | stable >> 8);
    }
    stable
}

/// Weights of the features by phase, and what it is worth to be the one to move.
#[derive(Debug, Clone)]
pub struct Positional {
    /// By number of empty cells.
    weights: [[i32; FEATURES]; 61],
    tempo: [i32; 61],
}

/// Weights at 60, 40, 20 and 0 empty cells, between which they change evenly: 100 is a disc of the
/// final margin.
const KNOTS: [([i32; FEATURES], i32); 4] = [
    ([60, 30, 400, -200, -80, 60, 10, -20], 0),
    ([70, 35, 500, -200, -80, 80, 10, -15], 0),
    ([80, 30, 600, -150, -60, 120, 20, 0], 0),
    ([40, 10, 300, -50, -20, 100, 20, 80], 0),
];

impl Positional {
    /// The weights as they play best.
    pub fn new() -> Positional {
        let mut eval = Positional { weights: [[0; FEATURES]; 61], tempo: [0; 61] };
        for empties in 0..61usize {
            let knot = (60 - empties) / 20;
            let ((low, low_tempo), (high, high_tempo)) = (KNOTS[knot], KNOTS[(knot + 1).min(3)]);
            let part = (60 - empties) as i32 % 20;
            let blend = |low: i32, high: i32| (low * (20 - part) + high * part) / 20;
            for (i, weight) in eval.weights[empties].iter_mut().enumerate() {
                *weight = blend(low[i], high[i]);
            }
            eval.tempo[empties] = blend(low_tempo, high_tempo);
        }
        eval
    }
}

impl Default for Positional {
    fn default() -> Positional {
        Positional::new()
    }
}

impl Evaluation<Board> for Positional {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        let empties = (board.empty().count_ones() as usize).min(60);
        let weights = &self.weights[empties];
        let features = features(board);
        let mut value = self.tempo[empties];
        for i in 0..FEATURES {
            value += weights[i] * features[i];
        }
        Score::estimate(value)
    }

    #[inline(always)]
    fn rank(&self, _board: &Board, cell: Cell) -> i32 {
        i32::from(RANKS[cell.bit() as usize & 63])
    }
}

/// How early a cell is tried before anything else is known of it.
static RANKS: [i16; 64] = {
    const QUARTER: [[i16; 4]; 4] =
        [[900, -200, 100, 50], [-200, -400, -50, -20], [100, -50, 20, 10], [50, -20, 10, 0]];
    let mut ranks = [0; 64];
    let mut i = 0;
    while i < 64 {
        let (x, y) = (i % 8, i / 8);
        ranks[i] = QUARTER[if y < 4 { y } else { 7 - y }][if x < 4 { x } else { 7 - x }];
        i += 1;
    }
    ranks
};

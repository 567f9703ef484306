//! The last cells: no lists, no table, no look at the clock below four empty cells.
//!
//! Scores are disc differences at the end, the empty cells counted for the winner, as published results are.
//! Every search answers whether the score is above `alpha`, and with a bound that proves it (fail-soft null windows).

use coppice::clock::Meter;
use coppice::cpu::{Cpu, Task};

use super::super::cell::Cell;
use super::super::lines::{flips, last_flips, NEIGHBOURS};
use super::bits;

/// The clock of a solver.
pub(super) type Clock = Meter<2048>;

/// No score: no move.
const NONE: i32 = -100;

/// The most moves that [`Four`] makes.
const MOST_MOVES: u64 = 4 + 4 * 3 + 4 * 3 * 2 + 4 * 3 * 2;

const QUADRANTS: [u64; 4] =
    [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

/// The quadrants with an odd number of empty cells: the player who moves there first also moves there last.
#[inline(always)]
pub(super) fn odd_regions(empty: u64) -> u64 {
    QUADRANTS.iter().filter(|&q| (empty & q).count_ones() % 2 == 1).fold(0, |odd, q| odd | q)
}

/// The score of a finished game.
#[inline(always)]
pub(super) fn ended(own: u64, opponent: u64) -> i32 {
    let (own, opponent) = (own.count_ones() as i32, opponent.count_ones() as i32);
    let difference = own - opponent;
    difference + difference.signum() * (64 - own - opponent)
}

/// The discs that turn, without looking further where no neighbour is the opponent's.
#[inline(always)]
fn turned(cell: Cell, own: u64, opponent: u64) -> u64 {
    if NEIGHBOURS[cell.bit() as usize & 63] & opponent == 0 {
        return 0;
    }
    flips(cell, own, opponent)
}

/// The score with one empty cell.
#[inline(always)]
fn one(clock: &mut Clock, own: u64, cell: Cell) -> i32 {
    let before = 2 * own.count_ones() as i32 - 64;
    clock.add(1);
    match last_flips(cell, own) {
        0 => match last_flips(cell, !own) {
            0 => before + if before >= 0 { 2 } else { 0 },
            turned => before - 2 * turned,
        },
        turned => before + 2 * turned + 2,
    }
}

/// The score with two empty cells, or [`NONE`] without a move.
#[inline(always)]
fn two(clock: &mut Clock, own: u64, opponent: u64, alpha: i32, [a, b]: [Cell; 2]) -> i32 {
    let mut best = NONE;
    for (cell, other) in [(a, b), (b, a)] {
        let turned = turned(cell, own, opponent);
        if turned != 0 {
            clock.add(1);
            best = best.max(-one(clock, opponent ^ turned, other));
            if best > alpha {
                break;
            }
        }
    }
    best
}

/// The score with three empty cells.
struct Three<'a> {
    clock: &'a mut Clock,
    own: u64,
    opponent: u64,
    alpha: i32,
    cells: [Cell; 3],
}

impl Task for Three<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> i32 {
        let Three { clock, own, opponent, alpha, cells: [a, b, c] } = self;
        // One that is alone in its quadrant first.
        let quadrant = |cell: Cell| cell.bit() & 36;
        let cells = match () {
            () if quadrant(b) == quadrant(c) => [a, b, c],
            () if quadrant(a) == quadrant(c) => [b, a, c],
            () if quadrant(a) == quadrant(b) => [c, a, b],
            () => [a, b, c],
        };
        match three(clock, own, opponent, alpha, cells) {
            NONE => match -three(clock, opponent, own, -alpha - 1, cells) {
                score if score == -NONE => ended(own, opponent),
                score => score,
            },
            score => score,
        }
    }
}

#[inline(always)]
fn three(clock: &mut Clock, own: u64, opponent: u64, alpha: i32, [a, b, c]: [Cell; 3]) -> i32 {
    let mut best = NONE;
    for (cell, left) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
        let turned = turned(cell, own, opponent);
        if turned != 0 {
            clock.add(1);
            let (own, opponent) = (own ^ turned | cell.board(), opponent ^ turned);
            let score = match two(clock, opponent, own, -alpha - 1, left) {
                NONE => match two(clock, own, opponent, alpha, left) {
                    NONE => ended(own, opponent),
                    score => score,
                },
                score => -score,
            };
            best = best.max(score);
            if best > alpha {
                break;
            }
        }
    }
    best
}

/// A few empty cells, at least four: cells in odd regions first, without generating moves.
pub(super) struct Few<'a> {
    pub(super) clock: &'a mut Clock,
    pub(super) own: u64,
    pub(super) opponent: u64,
    pub(super) alpha: i32,
}

impl Few<'_> {
    /// The score with any number of empty cells from 0 on.
    #[inline(always)]
    pub(super) fn score<C: Cpu>(self, cpu: C) -> i32 {
        let Few { clock, own, opponent, alpha } = self;
        let empty = !(own | opponent);
        let mut cells = bits(empty);
        let mut next = || cells.next().unwrap_or_default();
        if empty.count_ones() > 3 {
            return cpu.call(Few { clock, own, opponent, alpha });
        }
        if !clock.allows(MOST_MOVES) {
            return 0;
        }
        match empty.count_ones() {
            0 => ended(own, opponent),
            1 => one(clock, own, next()),
            2 => {
                let cells = [next(), next()];
                match two(clock, own, opponent, alpha, cells) {
                    NONE => match two(clock, opponent, own, -alpha - 1, cells) {
                        NONE => ended(own, opponent),
                        score => -score,
                    },
                    score => score,
                }
            }
            _ => {
                let cells = [next(), next(), next()];
                cpu.call(Three { clock, own, opponent, alpha, cells })
            }
        }
    }
}

impl Task for Few<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let Few { clock, own, opponent, alpha } = self;
        let empty = !(own | opponent);
        let is_four = empty.count_ones() == 4;
        if is_four && !clock.allows(MOST_MOVES) {
            return 0;
        }
        let odd = odd_regions(empty);
        let mut best = NONE;
        for cells in [empty & odd, empty & !odd] {
            for cell in bits(cells) {
                let turned = turned(cell, own, opponent);
                if turned == 0 {
                    continue;
                }
                let (own, opponent) = (own ^ turned | cell.board(), opponent ^ turned);
                let score = if is_four {
                    clock.add(1);
                    let mut left = bits(empty ^ cell.board());
                    let mut next = || left.next().unwrap_or_default();
                    let cells = [next(), next(), next()];
                    -cpu.call(Three { clock, own: opponent, opponent: own, alpha: -alpha - 1, cells })
                } else {
                    if !clock.take() {
                        return 0;
                    }
                    -cpu.call(Few { clock, own: opponent, opponent: own, alpha: -alpha - 1 })
                };
                best = best.max(score);
                if best > alpha || clock.is_spent() {
                    return best;
                }
            }
        }
        if best == NONE {
            if super::mobility(opponent, own) == 0 {
                return ended(own, opponent);
            }
            return -cpu.call(Few { clock, own: opponent, opponent: own, alpha: -alpha - 1 });
        }
        best
    }
}

//! The discs that a move turns, found line by line.
//!
//! Towards higher bits an addition carries through the opponent's run. Three of the four other directions become such
//! directions when the board is turned upside down, which is one instruction on bytes. A row is looked up in a table.

use super::cell::Cell;

/// Towards higher bits: down to the left, down, down to the right. A row is looked up; the first of the four is free.
const STEPS: [(i32, i32); 4] = [(0, 0), (-1, 1), (0, 1), (1, 1)];

/// The cells in line with each cell, in the directions of [`STEPS`].
static RAYS: [[u64; 4]; 64] = {
    let mut rays = [[0; 4]; 64];
    let mut i = 0;
    while i < 256 {
        rays[i / 4][i % 4] = ray(i / 4, STEPS[i % 4].0, STEPS[i % 4].1);
        i += 1;
    }
    rays
};

const fn ray(cell: usize, dx: i32, dy: i32) -> u64 {
    let (mut x, mut y) = (cell as i32 % 8 + dx, cell as i32 / 8 + dy);
    let mut cells = 0;
    while (dx != 0 || dy != 0) && 0 <= x && x < 8 && 0 <= y && y < 8 {
        cells |= 1 << (8 * y + x);
        x += dx;
        y += dy;
    }
    cells
}

/// The cells around each cell.
pub(super) static NEIGHBOURS: [u64; 64] = {
    let mut around = [0; 64];
    let mut i = 0;
    while i < 64 {
        let (x, y) = (1u64 << (i % 8), i / 8 * 8);
        let row = x | (x << 1 | x >> 1) & 0xff;
        around[i] = (row << y | row << y << 8 | (row << y) >> 8) & !(1 << i);
        i += 1;
    }
    around
};

/// The cells of a row between a place and the next disc of `own` on each side, where all of them are in `through`.
const fn between(place: usize, own: usize, through: usize) -> u8 {
    let mut found = 0;
    let mut side = 0;
    while side < 2 {
        let mut run = 0;
        let mut at = if side == 0 { place + 1 } else { place.wrapping_sub(1) };
        while at < 8 && through >> at & 1 == 1 {
            run |= 1 << at;
            at = if side == 0 { at + 1 } else { at.wrapping_sub(1) };
        }
        if at < 8 && own >> at & 1 == 1 {
            found |= run;
        }
        side += 1;
    }
    found
}

/// By place in a row and the opponent's discs on the middle six places: where an own disc ends a run.
static ENDS: [[u8; 64]; 8] = {
    let mut ends = [[0; 64]; 8];
    let mut i = 0;
    while i < 512 {
        let (place, opponent) = (i / 64, (i % 64) << 1);
        let mut at = 0;
        while at < 8 {
            if opponent >> at & 1 == 0 && between(place, 1 << at, opponent) != 0 {
                ends[place][i % 64] |= 1 << at;
            }
            at += 1;
        }
        i += 1;
    }
    ends
};

/// By place in a row and ends of runs: the cells between.
static RUNS: [[u8; 256]; 8] = {
    let mut runs = [[0; 256]; 8];
    let mut i = 0;
    while i < 2048 {
        runs[i / 256][i % 256] = between(i / 256, i % 256, !(i % 256) & 255);
        i += 1;
    }
    runs
};

/// The opponent's discs that turn in the rays of `cell`.
#[inline(always)]
fn along(cell: usize, own: u64, opponent: u64) -> u64 {
    let mut turned = 0;
    for ray in RAYS[cell & 63] {
        // Adding 1 carries through everything off the ray and through the opponent's discs next to the cell, up to
        // the first cell that ends the run.
        let end = (opponent | !ray).wrapping_add(1) & own & ray;
        turned |= end.wrapping_sub(u64::from(end != 0)) & ray;
    }
    turned
}

/// The opponent's discs that flip when the owner of `own` places a disc on `cell`; none if the move is illegal.
///
/// Takes two thirds of the time of fills in four directions.
#[inline(always)]
pub fn flips(cell: Cell, own: u64, opponent: u64) -> u64 {
    let at = cell.bit() as usize;
    let (place, row) = (at & 7, at & 56);
    let ends = ENDS[place][(opponent >> (row + 1) & 63) as usize] & (own >> row) as u8;
    let down = along(at, own, opponent);
    let up = along(at ^ 56, own.swap_bytes(), opponent.swap_bytes()).swap_bytes();
    down | up | u64::from(RUNS[place][usize::from(ends)]) << row
}

/// Both diagonals through each cell, the cell included.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut diagonals = [[0; 2]; 64];
    let mut i = 0;
    while i < 64 {
        diagonals[i] = [1 << i | ray(i, 1, 1) | ray(i, -1, -1), 1 << i | ray(i, 1, -1) | ray(i, -1, 1)];
        i += 1;
    }
    diagonals
};

/// By place in a row and the own discs of the row, the other cells being the opponent's: how many turn.
static COUNTS: [[u8; 256]; 8] = {
    let mut counts = [[0; 256]; 8];
    let mut i = 0;
    while i < 2048 {
        counts[i / 256][i % 256] = RUNS[i / 256][i % 256].count_ones() as u8;
        i += 1;
    }
    counts
};

/// How many discs turn when the owner of `own` fills the only empty cell.
#[inline(always)]
pub(super) fn last_flips(cell: Cell, own: u64) -> i32 {
    const COLUMN: u64 = 0x0101_0101_0101_0101;
    let at = cell.bit() as usize & 63;
    let (place, row) = (at & 7, at >> 3);
    let count = |place: usize, line: u64| i32::from(COUNTS[place][(line & 255) as usize]);
    // A diagonal's bits are in different columns, so that their sum by columns is a row.
    let sum = |line: u64| line.wrapping_mul(COLUMN) >> 56;
    let [down, up] = DIAGONALS[at];
    count(place, own >> (8 * row))
        + count(row, (own >> place & COLUMN).wrapping_mul(0x0102_0408_1020_4080) >> 56)
        + count(place, sum(own & down))
        + count(place, sum(own & up))
}

#[cfg(test)]
mod tests {
    use super::*;
    use coppice::Rng;

    #[test]
    fn the_last_disc_turns_as_many_as_are_found_one_by_one() {
        let mut rng = Rng::new(1);
        for _ in 0..20_000 {
            let cell = Cell::new(rng.below(64));
            let own = rng.next_u64() & !cell.board();
            let turned = flips(cell, own, !own & !cell.board());
            assert_eq!(last_flips(cell, own), turned.count_ones() as i32, "{cell}: {own:x}");
        }
    }

    #[test]
    fn neighbours_are_one_step_away() {
        assert_eq!(NEIGHBOURS[0], 0x0302);
        assert_eq!(NEIGHBOURS[9], 0x0007_0507);
        assert_eq!(NEIGHBOURS[63], 0x40c0_0000_0000_0000);
    }
}

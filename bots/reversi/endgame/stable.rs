//! Counts discs that can't flip any more.

/// Columns a and h.
const SIDES: [u64; 2] = [0x0101_0101_0101_0101, 0x8080_8080_8080_8080];
const EDGES: [u64; 4] =
    [SIDES[0] | SIDES[1], 0xff00_0000_0000_00ff, 0xff81_8181_8181_81ff, 0xff81_8181_8181_81ff];
/// Shifts along rows, columns and diagonals.
const SHIFTS: [u32; 4] = [1, 8, 9, 7];

/// One step along a line to each side.
#[inline(always)]
fn beside(cells: u64, axis: usize) -> u64 {
    let shift = SHIFTS[axis];
    match axis {
        1 => cells << 8 | cells >> 8,
        3 => (cells & !SIDES[0]) << shift | (cells & !SIDES[1]) >> shift,
        _ => (cells & !SIDES[1]) << shift | (cells & !SIDES[0]) >> shift,
    }
}

/// A lower bound on the number of the owner's discs that can't flip: along each of the four lines through them, the
/// line is full, or ends there, or a neighbour is such a disc.
#[inline(always)]
pub(super) fn stable(own: u64, opponent: u64) -> i32 {
    let empty = !(own | opponent);
    let mut held = EDGES;
    for (axis, held) in held.iter_mut().enumerate() {
        let mut open = empty;
        for _ in 0..7 {
            open |= beside(open, axis);
        }
        *held |= !open;
    }
    let mut stable = 0;
    loop {
        let next = (0..4).fold(own, |next, axis| next & (held[axis] | beside(stable, axis)));
        if next == stable {
            return stable.count_ones() as i32;
        }
        stable = next;
    }
}

//! Sowing tables: a move sows all of its counters with two additions.

pub use crate::shared::sowing::{MAX_HOLES, STORE};

/// The amounts that sowing adds to the two sides. The top byte of `own` tells where the last counter falls: 0 to 5
/// for an own hole, [`STORE`] for the own store, 7 for the other side.
#[derive(Clone, Copy)]
pub struct Sown {
    pub own: u64,
    pub other: u64,
}

/// By holes a side, byte sown from, and number of counters up to one full round of the board.
static SOWN: [Sown; 1024] = {
    let mut table = [Sown { own: 0, other: 0 }; 1024];
    let mut holes = 1;
    while holes <= MAX_HOLES {
        let mut from = MAX_HOLES - holes;
        while from < MAX_HOLES {
            let mut counters = 1;
            while counters <= around(holes) {
                table[index(holes, from, counters)] = sow(holes, from, counters);
                counters += 1;
            }
            from += 1;
        }
        holes += 1;
    }
    table
};

/// Number of counters in one full round: one for each hole and the own store.
#[inline(always)]
pub const fn around(holes: usize) -> usize {
    2 * holes + 1
}

const fn index(holes: usize, from: usize, counters: usize) -> usize {
    (holes << 7 | from << 4 | counters) & 1023
}

const fn sow(holes: usize, from: usize, counters: usize) -> Sown {
    let first = MAX_HOLES - holes;
    let mut sown = Sown { own: 0, other: 0 };
    let (mut place, mut is_own, mut left) = (from, true, counters);
    while left > 0 {
        place += 1;
        if place > if is_own { STORE as usize } else { MAX_HOLES - 1 } {
            (place, is_own) = (first, !is_own);
        }
        if is_own {
            sown.own += 1 << (8 * place);
        } else {
            sown.other += 1 << (8 * place);
        }
        left -= 1;
    }
    sown.own |= (if is_own { place as u64 } else { 7 }) << 56;
    sown
}

/// The effect of sowing `counters`, at most one full round ([`around`]), from byte `from`.
#[inline(always)]
pub fn sown(holes: usize, from: usize, counters: usize) -> Sown {
    SOWN[index(holes, from, counters)]
}

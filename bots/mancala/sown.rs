//! Where counters fall: tables, so that a move sows all of them in two additions.

/// The most holes a side.
pub const MAX_HOLES: usize = 6;

/// One side in a word: a byte a place, the holes' next to the store in byte 5, the store in byte 6.
/// With fewer than six holes the lowest bytes stay 0.
pub const STORE: u32 = 6;

/// What sowing adds to the two sides. The top byte of the first says where the last counter falls:
/// 0 to 5 in an own hole, [`STORE`] in the own store, 7 on the other side.
#[derive(Clone, Copy)]
pub struct Sown {
    pub own: u64,
    pub other: u64,
}

/// By holes a side, place sown from, and counters up to once around the board.
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

/// Counters that go once around the board: each hole and the own store.
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

/// What sowing `counters`, at most [`around`] the board, from byte `from` adds.
#[inline(always)]
pub fn sown(holes: usize, from: usize, counters: usize) -> Sown {
    SOWN[index(holes, from, counters)]
}

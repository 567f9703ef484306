//! Sowing tables: a move sows all of its seeds with two additions.

use crate::shared::sowing::MAX_HOLES;

/// The seeds of one full round: one for each hole but the one that they come from.
pub const ROUND: usize = 2 * MAX_HOLES - 1;

/// Seeds that sowing adds to the holes of the two sides, and the last hole.
#[derive(Clone, Copy)]
pub struct Sown {
    /// Seeds for the own holes; the top byte is the place of the last seed: 0 to 5 for an own hole, 6 to 11 for one of the
    /// other side's.
    own: u64,
    /// Seeds for the other side's holes.
    pub other: u64,
}

impl Sown {
    /// Seeds for the own holes.
    #[inline(always)]
    pub const fn own(self) -> u64 {
        self.own << 8 >> 8
    }

    /// Where the last seed falls: 0 to 5 for an own hole, 6 to 11 for one of the other side's.
    #[inline(always)]
    pub const fn last(self) -> u32 {
        (self.own >> 56) as u32
    }
}

/// By hole and number of seeds up to one full round.
static SOWN: [Sown; 128] = {
    let mut table = [Sown { own: 0, other: 0 }; 128];
    let mut from = 0;
    while from < MAX_HOLES {
        let mut seeds = 1;
        while seeds <= ROUND {
            table[index(from, seeds)] = sow(from, seeds);
            seeds += 1;
        }
        from += 1;
    }
    table
};

const fn index(from: usize, seeds: usize) -> usize {
    (from << 4 | seeds) & 127
}

const fn sow(from: usize, seeds: usize) -> Sown {
    let mut sown = Sown { own: 0, other: 0 };
    let (mut place, mut left) = (from, seeds);
    while left > 0 {
        place = (place + 1) % (2 * MAX_HOLES);
        if place < MAX_HOLES {
            sown.own += 1 << (8 * place);
        } else {
            sown.other += 1 << (8 * (place - MAX_HOLES));
        }
        left -= 1;
    }
    sown.own |= (place as u64) << 56;
    sown
}

/// The effect of sowing `seeds`, 1 to [`ROUND`], from a hole.
#[inline(always)]
pub fn sown(from: usize, seeds: usize) -> Sown {
    SOWN[index(from, seeds)]
}

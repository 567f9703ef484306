//! Positions with few counters: one byte each, numbered without a gap.

/// More counters than this have no numbers.
pub const MOST: u32 = 20;

const SUMS: usize = MOST as usize + 1;

/// The values of all positions of up to so many counters in the holes, as far as they are known.
#[derive(Debug, Clone)]
pub struct Few {
    most: u32,
    /// By the counters in three holes, five bits each: the number among those with the same sum, and the sum.
    triples: Vec<[u8; 2]>,
    /// By the sum of six holes and that of the first three: the numbers below.
    sides: [[u32; SUMS]; SUMS],
    /// By the sum of all holes and that of the mover's.
    boards: [[u32; SUMS]; SUMS],
    /// What the mover gets of the counters, and one; 0 if unknown.
    values: Vec<u8>,
}

/// Ways to put `counters` into `holes`.
const fn ways(counters: u32, holes: u32) -> u32 {
    let (mut ways, mut i) = (1u64, 1);
    while i < holes {
        ways = ways * (counters + i) as u64 / i as u64;
        i += 1;
    }
    ways as u32
}

impl Few {
    /// Nothing is known yet of those with so many counters that all fit into `bytes` bytes, or a byte if there is
    /// none.
    pub fn with_bytes(bytes: usize) -> Few {
        let count = |most: u32| ways(most, 13) as usize;
        let most = (0..=MOST).rev().find(|&most| count(most) <= bytes).unwrap_or(0);
        let mut triples = vec![[0; 2]; 1 << 15];
        let mut numbers = [0u8; SUMS];
        for (i, triple) in triples.iter_mut().enumerate() {
            let sum = (i & 31) + (i >> 5 & 31) + (i >> 10);
            if let Some(number) = numbers.get_mut(sum) {
                *triple = [*number, sum as u8];
                *number = number.wrapping_add(1);
            }
        }
        let mut sides = [[0; SUMS]; SUMS];
        let mut boards = [[0; SUMS]; SUMS];
        let mut below = 0;
        for sum in 0..SUMS {
            let mut within = 0;
            for first in 0..=sum {
                sides[sum][first] = within;
                boards[sum][first] = below;
                within += ways(first as u32, 3) * ways((sum - first) as u32, 3);
                below += ways(first as u32, 6) * ways((sum - first) as u32, 6);
            }
        }
        Few { most, triples, sides, boards, values: vec![0; count(most)] }
    }

    /// The bytes that the values take.
    pub fn bytes(&self) -> usize {
        self.values.len()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.values.fill(0);
    }

    /// The most counters of a position that has a number.
    pub fn most(&self) -> u32 {
        self.most
    }

    /// The number of a position with at most [`Few::most`] counters, a byte a hole.
    #[inline(always)]
    pub fn number(&self, own: u64, other: u64) -> usize {
        let ((own, own_sum), (other, other_sum)) = (self.side(own), self.side(other));
        let number = self.boards[own_sum + other_sum][own_sum] + own * ways_6(other_sum) + other;
        number as usize
    }

    /// The number of a side among those with the same sum, and the sum.
    #[inline(always)]
    fn side(&self, side: u64) -> (u32, usize) {
        let triple = |three: u64| {
            let at = three & 31 | three >> 3 & 0x3e0 | three >> 6 & 0x7c00;
            let [number, sum] = self.triples[at as usize];
            (u32::from(number), usize::from(sum))
        };
        let ((first, first_sum), (last, last_sum)) = (triple(side), triple(side >> 24));
        let number = self.sides[first_sum + last_sum][first_sum] + first * ways_3(last_sum) + last;
        (number, first_sum + last_sum)
    }

    /// What the mover gets, if it is known.
    #[inline(always)]
    pub fn get(&self, number: usize) -> Option<u32> {
        u32::from(self.values[number]).checked_sub(1)
    }

    /// Now it is known.
    #[inline(always)]
    pub fn set(&mut self, number: usize, value: u32) {
        self.values[number] = value as u8 + 1;
    }
}

#[inline(always)]
fn ways_3(counters: usize) -> u32 {
    const WAYS: [u32; SUMS] = table(3);
    WAYS[counters]
}

#[inline(always)]
fn ways_6(counters: usize) -> u32 {
    const WAYS: [u32; SUMS] = table(6);
    WAYS[counters]
}

const fn table(holes: u32) -> [u32; SUMS] {
    let mut all = [0; SUMS];
    let mut counters = 0;
    while counters < SUMS {
        all[counters] = ways(counters as u32, holes);
        counters += 1;
    }
    all
}

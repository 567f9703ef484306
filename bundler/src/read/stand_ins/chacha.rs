//! The block function of ChaCha (D. J. Bernstein, "ChaCha, a variant of Salsa20", 2008) in plain integers.

/// The first row of the state: "expand 32-byte k".
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// Key, block counter and nonce.
#[derive(Clone, PartialEq, Eq)]
pub struct ChaCha {
    key: [u32; 8],
    /// The counter (two words, the lower one first) and the nonce.
    position: [u32; 4],
}

/// Where the 64 words of four blocks go.
pub trait Blocks {
    /// Writes word `i`.
    fn put(&mut self, i: usize, word: u32);
}

impl Blocks for [u32; 64] {
    #[inline(always)]
    fn put(&mut self, i: usize, word: u32) {
        self[i] = word;
    }
}

impl Blocks for [u8; 256] {
    #[inline(always)]
    fn put(&mut self, i: usize, word: u32) {
        self[4 * i..4 * i + 4].copy_from_slice(&word.to_le_bytes());
    }
}

fn words<const N: usize>(bytes: &[u8]) -> [u32; N] {
    let mut words = [0; N];
    for (word, four) in words.iter_mut().zip(bytes.chunks_exact(4)) {
        *word = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
    }
    words
}

/// A quarter round on each of four blocks.
#[inline(always)]
fn quarter(x: &mut [[u32; 4]; 16], a: usize, b: usize, c: usize, d: usize) {
    for (to, by, turned, bits) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
        let addend = x[by];
        x[to].iter_mut().zip(addend).for_each(|(word, other)| *word = word.wrapping_add(other));
        let mask = x[to];
        x[turned].iter_mut().zip(mask).for_each(|(word, other)| *word = (*word ^ other).rotate_left(bits));
    }
}

impl ChaCha {
    /// From a key and a nonce of 8 or 12 bytes; the counter starts at 0.
    pub fn new(key: &[u8; 32], nonce: &[u8]) -> Self {
        let mut position = [0; 4];
        let first = 4 - nonce.len() / 4;
        position[first..].copy_from_slice(&words::<3>(nonce)[..nonce.len() / 4]);
        ChaCha { key: words(key), position }
    }

    /// Writes four blocks of `drounds` double rounds and counts on.
    pub fn refill4<B: Blocks>(&mut self, drounds: u32, out: &mut B) {
        let mut start = [[0; 4]; 16];
        for block in 0..4 {
            let words = CONSTANTS.iter().chain(&self.key).chain(&self.position);
            for (row, word) in start.iter_mut().zip(words) {
                row[block] = *word;
            }
            self.set_block_pos(self.get_block_pos().wrapping_add(1));
        }
        let mut x = start;
        for _ in 0..drounds {
            for i in 0..4 {
                quarter(&mut x, i, i + 4, i + 8, i + 12);
            }
            for i in 0..4 {
                quarter(&mut x, i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12);
            }
        }
        for block in 0..4 {
            for i in 0..16 {
                out.put(16 * block + i, x[i][block].wrapping_add(start[i][block]));
            }
        }
    }

    /// Sets the counter.
    pub fn set_block_pos(&mut self, value: u64) {
        self.position[0] = value as u32;
        self.position[1] = (value >> 32) as u32;
    }

    /// The counter.
    pub fn get_block_pos(&self) -> u64 {
        u64::from(self.position[1]) << 32 | u64::from(self.position[0])
    }

    /// Sets the nonce.
    pub fn set_nonce(&mut self, value: u64) {
        self.position[2] = value as u32;
        self.position[3] = (value >> 32) as u32;
    }

    /// The nonce.
    pub fn get_nonce(&self) -> u64 {
        u64::from(self.position[3]) << 32 | u64::from(self.position[2])
    }

    /// Sets the counter (0) or the nonce (1), as `rand_chacha` 0.2 does.
    pub fn set_stream_param(&mut self, param: u32, value: u64) {
        match param {
            0 => self.set_block_pos(value),
            _ => self.set_nonce(value),
        }
    }

    /// The counter (0) or the nonce (1).
    pub fn get_stream_param(&self, param: u32) -> u64 {
        match param {
            0 => self.get_block_pos(),
            _ => self.get_nonce(),
        }
    }

    /// The key.
    pub fn get_seed(&self) -> [u8; 32] {
        let mut seed = [0; 32];
        for (four, word) in seed.chunks_exact_mut(4).zip(&self.key) {
            four.copy_from_slice(&word.to_le_bytes());
        }
        seed
    }
}

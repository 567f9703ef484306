//! The stored form of an Othello position.

use crate::sample::Record;

/// A position's discs, from the view of the player to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Discs {
    /// Those of the player to move.
    pub own: u64,
    /// Those of the opponent.
    pub opponent: u64,
}

impl Discs {
    /// The eight images of the position under the symmetries of the board.
    pub fn images(&self) -> [Discs; 8] {
        let mut images = [*self; 8];
        for i in 1..8 {
            let of = |symmetry: fn(u64) -> u64, from: Discs| Discs {
                own: symmetry(from.own),
                opponent: symmetry(from.opponent),
            };
            images[i] = match i {
                4.. => of(transpose, images[i - 4]),
                2.. => of(u64::swap_bytes, images[i - 2]),
                _ => of(mirror, images[0]),
            };
        }
        images
    }
}

/// Turns rows round.
fn mirror(mut board: u64) -> u64 {
    board = board >> 1 & 0x5555_5555_5555_5555 | (board & 0x5555_5555_5555_5555) << 1;
    board = board >> 2 & 0x3333_3333_3333_3333 | (board & 0x3333_3333_3333_3333) << 2;
    board >> 4 & 0x0f0f_0f0f_0f0f_0f0f | (board & 0x0f0f_0f0f_0f0f_0f0f) << 4
}

/// Swaps rows and columns.
fn transpose(mut board: u64) -> u64 {
    for (shift, mask) in [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0xf0f0_f0f0)] {
        let swapped = (board ^ board >> shift) & mask;
        board ^= swapped ^ swapped << shift;
    }
    board
}

impl Record for Discs {
    const BYTES: usize = 16;

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.own.to_le_bytes());
        bytes.extend(self.opponent.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Option<Discs> {
        let (own, opponent) = bytes.split_first_chunk()?;
        let own = u64::from_le_bytes(*own);
        let opponent = u64::from_le_bytes(opponent.try_into().ok()?);
        (own & opponent == 0).then_some(Discs { own, opponent })
    }

    fn canonical(&self) -> Discs {
        self.images().into_iter().min().unwrap_or(*self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_the_eight_of_the_square() {
        // No symmetry of its own: a1 and c2 own, b1 the opponent's.
        let discs = Discs { own: 1 | 1 << 10, opponent: 2 };
        let images = discs.images();
        for (i, image) in images.iter().enumerate() {
            assert!(!images[..i].contains(image), "{image:x?} twice");
            assert_eq!(image.canonical(), discs.canonical());
            // Each image's images are the same set.
            assert!(image.images().iter().all(|again| images.contains(again)));
        }
        assert_eq!(mirror(1), 1 << 7);
        assert_eq!(transpose(1 << 1), 1 << 8);
        assert_eq!(transpose(1 << 7), 1 << 56);
    }

    #[test]
    fn bytes_are_read_as_they_are_written() {
        let discs = Discs { own: 0x1234, opponent: 0x1_0000 };
        let mut bytes = Vec::new();
        discs.write(&mut bytes);
        assert_eq!(Discs::read(&bytes), Some(discs));
        assert_eq!(Discs::read(&[0xff; 16]), None, "two discs on a cell");
        assert_eq!(Discs::read(&bytes[1..]), None);
    }
}

//! The stored form of an Othello position.

use crate::sample::Record;
use crate::subjects::symmetry::{image, SYMMETRIES};

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
    pub fn images(&self) -> [Discs; SYMMETRIES] {
        std::array::from_fn(|i| Discs { own: image(self.own, i), opponent: image(self.opponent, i) })
    }
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

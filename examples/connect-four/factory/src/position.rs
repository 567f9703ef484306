//! The stored form of a position of connect four.

use connect_four::board::CELLS;
use connect_four::net::{canonical, inputs, WORDS};

use factory::model::sparse::Views;
use factory::sample::Record;

/// A position's discs, from the view of the player to move: bit `8 * column + row`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Discs {
    /// Those of the player to move.
    pub own: u64,
    /// Those of the opponent.
    pub other: u64,
}

impl Record for Discs {
    const BYTES: usize = 16;

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.own.to_le_bytes());
        bytes.extend(self.other.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Option<Discs> {
        let (own, other) = bytes.split_first_chunk()?;
        let (own, other) = (u64::from_le_bytes(*own), u64::from_le_bytes(other.try_into().ok()?));
        (own & other == 0 && (own | other) & !CELLS == 0).then_some(Discs { own, other })
    }

    fn canonical(&self) -> Discs {
        let (own, other) = canonical(self.own, self.other);
        Discs { own, other }
    }
}

/// The bot's inputs.
#[derive(Debug, Clone, Copy)]
pub struct BotInputs;

impl Views<WORDS> for BotInputs {
    type Position = Discs;

    fn views(position: &Discs) -> [[u64; WORDS]; 2] {
        let Discs { own, other } = *position;
        [inputs(own, other), inputs(other, own)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrored_positions_are_one_and_bytes_are_read_as_written() {
        let discs = Discs { own: 1 << 5 | 1 << 16, other: 1 << 17 };
        let mirrored = Discs { own: 1 << (48 + 5) | 1 << 32, other: 1 << 33 };
        assert_eq!(discs.canonical(), mirrored.canonical());
        let mut bytes = Vec::new();
        discs.write(&mut bytes);
        assert_eq!(Discs::read(&bytes), Some(discs));
        assert_eq!(Discs::read(&[1; 16]), None, "two discs on a cell");
        assert_eq!(Discs::read(&[0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), None, "no such cell");
    }
}

//! The stored form of a position of Kalah.

use bots::mancala::net::{inputs, WORDS};
use bots::mancala::Board;

use crate::model::sparse::Views;
use crate::sample::Record;

/// The sides of the player to move and of the opponent, six holes and the store in a byte each, and whether a last counter in an
/// empty hole is captured alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sides(pub [u64; 2], pub bool);

impl Sides {
    /// The sides of a position.
    pub fn of(board: &Board) -> Sides {
        let (own, other) = board.rows();
        Sides([own, other], board.empty_capture())
    }
}

impl Record for Sides {
    const BYTES: usize = 15;

    fn write(&self, bytes: &mut Vec<u8>) {
        self.0.iter().for_each(|side| bytes.extend(&side.to_le_bytes()[..7]));
        bytes.push(u8::from(self.1));
    }

    fn read(bytes: &[u8]) -> Option<Sides> {
        let &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, rule @ 0..=1] = bytes else { return None };
        let rows = [[a, b, c, d, e, f, g, 0], [h, i, j, k, l, m, n, 0]];
        let counters: u32 = rows.as_flattened().iter().map(|&count| u32::from(count)).sum();
        (counters <= 128).then_some(Sides(rows.map(u64::from_le_bytes), rule == 1))
    }

    /// The board has no symmetry.
    fn canonical(&self) -> Sides {
        *self
    }
}

/// The bot's inputs.
#[derive(Debug, Clone, Copy)]
pub struct BotInputs;

impl Views<WORDS> for BotInputs {
    type Position = Sides;

    fn views(position: &Sides) -> [[u64; WORDS]; 2] {
        let Sides([own, other], empty_capture) = *position;
        [inputs(own, other, empty_capture), inputs(other, own, empty_capture)]
    }
}

#[cfg(test)]
mod tests {
    use coppice::{Game, Rng};

    use super::*;

    #[test]
    fn bytes_are_read_as_written() {
        let mut rng = Rng::new(1);
        let mut board = Board::new(6, 6, true);
        while let Some(hole) = board.random_move(&mut rng) {
            board.play(hole);
            let (sides, mut bytes) = (Sides::of(&board), Vec::new());
            sides.write(&mut bytes);
            assert_eq!((bytes.len(), Sides::read(&bytes)), (Sides::BYTES, Some(sides)), "{board:?}");
        }
        assert_eq!(Sides::read(&[1; 14]), None);
        assert_eq!(
            Sides::read(&[10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 1]),
            None,
            "140 counters"
        );
        assert_eq!(Sides::read(&[2; 15]), None, "no such rule");
    }
}

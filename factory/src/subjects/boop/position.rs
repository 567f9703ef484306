//! The stored form of a position of boop.

use bots::boop::net::{inputs, WORDS};
use bots::boop::side::{GRID, PIECES};
use bots::boop::{Board, Side};

use crate::model::sparse::Views;
use crate::sample::Record;
use crate::subjects::symmetry::image;

/// A position's pieces: those of the player to move, and those of the opponent. A side is its small and its large pieces on the
/// board, and the number of large ones that it owns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pieces(pub [(u64, u64, u8); 2]);

impl Pieces {
    /// The pieces of a position, turned by a symmetry of the board.
    pub fn of(board: &Board, symmetry: usize) -> Pieces {
        let of =
            |side: &Side| (image(side.small, symmetry), image(side.large, symmetry), side.promoted as u8);
        Pieces([of(board.own()), of(board.other())])
    }

    fn sides(&self) -> [Side; 2] {
        self.0.map(|(small, large, promoted)| Side { small, large, promoted: promoted.into() })
    }
}

impl Record for Pieces {
    const BYTES: usize = 34;

    fn write(&self, bytes: &mut Vec<u8>) {
        for (small, large, promoted) in self.0 {
            bytes.extend(small.to_le_bytes());
            bytes.extend(large.to_le_bytes());
            bytes.push(promoted);
        }
    }

    fn read(bytes: &[u8]) -> Option<Pieces> {
        let (first, second) = bytes.split_at_checked(17)?;
        let side = |bytes: &[u8]| {
            let (small, rest) = bytes.split_first_chunk()?;
            let (large, rest) = rest.split_first_chunk()?;
            let &[promoted] = rest else { return None };
            let (small, large) = (u64::from_le_bytes(*small), u64::from_le_bytes(*large));
            let owned = u32::from(promoted);
            let fits = owned <= PIECES
                && large.count_ones() <= owned
                && small.count_ones() <= PIECES - owned
                && small & large == 0
                && (small | large) & !GRID == 0;
            fits.then_some((small, large, promoted))
        };
        let pieces = Pieces([side(first)?, side(second)?]);
        let [own, other] = pieces.sides();
        (own.all() & other.all() == 0).then_some(pieces)
    }

    /// Positions are turned at random when they are stored, and learnt as they are.
    fn canonical(&self) -> Pieces {
        *self
    }
}

/// The bot's inputs.
#[derive(Debug, Clone, Copy)]
pub struct BotInputs;

impl Views<WORDS> for BotInputs {
    type Position = Pieces;

    fn views(position: &Pieces) -> [[u64; WORDS]; 2] {
        let [own, other] = position.sides();
        [inputs(&own, &other), inputs(&other, &own)]
    }
}

#[cfg(test)]
mod tests {
    use coppice::{Game, Rng};

    use super::*;
    use crate::subjects::symmetry::SYMMETRIES;

    #[test]
    fn bytes_are_read_as_written_and_turned_positions_have_the_same_numbers() {
        let mut rng = Rng::new(1);
        let mut board = Board::START;
        while let Some(turn) = board.random_move(&mut rng) {
            board.play(turn);
            for symmetry in 0..SYMMETRIES {
                let pieces = Pieces::of(&board, symmetry);
                let mut bytes = Vec::new();
                pieces.write(&mut bytes);
                assert_eq!(Pieces::read(&bytes), Some(pieces), "{board:?}");
                let ones = |pieces: &Pieces| {
                    BotInputs::views(pieces)[0].iter().map(|word| word.count_ones()).sum::<u32>()
                };
                assert_eq!(ones(&pieces), ones(&Pieces::of(&board, 0)));
            }
        }
        assert_eq!(Pieces::read(&[1; 34]), None, "no such cell");
        assert_eq!(Pieces::read(&[0; 33]), None);
    }
}

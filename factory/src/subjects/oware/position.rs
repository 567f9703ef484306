//! The stored form of a position of Oware.

use bots::oware::net::{inputs, WORDS};
use bots::oware::Board;

use crate::model::sparse::Views;
use crate::sample::Record;

/// All seeds of a game.
const SEEDS: u32 = 48;

/// The holes, a byte each, and the captured seeds of the player to move, and those of the opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sides(pub [(u64, u8); 2]);

impl Sides {
    /// The holes and captured seeds of a position.
    pub fn of(board: &Board) -> Sides {
        let ((own, other), (mine, theirs)) = (board.sides(), board.stores());
        Sides([(own, mine as u8), (other, theirs as u8)])
    }
}

impl Record for Sides {
    const BYTES: usize = 14;

    fn write(&self, bytes: &mut Vec<u8>) {
        for (holes, captured) in self.0 {
            bytes.extend(&holes.to_le_bytes()[..6]);
            bytes.push(captured);
        }
    }

    fn read(bytes: &[u8]) -> Option<Sides> {
        let (first, second) = bytes.split_at_checked(7)?;
        let side = |bytes: &[u8]| {
            let (&[a, b, c, d, e, f], &[captured]) = bytes.split_first_chunk()? else { return None };
            Some((u64::from_le_bytes([a, b, c, d, e, f, 0, 0]), captured))
        };
        let sides = [side(first)?, side(second)?];
        let seeds = sides.iter().map(|&(holes, captured)| {
            let held: u32 = holes.to_le_bytes().into_iter().map(u32::from).sum();
            held + u32::from(captured)
        });
        (seeds.sum::<u32>() == SEEDS).then_some(Sides(sides))
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
        let [own, other] = position.0.map(|(holes, captured)| (holes, u32::from(captured)));
        [inputs(own, other), inputs(other, own)]
    }
}

#[cfg(test)]
mod tests {
    use bots::oware::GrandSlam;
    use coppice::{Game, Rng};

    use super::*;

    #[test]
    fn bytes_are_read_as_written() {
        let mut rng = Rng::new(1);
        let mut board = Board::new(GrandSlam::CapturesNothing);
        while let Some(hole) = board.random_move(&mut rng) {
            board.play(hole);
            let (sides, mut bytes) = (Sides::of(&board), Vec::new());
            sides.write(&mut bytes);
            assert_eq!((bytes.len(), Sides::read(&bytes)), (Sides::BYTES, Some(sides)), "{board:?}");
        }
        assert_eq!(Sides::read(&[5; 14]), None, "70 seeds");
        assert_eq!(Sides::read(&[0; 13]), None);
    }
}

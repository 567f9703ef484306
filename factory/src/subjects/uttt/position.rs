//! The stored form of a position of ultimate tic-tac-toe.

use bots::uttt::pattern::code::{codes, image, CODES, SYMMETRIES};
use bots::uttt::Board;
use coppice::Game;

use crate::sample::Record;

/// A position as the bot's evaluation reads it, from the view of the player to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Boards {
    /// The codes of the nine small boards.
    pub codes: [u16; 9],
    /// The board to play in, 9 for any.
    pub next: u8,
}

impl Boards {
    /// The position's form.
    pub fn new(board: &Board) -> Boards {
        Boards { codes: codes(board, board.to_move()), next: board.next().map_or(9, |next| next as u8) }
    }

    /// The image under a symmetry.
    pub fn turned(&self, symmetry: &[u8; 9]) -> Boards {
        let mut turned = Boards { codes: [0; 9], next: 9 };
        for (&place, &code) in symmetry.iter().zip(&self.codes) {
            turned.codes[usize::from(place)] = image(code, symmetry);
        }
        if let Some(&next) = symmetry.get(usize::from(self.next)) {
            turned.next = next;
        }
        turned
    }
}

impl Record for Boards {
    const BYTES: usize = 19;

    fn write(&self, bytes: &mut Vec<u8>) {
        self.codes.iter().for_each(|code| bytes.extend(code.to_le_bytes()));
        bytes.push(self.next);
    }

    fn read(bytes: &[u8]) -> Option<Boards> {
        let (codes, next) = bytes.split_at_checked(18)?;
        let code = |b: usize| u16::from_le_bytes([codes[2 * b], codes[2 * b + 1]]);
        let (codes, [next]) = (std::array::from_fn(code), *next.first_chunk()?);
        let right = codes.iter().all(|&code| usize::from(code) < CODES) && next < 10;
        right.then_some(Boards { codes, next })
    }

    fn canonical(&self) -> Boards {
        SYMMETRIES.iter().map(|symmetry| self.turned(symmetry)).min().unwrap_or(*self)
    }
}

#[cfg(test)]
mod tests {
    use coppice::Rng;

    use super::*;

    #[test]
    fn images_of_a_position_have_one_canonical_form_and_bytes_are_read_as_written() {
        let mut rng = Rng::new(3);
        let mut board = Board::START;
        while let Some(cell) = board.random_move(&mut rng) {
            board.play(cell);
            let boards = Boards::new(&board);
            for symmetry in &SYMMETRIES {
                assert_eq!(boards.turned(symmetry).canonical(), boards.canonical(), "{board}");
            }
            let mut bytes = Vec::new();
            boards.write(&mut bytes);
            assert_eq!(bytes.len(), Boards::BYTES);
            assert_eq!(Boards::read(&bytes), Some(boards));
            assert_eq!(Boards::read(&bytes[1..]), None);
        }
        assert_eq!(Boards::read(&[0xff; 19]), None, "no such code");
    }
}

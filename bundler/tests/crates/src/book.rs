//! A few openings, one line each.

use crate::board::{BadMove, Board, Move};
use crate::dice::Dice;
use arrayvec::{ArrayString, ArrayVec};
use fxhash::FxHashMap;
use std::fmt::Write;

const LINES: [&str; 6] = [
    "a2a3 h7h6 b2b3 g7g6 c1b2",
    "d2d3 e7e6 e2e3 d7d6 e1e2",
    "c2c3 c7c6 f2f3 f7f6",
    "h2h3 a7a6 g2g3 b7b6 f1g2 c8b7",
    "b2c3 g7f6 g2f3 b7c6",
    "e2d3 d7e6 a2b3 h7g6 b1a2",
];

/// The moves of the book in each of its positions.
pub struct Book {
    replies: FxHashMap<Board, ArrayVec<Move, 6>>,
}

impl Book {
    /// Plays all lines through; an illegal line is a bug.
    pub fn read() -> Result<Book, BadMove> {
        let mut book = Book { replies: FxHashMap::default() };
        for line in LINES {
            let mut board = Board::default();
            for word in line.split_whitespace() {
                let m = board.spoken(word.parse()?);
                let replies = book.replies.entry(board).or_default();
                if !replies.contains(&m) && !replies.is_full() {
                    replies.push(m);
                }
                let mut text = ArrayString::<8>::new();
                // Four characters fit.
                let _ = write!(text, "{m}");
                board = board.try_play(&text)?;
            }
        }
        Ok(book)
    }

    /// One of the book's moves, if it has the position.
    pub fn reply(&self, board: &Board, dice: &mut impl Dice) -> Option<Move> {
        let mut replies = self.replies.get(board)?.clone();
        replies.sort();
        dice.mix(&mut replies);
        replies.first().copied()
    }

    /// The number of positions in the book.
    pub fn len(&self) -> usize {
        self.replies.len()
    }
}

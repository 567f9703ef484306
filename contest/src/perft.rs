//! Perft: counts of move sequences, for checking rules against other implementations.

use coppice::Ended;

use crate::kind::Kind;
use crate::notation::{self, Notation};
use crate::referee::Referee;

/// Counts the move sequences of a contest's rules.
pub trait Perft {
    /// The number of move sequences of `depth` plies from the start. Passes and games that end earlier are
    /// counted by the contest's convention.
    fn count(&self, depth: u32) -> u64;

    /// [`Perft::count`] per first move, in the order of move generation.
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;
}

/// The counts of a game from a position. A ply is a turn; each outcome of chance before and between turns counts.
#[derive(Debug, Clone, Copy)]
pub struct GamePerft<G> {
    /// The position.
    pub start: G,
    /// Whether games that end earlier are counted.
    pub ended: Ended,
}

impl<G: Notation> Perft for GamePerft<G> {
    fn count(&self, depth: u32) -> u64 {
        G::Kind::count(&self.start, depth, self.ended)
    }

    /// Where chance decides first, turns after different outcomes that are written alike are counted together.
    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let mut counts: Vec<(String, u64)> = Vec::new();
        let below = depth.saturating_sub(1);
        G::Kind::count_after_each(&self.start, below, self.ended, &mut |game, turn, leaves| {
            let word = notation::write_turn(game, turn);
            match counts.iter_mut().find(|(known, _)| *known == word) {
                Some((_, sum)) => *sum += leaves,
                None => counts.push((word, leaves)),
            }
        });
        counts
    }
}

/// The counts of a contest by its referee alone: every position is reached by playing its moves again from the start.
pub(crate) struct RefereePerft<F>(F);

impl<F: Fn() -> Box<dyn Referee>> RefereePerft<F> {
    /// `new_game` returns the start.
    pub(crate) fn new(new_game: F) -> Self {
        Self(new_game)
    }

    /// Whether one seat moves first. Simultaneous moves aren't a sequence.
    pub(crate) fn asks_one(&self) -> bool {
        (self.0)().asked().len() == 1
    }

    fn legal(&self, line: &[String]) -> Vec<String> {
        let mut game = (self.0)();
        // A referee may follow a move by forced ones.
        if line.iter().any(|text| game.open(text).is_err()) {
            return Vec::new();
        }
        let asked = game.asked();
        asked.first().map_or_else(Vec::new, |&seat| game.legal_moves(seat))
    }

    fn below(&self, line: &mut Vec<String>, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let legal = self.legal(line);
        if depth == 1 {
            return legal.len() as u64;
        }
        let mut count = |text: String| {
            line.push(text);
            let below = self.below(line, depth - 1);
            line.pop();
            below
        };
        legal.into_iter().map(&mut count).sum()
    }
}

impl<F: Fn() -> Box<dyn Referee>> Perft for RefereePerft<F> {
    fn count(&self, depth: u32) -> u64 {
        self.below(&mut Vec::new(), depth)
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let count = |text: String| {
            let leaves = self.below(&mut vec![text.clone()], depth.saturating_sub(1));
            (text, leaves)
        };
        self.legal(&[]).into_iter().map(count).collect()
    }
}

//! The contest and its variants, and the notation of moves.

use contest::drawing::Drawing;
use contest::notation::Notation;
use contest::turns::{TurnContest, Variants};
use contest::Contest;
use coppice::{Game, Player};

use super::board::{Board, Move};
use super::drawing;
use super::field::Direction;

/// The words of a variant.
pub const WORDS: &str = "PLAYERS(2|3|4)";

/// Tron for two; the variants are for three and four.
pub static TRON: TurnContest<Board<2>> =
    TurnContest::new().with_variants(Variants { words: WORDS, of_words: variant, of_lines: recorded });

fn variant(words: &str) -> Result<Box<dyn Contest>, String> {
    match read_players(words)? {
        2 => Ok(Box::new(TurnContest::<Board<2>>::new())),
        3 => Ok(Box::new(TurnContest::<Board<3>>::new())),
        _ => Ok(Box::new(TurnContest::<Board<4>>::new())),
    }
}

fn recorded(lines: &[&str]) -> Option<Box<dyn Contest>> {
    variant(players_in(lines)?).ok()
}

/// The number of players that a variant's words give, 2 to 4.
///
/// # Errors
/// If it is none.
pub fn read_players(words: &str) -> Result<usize, String> {
    let players = words.parse().ok().filter(|players| (2..=4).contains(players));
    players.ok_or_else(|| format!("expected 2, 3 or 4 players, found \"{words}\""))
}

/// The number of players in the first line sent to a seat.
pub fn players_in<'a>(lines: &[&'a str]) -> Option<&'a str> {
    lines.first()?.split_ascii_whitespace().next()
}

impl<const N: usize> Notation for Board<N> {
    fn name(&self, m: Move) -> String {
        match m {
            Move::Go(direction) => direction.word().to_owned(),
            Move::Out => "OUT".to_owned(),
            Move::Start(cell) => format!("{},{}", cell.x(), cell.y()),
        }
    }

    /// [`Move::Out`] where there is a free cell, and before the first move the starts.
    fn unlisted(&self) -> Vec<Move> {
        if self.is_over() {
            return Vec::new();
        }
        let is_boxed_in = !Direction::ALL.into_iter().any(|direction| self.is_free(direction));
        let mut moves = if is_boxed_in { Vec::new() } else { vec![Move::Out] };
        if self.plies() == 0 {
            moves.extend(self.free().cells().map(Move::Start));
        }
        moves
    }

    fn draw(&self, last: Option<Move>) -> Drawing {
        drawing::draw(self, last)
    }

    /// The number of players that this one outlasted.
    fn points(&self, player: Player) -> i64 {
        i64::from(self.outlasted(player))
    }
}

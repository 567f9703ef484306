//! The contest and its variants, and the notation of moves.

use contest::drawing::Drawing;
use contest::lines::{LineContest, Variants};
use contest::notation::Notation;
use contest::quantity::Quantity;
use contest::sheet::Layout;
use contest::{Contest, Opened, Sequential, Unreadable};
use coppice::{Game, Player};

use super::drawing;
use crate::tron::area::Areas;
use crate::tron::board::{Board, Move};
use crate::tron::field::{Cell, Direction, HEIGHT, WIDTH};

/// The words of a variant.
pub const WORDS: &str = "PLAYERS(2|3|4)";

/// Tron for two; the variants are for three and four.
pub static TRON: LineContest<Board<2>> =
    LineContest::new().with_variants(Variants { words: WORDS, of_words: variant, of_lines: recorded });

fn variant(words: &str) -> Result<Box<dyn Contest>, Unreadable> {
    match read_players(words)? {
        2 => Ok(Box::new(LineContest::<Board<2>>::new().with_variants(among::<2>()))),
        3 => Ok(Box::new(LineContest::<Board<3>>::new().with_variants(among::<3>()))),
        _ => Ok(Box::new(LineContest::<Board<4>>::new().with_variants(among::<4>()))),
    }
}

fn recorded(lines: &[&str]) -> Option<Box<dyn Contest>> {
    recorded_in(lines, variant)
}

/// The variants as the one for `N` players has them: recorded games of `N` are its own, with their starts.
const fn among<const N: usize>() -> Variants {
    Variants {
        words: WORDS,
        of_words: variant,
        of_lines: |lines| recorded(lines).filter(|found| found.seats() == N),
    }
}

/// The contest of a game that begins with these lines to seat 0: `variant` of their number of players, and with their
/// starts, if those aren't the usual ones.
pub fn recorded_in(
    lines: &[&str],
    variant: fn(&str) -> Result<Box<dyn Contest>, Unreadable>,
) -> Option<Box<dyn Contest>> {
    let (head, lines) = lines.split_first()?;
    let words = head.split_ascii_whitespace().next()?;
    match read_players(words).ok()? {
        2 => with_starts::<2>(lines, variant(words).ok()?),
        3 => with_starts::<3>(lines, variant(words).ok()?),
        _ => with_starts::<4>(lines, variant(words).ok()?),
    }
}

/// The contest with the starts in the lines of the players; without them if a player is out already, whose start isn't
/// shown.
fn with_starts<const N: usize>(lines: &[&str], contest: Box<dyn Contest>) -> Option<Box<dyn Contest>> {
    let numbers = |line: &&str| -> Option<[i32; 4]> {
        let numbers: Option<Vec<i32>> = line.split_ascii_whitespace().map(|word| word.parse().ok()).collect();
        numbers?.try_into().ok()
    };
    let shown = lines.iter().map(numbers).collect::<Option<Vec<_>>>().filter(|shown| shown.len() == N)?;
    // Who has moved before seat 0 has had its first turn after the last start that was drawn.
    let drawn = shown.iter().rposition(|[x0, y0, x1, y1]| (x0, y0) == (x1, y1)).map_or(N, |last| last + 1);
    let starts = || shown[..drawn].iter().map(|[x, y, ..]| (*x, *y));
    let usual = Board::<N>::start();
    let is_usual =
        starts().zip(usual.players()).all(|((x, y), player)| Cell::at(x, y) == Some(usual.start_of(player)));
    if is_usual || shown.contains(&[-1; 4]) {
        return Some(contest);
    }
    let opening = starts().map(|(x, y)| format!("{x},{y}")).collect();
    Some(Box::new(Opened::new(contest, opening).ok()?))
}

/// The number of players that a variant's words give, 2 to 4.
///
/// # Errors
/// If the words aren't such a number.
pub fn read_players(words: &str) -> Result<usize, Unreadable> {
    let players = words.parse().ok().filter(|players| (2..=4).contains(players));
    players.ok_or_else(|| format!("expected 2, 3 or 4 players, found \"{words}\"").into())
}

impl<const N: usize> Notation for Board<N> {
    type Kind = Sequential;

    fn name(&self, _: Player, m: Move) -> String {
        match m {
            Move::Go(direction) => direction.word().to_owned(),
            Move::Out => "OUT".to_owned(),
            Move::Start(cell) => format!("{},{}", cell.x(), cell.y()),
        }
    }

    /// [`Move::Out`] where there is a free cell, and before the first move the starts.
    fn unlisted(&self, _: Player) -> Vec<Move> {
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

    fn quantities(&self) -> Vec<Quantity> {
        let areas = Areas::new(self);
        let cells = |player: Player| if self.is_in(player) { areas.of[player.index()].count() } else { 0 };
        vec![Quantity::new("cells reached first", self.players().map(cells))]
    }

    fn layout(&self) -> Layout {
        let numbers = |count: u32| (0..count as usize).collect::<Vec<_>>();
        Layout::board(&numbers(HEIGHT), &numbers(WIDTH))
    }

    /// The number of players that this one outlasted.
    fn points(&self, player: Player) -> i64 {
        i64::from(self.outlasted(player))
    }
}

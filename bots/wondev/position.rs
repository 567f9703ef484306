//! A position: the board, and what each player knows of it.

use std::fmt;

use coppice::{Game, Hidden, Payoff, Player, Rng};

use super::action::Action;
use super::belief::{with_guess, Belief, Guess};
use super::board::{Actions, Board};
use super::cells::{bit, cell, NOWHERE};
use super::map;

/// The board and both players' beliefs. A player's own is up to date when it is to move.
#[derive(Debug, Clone, PartialEq)]
pub struct Position {
    /// The board.
    pub board: Board,
    beliefs: [Belief; 2],
}

/// The view of the player to move.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// The board with the other's units only where they are seen.
    pub seen: Board,
    /// Where the other's units may be.
    pub belief: Belief,
}

impl Position {
    /// A start.
    pub fn new(board: Board) -> Position {
        let mut position = Position { board, beliefs: [Belief::new(), Belief::new()] };
        position.observe();
        position
    }

    /// The most probable position for the player to move, who knows `view`; the other's belief is empty.
    pub fn likeliest(view: &View) -> Position {
        let me = view.seen.to_move();
        let board = view.belief.best().map_or(view.seen, |guess| guessed(&view.seen, me, guess));
        let mut position = Position { board, beliefs: [Belief::new(), Belief::new()] };
        position.beliefs[me.index()] = view.belief.clone();
        position
    }

    /// The belief of the player to move.
    pub fn belief(&self) -> &Belief {
        &self.beliefs[self.board.to_move().index()]
    }

    /// The board as the player to move sees it.
    pub fn seen(&self) -> Board {
        self.board.seen_by(self.board.to_move())
    }

    fn observe(&mut self) {
        if self.board.league.has_fog() && !self.board.is_over() {
            let seen = self.seen();
            self.beliefs[self.board.to_move().index()].observe(&seen);
        }
    }
}

impl Game for Position {
    type Move = Action;
    type Moves = Actions;

    fn to_move(&self) -> Player {
        self.board.to_move()
    }

    fn moves(&self, list: &mut Actions) {
        self.board.moves(list);
    }

    fn play(&mut self, action: Action) {
        let seen = self.seen();
        self.beliefs[self.board.to_move().index()].act(&seen, action);
        self.board.play(action);
        self.observe();
    }

    fn payoff(&self, player: Player) -> Payoff {
        self.board.payoff(player)
    }

    /// The board's: beliefs don't change what is possible.
    fn hash(&self) -> u64 {
        self.board.hash()
    }

    fn move_index(action: Action) -> u16 {
        Board::move_index(action)
    }

    fn is_over(&self) -> bool {
        self.board.is_over()
    }
}

impl Hidden for Position {
    type View = View;

    /// The player's view at its last turn; at its turn, the present one.
    fn view(&self, player: Player) -> View {
        View { seen: self.board.seen_by(player), belief: self.beliefs[player.index()].clone() }
    }

    /// Draws a place of the other's units by its weight. The other is taken to know everything.
    fn sample(view: &View, player: Player, rng: &mut Rng) -> Option<Position> {
        let guess = match view.seen.league.has_fog() {
            true => draw(view.belief.guesses(), rng)?,
            false => Guess::new(view.seen.units[player.other().index()]),
        };
        let mut position =
            Position { board: guessed(&view.seen, player, &guess), beliefs: [Belief::new(), Belief::new()] };
        position.beliefs[player.index()] = view.belief.clone();
        Some(position)
    }
}

/// The board as it is if a guess is right.
pub fn guessed(seen: &Board, player: Player, guess: &Guess) -> Board {
    let mut board = with_guess(seen, player, guess);
    board.points[player.other().index()] = guess.points;
    board
}

/// A guess, with a probability that is its weight.
pub fn draw(guesses: &[Guess], rng: &mut Rng) -> Option<Guess> {
    let mut ticket = rng.below(1 << 24) as f32 / (1 << 24) as f32;
    for guess in guesses {
        ticket -= guess.weight;
        if ticket < 0.0 {
            return Some(*guess);
        }
    }
    guesses.last().copied()
}

impl Position {
    /// The drawing of what a player sees: units in sight, its own points.
    pub fn shown_to(&self, player: Player) -> String {
        use fmt::Write;

        let mut text = String::new();
        let seen = self.board.seen_by(player);
        // Writing to a string can't fail.
        let _ = write_rows(&seen, &mut text);
        let _ = write!(text, "your points {}; you are ", seen.points[player.index()]);
        text + ["ab", "AB"][player.index()]
    }
}

/// Writes rows of heights, with a unit behind the height of its cell.
fn write_rows(board: &Board, f: &mut impl fmt::Write) -> fmt::Result {
    let Board { cells, units, .. } = board;
    let size = map::size(*cells);
    for y in 0..size {
        for x in 0..size {
            let at = cell(x, y);
            let unit = units.iter().flatten().position(|&unit| unit == at && unit != NOWHERE);
            let letter = unit.map_or(' ', |unit| [b'a', b'b', b'A', b'B'][unit] as char);
            match bit(at) & cells {
                0 => write!(f, " . ")?,
                _ => write!(f, " {}{letter}", board.height(at))?,
            }
        }
        writeln!(f)?;
    }
    Ok(())
}

impl fmt::Display for Position {
    /// Rows of heights, with a unit behind the height of its cell: `a` and `b` of player 0, `A` and `B` of player 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_rows(&self.board, f)?;
        let points = self.board.points;
        write!(f, "points {} (ab), {} (AB); ", points[0], points[1])?;
        match self.board.is_over() {
            true => write!(f, "over"),
            false => write!(f, "player {} to move", self.board.to_move().index()),
        }
    }
}

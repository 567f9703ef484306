//! The rules. Here of dots and boxes: put your game in its place.
//!
//! The players draw lines between neighbouring dots in turn. A box belongs to the player who draws its fourth line and who
//! then moves again. When all lines are drawn, the most boxes win.

use std::fmt;

use coppice::rng::mix;
use coppice::{Game, List, Payoff, Player};

/// The number of players.
pub const PLAYERS: usize = 2;

/// The width and the height of the drawing. Dots, lines and boxes alternate in it.
pub const SIZE: u8 = 7;

/// The places of the lines: the odd ones. The place of a row and a column of the drawing is `SIZE * row + column`.
const LINES: u64 = 0xaaaa_aaaa_aaaa;

/// The places of the boxes: odd rows and odd columns.
const BOXES: u64 = 0x15 << 8 | 0x15 << 22 | 0x15 << 36;

/// A position: small, and cheap to copy.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The lines that are drawn, a bit a place.
    pub lines: u64,
    /// Each player's boxes, a bit a place.
    pub boxes: [u64; PLAYERS],
    /// The player to move.
    pub mover: Player,
}

impl State {
    /// The position in which games begin.
    pub const START: State = State { lines: 0, boxes: [0; PLAYERS], mover: Player::FIRST };

    /// How many boxes a player has more than the best of the others.
    pub fn lead(&self, player: Player) -> i32 {
        let count = |boxes: &u64| boxes.count_ones() as i32;
        let others = self.boxes.iter().enumerate().filter(|(other, _)| *other != player.index());
        count(&self.boxes[player.index()]) - others.map(|(_, boxes)| count(boxes)).max().unwrap_or(0)
    }

    /// The number of boxes with three lines.
    pub fn ready(&self) -> u32 {
        let [above, below, left, right] = self.sides();
        (BOXES & (above & below & (left ^ right) | left & right & (above ^ below))).count_ones()
    }

    /// For each side of a box: the places that have a line there.
    fn sides(&self) -> [u64; 4] {
        [self.lines << SIZE, self.lines >> SIZE, self.lines << 1, self.lines >> 1]
    }

    /// What the drawing has in a place: a dot, a line, the owner of a box, or `.` for a line or a box that nobody has.
    pub fn mark(&self, place: u8) -> char {
        let owner = (0..).zip(self.boxes).find(|(_, boxes)| boxes >> place & 1 == 1);
        match (place / SIZE % 2, place % SIZE % 2) {
            (0, 0) => '+',
            (1, 1) => owner.map_or('.', |(player, _)| char::from(b'0' + player)),
            _ if self.lines >> place & 1 == 0 => '.',
            (0, _) => '-',
            _ => '|',
        }
    }
}

impl Game for State {
    type Move = u8; // the place of a line; any type that is `Copy`, `Eq`, `Debug` and `Default`
    type Moves = List<u8, 24>; // the most moves that a position can have
    const PLAYERS: usize = PLAYERS;

    fn to_move(&self) -> Player {
        self.mover
    }

    /// An empty list ends the game.
    fn moves(&self, list: &mut List<u8, 24>) {
        let open = LINES & !self.lines;
        (0..SIZE * SIZE).filter(|place| open >> place & 1 == 1).for_each(|place| list.push(place));
    }

    fn play(&mut self, place: u8) {
        self.lines |= 1 << place;
        let closed = self.sides().into_iter().fold(BOXES, |boxes, side| boxes & side);
        let new = self.boxes.iter().fold(closed, |new, owned| new & !owned);
        if new == 0 {
            self.mover = Player::new(((self.mover.index() + 1) % PLAYERS) as u8);
        } else {
            self.boxes[self.mover.index()] |= new;
        }
    }

    /// The result of a finished game: above 0 for a win, 0 for a draw, below 0 for a loss.
    fn payoff(&self, player: Player) -> Payoff {
        Payoff(self.lead(player))
    }

    /// A hash of all that decides the rest of the game.
    fn hash(&self) -> u64 {
        let start = mix(self.lines | (self.mover.index() as u64) << 56);
        self.boxes.iter().fold(start, |hash, boxes| mix(hash ^ boxes))
    }

    /// A number that no other move of a position has.
    fn move_index(place: u8) -> u16 {
        place.into()
    }
}

/// The drawing for consoles.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for place in 0..SIZE * SIZE {
            let row_ends = place % SIZE == SIZE - 1 && place + 1 < SIZE * SIZE;
            write!(f, "{}{}", self.mark(place), if row_ends { "\n" } else { "" })?;
        }
        Ok(())
    }
}

//! The rules of the orchard: two pickers walk over a field of eight times eight cells, both at the same time. Who is alone
//! in a cell takes its apple; two who meet take none. After twenty turns the most apples win.

use std::fmt;

use coppice::joint::players;
use coppice::rng::mix;
use coppice::{Choices, Joint, List, Payoff, Player};

/// The width and the height of the field.
pub const SIZE: u8 = 8;
/// The number of turns.
pub const TURNS: u8 = 20;

/// A picker's move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Step {
    /// Stays where it is.
    #[default]
    Wait,
    /// To the row above.
    Up,
    /// To the row below.
    Down,
    /// To the column before.
    Left,
    /// To the column behind.
    Right,
}

impl Step {
    /// All, in the order in which they are listed.
    pub const ALL: [Step; 5] = [Step::Wait, Step::Up, Step::Down, Step::Left, Step::Right];

    /// The cell that a step leads to; `None` if it leaves the field.
    pub fn from(self, cell: u8) -> Option<u8> {
        let (row, column) = (cell / SIZE, cell % SIZE);
        let (row, column) = match self {
            Step::Wait => (row, column),
            Step::Up => (row.checked_sub(1)?, column),
            Step::Down => (row + 1, column),
            Step::Left => (row, column.checked_sub(1)?),
            Step::Right => (row, column + 1),
        };
        (row < SIZE && column < SIZE).then_some(SIZE * row + column)
    }
}

/// A position.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The apples: bit `SIZE * row + column`.
    pub apples: u64,
    /// The cell of each player.
    pub cells: [u8; 2],
    /// The apples that each player has.
    pub picked: [u8; 2],
    /// The number of turns that follow.
    pub turns: u8,
}

impl State {
    /// The field of a seed, with about eight apples.
    pub fn new(seed: u64) -> State {
        let apples = mix(seed) & mix(seed ^ 1 << 62) & mix(seed ^ 1 << 63) & !(1 | 1 << 63);
        State { apples, cells: [0, 63], picked: [0; 2], turns: TURNS }
    }
}

impl Joint for State {
    type Move = Step;
    type Moves = List<Step, 5>;
    type Outcome = (); // no chance
    const MAX_POINTS: i32 = 64;

    fn moves(&self, player: Player, list: &mut List<Step, 5>) {
        let cell = self.cells[player.index()];
        let possible = Step::ALL.into_iter().filter(|step| self.turns > 0 && step.from(cell).is_some());
        possible.for_each(|step| list.push(step));
    }

    fn play(&mut self, choices: &Choices<Step>) {
        self.turns -= 1;
        for player in players::<State>() {
            let cell = &mut self.cells[player.index()];
            *cell = choices.of(player).and_then(|step| step.from(*cell)).unwrap_or(*cell);
        }
        if self.cells[0] != self.cells[1] {
            for (picked, cell) in self.picked.iter_mut().zip(self.cells) {
                *picked += (self.apples >> cell & 1) as u8;
                self.apples &= !(1 << cell);
            }
        }
    }

    fn payoff(&self, player: Player) -> Payoff {
        let [own, other] = [player, player.other()].map(|player| i32::from(self.picked[player.index()]));
        Payoff(own - other)
    }

    fn hash(&self) -> u64 {
        let [a, b] = self.cells.map(u64::from);
        let [own, other] = self.picked.map(u64::from);
        mix(mix(self.apples) ^ a ^ b << 8 ^ own << 16 ^ other << 24 ^ u64::from(self.turns) << 32)
    }
}

/// The drawing for consoles.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} turns, {} and {} apples", self.turns, self.picked[0], self.picked[1])?;
        for cell in 0..SIZE * SIZE {
            let mark = match self.cells.map(|own| own == cell) {
                [true, true] => 'X',
                [true, false] => 'A',
                [false, true] => 'B',
                _ if self.apples >> cell & 1 == 1 => 'o',
                _ => '.',
            };
            write!(f, "{}{mark}", if cell % SIZE == 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

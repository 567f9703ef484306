//! Rules: the state of a game, the legal actions, what they do, and how a day passes.

#[cfg(test)]
mod tests;

use std::fmt;

use arrayvec::ArrayVec;
use coppice::rng::mix;
use coppice::{Choices, Joint, Payoff, Player};

use super::cell::{cells, ray, ring, Cell, Cells, BOARD, DIRECTIONS};

/// The number of days.
pub const DAYS: u8 = 24;
/// Nutrients at the start.
pub const NUTRIENTS: u8 = 20;
/// Sun that it takes to complete a tree.
pub const COMPLETION: u16 = 4;
/// Sun that it takes to plant a seed, or to grow a tree to size 1, 2 and 3, without what each own tree of that size adds.
pub const COSTS: [u16; SIZES] = [0, 1, 3, 7];
/// The number of sizes: seeds are 0, the largest trees 3.
pub const SIZES: usize = 4;
/// Sun that is worth a point at the end.
pub const SUN_PER_POINT: u16 = 3;
/// Points for a tree on a cell of each richness, besides the nutrients.
pub(super) const BONUS: [u16; 4] = [0, 0, 2, 4];

/// The most actions of a player: with t trees there are at most t (37 - t) seeds to plant, t other actions and `WAIT`.
pub const MAX_ACTIONS: usize = 19 * 19 + 1;

/// The legal actions of a player.
pub type Actions = ArrayVec<Action, MAX_ACTIONS>;

/// A player's action in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Action {
    /// Sleep until the next day.
    #[default]
    Wait,
    /// Let the first tree plant a seed on the second cell.
    Seed(Cell, Cell),
    /// Let a tree grow by one size.
    Grow(Cell),
    /// Complete the life of a tree of size 3: it is removed, and pays points.
    Complete(Cell),
}

/// A state at the beginning of a turn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board {
    /// Trees by size.
    pub(super) trees: [Cells; SIZES],
    pub(super) owned: [Cells; 2],
    /// Trees that have acted today, and seeds planted today.
    pub(super) dormant: Cells,
    /// Cells without soil.
    holes: Cells,
    pub(super) sun: [u16; 2],
    pub(super) score: [u16; 2],
    pub(super) nutrients: u8,
    pub(super) day: u8,
    pub(super) asleep: [bool; 2],
}

impl Board {
    /// The first turn of a game with these holes, and a tree of size 1 for each player on each of its cells.
    pub fn start(holes: Cells, owned: [Cells; 2]) -> Board {
        let mut board = Board {
            trees: [0, owned[0] | owned[1], 0, 0],
            owned,
            dormant: 0,
            holes,
            sun: [0; 2],
            score: [0; 2],
            nutrients: NUTRIENTS,
            day: 0,
            asleep: [false; 2],
        };
        board.begin_day();
        board
    }

    /// A board with these numbers and without trees; see [`Board::put`].
    pub fn empty(
        holes: Cells,
        day: u8,
        nutrients: u8,
        sun: [u16; 2],
        score: [u16; 2],
        asleep: [bool; 2],
    ) -> Board {
        Board { trees: [0; SIZES], owned: [0; 2], dormant: 0, holes, sun, score, nutrients, day, asleep }
    }

    /// Puts a tree on a cell. Returns `false` and changes nothing if there is one already, or no soil.
    pub fn put(&mut self, cell: Cell, size: usize, owner: Player, is_dormant: bool) -> bool {
        let set = cell.set();
        let is_free = self.soil() & set != 0;
        if is_free {
            self.trees[size] |= set;
            self.owned[owner.index()] |= set;
            self.dormant |= if is_dormant { set } else { 0 };
        }
        is_free
    }

    /// The day, from 0; 24 at the end of the game.
    #[inline(always)]
    pub fn day(&self) -> u8 {
        self.day
    }

    /// Points of a completed tree, in addition to its cell's richness.
    #[inline(always)]
    pub fn nutrients(&self) -> u8 {
        self.nutrients
    }

    /// A player's sun.
    #[inline(always)]
    pub fn sun(&self, player: Player) -> u16 {
        self.sun[player.index()]
    }

    /// A player's points so far, without what sun is worth.
    #[inline(always)]
    pub fn score(&self, player: Player) -> u16 {
        self.score[player.index()]
    }

    /// Whether a player sleeps until the next day.
    #[inline(always)]
    pub fn is_asleep(&self, player: Player) -> bool {
        self.asleep[player.index()]
    }

    /// A player's trees of a size.
    #[inline(always)]
    pub fn trees(&self, player: Player, size: usize) -> Cells {
        self.trees[size] & self.owned[player.index()]
    }

    /// All trees of a player.
    #[inline(always)]
    pub fn owned(&self, player: Player) -> Cells {
        self.owned[player.index()]
    }

    /// Trees that can't act any more today.
    #[inline(always)]
    pub fn dormant(&self) -> Cells {
        self.dormant
    }

    /// Cells without soil.
    #[inline(always)]
    pub fn holes(&self) -> Cells {
        self.holes
    }

    /// Cells on which a seed can be planted.
    #[inline(always)]
    pub fn soil(&self) -> Cells {
        BOARD & !(self.owned[0] | self.owned[1] | self.holes)
    }

    /// The size and owner of the tree on a cell; `None` on an empty one.
    pub fn tree(&self, cell: Cell) -> Option<(usize, Player)> {
        let size = self.trees.iter().position(|trees| trees & cell.set() != 0)?;
        let is_first = self.owned[0] & cell.set() != 0;
        Some((size, if is_first { Player::FIRST } else { Player::SECOND }))
    }

    /// The richness of a cell: 0 for a hole, else 1 on the border to 3 in the middle.
    pub fn richness(&self, cell: Cell) -> usize {
        let is_in = |cells: Cells| usize::from(cells & cell.set() & !self.holes != 0);
        is_in(BOARD) + is_in(BOARD & !ring(3)) + is_in(ring(0) | ring(1))
    }

    /// Cost of a player's tree of a size now: a seed to plant, others to grow to that size.
    #[inline(always)]
    pub fn cost(&self, player: Player, size: usize) -> u16 {
        COSTS[size] + self.trees(player, size).count_ones() as u16
    }

    /// The points that a completed tree on a cell pays now.
    #[inline(always)]
    pub fn prize(&self, cell: Cell) -> u16 {
        u16::from(self.nutrients) + BONUS[self.richness(cell)]
    }

    /// The sun that each player's trees would give if they stood like this on the morning of a day.
    #[inline(always)]
    pub fn income(&self, day: u8) -> [u16; 2] {
        let direction = usize::from(day) % DIRECTIONS;
        let [_, small, medium, tall] = self.trees;
        // Shadows of at least each size.
        let by_tall = ray(tall, direction, 3);
        let by_medium = by_tall | ray(medium, direction, 2);
        let by_small = by_medium | ray(small, direction, 1);
        let lit = [small & !by_small, medium & !by_medium, tall & !by_tall];
        let sun =
            |owned: Cells| (1..).zip(lit).map(|(size, lit)| size * (lit & owned).count_ones() as u16).sum();
        self.owned.map(sun)
    }

    /// All wake up, and trees give sun.
    #[inline(always)]
    pub(super) fn begin_day(&mut self) {
        (self.dormant, self.asleep) = (0, [false; 2]);
        let income = self.income(self.day);
        for (sun, given) in self.sun.iter_mut().zip(income) {
            *sun += given;
        }
    }

    /// Whether a player may do this now.
    pub fn is_legal(&self, player: Player, action: Action) -> bool {
        if self.day >= DAYS || self.is_asleep(player) {
            return false;
        }
        let (sun, awake) = (self.sun(player), self.owned(player) & !self.dormant);
        let size = |cell: Cell| self.tree(cell).filter(|_| awake & cell.set() != 0).map(|(size, _)| size);
        match action {
            Action::Wait => true,
            Action::Complete(cell) => size(cell) == Some(3) && sun >= COMPLETION,
            Action::Grow(cell) => {
                size(cell).is_some_and(|size| size < 3 && sun >= self.cost(player, size + 1))
            }
            Action::Seed(source, target) => {
                let reaches =
                    size(source).is_some_and(|size| source.near(size) & self.soil() & target.set() != 0);
                reaches && sun >= self.cost(player, 0)
            }
        }
    }

    /// Plays a turn: a legal action of each player who is awake, `None` for one who sleeps.
    #[inline]
    pub fn turn(&mut self, actions: [Option<Action>; 2]) {
        let clash = match actions {
            [Some(Action::Seed(_, one)), Some(Action::Seed(_, other))] => one == other,
            _ => false,
        };
        let nutrients = self.nutrients;
        for (player, action) in [Player::FIRST, Player::SECOND].into_iter().zip(actions) {
            let i = player.index();
            match action {
                None => {}
                Some(Action::Wait) => self.asleep[i] = true,
                Some(Action::Grow(cell)) => {
                    let set = cell.set();
                    let size = (0..3).find(|&size| self.trees[size] & set != 0).unwrap_or(0);
                    self.sun[i] -= self.cost(player, size + 1);
                    self.trees[size] &= !set;
                    self.trees[size + 1] |= set;
                    self.dormant |= set;
                }
                Some(Action::Seed(source, target)) => {
                    self.dormant |= source.set();
                    if !clash {
                        self.sun[i] -= self.cost(player, 0);
                        self.trees[0] |= target.set();
                        self.owned[i] |= target.set();
                        self.dormant |= target.set();
                    }
                }
                Some(Action::Complete(cell)) => {
                    self.sun[i] -= COMPLETION;
                    self.score[i] += u16::from(nutrients) + BONUS[self.richness(cell)];
                    self.nutrients = self.nutrients.saturating_sub(1);
                    self.trees[3] &= !cell.set();
                    self.owned[i] &= !cell.set();
                    self.dormant &= !cell.set();
                }
            }
        }
        if self.asleep == [true; 2] {
            self.day += 1;
            if self.day < DAYS {
                self.begin_day();
            }
        }
    }

    /// The points of each player as the platform counts them at the end: sun included, and trees if that is equal.
    pub fn points(&self) -> [i32; 2] {
        let points = [0, 1].map(|i| i32::from(self.score[i] + self.sun[i] / SUN_PER_POINT));
        match points {
            [one, other] if one == other => [0, 1].map(|i| points[i] + self.owned[i].count_ones() as i32),
            _ => points,
        }
    }

    /// The points of a player whose opponent was disqualified: sun and trees included.
    pub fn points_alone(&self, player: Player) -> i32 {
        let i = player.index();
        i32::from(self.score[i] + self.sun[i] / SUN_PER_POINT) + self.owned[i].count_ones() as i32
    }

    /// The state with the players exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Board {
        let mut board = *self;
        board.owned.swap(0, 1);
        board.sun.swap(0, 1);
        board.score.swap(0, 1);
        board.asleep.swap(0, 1);
        board
    }
}

impl Joint for Board {
    type Move = Action;
    type Moves = Actions;
    type Outcome = ();
    /// More than any game has paid: with 20 nutrients the trees of a whole game pay at most 20 + 19 + … = 210 and 4 for
    /// each cell.
    const MAX_POINTS: i32 = 500;

    /// `WAIT` first, then what completes, grows and plants.
    fn moves(&self, player: Player, list: &mut Actions) {
        if self.day >= DAYS || self.is_asleep(player) {
            return;
        }
        let (sun, soil) = (self.sun(player), self.soil());
        let awake = |size| self.trees(player, size) & !self.dormant;
        list.push(Action::Wait);
        if sun >= COMPLETION {
            cells(awake(3)).for_each(|cell| list.push(Action::Complete(cell)));
        }
        for size in (0..3).filter(|&size| sun >= self.cost(player, size + 1)) {
            cells(awake(size)).for_each(|cell| list.push(Action::Grow(cell)));
        }
        if sun >= self.cost(player, 0) {
            for (size, source) in (1..SIZES).flat_map(|size| cells(awake(size)).map(move |cell| (size, cell)))
            {
                cells(source.near(size) & soil).for_each(|target| list.push(Action::Seed(source, target)));
            }
        }
    }

    #[inline(always)]
    fn play(&mut self, choices: &Choices<Action>) {
        self.turn([Player::FIRST, Player::SECOND].map(|player| choices.of(player)));
    }

    /// The difference of points: what decides the game, and how clearly.
    fn payoff(&self, player: Player) -> Payoff {
        let [one, other] = self.points();
        let lead = (one - other).clamp(-Self::MAX_POINTS, Self::MAX_POINTS);
        Payoff(if player == Player::FIRST { lead } else { -lead })
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        /// Odd random factors, one a word.
        const FACTORS: [u64; 9] = factors();
        let [seeds, small, medium, tall] = self.trees;
        let numbers = [self.sun[0], self.sun[1], self.score[0], self.score[1]];
        let numbers = numbers.into_iter().fold(0, |word, number| word << 16 | u64::from(number));
        let asleep = u64::from(self.asleep[0]) | u64::from(self.asleep[1]) << 1;
        let time = u64::from(self.day) | u64::from(self.nutrients) << 8 | asleep << 16;
        let words = [seeds, small, medium, tall, self.owned[0], self.dormant, self.holes, numbers, time];
        let sum = words
            .iter()
            .zip(FACTORS)
            .fold(0u64, |sum, (word, factor)| sum.rotate_left(7).wrapping_add(word.wrapping_mul(factor)));
        mix(sum)
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.day >= DAYS
    }
}

const fn factors() -> [u64; 9] {
    let mut factors = [0; 9];
    let mut i = 0;
    while i < 9 {
        factors[i] = mix(i as u64 + 1) | 1;
        i += 1;
    }
    factors
}

/// A row of cells a line, as the platform shows them: `A2` is a tree of player 0 that has not acted yet today, `b0` a
/// dormant seed of player 1, `.3` an empty cell with its richness, `##` a hole.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for z in -3i32..=3 {
            write!(f, "{:width$}", "", width = 2 * z.unsigned_abs() as usize)?;
            let mut row = cells(BOARD).filter(|cell| cell.place().1 == z).peekable();
            while let Some(cell) = row.next() {
                let is_dormant = self.dormant & cell.set() != 0;
                match self.tree(cell) {
                    Some((size, owner)) => {
                        let letters = if is_dormant { ["a", "b"] } else { ["A", "B"] };
                        write!(f, "{}{size}", letters[owner.index()])?;
                    }
                    None if self.richness(cell) == 0 => f.write_str("##")?,
                    None => write!(f, ".{}", self.richness(cell))?,
                }
                f.write_str(if row.peek().is_some() { "  " } else { "\n" })?;
            }
        }
        match self.day {
            DAYS => write!(f, "the end, nutrients {}", self.nutrients)?,
            day => write!(f, "day {day}, nutrients {}", self.nutrients)?,
        }
        for (i, name) in ["A", "B"].into_iter().enumerate() {
            let asleep = if self.asleep[i] { ", asleep" } else { "" };
            write!(f, "; {name}: sun {}, score {}{asleep}", self.sun[i], self.score[i])?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

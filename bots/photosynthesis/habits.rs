//! A fast player by fixed rules, for playouts: about fifty nanoseconds an action.
//!
//! Each rule looks at numbers of trees and at sets of cells. The limits were tuned by games of the rules against
//! themselves.

use coppice::{Player, Rng};

use super::board::{Action, Board, COMPLETION};
use super::cell::{cells, ray, ring, Cell, Cells, DIRECTIONS, REACH};

/// The limits of the rules.
#[derive(Debug, Clone)]
pub struct Habits {
    /// The first day on which trees are completed.
    pub completes_from: i32,
    /// Trees of size 3 that are kept on that day.
    pub keeps: i32,
    /// Days after which one tree less is kept, in quarters.
    pub keeps_less_every: i32,
    /// Days before the end on which all trees are completed: 1 on the last alone.
    pub completes_all: i32,
    /// The most trees of size 3, 2 and 1 to grow to.
    pub most: [i32; 3],
    /// The most trees, seeds included, with which a seed is planted.
    pub crowd: i32,
    /// The last day on which trees grow to size 3, 2 and 1, and seeds are planted.
    pub last: [i32; 4],
    /// What an own tree in a line with a seed's cell costs, where a step of richness is 4.
    pub line: i32,
    /// What a neighbouring own tree costs more.
    pub next: i32,
    /// One in this many rules is skipped by chance; 0 for none.
    pub skips: u32,
}

impl Default for Habits {
    fn default() -> Habits {
        Habits {
            completes_from: 10,
            keeps: 5,
            keeps_less_every: 4,
            completes_all: 1,
            most: [4, 6, 4],
            crowd: 10,
            last: [22, 20, 19, 20],
            line: 5,
            next: 1,
            skips: 0,
        }
    }
}

/// The cells in a line with a cell, within a shadow's reach.
pub const LINES: [Cells; 64] = lines();

const fn lines() -> [Cells; 64] {
    let mut lines = [0; 64];
    let mut bit = 0;
    while bit < 64 {
        let mut direction = 0;
        while direction < DIRECTIONS {
            lines[bit] |= ray(1 << bit, direction, REACH);
            direction += 1;
        }
        bit += 1;
    }
    lines
}

/// How many steps of richness the cells of a set have: those of the border none.
#[inline(always)]
fn best_soil(set: Cells) -> Cells {
    let inner = set & (ring(0) | ring(1));
    let middle = set & (ring(0) | ring(1) | ring(2));
    if inner != 0 {
        inner
    } else if middle != 0 {
        middle
    } else {
        set
    }
}

impl Habits {
    /// What the player does now; the player is awake.
    #[inline(always)]
    pub fn action(&self, board: &Board, player: Player, rng: &mut Rng) -> Action {
        let (day, sun) = (i32::from(board.day()), board.sun(player));
        let awake = |size| board.trees(player, size) & !board.dormant();
        let count = |size| board.trees(player, size).count_ones() as i32;
        let mut skips = || self.skips > 0 && rng.below(self.skips) == 0;
        let tall = awake(3);
        if tall != 0 && sun >= COMPLETION && self.completes(board, day, count(3)) && !skips() {
            return Action::Complete(Cell::first(best_soil(tall)));
        }
        for size in [2, 1, 0] {
            let trees = awake(size);
            if trees != 0
                && sun >= board.cost(player, size + 1)
                && day <= self.last[2 - size]
                && count(size + 1) < self.most[2 - size]
                && !skips()
            {
                return Action::Grow(Cell::first(best_soil(trees)));
            }
        }
        if board.trees(player, 0) == 0
            && day <= self.last[3]
            && count(1) + count(2) + count(3) < self.crowd
            && !skips()
        {
            if let Some((source, target)) = self.seed(board, player) {
                return Action::Seed(source, target);
            }
        }
        Action::Wait
    }

    #[inline(always)]
    fn completes(&self, board: &Board, day: i32, tall: i32) -> bool {
        if day >= 24 - self.completes_all {
            // Below that, the sun itself is worth more.
            return board.nutrients() > 1;
        }
        day >= self.completes_from
            && tall > self.keeps - 4 * (day - self.completes_from) / self.keeps_less_every
    }

    /// The best cell for a seed, and a tree that reaches it.
    #[inline(always)]
    fn seed(&self, board: &Board, player: Player) -> Option<(Cell, Cell)> {
        let mut reached = 0;
        for size in 1..=3 {
            for tree in cells(board.trees(player, size) & !board.dormant()) {
                reached |= tree.near(size);
            }
        }
        let mut best = None;
        let mut most = i32::MIN;
        for cell in cells(reached & board.soil()) {
            let value = self.soil_value(board, player, cell);
            if value > most {
                (best, most) = (Some(cell), value);
            }
        }
        let target = best?;
        Some((source(board, player, target)?, target))
    }

    /// How good a cell is for a seed.
    #[inline(always)]
    pub fn soil_value(&self, board: &Board, player: Player, cell: Cell) -> i32 {
        let own = board.owned(player);
        let lines = (LINES[cell.bit()] & own).count_ones() as i32;
        let next = (cell.near(1) & own).count_ones() as i32;
        4 * board.richness(cell) as i32 - self.line * lines - self.next * next
    }
}

/// A tree of the player that can plant a seed on a cell, the largest first.
#[inline(always)]
pub fn source(board: &Board, player: Player, target: Cell) -> Option<Cell> {
    let awake = |size: usize| board.trees(player, size) & !board.dormant() & target.near(size);
    let set = (1..=REACH).rev().map(awake).find(|&set| set != 0)?;
    Some(Cell::first(set))
}

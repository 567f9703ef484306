//! A fast player by fixed rules, for playouts: a whole game takes a few microseconds.
//!
//! Each rule looks at numbers of trees and at sets of cells, and a player's day is played in one go. The limits that
//! the bot uses are in [`Numbers`](super::strategy::Numbers); they were tuned by games of the bot, as those that win against
//! other habits needn't be good for judging.

use coppice::Player;

use super::board::{Board, BONUS, COMPLETION, COSTS, DAYS};
use super::cell::{cells, ray, ring, spread, Cell, Cells, DIRECTIONS, REACH};

/// The limits of the rules.
#[derive(Debug, Clone, PartialEq)]
pub struct Habits {
    /// The first day on which trees are completed.
    pub completes_from: i32,
    /// Trees of size 3 that are kept on that day.
    pub keeps: i32,
    /// Quarter days until one tree fewer is kept.
    pub keeps_less_every: i32,
    /// The number of last days on which all trees are completed.
    pub completes_all: i32,
    /// The most trees of size 3, 2 and 1 to grow to.
    pub most: [i32; 3],
    /// The most trees, without seeds, with which a seed is planted.
    pub crowd: i32,
    /// The last day on which trees grow to size 3, 2 and 1, and seeds are planted.
    pub last: [i32; 4],
    /// Penalty for an own tree in a line with a seed's cell; a step of richness is worth 4.
    pub line: i32,
    /// Extra penalty for a neighbouring own tree.
    pub next: i32,
}

/// The cells in a line with a cell, within a shadow's reach.
const LINES: [Cells; 64] = lines();

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

/// The cell of a set with the richest soil.
#[inline(always)]
fn richest(set: Cells) -> (Cell, u16) {
    let inner = set & (ring(0) | ring(1));
    let middle = set & ring(2);
    if inner != 0 {
        (Cell::first(inner), BONUS[3])
    } else if middle != 0 {
        (Cell::first(middle), BONUS[2])
    } else {
        (Cell::first(set), BONUS[1])
    }
}

/// Plays a game to its end; each player has its own habits.
#[inline(always)]
pub fn play_out(mut board: Board, habits: [&Habits; 2]) -> Board {
    while board.day < DAYS {
        // Both complete trees for the same nutrients, as if they did it in the same turn.
        let mut open =
            [0, 1]
                .map(|i| if board.asleep[i] { 0 } else { board.trees[3] & board.owned[i] & !board.dormant });
        while open != [0, 0] {
            let nutrients = u16::from(board.nutrients);
            for i in 0..2 {
                let tall = (board.trees[3] & board.owned[i]).count_ones() as i32;
                if open[i] == 0 || board.sun[i] < COMPLETION || !habits[i].completes(&board, tall) {
                    open[i] = 0;
                    continue;
                }
                let (cell, bonus) = richest(open[i]);
                open[i] &= !cell.set();
                board.sun[i] -= COMPLETION;
                board.score[i] += nutrients + bonus;
                board.nutrients = board.nutrients.saturating_sub(1);
                board.trees[3] &= !cell.set();
                board.owned[i] &= !cell.set();
            }
        }
        for (i, own) in habits.into_iter().enumerate() {
            if !board.asleep[i] {
                own.grow(&mut board, i);
                own.plant(&mut board, i);
            }
        }
        board.day += 1;
        if board.day < DAYS {
            board.begin_day();
        }
    }
    board
}

impl Habits {
    /// Whether one of `tall` trees of size 3 is completed now.
    #[inline(always)]
    pub fn completes(&self, board: &Board, tall: i32) -> bool {
        let day = i32::from(board.day);
        if day >= i32::from(DAYS) - self.completes_all {
            // For less, the sun itself is worth more.
            return board.nutrients > 1;
        }
        day >= self.completes_from
            && tall > self.keeps - 4 * (day - self.completes_from) / self.keeps_less_every
    }

    /// Grows trees, the largest and on the richest soil first.
    #[inline(always)]
    fn grow(&self, board: &mut Board, i: usize) {
        let day = i32::from(board.day);
        for size in [2, 1, 0] {
            let mut open = board.trees[size] & board.owned[i] & !board.dormant;
            if open == 0 || day > self.last[2 - size] {
                continue;
            }
            let mut count = (board.trees[size + 1] & board.owned[i]).count_ones() as u16;
            while open != 0
                && board.sun[i] >= COSTS[size + 1] + count
                && i32::from(count) < self.most[2 - size]
            {
                let set = richest(open).0.set();
                open &= !set;
                board.sun[i] -= COSTS[size + 1] + count;
                board.trees[size] &= !set;
                board.trees[size + 1] |= set;
                board.dormant |= set;
                count += 1;
            }
        }
    }

    /// Plants a seed on the best cell in reach, unless the player has another seed.
    #[inline(always)]
    fn plant(&self, board: &mut Board, i: usize) {
        let own = board.owned[i];
        let (seeds, day) = (board.trees[0] & own, i32::from(board.day));
        if seeds != 0 || day > self.last[3] || own.count_ones() as i32 >= self.crowd {
            return;
        }
        let player = Player::new(i as u8);
        let mut best = (i32::MIN, Cell::default());
        for cell in cells(reached(board, player) & board.soil()) {
            best = best.max((soil(own, cell, self.line, self.next), cell));
        }
        let (value, target) = best;
        let source = source(board, player, target);
        if let Some(source) = source.filter(|_| value > i32::MIN) {
            board.trees[0] |= target.set();
            board.owned[i] |= target.set();
            board.dormant |= target.set() | source.set();
        }
    }
}

/// Value of a cell for a seed, given the own trees: a step of richness is worth 4, an own tree in a line with it costs
/// `line`, and a neighbouring one `next` more.
#[inline(always)]
pub fn soil(own: Cells, cell: Cell, line: i32, next: i32) -> i32 {
    let lines = (LINES[cell.bit()] & own).count_ones() as i32;
    let beside = (cell.near(1) & own).count_ones() as i32;
    let richness = i32::from((ring(0) | ring(1)) & cell.set() != 0) + i32::from(ring(3) & cell.set() == 0);
    4 * richness - line * lines - next * beside
}

/// The cells in reach of a player's trees that can still act.
#[inline(always)]
pub fn reached(board: &Board, player: Player) -> Cells {
    let awake = |size| board.trees(player, size) & !board.dormant();
    let by_tall = spread(awake(3));
    let by_medium = spread(awake(2) | by_tall);
    spread(awake(1) | by_medium)
}

/// A tree of the player that can plant a seed on a cell, the largest first.
#[inline(always)]
pub fn source(board: &Board, player: Player, target: Cell) -> Option<Cell> {
    let awake = |size: usize| board.trees(player, size) & !board.dormant() & target.near(size);
    let set = (1..=REACH).rev().map(awake).find(|&set| set != 0)?;
    Some(Cell::first(set))
}

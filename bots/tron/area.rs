//! Areas: the free cells that each player reaches first, and how many of them one path can visit.

use coppice::Game;

use super::board::Board;
use super::field::{colour, Cell, Direction, Field, CELLS};

/// The free cells that each player reaches first if all go there straight, moving in turn (a Voronoi diagram of the
/// field).
#[derive(Debug, Clone, Copy)]
pub struct Areas<const N: usize> {
    /// By player; empty for those who are out.
    pub of: [Field; N],
}

impl<const N: usize> Areas<N> {
    /// The areas of a position.
    #[inline(always)]
    pub fn new(board: &Board<N>) -> Areas<N> {
        let first = board.to_move().index();
        let mut unclaimed = board.free();
        let (mut of, mut front) = ([Field::EMPTY; N], [Field::EMPTY; N]);
        for player in board.in_turn() {
            front[player.index()] = Field::of(board.head(player));
        }
        loop {
            let mut is_growing = false;
            for i in 0..N {
                // Not `% N`: the loop is hot.
                let player = if first + i < N { first + i } else { first + i - N };
                if front[player].is_empty() {
                    continue;
                }
                front[player] = front[player].neighbours().and(&unclaimed);
                unclaimed = unclaimed.without(&front[player]);
                of[player] = of[player].or(&front[player]);
                is_growing |= !front[player].is_empty();
            }
            if !is_growing {
                return Areas { of };
            }
        }
    }

    /// Whether no opponent can enter a player's area: it touches neither another area nor an opponent.
    #[inline(always)]
    pub fn is_alone(&self, board: &Board<N>, player: usize) -> bool {
        let around = self.of[player].neighbours();
        board.in_turn().filter(|other| other.index() != player).all(|other| {
            let theirs = self.of[other.index()].or(&Field::of(board.head(other)));
            around.and(&theirs).is_empty()
        })
    }
}

/// A part of an area that no articulation point divides.
#[derive(Debug, Clone, Copy, Default)]
pub struct Chamber {
    /// The number of cells of each colour.
    pub cells: [u16; 2],
    /// The number of neighbours in the area, over all cells: each pair of neighbours counts twice.
    pub degrees: u16,
}

impl Chamber {
    /// The most cells that a path visits which enters the chamber from a cell of colour `from`: it visits both colours in
    /// turn.
    pub fn longest_path(&self, from: usize) -> u32 {
        let (same, other) = (u32::from(self.cells[from]), u32::from(self.cells[1 - from]));
        if other > same {
            2 * same + 1
        } else {
            2 * other
        }
    }
}

/// A cell on the way of the depth-first search in [`best_chain`].
#[derive(Clone, Copy)]
struct Frame {
    cell: Cell,
    /// The next direction to look at.
    direction: u8,
    /// The lowest number of a cell that is next to this cell or one visited after it.
    low: u16,
    /// What of its chamber was visited from it on.
    chamber: Chamber,
    /// The best chain of the chambers behind it.
    behind: u32,
}

/// The best chain of chambers that a path from `head` goes through; `head` isn't in `area` itself. A chain is worth the sum
/// of what `worth` gives for its chambers and the colours of the cells from which they are entered.
///
/// An articulation point divides an area into chambers, of which a path can enter one and not return (Tarjan,
/// *Depth-First Search and Linear Graph Algorithms*, 1972, finds the points).
#[inline(always)]
pub fn best_chain(head: Cell, area: &Field, worth: impl Fn(&Chamber, usize) -> u32) -> u32 {
    let mut number = [0u16; CELLS];
    let frame = |cell: Cell, low: u16| {
        let mut chamber = Chamber::default();
        chamber.cells[colour(cell)] = 1;
        Frame { cell, direction: 0, low, chamber, behind: 0 }
    };
    let mut path = [frame(head, 1); CELLS + 1];
    number[usize::from(head.number())] = 1;
    let (mut depth, mut count) = (0, 1);
    loop {
        let top = &mut path[depth];
        if let Some(&direction) = Direction::ALL.get(usize::from(top.direction)) {
            top.direction += 1;
            let Some(next) = top.cell.step(direction) else { continue };
            let seen = number[usize::from(next.number())];
            top.chamber.degrees += u16::from(seen > 1);
            if seen > 0 {
                top.low = top.low.min(seen);
            } else if area.contains(next) {
                top.chamber.degrees += 1;
                count += 1;
                number[usize::from(next.number())] = count;
                depth += 1;
                path[depth] = frame(next, count);
            }
            continue;
        }
        let done = *top;
        if depth == 0 {
            return done.behind;
        }
        depth -= 1;
        let parent = &mut path[depth];
        if done.low >= number[usize::from(parent.cell.number())] {
            let chain = worth(&done.chamber, colour(parent.cell)) + done.behind;
            parent.behind = parent.behind.max(chain);
        } else {
            parent.low = parent.low.min(done.low);
            parent.chamber.cells[0] += done.chamber.cells[0];
            parent.chamber.cells[1] += done.chamber.cells[1];
            parent.chamber.degrees += done.chamber.degrees;
            parent.behind = parent.behind.max(done.behind);
        }
    }
}

/// An upper bound on the number of cells that a path from `head` visits, which isn't in `area` itself.
pub fn longest_path(head: Cell, area: &Field) -> u32 {
    best_chain(head, area, Chamber::longest_path)
}

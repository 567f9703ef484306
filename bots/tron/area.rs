//! Areas: the free cells that each player reaches first, and how many of them one path can visit.

use arrayvec::ArrayVec;
use coppice::Game;

use super::board::Board;
use super::field::{colour, Cell, Field, CELLS, HEIGHT};

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

/// The best chain of chambers that a path from `head` goes through, which can reach all of `area` and isn't in it. A chain
/// is worth the sum of what `worth` gives for its chambers and the colours of the cells from which they are entered.
///
/// An articulation point divides an area into chambers, of which a path can enter one and not return.
#[inline(always)]
pub fn best_chain(head: Cell, area: &Field, worth: impl Fn(&Chamber, usize) -> u32) -> u32 {
    let with_head = area.or(&Field::of(head));
    if area.is_empty() || with_head.has_narrow_cells() {
        return chain_by_search(head, area, worth);
    }
    // One chamber: nothing can divide it.
    let even = area.and(&Field::EVEN).count() as u16;
    let chamber = Chamber { cells: [even, area.count() as u16 - even], degrees: 2 * area.edges() as u16 };
    worth(&chamber, colour(head))
}

/// A cell on the way of [`chain_by_search`].
#[derive(Clone, Copy)]
struct Frame {
    /// The cell, by [`padded`].
    cell: u16,
    /// The next direction to look at.
    direction: u8,
    /// The lowest number of a cell that is next to this cell or one visited after it.
    low: u16,
    /// What of its chamber was visited from it on.
    chamber: Chamber,
    /// The best chain of the chambers behind it.
    behind: u32,
}

/// Cells of a row of the field with a border, so that a step is the same distance everywhere.
const ROW: u16 = 32;

/// The distance of a step in each direction, in the order of [`Direction::ALL`](super::field::Direction::ALL).
const STEPS: [i16; 4] = [-(ROW as i16), 1, ROW as i16, -1];

/// The number of a cell in the field with a border.
#[inline(always)]
const fn padded(cell: Cell) -> u16 {
    (cell.y() as u16 + 1) * ROW + cell.x() as u16 + 1
}

/// The best chain of chambers, as [`best_chain`] has it, by depth-first search; `head` needn't reach all of `area` (Tarjan,
/// *Depth-First Search and Linear Graph Algorithms*, 1972).
#[inline(always)]
pub fn chain_by_search(head: Cell, area: &Field, worth: impl Fn(&Chamber, usize) -> u32) -> u32 {
    let mut inside = [0; HEIGHT as usize + 2];
    for (row, &cells) in inside[1..].iter_mut().zip(area.rows()) {
        *row = cells << 1;
    }
    let colour = |cell: u16| usize::from((cell ^ (cell / ROW)) & 1);
    let mut number = [0u16; (HEIGHT as usize + 2) * ROW as usize];
    let frame = |cell: u16, low: u16| {
        let mut chamber = Chamber::default();
        chamber.cells[colour(cell)] = 1;
        Frame { cell, direction: 0, low, chamber, behind: 0 }
    };
    let mut path: ArrayVec<Frame, { CELLS + 1 }> = ArrayVec::new();
    let mut top = frame(padded(head), 1);
    number[usize::from(top.cell)] = 1;
    let mut count = 1;
    loop {
        if let Some(&step) = STEPS.get(usize::from(top.direction)) {
            top.direction += 1;
            let next = top.cell.wrapping_add_signed(step);
            let seen = number[usize::from(next)];
            top.chamber.degrees += u16::from(seen > 1);
            if seen > 0 {
                top.low = top.low.min(seen);
            } else if inside[usize::from(next / ROW)] >> (next % ROW) & 1 == 1 {
                top.chamber.degrees += 1;
                count += 1;
                number[usize::from(next)] = count;
                path.push(top);
                top = frame(next, count);
            }
            continue;
        }
        let Some(mut parent) = path.pop() else { return top.behind };
        if top.low >= number[usize::from(parent.cell)] {
            let chain = worth(&top.chamber, colour(parent.cell)) + top.behind;
            parent.behind = parent.behind.max(chain);
        } else {
            parent.low = parent.low.min(top.low);
            parent.chamber.cells[0] += top.chamber.cells[0];
            parent.chamber.cells[1] += top.chamber.cells[1];
            parent.chamber.degrees += top.chamber.degrees;
            parent.behind = parent.behind.max(top.behind);
        }
        top = parent;
    }
}

/// An upper bound on the number of cells that a path from `head` visits, which isn't in `area` itself.
pub fn longest_path(head: Cell, area: &Field) -> u32 {
    chain_by_search(head, area, Chamber::longest_path)
}

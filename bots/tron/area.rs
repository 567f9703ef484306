//! Areas: the free cells that each player reaches first, and how many of them one path can visit.

use arrayvec::ArrayVec;
use coppice::Game;

use super::board::Board;
use super::field::{colour, Cell, Field, CELLS, HEIGHT, WIDTH};

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
    /// Cells of an area.
    #[inline(always)]
    fn of(cells: &Field, area: &Field) -> Chamber {
        let even = cells.and(&Field::EVEN).count() as u16;
        Chamber { cells: [even, cells.count() as u16 - even], degrees: cells.degrees(area) as u16 }
    }

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

/// The best chain of chambers that a path from `head` goes through, which isn't in `area`. A chain is worth the sum of what
/// `worth` gives for its chambers and the colours of the cells from which they are entered. `is_whole` says that `head`
/// reaches all of `area`.
///
/// An articulation point divides an area into chambers, of which a path can enter one and not return.
#[inline(always)]
pub fn best_chain(head: Cell, area: &Field, is_whole: bool, worth: impl Fn(&Chamber, usize) -> u32) -> u32 {
    let narrow = area.or(&Field::of(head)).narrow_cells();
    if is_whole && narrow.is_empty() && !area.is_empty() {
        // One chamber: nothing can divide it.
        return worth(&Chamber::of(area, area), colour(head));
    }
    Chains { area, narrow, number: [0; BORDERED], count: 1 }.best(head, worth)
}

/// A depth-first search for the articulation points of an area (Tarjan, *Depth-First Search and Linear Graph Algorithms*,
/// 1972), whose vertices are narrow cells, and connected regions of the others: no articulation point is in a region, so that
/// all of it is in one chamber.
struct Chains<'a> {
    area: &'a Field,
    narrow: Field,
    /// The number of each cell's vertex in the order of the visits, from 1; 0 for those not visited, and within regions.
    number: [u16; BORDERED],
    /// The number of vertices visited.
    count: u16,
}

/// A vertex on the way.
#[derive(Clone, Copy)]
struct Frame {
    /// The cell, by [`padded`]; of a region, one of its cells.
    cell: u16,
    /// The next direction to look at, or [`REGION`].
    direction: u8,
    /// The lowest number of a vertex that is next to this one or one visited after it.
    low: u16,
    /// What of its chamber was visited from it on.
    chamber: Chamber,
    /// The best chain of the chambers behind it.
    behind: u32,
}

/// The direction of a region, whose neighbours are a set.
const REGION: u8 = u8::MAX;

/// Cells of a row of the field with a border, so that a step is the same distance everywhere.
const ROW: u16 = 32;

/// Cells of the field with its border.
const BORDERED: usize = (HEIGHT as usize + 2) * ROW as usize;

/// The distance of a step in each direction, in the order of [`Direction::ALL`](super::field::Direction::ALL).
const STEPS: [i16; 4] = [-(ROW as i16), 1, ROW as i16, -1];

/// The number of a cell in the field with a border.
#[inline(always)]
const fn padded(cell: Cell) -> u16 {
    (cell.y() as u16 + 1) * ROW + cell.x() as u16 + 1
}

/// Whether a set has the cell of this number in the field with a border.
#[inline(always)]
fn contains(field: &Field, cell: u16) -> bool {
    let row = usize::from(cell / ROW).wrapping_sub(1);
    field.rows().get(row).is_some_and(|row| row << 1 >> (cell % ROW) & 1 == 1)
}

impl Chains<'_> {
    #[inline(always)]
    fn best(mut self, head: Cell, worth: impl Fn(&Chamber, usize) -> u32) -> u32 {
        let colour = |cell: u16| usize::from((cell ^ (cell / ROW)) & 1);
        let mut path: ArrayVec<Frame, { CELLS + 1 }> = ArrayVec::new();
        // The neighbours of the regions on the path that are still to be looked at.
        let mut borders: ArrayVec<Field, { CELLS / 2 }> = ArrayVec::new();
        self.narrow.insert(head);
        let mut top = self.narrow_cell(padded(head));
        top.chamber = Chamber::default();
        loop {
            let next = match (top.direction, borders.last_mut()) {
                (REGION, Some(border)) => border.pop().map(padded),
                (direction, _) => {
                    top.direction += 1;
                    STEPS.get(usize::from(direction)).map(|&step| top.cell.wrapping_add_signed(step))
                }
            };
            if let Some(next) = next {
                let seen = self.number[usize::from(next)];
                if seen > 0 {
                    top.low = top.low.min(seen);
                } else if contains(self.area, next) {
                    path.push(top);
                    self.count += 1;
                    if contains(&self.narrow, next) {
                        top = self.narrow_cell(next);
                    } else {
                        let (region, border) = self.region(next);
                        (top, _) = (region, borders.push(border));
                    }
                }
                continue;
            }
            if top.direction == REGION {
                borders.pop();
            }
            let Some(mut parent) = path.pop() else { return top.behind };
            if parent.direction != REGION && top.low >= self.number[usize::from(parent.cell)] {
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

    /// Begins with a narrow cell.
    #[inline(always)]
    fn narrow_cell(&mut self, cell: u16) -> Frame {
        self.number[usize::from(cell)] = self.count;
        let mut chamber = Chamber::default();
        chamber.cells[usize::from((cell ^ (cell / ROW)) & 1)] = 1;
        for step in STEPS {
            chamber.degrees += u16::from(contains(self.area, cell.wrapping_add_signed(step)));
        }
        Frame { cell, direction: 0, low: self.count, chamber, behind: 0 }
    }

    /// Begins with the region of a cell that isn't narrow; and its neighbours.
    #[inline(always)]
    fn region(&mut self, cell: u16) -> (Frame, Field) {
        let broad = self.area.without(&self.narrow);
        let mut region = Field::EMPTY;
        region.insert(Cell::new((cell / ROW - 1) * WIDTH as u16 + cell % ROW - 1));
        let mut border = region.neighbours();
        loop {
            let more = border.and(&broad).without(&region);
            if more.is_empty() {
                break;
            }
            region = region.or(&more);
            border = region.neighbours();
        }
        // Only from narrow cells is it looked up.
        let beside = region.and(&self.narrow.neighbours());
        for (row, mut cells) in beside.rows().iter().copied().enumerate() {
            while cells > 0 {
                self.number[(row + 1) * ROW as usize + cells.trailing_zeros() as usize + 1] = self.count;
                cells &= cells - 1;
            }
        }
        let chamber = Chamber::of(&region, self.area);
        let frame = Frame { cell, direction: REGION, low: self.count, chamber, behind: 0 };
        (frame, border.and(&self.narrow))
    }
}

/// An upper bound on the number of cells that a path from `head` visits, which isn't in `area` itself.
#[inline(always)]
pub fn longest_path(head: Cell, area: &Field) -> u32 {
    best_chain(head, area, false, Chamber::longest_path)
}

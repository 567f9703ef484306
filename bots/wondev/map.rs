//! The platform's three kinds of grids, and where units start.

use coppice::Rng;

use super::board::Board;
use super::cells::{around, bit, cell, each, Cells, NOWHERE, SIDE};
use super::league::League;

/// A kind of grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// 5x5.
    Square,
    /// The 25 cells of a 7x7 grid that are at most three steps, along rows and columns, from its middle.
    Diamond,
    /// 25 to 35 cells of a 6x6 grid, mirrored left to right, that hang together.
    Random,
}

impl Kind {
    /// All.
    pub const ALL: [Kind; 3] = [Kind::Square, Kind::Diamond, Kind::Random];

    /// The word for it on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Square => "square",
            Kind::Diamond => "diamond",
            Kind::Random => "random",
        }
    }

    /// A grid of this kind.
    pub fn cells(self, rng: &mut Rng) -> Cells {
        match self {
            Kind::Square => all(5, |_, _| true),
            Kind::Diamond => all(SIDE, |x, y| x.abs_diff(3) + y.abs_diff(3) <= 3),
            Kind::Random => random(rng),
        }
    }
}

fn all(size: u8, is_cell: impl Fn(u8, u8) -> bool) -> Cells {
    let places = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
    places.filter(|&(x, y)| is_cell(x, y)).fold(0, |cells, (x, y)| cells | bit(cell(x, y)))
}

/// Adds a random cell and its mirror image until there are enough, and all hang together; at most 1,000 times.
fn random(rng: &mut Rng) -> Cells {
    let goal = 25 + rng.below(10);
    let mut cells = 0;
    for _ in 0..1000 {
        let (x, y) = (rng.below(6) as u8, rng.below(6) as u8);
        cells |= bit(cell(x, y)) | bit(cell(5 - x, y));
        if cells.count_ones() >= goal && hang_together(cells) {
            break;
        }
    }
    cells
}

/// Whether each cell can be reached from each other by steps to neighbours.
fn hang_together(cells: Cells) -> bool {
    let mut met = cells & cells.wrapping_neg();
    loop {
        let more = around(met) & cells;
        if more == met {
            return met == cells;
        }
        met = more;
    }
}

/// The side of the grid as the platform gives it: the largest coordinate and 1.
pub fn size(cells: Cells) -> u8 {
    each(cells).map(|at| (at % 8).max(at / 8) + 1).max().unwrap_or(0)
}

/// A start: units on random cells.
pub fn start(league: League, kind: Kind, rng: &mut Rng) -> Board {
    let cells = kind.cells(rng);
    let mut free = cells;
    let mut units = [[NOWHERE; 2]; 2];
    for player in &mut units {
        for unit in &mut player[..league.units()] {
            let at = each(free).nth(rng.below(free.count_ones()) as usize).unwrap_or(NOWHERE);
            free &= !bit(at);
            *unit = at;
        }
    }
    Board::new(league, cells, units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_as_the_platform_s() {
        let mut rng = Rng::new(1);
        assert_eq!(Kind::Square.cells(&mut rng).count_ones(), 25);
        assert_eq!(
            (Kind::Diamond.cells(&mut rng).count_ones(), size(Kind::Diamond.cells(&mut rng))),
            (25, 7)
        );
        let mut sizes = [0; 8];
        for _ in 0..200 {
            let cells = Kind::Random.cells(&mut rng);
            assert!((25..=36).contains(&cells.count_ones()) && hang_together(cells), "{cells:x}");
            let mirrored = |at: u8| bit(cell(5 - at % 8, at / 8)) & cells != 0;
            assert!(each(cells).all(mirrored), "{cells:x}");
            sizes[usize::from(size(cells))] += 1;
        }
        assert!(sizes[6] > 150 && sizes[7] == 0, "{sizes:?}");
    }

    #[test]
    fn units_start_on_cells_of_their_own() {
        let mut rng = Rng::new(2);
        for league in League::ALL {
            for kind in Kind::ALL {
                let board = start(league, kind, &mut rng);
                let units: Vec<u8> = board.units.into_iter().flatten().filter(|at| *at != NOWHERE).collect();
                let places = units.iter().fold(0, |all, &at| all | bit(at) & board.cells);
                assert_eq!(places.count_ones() as usize, 2 * league.units());
                assert_eq!(units.len(), 2 * league.units());
            }
        }
    }
}

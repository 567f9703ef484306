//! Distances from each place to the flat, around the ground.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::lander::physics::ground::{Ground, ZONE};

/// Side of a cell, in metres.
const CELL: f64 = 50.0;
const COLUMNS: usize = 140;
const ROWS: usize = 60;
/// Distance of places from which the flat is unreachable.
const NO_WAY: f64 = 10_000.0;

/// Steps to a cell's neighbours: the eight adjacent ones and the eight a chess knight's move away, so that paths bend
/// in sixteen directions.
const STEPS: [(isize, isize); 16] = [
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (1, -1),
    (-1, 1),
    (-1, -1),
    (2, 1),
    (2, -1),
    (-2, 1),
    (-2, -1),
    (1, 2),
    (1, -2),
    (-1, 2),
    (-1, -2),
];

/// For each cell of a grid, the length of the shortest path to the flat that doesn't meet the ground (Dijkstra, *A
/// Note on Two Problems in Connexion with Graphs*, 1959). In a cave it leads around the corners.
#[derive(Debug, Clone)]
pub struct Field {
    /// Distances in metres, row by row from the bottom.
    metres: Vec<f32>,
}

impl Field {
    /// The distances over a ground.
    pub fn new(ground: &Ground) -> Field {
        let mut field = Field { metres: vec![f32::INFINITY; COLUMNS * ROWS] };
        // Keys are whole decimetres, because a heap needs a total order.
        let mut heap = BinaryHeap::new();
        let decimetres = |metres: f32| (metres * 10.0) as u32;
        for cell in 0..COLUMNS * ROWS {
            if let Some(height) = above_flat(ground, centre(cell)) {
                field.metres[cell] = height as f32;
                heap.push((Reverse(decimetres(height as f32)), cell));
            }
        }
        while let Some((Reverse(key), cell)) = heap.pop() {
            let metres = field.metres[cell];
            if key > decimetres(metres) {
                continue;
            }
            for (right, up) in STEPS {
                let Some(next) = neighbour(cell, right, up) else { continue };
                let (a, b) = (centre(cell), centre(next));
                let further = metres + distance(a, b) as f32;
                if further < field.metres[next] && !ground.is_met(a, b) {
                    field.metres[next] = further;
                    heap.push((Reverse(decimetres(further)), next));
                }
            }
        }
        field
    }

    /// The distance from a place to the flat in metres. Inside the ground it is that from the nearest cells; beyond
    /// the borders the distance to the border is added.
    pub fn metres(&self, x: f64, y: f64) -> f64 {
        // The cast saturates negative values at 0.
        let column = ((x / CELL) as usize).min(COLUMNS - 1);
        let row = ((y / CELL) as usize).min(ROWS - 1);
        let mut best = NO_WAY;
        for up in -1..=1 {
            for right in -1..=1 {
                if let Some(cell) = neighbour(row * COLUMNS + column, right, up) {
                    best = best.min(f64::from(self.metres[cell]) + distance((x, y), centre(cell)));
                }
            }
        }
        let beyond = distance((x, y), (x.clamp(0.0, ZONE.0), y.clamp(0.0, ZONE.1)));
        best + beyond
    }
}

fn centre(cell: usize) -> (f64, f64) {
    let middle = |n: usize| (n as f64 + 0.5) * CELL;
    (middle(cell % COLUMNS), middle(cell / COLUMNS))
}

fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    ((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1)).sqrt()
}

fn neighbour(cell: usize, right: isize, up: isize) -> Option<usize> {
    let column = (cell % COLUMNS).checked_add_signed(right).filter(|&column| column < COLUMNS)?;
    let row = (cell / COLUMNS).checked_add_signed(up).filter(|&row| row < ROWS)?;
    Some(row * COLUMNS + column)
}

/// The height of a place above the flat, if it is near with nothing between.
fn above_flat(ground: &Ground, (x, y): (f64, f64)) -> Option<f64> {
    let (left, right, flat) = ground.flat();
    let height = y - flat;
    let is_near = x > left && x < right && height > 0.0 && height <= 2.0 * CELL;
    (is_near && !ground.is_met((x, y), (x, flat + height * 0.01))).then_some(height)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lander::physics::ground::Point;

    #[test]
    fn ways_lead_around_a_roof() {
        let points = [(0, 100), (3000, 100), (3001, 1000), (1000, 1000), (1000, 1100), (6999, 1100)];
        let points: Vec<Point> = points.iter().map(|&(x, y)| Point { x, y }).collect();
        let field = Field::new(&Ground::new(&points).expect("a ground"));
        // Inside the cave straight down; from above it first to the roof's edge at (1000, 1100).
        assert!((field.metres(2000.0, 600.0) - 500.0).abs() < 60.0, "{}", field.metres(2000.0, 600.0));
        let around = field.metres(2900.0, 1200.0);
        assert!((2850.0..3200.0).contains(&around), "{around}");
        assert!(field.metres(2900.0, 900.0) < 900.0);
        assert!(field.metres(-500.0, 200.0) > field.metres(0.0, 200.0) + 499.0);
        assert!(field.metres(3000.0, 1e9) > 9e8);
    }
}

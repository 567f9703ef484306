//! The patterns: sets of cells whose contents number a table row, and their images under the board's symmetries.

/// The cells of each pattern in its first place; a cell's digit in the row's number is its place in the list.
/// Bit `8 * y + x` is a cell, as in [`Cell`](crate::reversi::Cell).
pub const PATTERNS: [&[u8]; 11] = [
    &[0, 1, 2, 3, 4, 5, 6, 7, 9, 14], // an edge and the cells diagonally before its corners
    &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12], // two rows of five at a corner
    &[0, 1, 2, 8, 9, 10, 16, 17, 18], // nine cells at a corner
    &[8, 9, 10, 11, 12, 13, 14, 15],  // second row
    &[16, 17, 18, 19, 20, 21, 22, 23], // third row
    &[24, 25, 26, 27, 28, 29, 30, 31], // fourth row
    &[0, 9, 18, 27, 36, 45, 54, 63],  // diagonals, from the longest
    &[1, 10, 19, 28, 37, 46, 55],
    &[2, 11, 20, 29, 38, 47],
    &[3, 12, 21, 30, 39],
    &[4, 13, 22, 31],
];

/// The number of places that patterns are read at.
pub const PLACES: usize = 46;
/// The rows of all tables together.
pub const ROWS: usize = 2 * 59_049 + 19_683 + 4 * 6_561 + 2_187 + 729 + 243 + 81;
/// The weights that a phase has: rows that are images of each other share one.
pub const WEIGHTS: usize = 113_877;

/// A cell's image under one of the eight symmetries; the first is the identity.
fn image(symmetry: u8, cell: u8) -> u8 {
    let (mut x, mut y) = (cell % 8, cell / 8);
    if symmetry & 1 != 0 {
        x = 7 - x;
    }
    if symmetry & 2 != 0 {
        y = 7 - y;
    }
    if symmetry & 4 != 0 {
        (x, y) = (y, x);
    }
    8 * y + x
}

/// The images of a pattern's cells under the eight symmetries.
fn images(cells: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    (0..8).map(|symmetry| cells.iter().map(|&cell| image(symmetry, cell)).collect())
}

fn set(cells: &[u8]) -> u64 {
    cells.iter().fold(0, |set, cell| set | 1 << cell)
}

/// Where patterns are read: for each place the pattern's number and the cells, in the order of their digits.
pub fn places() -> Vec<(usize, Vec<u8>)> {
    let mut places: Vec<(usize, Vec<u8>)> = Vec::new();
    for (pattern, cells) in PATTERNS.iter().enumerate() {
        let first = places.len();
        for image in images(cells) {
            if places[first..].iter().all(|(_, there)| set(there) != set(&image)) {
                places.push((pattern, image));
            }
        }
    }
    places
}

/// How many places each pattern is read at.
const PLACES_OF: [usize; 11] = [4, 8, 4, 4, 4, 4, 2, 4, 4, 4, 4];

/// The first row of each place's table among the rows of all tables.
pub const STARTS: [usize; PLACES] = {
    let mut starts = [0; PLACES];
    let (mut place, mut pattern, mut start) = (0, 0, 0);
    while pattern < PATTERNS.len() {
        let mut i = 0;
        while i < PLACES_OF[pattern] {
            starts[place] = start;
            place += 1;
            i += 1;
        }
        start += 3usize.pow(PATTERNS[pattern].len() as u32);
        pattern += 1;
    }
    assert!(place == PLACES && start == ROWS);
    starts
};

/// The weight of each row of all tables. Rows that the pattern's own symmetries turn into each other have the same.
pub fn weights() -> Vec<u32> {
    let mut weights: Vec<u32> = Vec::with_capacity(ROWS);
    let mut next = 0;
    for cells in PATTERNS {
        let start = weights.len();
        // The value of each digit in the number of the image.
        let own = images(cells).filter(|image| set(image) == set(cells));
        let turns: Vec<Vec<usize>> = own
            .map(|image| {
                let place = |cell| cells.iter().position(|other| other == cell).unwrap_or(0);
                image.iter().map(|cell| 3usize.pow(place(cell) as u32)).collect()
            })
            .collect();
        for row in 0..3usize.pow(cells.len() as u32) {
            let turned = |values: &Vec<usize>| {
                let mut rest = row;
                let digit = |value: &usize| {
                    let digit = rest % 3;
                    rest /= 3;
                    digit * value
                };
                values.iter().map(digit).sum::<usize>()
            };
            let first = turns.iter().map(turned).min().unwrap_or(row);
            if first == row {
                weights.push(next);
                next += 1;
            } else {
                weights.push(weights[start + first]);
            }
        }
    }
    weights
}

//! Solves Sudoku on bitboards of candidates: for each digit, one word per band of three rows. The project's fastest
//! solver.
//!
//! A band is three rows and consists of nine groups of three cells: the intersection of a row and a box. A digit
//! stands in one group of each row and of each box, so the groups it takes in a band form one of the six permutations
//! of three. One table look-up removes every group that no remaining permutation contains. The same applies to the
//! columns in a stack of boxes. This covers the rules known as "pointing" and "claiming", and a digit that is alone
//! in its box or column soon becomes alone in its row.

/// The cells of a band.
const BAND: u32 = (1 << 27) - 1;
/// The first cell of each of a band's rows.
const ROWS: u32 = 1 | 1 << 9 | 1 << 18;
/// The first cell of each of a band's groups.
const GROUPS: u32 = 0o111_111_111;

/// The candidates: by digit and band, the possible cells.
#[derive(Clone, Copy)]
struct Candidates {
    digits: [[u32; 3]; 9],
    /// Each digit's cells when it was last processed.
    seen: [[u32; 3]; 9],
    solved: [u32; 3],
}

/// The result of [`solve`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solved {
    /// The first solution found, with digits from 1.
    pub first: Option<[u8; 81]>,
    /// The number of solutions found.
    pub count: u64,
    /// Guesses made.
    pub guesses: u64,
    /// Whether all solutions were found.
    pub is_complete: bool,
}

/// Finds up to `limit` solutions of a grid of 81 digits, with 0 for an empty cell. Gives up after `guesses` guesses.
///
/// # Panics
/// If a digit is greater than 9.
pub fn solve(clues: &[u8; 81], limit: u64, guesses: u64) -> Solved {
    let found = Solved { first: None, count: 0, guesses: 0, is_complete: true };
    let mut search = Search { limit, most_guesses: guesses, found };
    if let Some(start) = Candidates::new(clues) {
        search.look(start);
    }
    search.found
}

struct Search {
    limit: u64,
    most_guesses: u64,
    found: Solved,
}

impl Search {
    /// Counts all solutions of `grid`, up to the limit.
    fn look(&mut self, mut grid: Candidates) {
        loop {
            let Some(counted) = grid.settle() else { return };
            if grid.solved == [BAND; 3] {
                self.found.count += 1;
                self.found.first.get_or_insert_with(|| grid.read());
                return;
            }
            if self.found.guesses == self.most_guesses {
                self.found.is_complete = false;
                return;
            }
            self.found.guesses += 1;
            let (band, cell) = counted.fewest(&grid.solved);
            let digit = (0..9).find(|&d| grid.digits[d][band] & cell != 0).unwrap_or(0);
            let mut guess = grid;
            guess.write(digit, band, cell);
            self.look(guess);
            if self.found.count >= self.limit || !self.found.is_complete {
                self.found.is_complete = false;
                return;
            }
            grid.digits[digit][band] &= !cell;
        }
    }
}

impl Candidates {
    /// The candidates of these clues; `None` if two clues contradict directly.
    fn new(clues: &[u8; 81]) -> Option<Candidates> {
        let mut grid = Candidates { digits: [[BAND; 3]; 9], seen: [[0; 3]; 9], solved: [0; 3] };
        for (place, &clue) in clues.iter().enumerate().filter(|(_, &clue)| clue > 0) {
            let (digit, band, cell) = (usize::from(clue) - 1, place / 27, 1 << (place % 27));
            if grid.digits[digit][band] & cell == 0 {
                return None;
            }
            grid.write(digit, band, cell);
        }
        Some(grid)
    }

    /// Writes a digit into a cell: removes the cell's other digits, and the digit from the rest of its row. Boxes and
    /// columns follow when the digit is next processed.
    #[inline(always)]
    fn write(&mut self, digit: usize, band: usize, cell: u32) {
        for other in &mut self.digits {
            other[band] &= !cell;
        }
        let row = 511 << (cell.trailing_zeros() / 9 * 9);
        self.digits[digit][band] = self.digits[digit][band] & !row | cell;
        self.solved[band] |= cell;
    }

    /// Propagates constraints until nothing changes, and returns the candidate counts. `None` if there is no
    /// solution.
    #[inline(always)]
    fn settle(&mut self) -> Option<Counted> {
        loop {
            let mut is_settled = true;
            for digit in 0..9 {
                if self.digits[digit] != self.seen[digit] {
                    self.settle_digit(digit)?;
                    is_settled = false;
                }
            }
            if !is_settled {
                continue;
            }
            let counted = Counted::of(&self.digits)?;
            for band in 0..3 {
                let mut singles = counted.one[band] & !counted.two[band] & !self.solved[band];
                is_settled &= singles == 0;
                while singles != 0 {
                    let cell = singles & singles.wrapping_neg();
                    singles ^= cell;
                    let digit = (0..9).find(|&d| self.digits[d][band] & cell != 0)?;
                    self.write(digit, band, cell);
                }
            }
            if is_settled {
                return Some(counted);
            }
        }
    }

    /// Propagates one digit, and writes cells that are the last of their row.
    #[inline(always)]
    fn settle_digit(&mut self, digit: usize) -> Option<()> {
        let mut bands = self.digits[digit];
        loop {
            for band in &mut bands {
                *band &= IN_BAND[groups(*band)];
                if *band == 0 {
                    return None;
                }
            }
            // The columns used in each band, as the rows of one word.
            let columns = bands.map(|band| (band | band >> 9 | band >> 18) & 511);
            let columns = columns[0] | columns[1] << 9 | columns[2] << 18;
            let mut left = 0;
            for stack in [0, 3, 6] {
                let possible = IN_STACK[squeezed_rows((columns >> stack) & (7 * ROWS))];
                if possible == 0 {
                    return None;
                }
                left |= possible << stack;
            }
            if left == columns {
                break;
            }
            for (i, band) in bands.iter_mut().enumerate() {
                *band &= (left >> (9 * i) & 511) * ROWS;
            }
        }
        self.digits[digit] = bands;
        self.seen[digit] = bands;
        for (band, &cells) in bands.iter().enumerate() {
            let singles = alone(cells) & !self.solved[band];
            if singles != 0 {
                self.solved[band] |= singles;
                for other in (0..9).filter(|&other| other != digit) {
                    self.digits[other][band] &= !singles;
                }
            }
        }
        Some(())
    }

    fn read(&self) -> [u8; 81] {
        let has = |digit: usize, place: usize| self.digits[digit][place / 27] >> (place % 27) & 1 == 1;
        std::array::from_fn(|place| (0..9).find(|&d| has(d, place)).map_or(0, |d| d as u8 + 1))
    }
}

/// The cells with at least one, two, three candidates.
struct Counted {
    one: [u32; 3],
    two: [u32; 3],
    three: [u32; 3],
}

impl Counted {
    /// Counts the candidates; `None` if a cell has no candidate.
    #[inline(always)]
    fn of(digits: &[[u32; 3]; 9]) -> Option<Counted> {
        let mut counted = Counted { one: [0; 3], two: [0; 3], three: [0; 3] };
        for digit in digits {
            for (band, &cells) in digit.iter().enumerate() {
                counted.three[band] |= counted.two[band] & cells;
                counted.two[band] |= counted.one[band] & cells;
                counted.one[band] |= cells;
            }
        }
        (counted.one == [BAND; 3]).then_some(counted)
    }

    /// A cell with two candidates if there is one, otherwise any unsolved cell: its band and bit.
    #[inline(always)]
    fn fewest(&self, solved: &[u32; 3]) -> (usize, u32) {
        let of = |cells: u32| cells & cells.wrapping_neg();
        let pairs = (0..3).map(|band| (band, of(self.two[band] & !self.three[band])));
        let any = (0..3).map(|band| (band, of(!solved[band] & BAND)));
        pairs.chain(any).find(|&(_, cell)| cell != 0).unwrap_or((0, 1))
    }
}

/// The groups of a band that have a cell: bit 3 * row + box.
#[inline(always)]
fn groups(band: u32) -> usize {
    let firsts = (band | band >> 1 | band >> 2) & GROUPS;
    squeezed_rows((firsts | firsts >> 2 | firsts >> 4) & (7 * ROWS))
}

/// The lowest three bits of each row, packed into nine.
#[inline(always)]
fn squeezed_rows(bits: u32) -> usize {
    ((bits | bits >> 6 | bits >> 12) & 511) as usize
}

/// The cells that are alone in their row; no row may be empty.
#[inline(always)]
fn alone(band: u32) -> u32 {
    // Clear the first cell of each row: nothing remains where it was alone.
    let rest = band & (band - ROWS);
    let several = (rest | ((rest & (255 * ROWS)) + 255 * ROWS)) & (256 * ROWS);
    band & !(several | (several - (several >> 8)))
}

/// By the free places of a 3x3 square: those that occur in some permutation, with one in each row and column.
static POSSIBLE: [u16; 512] = {
    const CHOICES: [u16; 6] = [0o421, 0o241, 0o412, 0o142, 0o214, 0o124];
    let mut table = [0; 512];
    let mut free = 0;
    while free < 512 {
        let mut i = 0;
        while i < 6 {
            if CHOICES[i] & free as u16 == CHOICES[i] {
                table[free] |= CHOICES[i];
            }
            i += 1;
        }
        free += 1;
    }
    table
};

/// The look-up table of a band's groups, as cells of the band.
static IN_BAND: [u32; 512] = {
    let mut table = [0; 512];
    let mut free = 0;
    while free < 512 {
        let mut group = 0;
        while group < 9 {
            if POSSIBLE[free] >> group & 1 == 1 {
                table[free] |= 7 << (3 * group);
            }
            group += 1;
        }
        free += 1;
    }
    table
};

/// The look-up table of a stack's columns over three bands, each band's columns in the lowest bits of a row.
static IN_STACK: [u32; 512] = {
    let mut table = [0; 512];
    let mut free = 0;
    while free < 512 {
        let places = POSSIBLE[free] as u32;
        table[free] = places & 7 | (places >> 3 & 7) << 9 | (places >> 6) << 18;
        free += 1;
    }
    table
};

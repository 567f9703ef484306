//! Generates and orders the cells that the search tries.

use coppice::Score;

use super::ThreatSearch;

/// With more free cells than this, the search never tries them all, so it never calls a position lost.
pub(super) const MOST_ANSWERS: usize = 400;

/// A candidate move: its sort key (larger first) and its cell.
pub(super) type Candidate = (i32, u16);

impl ThreatSearch {
    /// Appends the free cells near marks to `lists`, the best of them sorted to the front, cells in `first` before
    /// all others. Returns the best cell.
    pub(super) fn candidates(&mut self, player: usize, first: &[u16]) -> usize {
        let start = self.lists.len();
        for word in 0..self.field.words() {
            let near = self.near[word] & self.field.free().0[word];
            self.list(player, word, near, first);
        }
        if self.lists.len() == start {
            // The board is empty, or every cell near a mark is taken.
            let centre = self.centre();
            self.lists.push((0, centre as u16));
        }
        let width = (self.numbers.root_width.max(self.numbers.width) as usize) << self.wider;
        let list = &mut self.lists[start..];
        let largest_first = |a: &Candidate, b: &Candidate| b.cmp(a);
        if list.len() > 2 * width {
            list.select_nth_unstable_by(width, largest_first);
            list[..width].sort_unstable_by(largest_first);
            if self.field.free().1 > MOST_ANSWERS {
                self.lists.truncate(start + width.min(MOST_ANSWERS));
            } else {
                self.lists[start + width..].sort_unstable_by(largest_first);
            }
        } else {
            list.sort_unstable_by(largest_first);
        }
        usize::from(self.lists[start].1)
    }

    fn list(&mut self, player: usize, word: usize, mut cells: u64, first: &[u16]) {
        while cells != 0 {
            let at = 64 * word + cells.trailing_zeros() as usize;
            cells &= cells - 1;
            let own = self.field.gain(at, player);
            let mut key = 2 * own + self.field.gain(at, 1 - player);
            if let Some(place) = first.iter().position(|&first| usize::from(first) == at) {
                key += 1 << (29 - place);
            }
            self.lists.push((key, at as u16));
        }
    }

    /// The free cell closest to the middle.
    pub(super) fn centre(&self) -> usize {
        let middle = self.field.place(self.field.len() - 1);
        let far = |at: usize| {
            let cell = self.field.place(at);
            let [row, column] = [(cell.row, middle.row), (cell.column, middle.column)]
                .map(|(at, last)| (2 * i32::from(at) - i32::from(last)).abs());
            row + column
        };
        (0..self.field.len()).filter(|&at| self.field.mark(at) == 0).min_by_key(|&at| far(at)).unwrap_or(0)
    }

    /// The candidate to try after `tried` others of the list that begins at `start`: one of the best `width`, or, as
    /// long as all of them have lost, any free cell.
    pub(super) fn next(
        &mut self,
        player: usize,
        start: usize,
        tried: usize,
        width: usize,
        best: Score,
    ) -> Option<Candidate> {
        let (free, words) = (self.field.free().1, self.field.words());
        if tried >= width && !(best.is_loss() && free <= MOST_ANSWERS) {
            return None;
        }
        if start + tried == self.lists.len() && tried < free && free <= MOST_ANSWERS {
            // Only after the cells far from all marks can a position be lost or fully searched.
            if !best.is_loss() && width < self.field.len() {
                return None;
            }
            let listed = self.lists.len();
            for word in 0..words {
                let far = !self.near[word] & self.field.free().0[word];
                self.list(player, word, far, &[]);
            }
            // On an empty board the middle is already listed.
            let centre = self.lists[start].1;
            if listed == start + 1 {
                if let Some(twice) = (listed..self.lists.len()).find(|&i| self.lists[i].1 == centre) {
                    self.lists.remove(twice);
                }
            }
        }
        self.lists.get(start + tried).copied()
    }

    /// Adds a mark to the neighbourhood counts of the cells around it, or removes it.
    pub(super) fn surround<const PUT: bool>(&mut self, at: usize) {
        const REACH: usize = 2;
        let (cell, last) = (self.field.place(at), self.field.place(self.field.len() - 1));
        let columns = usize::from(last.column) + 1;
        let around = |at: u8, last: u8| {
            let at = usize::from(at);
            at.saturating_sub(REACH)..=(at + REACH).min(usize::from(last))
        };
        for row in around(cell.row, last.row) {
            for column in around(cell.column, last.column) {
                let near = row * columns + column;
                let count = &mut self.around[near];
                if PUT {
                    *count += 1;
                    self.near[near / 64] |= 1 << (near % 64);
                } else {
                    *count -= 1;
                    if *count == 0 {
                        self.near[near / 64] &= !(1 << (near % 64));
                    }
                }
            }
        }
    }
}

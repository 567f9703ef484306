//! Lines of more than [`MAX_IN_LINE`](super::MAX_IN_LINE) cells: the counts of the cells around a mark are recomputed, in O(K²)
//! for all of them instead of O(K).

use super::{Board, Former};
use crate::mnk::cell::Cell;
use crate::mnk::heuristic::Counts;

impl<const C: usize> Board<C> {
    /// Does what `shift` does.
    #[cold]
    #[inline(never)]
    pub(super) fn count_anew<const TAKE_BACK: bool>(&mut self, cell: Cell, player: usize) -> bool {
        let (index, columns, in_line) =
            (self.index(cell), isize::from(self.columns), usize::from(self.in_line));
        let mark = self.marks[index];
        if TAKE_BACK {
            self.marks[index] = 0;
        }
        let (mut line, mut slot) = (false, self.written as usize % C);
        for (back, forth, step) in self.lines(cell, columns) {
            let start = index.wrapping_add_signed(-(back as isize) * step);
            let mut run = 0;
            for place in 0..=back + forth {
                let at = start.wrapping_add_signed(place as isize * step);
                run = if usize::from(self.marks[at]) == player + 1 { run + 1 } else { 0 };
                line |= run >= in_line;
                if self.marks[at] != 0 || at == index {
                    continue;
                }
                let counts = self.counted(at);
                let former = std::mem::replace(&mut self.counts[at], counts);
                self.balance += i64::from(counts.balance()) - i64::from(former.balance());
                if !TAKE_BACK {
                    self.former[slot] = Former { counts: former, at: at as u16 };
                    slot = if slot + 1 == C { 0 } else { slot + 1 };
                    self.written += 1;
                }
            }
        }
        self.marks[index] = mark;
        line
    }

    /// The counts of a free cell, from the marks around it.
    fn counted(&self, at: usize) -> Counts {
        let (columns, in_line) = (usize::from(self.columns), usize::from(self.in_line));
        let cell = Cell::new((at / columns) as u8, (at % columns) as u8);
        // Of each player: windows without opposing marks, those that lack one mark, those that lack two, own marks in line.
        let (mut numbers, mut neighbours) = ([[0; 4]; 2], 0);
        for (back, forth, step) in self.lines(cell, columns as isize) {
            let mark = |place: usize| {
                let steps = place as isize - back as isize;
                usize::from(self.marks[at.wrapping_add_signed(steps * step)])
            };
            let (len, mut marks) = (back + forth + 1, [0; 3]);
            for place in 0..len {
                marks[mark(place)] += 1;
                if place >= in_line {
                    marks[mark(place - in_line)] -= 1;
                }
                if place + 1 < in_line {
                    continue;
                }
                for (player, numbers) in numbers.iter_mut().enumerate() {
                    if marks[2 - player] == 0 {
                        let lacks = in_line - marks[player + 1];
                        numbers[0] += 1;
                        numbers[1] += u32::from(lacks == 1);
                        numbers[2] += u32::from(lacks == 2);
                    }
                }
            }
            for (player, numbers) in numbers.iter_mut().enumerate() {
                let own = |mark: &usize| *mark == player + 1;
                let open = |mark: &usize| *mark != 2 - player;
                let below = (0..back).rev().map(mark).take_while(open).filter(own).count();
                let above = (back + 1..len).map(mark).take_while(open).filter(own).count();
                numbers[3] += (below + above) as u32;
            }
            neighbours +=
                u16::from(back > 0 && mark(back - 1) != 0) + u16::from(forth > 0 && mark(back + 1) != 0);
        }
        Counts::of(numbers, neighbours)
    }
}

//! Solves Kalah positions exactly.
//!
//! The value depends on the counters in the holes alone: the stores only shift the goal. So the tables store
//! positions without their stores, and the search asks a series of yes-or-no questions: does the mover get at least
//! `need` of the counters in the holes? Each question goes to ever deeper searches first, which judge the remainder
//! by a rule of thumb; their best moves order the search to the end. Positions with few counters come from an endgame
//! database.
//!
//! (6, 4) takes 171 million nodes without empty captures, 30 million of them positions of the endgame database, and 69
//! million with empty captures: 38 and 13 s of processor time on a busy machine.

mod child;
mod few;
mod table;

use coppice::clock::Meter;
use coppice::{Budget, Game, Report, Score, Search};

use crate::mancala::board::Board;
use crate::mancala::eval::{worth, UNIT};
use child::Child;
use few::Few;
use table::{Belief, Key, Known, Table, NO_MOVE};

/// Depths in turns: of the first search, the increment between searches, and the last depth before the search to the
/// end. Moving again is not a new turn.
const FIRST: u32 = 2;
const STEP: u32 = 4;
const LAST: u32 = 22;

/// A depth beyond any game, so that nothing is judged by the rule of thumb.
const TO_THE_END: u32 = 10_000;

/// Positions with more counters than this in their holes use the big table. The others are many and cheap to search
/// again; they use a table that fits into a processor's own cache. With all of them in the big table, (6, 4) ran at a
/// third of the nodes per second. Children are not probed there before they are searched: doing so made (6, 4) a
/// third slower, for 3 % fewer nodes.
const FAR: u32 = 24;

/// Size of the small table in bytes, and the maximum for the endgame database, which then holds up to 16 counters
/// with six holes a side. With up to 18, (6, 4) took half the nodes and the same time.
const NEAR_BYTES: usize = 512 << 10;
const FEW_BYTES: usize = 32 << 20;

/// Endgame positions computed in the time of one search node.
const FEW_PER_NODE: u64 = 3;

/// Solves positions of one variant.
///
/// A search with an unlimited budget ends with the exact margin as a [`Score::estimate`]. A search that runs out of
/// its budget returns no good move, but its findings stay in the tables and the next search of the position continues
/// from them.
#[derive(Debug, Clone)]
pub struct Solver {
    far: Table,
    near: Table,
    few: Few,
    /// Maximum size of `few` in bytes.
    few_bytes: usize,
    /// The variant of the last position. The tables are valid for one variant only.
    variant: Option<(u32, bool)>,
    meter: Meter<1024>,
}

/// The result of one search of a position.
#[derive(Debug, Clone, Copy)]
struct Answer {
    /// A lower bound on the counters if it reaches the number asked for, else an upper bound.
    value: u32,
    /// Whether the value is independent of the rule of thumb.
    is_proved: bool,
}

impl Answer {
    fn proved(value: u32) -> Answer {
        Answer { value, is_proved: true }
    }
}

impl Solver {
    /// A solver that uses about `bytes` bytes, and at least 1 MB.
    pub fn new(bytes: usize) -> Solver {
        let few_bytes = FEW_BYTES.min(bytes / 8);
        Solver {
            far: Table::with_bytes(bytes.saturating_sub(NEAR_BYTES + few_bytes)),
            near: Table::with_bytes(NEAR_BYTES),
            few: Few::new(1, false, 0),
            few_bytes,
            variant: None,
            meter: Meter::new(Budget::nodes(0)),
        }
    }

    /// Prepares for a position and a budget.
    fn begin(&mut self, board: &Board, budget: Budget) {
        let variant = Some((board.holes(), board.empty_capture()));
        if self.variant != variant {
            if self.variant.is_some() {
                self.far.clear();
                self.near.clear();
            }
            self.few = Few::new(board.holes(), board.empty_capture(), self.few_bytes);
            self.variant = variant;
        }
        self.meter = Meter::new(budget);
    }

    /// The table for positions with `left` counters in their holes.
    #[inline(always)]
    fn table(&self, left: u32) -> &Table {
        if left > FAR {
            &self.far
        } else {
            &self.near
        }
    }

    /// The bounds stored for a position with `left` counters in its holes.
    #[inline(always)]
    fn known(&self, key: Option<Key>, left: u32) -> Known {
        let table = self.table(left);
        let found = key.and_then(|key| table.find(table.place(key)));
        found.unwrap_or(Known { least: 0, most: left, best: NO_MOVE, believed: None })
    }

    fn store(&mut self, key: Option<Key>, left: u32, known: Known, nodes: u64) {
        let table = if left > FAR { &mut self.far } else { &mut self.near };
        if let Some(key) = key {
            table.store(table.place(key), known, nodes);
        }
    }

    /// The number of counters in the holes that the mover gets, and the number of questions asked. The first is
    /// `None` if the budget ran out.
    fn solve(&mut self, board: &Board) -> (Option<u32>, u32) {
        let (mut guess, mut questions, mut worked_out) = (board.left().div_ceil(2), 0, 0);
        let depths = (FIRST..=LAST).step_by(STEP as usize).chain([TO_THE_END]);
        for depth in depths {
            let (mut low, mut high) = (0, board.left());
            let mut is_proved = true;
            let mut need = guess.max(1);
            while low < high {
                worked_out += self.grow(board.left(), self.meter.nodes() - worked_out);
                let answer = self.value(board, board.left(), need, depth);
                if self.meter.is_spent() {
                    return (None, questions);
                }
                questions += 1;
                is_proved &= answer.is_proved;
                if answer.value >= need {
                    (low, need) = (answer.value.min(high), answer.value + 1);
                } else {
                    (high, need) = (answer.value.max(low), answer.value.max(1));
                }
            }
            if is_proved {
                return (Some(low), questions);
            }
            guess = low;
        }
        (None, questions)
    }

    /// Extends the endgame database by levels that each take no longer than the `searched` nodes did, so that small
    /// problems don't wait for it. Returns the nodes spent.
    fn grow(&mut self, left: u32, searched: u64) -> u64 {
        let begun = self.meter.nodes();
        while let Some(next) = self.few.next() {
            let is_worth_it = self.few.levels() <= left && next as u64 <= searched * FEW_PER_NODE;
            if !is_worth_it || self.meter.is_spent() {
                break;
            }
            self.few.grow(&mut self.meter);
        }
        self.meter.nodes() - begun
    }

    /// A move that gets its mover `need` counters, which must exist; `None` if the budget ran out.
    fn best(&mut self, board: &Board, need: u32) -> Option<u8> {
        let mut list = <Board as Game>::Moves::default();
        board.moves(&mut list);
        for &hole in list.iter() {
            let child = Child::new(board, hole);
            let gets = match child.left {
                0 => child.gain,
                _ if child.gain >= need => child.gain,
                _ if child.gain + child.left < need => 0,
                left => child.total(self.value(&child.board, left, child.question(need), TO_THE_END).value),
            };
            if self.meter.is_spent() {
                return None;
            }
            if gets >= need {
                return Some(hole);
            }
        }
        None
    }

    /// How many of the `left` counters the mover gets: a lower bound if the answer is at least `need`, else an upper
    /// bound. Meaningless once the budget has run out.
    fn value(&mut self, board: &Board, left: u32, need: u32, depth: u32) -> Answer {
        let (own, other) = board.sides();
        let key = Key::new(own, other);
        let mut known = self.known(key, left);
        if known.least >= need {
            return Answer::proved(known.least);
        }
        if known.most < need {
            return Answer::proved(known.most);
        }
        if let Some(Belief { depth: deep, value, is_least }) = known.believed {
            if deep >= depth && is_least == (value >= need) {
                return Answer { value, is_proved: false };
            }
        }
        if depth == 0 {
            return Answer { value: rule_of_thumb(board, left), is_proved: false };
        }
        let mut children = [Child::NONE; 6];
        let (count, settled) = match self.children(board, need, known.best, &mut children) {
            Ok(open) => open,
            Err(enough) => return Answer::proved(enough),
        };
        let begun = self.meter.nodes();
        let mut best = Answer::proved(settled);
        let mut best_move = None;
        for i in 0..count {
            let at = (i..count).fold(i, |at, j| if children[j].rank > children[at].rank { j } else { at });
            children.swap(i, at);
            if !self.meter.take() {
                return best;
            }
            let child = &children[i];
            let below = if child.again { depth } else { depth - 1 };
            let answer = self.value(&child.board, child.left, child.question(need), below);
            if self.meter.is_spent() {
                return best;
            }
            let value = child.total(answer.value);
            if value >= need {
                best_move = Some(child.hole);
                best = Answer { value, ..answer };
                break;
            }
            best = Answer { value: best.value.max(value), is_proved: best.is_proved && answer.is_proved };
        }
        known.best = best_move.unwrap_or(known.best);
        match (best.is_proved, best_move.is_some()) {
            (true, true) => known.least = known.least.max(best.value),
            (true, false) => known.most = known.most.min(best.value),
            (false, is_least) => known.believed = Some(Belief { depth, value: best.value, is_least }),
        }
        self.store(key, left, known, self.meter.nodes() - begun);
        best
    }

    /// The children that the database doesn't settle, with their ranks: their number, and the most that a settled one
    /// gets. `Err` if a settled move gets at least `need`, with the number it gets.
    #[inline(always)]
    fn children(
        &self,
        board: &Board,
        need: u32,
        first: u8,
        children: &mut [Child; 6],
    ) -> Result<(usize, u32), u32> {
        let mut list = <Board as Game>::Moves::default();
        board.moves(&mut list);
        let (mut count, mut best) = (0, 0);
        for &hole in list.iter() {
            let mut child = Child::new(board, hole);
            let (least, most) = self.range(&child);
            let (a, b) = (child.total(least), child.total(most));
            if a.min(b) >= need {
                return Err(a.min(b));
            }
            if a.max(b) < need {
                best = best.max(a.max(b));
                continue;
            }
            child.rank = if hole == first { i32::MAX } else { child.static_rank() };
            children[count] = child;
            count += 1;
        }
        Ok((count, best))
    }

    /// Lower and upper bound on the counters that the player to move next gets.
    #[inline(always)]
    fn range(&self, child: &Child) -> (u32, u32) {
        if child.left >= self.few.levels() {
            return (0, child.left);
        }
        let (own, other) = child.board.sides();
        let value = self.few.get(own, other);
        (value, value)
    }
}

impl Search<Board> for Solver {
    fn search(&mut self, board: &Board, budget: Budget) -> Report<u8> {
        self.begin(board, budget);
        let mut list = <Board as Game>::Moves::default();
        board.moves(&mut list);
        let Some(&any) = list.first() else {
            return Report::ended(Score::estimate(board.store_difference()));
        };
        let left = board.left() as i32;
        let score = |gets: u32| Score::estimate(board.store_difference() + 2 * gets as i32 - left);
        let (value, depth) = self.solve(board);
        let best = value.and_then(|value| Some((value, self.best(board, value)?)));
        let nodes = self.meter.nodes();
        match best {
            Some((value, best)) => {
                Report { best: Some(best), score: score(value), nodes, depth, solved: true, restarted: false }
            }
            None => {
                let (own, other) = board.sides();
                let known = self.known(Key::new(own, other), board.left());
                let best = list.iter().copied().find(|&hole| hole == known.best).unwrap_or(any);
                Report {
                    best: Some(best),
                    score: score(known.least),
                    nodes,
                    depth,
                    solved: false,
                    restarted: false,
                }
            }
        }
    }
}

/// Estimates the counters the mover gets: half of them, plus half of the value of its holes minus the opponent's.
/// With a tenth of the counter difference instead, (6, 4) with empty captures took 1.4 times the nodes.
#[inline(always)]
fn rule_of_thumb(board: &Board, left: u32) -> u32 {
    let left = left as i32;
    (left / 2 + worth(board) / (2 * UNIT)).clamp(0, left) as u32
}

#[cfg(test)]
mod tests;

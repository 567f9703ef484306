//! Solves Othello endings exactly: the final margin. The bot's own solver only proves who wins.

use bots::reversi::board::{flips, mobility};
use bots::reversi::Cell;

/// Entries of the table, a power of two.
const ENTRIES: usize = 1 << 17;
/// With this many empty cells or more, positions are looked up in the table.
const TABLE_FROM: u32 = 7;
/// With this many empty cells or more, moves that leave few replies are tried first.
const SORT_FROM: u32 = 6;
/// The window that no margin leaves.
const WIDEST: i32 = 65;

/// A position's bounds.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    own: u64,
    opponent: u64,
    low: i8,
    high: i8,
    best: u8,
}

/// A solver with its table.
#[derive(Debug)]
pub struct Solver {
    table: Vec<Entry>,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

impl Solver {
    /// A solver with an empty table.
    pub fn new() -> Solver {
        Solver { table: vec![Entry::default(); ENTRIES] }
    }

    /// The final margin for the player to move after best play, searched outwards from `guess`.
    pub fn solve(&mut self, own: u64, opponent: u64, guess: i32) -> i32 {
        let (mut low, mut high) = (-WIDEST, WIDEST);
        let mut value = guess.clamp(-60, 60);
        while low < high {
            let beta = if value == low { value + 1 } else { value };
            value = self.node(own, opponent, beta - 1, beta, false);
            if value < beta {
                high = value;
            } else {
                low = value;
            }
        }
        value
    }

    /// Whether the final margin for the player to move is at most `margin`.
    pub fn at_most(&mut self, own: u64, opponent: u64, margin: i32) -> bool {
        self.node(own, opponent, margin, margin + 1, false) <= margin
    }

    fn node(&mut self, own: u64, opponent: u64, alpha: i32, beta: i32, passed: bool) -> i32 {
        let moves = mobility(own, opponent);
        if moves == 0 {
            if passed {
                return own.count_ones() as i32 - opponent.count_ones() as i32;
            }
            return -self.node(opponent, own, -beta, -alpha, true);
        }
        let empty = !(own | opponent);
        let empties = empty.count_ones();
        let slot = index(own, opponent);
        let mut first = u8::MAX;
        let (mut low, mut high) = (-WIDEST, WIDEST);
        if empties >= TABLE_FROM {
            let entry = self.table[slot];
            if (entry.own, entry.opponent) == (own, opponent) {
                (low, high, first) = (entry.low.into(), entry.high.into(), entry.best);
                if low >= beta || low == high {
                    return low;
                }
                if high <= alpha {
                    return high;
                }
            }
        }
        let mut list = [(0, 0u8); 64];
        let mut count = 0;
        let mut left = moves;
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            let rank = if bit as u8 == first {
                i32::MIN
            } else if empties >= SORT_FROM {
                let flipped = flips(Cell::new(bit), own, opponent);
                let replies = mobility(opponent & !flipped, own | flipped | 1 << bit);
                2 * replies.count_ones() as i32 - odd(empty, bit)
            } else {
                -odd(empty, bit)
            };
            list[count] = (rank, bit as u8);
            count += 1;
        }
        let list = &mut list[..count];
        list.sort_unstable();
        let (mut best, mut best_move) = (-WIDEST, first);
        for &(_, bit) in list.iter() {
            let flipped = flips(Cell::new(bit.into()), own, opponent);
            let (next, other) = (opponent & !flipped, own | flipped | 1 << bit);
            let value = -self.node(next, other, -beta, -alpha.max(best), false);
            if value > best {
                (best, best_move) = (value, bit);
                if best >= beta {
                    break;
                }
            }
        }
        if empties >= TABLE_FROM {
            if best >= beta {
                low = low.max(best);
            } else {
                high = high.min(best);
            }
            self.table[slot] = Entry { own, opponent, low: low as i8, high: high as i8, best: best_move };
        }
        best
    }
}

/// 1 if the quadrant of this cell has an odd number of empty cells.
fn odd(empty: u64, bit: u32) -> i32 {
    let quadrant = 0x0f0f_0f0f_u64 << (bit & 0b10_0000 | bit & 0b100);
    (empty & quadrant).count_ones() as i32 & 1
}

fn index(own: u64, opponent: u64) -> usize {
    coppice::rng::mix(own ^ coppice::rng::mix(opponent)) as usize % ENTRIES
}

#[cfg(test)]
mod tests {
    use bots::reversi::Board;
    use coppice::{Game, Payoff, Rng};

    use super::*;

    /// Plain negamax.
    fn slow(board: &Board) -> i32 {
        let mut list = Default::default();
        board.moves(&mut list);
        let value = |&cell: &Cell| -slow(&board.after(cell));
        let Payoff(margin) = board.payoff(board.to_move());
        list.iter().map(value).max().unwrap_or(margin)
    }

    #[test]
    fn margins_are_those_of_plain_negamax() {
        let mut rng = Rng::new(3);
        let mut solver = Solver::new();
        let mut solved = 0;
        for empties in (2..=8).cycle().take(140) {
            let mut board = Board::START;
            while board.empty().count_ones() > empties {
                let Some(cell) = board.random_move(&mut rng) else { break };
                board.play(cell);
            }
            if board.empty().count_ones() > empties {
                continue;
            }
            let guess = rng.below(40) as i32 - 20;
            assert_eq!(solver.solve(board.own(), board.opponent(), guess), slow(&board), "{board}");
            solved += 1;
        }
        assert!(solved > 100, "{solved}");
    }
}

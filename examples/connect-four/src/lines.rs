//! An evaluation by hand: discs near the middle, and lines of four cells that are still open.

use coppice::{Evaluation, Score};

use crate::board::{ConnectFour, CELLS};

/// How far a line's next cell is: upwards, sideways, and along both diagonals.
pub const STEPS: [u32; 4] = [1, 7, 8, 9];

/// 3 for a disc in the middle column and one less for each column that it is away, 2 for each line in which the opponent
/// has no disc; own minus the opponent's. The weights are those of examples/own-contest.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lines;

/// The first cells of the lines of four cells that are all in this set.
#[inline(always)]
pub(crate) fn starts(cells: u64, step: u32) -> u64 {
    let pairs = cells & cells >> step;
    pairs & pairs >> (2 * step)
}

impl Evaluation<ConnectFour> for Lines {
    #[inline(always)]
    fn evaluate(&self, game: &ConnectFour) -> Score {
        let (own, other) = game.discs();
        let worth = |discs: u64, opponent: u64| {
            let column = |column: u32| (discs >> (8 * column) & 0x3f).count_ones();
            let middle = 3 * column(3) + 2 * (column(2) + column(4)) + column(1) + column(5);
            let open = STEPS.map(|step| starts(CELLS & !opponent, step).count_ones());
            (middle + 2 * open.iter().sum::<u32>()) as i32
        };
        Score::estimate(worth(own, other) - worth(other, own))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_middle_columns_count() {
        assert_eq!(STEPS.map(|step| starts(CELLS, step).count_ones()), [21, 12, 24, 12]);
        let mut game = ConnectFour::START;
        assert_eq!(Lines.evaluate(&game), Score::DRAW);
        coppice::Game::play(&mut game, 3);
        // A disc at the bottom of the middle closes 4 lines sideways, 1 upwards and 2 along diagonals.
        assert_eq!(Lines.evaluate(&game), Score::estimate(-3 - 2 * 7));
    }
}

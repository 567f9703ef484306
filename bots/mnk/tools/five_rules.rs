//! The five rules for tic-tac-toe that MNKGames (Flecart, 2022) began with, after Zain and others, *Development of
//! Tic-Tac-Toe Game Using Heuristic Search* (2020): win; block; make a fork; hinder a fork; open as many lines as possible.

use coppice::{Budget, Game, Player, Report, Reversible, Rng, Score, Search};

use crate::mnk::board::Board;
use crate::mnk::cell::Cell;

/// Plays by the rules alone; of several cells that a rule allows, any.
pub struct FiveRules(Rng);

impl FiveRules {
    /// A player that breaks ties by `seed`.
    pub fn new(seed: u64) -> FiveRules {
        FiveRules(Rng::new(seed))
    }
}

/// The number of the first rule that applies to a cell, from 1, and how well it does, for rule 5.
fn rule<const C: usize>(board: &Board<C>, cell: Cell, me: Player) -> (u32, i32) {
    let counts = board.counts(cell);
    let [own, other] = [me, me.other()].map(|player| counts.value(player));
    match (own, other) {
        (own, _) if own >= END_GAME => (1, 0),
        (_, other) if other >= END_GAME => (2, 0),
        (own, _) if own >= FORK => (3, 0),
        (_, other) if other >= FORK => (4, 0),
        (own, _) => (5, own),
    }
}

/// Values of cells that end the game, and of those at which two lines lack one mark each after a mark: see
/// [`Counts::value`](crate::mnk::heuristic::Counts::value).
const END_GAME: i32 = 1_000_000;
const FORK: i32 = 10_000;

impl<const C: usize> Search<Board<C>> for FiveRules {
    fn search(&mut self, board: &Board<C>, _: Budget) -> Report<Cell> {
        if board.is_over() {
            return Report::ended(Score::ended(board.payoff(board.to_move())));
        }
        let (me, rng) = (board.to_move(), &mut self.0);
        let (mut best, mut first, mut ties) = (None, (u32::MAX, 0), 0);
        board.for_each_move(|cell| {
            let (number, value) = rule(board, cell, me);
            let order = (number, -value);
            if order < first {
                (best, first, ties) = (Some(cell), order, 1);
            } else if order == first {
                ties += 1;
                if rng.below(ties) == 0 {
                    best = Some(cell);
                }
            }
        });
        Report { best, score: Score::DRAW, nodes: 0, depth: 1, solved: false, restarted: false }
    }
}

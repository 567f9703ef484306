//! The bot: paranoid alpha-beta, and the longest path where no opponent can get in.

use coppice::search::{AlphaBeta, AlphaBetaOptions, Beam, BeamOptions, LINE};
use coppice::{Budget, Game, List, Report, Search};

use super::alone::{Alone, Room};
use super::board::{Board, Move};
use super::coalition::Coalition;
use super::eval::{Estimate, Numbers};

/// The bot's search.
pub struct Bot<const N: usize> {
    contested: Paranoid<N>,
    alone: Beam<Alone, Room>,
    estimate: Estimate,
}

impl<const N: usize> Bot<N> {
    /// The bot, whose alpha-beta has these options.
    pub fn new(numbers: &Numbers, options: AlphaBetaOptions) -> Bot<N> {
        let contested = Paranoid::new(Estimate::new(*numbers), options);
        let options = BeamOptions { width: 8, max_width: 256, depth: 600, keep_plan: true };
        let alone = Beam::new(Room, options);
        Bot { contested, alone, estimate: Estimate::new(*numbers) }
    }
}

impl<const N: usize> Search<Board<N>> for Bot<N> {
    fn search(&mut self, board: &Board<N>, budget: Budget) -> Report<Move> {
        match Alone::new(board).filter(|_| !board.is_over()) {
            Some(alone) => {
                let report = self.alone.search(&alone, budget);
                // The length of a path says nothing of the others'.
                Report { score: self.estimate.lead(board), solved: false, ..report }
            }
            None => self.contested.search(board, budget),
        }
    }

    fn line(&self, board: &Board<N>, best: Move) -> List<Move, LINE> {
        self.contested.line(board, best)
    }
}

/// Alpha-beta for one player against all others, whatever their number.
pub struct Paranoid<const N: usize>(AlphaBeta<Coalition<N>, Estimate>);

impl<const N: usize> Paranoid<N> {
    /// The search by this estimate.
    pub fn new(estimate: Estimate, options: AlphaBetaOptions) -> Paranoid<N> {
        Paranoid(AlphaBeta::new(estimate, options))
    }
}

impl<const N: usize> Search<Board<N>> for Paranoid<N> {
    fn search(&mut self, board: &Board<N>, budget: Budget) -> Report<Move> {
        self.0.search(&Coalition::new(*board), budget)
    }

    fn line(&self, board: &Board<N>, best: Move) -> List<Move, LINE> {
        self.0.line(&Coalition::new(*board), best)
    }
}

//! The submitted bot: best-first minimax over the evaluation by patterns, and a solver of endings.

use coppice::search::{BestFirst, BestFirstOptions};
use coppice::tree::{Tree, LINE};
use coppice::{Budget, Evaluation, Game, List, Payoff, Report, Score, Search};

use super::board::Board;
use super::cell::Cell;
use super::ending::{Ending, Solved};
use super::pattern::tables::{Tables, SCALE};

contest::tunables! {
    /// Tunable parameters.
    pub struct Numbers {
        /// The constant C of UCB1, for averages in 0 to 1.
        exploration: f32 = 0.1 in 0.005..=1.0,
        /// The factor on exploration of a move that gives the opponent a free choice of board.
        free_exploration: f32 = 0.5 in 0.0..=1.0,
        /// The share of a turn for solving the ending, in percent.
        ending: u32 = 25 in 0..=90,
        /// Largest number of free cells at which the solver runs.
        free: u32 = 40 in 0..=81,
    }
}

/// Size of the bot's tree and the solver's table in bytes, in addition to about 45 million bytes of the evaluation's tables.
pub const BYTES: usize = 256 << 20;

/// The bot with these parameters, in `bytes` bytes.
pub fn search(numbers: &Numbers, bytes: usize) -> Strategy {
    let mut tables = Tables::trained();
    tables.free_exploration = numbers.free_exploration;
    Strategy::new(tables, numbers, bytes)
}

/// Best-first minimax that looks for certain results first where few cells are left.
///
/// A win is played as the solver found it. In a draw the tree's move is played if it keeps the draw, since the opponent may
/// err; in a loss the tree's move.
#[derive(Debug, Clone)]
pub struct Strategy<E = Tables> {
    tree: BestFirst<Board, E>,
    ending: Ending,
    share: u32,
    free: u32,
}

impl<E: Evaluation<Board>> Strategy<E> {
    /// A bot in `bytes` bytes, an eighth of it for the solver's table.
    pub fn new(evaluation: E, numbers: &Numbers, bytes: usize) -> Strategy<E> {
        let tree = BestFirst::new(evaluation, options(numbers, bytes - bytes / 8));
        let ending = Ending::new(bytes / 8);
        Strategy { tree, ending, share: numbers.ending, free: numbers.free }
    }

    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        self.tree.clear();
        self.ending.clear();
    }

    /// Whether a move certainly keeps a draw, and the solver's nodes.
    fn keeps(&mut self, board: &Board, cell: Cell, budget: Budget) -> (bool, u64) {
        let after = board.after(cell);
        if after.is_over() {
            return (after.payoff(board.to_move()).sign() >= 0, 0);
        }
        let (reply, nodes) = self.ending.solve(self.tree.evaluation(), &after, budget);
        (reply.is_some_and(|reply| reply.result <= 0), nodes)
    }
}

impl<E: Evaluation<Board>> Search<Board> for Strategy<E> {
    fn search(&mut self, board: &Board, budget: Budget) -> Report<Cell> {
        if self.share == 0 || board.is_over() || board.count_free() > self.free {
            return self.tree.search(board, budget);
        }
        let share = budget.share(self.share, 100);
        let (solved, nodes) = self.ending.solve(self.tree.evaluation(), board, share);
        // The solver doesn't count plies: the game ends when all cells are marked at the latest.
        let certain = |sign| Score::ended(Payoff(sign)).add_mate_distance(board.count_free());
        let left = |nodes| budget.and_nodes(budget.max_nodes().saturating_sub(nodes));
        match solved {
            Some(Solved { best, result: 1 }) => {
                Report { best: Some(best), nodes, ..Report::ended(certain(1)) }
            }
            Some(Solved { best, result: 0 }) => {
                let report = self.tree.search(board, left(nodes).share(9, 10));
                let nodes = nodes + report.nodes;
                let (kept, more) = match report.best {
                    Some(cell) if cell != best => self.keeps(board, cell, left(nodes)),
                    _ => (false, 0),
                };
                let best = if kept { report.best } else { Some(best) };
                Report { best, score: Score::DRAW, nodes: nodes + more, solved: true, ..report }
            }
            Some(_) => {
                let report = self.tree.search(board, left(nodes));
                Report { score: certain(-1), nodes: nodes + report.nodes, solved: true, ..report }
            }
            None => {
                let report = self.tree.search(board, left(nodes));
                Report { nodes: nodes + report.nodes, ..report }
            }
        }
    }

    fn line(&self, board: &Board, best: Cell) -> List<Cell, LINE> {
        self.tree.line(board, best)
    }

    fn tree(&self) -> Option<&dyn Tree<Board>> {
        self.tree.tree()
    }
}

/// The options of a search with a tree of `memory` bytes.
pub fn options(numbers: &Numbers, memory: usize) -> BestFirstOptions {
    let exploration = numbers.exploration;
    BestFirstOptions { memory, exploration, scale: SCALE, average: true, keep_tree: true }
}

#[cfg(test)]
mod tests {
    use coppice::{Player, Rng};

    use super::*;
    use crate::uttt::pattern::FREE;

    /// Once a result is certain the bot never gets less against itself, whichever side it plays.
    #[test]
    fn certain_results_are_kept() {
        let mut bots = [0, 1].map(|_| search(&Numbers::default(), 4 << 20));
        let mut kept = [0; 2];
        for seed in 0..6 {
            bots.iter_mut().for_each(Strategy::clear);
            let (mut board, mut rng) = (Board::START, Rng::new(seed));
            let mut certain: Option<(Player, i32)> = None;
            for ply in 0.. {
                if board.is_over() {
                    break;
                }
                let player = board.to_move();
                let report = bots[player.index()].search(&board, Budget::nodes(4_000));
                if report.solved && certain.is_none() && !report.score.is_loss() {
                    certain = Some((player, i32::from(report.score.is_win())));
                }
                let best = if ply < 8 { board.random_move(&mut rng) } else { report.best };
                board.play(best.unwrap());
            }
            if let Some((player, result)) = certain {
                assert!(board.payoff(player).sign() >= result, "{player:?} {result} {board}");
                kept[result as usize] += 1;
            }
        }
        assert!(kept.iter().sum::<i32>() >= 4, "{kept:?}");
    }

    #[test]
    fn tables_by_themselves_explore_as_the_bot_does() {
        assert_eq!(Numbers::default().free_exploration, FREE);
    }
}

//! A player by rules: of all actions the one that returns the most sun per sun spent, day by day.
//!
//! It is what a programmer would write in a day: no search, and the opponent counts only for its shadows. To measure
//! against.

use coppice::search::{JointReport, JointSearch, Strategy};
use coppice::{Budget, Player};

use crate::photosynthesis::board::{Action, Board, COMPLETION, DAYS, SIZES, SUN_PER_POINT};
use crate::photosynthesis::cell::{cells, Cell};
use crate::photosynthesis::protocol::legal;

/// Days left for each tree of size 3 that isn't completed yet.
const DAYS_PER_TREE: u32 = 4;
/// Own trees, seeds included, beyond which no seed is planted.
const CROWD: u32 = 10;
/// How much of a completed tree's points a tree of each size stands for, in hundredths: its share of all that it costs.
const SHARES: [i32; 4] = [5, 15, 40, 100];

/// The player.
#[derive(Debug, Clone, Copy, Default)]
pub struct Thrifty;

impl Thrifty {
    /// The player's action.
    pub fn action(self, board: &Board, player: Player) -> Action {
        let now = worth(board, player);
        // Sun returned per sun spent, in hundredths; less than is spent is no return.
        let mut best = (Action::Wait, 100);
        for action in legal(board, player) {
            let Some(cost) = self.cost(board, player, action) else { continue };
            let mut after = *board;
            let mut actions = [None; 2];
            actions[player.index()] = Some(action);
            after.turn(actions);
            let mut returned = worth(&after, player) - now;
            if let Action::Complete(cell) = action {
                // The share of this tree in the points was 0 until now.
                returned += share(board, 3, cell);
            }
            let rate = returned / cost.max(1);
            if rate > best.1 {
                best = (action, rate);
            }
        }
        best.0
    }

    /// Cost of an action; `None` if the rules advise against it.
    fn cost(self, board: &Board, player: Player, action: Action) -> Option<i32> {
        let cost = match action {
            Action::Wait => return None,
            Action::Seed(..) => {
                let advised = board.trees(player, 0) == 0 && board.owned(player).count_ones() < CROWD;
                return advised.then_some(0);
            }
            Action::Grow(cell) => {
                let size = board.tree(cell).map_or(0, |(size, _)| size);
                board.cost(player, size + 1)
            }
            Action::Complete(_) => {
                let kept = u32::from(DAYS - 1 - board.day()) / DAYS_PER_TREE;
                let advised = board.trees(player, 3).count_ones() > kept;
                return advised.then_some(COMPLETION.into());
            }
        };
        Some(cost.into())
    }
}

/// A player's wealth, in hundredths of sun: points, the sun that the trees will give as they stand now, and each tree's
/// share in the points that it will pay, if enough days are left to complete it.
pub fn worth(board: &Board, player: Player) -> i32 {
    let i = player.index();
    let sun: i32 = (board.day() + 1..DAYS).map(|day| i32::from(board.income(day)[i])).sum();
    let trees: i32 = (0..SIZES)
        .flat_map(|size| cells(board.trees(player, size)).map(move |cell| (size, cell)))
        .map(|(size, cell)| share(board, size, cell))
        .sum();
    100 * (sun + i32::from(board.score(player) * SUN_PER_POINT)) + trees
}

/// The part of a completed tree's points that a tree stands for, in hundredths of sun.
fn share(board: &Board, size: usize, cell: Cell) -> i32 {
    let is_in_time = usize::from(board.day()) + 4 - size <= usize::from(DAYS);
    let whole = i32::from(board.prize(cell) * SUN_PER_POINT) - i32::from(COMPLETION);
    i32::from(is_in_time) * SHARES[size] * whole
}

impl JointSearch<Board> for Thrifty {
    fn search(&mut self, board: &Board, player: Player, _: Budget) -> JointReport<Board> {
        report(board, player, (!board.is_asleep(player)).then(|| self.action(board, player)))
    }
}

/// The report of a player that doesn't search.
pub fn report(board: &Board, player: Player, best: Option<Action>) -> JointReport<Board> {
    let list = legal(board, player);
    let strategy = Strategy::new(&list, |i| f64::from(u8::from(Some(list[i]) == best)));
    let value = board.points();
    let value = f64::from(value[player.index()] - value[player.other().index()]);
    JointReport { best, strategy, value, nodes: 1, depth: 1, exact: false, kept: 0 }
}

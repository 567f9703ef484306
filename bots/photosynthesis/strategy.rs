//! The submitted bot: decoupled UCT over candidates, with playouts by habits.

use std::cell::Cell;

use coppice::cpu::{dispatch, Cpu, Task};
use coppice::search::{
    Answer, Decoupled, DecoupledOptions, JointReport, JointSearch, Playout, Seen, Strategy as Mixed, Widening,
};
use coppice::tree::Memory;
use coppice::{Budget, Joint, Player};

use super::board::{Action, Board};
use super::candidates::{Candidates, Course, MOST};
use super::habits::{play_out, Habits};
use super::protocol::legal;

/// Memory of the bot's tree, in bytes.
pub const BYTES: usize = 64 << 20;

contest::tunables! {
    /// The bot's numbers. From the fourth on they are the limits of [`Habits`].
    pub struct Numbers {
        /// The constant C of UCB1, for points scaled to 0 to 1.
        exploration: f32 = 0.5 in 0.02..=2.5,
        /// Factor of progressive widening of moves; 0: all are open at once.
        widening: f32 = 0.0 in 0.0..=100.0,
        /// Value of a win, in points of a lead.
        win: i32 = 60 in 0..=60,
        /// The first day on which trees are completed.
        completes_from: i32 = 13 in 0..=24,
        /// Trees of size 3 that are kept on that day.
        keeps: i32 = 5 in 0..=12,
        /// Quarter days until one tree fewer is kept.
        keeps_less_every: i32 = 30 in 1..=40,
        /// The number of last days on which all trees are completed.
        completes_all: i32 = 4 in 1..=8,
        /// The most trees of size 3 to grow to.
        tall: i32 = 10 in 1..=12,
        /// The most trees of size 2.
        medium: i32 = 6 in 1..=12,
        /// The most trees of size 1.
        small: i32 = 6 in 1..=12,
        /// The most trees, without seeds, with which a seed is planted.
        crowd: i32 = 17 in 1..=20,
        /// The last day on which trees grow to size 3.
        last_tall: i32 = 22 in 0..=23,
        /// The last day on which trees grow to size 2.
        last_medium: i32 = 20 in 0..=23,
        /// The last day on which trees grow to size 1.
        last_small: i32 = 20 in 0..=23,
        /// The last day on which seeds are planted.
        last_seed: i32 = 20 in 0..=23,
        /// Penalty for an own tree in a line with a seed's cell; a step of richness is worth 4.
        line: i32 = 16 in 0..=20,
        /// Extra penalty for a neighbouring own tree.
        next: i32 = 2 in 0..=20,
    }
}

impl Numbers {
    /// The habits with these limits.
    fn habits(&self) -> Habits {
        Habits {
            completes_from: self.completes_from,
            keeps: self.keeps,
            keeps_less_every: self.keeps_less_every,
            completes_all: self.completes_all,
            most: [self.tall, self.medium, self.small],
            crowd: self.crowd,
            last: [self.last_tall, self.last_medium, self.last_small, self.last_seed],
            line: self.line,
            next: self.next,
        }
    }
}

/// Playouts in which both players follow their habits: a state where the tree ends is worth what they make of it.
#[derive(Debug, Clone)]
pub struct Customs {
    habits: Habits,
    win: i32,
    /// The state estimated last, and its worth to the first player: a search asks about both players in turn.
    last: Cell<(u64, f64)>,
}

impl Customs {
    /// Playouts with these numbers.
    pub fn new(numbers: &Numbers) -> Customs {
        Customs { habits: numbers.habits(), win: numbers.win, last: Cell::new((0, 0.0)) }
    }

    /// A state's value for the first player.
    #[inline(always)]
    pub fn worth(&self, board: &Board) -> f64 {
        let end = dispatch(Rest { board: *board, habits: &self.habits });
        let lead = end.payoff(Player::FIRST).0;
        (self.win * lead.signum() + lead.clamp(-MOST, MOST)).into()
    }
}

/// The rest of a game, in which both players follow their habits. It counts many bits, for which newer processors have
/// an instruction: three times as fast.
struct Rest<'a> {
    board: Board,
    habits: &'a Habits,
}

impl Task for Rest<'_> {
    type Output = Board;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> Board {
        play_out(self.board, [self.habits; 2])
    }
}

impl Playout<Candidates> for Customs {
    const RANKED: bool = true;

    fn limit(&self) -> u32 {
        0
    }

    /// Ranks actions as habits do, with waiting above the actions that they avoid.
    #[inline(always)]
    fn rank(&self, game: &Candidates, player: Player, action: Action) -> i32 {
        let board = &game.board;
        let richness = |cell| board.richness(cell) as i32;
        match action {
            Action::Complete(cell) => {
                let trees = board.trees(player, 3).count_ones() as i32;
                richness(cell) + if self.habits.completes(board, trees) { 50 } else { 10 }
            }
            Action::Grow(cell) => {
                let size = (0..3).find(|&size| board.trees(player, size) & cell.set() != 0).unwrap_or(0);
                10 * (size as i32 + 2) + richness(cell)
            }
            Action::Seed(..) => 25,
            Action::Wait => 19,
        }
    }

    #[inline(always)]
    fn estimate(&self, game: &Candidates, player: Player) -> f64 {
        let key = game.board.hash();
        if self.last.get().0 != key {
            self.last.set((key, self.worth(&game.board)));
        }
        let first = self.last.get().1;
        if player == Player::FIRST {
            first
        } else {
            -first
        }
    }
}

/// The bot.
#[derive(Debug, Clone)]
pub struct Strategy {
    tree: Decoupled<Candidates, Customs>,
    course: Course,
}

impl Strategy {
    /// A bot with a tree of `bytes` bytes, whose random numbers follow from `seed`.
    pub fn new(numbers: &Numbers, bytes: usize, seed: u64) -> Strategy {
        let widening = Widening { moves: numbers.widening, outcomes: f32::INFINITY, root: 2 };
        let widening = Some(widening).filter(|widening| widening.moves > 0.0);
        let options = DecoupledOptions {
            memory: bytes,
            seed,
            exploration: numbers.exploration,
            answer: Answer::Mode,
            widening,
            keep_tree: true,
        };
        let tree = Decoupled::with_playout(Customs::new(numbers), options);
        Strategy { tree, course: Course::default() }
    }
}

impl JointSearch<Board> for Strategy {
    fn search(&mut self, board: &Board, player: Player, budget: Budget) -> JointReport<Board> {
        let game = self.course.game(board, player);
        let report = self.tree.search(&game, player, budget);
        self.course.answered(game, player, report.best);
        JointReport {
            best: report.best,
            strategy: over_all(&report.strategy, board, player),
            value: report.value,
            nodes: report.nodes,
            depth: report.depth,
            exact: report.exact,
            kept: report.kept,
        }
    }

    /// Of the state of the last search, those a turn later, and those at the beginning of a day.
    fn seen(&self, board: &Board, player: Player) -> Option<Seen<Board>> {
        let Seen { visits, strategy, value } = self.tree.seen(&self.course.game(board, player), player)?;
        Some(Seen { visits, strategy: over_all(&strategy, board, player), value })
    }

    fn memory(&self) -> Option<Memory> {
        self.tree.memory()
    }
}

/// A strategy over candidates as one over all legal actions.
fn over_all(strategy: &Mixed<Candidates>, board: &Board, player: Player) -> Mixed<Board> {
    let list = legal(board, player);
    Mixed::new(&list, |i| strategy.probability(list[i]))
}

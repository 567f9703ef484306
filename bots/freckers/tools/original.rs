//! The original's agent: alpha-beta with separate deepening for each root action and switchable parts.

use std::time::{Duration, Instant};

use coppice::search::{AlphaBeta, AlphaBetaOptions, EachMove, LINE};
use coppice::{Budget, List, Report, Search};

use super::busy::{Busy, Inside};
use super::row_weights::RowWeights;
use crate::freckers::board::{Board, MAX_ACTIONS};
use crate::freckers::cell::Move;
use contest::tunable::{Tunable, TunableError, Tunables};

/// Default size of the table in bytes: it is cleared every turn, so a larger one costs time.
const TABLE_BYTES: usize = 8 << 20;

contest::tunables! {
    /// Switches for the parts of [`Original`]: 1 is on, 0 is off.
    pub struct Parts {
        /// Transposition table, used only at equal remaining depth.
        table: u32 = 1 in 0..=1,
        /// Clears the table every turn.
        clear: u32 = 1 in 0..=1,
        /// Killer moves: tries first the moves that last caused a cutoff at the same ply.
        killers: u32 = 1 in 0..=1,
        /// Sorts moves by rows gained, then by hops.
        sorting: u32 = 1 in 0..=1,
        /// Searches each root action separately, with its share of the budget and a full window.
        each_move: u32 = 1 in 0..=1,
        /// Iterative deepening from depth 1, as far as the budget allows.
        deepening: u32 = 1 in 0..=1,
        /// Maximum depth in plies; without deepening, the only depth.
        depth: u32 = 100 in 2..=100,
        /// Milliseconds of a side's whole game, 180,000 in the course: a turn with a time limit gets what is left of them
        /// over the side's actions that are left. 0: its limit.
        game_ms: u32 = 0 in 0..=600_000,
    }
}

/// All parts switched off: the original's plain alpha-beta to depth 3.
pub struct Plain(pub Parts);

impl Default for Plain {
    fn default() -> Plain {
        let off = Parts { table: 0, clear: 0, killers: 0, sorting: 0, each_move: 0, ..Parts::default() };
        Plain(Parts { deepening: 0, depth: 3, ..off })
    }
}

impl Tunables for Plain {
    fn list(&self) -> Vec<Tunable> {
        self.0.list()
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), TunableError> {
        self.0.set(name, value)
    }
}

impl Parts {
    /// The engine's options for the search.
    fn options(&self) -> AlphaBetaOptions {
        AlphaBetaOptions {
            deepening: self.deepening == 1,
            table: self.table == 1,
            equal_depth: true,
            table_move: self.table == 1,
            killers: self.killers == 1,
            sorting: self.sorting == 1,
            // When each move is searched separately, the move itself is the first ply.
            ..AlphaBetaOptions::plain(self.depth - self.each_move)
        }
    }
}

/// Alpha-beta over the original's evaluation, without growing that changes nothing.
pub struct Original {
    search: EachMove<AlphaBeta<Busy, Inside<RowWeights>>>,
    is_each: bool,
    is_cleared: bool,
    clock: Option<GameClock>,
}

/// The time of a side's whole game.
struct GameClock {
    whole: Duration,
    left: Duration,
    /// The actions before its last turn.
    actions: u8,
}

impl GameClock {
    fn new(whole: Duration) -> GameClock {
        GameClock { whole, left: whole, actions: 0 }
    }

    /// The deadline of a turn that begins now: an equal part of what is left for each action of this side.
    fn turn(&mut self, board: &Board, now: Instant) -> Instant {
        if board.actions() < self.actions {
            *self = GameClock::new(self.whole);
        }
        self.actions = board.actions();
        now + self.left / u32::from(MAX_ACTIONS.saturating_sub(self.actions).div_ceil(2).max(1))
    }
}

impl Original {
    /// A search with these parts and a table of `table_bytes` bytes.
    pub fn new(parts: &Parts, table_bytes: Option<usize>) -> Original {
        let bytes = table_bytes.unwrap_or(TABLE_BYTES);
        let search =
            AlphaBeta::new(Inside(RowWeights), AlphaBetaOptions { memory: bytes, ..parts.options() });
        Original {
            search: EachMove(search),
            is_each: parts.each_move == 1,
            is_cleared: parts.table * parts.clear == 1,
            clock: match parts.game_ms {
                0 => None,
                ms => Some(GameClock::new(Duration::from_millis(ms.into()))),
            },
        }
    }

    fn think(&mut self, board: &Board, budget: Budget) -> Report<Move> {
        match self.is_each {
            true => self.search.search(&Busy(*board), budget),
            false => self.search.0.search(&Busy(*board), budget),
        }
    }
}

impl Search<Board> for Original {
    fn search(&mut self, board: &Board, budget: Budget) -> Report<Move> {
        if self.is_cleared {
            self.search.0.clear();
        }
        let (Some(clock), Some(limit)) = (&mut self.clock, budget.deadline()) else {
            return self.think(board, budget);
        };
        let started = budget.now();
        let deadline = clock.turn(board, started).min(limit);
        let report = self.think(board, budget.with_deadline(deadline));
        if let Some(clock) = &mut self.clock {
            clock.left = clock.left.saturating_sub(budget.now().saturating_duration_since(started));
        }
        report
    }

    fn line(&self, board: &Board, best: Move) -> List<Move, LINE> {
        match self.is_each {
            true => self.search.line(&Busy(*board), best),
            false => self.search.0.line(&Busy(*board), best),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coppice::Game;

    /// Time left over by a turn is shared by the later ones; another game begins with all of it.
    #[test]
    fn a_turn_gets_its_share_of_what_is_left() {
        let second = Duration::from_secs(1);
        let (mut clock, now) = (GameClock::new(75 * second), Instant::now());
        let mut board = Board::START;
        assert_eq!(clock.turn(&board, now), now + second);
        (0..100).for_each(|_| board.play(Move::GROW));
        assert_eq!(clock.turn(&board, now), now + 3 * second, "25 of 75 actions are left");
        clock.left = 50 * second;
        board.play(Move::GROW);
        assert_eq!(clock.turn(&board, now), now + 2 * second, "25 of the second side too");
        assert_eq!(clock.turn(&Board::START, now), now + second);
    }

    #[test]
    fn a_game_clock_ends_turns_with_a_deadline() {
        let parts = Parts { game_ms: 75, ..Parts::default() };
        let mut original = Original::new(&parts, None);
        // At a time limit of its own this turn would last a day.
        let day = Budget::until(Instant::now() + Duration::from_secs(86_400));
        assert!(original.search(&Board::START, day).best.is_some());
        let left = original.clock.as_ref().map(|clock| clock.left);
        assert!(left.is_some_and(|left| left < Duration::from_millis(75)));
        assert!(original.search(&Board::START, Budget::nodes(500)).best.is_some());
        assert_eq!(original.clock.map(|clock| clock.left), left, "nodes take no time of it");
    }
}

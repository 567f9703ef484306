//! The bot's search replaced by searches for games in turns, on a copy of the game in which the first player's action is
//! a ply before the second's, who sees it: to measure against.

use coppice::rng::mix;
use coppice::search::{
    AlphaBeta, AlphaBetaOptions, JointReport, JointSearch, Mcts, MctsOptions, Policy, Rewards,
};
use coppice::{Budget, Choices, Evaluation, Game, Joint, Payoff, Player, Score, Search};

use super::thrifty::{report, worth};
use crate::photosynthesis::board::{Action, Board};
use crate::photosynthesis::candidates::{Candidates, Course};
use crate::photosynthesis::strategy::{Customs, Numbers};

/// A game in turns. The player for whom the search runs is the first to act.
#[derive(Debug, Clone, PartialEq)]
pub struct Serial {
    game: Candidates,
    first: Player,
    /// The first player's choice this turn.
    chosen: Option<Action>,
}

impl Game for Serial {
    type Move = Action;
    type Moves = <Candidates as Joint>::Moves;

    fn to_move(&self) -> Player {
        match self.chosen.is_some() || self.game.board.is_asleep(self.first) {
            true => self.first.other(),
            false => self.first,
        }
    }

    fn moves(&self, list: &mut Self::Moves) {
        self.game.moves(self.to_move(), list);
    }

    fn play(&mut self, action: Action) {
        let (mover, other) = (self.to_move(), self.first.other());
        if mover == self.first && !self.game.board.is_asleep(other) {
            self.chosen = Some(action);
            return;
        }
        let mut choices = Choices::NONE.with(mover, action);
        self.chosen.take().into_iter().for_each(|chosen| choices.set(self.first, chosen));
        self.game.play(&choices);
    }

    fn payoff(&self, player: Player) -> Payoff {
        self.game.payoff(player)
    }

    fn hash(&self) -> u64 {
        let chosen = self.chosen.map_or(0, |action| 1 + u64::from(Self::move_index(action)));
        Joint::hash(&self.game) ^ mix(chosen << 1 | self.first.index() as u64)
    }

    fn move_index(action: Action) -> u16 {
        match action {
            Action::Wait => 0,
            Action::Complete(cell) => 64 + cell.bit() as u16,
            Action::Grow(cell) => 128 + cell.bit() as u16,
            // A candidate for each cell alone.
            Action::Seed(_, cell) => 192 + cell.bit() as u16,
        }
    }

    fn is_over(&self) -> bool {
        self.game.is_over()
    }
}

impl Policy<Serial> for Customs {
    type Prior = ();

    fn limit(&self) -> u32 {
        0
    }

    fn rewards(&mut self, game: &Serial, _: u32, _: bool) -> Rewards {
        // A player who has chosen does the rest of its day by habit.
        let first = self.worth(&game.game.board) as i32 * 1000 / Candidates::MAX_POINTS;
        Rewards::each::<Serial>(|player| if player == Player::FIRST { first } else { -first })
    }
}

/// A state's value as the player by rules sees it, in tenths of sun.
struct Worth;

impl Evaluation<Serial> for Worth {
    fn evaluate(&self, game: &Serial) -> Score {
        let (board, me) = (&game.game.board, game.to_move());
        Score::estimate((worth(board, me) - worth(board, me.other())) / 10)
    }
}

/// A search of the serialised game.
pub struct Serialised<S> {
    search: S,
    course: Course,
}

impl<S> Serialised<S> {
    fn new(search: S) -> Serialised<S> {
        Serialised { search, course: Course::default() }
    }
}

/// Monte Carlo tree search with the bot's playouts.
pub fn monte_carlo(bytes: usize, seed: u64) -> Serialised<impl Search<Serial>> {
    let numbers = Numbers::default();
    let options =
        MctsOptions { memory: bytes, seed, exploration: numbers.exploration, ..MctsOptions::default() };
    Serialised::new(Mcts::with_policy(Customs::new(&numbers), options))
}

/// Alpha-beta with the estimate of the player by rules.
pub fn alpha_beta(bytes: usize) -> Serialised<impl Search<Serial>> {
    Serialised::new(AlphaBeta::new(Worth, AlphaBetaOptions { memory: bytes, ..AlphaBetaOptions::default() }))
}

impl<S: Search<Serial>> JointSearch<Board> for Serialised<S> {
    fn search(&mut self, board: &Board, player: Player, budget: Budget) -> JointReport<Board> {
        let game = self.course.game(board, player);
        let found = self.search.search(&Serial { game, first: player, chosen: None }, budget);
        self.course.answered(game, player, found.best);
        JointReport { nodes: found.nodes, depth: found.depth, ..report(board, player, found.best) }
    }
}

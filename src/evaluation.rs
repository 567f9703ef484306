//! The [`Evaluation`] trait: estimates of positions, separate from the rules.

use crate::game::{Game, Player};
use crate::score::Score;

/// Estimates positions. Separate from the rules, so that one game can have several evaluations, which play
/// matches against each other.
#[diagnostic::on_unimplemented(
    message = "`{Self}` doesn't evaluate positions of `{G}`",
    note = "write `impl Evaluation<{G}> for {Self}`, or use a search without an evaluation, such as `Mcts`"
)]
pub trait Evaluation<G: Game> {
    /// The value of a position that is not over, for the player to move.
    fn evaluate(&self, game: &G) -> Score;

    /// A function that estimates the positions one move below `game`, from the move and the position after
    /// it, with the same result as [`Evaluation::evaluate`]. A search that estimates all children of a
    /// position calls this once, so that what they share with their parent is computed once.
    #[inline(always)]
    fn below(&self, _game: &G) -> impl Fn(G::Move, &G) -> Score {
        move |_, next| self.evaluate(next)
    }

    /// How much a move to `next` is explored, as a factor on the exploration of other moves. By default 1 for each.
    /// Best-first minimax asks for it.
    #[inline(always)]
    fn interest(&self, _game: &G, _next: &G) -> f32 {
        1.0
    }

    /// The value of a finished game for the player that [`Game::to_move`] names. By default a win, a draw or a loss, whatever
    /// the margin; for one player the payoff itself, as an estimate.
    #[inline(always)]
    fn ended(&self, game: &G) -> Score {
        let payoff = game.payoff(game.to_move());
        if G::PLAYERS == 1 {
            debug_assert!(
                payoff.0.abs() <= Score::MAX_ESTIMATE,
                "a payoff of {} is beyond all estimates",
                payoff.0
            );
            Score::estimate(payoff.0)
        } else {
            Score::ended(payoff)
        }
    }

    /// [`Evaluation::evaluate`] for any player: searches that keep a value for each player call it for each. By
    /// default negated for a player not to move, which is right for zero-sum games of two.
    #[inline(always)]
    fn evaluate_for(&self, game: &G, player: Player) -> Score {
        self.evaluate(game).for_parent(player == game.to_move())
    }

    /// [`Evaluation::ended`] for any player. By default the opposite for the other of two, and for
    /// more than two a win, a draw or a loss by each player's payoff.
    #[inline(always)]
    fn ended_for(&self, game: &G, player: Player) -> Score {
        if G::PLAYERS > 2 {
            Score::ended(game.payoff(player))
        } else {
            self.ended(game).for_parent(player == game.to_move())
        }
    }

    /// How well a shallow search predicts one to `depth` plies, for ProbCut
    /// ([`AlphaBetaOptions::prob_cut`](crate::search::AlphaBetaOptions)): the shallow depth, less than `depth` (0: the estimate),
    /// and the standard deviation of the difference in the evaluation's units. `None`, the default: it doesn't.
    #[inline(always)]
    fn prediction(&self, _game: &G, _depth: u32) -> Option<(u32, i32)> {
        None
    }

    /// Move-ordering rank of `m`, without playing it: higher ranks are tried first, from -1000 to 1000.
    /// Alpha-beta orders moves by it, after the table's move, killers and history.
    #[inline(always)]
    fn rank(&self, _game: &G, _m: G::Move) -> i32 {
        0
    }
}

/// The value of a state, finished or not, `plies` moves from the root, to the player to move
/// ([`Game::to_move`]).
#[inline(always)]
pub(crate) fn value_at<G: Game, E: Evaluation<G>>(state: &G, evaluation: &E, plies: u32) -> Score {
    if state.is_over() {
        evaluation.ended(state).add_mate_distance(plies)
    } else {
        evaluation.evaluate(state)
    }
}

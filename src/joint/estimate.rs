//! The [`Estimate`] trait: what an unfinished state is worth, in points.

use crate::game::Player;
use crate::joint::Joint;

/// Estimates states of a [`Joint`] game, for searches that stop before its end.
#[diagnostic::on_unimplemented(
    message = "`{Self}` doesn't estimate states of `{G}`",
    note = "write `impl Estimate<{G}> for {Self}`"
)]
pub trait Estimate<G: Joint> {
    /// The value of a state that is not over for `player`, in the points of [`Joint::payoff`] and not further from 0 than
    /// [`Joint::MAX_POINTS`]. For two players the estimates add up to 0.
    fn estimate(&self, game: &G, player: Player) -> f64;

    /// Move-ordering rank of a move of `player`: higher ranks are tried first, ties in the order of the list.
    #[inline(always)]
    fn rank(&self, _game: &G, _player: Player, _m: G::Move) -> i32 {
        0
    }
}

/// A function of a state and a player estimates.
impl<G: Joint, F: Fn(&G, Player) -> f64> Estimate<G> for F {
    #[inline(always)]
    fn estimate(&self, game: &G, player: Player) -> f64 {
        self(game, player)
    }
}

/// A state's value for `player`: its payoff if it is over, else the estimate.
pub(crate) fn worth<G: Joint, E: Estimate<G>>(game: &G, estimate: &E, player: Player, is_over: bool) -> f64 {
    let most = f64::from(G::MAX_POINTS);
    let points = if is_over { f64::from(game.payoff(player).0) } else { estimate.estimate(game, player) };
    debug_assert!(points.abs() <= most, "{points} points are more than `MAX_POINTS`, {most}");
    points.clamp(-most, most)
}

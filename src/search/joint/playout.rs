//! The [`Playout`] trait: how a Monte Carlo search of a [`Joint`] game goes on where its tree ends.

use crate::clock::Meter;
use crate::game::Player;
use crate::joint::{players, Choices, Estimate, Joint, MAX_PLAYERS};
use crate::list::Moves;
use crate::rng::Rng;
use crate::search::mcts::Uniform;

/// Each player's result of a playout, in points.
pub(super) type Points = [f64; MAX_PLAYERS];

/// The game knowledge of a Monte Carlo search: moves of playouts, where they are cut off, and move order. The
/// defaults are those of [`Uniform`]: random moves to the end of the game.
pub trait Playout<G: Joint> {
    /// A player's next move in a playout; `None` if and only if the player has none.
    #[inline(always)]
    fn next(&mut self, game: &G, player: Player, rng: &mut Rng) -> Option<G::Move> {
        game.random_move(player, rng)
    }

    /// The number of turns after which a playout is cut off, counted from the end of the tree.
    #[inline(always)]
    fn limit(&self) -> u32 {
        u32::MAX
    }

    /// The value of a state where a playout was cut off, for a player, in points.
    #[inline(always)]
    fn estimate(&self, _game: &G, _player: Player) -> f64 {
        0.0
    }

    /// Whether [`Playout::rank`] gives the order in which moves are tried. By default it is random.
    const RANKED: bool = false;

    /// How early a player's move is tried: the highest first, of equals the first listed. With
    /// [`Widening`](crate::search::Widening) the last ones are tried late.
    #[inline(always)]
    fn rank(&self, _game: &G, _player: Player, _m: G::Move) -> i32 {
        0
    }
}

impl<G: Joint> Playout<G> for Uniform {}

/// Random playouts that are cut off and judged by an [`Estimate`], whose ranks give the order of moves.
#[derive(Debug, Clone, Copy)]
pub struct Estimated<E> {
    /// The estimate.
    pub estimate: E,
    /// The number of turns after which a playout is cut off; 0 for no playout.
    pub turns: u32,
}

impl<G: Joint, E: Estimate<G>> Playout<G> for Estimated<E> {
    #[inline(always)]
    fn limit(&self) -> u32 {
        self.turns
    }

    #[inline(always)]
    fn estimate(&self, game: &G, player: Player) -> f64 {
        self.estimate.estimate(game, player)
    }

    const RANKED: bool = true;

    #[inline(always)]
    fn rank(&self, game: &G, player: Player, m: G::Move) -> i32 {
        self.estimate.rank(game, player, m)
    }
}

/// Sorts a player's moves into the order in which they are tried. False if the deadline passed, or the iteration is to be
/// repeated with care.
#[inline(always)]
pub(super) fn put_in_order<G: Joint, P: Playout<G>, const CAREFUL: bool>(
    state: &G,
    player: Player,
    moves: &mut G::Moves,
    policy: &P,
    rng: &mut Rng,
    meter: &mut Meter<16>,
) -> bool {
    if !P::RANKED {
        for i in 0..moves.len() {
            let j = i + rng.below((moves.len() - i) as u32) as usize;
            moves.swap(i, j);
        }
        return true;
    }
    let mut ranks = G::Moves::ranks();
    let ranks = ranks.as_mut();
    for i in 0..moves.len() {
        if !meter.step_if::<CAREFUL>() {
            return false;
        }
        let rank = policy.rank(state, player, moves[i]);
        let at = ranks[..i].partition_point(|&own| own >= rank);
        moves[at..=i].rotate_right(1);
        ranks[at..=i].rotate_right(1);
        ranks[at] = rank;
    }
    true
}

/// Plays on to the end of the game or the policy's limit. Returns what each player gets; `None` if the deadline passed, or
/// the iteration is to be repeated with care.
#[inline(always)]
pub(super) fn play_out<G: Joint, P: Playout<G>, const CAREFUL: bool>(
    state: &mut G,
    policy: &mut P,
    rng: &mut Rng,
    meter: &mut Meter<16>,
) -> Option<Points> {
    let mut turns = 0;
    let is_over = loop {
        if !meter.step_if::<CAREFUL>() {
            return None;
        }
        state.let_happen(rng);
        let mut choices = Choices::NONE;
        let mut any = false;
        if turns == policy.limit() {
            break state.is_over();
        }
        match state.only_chooser() {
            Some(player) => {
                if let Some(m) = policy.next(state, player, rng) {
                    choices.set(player, m);
                    any = true;
                }
            }
            None => {
                for player in players::<G>() {
                    if !meter.step_if::<CAREFUL>() {
                        return None;
                    }
                    if let Some(m) = policy.next(state, player, rng) {
                        choices.set(player, m);
                        any = true;
                    }
                }
            }
        }
        if !meter.step_if::<CAREFUL>() {
            return None;
        }
        if !any {
            break true;
        }
        state.play(&choices);
        turns += 1;
    };
    points::<_, _, CAREFUL>(state, policy, is_over, meter)
}

/// A state's value for each player; `None` if the deadline passed, or the iteration is to be repeated with care.
#[inline(always)]
pub(super) fn points<G: Joint, P: Playout<G>, const CAREFUL: bool>(
    state: &G,
    policy: &P,
    is_over: bool,
    meter: &mut Meter<16>,
) -> Option<Points> {
    if !meter.rewards_if::<CAREFUL>(is_over, G::PLAYERS) {
        return None;
    }
    let mut all = [0.0; MAX_PLAYERS];
    for player in players::<G>() {
        all[player.index()] = worth(state, policy, player, is_over);
    }
    Some(all)
}

/// A state's value for a player.
#[inline(always)]
pub(super) fn worth<G: Joint, P: Playout<G>>(state: &G, policy: &P, player: Player, is_over: bool) -> f64 {
    let most = f64::from(G::MAX_POINTS);
    let own = if is_over { f64::from(state.payoff(player).0) } else { policy.estimate(state, player) };
    debug_assert!(own.abs() <= most, "{own} points are more than `MAX_POINTS`, {most}");
    own.clamp(-most, most)
}

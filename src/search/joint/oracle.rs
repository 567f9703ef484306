//! Solves small two-player games with simultaneous moves and chance exactly: an oracle for tests.

use std::collections::HashMap;

use crate::game::Player;
use crate::joint::{Choices, Joint};

use super::matrix::{solve_matrix, Solved};
use super::report::listed;
use super::strategy::Strategy;

/// Backward induction for two players (Bošanský, Lisý, Lanctot, Čermák and Winands, *Algorithms for Computing
/// Strategies in Two-Player Simultaneous Move Games*, 2016, section 4.1): the value of a state is that of the matrix
/// game of what its pairs of moves lead to, solved by linear programming; where chance decides, the mean.
///
/// Each state is solved once, and remembered by its hash. Every state that can be reached is looked at, with one
/// level of recursion a turn: for games of at most some 100,000 states that don't return to an earlier one. It
/// allocates: for tests and for measuring other searches, not for bots.
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/examples/nim.rs")); }
/// # use nim::Nim;
/// use coppice::search::Oracle;
/// use coppice::{Player, Turns};
///
/// let mut oracle = Oracle::new();
/// let nim: Turns<_> = Turns(Nim::<2>(6, Player::FIRST));
/// assert_eq!(oracle.value(&nim), 1.0);
/// assert_eq!(oracle.strategy(&nim, Player::FIRST).probability(2), 1.0);
/// assert!(oracle.error() < 1e-9);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Oracle {
    values: HashMap<u64, f64>,
    error: f64,
}

impl Oracle {
    /// An oracle that knows nothing yet.
    pub fn new() -> Oracle {
        Oracle::default()
    }

    /// The largest error of any stage solved so far, in points: a game's value is wrong by no more than this for
    /// each turn that it can last.
    pub fn error(&self) -> f64 {
        self.error
    }

    /// A state's value for the first player, in points.
    pub fn value<G: Joint>(&mut self, game: &G) -> f64 {
        const { assert!(G::PLAYERS <= 2, "the oracle is for one or two players") };
        if game.awaits_chance() {
            return self.mean(game, |oracle, next| oracle.value(next));
        }
        let key = game.hash();
        if let Some(&value) = self.values.get(&key) {
            return value;
        }
        let value =
            if game.is_over() { f64::from(game.payoff(Player::FIRST).0) } else { self.stage(game).value };
        self.values.insert(key, value);
        value
    }

    /// An equilibrium strategy of a player.
    pub fn strategy<G: Joint>(&mut self, game: &G, player: Player) -> Strategy<G> {
        let solved = self.stage(game);
        let shares = if player == Player::FIRST { solved.rows } else { solved.columns };
        Strategy::new(&listed(game, player), |i| shares[i])
    }

    /// What `player` gets from a strategy against an opponent who knows it and plays its best from here on, if
    /// `player` uses `strategy` in this state and an equilibrium after it.
    pub fn worst<G: Joint>(&mut self, game: &G, player: Player, strategy: &Strategy<G>) -> f64 {
        let payoffs = self.payoffs(game);
        let shares: Vec<f64> = strategy.iter().map(|(_, share)| share).collect();
        if player == Player::FIRST {
            let replies = 0..payoffs[0].len();
            let against =
                |j: usize| shares.iter().zip(&payoffs).map(|(share, row)| share * row[j]).sum::<f64>();
            replies.map(against).fold(f64::INFINITY, f64::min)
        } else {
            let against =
                |row: &Vec<f64>| shares.iter().zip(row).map(|(share, payoff)| -share * payoff).sum::<f64>();
            payoffs.iter().map(against).fold(f64::INFINITY, f64::min)
        }
    }

    /// How much less than the state's value a strategy of this state secures, in points: 0 for an equilibrium. An
    /// equilibrium is played after it, so this is the fault of this state's strategy alone.
    pub fn exploitability<G: Joint>(&mut self, game: &G, player: Player, strategy: &Strategy<G>) -> f64 {
        let value = self.value(game);
        let own = if player == Player::FIRST { value } else { -value };
        own - self.worst(game, player, strategy)
    }

    /// What `player` secures in the whole game by a strategy for every state, against an opponent who knows all of
    /// them.
    pub fn secured<G: Joint>(game: &G, player: Player, strategy: &mut impl FnMut(&G) -> Strategy<G>) -> f64 {
        let mut best = BestReply { values: HashMap::new(), player };
        best.value(game, strategy)
    }

    fn mean<G: Joint>(&mut self, game: &G, mut value: impl FnMut(&mut Oracle, &G) -> f64) -> f64 {
        expected(game, |next| value(self, next))
    }

    fn stage<G: Joint>(&mut self, game: &G) -> Solved {
        let solved = solve_matrix(&self.payoffs(game));
        self.error = self.error.max(solved.error);
        solved
    }

    /// The value of each pair of moves for the first player. A player without moves has one row, or column.
    fn payoffs<G: Joint>(&mut self, game: &G) -> Vec<Vec<f64>> {
        let [rows, columns] = [Player::FIRST, Player::SECOND].map(|player| options(game, player));
        let pair =
            |oracle: &mut Oracle, a: Option<G::Move>, b: Option<G::Move>| oracle.value(&after(game, [a, b]));
        rows.iter().map(|&a| columns.iter().map(|&b| pair(self, a, b)).collect()).collect()
    }
}

/// A player's moves, or none as the only one.
fn options<G: Joint>(game: &G, player: Player) -> Vec<Option<G::Move>> {
    if player.index() >= G::PLAYERS {
        return vec![None];
    }
    let list = listed(game, player);
    if list.is_empty() {
        vec![None]
    } else {
        list.iter().copied().map(Some).collect()
    }
}

fn after<G: Joint>(game: &G, moves: [Option<G::Move>; 2]) -> G {
    let mut choices = Choices::NONE;
    for (player, m) in [Player::FIRST, Player::SECOND].into_iter().zip(moves) {
        m.into_iter().for_each(|m| choices.set(player, m));
    }
    let mut next = game.clone();
    next.play(&choices);
    next
}

/// The mean over what chance may decide.
fn expected<G: Joint>(game: &G, mut value: impl FnMut(&G) -> f64) -> f64 {
    let (mut sum, mut total) = (0.0, 0.0);
    for (outcome, weight) in (0..).map_while(|i| game.outcome(i)) {
        let mut next = game.clone();
        next.happen(outcome);
        sum += f64::from(weight) * value(&next);
        total += f64::from(weight);
    }
    sum / total
}

/// The value to `player` of given strategies against their best reply.
struct BestReply {
    values: HashMap<u64, f64>,
    player: Player,
}

impl BestReply {
    fn value<G: Joint>(&mut self, game: &G, strategy: &mut impl FnMut(&G) -> Strategy<G>) -> f64 {
        if game.awaits_chance() {
            return expected(game, |next| self.value(next, strategy));
        }
        let key = game.hash();
        if let Some(&value) = self.values.get(&key) {
            return value;
        }
        let value = if game.is_over() {
            f64::from(game.payoff(self.player).0)
        } else {
            let own: Vec<(Option<G::Move>, f64)> = match &*listed(game, self.player) {
                [] => vec![(None, 1.0)],
                [only] => vec![(Some(*only), 1.0)],
                _ => strategy(game).iter().map(|(m, share)| (Some(m), share)).collect(),
            };
            let replies = options(game, self.player.other());
            let against = |best: &mut BestReply, reply: Option<G::Move>, strategy: &mut _| {
                let mut sum = 0.0;
                for &(m, share) in own.iter().filter(|(_, share)| *share > 0.0) {
                    let moves = if best.player == Player::FIRST { [m, reply] } else { [reply, m] };
                    sum += share * BestReply::value(best, &after(game, moves), strategy);
                }
                sum
            };
            replies.into_iter().map(|reply| against(self, reply, strategy)).fold(f64::INFINITY, f64::min)
        };
        self.values.insert(key, value);
        value
    }
}

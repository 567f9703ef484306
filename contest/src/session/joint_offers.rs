//! The engine's searches for games in which players move at the same time, or chance takes part.

use coppice::search::{
    Answer, Decoupled, DecoupledOptions, Estimated, Evolve, EvolveOptions, Expectimax, ExpectimaxOptions,
    Genes, JointGreedy, JointRandom, Paranoid, ParanoidOptions, Regret, RegretOptions, Replies, Units,
    UnitsOptions, Widening,
};
use coppice::{Estimate, InTurns, Player};

use super::offer::Offer;
use super::USUAL_BYTES;
use crate::notation::JointNotation;

crate::tunables! {
    /// Tunable parameters of the search `decoupled`.
    pub struct DecoupledNumbers {
        /// The constant C of UCB1, for points scaled to 0 to 1.
        exploration: f32 = 0.9 in 0.05..=2.5,
        /// Turns after which a playout is cut off and estimated; -1: at the end of the game.
        playout: i32 = -1 in -1..=1000,
        /// 1: the answer is drawn in proportion to the visits. 0: the most visited move.
        drawn: u32 = 0 in 0..=1,
        /// Factor of progressive widening of moves; 0: all moves are open at once.
        widening: f32 = 0.0 in 0.0..=100.0,
    }
}

crate::tunables! {
    /// Tunable parameters of the search `regret`.
    pub struct RegretNumbers {
        /// The probability with which a player makes any move.
        exploration: f32 = 0.2 in 0.01..=1.0,
        /// Turns after which a playout is cut off and estimated; -1: at the end of the game.
        playout: i32 = -1 in -1..=1000,
        /// 1: the answer is drawn from the strategy. 0: the most probable move.
        drawn: u32 = 1 in 0..=1,
        /// The most pairs of moves for which a state keeps the mean of each pair.
        pairs: u32 = 256 in 0..=32768,
    }
}

crate::tunables! {
    /// Tunable parameters of the search `units`.
    pub struct UnitsNumbers {
        /// The constant C of UCB1, for points scaled to 0 to 1.
        exploration: f32 = 0.9 in 0.05..=2.5,
        /// The number of turns looked ahead.
        turns: u32 = 64 in 1..=64,
    }
}

crate::tunables! {
    /// Tunable parameters of the search `paranoid`.
    pub struct ParanoidNumbers {
        /// A move's worth is the mean over its N worst replies.
        worst: u32 = 1 in 1..=16,
        /// 1: one opponent replies at a time (best-reply search). 0: all combinations of replies.
        one: u32 = 0 in 0..=1,
        /// The most turns looked ahead.
        depth: u32 = 64 in 1..=64,
    }
}

crate::tunables! {
    /// Tunable parameters of the search `evolve`.
    pub struct EvolveNumbers {
        /// Turns of a plan.
        horizon: u32 = 8 in 1..=64,
        /// Plans in a generation.
        population: u32 = 32 in 2..=1000,
        /// The share of the budget, in per cent, in which the others' plan is evolved first.
        theirs: u32 = 25 in 0..=90,
    }
}

crate::tunables! {
    /// Tunable parameters of the search `expectimax`.
    pub struct ExpectimaxNumbers {
        /// The most moves looked ahead; outcomes don't count.
        depth: u32 = 64 in 1..=64,
    }
}

/// Turns after which a playout is cut off.
fn turns(playout: i32) -> u32 {
    u32::try_from(playout).unwrap_or(u32::MAX)
}

fn answer(drawn: u32) -> Answer {
    if drawn == 1 {
        Answer::Drawn
    } else {
        Answer::Mode
    }
}

/// Plans that are judged by an estimate; genes are fractions of the list of moves.
struct Plans<E>(E);

impl<G: JointNotation, E: Estimate<G>> Genes<G> for Plans<E> {
    fn estimate(&self, game: &G, player: Player) -> f64 {
        self.0.estimate(game, player)
    }
}

/// The engine's searches for any game with simultaneous moves and an estimate of unfinished states, best-known
/// algorithms first. `estimate` makes the estimate; for a game without one, `|_: &Game, _: Player| 0.0`.
pub fn joint_offers<G, E>(estimate: fn() -> E) -> Vec<Offer<G>>
where
    G: JointNotation,
    E: Estimate<G> + Send + 'static,
{
    vec![
        Offer::tunable(
            "decoupled",
            "decoupled UCT: each player by its own best bound",
            move |_, settings, numbers: &DecoupledNumbers| {
                let &DecoupledNumbers { exploration, playout, drawn, widening } = numbers;
                let widening = Some(widening).filter(|&moves| moves > 0.0);
                let widening = widening.map(|moves| Widening { moves, ..Widening::default() });
                let options = DecoupledOptions {
                    memory: settings.bytes_or(USUAL_BYTES),
                    seed: settings.seed,
                    exploration,
                    answer: answer(drawn),
                    widening,
                    ..DecoupledOptions::default()
                };
                let playout = Estimated { estimate: estimate(), turns: turns(playout) };
                Decoupled::with_playout(playout, options)
            },
        ),
        Offer::tunable(
            "regret",
            "Monte Carlo tree search by regret matching: a mixed strategy",
            move |_, settings, numbers: &RegretNumbers| {
                let &RegretNumbers { exploration, playout, drawn, pairs } = numbers;
                let (answer, max_pairs) = (answer(drawn), pairs as usize);
                let options = RegretOptions {
                    memory: settings.bytes_or(USUAL_BYTES),
                    seed: settings.seed,
                    exploration,
                    answer,
                    max_pairs,
                    ..RegretOptions::default()
                };
                let playout = Estimated { estimate: estimate(), turns: turns(playout) };
                Regret::with_playout(playout, options)
            },
        ),
        Offer::tunable(
            "units",
            "one tree for each player, by its own moves alone (Smitsimax)",
            move |_, settings, numbers: &UnitsNumbers| {
                let &UnitsNumbers { exploration, turns } = numbers;
                let (memory, seed) = (settings.bytes_or(USUAL_BYTES), settings.seed);
                let options = UnitsOptions { memory, seed, exploration, turns, ..UnitsOptions::default() };
                let playout = Estimated { estimate: estimate(), turns };
                Units::with_playout(playout, options)
            },
        ),
        Offer::tunable(
            "paranoid",
            "alpha-beta against opponents who see the move",
            move |_, _, numbers: &ParanoidNumbers| {
                let &ParanoidNumbers { worst, one, depth } = numbers;
                let replies = if one == 1 { Replies::One } else { Replies::All };
                Paranoid::new(estimate(), ParanoidOptions { replies, worst: worst as usize, depth })
            },
        ),
        Offer::tunable(
            "evolve",
            "rolling-horizon evolution of plans, the others' first",
            move |_, settings, numbers: &EvolveNumbers| {
                let &EvolveNumbers { horizon, population, theirs } = numbers;
                let (horizon, population) = (horizon as usize, population as usize);
                let seed = settings.seed;
                let options = EvolveOptions { seed, horizon, population, theirs, ..EvolveOptions::default() };
                Evolve::new(Plans(estimate()), options)
            },
        ),
        Offer::new("greedy", "one turn of the estimate, against random replies", move |_, settings| {
            JointGreedy::new(estimate(), settings.seed)
        }),
        Offer::new("random", "any legal move", |_, settings| JointRandom::new(settings.seed)),
    ]
}

/// Expectimax, then [`joint_offers`]: for games with chance in which one player chooses at a time.
pub fn joint_offers_in_turns<G, E>(estimate: fn() -> E) -> Vec<Offer<G>>
where
    G: JointNotation + InTurns,
    E: Estimate<G> + Send + 'static,
{
    const { assert!(G::PLAYERS <= 2, "expectimax is for one or two players") };
    let expectimax = Offer::tunable(
        "expectimax",
        "alpha-beta with the mean over what chance decides",
        move |_, _, numbers: &ExpectimaxNumbers| {
            let depth = numbers.depth;
            Expectimax::new(estimate(), ExpectimaxOptions { depth, ..ExpectimaxOptions::default() })
        },
    );
    std::iter::once(expectimax).chain(joint_offers(estimate)).collect()
}

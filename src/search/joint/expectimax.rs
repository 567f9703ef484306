//! Expectimax with alpha-beta and Star1 and Star2 cuts, for games with chance in which one player chooses at a time.

use crate::clock::{Budget, Rare};
use crate::game::Player;
use crate::joint::{worth, Choices, Estimate, InTurns, Joint};
use crate::list::pick;

use super::recursion::{
    deepen, happen, mean, ranked, weights, NodeMeter, Recursion, Sums, Window, MAX_DEPTH,
};
use super::report::{listed, JointReport, JointSearch};

/// Which nodes of chance are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cuts {
    /// None: every outcome is searched, with a full window.
    Never,
    /// Star1: an outcome gets the window that leaves the mean in doubt, whatever those not yet searched are worth;
    /// the rest is cut where it can't change the result.
    Star1,
    /// Star2: first, one move after each outcome is searched, which often proves a cut at once.
    Star2,
}

/// Parameters of expectimax.
#[derive(Debug, Clone)]
pub struct ExpectimaxOptions {
    /// Cuts at nodes of chance. All three find the same values.
    pub cuts: Cuts,
    /// The most moves looked ahead, from 1 to 64; outcomes don't count.
    pub depth: u32,
}

impl Default for ExpectimaxOptions {
    fn default() -> ExpectimaxOptions {
        ExpectimaxOptions { cuts: Cuts::Star2, depth: MAX_DEPTH }
    }
}

/// Outcomes on one line for which Star2 has room; below that, Star1 takes over.
const PROBED: usize = 4096;

/// Expectimax for one or two players: iterative deepening, alpha-beta where players choose, the mean where chance
/// decides, with the cuts of Ballard (*The \*-Minimax Search Procedure for Trees Containing Chance Nodes*, 1983,
/// sections 3 and 4). Cuts need [`Joint::MAX_POINTS`] to be close to what a state can be worth.
///
/// Values are exact where the budget reaches every end of the game. For one player an iteration of
/// [`Decoupled`](crate::search::Decoupled) looks deeper where there are hundreds of outcomes.
///
/// ```
/// # use coppice::{Choices, InTurns, Joint, List, Payoff, Player};
/// use coppice::search::{Expectimax, ExpectimaxOptions, JointSearch};
/// use coppice::Budget;
///
/// // Take 2 points, or throw a coin for 5 or nothing.
/// # #[derive(Clone, PartialEq)]
/// # struct Coin { thrown: bool, points: Option<i32> }
/// # impl Joint for Coin {
/// #     type Move = bool;
/// #     type Moves = List<bool, 2>;
/// #     type Outcome = i32;
/// #     const PLAYERS: usize = 1;
/// #     const MAX_POINTS: i32 = 5;
/// #     fn moves(&self, _: Player, list: &mut List<bool, 2>) {
/// #         if !self.thrown && self.points.is_none() {
/// #             [false, true].into_iter().for_each(|m| list.push(m));
/// #         }
/// #     }
/// #     fn play(&mut self, choices: &Choices<bool>) {
/// #         self.thrown = choices.of(Player::FIRST) == Some(true);
/// #         self.points = (!self.thrown).then_some(2);
/// #     }
/// #     fn payoff(&self, _: Player) -> Payoff { Payoff(self.points.unwrap_or(0)) }
/// #     fn hash(&self) -> u64 { coppice::rng::mix(u64::from(self.thrown) + 2 * self.points.unwrap_or(9) as u64) }
/// #     fn outcome(&self, i: usize) -> Option<(i32, u32)> {
/// #         let waits = self.thrown && self.points.is_none();
/// #         [(0, 1), (5, 1)].get(i).copied().filter(|_| waits)
/// #     }
/// #     fn happen(&mut self, points: i32) { self.points = Some(points); }
/// # }
/// # impl InTurns for Coin {
/// #     fn to_move(&self) -> Player { Player::FIRST }
/// # }
/// let mut search = Expectimax::new(|_: &Coin, _: Player| 0.0, ExpectimaxOptions::default());
/// let report = search.search(&Coin { thrown: false, points: None }, Player::FIRST, Budget::nodes(100));
/// assert_eq!((report.best, report.value, report.exact), (Some(true), 2.5, true));
/// ```
#[derive(Debug, Clone)]
pub struct Expectimax<G: InTurns, E> {
    estimate: E,
    options: ExpectimaxOptions,
    /// Bounds of the outcomes on the line being searched.
    bounds: Vec<(f64, f64)>,
    /// An estimate went into the last values.
    is_estimated: bool,
    game: std::marker::PhantomData<G>,
}

/// The fewest moves with which Star2 searches one first. In a race with two moves it takes 2.3 times Star1's nodes with
/// probes everywhere; in a game with 3 moves 0.7 times, with 20 a tenth.
const LEAST_PROBED: usize = 3;

impl<G: InTurns, E: Estimate<G>> Expectimax<G, E> {
    /// A search by this estimate.
    pub fn new(estimate: E, options: ExpectimaxOptions) -> Expectimax<G, E> {
        const { assert!(G::PLAYERS <= 2, "expectimax is for one or two players") };
        let options = ExpectimaxOptions { depth: options.depth.clamp(1, MAX_DEPTH), ..options };
        let bounds = Vec::with_capacity(if options.cuts == Cuts::Star2 { PROBED } else { 0 });
        Expectimax { estimate, options, bounds, is_estimated: false, game: std::marker::PhantomData }
    }

    /// A state's value for `player`, `depth` moves ahead: exact within the window, a bound outside of it. `None` if the budget
    /// ended first.
    fn value(&mut self, game: &G, line: Line, window: Window, meter: &mut NodeMeter) -> Option<f64> {
        if !meter.step() {
            return None;
        }
        if game.awaits_chance() {
            return self.mean(game, line, window, meter);
        }
        let mover = game.to_move();
        if line.depth == 0 {
            let is_over = meter.meets(Rare::LIST) && listed(game, mover).is_empty();
            if !(if is_over { meter.meets(Rare::END) } else { meter.step() }) {
                return None;
            }
            self.is_estimated |= !is_over;
            return Some(worth(game, &self.estimate, line.player, is_over));
        }
        let (mut list, mut ranks) = ranked(game, mover, &self.estimate, meter)?;
        if list.is_empty() {
            return meter.meets(Rare::END).then(|| worth(game, &self.estimate, line.player, true));
        }
        let is_own = mover == line.player;
        let mut window = window;
        let mut best = if is_own { f64::NEG_INFINITY } else { f64::INFINITY };
        for i in 0..list.len() {
            let m = pick(&mut list, ranks.as_mut(), i);
            let next = play(game, mover, m, meter)?;
            let value = self.value(&next, Line { depth: line.depth - 1, ..line }, window, meter)?;
            best = if is_own { best.max(value) } else { best.min(value) };
            window.narrow(best, is_own);
            if window.is_empty() {
                break;
            }
        }
        Some(best)
    }

    /// The mean over what chance may decide.
    fn mean(&mut self, game: &G, line: Line, window: Window, meter: &mut NodeMeter) -> Option<f64> {
        let most = f64::from(G::MAX_POINTS);
        let total: f64 = weights(game).sum();
        let base = self.bounds.len();
        let count = weights(game).count();
        let is_probed = line.probes && line.depth > 1 && base + count <= self.bounds.capacity();
        let result = 'search: {
            let mut sums = Sums::of(most);
            if is_probed {
                self.bounds.resize(base + count, (-most, most));
                for i in 0..count {
                    let Some((outcome, weight)) = game.outcome(i) else { break };
                    let share = f64::from(weight) / total;
                    let bounds = match self.probe(
                        game,
                        outcome,
                        line,
                        sums.window(window, share, (-most, most)),
                        meter,
                    ) {
                        Probe::Spent => break 'search None,
                        Probe::Nothing => continue,
                        Probe::AtLeast(value) => (value.max(-most), most),
                        Probe::AtMost(value) => (-most, value.min(most)),
                    };
                    self.bounds[base + i] = bounds;
                    sums.replace(share, (-most, most), bounds);
                    if let Some(bound) = sums.cut(window) {
                        break 'search Some(bound);
                    }
                }
            }
            let known = |search: &Self, i: usize| match is_probed {
                true => search.bounds[base + i],
                false => (-most, most),
            };
            let window = Some(window).filter(|_| self.options.cuts != Cuts::Never);
            mean(self, game, window, (sums, known), meter, |search, next, window, meter| {
                search.value(next, line, window, meter)
            })
        };
        self.bounds.truncate(base);
        result
    }

    /// Searches the first move after an outcome: what it is worth bounds the outcome's value.
    fn probe(
        &mut self,
        game: &G,
        outcome: G::Outcome,
        line: Line,
        window: Window,
        meter: &mut NodeMeter,
    ) -> Probe {
        let Some(state) = happen(game, outcome, meter) else { return Probe::Spent };
        if state.awaits_chance() {
            return Probe::Nothing;
        }
        let mover = state.to_move();
        let list = listed(&state, mover);
        // One of two moves is half of the work, and rarely saves the other half.
        if list.len() < LEAST_PROBED {
            return Probe::Nothing;
        }
        // The first of the best rank, as in the search that follows.
        let _ = meter.announce(list.len());
        let mut best = None;
        for &m in list.iter() {
            if !meter.step() {
                return Probe::Spent;
            }
            let rank = self.estimate.rank(&state, mover, m);
            if best.is_none_or(|(highest, _)| rank > highest) {
                best = Some((rank, m));
            }
        }
        let Some((_, m)) = best else { return Probe::Nothing };
        let is_own = mover == line.player;
        let most = Window::of(f64::from(G::MAX_POINTS));
        // Open to the side on which the value must be exact to bound anything.
        let window = if is_own {
            Window { alpha: most.alpha, ..window }
        } else {
            Window { beta: most.beta, ..window }
        };
        let Some(next) = play(&state, mover, m, meter) else { return Probe::Spent };
        let line = Line { depth: line.depth - 1, probes: false, ..line };
        match self.value(&next, line, window, meter) {
            None => Probe::Spent,
            Some(value) if is_own => Probe::AtLeast(value),
            Some(value) => Probe::AtMost(value),
        }
    }
}

/// The result of a probe of an outcome.
enum Probe {
    /// The budget ended.
    Spent,
    /// Nobody chooses there.
    Nothing,
    AtLeast(f64),
    AtMost(f64),
}

/// For whom values are, and how many moves are looked ahead.
#[derive(Clone, Copy)]
struct Line {
    player: Player,
    depth: u32,
    /// Below a probe there are no others: each would repeat the work of the last.
    probes: bool,
}

fn play<G: Joint>(game: &G, mover: Player, m: G::Move, meter: &mut NodeMeter) -> Option<G> {
    meter.take().then(|| {
        let mut next = game.clone();
        next.play(&Choices::NONE.with(mover, m));
        next
    })
}

impl<G: InTurns, E: Estimate<G>> Recursion<G> for Expectimax<G, E> {
    type E = E;

    fn estimate(&self) -> &E {
        &self.estimate
    }

    fn depth(&self) -> u32 {
        self.options.depth
    }

    fn is_estimated(&mut self) -> &mut bool {
        &mut self.is_estimated
    }

    fn after(
        &mut self,
        game: &G,
        player: Player,
        m: G::Move,
        (depth, window): (u32, Window),
        meter: &mut NodeMeter,
    ) -> Option<f64> {
        let next = play(game, player, m, meter)?;
        let line = Line { player, depth, probes: self.options.cuts == Cuts::Star2 };
        self.value(&next, line, window, meter)
    }
}

impl<G: InTurns, E: Estimate<G>> JointSearch<G> for Expectimax<G, E> {
    fn search(&mut self, game: &G, player: Player, budget: Budget) -> JointReport<G> {
        deepen(self, game, player, budget)
    }
}

//! Expectimax with alpha-beta and Star1 and Star2 cuts, for games with chance in which one player chooses at a time.

use crate::clock::{Budget, Meter};
use crate::game::Player;
use crate::joint::{worth, Choices, Estimate, InTurns, Joint};
use crate::list::{pick, Moves};

use super::{listed, JointReport, JointSearch, Strategy};

/// Which nodes of chance are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
pub struct Options {
    /// Cuts at nodes of chance. All three find the same values.
    pub cuts: Cuts,
    /// The most moves looked ahead, from 1 to 64; outcomes don't count.
    pub depth: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { cuts: Cuts::Star2, depth: MAX_DEPTH }
    }
}

const MAX_DEPTH: u32 = 64;

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
    options: Options,
    /// Bounds of the outcomes on the line being searched.
    bounds: Vec<(f64, f64)>,
    /// An estimate went into the last values.
    is_estimated: bool,
    game: std::marker::PhantomData<G>,
}

/// The fewest moves of which Star2 searches one first. In a race with two moves it takes 2.3 times Star1's nodes with
/// probes everywhere; in a game with 3 moves 0.7 times, with 20 a tenth.
const LEAST_PROBED: usize = 3;

impl<G: InTurns, E: Estimate<G>> Expectimax<G, E> {
    /// A search by this estimate.
    pub fn new(estimate: E, options: Options) -> Expectimax<G, E> {
        const { assert!(G::PLAYERS <= 2, "expectimax is for one or two players") };
        let options = Options { depth: options.depth.clamp(1, MAX_DEPTH), ..options };
        let bounds = Vec::with_capacity(if options.cuts == Cuts::Star2 { PROBED } else { 0 });
        Expectimax { estimate, options, bounds, is_estimated: false, game: std::marker::PhantomData }
    }

    /// What a state is worth to `player`, `depth` moves ahead: exact within the window, a bound outside of it. `None`
    /// if the budget ended first.
    fn value(&mut self, game: &G, line: Line, window: Window, meter: &mut Meter<128>) -> Option<f64> {
        if game.awaits_chance() {
            return self.mean(game, line, window, meter);
        }
        let mover = game.to_move();
        let mut list = listed(game, mover);
        if list.is_empty() || line.depth == 0 {
            self.is_estimated |= !list.is_empty();
            return Some(worth(game, &self.estimate, line.player, list.is_empty()));
        }
        let mut ranks = G::Moves::ranks();
        let ranks = ranks.as_mut();
        for (rank, &m) in ranks.iter_mut().zip(list.iter()) {
            *rank = self.estimate.rank(game, mover, m);
        }
        let is_own = mover == line.player;
        let mut window = window;
        let mut best = if is_own { f64::NEG_INFINITY } else { f64::INFINITY };
        for i in 0..list.len() {
            let m = pick(&mut list, ranks, i);
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
    fn mean(&mut self, game: &G, line: Line, window: Window, meter: &mut Meter<128>) -> Option<f64> {
        let most = f64::from(G::MAX_POINTS);
        let total: f64 = weights(game).sum();
        let base = self.bounds.len();
        let count = weights(game).count();
        let is_probed = line.probes && line.depth > 1 && base + count <= self.bounds.capacity();
        let result = 'search: {
            let mut sums = Sums { lower: -most, upper: most };
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
            let mut sum = 0.0;
            for i in 0..count {
                let Some((outcome, weight)) = game.outcome(i) else { break };
                let share = f64::from(weight) / total;
                let bounds = if is_probed { self.bounds[base + i] } else { (-most, most) };
                let narrow = match self.options.cuts {
                    Cuts::Never => Window::of(most),
                    _ => sums.window(window, share, bounds),
                };
                let Some(next) = happen(game, outcome, meter) else { break 'search None };
                let Some(value) = self.value(&next, line, narrow, meter) else { break 'search None };
                sum += f64::from(weight) * value;
                let found = if value <= narrow.alpha {
                    (bounds.0, value.max(bounds.0))
                } else if value >= narrow.beta {
                    (value.min(bounds.1), bounds.1)
                } else {
                    (value, value)
                };
                sums.replace(share, bounds, found);
                if self.options.cuts != Cuts::Never {
                    if value <= narrow.alpha {
                        break 'search Some(sums.upper);
                    }
                    if value >= narrow.beta {
                        break 'search Some(sums.lower);
                    }
                }
            }
            Some(sum / total)
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
        meter: &mut Meter<128>,
    ) -> Probe {
        let Some(state) = happen(game, outcome, meter) else { return Probe::Spent };
        if state.awaits_chance() {
            return Probe::Nothing;
        }
        let mover = state.to_move();
        let list = listed(&state, mover);
        // The first of the best rank, as in the search that follows.
        let ranked = list.iter().map(|&m| (self.estimate.rank(&state, mover, m), m));
        // One of two moves is half of the work, and rarely saves the other half.
        if list.len() < LEAST_PROBED {
            return Probe::Nothing;
        }
        let Some((_, m)) = ranked.reduce(|best, other| if other.0 > best.0 { other } else { best }) else {
            return Probe::Nothing;
        };
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

/// What a probe found of an outcome.
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

/// The values that matter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: f64,
    pub(super) beta: f64,
}

impl Window {
    /// One that holds all values.
    pub(super) fn of(most: f64) -> Window {
        Window { alpha: -most - 1.0, beta: most + 1.0 }
    }

    pub(super) fn narrow(&mut self, best: f64, is_own: bool) {
        if is_own {
            self.alpha = self.alpha.max(best);
        } else {
            self.beta = self.beta.min(best);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.alpha >= self.beta
    }
}

/// Bounds of a mean, in which each outcome stands with its own bounds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sums {
    pub(super) lower: f64,
    pub(super) upper: f64,
}

impl Sums {
    /// The window of an outcome with this share and these bounds: outside of it, the mean is outside of `window`
    /// whatever the others turn out to be worth (Ballard 1983, section 3, with bounds of each outcome's own).
    pub(super) fn window(&self, window: Window, share: f64, (lower, upper): (f64, f64)) -> Window {
        Window {
            alpha: ((window.alpha - self.upper) / share + upper).max(lower - 1.0),
            beta: ((window.beta - self.lower) / share + lower).min(upper + 1.0),
        }
    }

    pub(super) fn replace(&mut self, share: f64, old: (f64, f64), new: (f64, f64)) {
        self.lower += share * (new.0 - old.0);
        self.upper += share * (new.1 - old.1);
    }

    /// A bound of the mean that lies outside of the window.
    fn cut(&self, window: Window) -> Option<f64> {
        if self.lower >= window.beta {
            Some(self.lower)
        } else if self.upper <= window.alpha {
            Some(self.upper)
        } else {
            None
        }
    }
}

/// The weights of the outcomes.
pub(super) fn weights<G: Joint>(game: &G) -> impl Iterator<Item = f64> + '_ {
    (0..).map_while(|i| game.outcome(i)).map(|(_, weight)| f64::from(weight))
}

/// The state after an outcome; `None` if there is no budget for it.
pub(super) fn happen<G: Joint>(game: &G, outcome: G::Outcome, meter: &mut Meter<128>) -> Option<G> {
    meter.take().then(|| {
        let mut next = game.clone();
        next.happen(outcome);
        next
    })
}

fn play<G: Joint>(game: &G, mover: Player, m: G::Move, meter: &mut Meter<128>) -> Option<G> {
    meter.take().then(|| {
        let mut next = game.clone();
        next.play(&Choices::NONE.with(mover, m));
        next
    })
}

impl<G: InTurns, E: Estimate<G>> JointSearch<G> for Expectimax<G, E> {
    fn search(&mut self, game: &G, player: Player, budget: Budget) -> JointReport<G> {
        let mut list = listed(game, player);
        if list.is_empty() {
            let is_over = game.is_over();
            return JointReport::without_moves(worth(game, &self.estimate, player, is_over), is_over);
        }
        let mut meter = Meter::new(budget);
        let full = Window::of(f64::from(G::MAX_POINTS));
        let moves = listed(game, player);
        let mut found = (list[0], worth(game, &self.estimate, player, false));
        let (mut depth, mut exact) = (0, false);
        'deepen: while depth < self.options.depth && !exact {
            self.is_estimated = false;
            let (mut window, mut best) = (full, None);
            for i in 0..list.len() {
                let Some(next) = play(game, player, list[i], &mut meter) else { break 'deepen };
                let line = Line { player, depth, probes: self.options.cuts == Cuts::Star2 };
                let Some(value) = self.value(&next, line, window, &mut meter) else { break 'deepen };
                if best.is_none_or(|(_, old)| value > old) {
                    best = Some((i, value));
                    // Even an unfinished iteration is better than the last one once its best move is searched.
                    found = (list[i], value);
                }
                window.narrow(value, true);
            }
            let Some((i, _)) = best else { break };
            list[..=i].rotate_right(1);
            depth += 1;
            exact = !self.is_estimated;
        }
        let place = moves.iter().position(|&m| m == found.0).unwrap_or(0);
        JointReport {
            best: Some(found.0),
            strategy: Strategy::pure(&moves, place),
            value: found.1,
            nodes: meter.nodes(),
            depth,
            exact,
            kept: 0,
        }
    }
}

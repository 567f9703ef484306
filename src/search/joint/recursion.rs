//! Common parts of expectimax and paranoid search: windows of values, means over chance, ranked moves, iterative deepening.

use crate::clock::{Budget, Meter, Rare};
use crate::game::Player;
use crate::joint::{worth, Estimate, Joint};
use crate::list::{copied, Moves};

use super::report::{listed, JointReport};
use super::strategy::Strategy;

/// The most turns looked ahead.
pub(super) const MAX_DEPTH: u32 = 64;

/// Counts nodes, and reads the clock every 128.
pub(super) type NodeMeter = Meter<128>;

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
    /// No outcome is known.
    pub(super) fn of(most: f64) -> Sums {
        Sums { lower: -most, upper: most }
    }

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
    pub(super) fn cut(&self, window: Window) -> Option<f64> {
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

/// The state after an outcome; `None` if the budget is spent.
pub(super) fn happen<G: Joint>(game: &G, outcome: G::Outcome, meter: &mut NodeMeter) -> Option<G> {
    meter.take().then(|| {
        let mut next = game.clone();
        next.happen(outcome);
        next
    })
}

/// The mean over what chance may decide: exact within the window, a bound outside of it. `sums` holds what is known so far,
/// `known` each outcome's bounds. Without a window every outcome is searched in full. `None` if the budget ended first.
pub(super) fn mean<G: Joint, S>(
    search: &mut S,
    game: &G,
    window: Option<Window>,
    (mut sums, known): (Sums, impl Fn(&S, usize) -> (f64, f64)),
    meter: &mut NodeMeter,
    value: impl Fn(&mut S, &G, Window, &mut NodeMeter) -> Option<f64>,
) -> Option<f64> {
    let total: f64 = weights(game).sum();
    let mut sum = 0.0;
    let outcomes = (0..).map_while(|i| game.outcome(i)).enumerate();
    for (i, (outcome, weight)) in outcomes {
        let (share, bounds) = (f64::from(weight) / total, known(search, i));
        let narrow = match window {
            None => Window::of(f64::from(G::MAX_POINTS)),
            Some(window) => sums.window(window, share, bounds),
        };
        let next = happen(game, outcome, meter)?;
        let value = value(search, &next, narrow, meter)?;
        sum += f64::from(weight) * value;
        let (is_low, is_high) = (value <= narrow.alpha, value >= narrow.beta);
        let found = match (is_low, is_high) {
            (true, _) => (bounds.0, value.max(bounds.0)),
            (_, true) => (value.min(bounds.1), bounds.1),
            _ => (value, value),
        };
        sums.replace(share, bounds, found);
        if window.is_some() && (is_low || is_high) {
            return Some(if is_low { sums.upper } else { sums.lower });
        }
    }
    Some(sum / total)
}

/// A move list's sort keys.
type Ranks<G> = <<G as Joint>::Moves as Moves<<G as Joint>::Move>>::Ranks;

/// A player's moves with their ranks, in listed order: [`pick`](crate::list::pick) sorts them. `None` if the deadline
/// passed.
pub(super) fn ranked<G: Joint, E: Estimate<G>>(
    game: &G,
    player: Player,
    estimate: &E,
    meter: &mut NodeMeter,
) -> Option<(G::Moves, Ranks<G>)> {
    let list = meter.meets(Rare::LIST).then(|| listed(game, player))?;
    let is_careful = meter.announce(list.len());
    let mut ranks = G::Moves::ranks();
    for (rank, &m) in ranks.as_mut().iter_mut().zip(list.iter()) {
        if is_careful && !meter.step() {
            return None;
        }
        *rank = estimate.rank(game, player, m);
    }
    Some((list, ranks))
}

/// A search that looks a number of turns ahead.
pub(super) trait Recursion<G: Joint> {
    type E: Estimate<G>;

    fn estimate(&self) -> &Self::E;

    /// The most turns looked ahead.
    fn depth(&self) -> u32;

    /// Whether an estimate went into the values since it was last set to `false`.
    fn is_estimated(&mut self) -> &mut bool;

    /// A move's value, `depth` turns ahead of it: exact within the window, a bound outside of it. `None` if the budget ended
    /// first.
    fn after(
        &mut self,
        game: &G,
        player: Player,
        m: G::Move,
        aim: (u32, Window),
        meter: &mut NodeMeter,
    ) -> Option<f64>;
}

/// Iterative deepening. The report is exact if the last iteration used no estimate.
pub(super) fn deepen<G: Joint, R: Recursion<G>>(
    search: &mut R,
    game: &G,
    player: Player,
    budget: Budget,
) -> JointReport<G> {
    let mut list = listed(game, player);
    if list.is_empty() {
        let is_over = game.is_over();
        return JointReport::without_moves(worth(game, search.estimate(), player, is_over), is_over);
    }
    let mut meter = Meter::new(budget);
    let moves = copied(&list);
    let now = if meter.is_in_time() { worth(game, search.estimate(), player, false) } else { 0.0 };
    let mut found = (list[0], now);
    let (mut depth, mut exact) = (0, false);
    'deepen: while depth < search.depth() && !exact {
        *search.is_estimated() = false;
        let (mut window, mut best) = (Window::of(f64::from(G::MAX_POINTS)), None);
        for i in 0..list.len() {
            let value = search.after(game, player, list[i], (depth, window), &mut meter);
            let Some(value) = value else { break 'deepen };
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
        exact = !*search.is_estimated();
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

//! Counts nodes, and says when the clock is looked at.

#[cfg(test)]
mod tests;

#[cfg(feature = "stop")]
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::budget::{nanoseconds, Budget};

/// Counts a search's nodes against its budget, and looks at the clock: after nodes 1, 2, 4 and so on up to once in
/// `EVERY`, and more often where that takes longer than 0.1 ms.
///
/// A look measures the time of a node. Where the next node may not end before the deadline, or none has been measured
/// yet, the meter is *careful*: [`Meter::step`], which a search asks between two calls of the game's or the
/// evaluation's functions, looks at the clock each time. Otherwise it costs the test of a flag. So a search whose calls
/// are expensive ends with the call during which its deadline passes, and one whose calls are cheap hardly looks.
///
/// The plan rests on what was measured. So calls that not every node makes, such as the payoff at the end of a game, are
/// measured by themselves, with a look before and after each, until one takes less than 2 µs.
#[derive(Debug, Clone)]
pub struct Meter<const EVERY: u64> {
    budget: Budget,
    nodes: u64,
    /// The count at which the budget is checked next.
    stop_at: u64,
    spent: bool,
    /// [`CAREFUL`], [`TIMED`], and the rare calls that are measured by themselves; 0 without a deadline.
    watch: u8,
    /// The rare calls that aren't known to be cheap.
    unknown: u8,
    /// The rare call since the last look; 0: none.
    met: u8,
    /// Calls have been announced: the first ones are measured each.
    has_announced: bool,
    /// When the last look was, the count of nodes then, and the calls announced since.
    looked: Option<Instant>,
    counted: u64,
    announced: u64,
    /// The nodes between the last two looks, were no rare call and no deadline near.
    stretch: u64,
    /// The time of a node, in nanoseconds: the longest mean between two looks, less an eighth every [`FORGET`]. 0: not measured
    /// yet.
    pace: u64,
    /// The least pace: what the cheap ones of the rare calls take together.
    floor: u64,
    /// The longest time between two looks while careful. The next search forgets half of it.
    call: u64,
    stepped: Option<Instant>,
    forgot: Option<Instant>,
}

/// The intended longest time between two looks at the clock, in nanoseconds: a fifth of a percent of the shortest limit
/// of a contest, and thousands of times what a look takes.
const LOOK: u64 = 100_000;

/// The time before a deadline, in nanoseconds, in which every step looks at the clock: nodes that take a hundred times as
/// long as the mean still end in it where calls are cheap.
const NEAR: u64 = 20_000;

/// The time, in nanoseconds, in which an eighth of the pace is forgotten: 5 ms, for which the machine ran another
/// program, in 2 ms.
const FORGET: u64 = 25_000;

/// The most that a rare call takes, in nanoseconds, that isn't measured each time: 2 looks take 3 % of it.
const CHEAP: u64 = 2_000;

/// The flag of a careful meter.
const CAREFUL: u8 = 1;

/// The flag of a meter with a deadline.
const TIMED: u8 = 128;

/// A call that not every node makes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rare(u8);

impl Rare {
    /// Evaluates the end of a game, in a search whose nodes are mostly not ends.
    pub(crate) const END: Rare = Rare(2);
    /// Lists a position's moves, in a search whose nodes are mostly moves.
    pub(crate) const LIST: Rare = Rare(4);
    /// The first list of moves in a search whose nodes are playouts.
    pub(crate) const FIRST_LIST: Rare = Rare(16);
    /// The first payoffs and estimates there.
    pub(crate) const FIRST_END: Rare = Rare(32);
    pub(crate) const FIRST_ESTIMATE: Rare = Rare(64);

    const ALL: u8 = Rare::END.0 | Rare::LIST.0 | Rare::FIRST;
    /// From the second one on they are a part of the nodes' time.
    const FIRST: u8 = Rare::FIRST_LIST.0 | Rare::FIRST_END.0 | Rare::FIRST_ESTIMATE.0;
}

impl<const EVERY: u64> Meter<EVERY> {
    /// A meter with nothing used yet.
    pub fn new(budget: Budget) -> Meter<EVERY> {
        let mut meter = Meter {
            budget,
            nodes: 0,
            stop_at: 0,
            spent: false,
            watch: 0,
            unknown: Rare::ALL,
            met: 0,
            has_announced: false,
            looked: None,
            counted: 0,
            announced: 0,
            stretch: 0,
            pace: 0,
            floor: 0,
            call: 0,
            stepped: None,
            forgot: None,
        };
        if budget.is_open() {
            (meter.stop_at, meter.spent) = (budget.max_nodes(), budget.max_nodes() == 0);
        } else {
            meter.look(1);
            // Time may pass until the first node, which looks again.
            meter.stop_at = 0;
        }
        meter
    }

    /// A meter with nothing used yet, for the next search: it knows from this one how long a node takes.
    pub fn again(&self, budget: Budget) -> Meter<EVERY> {
        let Meter { pace, floor, call, unknown, has_announced, .. } = *self;
        let mut meter = Meter { pace, floor, call: call / 2, unknown, has_announced, ..Meter::new(budget) };
        if !budget.is_open() {
            meter.look(1);
            meter.stop_at = 0;
        }
        meter
    }

    /// Counts a node, if there is still budget for it.
    #[must_use = "`false`: the budget is spent"]
    #[inline(always)]
    pub fn take(&mut self) -> bool {
        if self.nodes >= self.stop_at && !self.look(1) {
            return false;
        }
        self.nodes += 1;
        true
    }

    /// Whether [`Meter::take`] would look at the budget: always where the meter is careful.
    #[inline(always)]
    pub(crate) fn is_due(&self) -> bool {
        self.nodes >= self.stop_at
    }

    /// Whether there are `n` nodes before the next look, and the meter isn't careful.
    #[inline(always)]
    pub(crate) fn is_free_for(&self, n: u64) -> bool {
        self.nodes + n <= self.stop_at && !self.is_careful()
    }

    /// Counts `n` nodes, if there is still budget for all of them; none of them otherwise.
    #[must_use = "`false`: the budget is spent"]
    #[inline(always)]
    pub fn take_many(&mut self, n: u64) -> bool {
        let fits = self.allows(n);
        self.nodes += if fits { n } else { 0 };
        fits
    }

    /// Whether there is still budget for `n` nodes together, which are not counted yet.
    #[inline(always)]
    #[must_use]
    pub fn allows(&mut self, n: u64) -> bool {
        if self.nodes + n > self.stop_at && !(self.look(n) && n <= self.budget.max_nodes() - self.nodes) {
            self.spent = true;
            return false;
        }
        true
    }

    /// Counts `n` nodes that [`Meter::allows`] has allowed.
    #[inline(always)]
    pub fn add(&mut self, n: u64) {
        self.nodes += n;
    }

    /// Whether there is time for another call, in the middle of a node. `false` only once the deadline has passed: then
    /// the budget is spent.
    #[must_use = "`false`: the deadline has passed"]
    #[inline(always)]
    pub fn step(&mut self) -> bool {
        self.watch & CAREFUL == 0 || self.is_in_time()
    }

    /// [`Meter::step`] in a function that is compiled twice: without `CAREFUL`, for nodes during which the meter isn't
    /// careful, it is nothing.
    #[must_use = "`false`: the deadline has passed"]
    #[inline(always)]
    pub(crate) fn step_if<const CAREFUL: bool>(&mut self) -> bool {
        !CAREFUL || self.step()
    }

    /// A look before `n` calls together: whether the last but one probably begins in time. If not, the budget is spent.
    #[must_use = "`false`: the deadline has passed"]
    #[inline(always)]
    pub(crate) fn steps_if<const CAREFUL: bool>(&mut self, n: usize) -> bool {
        !CAREFUL || self.step() && (n <= 2 || self.has_time_for(n as u64 - 2))
    }

    /// [`Meter::step`] before a rare call, after which the meter is careful where the call isn't known to be cheap.
    #[must_use = "`false`: the deadline has passed"]
    #[inline(always)]
    pub(crate) fn meets(&mut self, rare: Rare) -> bool {
        self.watch & (CAREFUL | rare.0) == 0 || self.meet(rare)
    }

    /// [`Meter::meets`] in a function that is compiled twice: without `CAREFUL` it does nothing, and is `false` where the
    /// call is to be made with care.
    #[must_use = "`false`: the deadline has passed, or the node is to be repeated with care"]
    #[inline(always)]
    pub(crate) fn meets_if<const CAREFUL: bool>(&mut self, rare: Rare) -> bool {
        if CAREFUL {
            self.meets(rare)
        } else {
            self.watch & rare.0 == 0
        }
    }

    /// [`Meter::meets_if`] and [`Meter::steps_if`] before each player's payoff, or estimate, after a playout.
    #[must_use = "`false`: the deadline has passed, or the node is to be repeated with care"]
    #[inline(always)]
    pub(crate) fn rewards_if<const CAREFUL: bool>(&mut self, is_over: bool, players: usize) -> bool {
        let rare = if is_over { Rare::FIRST_END } else { Rare::FIRST_ESTIMATE };
        self.meets_if::<CAREFUL>(rare) && self.steps_if::<CAREFUL>(players)
    }

    /// Looks after 1, 2, 4 nodes and so on from here: what follows may take longer than what came before.
    #[inline(always)]
    pub(crate) fn renew(&mut self) {
        if self.watch & TIMED != 0 && self.look(1) {
            self.stretch = 1;
            self.stop_at = self.stop_at.min(self.nodes + 1);
        }
    }

    /// Announces `n` calls that aren't nodes, between which the search asks [`Meter::step`]. Returns whether the meter is
    /// careful then.
    #[inline(always)]
    pub fn announce(&mut self, n: usize) -> bool {
        self.watch & TIMED != 0 && self.expect(n as u64)
    }

    /// The case with a deadline.
    #[inline(never)]
    fn expect(&mut self, n: u64) -> bool {
        let is_first = n > 1 && !self.has_announced;
        if self.nodes + n > self.stop_at || is_first {
            let was_careful = self.is_careful();
            self.look(n);
            self.has_announced |= is_first;
            if was_careful || is_first {
                // Until the next node's look.
                self.watch |= CAREFUL;
                self.stop_at = 0;
            }
        }
        // They take their part of the time until the next look.
        self.stop_at = self.stop_at.saturating_sub(n);
        self.announced += n;
        self.is_careful()
    }

    /// Whether every [`Meter::step`] looks at the clock.
    #[inline(always)]
    pub fn is_careful(&self) -> bool {
        self.watch & CAREFUL != 0
    }

    /// Looks at the clock: `false` once the deadline has passed.
    #[must_use = "`false`: the deadline has passed"]
    #[cold]
    #[inline(never)]
    pub fn is_in_time(&mut self) -> bool {
        let Some(deadline) = self.budget.deadline() else { return !self.end_if(self.budget.is_late()) };
        let now = self.budget.now();
        if self.end_if(now >= deadline || self.budget.is_stopped()) {
            return false;
        }
        self.time_call(now);
        if self.met & !Rare::FIRST != 0 {
            // Careful until the next node's look.
            self.plan(now, nanoseconds(deadline.saturating_duration_since(now)), 1);
            self.watch |= CAREFUL;
        }
        true
    }

    /// Measures the time since the last look, if the meter is careful.
    fn time_call(&mut self, now: Instant) {
        let time = self.stepped.map_or(0, |last| nanoseconds(now.saturating_duration_since(last)));
        self.call = self.call.max(time);
        self.stepped = Some(now).filter(|_| self.is_careful());
    }

    /// Spends the budget, if the deadline has passed.
    fn end_if(&mut self, is_late: bool) -> bool {
        if is_late {
            (self.spent, self.stop_at) = (true, 0);
            self.watch |= CAREFUL;
        }
        is_late
    }

    /// Whether `n` calls end before the deadline, if they take as long as those before.
    #[cold]
    #[inline(never)]
    fn has_time_for(&mut self, n: u64) -> bool {
        let time = Duration::from_nanos(n.saturating_mul(self.call));
        let is_late = self.budget.deadline().is_some_and(|deadline| self.budget.now() + time >= deadline);
        !self.end_if(is_late)
    }

    /// Before a rare call, or where the meter is careful.
    #[cold]
    #[inline(never)]
    fn meet(&mut self, Rare(rare): Rare) -> bool {
        if !self.is_in_time() {
            return false;
        }
        if let Some(deadline) = self.budget.deadline().filter(|_| self.unknown & rare != 0) {
            // The first calls in a node are measured with the rest of it, or with all of it where no node has been measured.
            if rare & Rare::FIRST == 0 || self.met == 0 && self.pace > 0 {
                let now = self.budget.now();
                self.plan(now, nanoseconds(deadline.saturating_duration_since(now)), 1);
            }
            self.watch |= CAREFUL;
            // The next node looks again, which measures the call.
            self.met |= rare;
            self.stop_at = 0;
        }
        true
    }

    /// Nodes counted so far.
    #[inline(always)]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether a node has been refused.
    #[inline(always)]
    pub fn is_spent(&self) -> bool {
        self.spent
    }

    /// Looks at the clock before `n` nodes.
    #[cold]
    #[inline(never)]
    fn look(&mut self, n: u64) -> bool {
        self.spent |= self.nodes >= self.budget.max_nodes();
        let every = match self.budget.deadline() {
            None => u64::MAX,
            Some(deadline) => {
                let now = self.budget.now();
                self.spent |= now >= deadline;
                self.plan(now, nanoseconds(deadline.saturating_duration_since(now)), n)
            }
        };
        #[cfg(feature = "stop")]
        let every = match self.budget.stop() {
            None => every,
            Some(stop) => {
                self.spent |= stop.load(Ordering::Relaxed);
                every.min(EVERY)
            }
        };
        self.stop_at =
            if self.spent { 0 } else { self.nodes.saturating_add(every).min(self.budget.max_nodes()) };
        !self.spent
    }

    /// Measures the time of a node, or of a rare call. Returns how many nodes there are until the next look at the clock,
    /// given the time that is `left` and that `n` nodes come together: twice as many as before the last one, and no more
    /// than probably take half of the time that is left.
    fn plan(&mut self, now: Instant, left: u64, n: u64) -> u64 {
        let passed =
            |since: Option<Instant>| nanoseconds(now.saturating_duration_since(since.unwrap_or(now)));
        if self.forgot.is_none() || passed(self.forgot) >= FORGET {
            self.pace -= self.pace / 8;
            self.forgot = Some(now);
        }
        let count = self.nodes - self.counted;
        if self.met == 0 {
            // Announced calls alone don't tell how long a node takes, but that it may take longer.
            let units = if count > 0 || self.pace > 0 { count + self.announced } else { 0 };
            if self.looked.is_some() && units > 0 {
                self.pace = self.pace.max(passed(self.looked) / units).max(1);
            }
            if count > 0 {
                self.stretch = (2 * count).min(EVERY);
            }
        } else {
            let time = passed(self.looked);
            if self.met & Rare::FIRST != 0 {
                self.pace = self.pace.max(time / count.max(1));
            } else if time <= CHEAP {
                self.floor += time;
            }
            if self.met & Rare::FIRST != 0 || time <= CHEAP {
                self.unknown &= !self.met;
            }
            self.met = 0;
        }
        (self.looked, self.counted, self.announced) = (Some(now), self.nodes, 0);
        let pace = if self.pace > 0 { self.pace.max(self.floor) } else { 0 };
        let fit = left.saturating_sub(NEAR).checked_div(2 * pace).unwrap_or(0);
        self.watch = TIMED | self.unknown | if fit < n { CAREFUL } else { 0 };
        self.time_call(now);
        self.stretch.max(1).min(LOOK / pace.max(1)).max(1).min(fit)
    }
}

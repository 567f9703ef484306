//! Time and node budgets of a turn, and the meter that enforces them.

#[cfg(feature = "stop")]
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A contest's time limits, less a reserve: computes a turn's deadline from the moment at which the turn
/// began.
///
/// The reserve covers what happens outside the search: pipes, the referee's own work, and the time in which a
/// busy machine runs other processes. It is 6 % of a limit (5 % of the first) and
/// at least 3.5 ms. Answers that are ready only after
/// their deadline show how busy the machine is: a delay that repeats is added to the reserve, see
/// [`Clock::answered`].
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use coppice::{Budget, Clock};
///
/// let ms = Duration::from_millis;
/// let mut clock = Clock::new(ms(1000), ms(100));
/// let started = Instant::now();
/// let deadline = clock.turn(started);
/// assert_eq!(deadline - started, ms(950));
/// let budget = Budget::until(deadline);
/// // Search within the budget, then, before the answer is printed:
/// clock.answered(Instant::now());
/// assert_eq!(clock.turn(started) - started, ms(94));
/// ```
#[derive(Debug, Clone)]
pub struct Clock {
    first: Duration,
    later: Duration,
    /// The reserve of every turn; `None`: a share of its limit.
    reserve: Option<Duration>,
    turns: u32,
    /// When the turn's thinking had to end; `None` once it is answered.
    deadline: Option<Instant>,
    /// By how much the last answers were sent after their deadlines: a ring of turns that used up their time.
    delays: [Duration; DELAYS],
    /// Where the next delay is stored.
    next: usize,
}

/// The default reserve in per cent of a limit: of the first, which is long, and of the others. Strong bots answer after
/// 92 to 96 % of the platform's limits. A virtual machine at rest stood still for up to 5.3 ms: of 4,325 answers within
/// 100 ms, 5 of them reserved, 1 was late.
const SHARES: [u32; 2] = [5, 6];

/// The minimum default reserve: 7 % of 50 ms. Pipes and the scheduler of an idle machine take less than 1 ms. Beside other
/// programs 0.76 % of 6,553 answers within 50 ms came more than 3 ms after the deadline, 0.55 % more than 3.5 ms.
const LEAST: Duration = Duration::from_micros(3500);

/// The number of recent delays of which the second longest, their 7/8 quantile, is added to the reserve.
const DELAYS: usize = 8;

impl Clock {
    /// A clock for a contest that allows `first` for the first answer and `later` for each other.
    pub const fn new(first: Duration, later: Duration) -> Clock {
        let delays = [Duration::ZERO; DELAYS];
        Clock { first, later, reserve: None, turns: 0, deadline: None, delays, next: 0 }
    }

    /// The same clock with a reserve of its own for every turn, the first included: more than the default for a
    /// machine that runs other processes, or less.
    pub const fn with_reserve(self, reserve: Duration) -> Clock {
        Clock { reserve: Some(reserve), ..self }
    }

    /// Begins a turn whose first byte arrived at `started`, and returns its deadline.
    #[must_use]
    pub fn turn(&mut self, started: Instant) -> Instant {
        self.turns += 1;
        let (limit, share) = if self.turns == 1 { (self.first, SHARES[0]) } else { (self.later, SHARES[1]) };
        let least = self.reserve.unwrap_or((limit * share / 100).max(LEAST));
        let reserve = (least + self.delay()).min(limit / 2).max(least);
        let deadline = started + limit.saturating_sub(reserve);
        self.deadline = Some(deadline);
        deadline
    }

    /// The turn's answer is ready at `now`. If that is after the deadline, the delay is remembered for the next
    /// eight such turns. The second longest of the eight is added to the reserve, up to half of the limit: a single
    /// delay, however long, changes nothing, and two are forgotten after eight turns. Does nothing if no turn has
    /// begun, or if the turn ended early: that tells nothing about delays.
    ///
    /// To be called before the answer is sent: afterwards the opponent's bot may already have the processor, on which
    /// this one waits without harm.
    pub fn answered(&mut self, now: Instant) {
        if let Some(delay) = self.deadline.take().and_then(|deadline| now.checked_duration_since(deadline)) {
            self.delays[self.next] = delay;
            self.next = (self.next + 1) % DELAYS;
        }
    }

    /// The second longest of the recent delays.
    fn delay(&self) -> Duration {
        let (mut longest, mut second) = (Duration::ZERO, Duration::ZERO);
        for delay in self.delays {
            second = second.max(delay.min(longest));
            longest = longest.max(delay);
        }
        second
    }

    /// The number of turns that have begun.
    pub fn turns(&self) -> u32 {
        self.turns
    }
}

/// The limit of a search: a deadline, a number of nodes, or whichever is reached first.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use coppice::Budget;
///
/// let deadline = Instant::now() + Duration::from_millis(50);
/// let budget = Budget::until(deadline).and_nodes(1_000_000);
/// assert_eq!(budget.deadline(), Some(deadline));
/// assert_eq!(budget.max_nodes(), 1_000_000);
/// ```
#[must_use = "a budget limits only the search that it is passed to"]
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    deadline: Option<Instant>,
    nodes: u64,
    /// Not compiled into bots and their bundles: the feature is for interactive programs.
    #[cfg(feature = "stop")]
    stop: Option<&'static AtomicBool>,
}

impl Budget {
    /// A budget that ends at `deadline`.
    pub const fn until(deadline: Instant) -> Budget {
        Budget {
            deadline: Some(deadline),
            nodes: u64::MAX,
            #[cfg(feature = "stop")]
            stop: None,
        }
    }

    /// At most `nodes` nodes: the answer doesn't depend on the machine's speed.
    pub const fn nodes(nodes: u64) -> Budget {
        Budget {
            deadline: None,
            nodes,
            #[cfg(feature = "stop")]
            stop: None,
        }
    }

    /// The same budget with at most `nodes` nodes.
    pub const fn and_nodes(self, nodes: u64) -> Budget {
        Budget { nodes: if nodes < self.nodes { nodes } else { self.nodes }, ..self }
    }

    /// `parts` of `whole` equal parts of this budget, at most all: of its nodes, rounded down, and of the time that is left
    /// until its deadline. What ends this budget early ends the part too.
    pub fn share(self, parts: u32, whole: u32) -> Budget {
        let nodes = (u128::from(self.nodes) * u128::from(parts) / u128::from(whole)) as u64;
        let deadline = self.deadline.map(|deadline| {
            let now = Instant::now();
            now + deadline.saturating_duration_since(now) * parts / whole
        });
        Budget { deadline, ..self }.and_nodes(nodes)
    }

    /// The same budget, ended early by `stop`: soon after another thread sets it, no more nodes are visited.
    #[cfg(feature = "stop")]
    pub const fn unless(self, stop: &'static AtomicBool) -> Budget {
        Budget { stop: Some(stop), ..self }
    }

    /// The flag that ends the search, if there is one.
    #[cfg(feature = "stop")]
    pub const fn stop(&self) -> Option<&'static AtomicBool> {
        self.stop
    }

    /// The maximum number of nodes.
    pub const fn max_nodes(&self) -> u64 {
        self.nodes
    }

    /// The deadline, if there is one.
    pub const fn deadline(&self) -> Option<Instant> {
        self.deadline
    }
}

/// Counts a search's nodes against its budget. The clock itself is read once in `EVERY` nodes, and more often where that
/// takes longer than 0.1 ms: a search with an expensive evaluation ends as near to its deadline as others.
#[derive(Debug, Clone)]
pub struct Meter<const EVERY: u64> {
    budget: Budget,
    nodes: u64,
    /// The count at which the budget is checked next.
    stop_at: u64,
    spent: bool,
    /// The number of nodes between two looks at the clock, and when the last was.
    every: u64,
    looked: Option<Instant>,
}

/// The intended longest time between two looks at the clock: a fifth of a percent of the shortest limit of a contest, and
/// thousands of times what a look takes.
const LOOK: Duration = Duration::from_micros(100);

/// The number of nodes before the second look at the clock.
const FIRST_LOOK: u64 = 16;

impl<const EVERY: u64> Meter<EVERY> {
    /// A meter with nothing used yet.
    pub fn new(budget: Budget) -> Meter<EVERY> {
        let every = if EVERY < FIRST_LOOK { EVERY } else { FIRST_LOOK };
        let mut meter = Meter { budget, nodes: 0, stop_at: 0, spent: false, every, looked: None };
        meter.look();
        meter
    }

    /// Counts a node, if there is still budget for it.
    #[must_use = "`false`: the budget is spent"]
    #[inline(always)]
    pub fn take(&mut self) -> bool {
        if self.nodes >= self.stop_at && !self.look() {
            return false;
        }
        self.nodes += 1;
        true
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
        if self.nodes + n > self.stop_at && !(self.look() && n <= self.budget.nodes - self.nodes) {
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

    #[cold]
    #[inline(never)]
    fn look(&mut self) -> bool {
        self.spent |= self.nodes >= self.budget.nodes;
        let every = match self.budget.deadline {
            None => u64::MAX,
            Some(deadline) => {
                let now = Instant::now();
                self.spent |= now >= deadline;
                self.adapt(now);
                self.every
            }
        };
        #[cfg(feature = "stop")]
        let every = match self.budget.stop {
            None => every,
            Some(stop) => {
                self.spent |= stop.load(Ordering::Relaxed);
                EVERY
            }
        };
        self.stop_at = if self.spent { 0 } else { self.nodes.saturating_add(every).min(self.budget.nodes) };
        !self.spent
    }

    /// Sets how many nodes there are until the next look at the clock by how long it was since the last one.
    fn adapt(&mut self, now: Instant) {
        let last = self.looked.replace(now);
        let Some(took) = last.map(|last| now.saturating_duration_since(last)) else { return };
        if took > LOOK {
            self.every = (self.every / 2).max(1);
        } else if took < LOOK / 4 {
            self.every = (self.every * 2).min(EVERY);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_each_limit_is_reserved() {
        let ms = Duration::from_millis;
        let mut clock = Clock::new(ms(2000), ms(150));
        let now = Instant::now();
        assert_eq!(clock.turn(now), now + ms(1900));
        assert_eq!(clock.turn(now), now + ms(141));
        assert_eq!(clock.turns(), 2);
        let mut clock = Clock::new(ms(40), ms(20));
        assert_eq!(
            (clock.turn(now), clock.turn(now)),
            (now + ms(40) - LEAST, now + ms(20) - LEAST),
            "the least"
        );
        let mut clock = Clock::new(ms(1000), ms(100)).with_reserve(ms(30));
        assert_eq!((clock.turn(now), clock.turn(now)), (now + ms(970), now + ms(70)));
        let mut clock = Clock::new(ms(2), ms(1));
        assert_eq!((clock.turn(now), clock.turn(now)), (now, now), "no time at all");
    }

    #[test]
    fn a_delay_that_repeats_is_added_to_the_reserve_for_eight_turns() {
        let ms = Duration::from_millis;
        let mut clock = Clock::new(ms(1000), ms(100));
        let now = Instant::now();
        let mut thinks = |delay: Duration| {
            let deadline = clock.turn(now);
            clock.answered(deadline + delay);
            // No turn has begun: this isn't the answer to one.
            clock.answered(deadline + ms(5000));
            deadline - now
        };
        assert_eq!(thinks(ms(0)), ms(950));
        assert_eq!(thinks(ms(40)), ms(94));
        assert_eq!(thinks(ms(0)), ms(94), "a single delay changes nothing");
        assert_eq!(thinks(ms(7)), ms(94));
        assert_eq!(thinks(ms(0)), ms(87), "7 ms, the shorter of two");
        let after: Vec<_> = (0..5).map(|_| thinks(ms(0))).collect();
        assert_eq!(after, [87, 87, 87, 87, 87].map(ms));
        assert_eq!(thinks(ms(0)), ms(94), "eight turns after the long one");
        let _ = [300; 3].map(|delay| thinks(ms(delay)));
        assert_eq!(thinks(ms(0)), ms(50), "half of the limit at most");
    }

    #[test]
    fn turns_that_end_early_tell_nothing_about_delays() {
        let ms = Duration::from_millis;
        let now = Instant::now();
        let mut clock = Clock::new(ms(100), ms(100));
        for _ in 0..2 {
            let deadline = clock.turn(now);
            clock.answered(deadline + ms(10));
        }
        for _ in 0..20 {
            assert_eq!(clock.turn(now), now + ms(84));
            clock.answered(now);
        }
        // A reserve that was asked for stays, above half of the limit as well.
        let mut clock = Clock::new(ms(100), ms(100)).with_reserve(ms(80));
        for _ in 0..3 {
            let deadline = clock.turn(now);
            assert_eq!(deadline, now + ms(20));
            clock.answered(deadline + ms(30));
        }
    }

    #[test]
    fn a_node_budget_is_exact() {
        for n in [0, 1, 5, 1000] {
            let mut meter = Meter::<4>::new(Budget::nodes(n));
            let taken = (0..2000).filter(|_| meter.take()).count() as u64;
            assert_eq!((taken, meter.nodes(), meter.is_spent()), (n, n, true));
        }
    }

    #[test]
    fn many_nodes_are_taken_whole_or_not_at_all() {
        let mut meter = Meter::<4>::new(Budget::nodes(10));
        assert!(meter.take_many(7) && !meter.take_many(4));
        assert_eq!((meter.nodes(), meter.is_spent()), (7, true));
        let far = Instant::now() + Duration::from_secs(1000);
        let mut meter = Meter::<4>::new(Budget::until(far).and_nodes(20));
        assert!(meter.take_many(13) && meter.take_many(7) && !meter.take_many(1));
        assert!(!Meter::<4>::new(Budget::until(Instant::now())).take_many(1));
    }

    #[test]
    fn the_clock_is_read_more_often_where_nodes_take_long() {
        let far = Instant::now() + Duration::from_secs(1000);
        let mut meter = Meter::<512>::new(Budget::until(far));
        let mut now = meter.looked.expect("a look");
        let mut looks = |count: u32, took: Duration| {
            for _ in 0..count {
                now += took;
                meter.adapt(now);
            }
            meter.every
        };
        assert_eq!(looks(10, Duration::from_micros(10)), 512);
        assert_eq!(looks(10, LOOK), 512);
        assert_eq!(looks(3, 10 * LOOK), 64);
        assert_eq!(looks(20, 10 * LOOK), 1);
        assert_eq!(looks(2, Duration::ZERO), 4);
    }

    #[test]
    fn a_share_is_a_part_of_nodes_and_time() {
        let far = Instant::now() + Duration::from_secs(1000);
        let budget = Budget::until(far).and_nodes(11).share(1, 2);
        let left = budget.deadline().expect("a deadline").saturating_duration_since(Instant::now());
        assert_eq!(budget.max_nodes(), 5);
        assert!(left <= Duration::from_secs(500) && left > Duration::from_secs(250), "{left:?}");
        assert_eq!(Budget::nodes(u64::MAX).share(3, 3).max_nodes(), u64::MAX);
        assert!(Budget::nodes(7).share(0, 3).max_nodes() == 0 && Budget::nodes(7).deadline().is_none());
    }

    #[cfg(feature = "stop")]
    #[test]
    fn a_share_is_stopped_with_the_whole() {
        static STOP: AtomicBool = AtomicBool::new(true);
        assert!(!Meter::<4>::new(Budget::nodes(1000).unless(&STOP).share(1, 2)).take());
    }

    #[cfg(feature = "stop")]
    #[test]
    fn nothing_more_is_taken_once_it_is_stopped() {
        static STOP: AtomicBool = AtomicBool::new(false);
        let mut meter = Meter::<4>::new(Budget::nodes(1000).unless(&STOP));
        assert!((0..10).all(|_| meter.take()));
        STOP.store(true, Ordering::Relaxed);
        assert!((0..1000).filter(|_| meter.take()).count() < 4);
        assert!(meter.is_spent() && !Meter::<4>::new(Budget::nodes(9).unless(&STOP)).take());
    }

    #[test]
    fn nothing_is_taken_after_the_deadline() {
        let mut meter = Meter::<4>::new(Budget::until(Instant::now()));
        assert!(!meter.take());
        let far = Instant::now() + Duration::from_secs(1000);
        let mut meter = Meter::<4>::new(Budget::until(far).and_nodes(10));
        assert_eq!((0..20).filter(|_| meter.take()).count(), 10);
    }
}

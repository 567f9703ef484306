//! Time and node budgets of a turn, and the meter that enforces them.

#[cfg(test)]
pub(crate) mod virtual_time;

#[cfg(feature = "stop")]
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The time; in tests that of a virtual clock, where there is one.
pub(crate) fn now() -> Instant {
    #[cfg(test)]
    if let Some(now) = virtual_time::now() {
        return now;
    }
    Instant::now()
}

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

/// The longest turn: 136 years, which every system's clock can still add. A longer limit is taken for this one.
const MOST: Duration = Duration::from_secs(1 << 32);

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
        self.turns = self.turns.saturating_add(1);
        let (limit, share) = if self.turns == 1 { (self.first, SHARES[0]) } else { (self.later, SHARES[1]) };
        let least = self.reserve.unwrap_or((limit.saturating_mul(share) / 100).max(LEAST));
        let reserve = least.saturating_add(self.delay()).min(limit / 2).max(least);
        let allowed = limit.saturating_sub(reserve).min(MOST);
        let deadline = started.checked_add(allowed).unwrap_or(started);
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
    /// until its deadline. A `whole` of 0 is taken for 1. What ends this budget early ends the part too.
    pub fn share(self, parts: u32, whole: u32) -> Budget {
        let whole = whole.max(1);
        let part = |all: u64| (u128::from(all) * u128::from(parts.min(whole)) / u128::from(whole)) as u64;
        let nodes = part(self.nodes);
        let deadline = self.deadline.map(|deadline| {
            let now = now();
            now + Duration::from_nanos(part(nanoseconds(deadline.saturating_duration_since(now))))
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

    /// Whether the deadline has passed: looks at the clock, if there is a deadline.
    #[must_use]
    pub fn is_late(&self) -> bool {
        #[cfg(feature = "stop")]
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return true;
        }
        self.deadline.is_some_and(|deadline| now() >= deadline)
    }
}

/// A time in nanoseconds, at most 584 years.
fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Counts a search's nodes against its budget, and looks at the clock: after nodes 1, 2, 4 and so on up to once in
/// `EVERY`, and more often where that takes longer than 0.1 ms.
///
/// A look measures the time of a node. Where the next node may not end before the deadline, or none has been measured
/// yet, the meter is *careful*: [`Meter::step`], which a search asks between two calls of the game's or the
/// evaluation's functions, looks at the clock each time. Otherwise it costs the test of a flag. So a search whose calls
/// are expensive ends with the call during which its deadline passes, and one whose calls are cheap hardly looks.
///
/// The plan rests on what was measured. A function that costs much more than the nodes before, and is first called just
/// before the deadline (such as the payoff at the first end of a game), can be called several times before the next look.
#[derive(Debug, Clone)]
pub struct Meter<const EVERY: u64> {
    budget: Budget,
    nodes: u64,
    /// The count at which the budget is checked next.
    stop_at: u64,
    spent: bool,
    careful: bool,
    /// When the last look was, the count of nodes then, and the calls announced since.
    looked: Option<Instant>,
    counted: u64,
    announced: u64,
    /// Calls have been announced: the first ones are measured each.
    has_announced: bool,
    /// The time of a node, in nanoseconds: the longest mean between two looks, of which each look forgets an eighth. 0:
    /// not measured yet.
    pace: u64,
}

/// The intended longest time between two looks at the clock, in nanoseconds: a fifth of a percent of the shortest limit
/// of a contest, and thousands of times what a look takes.
const LOOK: u64 = 100_000;

/// The time before a deadline, in nanoseconds, in which every step looks at the clock: nodes that take a hundred times as
/// long as the mean still end in it where calls are cheap.
const NEAR: u64 = 20_000;

impl<const EVERY: u64> Meter<EVERY> {
    /// A meter with nothing used yet.
    pub fn new(budget: Budget) -> Meter<EVERY> {
        let mut meter = Meter {
            budget,
            nodes: 0,
            stop_at: 0,
            spent: false,
            careful: false,
            looked: None,
            counted: 0,
            announced: 0,
            has_announced: false,
            pace: 0,
        };
        meter.look(1);
        meter
    }

    /// A meter with nothing used yet, for the next search: it knows from this one how long a node takes.
    pub fn again(&self, budget: Budget) -> Meter<EVERY> {
        let Meter { pace, has_announced, .. } = *self;
        let mut meter = Meter { pace, has_announced, ..Meter::new(budget) };
        meter.look(1);
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
        if self.nodes + n > self.stop_at && !(self.look(n) && n <= self.budget.nodes - self.nodes) {
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
        !self.careful || self.is_in_time()
    }

    /// [`Meter::step`] in a function that is compiled twice: without `CAREFUL`, for nodes during which the meter isn't
    /// careful, it is nothing.
    #[must_use = "`false`: the deadline has passed"]
    #[inline(always)]
    pub(crate) fn step_if<const CAREFUL: bool>(&mut self) -> bool {
        !CAREFUL || self.step()
    }

    /// Announces `n` calls that aren't nodes, between which the search asks [`Meter::step`].
    #[inline(always)]
    pub fn announce(&mut self, n: usize) {
        if self.budget.deadline.is_some() {
            self.expect(n as u64);
        }
    }

    /// The same, where there is a deadline.
    #[inline(never)]
    fn expect(&mut self, n: u64) {
        let is_first = n > 1 && !self.has_announced;
        if self.nodes + n > self.stop_at || is_first {
            self.look(n);
            self.careful |= is_first;
            self.has_announced |= is_first;
        }
        // They take their part of the time until the next look.
        self.stop_at = self.stop_at.saturating_sub(n);
        self.announced += n;
    }

    /// Whether every [`Meter::step`] looks at the clock.
    #[inline(always)]
    pub fn is_careful(&self) -> bool {
        self.careful
    }

    /// Looks at the clock: `false` once the deadline has passed.
    #[must_use = "`false`: the deadline has passed"]
    #[cold]
    #[inline(never)]
    pub fn is_in_time(&mut self) -> bool {
        let is_late = self.budget.is_late();
        if is_late {
            (self.spent, self.careful, self.stop_at) = (true, true, 0);
        }
        !is_late
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
        self.spent |= self.nodes >= self.budget.nodes;
        let every = match self.budget.deadline {
            None => u64::MAX,
            Some(deadline) => {
                let now = now();
                self.spent |= now >= deadline;
                self.plan(now, nanoseconds(deadline.saturating_duration_since(now)), n)
            }
        };
        #[cfg(feature = "stop")]
        let every = match self.budget.stop {
            None => every,
            Some(stop) => {
                self.spent |= stop.load(Ordering::Relaxed);
                every.min(EVERY)
            }
        };
        self.stop_at = if self.spent { 0 } else { self.nodes.saturating_add(every).min(self.budget.nodes) };
        !self.spent
    }

    /// Measures the time of a node. Returns how many nodes there are until the next look at the clock, given the time that
    /// is `left` and that `n` nodes come together: twice as many as before the last one, and no more than probably
    /// take half of the time that is left.
    fn plan(&mut self, now: Instant, left: u64, n: u64) -> u64 {
        let count = self.nodes - self.counted;
        // Announced calls alone don't tell how long a node takes, but that it may take longer.
        let units = if count > 0 || self.pace > 0 { count + self.announced } else { 0 };
        if let Some(last) = self.looked.filter(|_| units > 0) {
            let mean = nanoseconds(now.saturating_duration_since(last)) / units;
            self.pace = mean.max(self.pace - self.pace / 8).max(1);
        }
        (self.looked, self.counted, self.announced) = (Some(now), self.nodes, 0);
        let fit = left.saturating_sub(NEAR).checked_div(2 * self.pace).unwrap_or(0);
        self.careful = fit < n;
        (2 * count).clamp(1, EVERY).min(LOOK / self.pace.max(1)).max(1).min(fit)
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

    /// How many nodes lie between two looks, at so much a node, up to the deadline; whether a node began after it.
    fn stretches(meter: &mut Meter<512>, cost: Duration, step: bool) -> (Vec<u64>, bool) {
        let (mut looks, mut before) = (Vec::new(), meter.nodes);
        while meter.take() {
            if meter.counted == meter.nodes - 1 {
                looks.push(meter.nodes - 1 - before);
                before = meter.nodes - 1;
            }
            virtual_time::advance(cost);
            let _ = step && !meter.step();
        }
        (looks, now() > meter.budget.deadline.expect("a deadline") + cost)
    }

    #[test]
    fn looks_come_after_nodes_1_2_4_and_more_often_where_nodes_take_long() {
        let (ms, us) = (Duration::from_millis, Duration::from_micros);
        let meter = |limit| Meter::<512>::new(Budget::until(now() + limit));
        virtual_time::run(|| {
            let (looks, late) = stretches(&mut meter(ms(100)), Duration::from_nanos(100), false);
            assert_eq!(looks[..12], [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 512]);
            assert!(!late && looks.len() < 1_000_000 / 512 + 250, "{}", looks.len());
            let (looks, late) = stretches(&mut meter(ms(100)), us(10), false);
            assert!(!late && looks[..7] == [0, 1, 2, 4, 8, 10, 10], "{looks:?}");
            let (looks, late) = stretches(&mut meter(ms(100)), ms(3), false);
            assert!(!late && looks.iter().all(|&count| count <= 1), "{looks:?}");
        });
    }

    /// The next search knows from the last one that nodes are expensive, or cheap.
    #[test]
    fn the_time_of_a_node_is_remembered() {
        let (ms, us) = (Duration::from_millis, Duration::from_micros);
        virtual_time::run(|| {
            let far = || Budget::until(now() + ms(100));
            assert!(Meter::<512>::new(far()).careful, "nothing is known yet");
            let mut cheap = Meter::<512>::new(far());
            stretches(&mut cheap, us(1), false);
            assert!(!cheap.again(far()).careful && cheap.again(Budget::until(now() + us(21))).careful);
            let mut dear = Meter::<512>::new(far());
            stretches(&mut dear, ms(30), true);
            assert!(!dear.again(far()).careful && dear.again(Budget::until(now() + ms(50))).careful);
            assert!(!dear.again(Budget::nodes(100)).careful);
        });
    }

    /// One long node, such as one during which the machine ran another program, is forgotten after some looks.
    #[test]
    fn one_long_node_is_forgotten() {
        virtual_time::run(|| {
            let mut meter = Meter::<512>::new(Budget::until(now() + Duration::from_millis(100)));
            let mut node = |cost| {
                assert!(meter.take());
                virtual_time::advance(Duration::from_nanos(cost));
                meter.stop_at.saturating_sub(meter.nodes)
            };
            let _ = (0..10_000).map(|_| node(100)).max();
            node(5_000_000);
            let stretch = (0..10_000).map(|_| node(100)).max();
            assert_eq!(stretch, Some(511));
        });
    }

    #[test]
    fn extreme_limits_and_shares_dont_panic() {
        let (most, now) = (Duration::MAX, Instant::now());
        for (first, later) in [(most, most), (Duration::ZERO, most), (most, Duration::ZERO)] {
            for clock in [Clock::new(first, later), Clock::new(first, later).with_reserve(most)] {
                let mut clock = clock;
                for _ in 0..20 {
                    let deadline = clock.turn(now);
                    assert!(deadline >= now);
                    clock.answered(deadline + Duration::from_secs(1 << 32));
                }
            }
        }
        let year = Duration::from_secs(366 * 24 * 3600);
        assert!(Clock::new(most, most).turn(now) > now + 100 * year);
        let budget = Budget::until(now + 100 * year).and_nodes(7);
        for (parts, whole, nodes) in [(1, 0, 7), (0, 0, 0), (u32::MAX, 1, 7), (u32::MAX, u32::MAX, 7)] {
            let share = budget.share(parts, whole);
            assert_eq!(share.max_nodes(), nodes, "{parts} of {whole}");
            assert!(share.deadline() <= budget.deadline());
        }
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

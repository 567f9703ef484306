//! Time and node budgets of a turn, and the meter that enforces them.

#[cfg(feature = "stop")]
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A contest's time limits, less a reserve: computes a turn's deadline from the moment at which the turn
/// began.
///
/// The reserve covers what happens outside the search: pipes, the referee's own work, and the time in which a
/// busy machine runs other processes. Answers sent after their deadline show how busy the machine is: the
/// reserve grows with that lateness and shrinks again, see [`Clock::answered`].
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use coppice::{Budget, Clock};
///
/// let ms = Duration::from_millis;
/// let mut clock = Clock::new(ms(1000), ms(100), ms(10));
/// let started = Instant::now();
/// let deadline = clock.turn(started);
/// assert_eq!(deadline - started, ms(960), "the first turn keeps four reserves");
/// let budget = Budget::until(deadline);
/// // Search within the budget, print the answer, then:
/// clock.answered(Instant::now());
/// assert_eq!(clock.turn(started) - started, ms(90));
/// ```
#[derive(Debug, Clone)]
pub struct Clock {
    first: Duration,
    later: Duration,
    reserve: Duration,
    turns: u32,
    /// When the turn's thinking had to end; `None` once it is answered.
    deadline: Option<Instant>,
    /// The recent lateness of answers: the maximum, reduced by a tenth each turn.
    delay: Duration,
}

/// Multiple of the recent lateness that is added to the reserve. On two processors with two other busy
/// processes, answers were sent 3 ms after their deadline in the median, one in a hundred 15 ms and one in a
/// thousand 36 ms: the long delays are a dozen times as long as the usual ones, which precede them. Of 9,293
/// such answers within 100 ms, 35 of them reserved, 11 were late; with the same delays 3 would have been late
/// with a multiple of four and 1 with six. On an idle machine that is 1.6 ms more.
const DELAYS: u32 = 6;

impl Clock {
    /// A clock for a contest that allows `first` for the first answer and `later` for each other.
    pub const fn new(first: Duration, later: Duration, reserve: Duration) -> Clock {
        Clock { first, later, reserve, turns: 0, deadline: None, delay: Duration::ZERO }
    }

    /// Begins a turn whose first byte arrived at `started`, and returns its deadline. The first turn's
    /// reserve is four times as large: the program has just been loaded, and its memory is touched for the
    /// first time.
    #[must_use]
    pub fn turn(&mut self, started: Instant) -> Instant {
        self.turns += 1;
        let deadline = started
            + match self.turns {
                1 => self.first.saturating_sub(4 * self.reserve),
                _ => self.later.saturating_sub(self.kept()),
            };
        self.deadline = Some(deadline);
        deadline
    }

    /// The turn's answer was sent at `now`. If that was after the deadline, the reserve of the following
    /// turns grows, up to two thirds of a turn. Does nothing if no turn has begun.
    pub fn answered(&mut self, now: Instant) {
        if let Some(deadline) = self.deadline.take() {
            self.delay = (self.delay * 9 / 10).max(now.saturating_duration_since(deadline));
        }
    }

    /// The reserve of a turn after the first.
    fn kept(&self) -> Duration {
        let most = (self.later * 2 / 3).max(self.reserve);
        self.reserve.saturating_add(self.delay.saturating_mul(DELAYS)).min(most)
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

/// Counts a search's nodes against its budget. The clock itself is read once in `EVERY` nodes.
#[derive(Debug, Clone)]
pub struct Meter<const EVERY: u64> {
    budget: Budget,
    nodes: u64,
    /// The count at which the budget is checked next.
    stop_at: u64,
    spent: bool,
}

impl<const EVERY: u64> Meter<EVERY> {
    /// A meter with nothing used yet.
    pub fn new(budget: Budget) -> Meter<EVERY> {
        let mut meter = Meter { budget, nodes: 0, stop_at: 0, spent: false };
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
        let late = self.budget.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.spent |= late || self.nodes >= self.budget.nodes;
        let every = if self.budget.deadline.is_some() { EVERY } else { u64::MAX };
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_turn_has_its_own_limit() {
        let ms = Duration::from_millis;
        let mut clock = Clock::new(ms(2000), ms(150), ms(25));
        let now = Instant::now();
        assert_eq!(clock.turn(now), now + ms(1900));
        assert_eq!(clock.turn(now), now + ms(125));
        assert_eq!(clock.turn(now), now + ms(125));
        assert_eq!(clock.turns(), 3);
    }

    #[test]
    fn more_is_kept_back_for_a_while_after_a_late_answer() {
        let ms = Duration::from_millis;
        let mut clock = Clock::new(ms(2000), ms(150), ms(30));
        let now = Instant::now();
        let mut thinks = |delay: Duration| {
            let deadline = clock.turn(now);
            clock.answered(deadline + delay);
            // No turn has begun: this isn't the answer to one.
            clock.answered(deadline + ms(5000));
            deadline - now
        };
        assert_eq!(thinks(ms(0)), ms(1880));
        assert_eq!(thinks(ms(5)), ms(120));
        assert_eq!(thinks(ms(0)), ms(90), "six times 5 ms more");
        assert_eq!(thinks(ms(100)), ms(93), "a tenth less of that");
        assert_eq!(thinks(ms(0)), ms(50), "two thirds at most");
        let all: Vec<_> = (0..100).map(|_| thinks(ms(0))).collect();
        assert!(all.is_sorted() && all[99] > ms(119), "{all:?}");
        // Ahead of its deadline is not late.
        let mut clock = Clock::new(ms(100), ms(100), ms(80));
        let _ = clock.turn(now);
        clock.answered(now);
        assert_eq!(clock.turn(now), now + ms(20));
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

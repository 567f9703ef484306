//! Time and node budgets of a turn, and the meter that enforces them.

mod budget;
mod meter;
#[cfg(test)]
pub(crate) mod virtual_time;

use std::time::{Duration, Instant};

pub use budget::Budget;
pub use meter::Meter;
pub(crate) use meter::Rare;

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

/// The number of recent delays; the second longest, their 7/8 quantile, is added to the reserve.
const DELAYS: usize = 8;

impl Clock {
    /// A clock for a contest that allows `first` for the first answer and `later` for each other.
    pub const fn new(first: Duration, later: Duration) -> Clock {
        let delays = [Duration::ZERO; DELAYS];
        Clock { first, later, reserve: None, turns: 0, deadline: None, delays, next: 0 }
    }

    /// Sets the reserve of every turn, the first included: more than the default for a machine that runs other processes, or
    /// less.
    pub const fn with_reserve(self, reserve: Duration) -> Clock {
        Clock { reserve: Some(reserve), ..self }
    }

    /// The limits for the first answer and for each later one.
    pub const fn limits(&self) -> (Duration, Duration) {
        (self.first, self.later)
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
}

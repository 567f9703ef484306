//! The summary of many flights.

use std::fmt;

use serde::Serialize;

use super::trial::FlightResult;
use coppice_arena::subcommand::millis;
use coppice_arena::Times;

/// One bot's flights.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Summary {
    /// Letter of the bot.
    pub bot: String,
    /// Command line of the bot.
    pub command: String,
    /// All of them.
    pub flights: usize,
    /// Flights that ended on the flat.
    pub landed: usize,
    /// Landings at speeds within the limits before rounding.
    pub landed_strict: usize,
    /// Litres left after those.
    pub fuel_left_strict: i64,
    /// Flights that are proved to be impossible to land.
    pub impossible: usize,
    /// Litres left after landings, in order of size.
    #[serde(skip)]
    left: Vec<i32>,
    /// Litres used by landings.
    #[serde(skip)]
    used: Vec<i32>,
    /// Litres used by those landings whose least is known, as shares of it.
    #[serde(skip)]
    ratios: Vec<f64>,
    /// The sums of both.
    #[serde(skip)]
    bounded: (i64, i64),
    /// By run: litres left over all its landings.
    #[serde(skip)]
    runs: Vec<(u32, i64, usize)>,
    #[serde(skip)]
    first_ms: Vec<f64>,
    #[serde(skip)]
    later_ms: Vec<f64>,
    /// The most memory of any of its processes.
    pub peak_memory_bytes: Option<u64>,
    /// Processor time in all flights together.
    pub cpu_ms: Option<f64>,
    /// Litres left.
    pub fuel_left: Option<Spread>,
    /// Litres used.
    pub fuel_used: Option<Spread>,
    /// The sum of litres left over the cases, by run: the median of those runs that landed everywhere.
    pub median_run: Option<f64>,
    /// The mean over landings of the litres used, as a share of the least a landing takes.
    pub mean_ratio: Option<f64>,
    /// The litres used by all of these landings, as a share of the sum of the least.
    pub total_ratio: Option<f64>,
    /// First answers.
    pub first: Times,
    /// All others.
    pub later: Times,
}

/// Litres of some landings.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// All together.
    pub sum: i64,
    /// Their mean.
    pub mean: f64,
    /// The one in the middle, or the mean of the two there.
    pub median: f64,
}

impl Spread {
    fn of(values: &[i32]) -> Option<Self> {
        let values = values.iter().map(|&value| i64::from(value)).collect::<Vec<_>>();
        let sum = values.iter().sum::<i64>();
        Some(Self { sum, mean: sum as f64 / values.len() as f64, median: median(&values)? })
    }
}

fn median(values: &[i64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let half = sorted.len() / 2;
    let upper = *sorted.get(half)?;
    let lower = if sorted.len().is_multiple_of(2) { sorted[half - 1] } else { upper };
    Some((lower + upper) as f64 / 2.0)
}

impl Summary {
    /// Of no flights yet.
    pub fn new(bot: &str, command: &str) -> Self {
        Self { bot: bot.to_owned(), command: command.to_owned(), ..Self::default() }
    }

    /// Adds a flight.
    pub fn add(&mut self, flown: &FlightResult) {
        self.flights += 1;
        self.impossible += usize::from(flown.is_hopeless());
        let run = flown.task.run;
        if self.runs.last().is_none_or(|last| last.0 != run) && self.runs.iter().all(|other| other.0 != run) {
            self.runs.push((run, 0, 0));
        }
        if flown.has_landed() {
            self.landed += 1;
            let (left, used) = (flown.flight.now().fuel, flown.fuel_used());
            self.left.push(left);
            self.used.push(used);
            if flown.is_strict_landing() {
                self.landed_strict += 1;
                self.fuel_left_strict += i64::from(left);
            }
            if let Some(least) = flown.least_fuel().filter(|&least| least > 0) {
                self.ratios.push(f64::from(used) / f64::from(least));
                self.bounded.0 += i64::from(used);
                self.bounded.1 += i64::from(least);
            }
            if let Some(sum) = self.runs.iter_mut().find(|other| other.0 == run) {
                sum.1 += i64::from(left);
                sum.2 += 1;
            }
        }
        let mut times = flown.times.iter().map(|&time| millis(time));
        self.first_ms.extend(times.next());
        self.later_ms.extend(times);
        self.peak_memory_bytes = self.peak_memory_bytes.max(flown.usage.peak_memory_bytes);
        self.cpu_ms = match (self.cpu_ms, flown.usage.cpu) {
            (sum, Some(cpu)) => Some(sum.unwrap_or(0.0) + millis(cpu)),
            (sum, None) => sum,
        };
    }

    /// Works out means and rates.
    pub fn finished(mut self) -> Self {
        let mean =
            |values: &[f64]| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
        self.fuel_left = Spread::of(&self.left);
        self.fuel_used = Spread::of(&self.used);
        let cases = self.flights / self.runs.len().max(1);
        let whole = self.runs.iter().filter(|run| run.2 == cases).map(|run| run.1).collect::<Vec<_>>();
        self.median_run = median(&whole).filter(|_| self.runs.len() > 1 && cases > 1);
        self.mean_ratio = mean(&self.ratios);
        self.total_ratio = (self.bounded.1 > 0).then(|| self.bounded.0 as f64 / self.bounded.1 as f64);
        self.first = Times::of(&self.first_ms);
        self.later = Times::of(&self.later_ms);
        self
    }

    /// Whether everything landed that could.
    pub fn is_flawless(&self) -> bool {
        self.landed + self.impossible >= self.flights
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bot, command, flights, landed, .. } = self;
        write!(f, "{bot}: landed {landed} of {flights}")?;
        match self.impossible {
            0 => {}
            count => write!(f, " ({count} proved impossible)")?,
        }
        writeln!(f, "; {command}")?;
        let (Some(left), Some(used)) = (self.fuel_left, self.fuel_used) else {
            return self.times(f);
        };
        writeln!(
            f,
            "  litres left: sum {}, mean {:.1}, median {:.1}; used: sum {}, mean {:.1}, median {:.1}",
            left.sum, left.mean, left.median, used.sum, used.mean, used.median
        )?;
        writeln!(
            f,
            "  speeds within the limits before rounding: {}, litres left {}",
            self.landed_strict, self.fuel_left_strict
        )?;
        if let Some(median) = self.median_run {
            writeln!(
                f,
                "  litres left over all cases: {median:.1} in the median of the runs that landed everywhere"
            )?;
        }
        if let (Some(mean), Some(total)) = (self.mean_ratio, self.total_ratio) {
            writeln!(f, "  used by the least a landing takes: mean {mean:.4}, of the sums {total:.4}")?;
        }
        self.times(f)
    }
}

impl Summary {
    fn times(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, times) in [("first", &self.first), ("later", &self.later)] {
            let Times { count, p50_ms, p99_ms, max_ms } = times;
            writeln!(
                f,
                "  {name} answers ({count}): {p50_ms:.1} / {p99_ms:.1} / {max_ms:.1} ms (50 / 99 / 100 %)"
            )?;
        }
        match (self.cpu_ms, self.peak_memory_bytes) {
            (Some(cpu), Some(bytes)) => writeln!(
                f,
                "  processor time {:.2} s a flight, memory at most {:.1} MB",
                cpu / 1000.0 / self.flights.max(1) as f64,
                bytes as f64 / 1e6
            ),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::tests::flown;

    #[test]
    fn landings_are_added_up() {
        let mut summary = Summary::new("A", "bot");
        for (run, answers) in [(1, vec!["0 2"; 20]), (2, vec!["0 1"; 20]), (2, vec!["0 2"; 3])] {
            let mut flight = flown(&answers);
            flight.task.run = run;
            summary.add(&flight);
        }
        let summary = summary.finished();
        assert_eq!((summary.flights, summary.landed, summary.impossible), (3, 2, 0));
        assert!(!summary.is_flawless());
        let used = summary.fuel_used.unwrap();
        assert_eq!((used.sum, used.mean, used.median), (36, 18.0, 18.0));
        assert_eq!(summary.first.count, 3);
        assert_eq!((summary.landed_strict, summary.fuel_left_strict), (2, 64));
        let text = summary.to_string();
        assert!(text.starts_with("A: landed 2 of 3; bot\n  litres left: sum 64, mean 32.0"), "{text}");
    }

    #[test]
    fn medians() {
        assert_eq!(
            (median(&[]), median(&[4]), median(&[9, 1, 4]), median(&[1, 2])),
            (None, Some(4.0), Some(4.0), Some(1.5))
        );
    }
}

//! Measures alternatives alternately in one process, so that other load affects all of them equally.

use std::time::Duration;

use super::clock::now;

/// An amount of work and the time it took.
#[derive(Default)]
pub struct Timed {
    /// The work, in any unit.
    pub work: u64,
    /// Processor time if available, otherwise wall-clock time.
    pub time: Duration,
}

impl Timed {
    /// Runs `work` and adds the work and its time to the totals. Preparation outside of `work` (tables,
    /// trees) isn't counted.
    pub fn add(&mut self, work: impl FnOnce() -> u64) {
        let start = now();
        self.work += work();
        self.time += now() - start;
    }

    /// Work per second.
    pub fn rate(&self) -> f64 {
        self.work as f64 / self.time.as_secs_f64()
    }
}

/// One round of one side.
pub type Side<'a> = Box<dyn FnMut() -> Timed + 'a>;

/// The rates of each side over the same rounds, in work per second; this project's come first.
pub struct Paired(Vec<Vec<f64>>);

/// Runs each side once a round, after an uncounted warm-up round.
pub fn measure(rounds: usize, sides: &mut [Side]) -> Paired {
    let mut rates = vec![Vec::new(); sides.len()];
    for round in 0..=rounds {
        for (side, rates) in sides.iter_mut().zip(&mut rates) {
            let rate = side().rate();
            if round > 0 {
                rates.push(rate);
            }
        }
    }
    Paired(rates)
}

/// The fastest of some settings, by one round of each.
pub fn fastest<T: Copy>(ways: &[T], mut run: impl FnMut(T) -> Timed) -> T {
    let rates: Vec<f64> = ways.iter().map(|&way| run(way).rate()).collect();
    let best = (0..ways.len()).max_by(|&a, &b| rates[a].total_cmp(&rates[b]));
    ways[best.expect("a way")]
}

impl Paired {
    fn median(&self, side: usize) -> f64 {
        let mut rates = self.0[side].clone();
        rates.sort_by(f64::total_cmp);
        rates[rates.len() / 2]
    }

    /// The ratio of this project's rate to a peer's over the rounds: geometric mean and half of its 95 %
    /// interval.
    fn ratio(&self, peer: usize) -> (f64, f64) {
        let logs: Vec<f64> = self.0[0].iter().zip(&self.0[peer]).map(|(a, b)| (a / b).ln()).collect();
        let n = logs.len() as f64;
        let mean = logs.iter().sum::<f64>() / n;
        let variance = logs.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
        (mean.exp(), mean.exp() * 1.96 * (variance / n).sqrt())
    }

    /// A line of the report: every side's rate in units of `scale`, and the ratio to the better peer.
    pub fn line(&self, what: &str, scale: f64, bar: f64, note: &str) -> String {
        let rate = |side: usize| match side < self.0.len() {
            true => format!("{:>10.3}", self.median(side) / scale),
            false => format!("{:>10}", "-"),
        };
        let ratios = (1..self.0.len()).map(|peer| self.ratio(peer));
        let (ratio, error) = ratios.min_by(|a, b| a.0.total_cmp(&b.0)).expect("a peer");
        let verdict = if ratio >= bar { "met" } else { "MISSED" };
        let [ours, minimax, board_game] = [0, 1, 2].map(rate);
        format!(
            "{what:<14} {ours} {minimax} {board_game} {ratio:>8.2} ± {error:.2}  {bar} {verdict:<6}  {note}"
        )
    }
}

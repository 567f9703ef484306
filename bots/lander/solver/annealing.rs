//! Simulated annealing of a plan: generates neighbours and decides which to accept.

use coppice::math::ln;
use coppice::Rng;

use super::plan::{Mission, Plan, SECONDS};
use crate::lander::physics::flight::{Order, LEAN, THRUST};

/// The number of precomputed exponential samples.
const WAITS: usize = 1024;

/// Simulated annealing (Kirkpatrick, Gelatt and Vecchi, *Optimization by Simulated Annealing*, 1983): a neighbour
/// whose cost is higher by d is accepted with probability exp(-d / temperature).
#[derive(Debug, Clone)]
pub struct Annealing {
    /// The plan whose neighbours are tried.
    pub current: Plan,
    /// A neighbour.
    trial: Plan,
    /// Evenly spaced quantiles of the exponential distribution: comparing with a random one equals comparing a
    /// uniform number with exp.
    waits: [f32; WAITS],
}

impl Annealing {
    /// Annealing that starts from a plan.
    pub fn new(plan: &Plan) -> Annealing {
        let wait = |i: usize| -ln((i as f32 + 0.5) / WAITS as f32);
        Annealing { current: plan.clone(), trial: plan.clone(), waits: std::array::from_fn(wait) }
    }

    /// Tries a neighbour at this temperature, in litres. Returns the number of seconds flown, and whether it was
    /// accepted.
    #[inline(always)]
    pub fn step(&mut self, mission: &Mission, rng: &mut Rng, temperature: f64) -> (usize, bool) {
        let from = self.vary(rng);
        let wait = f64::from(self.waits[rng.below(WAITS as u32) as usize]);
        // Without a landing in sight costs are metres, and ten metres weigh as much as a litre.
        let scale = if self.current.cost > 1000.0 { 10.0 } else { 1.0 };
        let limit = self.current.cost + temperature * scale * wait;
        let flown = mission.fly(&mut self.trial, from, limit);
        let is_taken = self.trial.cost <= limit;
        if is_taken {
            self.current.take_over(&self.trial, from);
        }
        (flown, is_taken)
    }

    /// Makes the trial a neighbour of the current plan. Returns the first second in which they differ.
    #[inline(always)]
    fn vary(&mut self, rng: &mut Rng) -> usize {
        let old = &self.current.orders;
        let new = &mut self.trial.orders;
        let len = self.current.len.clamp(1, SECONDS);
        let at = rng.below(len as u32) as usize;
        let other = rng.below(len as u32) as usize;
        let (first, last) = (at.min(other), at.max(other));
        // Short stretches are more likely: up to 1, 2, 4, 8 or 16 seconds.
        let end = (at + 1 + skewed(rng, 5)).min(SECONDS);
        let from = match rng.below(16) {
            // Sets the thrust of a stretch.
            0..=2 => {
                new[at..].copy_from_slice(&old[at..]);
                let power = rng.below(THRUST as u32 + 1) as i32;
                new[at..end].iter_mut().for_each(|order| order.power = power);
                at
            }
            // Changes the lean of a stretch a little.
            3..=5 => {
                new[at..].copy_from_slice(&old[at..]);
                let turn = 1 + skewed(rng, 6) as i32;
                let turn = if rng.below(2) == 0 { turn } else { -turn };
                new[at..end].iter_mut().for_each(|order| order.rotate = lean(order.rotate + turn));
                at
            }
            // Sets the lean of a stretch.
            6 => {
                new[at..].copy_from_slice(&old[at..]);
                let rotate = rng.below(2 * LEAN as u32 + 1) as i32 - LEAN;
                new[at..end].iter_mut().for_each(|order| order.rotate = rotate);
                at
            }
            // Delays everything that follows by a second, or advances it.
            7 | 8 => {
                new[at] = old[at];
                new[at + 1..].copy_from_slice(&old[at..SECONDS - 1]);
                at
            }
            9 | 10 => {
                new[at..SECONDS - 1].copy_from_slice(&old[at + 1..]);
                new[SECONDS - 1] = old[SECONDS - 1];
                at
            }
            // Likewise between two moments.
            11 => {
                new[first..last].copy_from_slice(&old[first + 1..=last]);
                new[last..].copy_from_slice(&old[last..]);
                first
            }
            12 => {
                new[first] = old[first];
                new[first + 1..=last].copy_from_slice(&old[first..last]);
                new[last + 1..].copy_from_slice(&old[last + 1..]);
                first
            }
            // Moves a litre, or a few degrees, from one moment to another.
            13 => {
                new[first..].copy_from_slice(&old[first..]);
                let more = if rng.below(2) == 0 { 1 } else { -1 };
                new[first].power = (old[first].power + more).clamp(0, THRUST);
                new[last].power = (new[last].power - more).clamp(0, THRUST);
                first
            }
            14 => {
                new[first..].copy_from_slice(&old[first..]);
                let turn = skewed(rng, 5) as i32;
                let turn = if rng.below(2) == 0 { turn } else { -turn };
                let span = end - at;
                let (a, b) = ((first + span).min(SECONDS), (last + span).min(SECONDS));
                new[first..a].iter_mut().for_each(|order| order.rotate = lean(order.rotate + turn));
                new[last..b].iter_mut().for_each(|order| order.rotate = lean(order.rotate - turn));
                first
            }
            // Repeats in a stretch the order that follows it.
            _ => {
                new[at..].copy_from_slice(&old[at..]);
                new[at..end].fill(old[end.min(SECONDS - 1)]);
                at
            }
        };
        self.trial.states[0] = self.current.states[0];
        self.trial.states[from] = self.current.states[from];
        from
    }
}

/// A random number below 2 ^ (`bits` - 1), with small ones more likely.
#[inline(always)]
fn skewed(rng: &mut Rng, bits: u32) -> usize {
    let bits = rng.below(bits);
    rng.below(1 << bits) as usize
}

#[inline(always)]
fn lean(degrees: i32) -> i32 {
    degrees.clamp(-LEAN, LEAN)
}

/// Fills `orders` with random stretches of up to half a minute.
pub fn random_orders(orders: &mut [Order], rng: &mut Rng) {
    let mut rest = orders;
    while !rest.is_empty() {
        let rotate = rng.below(13) as i32 * 15 - LEAN;
        let power = rng.below(THRUST as u32 + 1) as i32;
        let (stretch, behind) = rest.split_at_mut((1 + rng.below(30) as usize).min(rest.len()));
        stretch.fill(Order { rotate, power });
        rest = behind;
    }
}

//! Solves a flight with a given thrust: the directions that end it with the greatest vertical speed.

#[cfg(test)]
mod tests;

use super::plan::SECONDS;
use crate::lander::physics::flight::{sin_cos, Lander, GRAVITY, LEAN, TURN};

/// Maximum number of conditions.
pub const CONDITIONS: usize = 16;
/// Maximum number of Newton steps.
const STEPS: usize = 40;
/// Seconds before a place from which on it is no longer aimed at.
const LATE: f64 = 2.5;
/// A step that promises less, in m/s at the end, is the last.
const GAIN: f64 = 1e-6;
/// How many times as great as that of a place the multiplier of a speed may be: seconds that a place takes to change.
const SPEEDS: f64 = 30.0;

/// The part of the flight that a condition is about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quantity {
    /// The speed at the end, in m/s.
    Speed,
    /// The place at a time of the whole flight in seconds, in metres; between two seconds on the straight line.
    Place(f64),
}

/// A condition: a quantity reaches at least so far in a direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Condition {
    /// The constrained quantity.
    pub of: Quantity,
    /// The direction, to the right and upwards; a unit vector.
    pub towards: (f64, f64),
    /// The least product of quantity and direction.
    pub least: f64,
}

impl Condition {
    /// How much a unit of acceleration in a second changes the quantity.
    fn weight(&self, second: usize) -> f64 {
        match self.of {
            Quantity::Speed => 1.0,
            Quantity::Place(when) => {
                let (whole, share) = (when.floor(), when - when.floor());
                let reach = whole - second as f64 - 0.5;
                (1.0 - share) * reach.max(0.0) + share * (reach + 1.0).max(0.0)
            }
        }
    }

    /// Slack of the condition (quantity minus `least`) in free fall from this state on.
    fn falling(&self, lander: &Lander, from: usize, seconds: usize) -> f64 {
        let time = |second: f64| (second - from as f64).max(0.0);
        let (right, up) = match self.of {
            Quantity::Speed => (lander.h_speed, lander.v_speed - GRAVITY * time(seconds as f64)),
            Quantity::Place(when) => {
                let (whole, share) = (when.floor(), when - when.floor());
                let height = |t: f64| lander.v_speed * t - 0.5 * GRAVITY * t * t;
                let (a, b) = (time(whole), time(whole + 1.0));
                let t = (1.0 - share) * a + share * b;
                let up = (1.0 - share) * height(a) + share * height(b);
                (lander.x + lander.h_speed * t, lander.y + up)
            }
        };
        self.towards.0 * right + self.towards.1 * up - self.least
    }
}

/// Where a second's thrust may point: an arc of leans, by the vectors of its ends.
#[derive(Debug, Clone, Copy, Default)]
struct Arc {
    low: (f64, f64),
    high: (f64, f64),
}

/// The direction of thrust at a lean.
fn direction(lean: i32) -> (f64, f64) {
    let (sin, cos) = sin_cos(lean);
    (-sin, cos)
}

fn dot(a: (f64, f64), b: (f64, f64)) -> f64 {
    a.0 * b.0 + a.1 * b.1
}

impl Arc {
    fn new(low: i32, high: i32) -> Arc {
        Arc { low: direction(low), high: direction(high) }
    }

    /// The direction that goes furthest along a vector, and whether it is that of the vector itself.
    #[inline(always)]
    fn along(&self, vector: (f64, f64), length: f64) -> ((f64, f64), bool) {
        // Turning further left from an end: (x, y) becomes (-y, x).
        let gain = |end: (f64, f64)| vector.1 * end.0 - vector.0 * end.1;
        if gain(self.low) >= 0.0 && gain(self.high) <= 0.0 && length > 1e-12 {
            ((vector.0 / length, vector.1 / length), true)
        } else if dot(vector, self.low) > dot(vector, self.high) {
            (self.low, false)
        } else {
            (self.high, false)
        }
    }
}

/// The flight of a given duration and thrust, by second, whose directions are to be found.
///
/// The final speed and all places are linear in the accelerations. So the greatest final vertical speed under
/// conditions has a dual: multipliers of the conditions, at least 0, which give every second a vector that changes
/// linearly with time between conditions on places (Lawden's primer vector); thrust points along it. The dual function is
/// convex and smooth where no lean is at its limit; its slope is what the conditions are exceeded by. It is minimised by
/// damped Newton steps (Levenberg 1944, Marquardt 1963) on the multipliers that are positive or ought to be. Any
/// multipliers give an upper bound of the final speed: a flight that can't be soft is recognised after a few steps.
#[derive(Debug, Clone)]
pub struct Shooting {
    /// Duration of the whole flight in seconds.
    pub seconds: usize,
    /// Thrust by second.
    pub powers: [i32; SECONDS],
    conditions: [Condition; CONDITIONS],
    count: usize,
    /// The multipliers of the conditions.
    pub multipliers: [f64; CONDITIONS],
    weights: [[f64; CONDITIONS]; SECONDS],
    arcs: [Arc; SECONDS],
    /// By how much the conditions are exceeded without thrust.
    falling: [f64; CONDITIONS],
    /// The vertical speed at the end without thrust.
    speed: f64,
    /// The second from which the flight is solved.
    from: usize,
    slope: [f64; CONDITIONS],
    bend: [[f64; CONDITIONS]; CONDITIONS],
    /// Rounds off the dual function where a vector vanishes: a length l counts as the root of l² plus this number's square.
    pub round_off: f64,
    /// The greatest multiplier of a place, in m/s by metre. If it is finite, conditions that can't be met together are missed,
    /// and each metre costs so much.
    pub dearest: f64,
    /// Number of seconds evaluated.
    pub nodes: u64,
}

impl Default for Shooting {
    fn default() -> Self {
        let none = Condition { of: Quantity::Speed, towards: (0.0, 1.0), least: 0.0 };
        Shooting {
            seconds: 0,
            powers: [0; SECONDS],
            conditions: [none; CONDITIONS],
            count: 0,
            multipliers: [0.0; CONDITIONS],
            weights: [[0.0; CONDITIONS]; SECONDS],
            arcs: [Arc::default(); SECONDS],
            falling: [0.0; CONDITIONS],
            speed: 0.0,
            from: 0,
            slope: [0.0; CONDITIONS],
            bend: [[0.0; CONDITIONS]; CONDITIONS],
            round_off: 0.0,
            dearest: f64::INFINITY,
            nodes: 0,
        }
    }
}

impl Shooting {
    /// The conditions.
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions[..self.count]
    }

    /// Sets the conditions; their multipliers stay as they are.
    pub fn set_conditions(&mut self, conditions: &[Condition]) {
        self.count = conditions.len().min(CONDITIONS);
        self.conditions[..self.count].copy_from_slice(&conditions[..self.count]);
        for (second, weights) in self.weights[..self.seconds].iter_mut().enumerate() {
            for (weight, condition) in weights.iter_mut().zip(&self.conditions[..self.count]) {
                *weight = condition.weight(second);
            }
        }
        self.nodes += self.seconds as u64;
    }

    /// Sets the state at a second from which the rest is to be solved. Conditions on places that are passed before long are
    /// dropped until the conditions are set again.
    pub fn start(&mut self, lander: &Lander, from: usize) {
        self.from = from;
        let until = (self.seconds - 1) as f64;
        for (i, condition) in self.conditions[..self.count].iter().enumerate() {
            self.falling[i] = condition.falling(lander, from, self.seconds);
            match condition.of {
                // Too late to change it: without a part in the solution.
                Quantity::Place(when) if from > 0 && when < until && when < from as f64 + LATE => {
                    (self.falling[i], self.multipliers[i]) = (0.0, 0.0);
                    self.weights[from..self.seconds].iter_mut().for_each(|weights| weights[i] = 0.0);
                }
                _ => {}
            }
        }
        self.speed = lander.v_speed - GRAVITY * (self.seconds - from) as f64;
        for second in from..self.seconds {
            let (since, until) =
                ((second - from + 1) as i32 * TURN, (self.seconds - 1 - second) as i32 * TURN);
            if second > from + 12 && until > LEAN {
                self.arcs[second] = Arc::new(-LEAN, LEAN);
                continue;
            }
            let (least, most) = ((lander.rotate - since).max(-LEAN), (lander.rotate + since).min(LEAN));
            let (low, high) = (least.max(-until), most.min(until));
            // Too little time to turn upright: as far as possible.
            let (low, high) = if low <= high {
                (low, high)
            } else if lander.rotate > 0 {
                (least, least)
            } else {
                (most, most)
            };
            self.arcs[second] = Arc::new(low, high);
        }
    }

    /// The vector of a second.
    #[inline(always)]
    fn vector(&self, second: usize) -> (f64, f64) {
        let weights = &self.weights[second];
        let mut vector = (0.0, 1.0);
        for (i, condition) in self.conditions[..self.count].iter().enumerate() {
            let by = self.multipliers[i] * weights[i];
            vector.0 += by * condition.towards.0;
            vector.1 += by * condition.towards.1;
        }
        vector
    }

    /// The direction of thrust in a second, and what a litre there gains in final speed.
    pub fn thrust(&self, second: usize) -> ((f64, f64), f64) {
        let vector = self.vector(second);
        let (towards, _) = self.arcs[second].along(vector, length(vector));
        (towards, dot(vector, towards))
    }

    /// The dual function, its slope, and its second derivatives.
    fn evaluate(&mut self) -> f64 {
        let count = self.count;
        let mut value = self.speed;
        for (i, &falling) in self.falling[..count].iter().enumerate() {
            value += self.multipliers[i] * falling;
            self.slope[i] = falling;
            self.bend[i][..count].fill(0.0);
        }
        for second in self.from..self.seconds {
            if self.powers[second] == 0 {
                continue;
            }
            let power = f64::from(self.powers[second]);
            let vector = self.vector(second);
            let far = (dot(vector, vector) + self.round_off * self.round_off).sqrt();
            let (towards, is_free) = self.arcs[second].along(vector, far);
            value += power * if is_free { far } else { dot(vector, towards) };
            let weights = &self.weights[second];
            let mut across = [0.0; CONDITIONS];
            for (i, condition) in self.conditions[..count].iter().enumerate() {
                self.slope[i] += power * weights[i] * dot(condition.towards, towards);
                across[i] = weights[i] * (condition.towards.0 * towards.1 - condition.towards.1 * towards.0);
            }
            if is_free && self.round_off > 0.0 {
                self.bend_rounded(second, towards, power / far);
            } else if is_free {
                for (i, row) in self.bend[..count].iter_mut().enumerate() {
                    let by = power / far * across[i];
                    row[..=i].iter_mut().zip(&across).for_each(|(bend, across)| *bend += by * across);
                }
            }
        }
        self.nodes += (self.seconds - self.from) as u64;
        value
    }

    /// Adds a second's second derivatives where the length is rounded off: the direction is then shorter than 1.
    fn bend_rounded(&mut self, second: usize, towards: (f64, f64), by: f64) {
        let count = self.count;
        let weights = &self.weights[second];
        let part = |i: usize| {
            let condition = self.conditions[i].towards;
            (weights[i] * condition.0, weights[i] * condition.1)
        };
        for (i, row) in self.bend[..count].iter_mut().enumerate() {
            let a = part(i);
            let along = dot(a, towards);
            for (j, bend) in row[..=i].iter_mut().enumerate() {
                let b = part(j);
                *bend += by * (dot(a, b) - along * dot(b, towards));
            }
        }
    }

    /// The greatest final vertical speed, in m/s.
    ///
    /// # Errors
    /// An upper bound of it that is less than `need`.
    pub fn solve(&mut self, need: f64) -> Result<f64, f64> {
        let count = self.count;
        let mut scale = [0.0; CONDITIONS];
        for (power, weights) in self.powers.iter().zip(&self.weights).take(self.seconds).skip(self.from) {
            let power = f64::from(*power);
            scale.iter_mut().zip(weights).for_each(|(scale, weight)| *scale += power * weight * weight);
        }
        let mut most = [self.dearest; CONDITIONS];
        for (i, most) in most[..count].iter_mut().enumerate() {
            if self.conditions[i].of == Quantity::Speed {
                *most *= SPEEDS;
            }
            self.multipliers[i] = self.multipliers[i].min(*most);
        }
        let mut value = self.evaluate();
        let mut damping = 1e-4;
        for _ in 0..STEPS {
            if value < need {
                return Err(value);
            }
            let mut active = [0; CONDITIONS];
            let mut n = 0;
            for (i, &most) in most[..count].iter().enumerate() {
                let multiplier = self.multipliers[i];
                let can_step = if self.slope[i] < 0.0 { multiplier < most } else { multiplier > 0.0 };
                if can_step {
                    active[n] = i;
                    n += 1;
                }
            }
            let active = &active[..n];
            let step = self.step(active, damping, &scale);
            let gain = active.iter().map(|&i| -step[i] * self.slope[i]).sum::<f64>();
            if gain < GAIN {
                break;
            }
            let (old, slope, bend) = (self.multipliers, self.slope, self.bend);
            for &i in active {
                self.multipliers[i] = (self.multipliers[i] + step[i]).max(0.0).min(most[i]);
            }
            let next = self.evaluate();
            if next < value {
                value = next;
                damping = (damping * 0.1).max(1e-9);
            } else {
                (self.multipliers, self.slope, self.bend) = (old, slope, bend);
                damping *= 10.0;
                if damping > 1e4 {
                    break;
                }
            }
        }
        if value >= need {
            Ok(value)
        } else {
            Err(value)
        }
    }

    /// The damped Newton step, by Cholesky's decomposition.
    fn step(&self, active: &[usize], damping: f64, scale: &[f64; CONDITIONS]) -> [f64; CONDITIONS] {
        let n = active.len();
        let mut low = [[0.0f64; CONDITIONS]; CONDITIONS];
        let mut solved = [0.0; CONDITIONS];
        for a in 0..n {
            for b in 0..=a {
                let (i, j) = (active[a].max(active[b]), active[a].min(active[b]));
                let more = if a == b { damping * scale[i] + 1e-9 } else { 0.0 };
                let mut sum = self.bend[i][j] + more;
                for (left, right) in low[a][..b].iter().zip(&low[b][..b]) {
                    sum -= left * right;
                }
                low[a][b] = if a == b { sum.max(1e-12).sqrt() } else { sum / low[b][b] };
            }
            let mut sum = -self.slope[active[a]];
            for k in 0..a {
                sum -= low[a][k] * solved[k];
            }
            solved[a] = sum / low[a][a];
        }
        let mut step = [0.0; CONDITIONS];
        for a in (0..n).rev() {
            let mut sum = solved[a];
            for k in a + 1..n {
                sum -= low[k][a] * step[active[k]];
            }
            step[active[a]] = sum / low[a][a];
        }
        step
    }
}

fn length(vector: (f64, f64)) -> f64 {
    dot(vector, vector).sqrt()
}

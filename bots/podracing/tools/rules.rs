//! The rule-based player to measure against: what a good programmer writes in a day.

use coppice::{Budget, Rng};

use super::contest::random_orders;
use crate::podracing::player::{Choice, Pilot};
use crate::podracing::pod::{Order, Pod, Power, MAX_THRUST};
use crate::podracing::race::Race;
use crate::podracing::steering::against_drift;
use crate::podracing::track::Track;

/// Aims at the checkpoint less three times the speed, brakes if the nose points elsewhere, boosts on the longest straight,
/// and raises the shield before hard contacts.
#[derive(Debug, Clone)]
pub struct Rules {
    /// The checkpoint at the end of the longest straight.
    longest: usize,
}

/// The nose must be this near to the checkpoint's direction for all thrust, in degrees; no thrust beyond the second.
const AHEAD: [f64; 2] = [50.0, 90.0];
/// How near the nose must be for a boost, in degrees, and how far the checkpoint.
const BOOST: (f64, f64) = (5.0, 4000.0);
/// How fast another team's pod must approach in the next turn's contact for a shield.
const HARD: f64 = 400.0;

impl Rules {
    /// A player on a track.
    pub fn new(track: &Track) -> Rules {
        let longest = (0..track.count()).max_by(|&a, &b| track.leg(a).total_cmp(&track.leg(b)));
        Rules { longest: longest.map_or(1, |at| (at + 1) % track.count()) }
    }

    fn order(&self, race: &Race, i: usize) -> Order {
        let pod = &race.pods[i];
        let next = race.track.next(pod.passed);
        let centre = race.track.centre(next);
        let [x, y] = against_drift(pod, centre);
        let off = pod.bearing([x, y]).to_degrees().abs();
        let thrust = match off {
            _ if off < AHEAD[0] => MAX_THRUST,
            _ if off < AHEAD[1] => MAX_THRUST / 2,
            _ => 0,
        };
        let is_straight = pod.bearing(centre).to_degrees().abs() < BOOST.0 && race.distance(i) > BOOST.1;
        let power = if race.pods[2..].iter().any(|other| is_hard(pod, other)) {
            Power::Shield
        } else if !pod.has_boosted && next == self.longest && is_straight {
            Power::Boost
        } else {
            Power::Thrust(thrust)
        };
        Order { x: x.round() as i32, y: y.round() as i32, power }
    }
}

/// Whether two pods that go on straight touch in the next turn, and hard.
fn is_hard(pod: &Pod, other: &Pod) -> bool {
    let (dx, dy) = (other.x - pod.x, other.y - pod.y);
    let (vx, vy) = (other.vx - pod.vx, other.vy - pod.vy);
    let after = (dx + vx).hypot(dy + vy);
    let closing = -(dx * vx + dy * vy) / dx.hypot(dy).max(1.0);
    after < 850.0 && closing > HARD
}

impl Pilot for Rules {
    fn choose(&mut self, race: &Race, _: Budget) -> Choice {
        Choice { orders: [0, 1].map(|i| self.order(race, i)), value: 0.0, nodes: 1, depth: 0 }
    }
}

/// Random play: [`random_orders`].
#[derive(Debug, Clone)]
pub struct Random(Rng);

impl Random {
    /// A player whose random numbers follow from `seed`.
    pub fn new(seed: u64) -> Random {
        Random(Rng::new(seed))
    }
}

impl Pilot for Random {
    fn choose(&mut self, _: &Race, _: Budget) -> Choice {
        Choice { orders: random_orders(&mut self.0), value: 0.0, nodes: 1, depth: 0 }
    }
}

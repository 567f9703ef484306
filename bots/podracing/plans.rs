//! Plans of evolution: what a gene means, and what the race is worth at a plan's end.

use coppice::search::Genes;
use coppice::{Estimate, Player, Rng};

use super::pod::{Power, Steer, MAX_THRUST, MAX_TURN};
use super::race::{team, Race};
use super::steering::{block, drive};
use super::track::{Track, MAX_CHECKPOINTS};

contest::tunables! {
    /// Tunable parameters of plans and their evolution.
    pub struct Numbers {
        /// Turns of a plan.
        horizon: u32 = 8 in 2..=32,
        /// Plans in a generation.
        population: u32 = 32 in 2..=500,
        /// The share of the budget that evolves the others' plan, in per cent.
        theirs: u32 = 25 in 0..=80,
        /// The most nodes for the others' plan.
        their_nodes: u32 = 30 in 0..=1_000_000,
        /// The probability that a gene is mutated, in 65,536ths.
        mutation: u32 = 6000 in 100..=65_535,
        /// Value of passing a checkpoint beyond the way to it, in units of the map.
        pass: f64 = 1000.0 in 0.0..=20_000.0,
        /// Turns of the speed at a plan's end that count as way.
        coast: f64 = 2.0 in 0.0..=8.0,
        /// Weight of the other team's racer's way.
        rival: f64 = 1.0 in 0.0..=5.0,
        /// Weight of the blocker's distance to its checkpoint.
        guard: f64 = 0.3 in 0.0..=3.0,
        /// Weight of the blocker's distance to the other team's racer.
        chase: f64 = 0.1 in 0.0..=3.0,
        /// Penalty if the blocker's nose points away from the other team's racer.
        nose: f64 = 200.0 in 0.0..=5000.0,
        /// Value of an unused boost.
        boost: f64 = 300.0 in 0.0..=5000.0,
    }
}

/// Judges races by the ways of both racers, and by where the blockers are.
#[derive(Debug, Clone)]
pub struct Plans {
    numbers: Numbers,
    /// The way from the start to each checkpoint's successor, and around the track.
    ways: [f64; MAX_CHECKPOINTS],
    lap: f64,
}

impl Plans {
    /// Plans on a track.
    pub fn new(track: &Track, numbers: Numbers) -> Plans {
        let mut ways = [0.0; MAX_CHECKPOINTS];
        let mut lap = 0.0;
        for (at, way) in ways.iter_mut().enumerate().take(track.count()) {
            lap += track.leg(at);
            *way = lap;
        }
        Plans { numbers, ways, lap }
    }

    /// How far a pod has come, in units of the map, with a bonus for each checkpoint.
    #[inline(always)]
    fn progress(&self, race: &Race, i: usize) -> f64 {
        let (pod, count) = (&race.pods[i], race.track.count());
        let (lap, at) = (usize::from(pod.passed) / count, usize::from(pod.passed) % count);
        let [x, y] = race.track.centre(race.track.next(pod.passed));
        let coast = self.numbers.coast;
        let (dx, dy) = (x - pod.x - coast * pod.vx, y - pod.y - coast * pod.vy);
        lap as f64 * self.lap + self.ways[at] + self.numbers.pass * f64::from(pod.passed)
            - (dx * dx + dy * dy).sqrt()
            + if pod.has_boosted { 0.0 } else { self.numbers.boost }
    }

    /// Penalty for a team whose blocker is far from where it should be.
    #[inline(always)]
    fn absence(&self, race: &Race, team: usize) -> f64 {
        let (pod, rival) = (&race.pods[race.roles.blocker(team)], &race.pods[race.roles.racer(1 - team)]);
        let [x, y] = race.track.centre(usize::from(race.roles.guard[team]));
        let guard = ((x - pod.x) * (x - pod.x) + (y - pod.y) * (y - pod.y)).sqrt();
        let (dx, dy) = (rival.x - pod.x, rival.y - pod.y);
        let chase = (dx * dx + dy * dy).sqrt();
        let away = 1.0 - (dx * pod.nose[0] + dy * pod.nose[1]) / chase.max(1.0);
        let Numbers { guard: by_guard, chase: by_chase, nose, boost, .. } = self.numbers;
        guard * by_guard + chase * by_chase + away * nose + if pod.has_boosted { boost } else { 0.0 }
    }
}

impl Estimate<Race> for Plans {
    #[inline(always)]
    fn estimate(&self, race: &Race, player: Player) -> f64 {
        let (own, other) = (team(player.index()), 1 - team(player.index()));
        self.progress(race, race.roles.racer(own))
            - self.numbers.rival * self.progress(race, race.roles.racer(other))
            - self.absence(race, own)
    }
}

/// The bits of a gene: 8 for the turn, then 5 for the thrust, then 3 for the shield or the boost.
const TURN_BITS: u16 = 8;
const THRUST_BITS: u16 = 5;
const TURN_MASK: u16 = (1 << TURN_BITS) - 1;
/// The values of the last three bits.
const SHIELD: u16 = 0;
const BOOST: u16 = 1;
const NEITHER: u16 = 2;

/// The gene of an order. Half of the values of a turn's bits, and more of a thrust's, stand for the extremes, which good
/// plans mostly consist of.
fn gene(steer: Steer) -> u16 {
    let turn = (128.0 + f64::from(steer.turn) * (128.0 / 36.0)).round() as u16;
    let (thrust, special) = match steer.power {
        Power::Shield => (24, SHIELD),
        Power::Boost => (24, BOOST),
        Power::Thrust(MAX_THRUST) => (24, NEITHER),
        Power::Thrust(thrust) => (6 + u16::from(thrust) / 20, NEITHER),
    };
    special << (TURN_BITS + THRUST_BITS) | thrust << TURN_BITS | turn.min(TURN_MASK)
}

/// The turn of a gene, in degrees.
#[inline(always)]
fn turn(gene: u16) -> i8 {
    let most = i32::from(MAX_TURN);
    ((i32::from(gene & TURN_MASK) * 36 - 128 * 36 + 64) >> 7).clamp(-most, most) as i8
}

/// The thrust of a gene.
#[inline(always)]
fn thrust(gene: u16) -> u8 {
    match gene >> TURN_BITS & ((1 << THRUST_BITS) - 1) {
        level @ 6..=15 => (level as u8 - 6) * 20,
        0..=5 => 0,
        _ => MAX_THRUST,
    }
}

/// Whether a pod of the other team may be met in this turn or the next.
#[inline(always)]
fn is_threatened(race: &Race, i: usize) -> bool {
    /// Distance within which two pods can meet in a turn, with their radii.
    const REACH: f64 = 800.0 + 400.0;
    let pod = &race.pods[i];
    (0..2).any(|k| {
        let other = &race.pods[2 * (1 - team(i)) + k];
        let (dx, dy) = (other.x - pod.x, other.y - pod.y);
        let (vx, vy) = (other.vx - pod.vx, other.vy - pod.vy);
        let reach = REACH + (vx * vx + vy * vy).sqrt();
        dx * dx + dy * dy < reach * reach
    })
}

impl Genes<Race> for Plans {
    #[inline(always)]
    fn estimate(&self, race: &Race, player: Player) -> f64 {
        Estimate::estimate(self, race, player)
    }

    /// Shields where no contact is near, and boosts that are used up, are thrusts.
    #[inline(always)]
    fn decode(&self, race: &Race, player: Player, gene: u16) -> Option<Steer> {
        if race.is_finished() {
            return None;
        }
        let i = player.index();
        let power = match gene >> (TURN_BITS + THRUST_BITS) {
            SHIELD if is_threatened(race, i) => Power::Shield,
            BOOST if !race.pods[i].has_boosted => Power::Boost,
            _ => Power::Thrust(thrust(gene)),
        };
        Some(Steer { turn: turn(gene), power })
    }

    #[inline(always)]
    fn side(&self, player: Player) -> usize {
        team(player.index())
    }

    fn heuristic(&self, i: usize, race: &Race, player: Player) -> Option<u16> {
        let pod = player.index();
        let is_racer = pod == race.roles.racer(team(pod));
        match i {
            0 => Some(gene(if is_racer { drive(race, pod) } else { block(race, pod) })),
            1 => Some(gene(drive(race, pod))),
            _ => None,
        }
    }

    /// Another turn, another power, or both.
    #[inline(always)]
    fn mutate(&self, gene: u16, rng: &mut Rng) -> u16 {
        let bits = rng.next_u64();
        let other = bits as u16;
        match bits >> 62 {
            0 => other & TURN_MASK | gene & !TURN_MASK,
            1 => gene & TURN_MASK | other & !TURN_MASK,
            _ => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn genes_are_orders() {
        for degrees in -MAX_TURN..=MAX_TURN {
            for power in (0..=10).map(|level| Power::Thrust(level * 20)) {
                let gene = gene(Steer { turn: degrees, power });
                assert_eq!((turn(gene), Power::Thrust(thrust(gene))), (degrees, power));
            }
        }
        let count = |most: i8| (0..=TURN_MASK).filter(|&gene| turn(gene) == most).count();
        assert_eq!((count(MAX_TURN), count(-MAX_TURN), turn(128)), (65, 66, 0));
    }
}

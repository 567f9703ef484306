//! The race: four pods on a track, the movement of a turn, the end.

use super::contact::{bounce, contact};
use super::pod::Pod;
use super::track::{Track, CHECKPOINT_RADIUS};

/// The pods of a race: two of each team.
pub const PODS: usize = 4;
/// Turns without a checkpoint after which a team is out.
pub const PATIENCE: i16 = 100;
/// The most turns of a race.
pub const MAX_TURNS: u16 = 500;
/// The most bounces that are followed in a turn; published games have up to 10.
const MAX_BOUNCES: u32 = 64;

/// The pairs of pods, in the order in which contacts at the same time are overridden by later ones.
const PAIRS: [[usize; 2]; 6] = [[2, 3], [1, 3], [0, 3], [1, 2], [0, 2], [0, 1]];

/// Which pod of a team races, and where the other one is in the way of the other team's racer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Roles {
    /// The pod of each team that races, 0 or 1.
    pub racer: [u8; 2],
    /// The checkpoint that each team's other pod guards.
    pub guard: [u8; 2],
}

impl Roles {
    /// The number of a team's pod that races.
    #[inline(always)]
    pub fn racer(&self, team: usize) -> usize {
        2 * team + usize::from(self.racer[team])
    }

    /// The number of a team's pod that doesn't.
    #[inline(always)]
    pub fn blocker(&self, team: usize) -> usize {
        2 * team + 1 - usize::from(self.racer[team])
    }
}

/// A race at the beginning of a turn. Pods 0 and 1 are team 0's, 2 and 3 team 1's.
#[derive(Debug, Clone, PartialEq)]
pub struct Race {
    /// The pods.
    pub pods: [Pod; PODS],
    /// The track.
    pub track: Track,
    /// Turns that each team has left to reach the next checkpoint; it is out at -1.
    pub patience: [i16; 2],
    /// The turns made.
    pub turn: u16,
    /// For searches' evaluations; not part of the rules.
    pub roles: Roles,
}

/// The team of a pod.
#[inline(always)]
pub fn team(pod: usize) -> usize {
    pod / 2
}

impl Race {
    /// The start: the pods stand in a line through checkpoint 0, square to the way to checkpoint 1.
    pub fn new(track: Track) -> Race {
        let ([x, y], [nx, ny]) = (track.centre(0), track.centre(1));
        let (dx, dy) = (nx - x, ny - y);
        let length = (dx * dx + dy * dy).sqrt();
        let (ux, uy) = if length > 0.0 { (dx / length, dy / length) } else { (1.0, 0.0) };
        let pods = [500.0, -500.0, 1500.0, -1500.0]
            .map(|side: f64| Pod::at((x + side * uy).round(), (y - side * ux).round()));
        Race { pods, track, patience: [PATIENCE; 2], turn: 0, roles: Roles::default() }
    }

    /// The movement of a turn, once the pods have followed their orders: contacts, friction, rounding, checkpoints, and
    /// the teams' patience.
    pub fn advance(&mut self) {
        let passed = self.pods.map(|pod| pod.passed);
        let mut from = self.pods.map(|pod| [pod.x, pod.y]);
        let mut left = 1.0;
        for _ in 0..MAX_BOUNCES {
            let mut first: Option<(f64, [usize; 2])> = None;
            for pair in PAIRS {
                let [a, b] = pair;
                let time = first.map_or(left, |(time, _)| time);
                if let Some(time) = contact(&self.pods[a], &self.pods[b], time) {
                    first = Some((time, pair));
                }
            }
            let Some((time, [a, b])) = first else { break };
            self.slide(time);
            left -= time;
            let (low, high) = self.pods.split_at_mut(b);
            bounce(&mut low[a], &mut high[0]);
            for i in [a, b] {
                self.pass(i, from[i]);
                from[i] = [self.pods[i].x, self.pods[i].y];
            }
        }
        self.slide(left);
        for (i, from) in from.into_iter().enumerate() {
            let pod = &mut self.pods[i];
            (pod.x, pod.y) = (nearest(pod.x), nearest(pod.y));
            (pod.vx, pod.vy) = (slowed(pod.vx), slowed(pod.vy));
            self.pass(i, from);
        }
        for (team, patience) in self.patience.iter_mut().enumerate() {
            let has_passed = (2 * team..2 * team + 2).any(|i| self.pods[i].passed != passed[i]);
            *patience = if has_passed { PATIENCE } else { *patience - 1 };
        }
        self.turn += 1;
    }

    #[inline(always)]
    fn slide(&mut self, time: f64) {
        for pod in &mut self.pods {
            pod.x += pod.vx * time;
            pod.y += pod.vy * time;
        }
    }

    /// Counts the checkpoints on a straight piece of a pod's way, up to where it is.
    #[inline(always)]
    fn pass(&mut self, i: usize, from: [f64; 2]) {
        let goal = self.track.goal();
        let pod = &mut self.pods[i];
        while pod.passed < goal
            && is_near(self.track.centre(self.track.next(pod.passed)), from, [pod.x, pod.y])
        {
            pod.passed += 1;
        }
    }

    /// Whether a team has been too long without a checkpoint.
    #[inline(always)]
    pub fn is_out(&self, team: usize) -> bool {
        self.patience[team] < 0
    }

    /// Whether the race is over by its own rules.
    #[inline(always)]
    pub fn is_finished(&self) -> bool {
        self.turn >= MAX_TURNS
            || self.is_out(0)
            || self.is_out(1)
            || self.pods.iter().any(|pod| pod.passed >= self.track.goal())
    }

    /// The distance from a pod to its next checkpoint's centre.
    #[inline(always)]
    pub fn distance(&self, i: usize) -> f64 {
        let (pod, [x, y]) = (&self.pods[i], self.track.centre(self.track.next(self.pods[i].passed)));
        let (dx, dy) = (x - pod.x, y - pod.y);
        (dx * dx + dy * dy).sqrt()
    }

    /// A team's pod that is further: more checkpoints, then nearer to the next.
    #[inline(always)]
    pub fn leader(&self, team: usize) -> usize {
        let [a, b] = [2 * team, 2 * team + 1];
        let ahead = |i: usize| (self.pods[i].passed, -self.distance(i));
        if ahead(b) > ahead(a) {
            b
        } else {
            a
        }
    }

    /// The points of both teams: 0 for one that is out, else 2 for the better placed and 1 for the other; 1 for each
    /// after a dead heat.
    pub fn points(&self, is_out: [bool; 2]) -> [i64; 2] {
        match is_out {
            [true, true] => [0, 0],
            [true, false] => [0, 2],
            [false, true] => [2, 0],
            [false, false] => {
                let [a, b] = [0, 1].map(|team| {
                    let leader = self.leader(team);
                    (self.pods[leader].passed, -self.distance(leader))
                });
                match a.partial_cmp(&b) {
                    Some(std::cmp::Ordering::Greater) => [2, 1],
                    Some(std::cmp::Ordering::Less) => [1, 2],
                    _ => [1, 1],
                }
            }
        }
    }
}

/// Whether a piece of a straight way comes as near to a checkpoint as it takes to pass it.
#[inline(always)]
fn is_near([x, y]: [f64; 2], [ax, ay]: [f64; 2], [bx, by]: [f64; 2]) -> bool {
    const NEAR: f64 = CHECKPOINT_RADIUS * CHECKPOINT_RADIUS;
    let (dx, dy) = (bx - ax, by - ay);
    let (px, py) = (x - ax, y - ay);
    let along = px * dx + py * dy;
    let length = dx * dx + dy * dy;
    if along <= 0.0 {
        return px * px + py * py <= NEAR;
    }
    if along >= length {
        return (x - bx) * (x - bx) + (y - by) * (y - by) <= NEAR;
    }
    let across = px * dy - py * dx;
    across * across <= NEAR * length
}

/// The nearest whole number, halves up. By way of an integer, since without SSE 4.1 `floor` is a call.
#[inline(always)]
fn nearest(value: f64) -> f64 {
    let up = value + 0.5;
    let whole = f64::from(up as i32);
    if whole > up {
        whole - 1.0
    } else {
        whole
    }
}

/// A speed after friction: 85 %, rounded towards zero.
#[inline(always)]
fn slowed(speed: f64) -> f64 {
    f64::from((speed * 0.85) as i32)
}

//! The race's state beyond the lines of a turn: checkpoints passed, shields, boosts, exact angles.

use super::pod::{Order, Pod};
use super::protocol::Told;
use super::race::{Race, Roles, PATIENCE, PODS};
use super::track::Track;

/// A pod that gains more speed than this in a turn without a contact has boosted: the most without a boost is 200.
const BOOSTED: f64 = 300.0;

/// A race as a bot follows it. The own pods are 0 and 1.
#[derive(Debug, Clone)]
pub struct Tracked {
    race: Race,
    has_begun: bool,
    /// The own pods after their last orders, but for the movement.
    followed: [Pod; 2],
}

impl Tracked {
    /// The race on a track before its first turn.
    pub fn new(track: Track) -> Tracked {
        let race = Race::new(track);
        Tracked { has_begun: false, followed: [race.pods[0], race.pods[1]], race }
    }

    /// The track.
    pub fn track(&self) -> Track {
        self.race.track
    }

    /// Takes in a turn; returns the race as far as it is known. The others' shields aren't.
    pub fn see(&mut self, told: &[Told; PODS]) -> &Race {
        let track = self.race.track;
        let before = self.race.clone();
        for (i, (pod, told)) in self.race.pods.iter_mut().zip(told).enumerate() {
            let known = self.followed.get(i).copied().unwrap_or(*pod);
            let (x, y, vx, vy) = (told.x.into(), told.y.into(), told.vx.into(), told.vy.into());
            let count = track.count();
            let news = (told.next + count - track.next(pod.passed)) % count;
            let passed = pod.passed + news as u16;
            *pod = Pod { x, y, vx, vy, passed, ..known };
            // An angle that was calculated is exact; what is sent is rounded.
            if pod.degrees() != told.angle && told.angle >= 0 {
                pod.point(f64::from(told.angle).to_radians());
            }
            if i >= 2 && self.has_begun {
                let was = &before.pods[i];
                let gain = (vx / 0.85 - was.vx).hypot(vy / 0.85 - was.vy);
                pod.has_boosted |= gain > BOOSTED && is_alone(&before, i);
            }
        }
        if self.has_begun {
            self.race.turn += 1;
            for team in 0..2 {
                let has_passed =
                    (2 * team..2 * team + 2).any(|i| self.race.pods[i].passed != before.pods[i].passed);
                let left = self.race.patience[team] - 1;
                // A team that is asked is not out.
                self.race.patience[team] = if has_passed { PATIENCE } else { left.max(0) };
            }
        }
        self.has_begun = true;
        for pod in &mut self.race.pods {
            if !pod.has_turned {
                // The first turn is to any angle; searches begin with the way to the checkpoint.
                let [x, y] = track.centre(track.next(pod.passed));
                let angle = (y - pod.y).atan2(x - pod.x);
                pod.point(angle);
                pod.has_turned = false;
            }
        }
        &self.race
    }

    /// Takes in the own orders of this turn.
    pub fn order(&mut self, orders: [Order; 2]) {
        for (i, order) in orders.into_iter().enumerate() {
            self.followed[i] = self.race.pods[i];
            self.followed[i].follow(order);
        }
    }

    /// Chooses which pods race and what the others guard. A pod takes over when it is clearly ahead of its team's other.
    pub fn assign(&mut self) -> &Race {
        let mut roles = self.race.roles;
        for team in 0..2 {
            let [racer, other] = [roles.racer(team), roles.blocker(team)];
            if self.remaining(other) + TAKE_OVER < self.remaining(racer) {
                roles.racer[team] = 1 - roles.racer[team];
            }
        }
        for team in 0..2 {
            roles.guard[team] = self.guard(&roles, team) as u8;
        }
        self.race.roles = roles;
        &self.race
    }

    /// The first checkpoint ahead of the other team's racer to which the team's blocker is nearer.
    fn guard(&self, roles: &Roles, team: usize) -> usize {
        let (race, rival) = (&self.race, roles.racer(1 - team));
        let blocker = &race.pods[roles.blocker(team)];
        let mut at = race.track.next(race.pods[rival].passed);
        let mut way = race.distance(rival);
        for _ in 0..race.track.count() {
            let [x, y] = race.track.centre(at);
            if (x - blocker.x).hypot(y - blocker.y) < way {
                return at;
            }
            way += race.track.leg(at);
            at = (at + 1) % race.track.count();
        }
        race.track.next(race.pods[rival].passed)
    }

    /// The length of a pod's way to the finish, from checkpoint to checkpoint.
    fn remaining(&self, i: usize) -> f64 {
        let (race, track) = (&self.race, &self.race.track);
        let passed = race.pods[i].passed;
        (passed + 1..track.goal()).map(|passed| track.leg(track.next(passed - 1))).sum::<f64>()
            + race.distance(i)
    }
}

/// By how much a pod must be ahead of its team's racer to take over, in units of the map.
const TAKE_OVER: f64 = 1500.0;

/// Whether no pod was near enough to touch a pod in a turn.
fn is_alone(race: &Race, i: usize) -> bool {
    const NEAR: f64 = 2500.0;
    let pod = &race.pods[i];
    (0..PODS).all(|j| j == i || (race.pods[j].x - pod.x).hypot(race.pods[j].y - pod.y) > NEAR)
}

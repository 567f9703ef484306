//! Steering laws: to a checkpoint against the drift, and into the way of a rival.

use super::pod::{Pod, Power, Steer, MAX_THRUST, MAX_TURN};
use super::race::{team, Race};

/// Turns of the present speed that a pod aims short of its target, so that its drift brings it there.
const DRIFT: f64 = 3.0;

/// The place to aim at so that the drift brings a pod to a target: the target less three times the speed.
pub fn against_drift(pod: &Pod, [x, y]: [f64; 2]) -> [f64; 2] {
    [x - DRIFT * pod.vx, y - DRIFT * pod.vy]
}

/// Turns to a place, with thrust once it is ahead.
pub fn toward(pod: &Pod, place: [f64; 2]) -> Steer {
    let degrees = pod.bearing(place).to_degrees();
    let most = f64::from(MAX_TURN);
    let is_ahead = degrees.abs() < 90.0;
    Steer {
        turn: degrees.round().clamp(-most, most) as i8,
        power: Power::Thrust(if is_ahead { MAX_THRUST } else { 0 }),
    }
}

/// Steers to the next checkpoint.
pub fn drive(race: &Race, i: usize) -> Steer {
    let pod = &race.pods[i];
    toward(pod, against_drift(pod, race.track.centre(race.track.next(pod.passed))))
}

/// Steers to where the other team's racer will be in a few turns, or to the checkpoint to guard, whichever is nearer.
pub fn block(race: &Race, i: usize) -> Steer {
    let pod = &race.pods[i];
    let rival = &race.pods[race.roles.racer(1 - team(i))];
    let guard = race.track.centre(usize::from(race.roles.guard[team(i)]));
    let far = |[x, y]: [f64; 2]| (x - pod.x).hypot(y - pod.y);
    let turns = far([rival.x, rival.y]) / 1000.0;
    let meeting = [rival.x + turns * rival.vx, rival.y + turns * rival.vy];
    toward(pod, against_drift(pod, if far(meeting) < far(guard) { meeting } else { guard }))
}

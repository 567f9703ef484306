//! Contacts of pods: when two of them touch, and how they bounce.

use super::pod::{Pod, POD_RADIUS};

/// The distance of two centres at a contact.
const CONTACT: f64 = 2.0 * POD_RADIUS;
/// The least impulse of a bounce.
const MIN_IMPULSE: f64 = 120.0;
/// Distance beyond contact to which two overlapping pods are moved apart, each.
const GAP: f64 = 0.00001;

/// When two pods that go on straight touch, in turns from now; `None` if they don't within `time`. Pods that touch or
/// overlap touch now, whatever their speeds.
#[inline(always)]
pub fn contact(a: &Pod, b: &Pod, time: f64) -> Option<f64> {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let (vx, vy) = (b.vx - a.vx, b.vy - a.vy);
    let distance = dx * dx + dy * dy;
    // The root is taken only next to the limit, where rounding decides.
    let over = distance - CONTACT * CONTACT;
    if over <= 0.001 && distance.sqrt() <= CONTACT {
        return Some(0.0);
    }
    // |d + v t| = 800 is v² t² + 2 (d v) t + d² - 800² = 0.
    let closing = dx * vx + dy * vy;
    if closing >= 0.0 {
        return None;
    }
    let speed = vx * vx + vy * vy;
    let root = closing * closing - speed * over;
    // The pods come nearest after -closing / speed turns; within `time` only as far as their speed brings them.
    if root < 0.0 || -closing - speed * time > root.sqrt() {
        return None;
    }
    let at = (-closing - root.sqrt()) / speed;
    (at <= time).then_some(at.max(0.0))
}

/// Bounces two pods off each other, elastically with an impulse of at least 120, and moves them apart if they
/// overlap.
pub fn bounce(a: &mut Pod, b: &mut Pod) {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    // Not `hypot`: a distance that is rounded differently from `contact`'s may leave the pods in contact for ever.
    let distance = (dx * dx + dy * dy).sqrt();
    // Two pods on the same place have no direction; any will do.
    let (nx, ny) = if distance > 0.0 { (dx / distance, dy / distance) } else { (1.0, 0.0) };
    let inverse = [1.0 / a.mass(), 1.0 / b.mass()];
    let force = (nx * (a.vx - b.vx) + ny * (a.vy - b.vy)) / (inverse[0] + inverse[1]);
    let impulse = force + force.max(MIN_IMPULSE);
    a.vx -= impulse * nx * inverse[0];
    a.vy -= impulse * ny * inverse[0];
    b.vx += impulse * nx * inverse[1];
    b.vy += impulse * ny * inverse[1];
    if distance <= CONTACT {
        let apart = (CONTACT - distance) / 2.0 + GAP;
        a.x -= nx * apart;
        a.y -= ny * apart;
        b.x += nx * apart;
        b.y += ny * apart;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::podracing::pod::{Power, Steer};

    fn pod(x: f64, y: f64, vx: f64, vy: f64) -> Pod {
        Pod { vx, vy, ..Pod::at(x, y) }
    }

    #[test]
    fn pods_touch_when_their_centres_are_800_apart() {
        let still = pod(0.0, 0.0, 0.0, 0.0);
        assert_eq!(contact(&still, &pod(1000.0, 0.0, -400.0, 0.0), 1.0), Some(0.5));
        assert_eq!(contact(&still, &pod(1000.0, 0.0, -400.0, 0.0), 0.4), None);
        assert_eq!(contact(&still, &pod(1000.0, 0.0, 400.0, 0.0), 1.0), None);
        assert_eq!(contact(&still, &pod(1000.0, 801.0, -2000.0, 0.0), 1.0), None);
        assert_eq!(contact(&still, &pod(800.0, 0.0, 900.0, 0.0), 1.0), Some(0.0), "touching, moving away");
    }

    #[test]
    fn bounces_keep_the_momentum() {
        let mut rng = coppice::Rng::new(1);
        for case in 0..1000 {
            let mut number = |most: u32| f64::from(rng.below(2 * most)) - f64::from(most);
            let (dx, dy) = (number(800), number(800));
            let mut pods = [pod(0.0, 0.0, number(900), number(900)), pod(dx, dy, number(900), number(900))];
            if case % 3 == 0 {
                pods[case / 3 % 2].steer(Steer { turn: 0, power: Power::Shield });
            }
            let sum = |pods: &[Pod; 2]| {
                let [a, b] = pods;
                [a.mass() * a.vx + b.mass() * b.vx, a.mass() * a.vy + b.mass() * b.vy]
            };
            let before = (sum(&pods), pods);
            let [a, b] = &mut pods;
            bounce(a, b);
            let after = sum(&pods);
            assert!((0..2).all(|i| (before.0[i] - after[i]).abs() < 1e-6), "{before:?} {pods:?}");
            let [a, b] = &pods;
            let normal = |a: &Pod, b: &Pod| (b.x - a.x) * (a.vx - b.vx) + (b.y - a.y) * (a.vy - b.vy);
            assert!(normal(a, b) <= 1e-6, "they move apart: {pods:?}");
            assert!(contact(a, b, 1.0).is_none() || (dx * dx + dy * dy).sqrt() > CONTACT, "{pods:?}");
        }
    }

    #[test]
    fn a_shield_is_ten_times_as_heavy() {
        let mut pods = [pod(0.0, 0.0, 500.0, 0.0), pod(800.0, 0.0, 0.0, 0.0)];
        pods[0].steer(Steer { turn: 0, power: Power::Shield });
        let [a, b] = &mut pods;
        bounce(a, b);
        // Elastic: 500 (10 - 1) / 11 and 500 · 20 / 11.
        assert!(
            (a.vx - 500.0 * 9.0 / 11.0).abs() < 1e-9 && (b.vx - 10_000.0 / 11.0).abs() < 1e-9,
            "{pods:?}"
        );
        let [a, b] = &mut [pod(0.0, 0.0, 10.0, 0.0), pod(800.0, 0.0, 0.0, 0.0)];
        bounce(a, b);
        // A force of 5 + 120 on a mass of 1.
        assert_eq!((a.vx, b.vx), (-115.0, 125.0));
    }
}

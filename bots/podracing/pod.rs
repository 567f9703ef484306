//! A pod: where it is, how it turns, thrusts, shields itself and boosts.

use std::f64::consts::PI;

/// The largest turn of a pod's nose in one turn, in degrees.
pub const MAX_TURN: i8 = 18;
/// The largest thrust: units of the map per turn, added to the speed.
pub const MAX_THRUST: u8 = 200;
/// The thrust of a boost, which a pod has once.
pub const BOOST: f64 = 650.0;
/// A pod's radius, in units of the map.
pub const POD_RADIUS: f64 = 400.0;
/// The mass of a pod under its shield; otherwise 1.
pub const SHIELD_MASS: f64 = 10.0;
/// Turns without thrust that a shield costs: its own and three more.
const SHIELD_TURNS: u8 = 4;

/// A pod's engine in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Power {
    /// A thrust of 0 to [`MAX_THRUST`].
    Thrust(u8),
    /// Mass 10 in this turn; no thrust in this turn and the next three.
    Shield,
    /// A thrust of [`BOOST`] once, later [`MAX_THRUST`].
    Boost,
}

impl Default for Power {
    fn default() -> Power {
        Power::Thrust(0)
    }
}

/// An order of the protocol: a target that the nose turns to, and a power.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Order {
    /// The target's x.
    pub x: i32,
    /// The target's y.
    pub y: i32,
    /// The power.
    pub power: Power,
}

/// An order in a search: a turn of the nose relative to where it points, and a power.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Steer {
    /// Degrees from [`-MAX_TURN`](MAX_TURN) to `MAX_TURN`, clockwise as it is seen.
    pub turn: i8,
    /// The power.
    pub power: Power,
}

/// A pod at the beginning of a turn. Places and speeds are whole numbers then.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pod {
    /// The centre's x.
    pub x: f64,
    /// The centre's y, downwards.
    pub y: f64,
    /// The speed to the right, per turn.
    pub vx: f64,
    /// The speed downwards, per turn.
    pub vy: f64,
    /// Where the nose points, in radians from east over south; not limited to a circle. Unspecified before its first turn.
    pub angle: f64,
    /// The cosine and the sine of the angle.
    pub nose: [f64; 2],
    /// The checkpoints passed.
    pub passed: u16,
    /// Whether the nose has been turned; the first turn is to any angle.
    pub has_turned: bool,
    /// Whether the boost has been used.
    pub has_boosted: bool,
    /// 4 in a turn under the shield, then 3, 2 and 1 in the turns without thrust.
    pub shield: u8,
}

/// Cosine and sine of 0 to 18 degrees. Written out since they are no constant functions.
const ROTATION: [[f64; 2]; MAX_TURN as usize + 1] = [
    [1.0, 0.0],
    [0.999_847_695_156_391_2, 0.017_452_406_437_283_51],
    [0.999_390_827_019_095_8, 0.034_899_496_702_500_97],
    [0.998_629_534_754_573_9, 0.052_335_956_242_943_835],
    [0.997_564_050_259_824_2, 0.069_756_473_744_125_3],
    [0.996_194_698_091_745_5, 0.087_155_742_747_658_17],
    [0.994_521_895_368_273_3, 0.104_528_463_267_653_46],
    [0.992_546_151_641_322, 0.121_869_343_405_147_48],
    [0.990_268_068_741_570_4, 0.139_173_100_960_065_44],
    [0.987_688_340_595_137_8, 0.156_434_465_040_230_87],
    [0.984_807_753_012_208, 0.173_648_177_666_930_33],
    [0.981_627_183_447_664, 0.190_808_995_376_544_8],
    [0.978_147_600_733_805_7, 0.207_911_690_817_759_31],
    [0.974_370_064_785_235_2, 0.224_951_054_343_865],
    [0.970_295_726_275_996_5, 0.241_921_895_599_667_73],
    [0.965_925_826_289_068_3, 0.258_819_045_102_520_74],
    [0.961_261_695_938_318_9, 0.275_637_355_816_999_16],
    [0.956_304_755_963_035_5, 0.292_371_704_722_736_7],
    [0.951_056_516_295_153_5, 0.309_016_994_374_947_4],
];

impl Pod {
    /// A pod at rest whose nose has not been turned.
    pub fn at(x: f64, y: f64) -> Pod {
        Pod {
            x,
            y,
            vx: 0.0,
            vy: 0.0,
            angle: 0.0,
            nose: [1.0, 0.0],
            passed: 0,
            has_turned: false,
            has_boosted: false,
            shield: 0,
        }
    }

    /// The mass in this turn, after its order.
    #[inline(always)]
    pub fn mass(&self) -> f64 {
        if self.shield == SHIELD_TURNS {
            SHIELD_MASS
        } else {
            1.0
        }
    }

    /// The nose's angle as the protocol sends it: whole degrees of 0 to 360, rounded half up; -1 before its first turn.
    pub fn degrees(&self) -> i32 {
        match self.has_turned {
            true => (self.angle.to_degrees().rem_euclid(360.0) + 0.5).floor() as i32,
            false => -1,
        }
    }

    /// Turns the nose to an angle in radians.
    pub fn point(&mut self, angle: f64) {
        let (sin, cos) = angle.sin_cos();
        (self.angle, self.nose, self.has_turned) = (angle, [cos, sin], true);
    }

    /// Follows an order of the protocol up to the movement: turns, and changes the speed.
    pub fn follow(&mut self, order: Order) {
        let thrust = self.thrust(order.power);
        let (dx, dy) = (f64::from(order.x) - self.x, f64::from(order.y) - self.y);
        if dx == 0.0 && dy == 0.0 {
            return;
        }
        const LIMIT: f64 = PI / 10.0;
        let wanted = dy.atan2(dx);
        let mut difference = (wanted - self.angle) % (2.0 * PI);
        if difference > PI {
            difference -= 2.0 * PI;
        } else if difference <= -PI {
            difference += 2.0 * PI;
        }
        let is_far = self.has_turned && difference.abs() >= LIMIT;
        self.point(if is_far { self.angle + difference.signum() * LIMIT } else { wanted });
        self.vx += thrust * self.nose[0];
        self.vy += thrust * self.nose[1];
    }

    /// Follows an order of a search up to the movement: turns, and changes the speed.
    #[inline(always)]
    pub fn steer(&mut self, steer: Steer) {
        let [cos, sin] = ROTATION[usize::from(steer.turn.unsigned_abs().min(MAX_TURN as u8))];
        let sin = if steer.turn < 0 { -sin } else { sin };
        let [x, y] = self.nose;
        self.nose = [x * cos - y * sin, x * sin + y * cos];
        self.angle += f64::from(steer.turn) * (PI / 180.0);
        let thrust = self.thrust(steer.power);
        self.vx += thrust * self.nose[0];
        self.vy += thrust * self.nose[1];
    }

    /// Gets no order: no turn, no thrust.
    pub fn coast(&mut self) {
        self.shield = self.shield.saturating_sub(1);
    }

    /// Counts the shield's turns and the boost; returns the thrust.
    #[inline(always)]
    fn thrust(&mut self, power: Power) -> f64 {
        if power == Power::Shield {
            self.shield = SHIELD_TURNS;
            return 0.0;
        }
        self.shield = self.shield.saturating_sub(1);
        let thrust = match power {
            Power::Thrust(thrust) => f64::from(thrust),
            Power::Boost if !self.has_boosted => {
                self.has_boosted = true;
                BOOST
            }
            _ => f64::from(MAX_THRUST),
        };
        if self.shield > 0 {
            0.0
        } else {
            thrust
        }
    }

    /// The angle from the nose to a place, in radians: positive clockwise as it is seen.
    pub fn bearing(&self, [x, y]: [f64; 2]) -> f64 {
        let (dx, dy) = (x - self.x, y - self.y);
        let [cos, sin] = self.nose;
        (cos * dy - sin * dx).atan2(cos * dx + sin * dy)
    }

    /// The order that follows a search's order.
    pub fn order(&self, steer: Steer) -> Order {
        /// How far away the target is: far enough that rounding changes the nose by less than 0.000003 radians.
        const FAR: f64 = 200_000.0;
        let angle = self.angle + f64::from(steer.turn) * (PI / 180.0);
        let (sin, cos) = angle.sin_cos();
        let [x, y] = [self.x + FAR * cos, self.y + FAR * sin].map(|value| value.round() as i32);
        Order { x, y, power: steer.power }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_turns_as_the_search_does() {
        let mut rng = coppice::Rng::new(1);
        for _ in 0..2000 {
            let mut number = |most: u32| f64::from(rng.below(2 * most)) - f64::from(most);
            let mut pod = Pod { vx: number(900), vy: number(900), ..Pod::at(number(16_000), number(9_000)) };
            pod.point(number(4000) / 1000.0);
            let steer = Steer { turn: number(19) as i8, power: Power::Thrust(200) };
            let (mut searched, mut ordered) = (pod, pod);
            searched.steer(steer);
            ordered.follow(pod.order(steer));
            let near = |a: f64, b: f64, most: f64| (a - b).abs() < most;
            assert!((0..2).all(|i| near(searched.nose[i], ordered.nose[i], 4e-6)), "{steer:?} {pod:?}");
            assert!(near(searched.vx, ordered.vx, 0.001) && near(searched.vy, ordered.vy, 0.001));
        }
    }

    #[test]
    fn the_nose_turns_by_18_degrees_at_most_but_for_the_first_time() {
        let mut pod = Pod::at(0.0, 0.0);
        assert_eq!(pod.degrees(), -1);
        let west = Order { x: -1000, y: 0, power: Power::Thrust(0) };
        pod.follow(west);
        assert_eq!(pod.degrees(), 180);
        let east = |y| Order { x: 1000, y, power: Power::Thrust(100) };
        pod.follow(east(-1));
        assert_eq!((pod.degrees(), pod.vx < -95.0), (198, true));
        for _ in 0..9 {
            pod.follow(east(-1));
        }
        // 0.06 degrees short of a circle: rounded half up to 360.
        assert_eq!(pod.degrees(), 360);
        let before = pod;
        pod.follow(Order { x: 0, y: 0, power: Power::Thrust(200) });
        assert_eq!(pod, before, "the own place has no direction");
    }

    #[test]
    fn shields_cost_three_more_turns_and_boosts_come_once() {
        let mut pod = Pod::at(0.0, 0.0);
        pod.point(0.0);
        let mut gains = Vec::new();
        let thrust = Power::Thrust(100);
        for power in [Power::Shield, thrust, thrust, thrust, thrust, Power::Boost, Power::Boost] {
            let before = pod.vx;
            pod.steer(Steer { turn: 0, power });
            gains.push((pod.vx - before, pod.mass()));
        }
        let without = [(0.0, SHIELD_MASS), (0.0, 1.0), (0.0, 1.0), (0.0, 1.0)];
        assert_eq!(
            (&gains[..4], &gains[4..]),
            (&without[..], &[(100.0, 1.0), (650.0, 1.0), (200.0, 1.0)][..])
        );
    }
}

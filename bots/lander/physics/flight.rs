//! The physics: a lander's state, and its change in a second of flight.

/// Gravity of Mars, in m/s².
pub const GRAVITY: f64 = 3.711;
/// Maximum turn per second, in degrees.
pub const TURN: i32 = 15;
/// Maximum lean, in degrees.
pub const LEAN: i32 = 90;
/// Maximum thrust, in m/s²; a unit of it uses one litre of fuel a second.
pub const THRUST: i32 = 4;
/// Maximum vertical speed of a landing as shown, in m/s.
pub const SOFT_V: f64 = 40.0;
/// Maximum horizontal speed of a landing as shown, in m/s.
pub const SOFT_H: f64 = 20.0;

/// Score of a flight that doesn't land: lower than that of any landing, which is the litres left.
pub const LOST: i64 = -1;

/// How the speeds of a landing are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Judging {
    /// By the whole numbers shown, as the platform does: 40.5 is shown as 41 and crashes, anything below lands.
    #[default]
    Rounded,
    /// By the exact numbers: 40 lands, anything above crashes.
    Strict,
}

impl Judging {
    /// The horizontal and the vertical speed that no landing exceeds, in m/s.
    #[inline(always)]
    pub fn limits(self) -> (f64, f64) {
        let more = if self == Judging::Rounded { 0.5 } else { 0.0 };
        (SOFT_H + more, SOFT_V + more)
    }

    /// Whether a landing at these speeds is soft.
    #[inline(always)]
    pub fn is_slow(self, h_speed: f64, v_speed: f64) -> bool {
        let (h, v) = (h_speed.abs(), v_speed.abs());
        let (most_h, most_v) = self.limits();
        match self {
            Judging::Rounded => h < most_h && v < most_v,
            Judging::Strict => h <= most_h && v <= most_v,
        }
    }
}

/// The order for the next second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Order {
    /// The requested lean, in degrees: positive pushes to the left.
    pub rotate: i32,
    /// The requested thrust, in m/s².
    pub power: i32,
}

/// The exact state of a lander.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lander {
    /// Metres from the left border.
    pub x: f64,
    /// Metres above the bottom.
    pub y: f64,
    /// Metres a second to the right.
    pub h_speed: f64,
    /// Metres a second upwards.
    pub v_speed: f64,
    /// Litres, which are units of thrust for a second.
    pub fuel: i32,
    /// Degrees from upright, -90 to 90; positive leans, and pushes, to the left.
    pub rotate: i32,
    /// Thrust in m/s², 0 to 4.
    pub power: i32,
}

/// The state of a lander as sent to a bot: rounded to whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Observation {
    /// Metres from the left border.
    pub x: i32,
    /// Metres above the bottom.
    pub y: i32,
    /// Metres a second to the right.
    pub h_speed: i32,
    /// Metres a second upwards.
    pub v_speed: i32,
    /// Litres.
    pub fuel: i32,
    /// Degrees.
    pub rotate: i32,
    /// m/s².
    pub power: i32,
}

impl Lander {
    /// Flies for a second. An order out of reach is followed as far as possible: 15 degrees and one unit of thrust a
    /// second, and no more thrust than there is fuel.
    #[inline(always)]
    pub fn fly(&mut self, order: Order) {
        let rotate = order.rotate.clamp(self.rotate - TURN, self.rotate + TURN);
        let power = order.power.clamp(self.power - 1, self.power + 1);
        self.rotate = rotate.clamp(-LEAN, LEAN);
        self.power = power.clamp(0, THRUST).min(self.fuel);
        self.fuel -= self.power;
        let (sin, cos) = sin_cos(self.rotate);
        let thrust = f64::from(self.power);
        let (a_h, a_v) = (-sin * thrust, cos * thrust - GRAVITY);
        self.x += self.h_speed + 0.5 * a_h;
        self.y += self.v_speed + 0.5 * a_v;
        self.h_speed += a_h;
        self.v_speed += a_v;
    }

    /// The lander a second later.
    #[must_use]
    #[inline(always)]
    pub fn after(mut self, order: Order) -> Lander {
        self.fly(order);
        self
    }

    /// The state as sent to a bot: halves are rounded away from zero.
    pub fn observation(&self) -> Observation {
        let Lander { fuel, rotate, power, .. } = *self;
        let [x, y, h_speed, v_speed] =
            [self.x, self.y, self.h_speed, self.v_speed].map(|metres| metres.round() as i32);
        Observation { x, y, h_speed, v_speed, fuel, rotate, power }
    }

    /// Whether the lander is upright and slow enough to land.
    #[inline(always)]
    pub fn is_soft(&self, judging: Judging) -> bool {
        self.rotate == 0 && judging.is_slow(self.h_speed, self.v_speed)
    }
}

impl From<Observation> for Lander {
    /// The lander with exactly the rounded numbers.
    fn from(told: Observation) -> Lander {
        let Observation { fuel, rotate, power, .. } = told;
        let [x, y, h_speed, v_speed] = [told.x, told.y, told.h_speed, told.v_speed].map(f64::from);
        Lander { x, y, h_speed, v_speed, fuel, rotate, power }
    }
}

/// Sine and cosine of a whole number of degrees from -90 to 90.
#[inline(always)]
pub fn sin_cos(degrees: i32) -> (f64, f64) {
    let sine = SINES[degrees.unsigned_abs() as usize % 91];
    let cosine = SINES[(LEAN - degrees.abs()) as usize % 91];
    (if degrees < 0 { -sine } else { sine }, cosine)
}

/// The sines of 0 to 90 degrees, by their Taylor series up to 45 degrees and as cosines beyond: identical on every
/// machine, unlike the standard library's, and within 2e-16 of those.
static SINES: [f64; 91] = {
    let mut sines = [0.0; 91];
    let mut degrees = 0;
    while degrees <= 45 {
        let x = degrees as f64 * (std::f64::consts::PI / 180.0);
        sines[degrees] = x * series(x * x, 3.0);
        sines[90 - degrees] = series(x * x, 2.0);
        degrees += 1;
    }
    sines
};

/// 1 - square / ((first - 1) first) (1 - square / ((first + 1) (first + 2)) (1 - ...)): ten terms, the last
/// below 1e-20.
const fn series(square: f64, first: f64) -> f64 {
    let mut sum = 1.0;
    let mut n = first + 18.0;
    while n >= first {
        sum = 1.0 - square / ((n - 1.0) * n) * sum;
        n -= 2.0;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(numbers: [i32; 7]) -> Observation {
        let [x, y, h_speed, v_speed, fuel, rotate, power] = numbers;
        Observation { x, y, h_speed, v_speed, fuel, rotate, power }
    }

    /// The rounded state after each of the orders.
    fn flown(start: [i32; 7], orders: &[(i32, i32)]) -> Vec<Observation> {
        let mut lander = Lander::from(told(start));
        let fly = |&(rotate, power)| {
            lander.fly(Order { rotate, power });
            lander.observation()
        };
        orders.iter().map(fly).collect()
    }

    #[test]
    fn the_platform_s_own_examples_come_out_digit_for_digit() {
        let leaning = flown([5000, 2500, -50, 0, 1000, 90, 0], &[(-45, 4), (-45, 4)]);
        assert_eq!(leaning, [[4950, 2498, -51, -3, 999, 75, 1], [4898, 2493, -53, -6, 997, 60, 2]].map(told));
        let upright = flown([2500, 2500, 0, 0, 500, 0, 0], &[(0, 3), (0, 3)]);
        assert_eq!(upright, [[2500, 2499, 0, -3, 499, 0, 1], [2500, 2495, 0, -4, 497, 0, 2]].map(told));
    }

    #[test]
    fn sines_are_the_standard_library_s_within_two_units_in_the_last_place() {
        for degrees in -90..=90 {
            let (sin, cos) = sin_cos(degrees);
            let x = f64::from(degrees).to_radians();
            assert!((sin - x.sin()).abs() <= 2.3e-16 && (cos - x.cos()).abs() <= 2.3e-16, "{degrees}");
        }
        assert_eq!((sin_cos(0), sin_cos(90), sin_cos(-90)), ((0.0, 1.0), (1.0, 0.0), (-1.0, 0.0)));
    }

    #[test]
    fn halves_are_rounded_away_from_zero() {
        let lander = Lander { x: 0.5, y: 2.5, h_speed: -0.5, v_speed: -1.5, fuel: 1, rotate: 0, power: 0 };
        assert_eq!(lander.observation(), told([1, 3, -1, -2, 1, 0, 0]));
    }

    #[test]
    fn a_speed_lands_if_the_number_shown_does() {
        let below = |x: f64| f64::from_bits(x.to_bits() - 1);
        let slow = |h, v| [Judging::Rounded, Judging::Strict].map(|judging| judging.is_slow(h, v));
        assert_eq!(slow(20.0, -40.0), [true, true]);
        assert_eq!([slow(20.01, 0.0), slow(0.0, -40.01)], [[true, false]; 2]);
        assert_eq!(slow(-below(20.5), below(40.5)), [true, false]);
        assert_eq!([slow(20.5, 0.0), slow(-20.5, 0.0), slow(0.0, 40.5), slow(0.0, -40.5)], [[false; 2]; 4]);
        for judged in [-40.5, -40.49, -40.0, -39.5, 40.5] {
            let shown = Lander { v_speed: judged, ..told([0; 7]).into() }.observation().v_speed;
            assert_eq!(Judging::Rounded.is_slow(0.0, judged), shown.abs() <= 40, "{judged}");
        }
    }

    #[test]
    fn no_order_exceeds_what_the_lander_can_do() {
        let start = Lander::from(told([3000, 2000, 0, 0, 3, 80, 0]));
        let all = flown([3000, 2000, 0, 0, 3, 80, 0], &[(1000, 1000), (1000, i32::MAX), (-1000, 4)]);
        assert_eq!(
            all.iter().map(|t| (t.rotate, t.power, t.fuel)).collect::<Vec<_>>(),
            [(90, 1, 2), (90, 2, 0), (75, 0, 0)]
        );
        assert_eq!(start.after(Order { rotate: i32::MIN, power: i32::MIN }).observation().power, 0);
    }
}

//! The tuned parameters, and the mapping from points of the unit cube to their values.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A tunable parameter: name, start and range.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Name, as the bot takes it in `--param NAME=VALUE`.
    pub name: String,
    /// Whether it is a whole number.
    pub kind: Kind,
    /// The start of the search.
    pub start: f64,
    /// The minimum.
    pub min: f64,
    /// The maximum.
    pub max: f64,
}

/// The kind of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A whole number.
    Int,
    /// A number with a fraction.
    Float,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Int => "int",
            Self::Float => "float",
        })
    }
}

/// The reasons why the declaration of a parameter is refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// It isn't five words.
    #[error("expected `NAME, int|float, VALUE, MIN, MAX`")]
    Form,
    /// A name with a character that a command line or a file could misread.
    #[error("\"{0}\" can't be a name: expected letters, digits, _, - and .")]
    Name(String),
    /// The kind is neither int nor float.
    #[error("unknown kind \"{0}\": expected int or float")]
    Kind(String),
    /// A number is invalid, or has a fraction in an int.
    #[error("\"{text}\" is no {kind}")]
    Number {
        /// The word.
        text: String,
        /// The expected kind.
        kind: Kind,
    },
    /// The range is empty, or the value is outside it.
    #[error("expected MIN < MAX and a value in that range, found {value} for {min} to {max}")]
    Range {
        /// The value.
        value: f64,
        /// The minimum.
        min: f64,
        /// The maximum.
        max: f64,
    },
    /// The range has too few values to choose from.
    #[error("the range from {min} to {max} has one value, so there is nothing to tune: expected MIN < MAX")]
    Fixed {
        /// The minimum.
        min: f64,
        /// The maximum.
        max: f64,
    },
    /// Positions in the range can't be computed.
    #[error("the range from {min} to {max} is {fault} for floating-point numbers")]
    Width {
        /// The minimum.
        min: f64,
        /// The maximum.
        max: f64,
        /// The fault, as a clause.
        fault: &'static str,
    },
}

/// The narrowest range of a float, in units of the distance between floats at its ends: the two sides of a trial, at
/// least a tenth of the range apart, then differ.
const FEWEST_FLOATS: f64 = 1e5;

impl Parameter {
    /// Reads a line of `--tunables`: `NAME, int|float, VALUE, MIN, MAX`. A range of one value is accepted: see
    /// [`Parameter::can_vary`].
    ///
    /// # Errors
    /// The mistake.
    pub fn parse(line: &str) -> Result<Self, ParameterError> {
        let words: Vec<&str> = line.split(',').map(str::trim).collect();
        let [name, kind, value, min, max] = words[..] else { return Err(ParameterError::Form) };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        if name.is_empty() || !name.chars().all(is_plain) {
            return Err(ParameterError::Name(name.to_owned()));
        }
        let kind = match kind {
            "int" => Kind::Int,
            "float" => Kind::Float,
            _ => return Err(ParameterError::Kind(kind.to_owned())),
        };
        let [start, min, max] = [value, min, max].map(|text| kind.read(text));
        let parameter = Self { name: name.to_owned(), kind, start: start?, min: min?, max: max? };
        match parameter.clone().checked() {
            Err(error) if !matches!(error, ParameterError::Fixed { .. }) => Err(error),
            _ => Ok(parameter),
        }
    }

    /// Checks the range.
    ///
    /// # Errors
    /// If the range is empty, has one value, or can't be computed with, or the start is outside it.
    pub fn checked(self) -> Result<Self, ParameterError> {
        let Self { start, min, max, kind, .. } = self;
        let width = |fault| Err(ParameterError::Width { min, max, fault });
        if !(min..=max).contains(&start) {
            return Err(ParameterError::Range { value: start, min, max });
        }
        if min == max {
            return Err(ParameterError::Fixed { min, max });
        }
        if !(max - min).is_finite() {
            return width("too wide");
        }
        let largest = min.abs().max(max.abs()).max(f64::MIN_POSITIVE);
        if kind == Kind::Float && max - min < FEWEST_FLOATS * f64::EPSILON * largest {
            return width("too narrow");
        }
        Ok(self)
    }

    /// Whether the range has more than one value.
    pub fn can_vary(&self) -> bool {
        self.min < self.max
    }

    /// The distance between neighbouring values, as a share of the range: of whole numbers 1, of others the ten-thousandth
    /// of the range to which values are rounded.
    pub fn least_step(&self) -> f64 {
        match self.kind {
            Kind::Int => 1.0 / (self.max - self.min),
            Kind::Float => 1e-4,
        }
    }

    /// The positions of a trial's lower and upper side around `place`, about `reach` away: inside the range, and of
    /// different values.
    ///
    /// The sides of a whole number are positions of whole numbers. Where rounding would make them equal, they are the two
    /// neighbours of the point halfway between them that is nearest to `place` (Wang and Spall, *Discrete Simultaneous
    /// Perturbation Stochastic Approximation on Loss Function with Noisy Measurements*, 2011, section II).
    pub fn sides(&self, place: f64, reach: f64) -> [f64; 2] {
        let sides = [place - reach, place + reach].map(|side| side.clamp(0.0, 1.0));
        if self.kind == Kind::Float {
            return sides;
        }
        let [mut low, mut high] = sides.map(|side| self.value(side));
        if low == high {
            let below = (self.min + place * (self.max - self.min)).floor();
            low = below.clamp(self.min, self.max - 1.0);
            high = low + 1.0;
        }
        [low, high].map(|value| self.place(value))
    }

    /// The position of a neighbour of the value at `place`: the next value upwards or downwards, inwards at an end of the
    /// range.
    pub fn neighbour(&self, place: f64, upwards: bool) -> f64 {
        let (here, step) = (self.place(self.value(place)), self.least_step());
        let (up, down) = (here + step, here - step);
        // Shares of whole numbers are inexact.
        let outside = if self.kind == Kind::Int { step / 2.0 } else { 0.0 };
        let is_up = if upwards { up <= 1.0 + outside } else { down < -outside };
        (if is_up { up } else { down }).clamp(0.0, 1.0)
    }

    /// The position of a value in the range: 0 for the minimum, 1 for the maximum.
    pub fn place(&self, value: f64) -> f64 {
        (value - self.min) / (self.max - self.min)
    }

    /// The value at a position in the range, rounded for whole numbers. (Rounding at random, so
    /// that the mean is exact, was no better in the simulated game, and worse with three or five values.)
    pub fn value(&self, place: f64) -> f64 {
        let value = self.min + place * (self.max - self.min);
        match self.kind {
            Kind::Int => value.round().clamp(self.min, self.max),
            Kind::Float => short(value, self.max - self.min).clamp(self.min, self.max),
        }
    }
}

impl Kind {
    /// Parses a number of this kind.
    ///
    /// # Errors
    /// If it isn't one.
    pub fn read(self, text: &str) -> Result<f64, ParameterError> {
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        let fits = |number: &f64| self == Self::Float || number.fract() == 0.0 && number.abs() < 1e15;
        number.filter(fits).ok_or_else(|| ParameterError::Number { text: text.to_owned(), kind: self })
    }
}

/// The number rounded to a ten-thousandth of the range: no game could distinguish more, and people read it.
fn short(value: f64, range: f64) -> f64 {
    // Numbers have at most 324 digits before the first that isn't 0.
    let digits = (4.0 - range.log10().floor()).clamp(0.0, 330.0) as usize;
    format!("{value:.digits$}").parse().unwrap_or(value)
}

/// The parameters that are tuned together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Space(pub Vec<Parameter>);

impl Space {
    /// The start of the search, in the unit cube.
    pub fn start(&self) -> Vec<f64> {
        self.0.iter().map(|parameter| parameter.place(parameter.start)).collect()
    }

    /// The values at a point of the unit cube.
    pub fn values(&self, point: &[f64]) -> Vec<f64> {
        self.0.iter().zip(point).map(|(parameter, &place)| parameter.value(place)).collect()
    }

    /// The point of the unit cube for these values.
    pub fn point(&self, values: &[f64]) -> Vec<f64> {
        self.0.iter().zip(values).map(|(parameter, &value)| parameter.place(value)).collect()
    }

    /// The arguments for a bot with these values: `NAME=VALUE` for each parameter.
    pub fn given(&self, values: &[f64]) -> Vec<String> {
        self.0.iter().zip(values).map(|(parameter, value)| format!("{}={value}", parameter.name)).collect()
    }

    /// The lines of an OpenBench SPSA session: `name, int|float, value, min, max, c_end, r_end`. The last
    /// perturbation is a twentieth of the range, at least half a step of a whole number, and the last learning rate
    /// the 0.002 of its documentation.
    pub fn open_bench(&self, values: &[f64]) -> Vec<String> {
        let line = |(parameter, value): (&Parameter, &f64)| {
            let Parameter { name, kind, min, max, .. } = parameter;
            let least = if *kind == Kind::Int { 0.5 } else { 0.0 };
            // Rounded like a value, but never to less than half a step.
            let c_end = short(((max - min) / 20.0).max(least), max - min).max(least);
            format!("{name}, {kind}, {value}, {min}, {max}, {c_end}, 0.002")
        };
        self.0.iter().zip(values).map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(line: &str) -> Parameter {
        Parameter::parse(line).unwrap()
    }

    #[test]
    fn lines_are_read() {
        let read = parameter("first-play, float, 1.1, 0.2, 3");
        let (start, min, max) = (1.1, 0.2, 3.0);
        assert_eq!(read, Parameter { name: "first-play".to_owned(), kind: Kind::Float, start, min, max });
        assert_eq!(parameter(" x ,int,-3 , -10,10 ").start, -3.0);
    }

    #[test]
    fn bad_lines_are_refused_with_a_reason() {
        for (line, said) in [
            ("", "expected `NAME, int|float, VALUE, MIN, MAX`"),
            ("x, int, 1, 0, 9, 1", "expected `NAME, int|float, VALUE, MIN, MAX`"),
            ("a b, int, 1, 0, 9", "\"a b\" can't be a name: expected letters, digits, _, - and ."),
            (", int, 1, 0, 9", "\"\" can't be a name: expected letters, digits, _, - and ."),
            ("x, bool, 1, 0, 1", "unknown kind \"bool\": expected int or float"),
            ("x, int, 1.5, 0, 9", "\"1.5\" is no int"),
            ("x, float, NaN, 0, 9", "\"NaN\" is no float"),
            ("x, float, 1, 0, inf", "\"inf\" is no float"),
            ("x, float, 1, 2, 3", "expected MIN < MAX and a value in that range, found 1 for 2 to 3"),
            ("x, int, 1, 2, 2", "expected MIN < MAX and a value in that range, found 1 for 2 to 2"),
            (
                "x, float, 0, -1e308, 1e308",
                &format!("the range from {} to {} is too wide for floating-point numbers", -1e308, 1e308),
            ),
            (
                "x, float, 1, 1, 1.00000000000001",
                "the range from 1 to 1.00000000000001 is too narrow for floating-point numbers",
            ),
        ] {
            assert_eq!(Parameter::parse(line).unwrap_err().to_string(), said, "{line}");
        }
    }

    #[test]
    fn a_range_of_one_value_is_read_but_not_tuned() {
        let fixed = parameter("x, int, 1, 1, 1");
        assert!(!fixed.can_vary() && parameter("x, int, 1, 1, 2").can_vary());
        let said = fixed.checked().unwrap_err().to_string();
        assert!(said.starts_with("the range from 1 to 1 has one value"), "{said}");
    }

    /// Whatever the range, its sides are different values inside it, and so are a value and its neighbours.
    #[test]
    fn sides_and_neighbours_differ() {
        let mut rng = coppice::Rng::new(5);
        let mut unit = || f64::from(rng.below(1 << 30)) / f64::from(1 << 30);
        for round in 0..20_000 {
            let kind = if round % 2 == 0 { Kind::Int } else { Kind::Float };
            let size =
                10f64.powf(unit() * if kind == Kind::Int { 14.0 } else { 600.0 } - 300.0 * unit().round());
            let (min, width) = match kind {
                Kind::Int => ((unit() * 100.0).round() - 50.0, size.max(1.0).round()),
                Kind::Float => (size.min(1e290) * (unit() - 0.5) * 1e4, size.min(1e290)),
            };
            let parameter = Parameter { name: String::new(), kind, start: min, min, max: min + width };
            let Ok(parameter) = parameter.checked() else { continue };
            let place = [0.0, 1.0, 0.5, unit()][round % 4];
            let reach = (0.1 + 0.15 * unit()).max(parameter.least_step() / 2.0);
            let neighbours = [false, true].map(|up| parameter.neighbour(place, up));
            let sides = parameter.sides(place, reach);
            let all = [sides, [place, neighbours[0]], [place, neighbours[1]]];
            for pair in all {
                let [a, b] = pair.map(|place| parameter.value(place));
                assert!(a != b, "{parameter:?} at {place} with {reach}: {pair:?}");
                assert!(
                    min <= a.min(b)
                        && a.max(b) <= parameter.max
                        && pair.iter().all(|p| (0.0..=1.0).contains(p))
                );
            }
            assert!(sides[0] < sides[1], "{parameter:?}");
        }
    }

    #[test]
    fn values_and_places_agree() {
        let float = parameter("x, float, 0.9, 0.05, 2.5");
        assert_eq!(float.value(float.place(0.9)), 0.9);
        assert_eq!((float.value(0.0), float.value(1.0)), (0.05, 2.5));
        assert_eq!(float.value(1.0 / 3.0), 0.8667);
        let int = parameter("x, int, 7, -2, 20");
        assert_eq!((int.value(0.0), int.value(0.5), int.value(0.52), int.value(1.0)), (-2.0, 9.0, 9.0, 20.0));
    }

    #[test]
    fn what_bots_and_open_bench_are_given() {
        let space = Space(vec![parameter("c, float, 0.9, 0.05, 2.5"), parameter("w, int, 7, 2, 6400")]);
        assert_eq!(space.given(&[1.25, 9.0]), ["c=1.25", "w=9"]);
        assert_eq!(space.values(&space.start()), [0.9, 7.0]);
        assert_eq!(space.point(&[0.05, 6400.0]), [0.0, 1.0]);
        let lines = ["c, float, 1.25, 0.05, 2.5, 0.1225, 0.002", "w, int, 9, 2, 6400, 319.9, 0.002"];
        assert_eq!(space.open_bench(&[1.25, 9.0]), lines);
    }
}

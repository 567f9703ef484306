//! The tuned parameters, and the mapping from points of the unit cube to their values.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A tunable parameter: name, start and range.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name, as the bot takes it in `--param NAME=VALUE`.
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
pub enum ParameterError {
    /// It isn't five words.
    #[error("expected `NAME, int|float, VALUE, MIN, MAX`")]
    Form,
    /// A name with a character that a command line or a file could misread.
    #[error("\"{0}\" is no name: expected letters, digits, _, - and .")]
    Name(String),
    /// The kind is neither int nor float.
    #[error("\"{0}\" is no kind: expected int or float")]
    Kind(String),
    /// A number is invalid, or has a fraction in an int.
    #[error("\"{text}\" is no {kind}")]
    Number {
        /// The word.
        text: String,
        /// What was expected.
        kind: Kind,
    },
    /// The range is empty, or the value is outside it.
    #[error("{value} from {min} to {max} is no range with a value in it")]
    Range {
        /// The value.
        value: f64,
        /// The minimum.
        min: f64,
        /// The maximum.
        max: f64,
    },
}

impl Parameter {
    /// Reads a line of `--tunables`: `NAME, int|float, VALUE, MIN, MAX`.
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
        parameter.checked()
    }

    /// Checks the range.
    ///
    /// # Errors
    /// If the range is empty or the start is outside it.
    pub fn checked(self) -> Result<Self, ParameterError> {
        let Self { start, min, max, .. } = self;
        if min < max && (min..=max).contains(&start) {
            Ok(self)
        } else {
            Err(ParameterError::Range { value: start, min, max })
        }
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
/// have to read it.
fn short(value: f64, range: f64) -> f64 {
    let digits = (4.0 - range.log10().floor()).clamp(0.0, 15.0) as usize;
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
            let c_end = short(((max - min) / 20.0).max(least), max - min);
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
            ("a b, int, 1, 0, 9", "\"a b\" is no name: expected letters, digits, _, - and ."),
            (", int, 1, 0, 9", "\"\" is no name: expected letters, digits, _, - and ."),
            ("x, bool, 1, 0, 1", "\"bool\" is no kind: expected int or float"),
            ("x, int, 1.5, 0, 9", "\"1.5\" is no int"),
            ("x, float, NaN, 0, 9", "\"NaN\" is no float"),
            ("x, float, 1, 0, inf", "\"inf\" is no float"),
            ("x, float, 1, 2, 3", "1 from 2 to 3 is no range with a value in it"),
            ("x, int, 1, 1, 1", "1 from 1 to 1 is no range with a value in it"),
        ] {
            assert_eq!(Parameter::parse(line).unwrap_err().to_string(), said, "{line}");
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

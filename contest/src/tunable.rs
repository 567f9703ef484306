//! Tunable parameters of a bot: declared once, set by name, constants in a bundle.
//!
//! [`tunables!`](crate::tunables) declares a struct of numbers, each with a default and a range. Outside of
//! bundles they can be listed and set on the command line:
//!
//! ```text
//! $ uttt-mcts --tunables
//! exploration, float, 0.5, 0.05, 2.5
//! first_play_urgency, float, 2.7, 0.2, 3
//! free_exploration, float, 0.5, 0, 1
//! $ uttt-mcts --param exploration=1.2 --param first_play_urgency=0.8
//! ```
//!
//! A line has the parameter's name, `int` or `float`, its current value, its minimum and its maximum. Any
//! bot, in any language, can be tuned if it answers `--tunables` like this with exit status 0, and accepts
//! `--param NAME=VALUE` any number of times.
//!
//! In a bundle the parameters have their defaults, and only the struct remains.

/// In a bundle, tunable parameters need only a default.
#[cfg(bundled)]
pub use std::default::Default as Tunables;

#[cfg(not(bundled))]
pub use whole::{pair, read, Kind, Number, Tunable, TunableError, Tunables};

/// Listing and setting, left out of bundles.
#[cfg(not(bundled))]
mod whole {
    use std::fmt::{self, Display};
    use std::str::FromStr;

    /// A set of tunable parameters; [`tunables!`](crate::tunables) implements it.
    pub trait Tunables: Default {
        /// The parameters in declaration order, with their current values.
        fn list(&self) -> Vec<Tunable>;

        /// Sets a parameter.
        ///
        /// # Errors
        /// If the parameter is unknown, or the value is invalid or out of range. Nothing changes then.
        fn set(&mut self, name: &str, value: &str) -> Result<(), TunableError>;
    }

    /// A bot without tunable parameters.
    impl Tunables for () {
        fn list(&self) -> Vec<Tunable> {
            Vec::new()
        }

        fn set(&mut self, name: &str, _: &str) -> Result<(), TunableError> {
            Err(TunableError::Unknown { name: name.to_owned(), available: String::new() })
        }
    }

    /// The reason that a parameter can't be set.
    #[derive(Debug, Clone, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum TunableError {
        /// None has this name.
        Unknown {
            /// The name.
            name: String,
            /// The known names, with commas between them; may be empty.
            available: String,
        },
        /// The value is invalid or out of range.
        Value {
            /// `NAME=VALUE` as given.
            given: String,
            /// The values there are.
            expected: String,
        },
        /// There is no `=`.
        NoPair(String),
    }

    impl Display for TunableError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Self::Unknown { name, available } if available.is_empty() => {
                    write!(f, "no tunable {name}; this bot has no parameters")
                }
                Self::Unknown { name, available } => write!(f, "no tunable {name}; available: {available}"),
                Self::Value { given, expected } => write!(f, "{given}: expected {expected}"),
                Self::NoPair(text) => write!(f, "\"{text}\": expected NAME=VALUE"),
            }
        }
    }

    impl std::error::Error for TunableError {}

    /// One parameter. `Display` writes its line of `--tunables`.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Tunable {
        /// The name, a Rust identifier.
        pub name: &'static str,
        /// Integer or floating point.
        pub kind: Kind,
        /// The current value.
        pub value: f64,
        /// The minimum.
        pub min: f64,
        /// The maximum.
        pub max: f64,
    }

    impl Display for Tunable {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let Tunable { name, kind, value, min, max } = self;
            write!(f, "{name}, {kind}, {value}, {min}, {max}")
        }
    }

    /// The kind of a parameter's values.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Kind {
        /// A whole number.
        Int,
        /// A floating-point number.
        Float,
    }

    impl Display for Kind {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(match self {
                Kind::Int => "int",
                Kind::Float => "float",
            })
        }
    }

    /// The type of a tunable parameter.
    pub trait Number: Copy + PartialOrd + Display + FromStr {
        /// Integer or floating point.
        const KIND: Kind;

        /// The value by its shortest decimal form: 0.9, although the nearest `f32` differs from it.
        fn value(self) -> f64 {
            self.to_string().parse().unwrap_or(f64::NAN)
        }
    }

    impl Number for i32 {
        const KIND: Kind = Kind::Int;
    }
    impl Number for u32 {
        const KIND: Kind = Kind::Int;
    }
    impl Number for f32 {
        const KIND: Kind = Kind::Float;
    }
    impl Number for f64 {
        const KIND: Kind = Kind::Float;
    }

    /// Parses the value of a parameter.
    ///
    /// # Errors
    /// If it isn't a number of this kind, or out of range.
    pub fn read<N: Number>(name: &str, text: &str, min: N, max: N) -> Result<N, TunableError> {
        let kind = if N::KIND == Kind::Int { "whole number" } else { "number" };
        let value = text.parse::<N>().ok().filter(|value| (min..=max).contains(value));
        value.ok_or_else(|| TunableError::Value {
            given: format!("{name}={text}"),
            expected: format!("a {kind} from {min} to {max}"),
        })
    }

    /// Splits `NAME=VALUE`.
    ///
    /// # Errors
    /// If the text contains no `=`.
    pub fn pair(text: &str) -> Result<(&str, &str), TunableError> {
        text.split_once('=').ok_or_else(|| TunableError::NoPair(text.to_owned()))
    }
}

/// Declares a struct of tunable parameters, each with its type, default and range:
///
/// ```
/// contest::tunables! {
///     /// Tunable parameters.
///     pub struct Numbers {
///         /// Exploration weight.
///         exploration: f32 = 0.9 in 0.1..=3.0,
///         /// Number of moves searched.
///         width: u32 = 7 in 1..=20,
///     }
/// }
///
/// use contest::tunable::Tunables;
/// let mut numbers = Numbers::default();
/// numbers.set("width", "9").unwrap();
/// assert_eq!((numbers.exploration, numbers.width), (0.9, 9));
/// assert_eq!(numbers.list()[1].to_string(), "width, int, 9, 1, 20");
/// let error = numbers.set("width", "21").unwrap_err();
/// assert_eq!(error.to_string(), "width=21: expected a whole number from 1 to 20");
/// ```
#[cfg(not(bundled))]
#[macro_export]
macro_rules! tunables {
    (
        $(#[$about:meta])*
        $visibility:vis struct $name:ident {
            $($(#[$doc:meta])* $field:ident: $type:ty = $default:literal in $min:literal..=$max:literal,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        $visibility struct $name {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl Default for $name {
            fn default() -> $name {
                $name { $($field: $default,)* }
            }
        }

        impl $crate::tunable::Tunables for $name {
            fn list(&self) -> Vec<$crate::tunable::Tunable> {
                use $crate::tunable::{Number, Tunable};
                vec![$(Tunable {
                    name: stringify!($field),
                    kind: <$type as Number>::KIND,
                    value: self.$field.value(),
                    min: <$type as Number>::value($min),
                    max: <$type as Number>::value($max),
                },)*]
            }

            fn set(&mut self, name: &str, value: &str) -> Result<(), $crate::tunable::TunableError> {
                match name {
                    $(stringify!($field) => self.$field = $crate::tunable::read(name, value, $min, $max)?,)*
                    _ => {
                        let available = [$(stringify!($field)),*].join(", ");
                        return Err($crate::tunable::TunableError::Unknown { name: name.to_owned(), available });
                    }
                }
                Ok(())
            }
        }
    };
}

/// In a bundle: a struct with defaults. It has no documentation, nor has the bundle.
#[cfg(bundled)]
#[macro_export]
macro_rules! tunables {
    ($(#[$a:meta])* $v:vis struct $name:ident { $($(#[$b:meta])* $field:ident: $t:ty = $d:literal in $range:expr,)* }) => {
        #[derive(Debug, Clone, Copy)]
        $v struct $name { $(pub $field: $t),* }
        impl Default for $name {
            fn default() -> $name { $name { $($field: $d),* } }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::tunables! {
        /// One parameter of every type.
        struct Numbers {
            /// A float.
            share: f32 = 0.9 in 0.0..=1.5,
            /// A signed integer.
            offset: i32 = -3 in -10..=10,
            /// An unsigned integer.
            width: u32 = 7 in 1..=20,
        }
    }

    #[test]
    fn numbers_are_set_by_name() {
        let mut numbers = Numbers::default();
        numbers.set("share", "0.25").unwrap();
        numbers.set("offset", "-10").unwrap();
        assert_eq!(numbers, Numbers { share: 0.25, offset: -10, width: 7 });
        let lines: Vec<String> = numbers.list().iter().map(Tunable::to_string).collect();
        assert_eq!(
            lines,
            ["share, float, 0.25, 0, 1.5", "offset, int, -10, -10, 10", "width, int, 7, 1, 20"]
        );
    }

    #[test]
    fn invalid_values_are_rejected_and_change_nothing() {
        let mut numbers = Numbers::default();
        for (name, value, message) in [
            ("share", "1.51", "share=1.51: expected a number from 0 to 1.5"),
            ("share", "NaN", "share=NaN: expected a number from 0 to 1.5"),
            ("offset", "1.5", "offset=1.5: expected a whole number from -10 to 10"),
            ("width", "", "width=: expected a whole number from 1 to 20"),
            ("with", "3", "no tunable with; available: share, offset, width"),
        ] {
            assert_eq!(numbers.set(name, value).unwrap_err().to_string(), message);
        }
        assert_eq!(numbers, Numbers::default());
        assert!(().set("x", "1").is_err() && ().list().is_empty());
    }

    #[test]
    fn pairs_are_split() {
        assert_eq!(pair("a=b=c"), Ok(("a", "b=c")));
        assert!(pair("a").is_err());
    }
}

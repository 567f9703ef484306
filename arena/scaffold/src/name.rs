//! The name of a new package.

use std::fmt;

use super::keywords::is_keyword;

/// A package's name, which is also its bot's and its contest's: lower-case letters, digits, `-` and `_`, from a letter on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageName(String);

/// Why a name can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` can't be a package's name: {reason}")]
pub struct NameError {
    name: String,
    reason: &'static str,
}

/// Names that cargo refuses or warns of, in addition to Rust's keywords.
const TAKEN: [&str; 9] =
    ["alloc", "build", "core", "deps", "examples", "incremental", "proc-macro", "std", "test"];

/// Crates that the package depends on.
const DEPENDENCIES: [&str; 4] = ["arena", "contest", "coppice", "coppice-arena"];

/// File names that Windows reserves.
const RESERVED: [&str; 22] = [
    "aux", "con", "nul", "prn", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
    "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

impl PackageName {
    /// The name, if it can be used.
    ///
    /// # Errors
    /// If cargo, Windows or the package's dependencies rule it out.
    pub fn new(name: &str) -> Result<Self, NameError> {
        let wrong = |reason| Err(NameError { name: name.to_owned(), reason });
        let is_letter = |c: char| c.is_ascii_lowercase();
        if !name.starts_with(is_letter) {
            return wrong("it must begin with a lower-case letter");
        }
        if !name.chars().all(|c| is_letter(c) || c.is_ascii_digit() || c == '-' || c == '_') {
            return wrong("only lower-case letters, digits, - and _ are allowed");
        }
        if name.len() > 60 {
            return wrong("it is longer than 60 characters");
        }
        let dashed = name.replace('_', "-");
        if is_keyword(&dashed) || TAKEN.contains(&dashed.as_str()) || RESERVED.contains(&name) {
            return wrong("it is reserved");
        }
        if DEPENDENCIES.contains(&dashed.as_str()) {
            return wrong("a package that it depends on has this name");
        }
        Ok(Self(name.to_owned()))
    }

    /// The name in Rust source.
    pub fn in_source(&self) -> String {
        self.0.replace('-', "_")
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PackageName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cargos() {
        for right in ["connect-four", "a", "tron2", "my_bot"] {
            assert_eq!(PackageName::new(right).unwrap().as_str(), right);
        }
        for wrong in [
            "",
            "2048",
            "-a",
            "Tron",
            "a b",
            "a/b",
            "..",
            "é",
            "fn",
            "test",
            "con",
            "coppice_arena",
            "contest",
            "a.b",
        ] {
            assert!(PackageName::new(wrong).is_err(), "{wrong}");
        }
        assert!(PackageName::new(&"a".repeat(61)).is_err());
        assert_eq!(PackageName::new("connect-four").unwrap().in_source(), "connect_four");
    }
}

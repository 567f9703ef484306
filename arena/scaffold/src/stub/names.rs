//! Rust names for a stub's variables.

use std::collections::BTreeSet;

use crate::keywords::is_keyword;

/// Names that fields can't have, in addition to keywords: local names of the written functions, and `union`, which some
/// tools take for a keyword.
const TAKEN: [&str; 14] = [
    "union",
    "input",
    "words",
    "start",
    "times",
    "rng",
    "made",
    "made_text",
    "put_line",
    "any_int",
    "any_long",
    "any_float",
    "any_word",
    "any_text",
];

/// Whether a field can't have a name.
fn is_taken(name: &str) -> bool {
    is_keyword(name) || TAKEN.contains(&name)
}

/// Names that types can't have: those that the written files use.
const TYPES: [&str; 33] = [
    "Start",
    "Turn",
    "String",
    "Vec",
    "Option",
    "Result",
    "Ok",
    "Err",
    "Some",
    "None",
    "Input",
    "InputError",
    "Words",
    "BufRead",
    "Write",
    "Rng",
    "Self",
    "Default",
    "Debug",
    "Clone",
    "PartialEq",
    "ToString",
    "Settings",
    "Output",
    "Instant",
    "Duration",
    "Bot",
    "Decide",
    "Made",
    "Stub",
    "Closing",
    "Clock",
    "Box",
];

/// Names that constants can't have: those of the written files.
const CONSTANTS: [&str; 6] = ["CLOCK", "GAMES", "TURNS", "LEAST", "MOST_ROWS", "MOST_ANSWERS"];

/// The name of a constant.
pub(super) fn constant(name: &str) -> String {
    let name = snake(name).to_ascii_uppercase();
    if CONSTANTS.contains(&name.as_str()) {
        name + "_COUNT"
    } else {
        name
    }
}

/// `snake_case`, as the platform writes names: `myID` is `my_id`, `neigh0` is `neigh_0`.
pub(super) fn snake(name: &str) -> String {
    let mut text = String::new();
    let mut before = '_';
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let letters: Vec<char> = name.chars().map(plain).collect();
    for (at, &c) in letters.iter().enumerate() {
        let next_is_lower = letters.get(at + 1).is_some_and(char::is_ascii_lowercase);
        let begins_word = c.is_ascii_uppercase() && (!before.is_ascii_uppercase() || next_is_lower);
        let begins_number = c.is_ascii_digit() && !before.is_ascii_digit();
        if (begins_word || begins_number) && before != '_' {
            text.push('_');
        }
        // The compiler warns of two underscores in a row.
        if c != '_' || before != '_' {
            text.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    let text = text.trim_matches('_').to_owned();
    match text.chars().next() {
        None => "value".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("n_{text}"),
        Some(_) => text,
    }
}

/// `CamelCase`.
pub(super) fn camel(name: &str) -> String {
    let snake = snake(name);
    let word = |word: &str| {
        let (first, rest) = word.split_at(1.min(word.len()));
        first.to_ascii_uppercase() + rest
    };
    snake.split('_').map(word).collect()
}

/// Names in use.
#[derive(Debug, Clone, Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    /// A field's name that isn't in use, nor a keyword.
    pub(super) fn field(&mut self, wanted: &str) -> String {
        let wanted = if is_taken(wanted) { format!("{wanted}_") } else { wanted.to_owned() };
        self.free(wanted, "_")
    }

    /// The first of these fields' names that isn't in use.
    pub(super) fn field_of(&mut self, wanted: &[String]) -> String {
        let is_free = |name: &&String| !self.0.contains(*name) && !is_taken(name);
        let name = wanted.iter().find(is_free).unwrap_or(&wanted[0]).clone();
        self.field(&name)
    }

    /// A type's name that isn't in use, nor one that the written files use.
    pub(super) fn of_type(&mut self, wanted: &str) -> String {
        let is_free = |name: &str| !self.0.contains(name) && !TYPES.contains(&name);
        let name = ["", "State", "Entry", "Line"].iter().map(|end| format!("{wanted}{end}"));
        let name = name.into_iter().find(|name| is_free(name)).unwrap_or_else(|| format!("{wanted}Row"));
        self.free(name, "")
    }

    /// Gives a name back.
    pub(super) fn forget(&mut self, name: &str) {
        self.0.remove(name);
    }

    fn free(&mut self, wanted: String, between: &str) -> String {
        let numbered = (2..).map(|number| format!("{}{between}{number}", wanted.trim_end_matches('_')));
        let name = std::iter::once(wanted.clone()).chain(numbered).find(|name| !self.0.contains(name));
        let name = name.expect("there are more numbers than names");
        self.0.insert(name.clone());
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_platforms() {
        for (name, expected) in [
            ("neigh0", "neigh_0"),
            ("myID", "my_id"),
            ("eX", "e_x"),
            ("pVX", "p_vx"),
            ("x", "x"),
            ("MAX", "max"),
            ("N", "n"),
            ("HTTPServer2", "http_server_2"),
            ("_a__b", "a_b"),
            ("größe", "gr_e"),
            ("été", "t"),
            ("é", "value"),
            ("nbProjectiles", "nb_projectiles"),
        ] {
            assert_eq!(snake(name), expected, "{name}");
        }
        assert_eq!((camel("trolls"), camel("expX")), ("Trolls".to_owned(), "ExpX".to_owned()));
    }

    #[test]
    fn constants_are_not_those_of_the_written_files() {
        assert_eq!(constant("boardHeight"), "BOARD_HEIGHT");
        assert_eq!(constant("turns"), "TURNS_COUNT");
    }

    #[test]
    fn names_are_given_once() {
        let mut names = Names::default();
        let given: Vec<String> =
            ["x", "x", "type", "type", "x_2"].iter().map(|name| names.field(name)).collect();
        assert_eq!(given, ["x", "x_2", "type_", "type_2", "x_2_2"]);
        let given: Vec<String> = ["Tree", "Tree", "Turn"].iter().map(|name| names.of_type(name)).collect();
        assert_eq!(given, ["Tree", "TreeState", "TurnState"]);
    }
}

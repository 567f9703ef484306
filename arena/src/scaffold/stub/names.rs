//! Rust names for a stub's variables.

use std::collections::BTreeSet;

/// Names that fields can't have: keywords, and what the written functions call their own values.
const TAKEN: [&str; 64] = [
    "abstract",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "union",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
    "input",
    "words",
    "start",
    "times",
    "rng",
    "made_text",
    "put_line",
    "any_int",
    "any_long",
    "any_float",
    "any_word",
    "any_text",
];

/// Names that types can't have: those that the written files use.
const TYPES: [&str; 26] = [
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
];

/// `snake_case`, as the platform writes names: `myID` is `my_id`, `neigh0` is `neigh_0`.
pub fn snake(name: &str) -> String {
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
        text.push(c.to_ascii_lowercase());
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
pub fn camel(name: &str) -> String {
    let snake = snake(name);
    let word = |word: &str| {
        let (first, rest) = word.split_at(1.min(word.len()));
        first.to_ascii_uppercase() + rest
    };
    snake.split('_').map(word).collect()
}

/// The field that holds the rows of a loop, from the name of its count: `treesCount` and `nbTrees` are `trees`.
pub fn rows(count: Option<&str>) -> String {
    let Some(count) = count else { return "rows".to_owned() };
    let name = snake(count);
    let bare = name.trim_start_matches("nb_").trim_start_matches("num_").trim_start_matches("number_of_");
    let bare = ["_count", "_num", "_number"].iter().fold(bare, |bare, end| bare.trim_end_matches(end));
    match bare {
        "" | "n" | "count" => "rows".to_owned(),
        bare if bare.ends_with('s') => bare.to_owned(),
        // The plural of a short name says nothing.
        bare if bare.len() < 3 => format!("{bare}_rows"),
        bare => format!("{bare}s"),
    }
}

/// The type of a row, from its field's name.
pub fn row_type(field: &str) -> String {
    let one = match field {
        rows if rows.ends_with("ies") => format!("{}y", &rows[..rows.len() - 3]),
        rows if rows.ends_with('s') && rows.len() > 3 => rows[..rows.len() - 1].to_owned(),
        rows => rows.to_owned(),
    };
    camel(&one)
}

/// Names in use.
#[derive(Debug, Clone, Default)]
pub struct Names(BTreeSet<String>);

impl Names {
    /// A field's name that isn't in use, nor a keyword.
    pub fn field(&mut self, wanted: &str) -> String {
        let wanted = if TAKEN.contains(&wanted) { format!("{wanted}_") } else { wanted.to_owned() };
        self.free(wanted, "_")
    }

    /// A type's name that isn't in use, nor one that the written files use.
    pub fn of_type(&mut self, wanted: &str) -> String {
        let wanted = if TYPES.contains(&wanted) { format!("{wanted}Row") } else { wanted.to_owned() };
        self.free(wanted, "")
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
            ("_a__b", "a__b"),
            ("été", "t"),
            ("é", "value"),
            ("nbProjectiles", "nb_projectiles"),
        ] {
            assert_eq!(snake(name), expected, "{name}");
        }
        assert_eq!((camel("trolls"), camel("expX")), ("Trolls".to_owned(), "ExpX".to_owned()));
    }

    #[test]
    fn rows_are_called_by_their_count() {
        for (count, expected, row) in [
            ("treesCount", "trees", "Tree"),
            ("nbProjectiles", "projectiles", "Projectile"),
            ("entityCount", "entitys", "Entity"),
            ("n", "rows", "Row"),
            ("h", "h_rows", "HRow"),
            ("height", "heights", "Height"),
            ("numEntities", "entities", "Entity"),
        ] {
            assert_eq!(
                (rows(Some(count)).as_str(), row_type(&rows(Some(count))).as_str()),
                (expected, row),
                "{count}"
            );
        }
        assert_eq!(rows(None), "rows");
    }

    #[test]
    fn names_are_given_once() {
        let mut names = Names::default();
        let given: Vec<String> =
            ["x", "x", "type", "type", "x_2"].iter().map(|name| names.field(name)).collect();
        assert_eq!(given, ["x", "x_2", "type_", "type_2", "x_2_2"]);
        let given: Vec<String> = ["Tree", "Tree", "Turn"].iter().map(|name| names.of_type(name)).collect();
        assert_eq!(given, ["Tree", "Tree2", "TurnRow"]);
    }
}

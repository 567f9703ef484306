//! Command lines and paths with places for a case: `{seed}`, `{seed:04}`, `{in}`, `{out}`, `{bot}`, `{bot...}`; and texts with
//! a number in them.

use std::path::Path;
use std::str::FromStr;

/// The values of a case.
#[derive(Debug, Clone, Copy)]
pub(super) struct Values<'a> {
    pub seed: u64,
    pub input: &'a Path,
    pub output: &'a Path,
    /// The bot's command line as one word.
    pub bot: &'a str,
}

/// A text with `{seed}` or, with at least that many digits, `{seed:04}`; other places are left as they are.
pub(super) fn with_seed(text: &str, seed: u64) -> String {
    replaced(text, |name| seed_of(name, seed))
}

/// The first place in a text that is none of `names`, with its braces; `seed` is followed by a width or not. Braces around
/// other texts than a word, as in a program of awk, are left alone.
pub fn unknown_place(text: &str, names: &[&str]) -> Option<String> {
    let is_known =
        |name: &str| names.contains(&name) || names.contains(&"seed") && seed_of(name, 0).is_some();
    let is_word = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || ":._".contains(c))
    };
    let mut parts = text.split('{').skip(1).map(|part| match part.split_once('}') {
        Some((name, _)) => (name, true),
        None => (part.split(char::is_whitespace).next().unwrap_or_default(), false),
    });
    let is_wrong = |&(name, is_closed): &(&str, bool)| is_word(name) && !(is_closed && is_known(name));
    let (name, is_closed) = parts.find(is_wrong)?;
    Some(format!("{{{name}{}", if is_closed { "}" } else { "" }))
}

/// Whether a text has a place for the seed.
pub fn takes_seed(text: &str) -> bool {
    with_seed(text, 0) != text
}

/// The words of a command line with the values in their places.
pub(super) fn filled(words: &[String], values: Values<'_>) -> Vec<String> {
    let word = |word: &String| match word.as_str() {
        "{bot...}" => values.bot.split(' ').map(str::to_owned).collect(),
        word => vec![replaced(word, |name| match name {
            "in" => Some(values.input.display().to_string()),
            "out" => Some(values.output.display().to_string()),
            "bot" => Some(values.bot.to_owned()),
            _ => seed_of(name, values.seed),
        })],
    };
    words.iter().flat_map(word).collect()
}

/// Whether a command line has a place, written without its braces.
pub(super) fn has(words: &[String], place: &str) -> bool {
    words.iter().any(|word| word.contains(&format!("{{{place}}}")))
}

fn seed_of(name: &str, seed: u64) -> Option<String> {
    let width = name.strip_prefix("seed")?;
    match width.strip_prefix(':') {
        None => width.is_empty().then(|| seed.to_string()),
        Some(digits) => {
            let width = digits.strip_prefix('0')?.parse::<usize>().ok().filter(|&width| width <= 20)?;
            Some(format!("{seed:0width$}"))
        }
    }
}

fn replaced(text: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(open) = rest.find('{') {
        out += &rest[..open];
        rest = &rest[open..];
        let close = rest.find('}');
        match close.and_then(|close| Some((close, value(&rest[1..close])?))) {
            Some((close, value)) => {
                out += &value;
                rest = &rest[close + 1..];
            }
            None => {
                out.push('{');
                rest = &rest[1..];
            }
        }
    }
    out + rest
}

/// A text with a number in it, such as `Score = {}`: a line matches that has the text before the number anywhere, and the
/// text after it behind the number. A pattern without text before it matches from the line's beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    before: String,
    after: String,
}

/// A pattern has no place for a number, or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a text with one {{}} where the number stands, such as 'Score = {{}}'")]
pub struct NoNumber;

impl FromStr for Pattern {
    type Err = NoNumber;

    fn from_str(text: &str) -> Result<Self, NoNumber> {
        match text.split("{}").collect::<Vec<_>>()[..] {
            [before, after] => {
                let [text, before, after] = [text, before, after].map(|part| part.trim().to_owned());
                Ok(Self { text, before, after })
            }
            _ => Err(NoNumber),
        }
    }
}

impl std::fmt::Display for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl Pattern {
    /// The number's name: the text before it, without an equals sign or a colon at its end.
    pub(super) fn name(&self) -> &str {
        self.before.trim_end_matches(|c: char| c == '=' || c == ':' || c.is_whitespace())
    }

    /// The number in a line.
    pub(super) fn number<'l>(&self, line: &'l str) -> Option<&'l str> {
        let rest = match self.before.is_empty() {
            true => line,
            false => &line[line.find(&self.before)? + self.before.len()..],
        };
        let rest = rest.trim_start();
        let is_part = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
        let (number, rest) = rest.split_at(rest.find(|c| !is_part(c)).unwrap_or(rest.len()));
        let number = number.trim_end_matches('.');
        let is_followed = rest.trim().starts_with(&self.after);
        let is_alone = !self.before.is_empty() || !self.after.is_empty() || rest.trim().is_empty();
        (is_followed && is_alone && number.parse::<f64>().is_ok_and(f64::is_finite)).then_some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_written_with_leading_zeros() {
        assert_eq!(with_seed("in/{seed:04}.txt", 7), "in/0007.txt");
        assert_eq!(with_seed("{in}/{seed}-{seed:4}-{", 12), "{in}/12-{seed:4}-{");
        assert!(takes_seed("{seed}") && !takes_seed("in.txt"));
    }

    #[test]
    fn unknown_places_are_found() {
        let unknown = |text| unknown_place(text, &["seed", "in", "bot..."]);
        for known in ["v {in} {seed} {seed:04} {bot...}", "awk '{ print $1 }'", "{} ${ x {{in}}", "{"] {
            assert_eq!(unknown(known), None, "{known}");
        }
        assert_eq!(unknown("vis {in} {ou} {x}").as_deref(), Some("{ou}"));
        assert_eq!(unknown("vis {seed:4}").as_deref(), Some("{seed:4}"));
        assert_eq!(unknown("vis {in} {in x").as_deref(), Some("{in"));
    }

    #[test]
    fn a_bot_is_one_word_or_its_words() {
        let words = ["-exec", "{bot}", "{bot...}", "--seed={seed}", "{in}>{out}"].map(str::to_owned);
        let values = Values { seed: 3, input: Path::new("i"), output: Path::new("o"), bot: "python3 a.py" };
        let told = ["-exec", "python3 a.py", "python3", "a.py", "--seed=3", "i>o"];
        assert_eq!(filled(&words, values), told);
        assert!(has(&words, "bot...") && !has(&words, "seed:04"));
    }

    #[test]
    fn numbers_are_found_where_the_pattern_has_them() {
        let number =
            |pattern: &str, line| pattern.parse::<Pattern>().unwrap().number(line).map(str::to_owned);
        assert_eq!(number("Score = {}", "Score = 12"), Some("12".to_owned()));
        assert_eq!(number("Score = {}", "[x] Score =-3.50."), Some("-3.50".to_owned()));
        assert_eq!(number("{} points", "7 points"), Some("7".to_owned()));
        assert_eq!(number("{}", " 42 "), Some("42".to_owned()));
        for (pattern, line) in
            [("{}", "42 cells"), ("Score = {}", "Score = none"), ("{} points", "7 lines"), ("N: {}", "K: 3")]
        {
            assert_eq!(number(pattern, line), None, "{pattern} {line}");
        }
        assert!("Score".parse::<Pattern>().is_err() && "{} {}".parse::<Pattern>().is_err());
        assert_eq!("number of cells = {}".parse::<Pattern>().unwrap().name(), "number of cells");
    }
}

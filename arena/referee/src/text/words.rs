//! Splits command lines into words, and joins words, as this system's users write them.
//!
//! On Unix as a shell does. On Windows as its programs do: a blank between double quotes separates no words, and a backslash
//! is a letter, except in front of a double quote. There, single quotes are understood too where a word begins, as the
//! documents write them: within a word, as in a name, an apostrophe is a letter.

use std::borrow::Cow;
use std::iter;

use shell_words::ParseError;

/// The words of a command line.
///
/// # Errors
/// If a quote is left open.
pub fn split(text: &str) -> Result<Vec<String>, ParseError> {
    if cfg!(windows) {
        split_for_windows(text)
    } else {
        shell_words::split(text)
    }
}

/// A word as it can stand in a command line.
pub fn quote(word: &str) -> Cow<'_, str> {
    if cfg!(windows) {
        quote_for_windows(word)
    } else {
        shell_words::quote(word)
    }
}

/// The command line of words.
pub fn join<W: AsRef<str>>(words: impl IntoIterator<Item = W>) -> String {
    words.into_iter().map(|word| quote(word.as_ref()).into_owned()).collect::<Vec<_>>().join(" ")
}

fn split_for_windows(text: &str) -> Result<Vec<String>, ParseError> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), None::<String>, false);
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        rest = match letter {
            '\\' => {
                let behind = rest.trim_start_matches('\\');
                let count = rest.len() - behind.len();
                let is_before_quote = behind.starts_with('"');
                let letters = if is_before_quote { count / 2 } else { count };
                let word = word.get_or_insert_default();
                word.extend(iter::repeat_n('\\', letters));
                match behind.strip_prefix('"') {
                    Some(behind) if count % 2 == 1 => {
                        word.push('"');
                        behind
                    }
                    _ => behind,
                }
            }
            '"' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
                after
            }
            '\'' if word.is_none() => {
                let (inside, behind) = after.split_once('\'').ok_or(ParseError)?;
                word = Some(inside.to_owned());
                behind
            }
            blank if blank.is_whitespace() && !is_quoted => {
                words.extend(word.take());
                after
            }
            letter => {
                word.get_or_insert_default().push(letter);
                after
            }
        };
    }
    words.extend(word);
    match is_quoted {
        true => Err(ParseError),
        false => Ok(words),
    }
}

fn quote_for_windows(word: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| letter.is_alphanumeric() || r"-_.=:/\,+".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.into();
    }
    let mut quoted = String::from('"');
    let mut backslashes = 0;
    for letter in word.chars() {
        if letter == '"' {
            quoted.extend(iter::repeat_n('\\', backslashes + 1));
        }
        backslashes = if letter == '\\' { backslashes + 1 } else { 0 };
        quoted.push(letter);
    }
    quoted.extend(iter::repeat_n('\\', backslashes));
    quoted.push('"');
    quoted.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words with all that quoting must keep.
    const WORDS: [&str; 12] = [
        r"C:\Users\J Müller\bot.exe",
        r"C:\Users\O'Brien\bot.exe",
        r"\\server\share\bot.exe",
        "--depth=3",
        "",
        "'a",
        r#"say "hi" twice"#,
        r"ends in a folder\",
        r#"a\\"b\"#,
        "ß & |",
        "%PATH%",
        "a\tb",
    ];

    #[test]
    fn joined_words_are_split_again() {
        assert_eq!(split(&join(WORDS)).unwrap(), WORDS);
        let joined = WORDS.map(|word| quote_for_windows(word).into_owned()).join(" ");
        assert_eq!(split_for_windows(&joined).unwrap(), WORDS);
    }

    #[test]
    fn words_are_split_as_programs_of_windows_split_them() {
        for (text, words) in [
            (r"C:\bots\bot.exe --depth 3", &[r"C:\bots\bot.exe", "--depth", "3"][..]),
            (r#" "C:\my bots\bot.exe"  x"y z" "#, &[r"C:\my bots\bot.exe", "xy z"]),
            (r#""C:\my bots\\" "\\server\a b""#, &[r"C:\my bots\", r"\\server\a b"]),
            (r#"a "b \"c\" d" \"e"#, &["a", r#"b "c" d"#, r#""e"#]),
            (r"'C:\my bots\bot.exe' it's O'Brien ''", &[r"C:\my bots\bot.exe", "it's", "O'Brien", ""]),
        ] {
            assert_eq!(split_for_windows(text).unwrap(), words, "{text}");
        }
        for open in [r#"a "b"#, "'a b", r#""C:\my bots\""#] {
            assert!(split_for_windows(open).is_err(), "{open}");
        }
    }
}

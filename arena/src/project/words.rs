//! Which words of a command line are options, by the parser's own description of a subcommand.

use std::collections::BTreeSet;

use clap::error::ErrorKind;
use clap::{Arg, Command, Error};

/// The words of a subcommand's command line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    /// The ids of the options that are given.
    pub options: BTreeSet<String>,
    /// The places of the words that belong to no option.
    pub positionals: Vec<usize>,
    /// Whether there is an option that the subcommand doesn't have, so that the places aren't certain.
    pub has_unknown: bool,
}

/// Whether a long name, or one of its other spellings, is that of an option.
pub(super) fn has_long(arg: &Arg, name: &str) -> bool {
    arg.get_long() == Some(name) || arg.get_all_aliases().is_some_and(|all| all.contains(&name))
}

fn has_short(arg: &Arg, letter: char) -> bool {
    arg.get_short() == Some(letter) || arg.get_all_short_aliases().is_some_and(|all| all.contains(&letter))
}

/// Whether an option must have a value, in the next word if none follows an equals sign.
pub(super) fn needs_value(arg: &Arg) -> bool {
    let least = arg.get_num_args().map_or(1, |range| range.min_values());
    arg.get_action().takes_values() && least > 0 && !arg.is_require_equals_set()
}

/// Whether an error is about an option's value.
pub(super) fn is_of_value(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation | ErrorKind::TooManyValues | ErrorKind::NoEquals
    )
}

/// Tells the options of a built subcommand from other words, those from `start` on.
pub(super) fn scan(command: &Command, words: &[String], start: usize) -> Words {
    let mut found = Words::default();
    let options = || command.get_arguments().filter(|arg| !arg.is_positional());
    let mut at = start;
    while let Some(word) = words.get(at) {
        at += 1;
        if word == "--" {
            found.positionals.extend(at..words.len());
            break;
        }
        if let Some(long) = word.strip_prefix("--") {
            let (name, value) =
                long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            if let Some(arg) = options().find(|arg| has_long(arg, name)) {
                found.options.insert(arg.get_id().to_string());
                at += usize::from(value.is_none() && needs_value(arg));
            } else {
                found.has_unknown = true;
            }
            continue;
        }
        let letters = word.strip_prefix('-').filter(|letters| !letters.is_empty());
        let Some(letters) = letters else {
            found.positionals.push(at - 1);
            continue;
        };
        for (place, letter) in letters.char_indices() {
            let Some(arg) = options().find(|arg| has_short(arg, letter)) else {
                found.has_unknown = true;
                break;
            };
            found.options.insert(arg.get_id().to_string());
            if arg.get_action().takes_values() {
                let is_last = place + letter.len_utf8() == letters.len();
                at += usize::from(is_last && needs_value(arg));
                break;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use clap::ArgAction;

    use super::*;

    #[test]
    fn values_of_options_are_no_bots() {
        let command = Command::new("match")
            .arg(Arg::new("games").short('n').long("games").alias("count"))
            .arg(Arg::new("json").short('J').long("json").action(ArgAction::SetTrue))
            .arg(Arg::new("scores").long("scores").num_args(0..=1).require_equals(true))
            .arg(Arg::new("bots").num_args(0..));
        let found = |line: &str| {
            let words = line.split(' ').map(str::to_owned).collect::<Vec<_>>();
            let Words { options, positionals, has_unknown } = scan(&command, &words, 1);
            assert_eq!(has_unknown, line.contains("typo"), "{line}");
            let positionals = positionals.iter().map(|&at| words[at].as_str()).collect::<Vec<_>>().join(" ");
            (options.into_iter().collect::<Vec<_>>().join(" "), positionals)
        };
        let expected = |options: &str, positionals: &str| (options.to_owned(), positionals.to_owned());
        assert_eq!(found("match a -n 5 b"), expected("games", "a b"));
        assert_eq!(found("match -n5 a --json b"), expected("games json", "a b"));
        assert_eq!(found("match -Jn 5 a"), expected("games json", "a"));
        assert_eq!(found("match --count 5 a --scores b"), expected("games scores", "a b"));
        assert_eq!(found("match --games=5 a -- -n b"), expected("games", "a -n b"));
        assert_eq!(found("match --typo a - b"), expected("", "a - b"));
    }
}

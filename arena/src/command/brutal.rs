//! Translates cg-brutaltester's bot options, `-p1 CMD -p2 CMD`: a single dash with more than one character, as in
//! Java programs.

use std::ffi::{OsStr, OsString};

use coppice_referee::process::command_line::{CommandLine, CommandLineError};

/// The subcommands that take bots in this way.
const SUBCOMMANDS: [&str; 2] = ["match", "referee"];

/// The maximum number of bots in a game.
const MOST_PLAYERS: u8 = 8;

/// Changes `-p1` to `-p8` into `--p1` to `--p8`, the form this program's parser knows, and nothing else.
/// Only for the subcommands that take bots in this form, and only before a lone `--`.
///
/// `arguments` begins with the program's own name, as [`std::env::args_os`] does.
pub(crate) fn translate(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let subcommand = arguments.iter().skip(1).find(|word| !word.as_encoded_bytes().starts_with(b"-"));
    let applies = subcommand.is_some_and(|word| SUBCOMMANDS.iter().any(|&name| word == OsStr::new(name)));
    let end = arguments.iter().position(|word| word == OsStr::new("--")).unwrap_or(arguments.len());
    let rewritten = |(index, word): (usize, OsString)| match applies && index < end && is_player(&word) {
        true => [OsStr::new("-"), &word].into_iter().collect(),
        false => word,
    };
    arguments.into_iter().enumerate().map(rewritten).collect()
}

/// Matches `-p3`, or `-p3=` and its value.
fn is_player(word: &OsStr) -> bool {
    match word.as_encoded_bytes() {
        [b'-', b'p', digit, rest @ ..] => {
            (b'1'..=b'0' + MOST_PLAYERS).contains(digit) && (rest.is_empty() || rest[0] == b'=')
        }
        _ => false,
    }
}

/// The bots of a game, one option per seat.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Players {
    /// The first seat's command line; also -p1 CMD
    #[arg(long, value_name = "CMD")]
    p1: Option<String>,
    /// The second seat's; also -p2 CMD, and so on to -p8
    #[arg(long, value_name = "CMD")]
    p2: Option<String>,
    #[arg(long, value_name = "CMD", hide = true)]
    p3: Option<String>,
    #[arg(long, value_name = "CMD", hide = true)]
    p4: Option<String>,
    #[arg(long, value_name = "CMD", hide = true)]
    p5: Option<String>,
    #[arg(long, value_name = "CMD", hide = true)]
    p6: Option<String>,
    #[arg(long, value_name = "CMD", hide = true)]
    p7: Option<String>,
    #[arg(long, value_name = "CMD", hide = true)]
    p8: Option<String>,
}

impl Players {
    /// The given command lines, in the order of their numbers. As in cg-brutaltester, missing numbers
    /// are skipped.
    pub(crate) fn texts(&self) -> Vec<&str> {
        let all = [&self.p1, &self.p2, &self.p3, &self.p4, &self.p5, &self.p6, &self.p7, &self.p8];
        all.into_iter().flatten().map(String::as_str).collect()
    }

    /// The command lines, split.
    ///
    /// # Errors
    /// If one is empty or has an open quote.
    pub(crate) fn commands(&self) -> Result<Vec<CommandLine>, CommandLineError> {
        self.texts().into_iter().map(CommandLine::parse).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(words: &[&str]) -> Vec<String> {
        let words = std::iter::once("arena").chain(words.iter().copied()).map(OsString::from);
        translate(words).into_iter().skip(1).map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn players_are_written_as_long_options() {
        assert_eq!(
            translated(&["referee", "reversi", "-p1", "./a -p2", "-p2=./b", "-d", "seed=4", "-l", "x.json"]),
            ["referee", "reversi", "--p1", "./a -p2", "--p2=./b", "-d", "seed=4", "-l", "x.json"]
        );
        assert_eq!(translated(&["match", "uttt", "-p8", "b", "-n", "2"])[2], "--p8");
    }

    #[test]
    fn all_else_is_left_alone() {
        for words in [
            &["play", "reversi", "-p1", "./a"][..],
            &["referee", "reversi", "-p9", "-p0", "-p", "-p12", "--p1", "p1"],
            &["match", "reversi", "--", "-p1", "./a"],
            &[],
        ] {
            assert_eq!(translated(words), words);
        }
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_stay() {
        use std::os::unix::ffi::OsStringExt;
        let odd = OsString::from_vec(vec![b'.', b'/', 0xff]);
        let words = ["arena", "referee", "reversi", "-p1"].map(OsString::from);
        let out = translate(words.into_iter().chain([odd.clone()]));
        assert_eq!((out[3].clone(), out[4].clone()), (OsString::from("--p1"), odd));
    }

    #[test]
    fn bots_are_in_the_order_of_their_numbers() {
        use clap::Parser;
        #[derive(Parser)]
        struct Cli {
            #[command(flatten)]
            players: Players,
        }
        let cli = Cli::parse_from(["x", "--p2", "./b c", "--p1", "./a"]);
        assert_eq!(cli.players.texts(), ["./a", "./b c"]);
        assert_eq!(cli.players.commands().unwrap().len(), 2);
        assert!(Cli::parse_from(["x", "--p1", ""]).players.commands().is_err());
    }
}

//! Parses the console's commands, which may be abbreviated, and their arguments.

use coppice::search::Threshold;

use super::ConsoleError;

/// A command word and its help.
pub(crate) struct Word {
    /// The word.
    pub name: &'static str,
    /// Arguments, as the help shows them.
    pub arguments: &'static str,
    /// Help text.
    pub about: &'static str,
}

const fn word(name: &'static str, arguments: &'static str, about: &'static str) -> Word {
    Word { name, arguments, about }
}

/// All words, in the order of `help`.
pub(crate) const WORDS: &[Word] = &[
    word("show", "", "the position where you stand"),
    word("position", "", "the same as a line of text, for --position"),
    word("list", "[N]", "its moves, the best first, N of them: value, visits, bounds, status"),
    word("line", "", "the best line from where you stand"),
    word("step", "[K]", "K steps: one is the least that the search can do, an expansion or an iteration"),
    word("nodes", "N", "think for N nodes"),
    word("time", "MS", "think for MS milliseconds"),
    word("down", "MOVE|#N", "go down by a move, or by its number in the list"),
    word("best", "[K]", "go down to the best child, K times"),
    word("up", "[K]", "go up, K times"),
    word("top", "", "go up to the root"),
    word("here", "", "make where you stand the actual position, the root of the search"),
    word("play", "MOVE...", "make moves in the actual position, and go there"),
    word("undo", "[K]", "take back the last K moves of the actual position"),
    word(
        "threshold",
        "[V...|off]",
        "say or set how much worse than the best sibling is still explored: V, V to W, V expanding (minimax)",
    ),
    word("prune", "", "apply the threshold now, and count the nodes of each status"),
    word("memory", "", "what the tree takes of its pool"),
    word("info", "", "the contest, the search, the moves so far"),
    word("help", "", "this list; words may be shortened"),
    word("quit", "", "the end; so is the end of the input"),
];

/// A command of the console.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Command {
    /// Draws the position.
    Show,
    /// Prints the position as a line of text.
    Position,
    /// Lists the moves, at most N.
    List(usize),
    /// Prints the best line.
    Line,
    /// Runs N of the search's smallest steps.
    Step(u64),
    /// Searches N nodes.
    Nodes(u64),
    /// Searches for N milliseconds.
    Time(u64),
    /// Goes down by a move or its number.
    Down(String),
    /// Goes down to the best child N times.
    Best(usize),
    /// Goes up.
    Up(usize),
    /// Goes up to the root.
    Top,
    /// Makes the current position the root.
    Here,
    /// Makes moves at the root.
    Play(Vec<String>),
    /// Takes moves back.
    Undo(usize),
    /// Prints the threshold.
    Threshold,
    /// Sets how the threshold goes, or switches it off.
    SetThreshold(Threshold),
    /// Prunes the tree by the threshold.
    Prune,
    /// Prints the tree's memory.
    Memory,
    /// Prints the contest, the search and the budget.
    Info,
    /// Lists all words.
    Help,
    /// Ends the console.
    Quit,
}

impl Command {
    /// Parses a line; `None` if it is empty or a comment, which begins with `#`.
    ///
    /// # Errors
    /// A message that names the mistake and the correct form.
    pub(crate) fn parse(line: &str) -> Result<Option<Command>, ConsoleError> {
        let mut words = line.split_whitespace();
        let Some(first) = words.next().filter(|first| !first.starts_with('#')) else { return Ok(None) };
        let word = find(first)?;
        let rest: Vec<&str> = words.collect();
        let usage = || -> ConsoleError {
            format!("expected {} {}, found \"{}\"", word.name, word.arguments, line.trim()).into()
        };
        let number = |default: Option<u64>| match rest[..] {
            [] => default.ok_or_else(usage),
            [text] => text.parse().ok().filter(|&n: &u64| n > 0).ok_or_else(usage),
            _ => Err(usage()),
        };
        let value = |text: &str| text.parse().ok().filter(|&value: &i32| value >= 0).ok_or_else(usage);
        let count = || number(Some(1)).map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        let command = match word.name {
            "list" => {
                Command::List(number(Some(u64::MAX)).map(|n| usize::try_from(n).unwrap_or(usize::MAX))?)
            }
            "step" => Command::Step(number(Some(1))?),
            "nodes" => Command::Nodes(number(None)?),
            "time" => Command::Time(number(None)?),
            "best" => Command::Best(count()?),
            "up" => Command::Up(count()?),
            "undo" => Command::Undo(count()?),
            "down" => match rest[..] {
                [text] => Command::Down(text.to_owned()),
                _ => return Err(usage()),
            },
            "play" if !rest.is_empty() => Command::Play(rest.iter().map(|&text| text.to_owned()).collect()),
            "play" => return Err(usage()),
            "threshold" => match rest[..] {
                [] => Command::Threshold,
                ["off"] => Command::SetThreshold(Threshold::OFF),
                [from] => Command::SetThreshold(Threshold::Fixed(value(from)?)),
                [from, "to", to] => {
                    Command::SetThreshold(Threshold::Contracting { from: value(from)?, to: value(to)? })
                }
                [from, "expanding"] => Command::SetThreshold(Threshold::Expanding { from: value(from)? }),
                _ => return Err(usage()),
            },
            _ if !rest.is_empty() => {
                return Err(format!("{} takes no argument, found \"{}\"", word.name, line.trim()).into())
            }
            "show" => Command::Show,
            "position" => Command::Position,
            "line" => Command::Line,
            "top" => Command::Top,
            "here" => Command::Here,
            "prune" => Command::Prune,
            "memory" => Command::Memory,
            "info" => Command::Info,
            "help" => Command::Help,
            _ => Command::Quit,
        };
        Ok(Some(command))
    }
}

/// The word that `text` is, or the only one that it abbreviates.
pub(super) fn find(text: &str) -> Result<&'static Word, ConsoleError> {
    if let Some(word) = WORDS.iter().find(|word| word.name == text) {
        return Ok(word);
    }
    let candidates: Vec<&Word> = WORDS.iter().filter(|word| word.name.starts_with(text)).collect();
    let names = |words: &[&Word]| words.iter().map(|word| word.name).collect::<Vec<_>>().join(", ");
    match candidates[..] {
        [word] => Ok(word),
        [] => {
            let all: Vec<&Word> = WORDS.iter().collect();
            Err(format!("unknown command \"{}\"; available: {}", text.escape_default(), names(&all)).into())
        }
        _ => Err(format!("\"{text}\" could be {}", names(&candidates)).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_may_be_shortened_as_long_as_it_is_clear_what_is_meant() {
        assert_eq!(Command::parse("q").unwrap(), Some(Command::Quit));
        assert_eq!(Command::parse(" no 500 ").unwrap(), Some(Command::Nodes(500)));
        assert_eq!(Command::parse("s").unwrap_err().to_string(), "\"s\" could be show, step");
        assert_eq!(Command::parse("li").unwrap_err().to_string(), "\"li\" could be list, line");
        assert!(Command::parse("magic")
            .unwrap_err()
            .to_string()
            .starts_with("unknown command \"magic\"; available: show,"));
        for word in WORDS {
            assert_eq!(find(word.name).unwrap().name, word.name);
        }
    }

    #[test]
    fn what_stands_behind_a_word_is_read_or_refused() {
        let command = |line: &str| Command::parse(line).unwrap();
        assert_eq!((command(""), command("  # a comment")), (None, None));
        assert_eq!(command("step"), Some(Command::Step(1)));
        assert_eq!(command("list 3"), Some(Command::List(3)));
        assert_eq!(command("play c4 e3"), Some(Command::Play(vec!["c4".to_owned(), "e3".to_owned()])));
        assert_eq!(command("down #2"), Some(Command::Down("#2".to_owned())));
        assert_eq!(command("threshold"), Some(Command::Threshold));
        assert_eq!(command("threshold off"), Some(Command::SetThreshold(Threshold::OFF)));
        assert_eq!(command("thr 30"), Some(Command::SetThreshold(Threshold::Fixed(30))));
        let contracting = Threshold::Contracting { from: 30, to: 5 };
        assert_eq!(command("threshold 30 to 5"), Some(Command::SetThreshold(contracting)));
        let expanding = Threshold::Expanding { from: 2 };
        assert_eq!(command("threshold 2 expanding"), Some(Command::SetThreshold(expanding)));
        assert_eq!(Command::parse("nodes").unwrap_err().to_string(), "expected nodes N, found \"nodes\"");
        for line in [
            "nodes x",
            "nodes 0",
            "time -1",
            "down",
            "down a b",
            "play",
            "show me",
            "threshold -1",
            "threshold 3 to",
            "threshold 3 5",
            "up a",
        ] {
            assert!(Command::parse(line).is_err(), "{line}");
        }
    }
}

//! Reads a person's line: a move, an answer, or a command.

use contest::{Fault, Referee, Seat};

/// A command and its help.
pub(super) struct Word {
    /// The word.
    pub name: &'static str,
    /// Argument, as the help shows it.
    pub argument: &'static str,
    /// Help text.
    pub about: &'static str,
    /// The command that the word stands for.
    pub command: Command,
}

/// A person's request other than a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    /// Draws the position.
    Board,
    /// Lists the moves.
    Moves,
    /// Asks a search.
    Hint,
    /// Takes back N of the people's turns.
    Undo(usize),
    /// Prints the lines that a bot would be sent.
    Turn,
    /// Lists the commands.
    Help,
    /// Ends the program.
    Quit,
}

const fn word(name: &'static str, argument: &'static str, about: &'static str, command: Command) -> Word {
    Word { name, argument, about, command }
}

/// All commands, in the order of `help`.
pub(super) const WORDS: &[Word] = &[
    word("board", "", "draw the position", Command::Board),
    word("moves", "", "list the moves", Command::Moves),
    word("hint", "", "what a search would play, and its score", Command::Hint),
    word("undo", "[N]", "take back your last N turns, or the last N lines of an answer", Command::Undo(1)),
    word("turn", "", "the lines that a bot on this seat would be sent", Command::Turn),
    word("help", "", "this list; words may be shortened", Command::Help),
    word("quit", "", "leave without finishing the game; so does the end of the input", Command::Quit),
];

/// The meaning of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Nothing: the line is empty.
    Nothing,
    /// The seat's answer, which the referee accepts.
    Answer(String),
    /// A command.
    Command(Command),
    /// A line of an answer that needs more.
    Begun,
    /// None of these, and why.
    Unclear(String),
}

/// Reads a line of the person on `seat`, who is to answer; `begun` are the answer's lines so far. Moves take precedence
/// over commands, and over numbers of the list.
pub(super) fn read(referee: &dyn Referee, seat: Seat, line: &str, begun: &[String]) -> Meaning {
    let text = line.trim();
    if !begun.is_empty() {
        return go_on(referee, seat, text, begun);
    }
    if text.is_empty() {
        return Meaning::Nothing;
    }
    let moves = if referee.lists_moves() { referee.legal_moves(seat) } else { Vec::new() };
    let named = |text: &str| typed(referee, seat, &referee.answer_of(seat, text)).ok();
    let numbered = || {
        let number: usize = text.strip_prefix('#').unwrap_or(text).parse().ok()?;
        named(moves.get(number.checked_sub(1)?)?)
    };
    let in_other_case = || named(moves.iter().find(|name| name.eq_ignore_ascii_case(text))?);
    // In a protocol whose answers have several lines, only one holds the move.
    let answer =
        named(text).or_else(|| typed(referee, seat, text).ok()).or_else(numbered).or_else(in_other_case);
    if let Some(answer) = answer {
        return Meaning::Answer(answer);
    }
    match command(text) {
        Some(meaning) => meaning,
        None if !referee.lists_moves() && referee.answer_lines(seat) > 1 => Meaning::Begun,
        None => Meaning::Unclear(unclear(referee, seat, text)),
    }
}

/// Reads a further line of an answer.
fn go_on(referee: &dyn Referee, seat: Seat, text: &str, begun: &[String]) -> Meaning {
    match command(text) {
        Some(Meaning::Command(command)) if !text.is_empty() => Meaning::Command(command),
        _ if begun.len() + 1 < referee.answer_lines(seat) => Meaning::Begun,
        _ => match typed(referee, seat, &(begun.join("\n") + "\n" + text)) {
            Ok(answer) => Meaning::Answer(answer),
            Err(fault) => Meaning::Unclear(fault.to_string()),
        },
    }
}

/// A whole answer as a bot would write it.
///
/// # Errors
/// The referee's.
fn typed(referee: &dyn Referee, seat: Seat, text: &str) -> Result<String, Fault> {
    referee.move_of(seat, text).map(|name| {
        let answer = referee.answer_of(seat, &name);
        // A notation may say less than the answer.
        if referee.check(seat, &answer).is_ok() {
            answer
        } else {
            text.to_owned()
        }
    })
}

/// The expected form of an answer, where moves aren't listed.
pub(super) fn expected(referee: &dyn Referee, seat: Seat) -> String {
    match referee.check(seat, "?") {
        Err(fault) => fault.expected,
        Ok(()) => "any line".to_owned(),
    }
}

fn unclear(referee: &dyn Referee, seat: Seat, text: &str) -> String {
    let text = text.escape_debug();
    match referee.lists_moves() {
        true => format!("\"{text}\" is not a legal move; `moves` lists them, `help` the commands"),
        false => format!(
            "\"{text}\" is not an answer; expected {}; `help` lists the commands",
            expected(referee, seat)
        ),
    }
}

/// The command that a line is or abbreviates, or what is wrong with its argument; `None` if it begins with no command.
fn command(text: &str) -> Option<Meaning> {
    let mut parts = text.split_whitespace();
    let first = parts.next().unwrap_or_default().to_lowercase();
    let rest: Vec<&str> = parts.collect();
    let exact = WORDS.iter().find(|word| word.name == first);
    let begun: Vec<&Word> = WORDS.iter().filter(|word| word.name.starts_with(&first)).collect();
    let word = exact.or(if let [only] = begun[..] { Some(only) } else { None })?;
    let found = text.escape_debug();
    Some(match (word.command, &rest[..]) {
        (command, []) => Meaning::Command(command),
        (Command::Undo(_), [count]) => match count.parse() {
            Ok(count) if count > 0 => Meaning::Command(Command::Undo(count)),
            _ => Meaning::Unclear(format!("expected undo and a number from 1, found \"{found}\"")),
        },
        _ => Meaning::Unclear(format!("{} takes no such argument, found \"{found}\"", word.name)),
    })
}

#[cfg(test)]
mod tests {
    use contest::Setup;

    use super::*;

    fn game(name: &str) -> Box<dyn Referee> {
        let contest = bots_searches::contest(name).unwrap();
        contest.new_game(Setup { seed: 1, opening_plies: 0, limits: contest.limits() })
    }

    fn answer(text: &str) -> Meaning {
        Meaning::Answer(text.to_owned())
    }

    #[test]
    fn a_move_is_typed_by_its_name_its_number_or_its_answer() {
        let reversi = game("reversi");
        let first = reversi.legal_moves(0)[0].clone();
        for line in [first.as_str(), "1", "#1", &first.to_uppercase(), &format!(" {first}\r\n")] {
            assert_eq!(read(&*reversi, 0, line, &[]), answer(&first), "{line:?}");
        }
        // A person who plays through commands need not confirm the others' moves.
        let mancala = game("mancala");
        assert_eq!(read(&*mancala, 0, "3", &[]), answer("ok\nmove 3"));
        assert_eq!(read(&*mancala, 0, "#1", &[]), answer("ok\nmove 0"));
        assert_eq!(read(&*mancala, 0, "move 2", &[]), answer("ok\nmove 2"));
    }

    #[test]
    fn commands_may_be_shortened_and_mistakes_are_told() {
        let reversi = game("reversi");
        let command = |line: &str| match read(&*reversi, 0, line, &[]) {
            Meaning::Command(command) => Some(command),
            _ => None,
        };
        assert_eq!(command("u"), Some(Command::Undo(1)));
        assert_eq!(command("Undo 3"), Some(Command::Undo(3)));
        assert_eq!(command("q"), Some(Command::Quit));
        assert_eq!(command("h"), None, "help or hint");
        assert_eq!(read(&*reversi, 0, "  ", &[]), Meaning::Nothing);
        for line in ["undo 0", "undo x", "quit now", "99", "#0", "a1", "h"] {
            assert!(matches!(read(&*reversi, 0, line, &[]), Meaning::Unclear(_)), "{line}");
        }
    }

    #[test]
    fn what_cannot_be_listed_is_typed_as_an_answer() {
        let race = game("podracing");
        let first = ["8000 4500 100".to_owned()];
        assert_eq!(read(&*race, 0, &first[0], &[]), Meaning::Begun);
        assert_eq!(read(&*race, 0, "0 0 SHIELD ", &first), answer("8000 4500 100\n0 0 SHIELD"));
        assert!(matches!(read(&*race, 0, "0 0 FULL", &first), Meaning::Unclear(_)));
        let word = race.move_of(0, "8000 4500 100\n0 0 SHIELD").unwrap();
        assert_eq!(read(&*race, 0, &word, &[]), answer("8000 4500 100\n0 0 SHIELD"));
        assert!(expected(&*race, 0).contains('X'), "{}", expected(&*race, 0));
        for begun in [&[][..], &first] {
            assert_eq!(read(&*race, 0, "undo", begun), Meaning::Command(Command::Undo(1)));
        }
    }
}

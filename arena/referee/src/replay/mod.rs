//! Checks recorded games against the rules: every line that the referee sent must equal what our referee would
//! send, and every recorded answer must be legal.

pub mod against;
pub mod fields;
pub mod loss;
pub mod source;
pub mod verify;
pub mod without_rules;

use std::fmt;
use std::path::{Path, PathBuf};

use contest::{Contest, Referee, Seat, Setup};

use crate::game::log::{Direction, Entry, Log, LogError, Said};
use crate::text::quoted;

/// A recorded game: one dialogue per seat.
#[derive(Debug, Clone)]
pub struct Recording {
    dialogues: Vec<(PathBuf, Log)>,
}

/// The result of a game that agrees with the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// The number of answers.
    pub answers: usize,
    /// Points by seat.
    pub scores: Vec<i64>,
    /// All moves.
    pub moves: String,
    /// Whether the whole game was replayed; otherwise the caller stopped it.
    pub ended: bool,
    /// The last turns of bots that failed, as far as no record tells of them.
    pub failures: Vec<LastTurn>,
}

/// A seat's last turn, in which its bot failed: the game went on without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastTurn {
    /// The seat.
    pub seat: Seat,
    /// The turn's number among the seat's, from 1.
    pub turn: u32,
    /// The answer that the rules refuse; `None` without one.
    pub answer: Option<String>,
}

impl fmt::Display for LastTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seat, turn, answer } = self;
        match answer {
            None => write!(f, "seat {seat} gave no answer in its turn {turn}"),
            Some(answer) => {
                write!(
                    f,
                    "seat {seat} gave an answer that is refused in its turn {turn}: {}",
                    quoted(answer.as_bytes())
                )
            }
        }
    }
}

/// A contradiction between a recording and the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// The dialogue's file.
    pub path: PathBuf,
    /// The line's number, from 1.
    pub line: usize,
    /// The expected line.
    pub expected: String,
    /// The line found.
    pub found: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, expected, found } = self;
        write!(f, "{}:{line}: expected {expected}, found {found}", path.display())
    }
}

impl std::error::Error for Disagreement {}

impl Disagreement {
    /// Whether the only problem is that the file ends.
    pub fn is_end_of_file(&self) -> bool {
        self.found == END_OF_FILE
    }
}

/// The line found after a file's end.
const END_OF_FILE: &str = "the end of the file";

/// Whether to continue after a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// To the next turn.
    GoOn,
    /// Stop.
    Stop,
}

impl Recording {
    /// Reads the dialogues, one file per seat.
    ///
    /// # Errors
    /// If a file can't be read or isn't a log.
    pub fn read<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self, LogError> {
        let read = |path: P| Ok((path.as_ref().to_owned(), Log::read(path)?));
        Ok(Self { dialogues: paths.into_iter().map(read).collect::<Result<_, _>>()? })
    }

    /// A recording from dialogues in memory; the paths are for messages.
    pub fn new(dialogues: Vec<(PathBuf, Log)>) -> Self {
        Self { dialogues }
    }

    /// The contest's variant, if the dialogues' first lines name it.
    pub fn contest(&self, contest: &dyn Contest) -> Option<Box<dyn Contest>> {
        let dialogues = self.dialogues.iter().map(|(_, log)| first_lines(log)).collect::<Vec<_>>();
        contest.recorded(&dialogues)
    }

    /// Replays the game with a referee of `contest`, created from `seed` and
    /// `opening_plies`, in the variant that the dialogues name, if they name one.
    ///
    /// # Errors
    /// The first contradiction.
    pub fn replay(
        &self,
        contest: &dyn Contest,
        seed: u64,
        opening_plies: u32,
    ) -> Result<Replayed, Disagreement> {
        self.replay_with(contest, seed, opening_plies, |_, _| Ok(()))
    }

    /// Replays a game, calling `look` for each turn before its recorded answer is applied.
    ///
    /// # Errors
    /// The first contradiction, or the first error of `look`.
    pub fn replay_with(
        &self,
        contest: &dyn Contest,
        seed: u64,
        opening_plies: u32,
        mut look: impl FnMut(&dyn Referee, RecordedTurn<'_>) -> Result<(), Disagreement>,
    ) -> Result<Replayed, Disagreement> {
        let variant = self.contest(contest);
        let contest = variant.as_deref().unwrap_or(contest);
        let mut referee = contest.new_game(Setup { seed, opening_plies, limits: contest.limits() });
        let go_on = |referee: &dyn Referee, step: Step<'_>| {
            if let Step::Answer(turn) = step {
                look(referee, turn)?;
            }
            Ok(Next::GoOn)
        };
        self.walk(&mut *referee, &[], &mut 0, go_on)
    }

    /// Replays the game with a new referee, calling `look` for each turn before its answer is applied. `failed` are seats
    /// and their turns, from 1, whose answers were faults. Each answer that the rules accept is added to `answers`.
    ///
    /// # Errors
    /// The first contradiction, or the first error of `look`.
    pub fn walk(
        &self,
        referee: &mut dyn Referee,
        failed: &[(Seat, u32)],
        answers: &mut usize,
        mut look: impl FnMut(&dyn Referee, Step<'_>) -> Result<Next, Disagreement>,
    ) -> Result<Replayed, Disagreement> {
        let mut cursors: Vec<Cursor<'_>> =
            self.dialogues.iter().map(|(path, log)| Cursor::new(path, log)).collect();
        let mut turns = vec![0; cursors.len()];
        let mut failures = Vec::new();
        let mut missing = None;
        let mut next = Next::GoOn;
        'rounds: while next == Next::GoOn {
            let asked = referee.asked();
            if asked.is_empty() {
                break;
            }
            // All seats are asked before any answer is applied, as in a game.
            let mut taken = Vec::new();
            let mut out = Vec::new();
            for seat in asked {
                let Some(cursor) = cursors.get_mut(seat) else {
                    return Err(self.no_dialogue(seat));
                };
                turns[seat] += 1;
                if failed.contains(&(seat, turns[seat])) {
                    next = look(&*referee, Step::Failure(cursor.failed(seat, turns[seat])))?;
                    if next == Next::Stop {
                        break 'rounds;
                    }
                    out.push(seat);
                    continue;
                }
                let start = cursor.at;
                if turns[seat] == 1 {
                    cursor.expect_lines(&referee.init(seat), 0)?;
                }
                cursor.expect_lines(&referee.turn(seat), referee.unordered_lines(seat))?;
                let sent = &cursor.entries[start..cursor.at];
                if cursor.lacks_an_answer(referee.answer_lines(seat)) {
                    failures.push(LastTurn { seat, turn: turns[seat], answer: None });
                    missing = missing.or(cursor.clone().answer(referee.answer_lines(seat)).err());
                    cursor.at = start;
                    next = look(&*referee, Step::Failure(cursor.failed(seat, turns[seat])))?;
                    if next == Next::Stop {
                        break 'rounds;
                    }
                    out.push(seat);
                    continue;
                }
                let (line, answer) = cursor.answer(referee.answer_lines(seat))?;
                cursor.skip(|line| referee.may_follow(seat, &answer, line));
                let said = cursor.said();
                let number = *answers + taken.len() + 1;
                let turn = RecordedTurn {
                    seat,
                    number,
                    seat_turn: turns[seat],
                    path: cursor.path,
                    line,
                    sent,
                    answer: &answer,
                    said,
                };
                next = look(&*referee, Step::Answer(turn))?;
                if next == Next::Stop {
                    break 'rounds;
                }
                taken.push((seat, line, answer));
            }
            for (seat, line, answer) in taken {
                match referee.answer(seat, &answer) {
                    Ok(()) => *answers += 1,
                    // The last turn's answer is wrong or missing: the bot failed, as it did in the recorded game.
                    Err(_) if cursors[seat].is_at_end() => {
                        failures.push(LastTurn { seat, turn: turns[seat], answer: Some(answer) });
                        out.push(seat);
                    }
                    Err(fault) => {
                        return Err(Disagreement {
                            path: self.dialogues[seat].0.clone(),
                            line,
                            expected: fault.expected,
                            found: format!("the answer `{answer}`"),
                        })
                    }
                }
            }
            out.into_iter().for_each(|seat| referee.forfeit(seat));
        }
        let ended = next == Next::GoOn;
        match cursors.iter().find(|cursor| ended && !cursor.is_at_end()) {
            // Where the game went on, the answer was given: its file is cut off.
            Some(cursor) => Err(missing.unwrap_or_else(|| {
                cursor.disagree(cursor.at, "the end of the file: the game is over".into())
            })),
            None => {
                let (scores, moves) = (referee.scores(), referee.moves());
                Ok(Replayed { answers: *answers, scores, moves, ended, failures })
            }
        }
    }

    fn no_dialogue(&self, seat: Seat) -> Disagreement {
        Disagreement {
            path: self.dialogues.first().map(|(path, _)| path.clone()).unwrap_or_default(),
            line: 1,
            expected: format!("a file for each seat, as seat {seat} is asked"),
            found: format!("{} files", self.dialogues.len()),
        }
    }
}

/// The lines before a seat's first answer.
fn first_lines(log: &Log) -> Vec<&str> {
    let sent = log.exchanges().next().map(|exchange| exchange.sent);
    sent.into_iter().flatten().map(|entry| entry.text.as_str()).collect()
}

/// An event of a turn.
#[derive(Debug, Clone, Copy)]
pub enum Step<'a> {
    /// An answer that the rules accept.
    Answer(RecordedTurn<'a>),
    /// A failure.
    Failure(FailedTurn<'a>),
}

/// A recorded turn without an answer that counts.
#[derive(Debug, Clone, Copy)]
pub struct FailedTurn<'a> {
    /// The seat.
    pub seat: Seat,
    /// The turn's number among the seat's, from 1.
    pub seat_turn: u32,
    /// The lines sent, if the dialogue has them.
    pub sent: &'a [Entry],
    /// The bot's standard error.
    pub said: &'a [Said],
}

/// A recorded turn.
#[derive(Debug, Clone, Copy)]
pub struct RecordedTurn<'a> {
    /// The seat.
    pub seat: Seat,
    /// The turn's number in the game, from 1.
    pub number: usize,
    /// The turn's number among the seat's, from 1.
    pub seat_turn: u32,
    /// The dialogue's file.
    pub path: &'a Path,
    /// The number of the answer's first line in it.
    pub line: usize,
    /// The lines sent; on a first turn with the init lines.
    pub sent: &'a [Entry],
    /// The answer, without its last line end.
    pub answer: &'a str,
    /// The bot's standard error.
    pub said: &'a [Said],
}

/// A place in a dialogue.
#[derive(Clone)]
struct Cursor<'a> {
    path: &'a Path,
    entries: &'a [Entry],
    at: usize,
    /// The standard error of the turns from `at` on.
    said: &'a [Said],
}

impl<'a> Cursor<'a> {
    fn new(path: &'a Path, log: &'a Log) -> Self {
        Self { path, entries: log.entries(), at: 0, said: log.said() }
    }

    /// Whether nothing more was said.
    fn is_at_end(&self) -> bool {
        self.at >= self.entries.len()
    }

    /// Whether the dialogue ends within the answer that stands here: the bot was sent all of its turn.
    fn lacks_an_answer(&self, lines: usize) -> bool {
        let rest = &self.entries[self.at..];
        let is_answer = |entry: &Entry| entry.direction == Direction::FromBot;
        rest.len() < lines && rest.iter().all(is_answer)
    }

    /// Takes what the bot wrote to its standard error until here.
    fn said(&mut self) -> &'a [Said] {
        let (taken, rest) = self.said.split_at(self.said.partition_point(|said| said.after <= self.at));
        self.said = rest;
        taken
    }

    /// Compares the next lines to the bot with `text`, whose last `unordered` lines may be in any
    /// order.
    fn expect_lines(&mut self, text: &str, unordered: usize) -> Result<(), Disagreement> {
        let lines: Vec<&str> = text.lines().collect();
        let (ordered, any_order) = lines.split_at(lines.len().saturating_sub(unordered));
        for &line in ordered {
            if self.sent() != Some(line) {
                return Err(self.disagree(self.at, format!("`> {line}`")));
            }
            self.at += 1;
        }
        let mut left = any_order.to_vec();
        while !left.is_empty() {
            let found = self.sent().and_then(|line| left.iter().position(|&other| other == line));
            let Some(i) = found else {
                return Err(self.disagree(self.at, format!("`> ` and one of {}", left.join(", "))));
            };
            left.swap_remove(i);
            self.at += 1;
        }
        Ok(())
    }

    fn sent(&self) -> Option<&str> {
        let entry = self.entries.get(self.at)?;
        (entry.direction == Direction::ToBot).then_some(entry.text.as_str())
    }

    /// The next answer, with the number of its first line.
    fn answer(&mut self, lines: usize) -> Result<(usize, String), Disagreement> {
        let mut texts = Vec::new();
        let first = self.entries.get(self.at).map_or(0, |entry| entry.line);
        for _ in 0..lines {
            match self.entries.get(self.at) {
                Some(entry) if entry.direction == Direction::FromBot => texts.push(entry.text.as_str()),
                _ => return Err(self.disagree(self.at, "`< ` and an answer".into())),
            }
            self.at += 1;
        }
        Ok((first, texts.join("\n")))
    }

    /// Skips an unrequested line of the bot, if one is permitted here.
    fn skip(&mut self, may_follow: impl Fn(&str) -> bool) {
        let from_bot = |entry: &&Entry| entry.direction == Direction::FromBot;
        if self.entries.get(self.at).filter(from_bot).is_some_and(|entry| may_follow(&entry.text)) {
            self.at += 1;
        }
    }

    /// Takes all remaining lines as a failed turn.
    fn failed(&mut self, seat: Seat, seat_turn: u32) -> FailedTurn<'a> {
        let rest = &self.entries[self.at..];
        let is_sent = |entry: &&Entry| entry.direction == Direction::ToBot;
        let sent = &rest[..rest.iter().take_while(is_sent).count()];
        self.at = self.entries.len();
        FailedTurn { seat, seat_turn, sent, said: std::mem::take(&mut self.said) }
    }

    fn disagree(&self, at: usize, expected: String) -> Disagreement {
        let (line, found) = match self.entries.get(at) {
            Some(entry) => (entry.line, format!("`{} {}`", entry.direction.mark(), entry.text)),
            None => (self.entries.last().map_or(1, |last| last.line + 1), END_OF_FILE.into()),
        };
        Disagreement { path: self.path.to_owned(), line, expected, found }
    }
}

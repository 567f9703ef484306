//! Checks one recorded game against the rules of its contest.

use std::fmt;
use std::path::{Path, PathBuf};

use contest::{Contest, Fault, Limits, Referee, Seat};
use serde::Serialize;

use crate::contests::{self, ContestError};
use crate::game::log::{Direction, Log};
use crate::transcript::rebuild::{rebuild, variant, Refusal};

use super::fields::{Fields, IllegalOpening};
use super::source::{Form, Source};
use super::{Disagreement, LastTurn, Next, RecordedTurn, Recording, Replayed, Step};

/// A contradiction between a recorded game and the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// File and line, or file and field.
    pub place: String,
    /// The expected content.
    pub expected: String,
    /// The content found.
    pub found: String,
    /// Whether the game agrees with the rules but is truncated.
    pub is_cut: bool,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, expected, found, is_cut } = self;
        let cut = if *is_cut { "cut off: " } else { "" };
        write!(f, "{place}: {cut}expected {expected}, found {found}")
    }
}

impl From<Disagreement> for Problem {
    fn from(disagreement: Disagreement) -> Self {
        let is_cut = disagreement.is_end_of_file();
        let Disagreement { path, line, expected, found } = disagreement;
        Self { place: format!("{}:{line}", path.display()), expected, found, is_cut }
    }
}

/// A recorded game of a known contest, as dialogues.
pub struct Prepared<'a> {
    /// The contest.
    pub contest: &'a dyn Contest,
    /// The limits of the game.
    pub limits: Limits,
    fields: Fields,
    recording: Recording,
    failed: Vec<(Seat, u32)>,
    /// The contradiction at which the dialogues were cut off, if there is one.
    problem: Option<Problem>,
}

/// The result of checking a game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The number of answers that agree with the rules.
    pub answers: usize,
    /// Points by seat; of the last position if the game isn't over.
    pub scores: Vec<i64>,
    /// The first contradiction.
    pub problem: Option<Problem>,
    /// The last turns of bots that failed, as far as no record tells of them.
    pub failures: Vec<LastTurn>,
}

/// The reason that a recorded game can't be checked, with the game's name.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {reason}")]
pub struct PrepareError {
    name: String,
    reason: Box<Reason>,
}

#[derive(Debug, thiserror::Error)]
enum Reason {
    #[error(transparent)]
    Contest(#[from] ContestError),
    #[error("{0}")]
    Parameters(Refusal),
    #[error(transparent)]
    Opening(#[from] IllegalOpening),
    /// Several contests' rules accept all of it.
    #[error("it can be a game of {}: say which with --contest", .0.join(" or of "))]
    Ambiguous(Vec<String>),
    /// One contest's rules accept more of it than others', but not all.
    #[error(
        "no contest's rules accept all of it, those of {contest} the first {answers} answers; {problem}"
    )]
    Partial { contest: String, answers: usize, problem: Problem },
    #[error(
        "no contest's rules accept all of it: name the contest with --contest to see where they part; the contests are {}",
        .0.join(", ")
    )]
    Unknown(Vec<String>),
}

/// Chooses the contest of a game, and creates dialogues for a game without them. The contest is `said`, or the record's,
/// or that of a folder's name, or the only one whose rules accept the whole game.
///
/// # Errors
/// If no contest can be chosen, or the game can't begin.
pub fn prepare<'a>(
    source: &Source,
    said: Option<&'a dyn Contest>,
    known: &[&'a dyn Contest],
) -> Result<Prepared<'a>, PrepareError> {
    choose(source, said, known)
        .map_err(|reason| PrepareError { name: source.name.clone(), reason: Box::new(reason) })
}

fn choose<'a>(
    source: &Source,
    said: Option<&'a dyn Contest>,
    known: &[&'a dyn Contest],
) -> Result<Prepared<'a>, Reason> {
    if let Some(contest) = said {
        return with_contest(source, contest, known);
    }
    let by_record = match &source.form {
        Form::Transcript(transcript) => transcript.parameters.contest.as_deref(),
        _ => source.fields.contest.as_deref(),
    };
    if let Some(name) = by_record {
        return with_contest(source, contests::find(known, name)?, known);
    }
    if let Some(contest) = contest_of_path(&source.path, known) {
        return with_contest(source, contest, known);
    }
    recognised(source, known)
}

/// The contest whose name a folder of the path has.
fn contest_of_path<'a>(path: &Path, known: &[&'a dyn Contest]) -> Option<&'a dyn Contest> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.parent()?.iter().rev().find_map(|folder| {
        let folder = folder.to_str()?;
        known.iter().copied().find(|contest| contest.name() == folder)
    })
}

/// A contest whose rules accept only the beginning of a game.
struct Partial<'a> {
    contest: &'a dyn Contest,
    answers: usize,
    problem: Problem,
}

/// The only contest that accepts the most answers: the game is probably a damaged game of it.
fn nearest<'a, 'b>(partial: &'b [Partial<'a>]) -> Option<&'b Partial<'a>> {
    let most = partial.iter().map(|part| part.answers).max().filter(|&most| most > 0)?;
    let mut nearest = partial.iter().filter(|part| part.answers == most);
    nearest.next().filter(|_| nearest.next().is_none())
}

/// The only contest whose rules accept all of the game.
fn recognised<'a>(source: &Source, known: &[&'a dyn Contest]) -> Result<Prepared<'a>, Reason> {
    let mut fits = Vec::new();
    let mut partial = Vec::new();
    for &contest in known {
        let Ok(prepared) = with_contest(source, contest, known) else { continue };
        let verdict = prepared.verify(|_, _| Next::GoOn);
        match verdict.problem {
            None => fits.push(prepared),
            Some(problem) => partial.push(Partial { contest, answers: verdict.answers, problem }),
        }
    }
    match (fits.pop(), fits.len()) {
        (Some(only), 0) => Ok(only),
        (Some(last), _) => {
            let contests = fits.iter().chain([&last]).map(|fit| fit.contest.name().to_owned()).collect();
            Err(Reason::Ambiguous(contests))
        }
        (None, _) => Err(match nearest(&partial) {
            Some(Partial { contest, answers, problem }) => Reason::Partial {
                contest: contest.name().to_owned(),
                answers: *answers,
                problem: problem.clone(),
            },
            None => Reason::Unknown(known.iter().map(|contest| contest.name().to_owned()).collect()),
        }),
    }
}

fn with_contest<'a>(
    source: &Source,
    contest: &'a dyn Contest,
    known: &[&'a dyn Contest],
) -> Result<Prepared<'a>, Reason> {
    let failed =
        |fields: &Fields| fields.faults.iter().map(|fault| (fault.seat, fault.forfeited_turn())).collect();
    let fields = source.fields.clone();
    match &source.form {
        Form::Dialogues(logs) => {
            let recording = Recording::new(logs.clone());
            // A limit in the protocol takes precedence; the record's includes the grace.
            let (contest, limits) = match (recording.contest(contest), contest.variants()) {
                // A dialogue begins after the opening, whose exact end only its record tells.
                (Some(_), _) if !fields.opening.is_empty() => (contest, fields.limits(contest)),
                // Leaked once per game.
                (Some(variant), _) => (&*Box::leak(variant), fields.limits(contest)),
                (None, Some(words)) => of_init(contest, words, logs, known),
                (None, None) => (contest, fields.limits(contest)),
            };
            Ok(Prepared { contest, limits, failed: failed(&fields), fields, recording, problem: None })
        }
        Form::Moves => {
            let limits = fields.limits(contest);
            let (recording, problem) = from_moves(source, contest, limits)?;
            Ok(Prepared { contest, limits, failed: failed(&fields), fields, recording, problem })
        }
        Form::Transcript(transcript) => {
            let mut transcript = transcript.clone();
            if !source.cuts.is_empty() {
                transcript.pad_players(contest.seats());
            }
            let contest = variant(&transcript, contest).map_err(Reason::Parameters)?;
            let (rebuilt, problem) = match rebuild(&transcript, contest) {
                Ok(rebuilt) => (rebuilt, None),
                Err(Refusal { place, expected, found, until, is_cut, .. }) => {
                    let place = format!("{}: {place}", source.name);
                    (*until, Some(Problem { place, expected, found, is_cut }))
                }
            };
            let parameters = &transcript.parameters;
            let fields =
                Fields { seed: parameters.seed.unwrap_or(0), opening: rebuilt.opening, ..Fields::default() };
            let place = |(seat, log)| (PathBuf::from(format!("{} seat {seat}", source.name)), log);
            let recording = Recording::new(rebuilt.dialogues.into_iter().enumerate().map(place).collect());
            let failed = rebuilt.faults.iter().map(|fault| (fault.seat, fault.forfeited_turn())).collect();
            Ok(Prepared { contest, limits: contest.limits(), fields, recording, failed, problem })
        }
    }
}

/// The variant and the limit in an `init` line of the command protocol.
fn of_init<'a>(
    contest: &'a dyn Contest,
    variant: &str,
    logs: &[(PathBuf, Log)],
    known: &[&'a dyn Contest],
) -> (&'a dyn Contest, Limits) {
    let usual = (contest, contest.limits());
    let line = logs.iter().find_map(|(_, log)| log.entries().first()?.text.strip_prefix("init "));
    let words: Vec<&str> = line.unwrap_or_default().split_whitespace().collect();
    let count = variant.split_whitespace().count();
    if words.len() != count + 2 {
        return usual;
    }
    let later = words[count + 1].parse().ok().map(std::time::Duration::from_millis);
    let is_usual = !contest.name().contains(':');
    let base = contest.name().split(':').next().unwrap_or_default();
    let found = contests::find(known, &format!("{base}:{}", words[..count].join(",")));
    let contest = if is_usual { found.unwrap_or(contest) } else { contest };
    let limits = contest.limits();
    (contest, Limits { first: limits.first, later: later.unwrap_or(limits.later) })
}

/// Creates the dialogues of a game from its moves.
fn from_moves(
    source: &Source,
    contest: &dyn Contest,
    limits: Limits,
) -> Result<(Recording, Option<Problem>), Reason> {
    let fields = &source.fields;
    let words: Vec<&str> = fields.moves.as_deref().unwrap_or_default().split_whitespace().collect();
    let mut referee = fields.new_game(contest, limits)?;
    let mut logs = vec![Log::default(); contest.seats()];
    let mut turns = vec![0; logs.len()];
    let problem = loop {
        let made: Vec<String> = referee.moves().split_whitespace().map(str::to_owned).collect();
        if let Some(at) = (0..made.len().min(words.len())).find(|&at| made[at] != words[at]) {
            break Some(problem_at_move(source, at, format!("`{}`", made[at]), words[at]));
        }
        let asked = referee.asked();
        if asked.is_empty() {
            break words.get(made.len()).map(|word| {
                problem_at_move(source, made.len(), "no more moves: the game is over".to_owned(), word)
            });
        }
        asked.iter().for_each(|&seat| turns[seat] += 1);
        let has_failed = |&seat: &Seat| {
            fields.faults.iter().any(|fault| fault.seat == seat && fault.forfeited_turn() == turns[seat])
        };
        let (failed, answering): (Vec<Seat>, Vec<Seat>) = asked.into_iter().partition(has_failed);
        let word = match (words.get(made.len()), answering.first()) {
            (Some(word), Some(_)) => *word,
            (Some(_), None) => {
                // The others played on.
                failed.into_iter().for_each(|seat| referee.forfeit(seat));
                continue;
            }
            (None, _) if !failed.is_empty() => break None,
            (None, seat) => {
                break Some(Problem {
                    place: format!("{}, after move {}", source.name, made.len()),
                    expected: format!("a move of seat {}", seat.unwrap_or(&0)),
                    found: "no more moves, and the game is not over".to_owned(),
                    is_cut: true,
                })
            }
        };
        // All turns and answers are from the same position.
        let exchange = |&seat: &Seat| {
            let init = if turns[seat] == 1 { referee.init(seat) } else { String::new() };
            let answer = referee.answer_of(seat, referee.part_of(seat, word)?);
            Some((seat, init + &referee.turn(seat), answer))
        };
        let Some(exchanges) = answering.iter().map(exchange).collect::<Option<Vec<_>>>() else {
            let expected = "a move of each seat, with + between them".to_owned();
            break Some(problem_at_move(source, made.len(), expected, word));
        };
        let answered = exchanges.into_iter().try_for_each(|(seat, sent, answer)| {
            referee.answer(seat, &answer)?;
            logs[seat].push(Direction::ToBot, &sent);
            logs[seat].push(Direction::FromBot, &answer);
            Ok(())
        });
        if let Err(fault) = answered {
            let fault: Fault = fault;
            break Some(problem_at_move(source, made.len(), fault.expected, word));
        }
        failed.into_iter().for_each(|seat| referee.forfeit(seat));
    };
    let place = |(seat, log)| (PathBuf::from(format!("{} seat {seat}", source.name)), log);
    Ok((Recording::new(logs.into_iter().enumerate().map(place).collect()), problem))
}

fn problem_at_move(source: &Source, at: usize, expected: String, found: &str) -> Problem {
    let place = format!("{}, move {}", source.name, at + 1);
    Problem { place, expected, found: format!("`{found}`"), is_cut: false }
}

impl Prepared<'_> {
    /// The game with its opening played.
    ///
    /// # Errors
    /// If the opening can't be played.
    pub fn new_game(&self) -> Result<Box<dyn Referee>, Problem> {
        self.fields.new_game(self.contest, self.limits).map_err(|error| Problem {
            place: "the opening".to_owned(),
            expected: "legal moves".to_owned(),
            found: error.to_string(),
            is_cut: false,
        })
    }

    /// The number of seats.
    pub fn seats(&self) -> usize {
        self.contest.seats()
    }

    /// Replays the game, calling `look` for each turn with an answer.
    pub fn verify(&self, mut look: impl FnMut(&dyn Referee, RecordedTurn<'_>) -> Next) -> Verdict {
        self.verify_steps(|referee, step| match step {
            Step::Answer(turn) => look(referee, turn),
            Step::Failure(_) => Next::GoOn,
        })
    }

    /// Replays the game, calling `look` for each turn, failures included.
    pub fn verify_steps(&self, mut look: impl FnMut(&dyn Referee, Step<'_>) -> Next) -> Verdict {
        let mut referee = match self.new_game() {
            Ok(referee) => referee,
            Err(problem) => return Verdict { problem: Some(problem), ..Verdict::default() },
        };
        let mut answers = 0;
        let walked = self
            .recording
            .walk(&mut *referee, &self.failed, &mut answers, |referee, step| Ok(look(referee, step)));
        let (problem, failures) = match walked {
            Ok(replayed) => (self.differs_from_record(&replayed), replayed.failures),
            Err(disagreement) => (Some(Problem::from(disagreement)), Vec::new()),
        };
        // A problem of the file itself is more precise.
        let problem = self.problem.clone().or(problem);
        Verdict { answers, scores: referee.scores(), problem, failures }
    }

    /// The first difference between the record and the rules.
    fn differs_from_record(&self, replayed: &Replayed) -> Option<Problem> {
        if !replayed.ended {
            return None;
        }
        let differs = |what: &str, expected: String, found: String| {
            let place = format!("the record's {what}");
            (expected != found).then_some(Problem { place, expected, found, is_cut: false })
        };
        let numbers = |scores: &[i64]| scores.iter().map(i64::to_string).collect::<Vec<_>>().join("-");
        // An external referee's record has no moves.
        let moves = self.fields.moves.as_ref().filter(|_| !self.fields.is_of_a_referee());
        let by_moves = moves.and_then(|moves| differs("moves", replayed.moves.clone(), moves.clone()));
        let scores = self.fields.scores.as_ref();
        by_moves.or_else(|| differs("scores", numbers(&replayed.scores), numbers(scores?)))
    }
}

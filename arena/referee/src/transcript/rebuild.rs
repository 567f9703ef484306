//! Replays a transcript through a contest's rules to rebuild each bot's input and the course of the game.

use std::cmp::Ordering;
use std::fmt;

use contest::{Contest, Referee, Seat, Setup};

use crate::game::fault::{Ending, FaultReport, Verdict};
use crate::game::log::{Direction, Log};

use super::parts::{Answer, Transcript};

/// A transcript that the rules accept.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rebuilt {
    /// The player on each seat: the first to move has seat 0.
    pub players: Vec<usize>,
    /// The opening's moves.
    pub opening: String,
    /// All moves.
    pub moves: String,
    /// Points by seat, by the rules.
    pub scores: Vec<i64>,
    /// The players' faults, in order.
    pub faults: Vec<FaultReport>,
    /// The dialogues, by seat.
    pub dialogues: Vec<Log>,
    /// The number of answers that the rules accepted.
    pub accepted: usize,
    /// Set if the file's scores differ from the rules'.
    pub scores_differ: Option<ScoresDiffer>,
}

impl Rebuilt {
    /// How the game ended.
    pub fn ending(&self) -> Ending {
        self.faults.first().map_or(Ending::Normal, |fault| fault.ending)
    }
}

/// The file's scores differ from the rules'.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoresDiffer {
    /// Points by seat, by the rules.
    pub rules: Vec<i64>,
    /// Points by seat, by the file.
    pub file: Vec<f64>,
    /// Whether both put the same players first.
    pub same_order: bool,
}

impl fmt::Display for ScoresDiffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.rules.iter().map(i64::to_string).collect::<Vec<_>>().join("-");
        let file = self.file.iter().map(f64::to_string).collect::<Vec<_>>().join("-");
        let order = if self.same_order { "in the same order" } else { "in another order" };
        write!(f, "the file's scores {file} are {rules} by the rules, {order}")
    }
}

/// A contradiction between a transcript and a contest's rules.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The contest.
    pub contest: String,
    /// The place in the file.
    pub place: String,
    /// The expected answer.
    pub expected: String,
    /// The answer found.
    pub found: String,
    /// The game up to there.
    pub until: Box<Rebuilt>,
    /// Whether the only problem is that the file ends before the game.
    pub is_cut: bool,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { contest, place, expected, found, .. } = self;
        write!(f, "{place}: by the rules of {contest} expected {expected}, found {found}")
    }
}

/// The contest in the variant that the transcript's parameters name, such as a map. Leaked once per game.
///
/// # Errors
/// If a parameter of this contest is malformed.
pub fn variant<'a>(transcript: &Transcript, contest: &'a dyn Contest) -> Result<&'a dyn Contest, Refusal> {
    let text = &transcript.parameters.text;
    match contest.parameterised(text) {
        // A variant that the caller has named stays.
        _ if contest.name().contains(':') => Ok(contest),
        Ok(variant) => Ok(variant.map_or(contest, |variant| Box::leak(variant))),
        Err(expected) => Err(Refusal {
            contest: contest.name().to_owned(),
            place: "the parameters".to_owned(),
            expected: expected.to_string(),
            found: format!("`{}`", shown(text)),
            until: Box::default(),
            is_cut: false,
        }),
    }
}

/// Replays a transcript by the rules of `contest`.
///
/// If the answers end before the game does, the player to move has failed, if by the file's scores
/// it didn't win. An illegal answer is the player's fault if it is its last.
///
/// # Errors
/// The first contradiction.
pub fn rebuild(transcript: &Transcript, contest: &dyn Contest) -> Result<Rebuilt, Refusal> {
    Rebuilding::new(transcript, contest).run()
}

struct Rebuilding<'a> {
    transcript: &'a Transcript,
    contest: &'a dyn Contest,
    referee: Box<dyn Referee>,
    players: Vec<usize>,
    dialogues: Vec<Log>,
    /// Turns by seat.
    turns: Vec<u32>,
    /// The next answer.
    at: usize,
    accepted: usize,
    opening: String,
    faults: Vec<FaultReport>,
}

/// The reason why the replay stops.
struct Stop {
    place: String,
    expected: String,
    found: String,
    is_cut: bool,
}

impl<'a> Rebuilding<'a> {
    fn new(transcript: &'a Transcript, contest: &'a dyn Contest) -> Self {
        let parameters = &transcript.parameters;
        let referee = contest.new_game(Setup {
            seed: parameters.seed.unwrap_or(0),
            opening_plies: parameters.opening_plies.unwrap_or(0),
            limits: contest.limits(),
        });
        let seats = contest.seats();
        Self {
            players: players_by_seat(transcript, &*referee, seats),
            opening: referee.moves(),
            transcript,
            contest,
            referee,
            dialogues: vec![Log::default(); seats],
            turns: vec![0; seats],
            at: 0,
            accepted: 0,
            faults: Vec::new(),
        }
    }

    fn run(mut self) -> Result<Rebuilt, Refusal> {
        let end = self.check_players().and_then(|()| {
            while self.round()? {}
            self.check_end()
        });
        let contest = self.contest.name().to_owned();
        let rebuilt = self.result();
        match end {
            Ok(()) => Ok(rebuilt),
            Err(Stop { place, expected, found, is_cut }) => {
                Err(Refusal { contest, place, expected, found, until: Box::new(rebuilt), is_cut })
            }
        }
    }

    fn check_players(&self) -> Result<(), Stop> {
        let (seats, players) = (self.contest.seats(), self.transcript.players.len());
        if seats == players {
            return Ok(());
        }
        let expected = format!("{seats} players");
        Err(Stop { place: "the players".to_owned(), expected, found: players.to_string(), is_cut: false })
    }

    /// Asks all seats that are to move; `false` if the game is over.
    fn round(&mut self) -> Result<bool, Stop> {
        let asked = self.referee.asked();
        for &seat in &asked {
            let text = self.referee.turn(seat);
            let init = if self.turns[seat] == 0 { self.referee.init(seat) } else { String::new() };
            self.turns[seat] += 1;
            self.dialogues[seat].push(Direction::ToBot, &(init + &text));
        }
        let answers = self.next_answers(&asked)?;
        for (seat, answer) in answers {
            match answer {
                Some(answer) => self.take(seat, answer)?,
                None => self.miss(seat),
            }
        }
        Ok(!asked.is_empty())
    }

    /// The answers of the seats that are asked, which are the next in the file.
    fn next_answers(&mut self, asked: &[Seat]) -> Result<Vec<(Seat, Option<&'a Answer>)>, Stop> {
        let all = &self.transcript.answers;
        let mut found = Vec::new();
        for _ in asked {
            let Some(answer) = all.get(self.at) else { break };
            let seat = asked.iter().copied().find(|&seat| self.players[seat] == answer.player);
            match seat.filter(|&seat| found.iter().all(|&(other, _)| other != seat)) {
                Some(seat) => found.push((seat, answer)),
                None => break,
            }
            self.at += 1;
        }
        let mut answers = Vec::new();
        for &seat in asked {
            let answer = found.iter().find(|(other, _)| *other == seat).map(|&(_, answer)| answer);
            if answer.is_none() {
                self.may_be_missing(seat)?;
            }
            answers.push((seat, answer));
        }
        Ok(answers)
    }

    /// Whether a seat's answer may be missing: the player said nothing more, and lost. Of more than two seats the others
    /// may play on.
    fn may_be_missing(&self, seat: Seat) -> Result<(), Stop> {
        let player = self.players[seat];
        let expected = format!("an answer of {}, whose turn it is", self.transcript.called(player));
        let rest = self.transcript.answers.get(self.at..).unwrap_or_default();
        let may_others_play_on = self.contest.seats() > 2 && rest.iter().all(|later| later.player != player);
        if let Some(next) = rest.first().filter(|_| !may_others_play_on) {
            let found = format!("`{}` of {}", shown(&next.text), self.transcript.called(next.player));
            return Err(Stop { place: next.place.clone(), expected, found, is_cut: false });
        }
        let score = |player: usize| self.transcript.players[player].score;
        let lost = score(player).is_some_and(|mine| {
            mine < 0.0 || self.players.iter().any(|&other| score(other).is_some_and(|theirs| theirs > mine))
        });
        if lost {
            return Ok(());
        }
        let last = self.transcript.answers.last();
        let place = last.map_or_else(|| "the answers".to_owned(), |last| format!("after {}", last.place));
        let found =
            "no more answers: the game is not over, and no score marks this player as failed".to_owned();
        Err(Stop { place, expected, found, is_cut: true })
    }

    fn take(&mut self, seat: Seat, answer: &Answer) -> Result<(), Stop> {
        let wanted = self.referee.answer_lines(seat);
        let lines: Vec<&str> = answer.text.split('\n').map(|line| line.trim_end_matches('\r')).collect();
        let (own, more) = lines.split_at(wanted.min(lines.len()));
        let text = own.join("\n");
        self.dialogues[seat].push_bytes(Direction::FromBot, text.as_bytes());
        let is_extra = |line: &&str| !self.referee.may_follow(seat, &text, line);
        let verdict = if own.len() < wanted || more.iter().any(is_extra) {
            let expected = if wanted == 1 { "one line".to_owned() } else { format!("{wanted} lines") };
            let received = crate::text::quoted(answer.text.as_bytes());
            Err(Verdict::new(Ending::Protocol, expected, received))
        } else {
            self.referee.answer(seat, &text).map_err(|fault| Verdict::refused(fault, &text))
        };
        more.iter().for_each(|line| self.dialogues[seat].push_bytes(Direction::FromBot, line.as_bytes()));
        if !answer.said.is_empty() {
            self.dialogues[seat].push_said(format!("{}\n", answer.said.trim_end()).as_bytes());
        }
        let Err(verdict) = verdict else {
            self.accepted += 1;
            return Ok(());
        };
        if self.transcript.answers[self.at..].iter().any(|later| later.player == answer.player) {
            let (expected, found) = (verdict.expected, format!("`{}`", shown(&answer.text)));
            return Err(Stop { place: answer.place.clone(), expected, found, is_cut: false });
        }
        self.forfeit(seat, verdict);
        Ok(())
    }

    /// The player gave no answer, and the game ended with that.
    fn miss(&mut self, seat: Seat) {
        let first = self.turns[seat] == 1;
        let ending = if first { Ending::TimeOutFirst } else { Ending::TimeOutLater };
        self.forfeit(seat, Verdict::new(ending, "an answer", "nothing that was recorded"));
    }

    fn forfeit(&mut self, seat: Seat, verdict: Verdict) {
        let name = self.transcript.players[self.players[seat]].name.clone();
        self.faults.push(FaultReport::of(name, seat, self.turns[seat], verdict, String::new()));
        self.referee.forfeit(seat);
    }

    fn check_end(&self) -> Result<(), Stop> {
        let Some(next) = self.transcript.answers.get(self.at) else { return Ok(()) };
        let expected = "the end: the game is over".to_owned();
        let found = format!("`{}` of {}", shown(&next.text), self.transcript.called(next.player));
        Err(Stop { place: next.place.clone(), expected, found, is_cut: false })
    }

    fn result(self) -> Rebuilt {
        let scores = self.referee.scores();
        let file: Option<Vec<f64>> =
            self.players.iter().map(|&player| self.transcript.players.get(player)?.score).collect();
        Rebuilt {
            scores_differ: file.and_then(|file| difference(&scores, file)),
            moves: self.referee.moves(),
            players: self.players,
            opening: self.opening,
            scores,
            faults: self.faults,
            dialogues: self.dialogues,
            accepted: self.accepted,
        }
    }
}

/// The seats are taken in the order of the first answers, where one seat moves at a time; else by number.
fn players_by_seat(transcript: &Transcript, referee: &dyn Referee, seats: usize) -> Vec<usize> {
    let players = 0..transcript.players.len().max(seats);
    let asked = referee.asked();
    if asked.len() != 1 {
        return players.collect();
    }
    let mut order: Vec<usize> = Vec::new();
    for player in transcript.answers.iter().map(|answer| answer.player).chain(players) {
        if !order.contains(&player) {
            order.push(player);
        }
    }
    // After an opening the first to be asked may sit elsewhere.
    let seats = order.len();
    order.rotate_right(asked[0] % seats.max(1));
    order
}

/// Compares the rules' scores with the file's.
fn difference(rules: &[i64], file: Vec<f64>) -> Option<ScoresDiffer> {
    let same =
        rules.len() == file.len() && rules.iter().zip(&file).all(|(&ours, &theirs)| ours as f64 == theirs);
    if same {
        return None;
    }
    let order = |i: usize, j: usize| {
        let theirs = file[i].partial_cmp(&file[j]).unwrap_or(Ordering::Equal);
        rules[i].cmp(&rules[j]) == theirs
    };
    let seats = rules.len().min(file.len());
    let same_order = (0..seats).all(|i| (0..i).all(|j| order(i, j)));
    Some(ScoresDiffer { rules: rules.to_vec(), file, same_order })
}

/// An answer in a message: on one line, not too long.
fn shown(text: &str) -> String {
    const MOST_CHARS: usize = 80;
    let line = text.escape_debug().to_string();
    match line.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

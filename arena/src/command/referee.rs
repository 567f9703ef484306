//! `arena referee`: referees one game for cg-brutaltester and programs with the same interface.
//!
//! The interface: the program is run as `REFEREE -p1 CMD -p2 CMD [-d seed=N] [-l FILE.json]`. The first numbers
//! on its standard output are the players' scores, negative for a player that failed; the rest is the data
//! needed to repeat the game. Any output on standard error counts as an error of the referee.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use contest::{Contest, Seat, Setup};
use serde_json::{json, Map, Value};

use crate::command::brutal::Players;
use crate::command::limits::LimitArgs;
use crate::command::misuse::Misuse;
use crate::failure::Failure;
use coppice_referee::atomic::{self, FileError};
use coppice_referee::bot::{Bot, Reply};
use coppice_referee::game::fault::FaultReport;
use coppice_referee::game::{self, Played, Player};
use coppice_referee::process::command_line::CommandLine;
use coppice_referee::process::Process;
use coppice_referee::process::StartError;
use coppice_referee::transcript::{InvalidParameter, Parameters};

/// A failed player's score.
const FAILED: i64 = -1;

/// The arguments of `arena referee`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The contest's name; `arena contests` lists them
    pub contest: String,
    /// The bots
    #[command(flatten)]
    pub players: Players,
    /// Parameters of the game, words NAME=VALUE: seed=N and opening=PLIES are used, others are ignored;
    /// without a seed, a random one is chosen
    #[arg(short = 'd', value_name = "WORDS", num_args = 0..=1, default_missing_value = "")]
    pub data: Vec<String>,
    /// Write the game's result in the published runner's format
    #[arg(short = 'l', value_name = "FILE.json")]
    pub log: Option<PathBuf>,
    /// Draw each position after the scores
    #[arg(short = 's')]
    pub show: bool,
    /// Number of random plies at the start, chosen by the seed
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    pub openings: u32,
    /// Time limits of the answers
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Plays the game and prints the scores first, one per line.
///
/// # Errors
/// If a bot can't be started; its score is negative then.
pub(crate) fn run(args: &Args, contest: &dyn Contest, out: &mut dyn Write) -> Result<(), Failure> {
    let lines = args.players.commands()?;
    if lines.len() != contest.seats() {
        let (contest, seats, given) = (contest.name().to_owned(), contest.seats().to_string(), lines.len());
        return Err(Misuse::WrongBots { contest, seats, given }.into());
    }
    let setup = setup(args, contest)?;
    let turns = Turns::default();
    let players = start(&lines, &turns, out)?;
    let played = play(contest, setup, players)?;
    scores(&played).iter().try_for_each(|score| writeln!(out, "{score}"))?;
    if let Some(path) = &args.log {
        let text = serde_json::to_vec(&result(contest, setup, &lines, &played, &turns.borrow()));
        let written = text.map_err(io::Error::from).and_then(|text| atomic::write(path, &text));
        written.map_err(|source| FileError::write(path, source))?;
    }
    print_rest(args, contest, setup, &played, out)
}

fn setup(args: &Args, contest: &dyn Contest) -> Result<Setup, Failure> {
    let parameters = Parameters::parse(&args.data.join("\n"));
    let parameters = parameters.map_err(|InvalidParameter(word)| Misuse::Data { word })?;
    Ok(Setup {
        seed: parameters.seed.unwrap_or_else(drawn_seed),
        opening_plies: parameters.opening_plies.unwrap_or(args.openings),
        limits: args.limits.or(contest.limits()),
    })
}

/// A random seed of the size that other referees use.
fn drawn_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    let random = std::collections::hash_map::RandomState::new().build_hasher().finish();
    random >> 33
}

/// The answers in order: the seat, and the text if there was one.
type Turns = Rc<RefCell<Vec<(Seat, Option<String>)>>>;

/// Wraps a bot and records its answers.
struct Scribe {
    bot: Process,
    seat: Seat,
    turns: Turns,
}

impl Bot for Scribe {
    fn ask(&mut self, text: &str, lines: usize, limit: Duration) -> Reply {
        let reply = self.bot.ask(text, lines, limit);
        let came = match &reply {
            Reply::Silent { bytes, .. } | Reply::Closed { bytes, .. } if bytes.is_empty() => None,
            Reply::Answer { bytes, extra: Some(extra), .. } => Some([bytes.as_slice(), extra].join(&b'\n')),
            _ => Some(reply.bytes().to_vec()),
        };
        let came = came.map(|bytes| String::from_utf8_lossy(&bytes).into_owned() + "\n");
        self.turns.borrow_mut().push((self.seat, came));
        reply
    }

    fn dismiss(&mut self) {
        self.bot.dismiss();
    }

    fn stop(&mut self, grace: Duration) {
        self.bot.stop(grace);
    }

    fn stderr_tail(&mut self) -> String {
        self.bot.stderr_tail()
    }
}

/// Starts the bots. One that can't be started has failed, which is reported to the runner as a negative score.
fn start(lines: &[CommandLine], turns: &Turns, out: &mut dyn Write) -> Result<Vec<Player>, Failure> {
    let mut players = Vec::new();
    for (seat, line) in lines.iter().enumerate() {
        match Process::start(line) {
            Ok(bot) => {
                let scribe = Scribe { bot, seat, turns: Rc::clone(turns) };
                players.push(Player { name: format!("p{}", seat + 1), bot: Box::new(scribe) });
            }
            Err(source) => {
                for other in 0..lines.len() {
                    writeln!(out, "{}", if other == seat { FAILED } else { 0 })?;
                }
                return Err(StartError::new(format!("-p{}", seat + 1), line, source).into());
            }
        }
    }
    Ok(players)
}

fn play(contest: &dyn Contest, setup: Setup, mut players: Vec<Player>) -> Result<Played, Failure> {
    let mut referee = contest.new_game(setup);
    Ok(game::play(referee.as_mut(), &mut players, setup.limits, Duration::ZERO)?)
}

/// The contest's points, negative for bots that failed.
fn scores(played: &Played) -> Vec<i64> {
    let failed = |seat| played.faults.iter().any(|fault| fault.seat == seat);
    let scores = played.scores.iter().enumerate();
    scores.map(|(seat, &score)| if failed(seat) { FAILED } else { score }).collect()
}

/// The game's parameters, as a later `-d` takes them, with faults as comments.
fn print_rest(
    args: &Args,
    contest: &dyn Contest,
    setup: Setup,
    played: &Played,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    writeln!(out, "seed={}", setup.seed)?;
    for fault in &played.faults {
        for line in fault.to_string().lines() {
            writeln!(out, "# {line}")?;
        }
    }
    if args.show {
        let mut referee = contest.new_game(setup);
        writeln!(out, "\n{}", referee.show())?;
        for text in played.moves.split_whitespace().skip(played.opening.split_whitespace().count()) {
            // Moves that the referee makes itself, such as a pass, are no answers.
            let Some(&seat) = referee.asked().first() else { break };
            let answer = referee.answer_of(seat, text);
            if referee.answer(seat, &answer).is_ok() {
                writeln!(out, "\n{text}\n{}", referee.show())?;
            }
        }
    }
    Ok(out.flush()?)
}

/// The game in the published runner's format.
fn result(
    contest: &dyn Contest,
    setup: Setup,
    lines: &[CommandLine],
    played: &Played,
    turns: &[(Seat, Option<String>)],
) -> Value {
    // The first entry of every list is the start of the game, before any bot is asked.
    let outputs = |seat: Seat| {
        let entry = |(asked, text): &(Seat, Option<String>)| match text {
            Some(text) if *asked == seat => json!(text),
            _ => Value::Null,
        };
        std::iter::once(Value::Null).chain(turns.iter().map(entry)).collect::<Value>()
    };
    let blank = |value: Value| vec![value; turns.len() + 1];
    let by_seat = |value: &dyn Fn(Seat) -> Value, referee: Option<Value>| {
        let entries = (0..lines.len()).map(|seat| (seat.to_string(), value(seat)));
        entries.chain(referee.map(|value| ("referee".to_owned(), value))).collect::<Map<_, _>>()
    };
    let mut summaries = blank(json!(""));
    if let Some(last) = summaries.last_mut().filter(|_| !played.faults.is_empty()) {
        let faults = played.faults.iter().map(|fault| {
            let FaultReport { bot, ending, expected, received, .. } = fault;
            format!("{bot}{}: {ending}, expected {expected}, received {received}\n", fault.place())
        });
        *last = json!(faults.collect::<String>());
    }
    let scores = scores(played);
    let agents =
        lines.iter().enumerate().map(|(seat, line)| json!({"index": seat, "name": line.to_string()}));
    let Setup { seed, opening_plies, .. } = setup;
    json!({
        "errors": by_seat(&|_| json!(blank(Value::Null)), Some(json!(blank(json!(""))))),
        "outputs": by_seat(&outputs, Some(json!(blank(json!(""))))),
        "summaries": summaries,
        "views": blank(json!("")),
        "scores": by_seat(&|seat| json!(scores[seat]), None),
        "gameParameters": [format!("seed={seed}\nopening={opening_plies}\ncontest={}\n", contest.name())],
        "tooltips": [],
        "agents": agents.collect::<Value>(),
    })
}

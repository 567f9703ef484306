//! `arena solve`: solves a contest's start position, or a given one, under perfect play.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use contest::session::{Session, SessionSettings, Thought};
use contest::{Contest, Seat};
use coppice::Budget;
use serde_json::json;

use crate::console::{play, while_thinking};
use crate::failure::Failure;
use crate::program::Outcome;
use coppice_referee::contests::{at_position, find};
use coppice_referee::game::in_process::{self, on_large_stack};
use coppice_referee::game::GameError;
use coppice_referee::process;

/// The arguments of `arena solve`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The contest's name; `arena contests` lists them
    pub contest: String,
    /// The variant's words, such as `6 4`; if the last word is omitted, each of its choices is solved
    pub variant: Vec<String>,
    /// Solve this position instead of the start; for reversi the 64 cells from a1 to h8 by rows, X, O or -, then the side
    /// to move, as test suites have it
    #[arg(long, visible_alias = "board", value_name = "TEXT", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Solve the position after these moves, separated by spaces
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// The solving search; default: `solver` if the contest has one, else `alpha-beta`
    #[arg(long, value_name = "NAME")]
    pub search: Option<String>,
    /// Size of the transposition table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 1200, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub mb: u32,
    /// Give up after this time, with exit code 3
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    pub time_limit: Option<u32>,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
}

/// The searches that prove the shortest win or the margin, in order of preference.
const SOLVING: [&str; 2] = ["solver", "alpha-beta"];

/// Time of the first attempt, after which the preliminary result is printed. The second attempt has no limit and starts
/// with the table filled.
const QUICK: Duration = Duration::from_secs(2);

/// Interval between two progress messages.
const BEAT: Duration = Duration::from_secs(10);

/// Interval between two checks whether standard output is still read.
const LOOK: Duration = Duration::from_millis(500);

/// Solves one variant, or several if words were omitted, and prints a line for each.
///
/// # Errors
/// If the variant is unknown, no search can solve it, the output was closed, or after an interrupt.
pub(crate) fn run(args: &Args, known: &[&dyn Contest], out: &mut dyn Write) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::Done;
    for name in names(args, find(known, &args.contest)?) {
        if !solve(args, &name, find(known, &name)?, out)? {
            outcome = Outcome::NotProved;
        }
    }
    Ok(outcome)
}

/// The names of the requested variants.
fn names(args: &Args, contest: &dyn Contest) -> Vec<String> {
    if args.variant.is_empty() {
        return vec![args.contest.clone()];
    }
    let name = format!("{}:{}", args.contest, args.variant.join(","));
    // The last word of `M N EMPTY(0|1)` has the choices 0 and 1.
    let words: Vec<&str> = contest.variants().unwrap_or_default().split_whitespace().collect();
    match words[..] {
        [.., last] if args.variant.len() + 1 == words.len() => match last.split_once('(') {
            Some((_, choices)) => {
                choices.trim_end_matches(')').split('|').map(|choice| format!("{name},{choice}")).collect()
            }
            None => vec![name],
        },
        _ => vec![name],
    }
}

/// The requested search, or the contest's preferred solver.
fn search<'a>(args: &'a Args, contest: &dyn Contest) -> Result<&'a str, Failure> {
    if let Some(search) = &args.search {
        return Ok(search);
    }
    let searches = contest.search_list();
    let found = SOLVING.into_iter().find(|name| searches.iter().any(|search| search.name == *name));
    found.ok_or_else(|| {
        Failure::usage(format!(
            "{} has no search that can solve it: none of {}",
            contest.name(),
            SOLVING.join(", ")
        ))
    })
}

/// Solves one variant; `false` if the time limit was reached.
fn solve(args: &Args, name: &str, contest: &dyn Contest, out: &mut dyn Write) -> Result<bool, Failure> {
    let placed = args.position.as_deref().map(|text| at_position(contest, text)).transpose()?;
    let contest = placed.unwrap_or(contest);
    let search = search(args, contest)?;
    let settings =
        SessionSettings { pool_bytes: Some(args.mb as usize * 1_000_000), ..SessionSettings::default() };
    let moves: Vec<String> =
        args.moves.iter().flat_map(|moves| moves.split_whitespace()).map(str::to_owned).collect();
    let limit = args.time_limit.map(|seconds| Duration::from_secs(seconds.into()));
    let solved = on_large_stack(|| -> Result<Option<Solved>, Failure> {
        in_process::has_room(args.mb as usize * 1_000_000)?;
        let mut session = contest.session(search, &settings).map_err(Failure::usage)?;
        play(session.as_mut(), &moves).map_err(|reason| Failure::usage(format!("--moves, {reason}")))?;
        let Some(seat) = session.to_move() else {
            return Err(Failure::usage(
                "the game is over in this position (--moves), nothing is left to solve".to_owned(),
            ));
        };
        think(name, search, seat, session.as_mut(), limit)
    })??;
    match &solved {
        None => eprintln!("{name}: not solved within {} s", args.time_limit.unwrap_or(0)),
        Some(solved) if args.json => writeln!(out, "{}", solved.json(name))?,
        Some(solved) => writeln!(out, "{}", solved.text(name))?,
    }
    out.flush()?;
    Ok(solved.is_some())
}

/// Searches until the position is solved or the limit is reached; a quick search prints no progress.
fn think(
    name: &str,
    search: &str,
    seat: Seat,
    session: &mut dyn Session,
    limit: Option<Duration>,
) -> Result<Option<Solved>, Failure> {
    let begun = Instant::now();
    let mut nodes = 0;
    let whole = limit.map_or(Budget::nodes(u64::MAX), |limit| Budget::until(begun + limit));
    for budget in [Budget::until(begun + limit.map_or(QUICK, |limit| limit.min(QUICK))), whole] {
        let (thought, is_stopped) =
            while_thinking(|stop| while_beating(name, begun, stop, || session.think(budget.unless(stop))));
        nodes += thought.nodes;
        let seconds = begun.elapsed().as_secs_f64();
        if thought.solved {
            // Other searches prove who wins, but not the shortest win.
            let knows_plies = SOLVING.contains(&search);
            return Ok(Some(Solved { thought, seat, knows_plies, nodes, seconds }));
        }
        let (depth, score) = (thought.depth, thought.score);
        match depth {
            // Before the first depth is complete the score is only the search's initial value.
            0 => eprintln!("{name}: {nodes} nodes, {seconds:.0} s"),
            _ => eprintln!("{name}: depth {depth}, perhaps {score}, {nodes} nodes, {seconds:.0} s"),
        }
        if is_stopped && process::stdout_is_closed() {
            return Err(std::io::Error::from(std::io::ErrorKind::BrokenPipe).into());
        }
        if is_stopped {
            return Err(GameError::Interrupted.into());
        }
        if limit.is_some_and(|limit| begun.elapsed() >= limit) {
            return Ok(None);
        }
    }
    Err(Failure::new(format!(
        "{name}: the search ended without a proof; try a larger --mb, or the game is too large to be solved"
    )))
}

/// Does long work, printing the time now and then; sets `stop` when standard output is no longer read.
fn while_beating<T>(name: &str, begun: Instant, stop: &AtomicBool, work: impl FnOnce() -> T) -> T {
    let (done, is_done) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut last = Instant::now();
            while is_done.recv_timeout(LOOK) == Err(mpsc::RecvTimeoutError::Timeout) {
                if process::stdout_is_closed() {
                    stop.store(true, Ordering::SeqCst);
                }
                if last.elapsed() >= BEAT {
                    last = Instant::now();
                    eprintln!("{name}: {:.0} s", begun.elapsed().as_secs_f64());
                }
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// A solved position.
struct Solved {
    thought: Thought,
    /// The seat to move.
    seat: Seat,
    /// Whether the number of plies is exact too.
    knows_plies: bool,
    nodes: u64,
    seconds: f64,
}

impl Solved {
    /// The winner's seat, if there is one.
    fn winner(&self) -> Option<Seat> {
        match self.thought.score.value() {
            0 => None,
            1.. => Some(self.seat),
            _ => Some(1 - self.seat),
        }
    }

    /// The value as text.
    fn value(&self) -> String {
        let Some(winner) = self.winner() else { return "a draw".to_owned() };
        let player = ["first", "second"][winner];
        let score = self.thought.score;
        match score.plies_to_end() {
            Some(_) if !self.knows_plies => format!("the {player} player wins"),
            Some(1) => format!("the {player} player wins in 1 ply"),
            Some(plies) => format!("the {player} player wins in {plies} plies"),
            None => format!("the {player} player wins by {}", score.value().abs()),
        }
    }

    fn text(&self, name: &str) -> String {
        let Solved { thought, nodes, seconds, .. } = self;
        let line = if thought.line.is_empty() {
            String::new()
        } else {
            format!("; best {}", thought.line.join(" "))
        };
        format!("{name}: {}{line}; {nodes} nodes, {seconds:.1} s", self.value())
    }

    /// `margin` is the first player's, in games with points.
    fn json(&self, name: &str) -> serde_json::Value {
        let Solved { thought, seat, knows_plies, nodes, seconds } = self;
        let score = thought.score;
        let (margin, plies) = match score.plies_to_end() {
            None if *seat == 1 => (Some(-score.value()), None),
            None => (Some(score.value()), None),
            plies => (None, plies.filter(|_| *knows_plies)),
        };
        json!({
            "contest": name, "winner": self.winner(), "margin": margin, "plies": plies, "best": thought.best,
            "line": thought.line, "nodes": nodes, "seconds": seconds,
        })
    }
}

//! `arena verify`: compares a contest's rules with a referee that is a program of its own, or with recorded games.
//!
//! Searches of this program play through the referee, which starts them as processes. Each game's dialogues are replayed
//! by the rules: what the referee sent must be what the rules would have sent, and what it refused what they refuse.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use contest::{Contest, Seat};
use coppice::Rng;
use serde::Serialize;

use crate::command::game_options::seed;
use crate::command::host::RefereeArgs;
use crate::command::misuse::NoGames;
use crate::failure::Failure;
use coppice_referee::contests::find;
use coppice_referee::external::{Game, NegativeScores, Order};
use coppice_referee::game::child;
use coppice_referee::game::in_process::InProcess;
use coppice_referee::game::GameError;
use coppice_referee::process;
use coppice_referee::process::command_line::CommandLine;
use coppice_referee::replay::fields::Fields;
use coppice_referee::replay::source::{Form, Found, Source};
use coppice_referee::replay::verify::{prepare, Verdict};
use coppice_referee::replay::Next;
use coppice_referee::report::progress::Progress;
use coppice_referee::series::derived_seed;
use coppice_referee::text::readable;

/// The turn of the first probe, while no game's length is known.
const FIRST_PROBE: u32 = 6;

/// The arguments of `arena verify`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The contest's name; `arena contests` lists them
    pub contest: String,
    /// Recorded games instead of a referee: bot logs, the platform's replays, its runner's results, or folders of them
    #[arg(value_name = "FILE", conflicts_with = "referee")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub referee: RefereeArgs,
    /// Number of games
    #[arg(short = 'n', long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// Random seed of the games and of the answers
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = seed)]
    pub seed: u64,
    /// The search that answers [default: in:random, else the contest's first search with 100 nodes]
    #[arg(long, value_name = "SEARCH")]
    pub search: Option<String>,
    /// The folder for a game that differs [default: verify-CONTEST]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Print one JSON object: the games that were compared, and the difference
    #[arg(long)]
    pub json: bool,
}

/// The games that were compared.
#[derive(Debug, Default, Serialize)]
struct Compared {
    games: u32,
    answers: usize,
    /// Answers that the rules and the referee refuse.
    refused: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<Difference>,
}

/// The first difference.
#[derive(Debug, Serialize)]
struct Difference {
    game: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<String>,
    place: String,
    rules: String,
    referee: String,
    /// The position before, drawn by the rules.
    position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<PathBuf>,
}

/// Compares games until one differs.
///
/// # Errors
/// If one differs, the referee fails, or there are no games.
pub(crate) fn run(args: &Args, known: &[&dyn Contest], out: &mut dyn Write) -> Result<(), Failure> {
    let contest = find(known, &args.contest)?;
    let compared = match args.referee.command() {
        Some(command) => with_referee(args, command, contest, known)?,
        None if args.files.is_empty() => {
            return Err(Failure::usage(
                "give the published referee with -r, or files of recorded games".to_owned(),
            ))
        }
        None => with_files(args, contest, known)?,
    };
    compared.print(args, contest, out)
}

fn with_files(args: &Args, contest: &dyn Contest, known: &[&dyn Contest]) -> Result<Compared, Failure> {
    let found = Found::look(&args.files);
    if let Some(problem) = found.problems.first() {
        return Err(Failure::new(problem.clone()));
    }
    if found.games.is_empty() {
        return Err(Failure::new(NoGames::in_files(&args.files)));
    }
    let mut compared = Compared::default();
    for source in &found.games {
        let (verdict, position) = replayed(source, contest, known)?;
        let difference = verdict.problem.as_ref().map(|problem| Difference {
            game: source.name.clone(),
            seed: None,
            place: problem.place.clone(),
            rules: problem.expected.clone(),
            referee: problem.found.clone(),
            position,
            kept: None,
        });
        compared.add(&verdict, difference);
        if compared.difference.is_some() {
            break;
        }
    }
    Ok(compared)
}

fn with_referee(
    args: &Args,
    command: &str,
    contest: &dyn Contest,
    known: &[&dyn Contest],
) -> Result<Compared, Failure> {
    // An answer is refused by a negative score, unless such scores are scores.
    let negative = match args.referee.has_negative_scores() {
        true => NegativeScores::Scores,
        false => NegativeScores::Failures,
    };
    let referee = args.referee.open(command, contest.seats(), negative)?;
    let search = search(args, contest)?;
    let mut rng = Rng::new(args.seed);
    let mut compared = Compared::default();
    let mut progress = Progress::new();
    let mut turns = FIRST_PROBE;
    for number in 1..=args.games {
        if process::interrupted() {
            return Err(GameError::Interrupted.into());
        }
        let probe = (number % 2 == 0)
            .then(|| (rng.below(contest.seats() as u32) as usize, 1 + rng.below(turns) as usize));
        let bots = (0..contest.seats())
            .map(|seat| bot(contest, &search, &mut rng, probe.filter(|probe| probe.0 == seat)));
        let bots = bots.collect::<Result<Vec<_>, _>>()?;
        let order = Order {
            game: number,
            seed: derived_seed(args.seed, number),
            other_seed: derived_seed(args.seed, number + 1),
            bots: bots.iter().collect(),
            keep_as: None,
            records: true,
        };
        let game = referee.play(&order)?;
        let source = source_of(number, referee.seed_sent(order.seed), contest, &game)?;
        let (verdict, position) = replayed(&source, contest, known)?;
        let most = game.dialogues.times.iter().map(Vec::len).max().unwrap_or(0);
        turns = turns.max(most as u32);
        let seed = referee.seed_text(order.seed);
        let difference = difference(&verdict, &game).map(|(place, rules, said)| {
            let kept = keep(args, number, contest, &game);
            Difference {
                game: number.to_string(),
                seed: Some(seed),
                place,
                rules,
                referee: said,
                position,
                kept,
            }
        });
        compared.add(&verdict, difference);
        if compared.difference.is_some() {
            break;
        }
        progress.update(format!("{number} of {} games, {} answers", args.games, compared.answers));
    }
    progress.end();
    Ok(compared)
}

/// The search that answers.
fn search(args: &Args, contest: &dyn Contest) -> Result<String, Failure> {
    if let Some(search) = &args.search {
        return Ok(search.clone());
    }
    let Some(searches) = contest.searches() else {
        return Err(Failure::usage(format!("{} has no searches that could play", contest.name())));
    };
    let list = searches.list();
    let first = list.first().map(|search| search.name.to_string()).unwrap_or_default();
    Ok(match list.iter().any(|search| search.name == "random") {
        true => "in:random".to_owned(),
        false => format!("in:{first} --nodes 100"),
    })
}

/// The command line of a bot: this program with a search, and with the turn of a probe.
fn bot(
    contest: &dyn Contest,
    search: &str,
    rng: &mut Rng,
    probe: Option<(Seat, usize)>,
) -> Result<CommandLine, Failure> {
    let program = std::env::current_exe().map_err(|error| Failure::new(error.to_string()))?;
    let game_seed = rng.below(u32::MAX).to_string();
    let turn = probe.map(|(_, turn)| turn.to_string());
    let mut words = vec![child::BOT_COMMAND, "--game-seed", &game_seed];
    words.extend(turn.iter().flat_map(|turn| ["--probe-turn", turn]));
    words.extend([contest.name(), search]);
    InProcess::parse(search)?
        .ok_or_else(|| Failure::usage(format!("--search {search}: expected in:SEARCH and its options")))?
        .check_served(contest)?;
    Ok(CommandLine::new(program, &words))
}

/// A game of the referee as recorded dialogues. A referee of the same seed draws the same start and the same outcomes of
/// chance, if it is the arena's.
fn source_of(number: u32, seed: u64, contest: &dyn Contest, game: &Game) -> Result<Source, Failure> {
    let logs = &game.dialogues.logs;
    if logs.len() != contest.seats() {
        return Err(Failure::new(format!(
            "game {number}: the referee's dialogues with the bots could not be recorded, so that nothing can be compared"
        )));
    }
    let place = |(seat, log)| (PathBuf::from(format!("game {number}, bot on seat {seat}")), log);
    Ok(Source {
        name: format!("game {number}"),
        path: PathBuf::from(number.to_string()),
        form: Form::Dialogues(logs.iter().cloned().enumerate().map(place).collect()),
        fields: Fields { seed, ..Fields::default() },
        cuts: Vec::new(),
    })
}

/// Replays a game by the rules. Returns the verdict, and a drawing of the last position.
fn replayed(
    source: &Source,
    contest: &dyn Contest,
    known: &[&dyn Contest],
) -> Result<(Verdict, String), Failure> {
    // The lifetime of `prepare` is that of the contests.
    let known = known.to_vec();
    let prepared = prepare(source, Some(contest), &known).map_err(|error| Failure::new(error.to_string()))?;
    let mut position = String::new();
    let verdict = prepared.verify_steps(|referee, _| {
        position = referee.show();
        Next::GoOn
    });
    Ok((verdict, position))
}

/// The first difference between the rules and the referee: its place, what the rules say, and what the referee did.
fn difference(verdict: &Verdict, game: &Game) -> Option<(String, String, String)> {
    // A negative score is taken for a failure, unless the rules give it too, to a game that ends without one.
    if verdict.problem.is_none() && verdict.failures.is_empty() && verdict.scores == game.scores {
        return None;
    }
    let failed = (0..game.failed.len()).filter(|&seat| game.failed[seat]).collect::<Vec<_>>();
    let refused = |seat: Seat| {
        let last = game.dialogues.logs[seat].exchanges().last();
        let answer = last
            .map(|exchange| {
                let lines = exchange.answered.iter().map(|entry| entry.text.as_str());
                lines.collect::<Vec<_>>().join(" / ")
            })
            .unwrap_or_default();
        let words = game.words.get(seat).filter(|words| !words.is_empty());
        let words = words.map(|words| format!(": {words}")).unwrap_or_default();
        (answer, format!("refused it, and gave {} points{words}", game.scores[seat]))
    };
    if let Some(problem) = &verdict.problem {
        let Some(&seat) = failed.first().filter(|_| problem.is_cut) else {
            let said = if problem.is_cut { "ended the game".to_owned() } else { problem.found.clone() };
            return Some((problem.place.clone(), problem.expected.clone(), said));
        };
        let (answer, said) = refused(seat);
        return Some((format!("the last turn of seat {seat}"), format!("`{answer}` is legal"), said));
    }
    if let Some(failure) = verdict.failures.iter().find(|failure| !game.failed[failure.seat]) {
        let place = format!("turn {} of seat {}", failure.turn, failure.seat);
        let said = format!("doesn't call it a failure, and gave {} points", game.scores[failure.seat]);
        return Some((place, failure.to_string(), said));
    }
    if let Some(&seat) =
        failed.iter().find(|&&seat| verdict.failures.iter().all(|failure| failure.seat != seat))
    {
        let (answer, said) = refused(seat);
        return Some((format!("the last turn of seat {seat}"), format!("`{answer}` is legal"), said));
    }
    let numbers = |scores: &[i64]| scores.iter().map(i64::to_string).collect::<Vec<_>>().join("-");
    let are_equal = !failed.is_empty() || verdict.scores == game.scores;
    (!are_equal).then(|| ("the end of the game".to_owned(), numbers(&verdict.scores), numbers(&game.scores)))
}

/// Keeps the dialogues of a game that differs; the folder, if it can be written.
fn keep(args: &Args, number: u32, contest: &dyn Contest, game: &Game) -> Option<PathBuf> {
    let name = contest.name().replace([':', ','], "-");
    let folder = args.dir.clone().unwrap_or_else(|| Path::new(&format!("verify-{name}")).to_owned());
    let write = || {
        fs::create_dir_all(&folder)?;
        let mut logs = game.dialogues.logs.iter().enumerate();
        logs.try_for_each(|(seat, log)| log.write(folder.join(format!("{number}.p{seat}.log"))))
    };
    match write() {
        Ok(()) => Some(folder.clone()),
        Err(error) => {
            coppice_referee::text::note(format_args!("{}: can't keep the game: {error}", folder.display()));
            None
        }
    }
}

impl Compared {
    fn add(&mut self, verdict: &Verdict, difference: Option<Difference>) {
        self.games += 1;
        self.answers += verdict.answers;
        self.refused += if difference.is_none() { verdict.failures.len() } else { 0 };
        self.difference = difference;
    }

    fn print(&self, args: &Args, contest: &dyn Contest, out: &mut dyn Write) -> Result<(), Failure> {
        let name = contest.name();
        let Self { games, answers, refused, difference } = self;
        if args.json {
            let text = serde_json::to_string(self).map_err(std::io::Error::from)?;
            writeln!(out, "{text}")?;
        }
        let Some(difference) = difference else {
            if !args.json {
                let noun = if *games == 1 { "game" } else { "games" };
                writeln!(
                    out,
                    "{games} {noun}, {answers} answers, {refused} refused by both: the rules of {name} and the referee agree"
                )?;
            }
            return Ok(());
        };
        let Difference { game, seed, place, rules, referee, position, kept } = difference;
        if !args.json {
            let seed = seed.as_ref().map(|seed| format!(" (seed {seed})")).unwrap_or_default();
            writeln!(out, "game {game}{seed}, {place}")?;
            writeln!(out, "  rules:   {}\n  referee: {}", readable(rules), readable(referee))?;
            if !position.is_empty() {
                writeln!(out, "the position before:\n{position}")?;
            }
            if let Some(folder) = kept {
                let folder = folder.display();
                writeln!(
                    out,
                    "kept as {folder}/{game}.p0.log, ...: `arena replay {folder} --contest {name} --show` goes through it"
                )?;
            }
        }
        out.flush()?;
        Err(Failure::new(format!("the rules of {name} differ from the referee's in game {game}")))
    }
}

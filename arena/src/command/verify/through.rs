//! The games of `arena verify` through a referee: searches of this program play, and the first difference is kept.

use std::fs;
use std::path::{Path, PathBuf};

use contest::{Contest, Seat};
use coppice::Rng;

use super::time_out::{Persistent, TimeOut, TRIES};
use super::{replayed, Args, Compared, Difference};
use crate::failure::Failure;
use coppice_referee::contests;
use coppice_referee::external::{ExternalReferee, Game, NegativeScores, Order};
use coppice_referee::game::child;
use coppice_referee::game::in_process::InProcess;
use coppice_referee::game::GameError;
use coppice_referee::process;
use coppice_referee::process::command_line::CommandLine;
use coppice_referee::replay::fields::Fields;
use coppice_referee::replay::source::{Form, Source};
use coppice_referee::replay::verify::Verdict;
use coppice_referee::report::progress::Progress;
use coppice_referee::series::derived_seed;
use coppice_referee::text::note;

/// The turn of the first probe, while no game's length is known.
const FIRST_PROBE: u32 = 6;

/// A referee whose games have no dialogues.
#[derive(Debug, thiserror::Error)]
enum NoDialogues {
    #[error(
        "with --no-check-bots the bots' dialogues aren't recorded, so nothing can be compared: let the referee run on this machine, \
         or compare recorded games (arena verify CONTEST FILES)"
    )]
    Elsewhere,
    #[error(
        "game {game} (seed {seed}): the referee gave scores ({scores}) without starting a bot, so there is nothing to compare: \
         it must run the command lines that it gets as -p1 and -p2, or in places such as {{P1}}"
    )]
    NoBot { game: u32, seed: String, scores: String },
    #[error("game {game}: the referee's dialogues with the bots could not be recorded, so nothing can be compared")]
    NotRecorded { game: u32 },
}

/// Compares games of a referee until one differs.
///
/// # Errors
/// If the referee fails, starts no bots, or lets a bot time out again and again.
pub(super) fn with_referee(
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
    if !referee.checks_bots() {
        return Err(Failure::usage(NoDialogues::Elsewhere));
    }
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
        let Played { game, verdict, position } = play(args, &referee, &order, contest, known)?;
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

/// A game, and its replay by the rules.
struct Played {
    game: Game,
    verdict: Verdict,
    position: String,
}

/// Plays a game, and again if a bot times out.
fn play(
    args: &Args,
    referee: &ExternalReferee,
    order: &Order<'_>,
    contest: &dyn Contest,
    known: &[&dyn Contest],
) -> Result<Played, Failure> {
    let (number, seed) = (order.game, || referee.seed_text(order.seed));
    let mut tried = 0;
    loop {
        tried += 1;
        let game = referee.play(order)?;
        if game.dialogues.logs.len() != contest.seats() {
            let scores = game.scores.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
            return Err(Failure::new(match referee.has_unrecorded_bots() {
                true => NoDialogues::NotRecorded { game: number },
                false => NoDialogues::NoBot { game: number, seed: seed(), scores },
            }));
        }
        let source = source_of(number, referee.seed_sent(order.seed), &game);
        let (verdict, position) = replayed(&source, contest, known)?;
        match TimeOut::of(&verdict, &game, contest.limits()) {
            Some(time_out) if tried < TRIES => {
                let seed = seed();
                note(format_args!(
                    "game {number} (seed {seed}): {time_out}; that is no difference, so the game is played again"
                ));
            }
            Some(time_out) if time_out.hides_the_rest(&verdict, &game) => {
                let kept = keep(args, number, contest, &game);
                return Err(Failure::new(Persistent { game: number, seed: seed(), time_out, kept }));
            }
            _ => return Ok(Played { game, verdict, position }),
        }
    }
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
fn source_of(number: u32, seed: u64, game: &Game) -> Source {
    let logs = &game.dialogues.logs;
    let place = |(seat, log)| (PathBuf::from(format!("game {number}, bot on seat {seat}")), log);
    Source {
        name: format!("game {number}"),
        path: PathBuf::from(number.to_string()),
        form: Form::Dialogues(logs.iter().cloned().enumerate().map(place).collect()),
        fields: Fields { seed, ..Fields::default() },
        cuts: Vec::new(),
    }
}

/// The first difference between the rules and the referee: its place, what the rules say, and what the referee did.
fn difference(verdict: &Verdict, game: &Game) -> Option<(String, String, String)> {
    // A negative score is taken for a failure, unless the rules give it too, to a game that ends without one.
    if verdict.problem.is_none() && verdict.failures.is_empty() && verdict.scores == game.scores {
        return None;
    }
    let failed = (0..game.failed.len()).filter(|&seat| game.failed[seat]).collect::<Vec<_>>();
    let end_of = |seat: Seat| {
        let last = game.dialogues.logs[seat].exchanges().last();
        let answer = last
            .map(|exchange| {
                let lines = exchange.answered.iter().map(|entry| entry.text.as_str());
                lines.collect::<Vec<_>>().join(" / ")
            })
            .unwrap_or_default();
        let words = game.words.get(seat).filter(|words| !words.is_empty());
        let words = words.map(|words| format!(": {words}")).unwrap_or_default();
        (answer, format!("gave {} points{words}", game.scores[seat]))
    };
    if let Some(problem) = &verdict.problem {
        let Some(&seat) = failed.first().filter(|_| problem.is_cut) else {
            let said = if problem.is_cut { "ended the game".to_owned() } else { problem.found.clone() };
            return Some((problem.place.clone(), problem.expected.clone(), said));
        };
        let (answer, gave) = end_of(seat);
        if answer.is_empty() {
            return Some((
                problem.place.clone(),
                problem.expected.clone(),
                format!("sent no more, and {gave}"),
            ));
        }
        return Some(refusal(seat, &answer, &gave));
    }
    // Where another bot's answer ends the game, nobody waits for one that is missing.
    let counts = |answer: &Option<String>| answer.is_some() || verdict.failures.len() == 1;
    let mut failures = verdict.failures.iter().filter(|failure| counts(&failure.answer));
    if let Some(failure) = failures.find(|failure| !game.failed[failure.seat]) {
        let place = format!("turn {} of seat {}", failure.turn, failure.seat);
        let said = format!("doesn't call it a failure, and gave {} points", game.scores[failure.seat]);
        return Some((place, failure.to_string(), said));
    }
    if let Some(&seat) =
        failed.iter().find(|&&seat| verdict.failures.iter().all(|failure| failure.seat != seat))
    {
        let (answer, gave) = end_of(seat);
        return Some(refusal(seat, &answer, &gave));
    }
    let numbers = |scores: &[i64]| scores.iter().map(i64::to_string).collect::<Vec<_>>().join("-");
    let are_equal = !failed.is_empty() || verdict.scores == game.scores;
    (!are_equal).then(|| ("the end of the game".to_owned(), numbers(&verdict.scores), numbers(&game.scores)))
}

fn refusal(seat: Seat, answer: &str, gave: &str) -> (String, String, String) {
    (
        format!("the last turn of seat {seat}"),
        format!("`{answer}` is legal"),
        format!("refused it, and {gave}"),
    )
}

/// Keeps the dialogues of a game that differs; the folder, if it can be written.
fn keep(args: &Args, number: u32, contest: &dyn Contest, game: &Game) -> Option<PathBuf> {
    let name = contests::file_name(contest.name());
    let folder = args.dir.clone().unwrap_or_else(|| Path::new(&format!("verify-{name}")).to_owned());
    let write = || {
        fs::create_dir_all(&folder)?;
        let mut logs = game.dialogues.logs.iter().enumerate();
        logs.try_for_each(|(seat, log)| log.write(folder.join(format!("{number}.p{seat}.log"))))
    };
    match write() {
        Ok(()) => Some(folder.clone()),
        Err(error) => {
            note(format_args!("{}: can't keep the game: {error}", folder.display()));
            None
        }
    }
}

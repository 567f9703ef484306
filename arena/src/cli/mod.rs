//! The command line: its subcommands and their help.

pub(crate) mod entrance;
mod examples;
mod help;

use std::io::Write;

use clap::{FromArgMatches, Parser, Subcommand};

use crate::command::{
    as_bot, bench, cases, check, completions, config, connect, contests, debug, doctor, echo, import, init,
    matches, merge, mistakes, new, perft, play, pool, rate, referee, regress, replay, report, run_bot, serve,
    solve, sprt, stats, submit, tune, verify, view,
};
use crate::console;
use crate::failure::Failure;
use crate::person;
use crate::program::{Outcome, Program};
use crate::server;
use coppice_referee::contests::find;
use coppice_referee::external;
use coppice_referee::game::child;
use coppice_referee::process;
use coppice_referee::process::noise;

use examples::{
    AS_BOT, BENCH, CASES, CHECK, COMPLETIONS, CONNECT, DEBUG, IMPORT, INIT, MATCH, MERGE, MISTAKES, NEW,
    PERFT, PLAY, POOL, RATE, REFEREE, REGRESS, REPLAY, REPORT, SERVE, SOLVE, SPRT, STATS, SUBMIT, TUNE,
    VERIFY, VIEW,
};

/// The end of every subcommand's help.
pub const EXIT_CODES: &str = "\
Exit codes:
  0    done; games were refereed, even if bots lost them by faults
  1    failure: a bot can't be started, a file can't be written, ...
  2    usage error in the command line
  3    a test accepted H0 or stayed undecided, or a threshold was not reached
  130  interrupted: the bots were ended and the results so far were printed";

/// The program's name in its help and version.
const NAME: &str = "arena";

/// Referees bots over pipes.
#[derive(Debug, Parser)]
#[command(name = NAME, version, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write a new package: a contest of your own, its bot and its arena
    #[command(after_help = format!("{NEW}\n\n{EXIT_CODES}"))]
    New(new::Args),
    /// Write arena.toml: the contest and the bots of this workspace, so that commands need neither
    #[command(after_help = format!("{INIT}\n\n{EXIT_CODES}"))]
    Init(init::Args),
    /// Print what arena.toml adds to command lines, and from which lines
    #[command(after_help = EXIT_CODES)]
    Config,
    /// Try what an evening needs: arena.toml, compiler, bots, clock, a game
    #[command(after_help = EXIT_CODES)]
    Doctor,
    /// Make the bot for the site: bundle, compile, check, keep it in the pool, copy its text
    #[command(after_help = format!("{SUBMIT}\n\n{EXIT_CODES}"))]
    Submit(submit::Args),
    /// Referee games between bots
    #[command(after_help = format!("{PLAY}\n\n{EXIT_CODES}"))]
    Play(play::Args),
    /// Referee one game, for cg-brutaltester: -p1 CMD -p2 CMD [-d seed=N] [-l FILE.json]
    #[command(after_help = format!("{REFEREE}\n\n{EXIT_CODES}"))]
    Referee(referee::Args),
    /// Open an interactive console on a search: think, walk its tree, change its settings
    #[command(after_help = format!("{DEBUG}\n\n{EXIT_CODES}"))]
    Debug(debug::Args),
    /// Check a bot before it plays: answer times, full games, closed input, garbage
    #[command(after_help = format!("{CHECK}\n\n{EXIT_CODES}"))]
    Check(check::Args),
    /// Replay recorded games through the rules, and through a bot
    #[command(after_help = format!("{REPLAY}\n\n{EXIT_CODES}"))]
    Replay(replay::Args),
    /// Play recorded losses again with another bot: better, same or worse
    #[command(after_help = format!("{REGRESS}\n\n{EXIT_CODES}"))]
    Regress(regress::Args),
    /// Compare a contest's rules with its published referee: every line, moves, endings, scores
    #[command(after_help = format!("{VERIFY}\n\n{EXIT_CODES}"))]
    Verify(verify::Args),
    /// Write games as a page to look at
    #[command(after_help = format!("{VIEW}\n\n{EXIT_CODES}"))]
    View(view::Args),
    /// Write the page of a run or a pool, or its games and tables for other programs; nothing is played
    #[command(after_help = format!("{REPORT}\n\n{EXIT_CODES}"))]
    Report(report::Args),
    /// List the cases of a heuristic contest's run by seed, the worst first, or compare by a number of theirs
    #[command(after_help = format!("{CASES}\n\n{EXIT_CODES}"))]
    Cases(cases::Args),
    /// Judge the moves of a run by a longer search: where in the game does each bot lose points?
    #[command(after_help = format!("{MISTAKES}\n\n{EXIT_CODES}"))]
    Mistakes(mistakes::Args),
    /// Serve a contest's protocol over a socket
    #[command(after_help = format!("{SERVE}\n\n{EXIT_CODES}"))]
    Serve(serve::Args),
    /// Play a search of this program on standard input and output, by the contest's protocol: a bot for any referee
    #[command(name = child::BOT_COMMAND, after_help = format!("{AS_BOT}\n\n{EXIT_CODES}"))]
    AsBot(as_bot::Args),
    /// Act as a remote bot: pass lines to a server and back
    #[command(after_help = format!("{CONNECT}\n\n{EXIT_CODES}"))]
    Connect(connect::Args),
    /// Convert the platform's replays and its runner's results into logs
    #[command(after_help = format!("{IMPORT}\n\n{EXIT_CODES}"))]
    Import(import::Args),
    /// Play two bots against each other in pairs of games and measure the difference
    #[command(name = "match", after_help = format!("{MATCH}\n\n{EXIT_CODES}"))]
    Match(matches::Args),
    /// Test sequentially (SPRT) whether a new bot is better than the old one
    #[command(after_help = format!("{SPRT}\n\n{EXIT_CODES}"))]
    Sprt(sprt::Args),
    /// Tune a bot's parameters by playing games
    #[command(after_help = format!("{TUNE}\n\n{EXIT_CODES}"))]
    Tune(tune::Args),
    /// Rate several bots: round robin or gauntlet, ratings with error bars
    #[command(after_help = format!("{RATE}\n\n{EXIT_CODES}"))]
    Rate(rate::Args),
    /// Keep the versions of a bot for a contest's days: add, list, submitted, ratings by attributes
    #[command(after_help = format!("{POOL}\n\n{EXIT_CODES}"))]
    Pool(pool::Args),
    /// Print the statistics of finished games, of any program, as match, sprt and rate do
    #[command(after_help = format!("{STATS}\n\n{EXIT_CODES}"))]
    Stats(stats::Args),
    /// Join the parts of one run played on several machines
    #[command(after_help = format!("{MERGE}\n\n{EXIT_CODES}"))]
    Merge(merge::Args),
    /// Count the move sequences of a contest's rules
    #[command(after_help = format!("{PERFT}\n\n{EXIT_CODES}"))]
    Perft(perft::Args),
    /// Solve a contest's start position, or a given one, under perfect play
    #[command(after_help = format!("{SOLVE}\n\n{EXIT_CODES}"))]
    Solve(solve::Args),
    /// Run the searches on fixed positions and print a checksum of their behaviour
    #[command(after_help = format!("{BENCH}\n\n{EXIT_CODES}"))]
    Bench(bench::Args),
    /// Echo each line: the idle bot with which a match measures the machine's noise
    #[command(name = noise::IDLE_COMMAND, hide = true)]
    Echo,
    /// Run a bot from a file of words: for external referees
    #[command(name = external::RUN_BOT_COMMAND, hide = true)]
    RunBot(run_bot::Args),
    /// Print a script by which a shell completes commands and options
    #[command(after_help = format!("{COMPLETIONS}\n\n{EXIT_CODES}"))]
    Completions(completions::Args),
    /// List the contests
    #[command(after_help = EXIT_CODES)]
    Contests(contests::Args),
}

impl Cli {
    /// The interrupt handler of the subcommand; `None` lets Ctrl-C end the program at once.
    pub fn on_interrupt(&self) -> Option<fn()> {
        use Command::{
            Check, Doctor, Match, Mistakes, Play, Rate, Referee, Replay, Report, Sprt, Submit, Tune, Verify,
            View,
        };
        match &self.command {
            Play(args) if args.has_person() => Some(person::interrupt),
            Play(_) | Match(_) | Sprt(_) | Tune(_) | Rate(_) | Referee(_) | Replay(_) | Check(_)
            | Verify(_) | View(_) | Report(_) | Mistakes(_) | Doctor | Submit(_) => Some(process::interrupt),
            Command::Pool(args) if args.is_addition() => Some(process::interrupt),
            Command::Debug(_) | Command::Solve(_) => Some(console::interrupt),
            Command::Serve(_) => Some(server::interrupt),
            _ => None,
        }
    }
}

/// Runs command lines of this program, the first word of each being the program.
fn of_words<'a>(
    program: &'a Program<'_>,
) -> impl FnMut(&[String], &mut dyn Write) -> Result<Outcome, Failure> + 'a {
    |words, out| {
        let mut all = entrance::commands(program);
        let matches =
            all.try_get_matches_from_mut(words).map_err(|error| Failure::usage(error.to_string()))?;
        let cli = Cli::from_arg_matches(&matches).map_err(|error| Failure::usage(error.to_string()))?;
        run(&cli, program, out)
    }
}

/// Runs the subcommand of a command line; results go to `out`.
///
/// # Errors
/// Each [`Failure`] has its exit code.
pub fn run(cli: &Cli, program: &Program<'_>, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let known = program.contests;
    match &cli.command {
        Command::Sprt(args) => return sprt::run(args, known, out),
        Command::Rate(args) => return rate::run(args, known, out),
        Command::Stats(args) => return stats::run(args, out),
        Command::Merge(args) => return merge::run(args, out),
        Command::Solve(args) => return solve::run(args, known, out),
        Command::Tune(args) => tune::run(args, known, out),
        Command::New(args) => new::run(args, out),
        Command::Init(args) => init::run(args, &entrance::commands(program), known, out),
        Command::Config => config::run(&entrance::commands(program), known, out),
        Command::Doctor => doctor::run(&entrance::commands(program), known, &mut of_words(program), out),
        Command::Submit(args) => {
            submit::run(args, &entrance::commands(program), known, &mut of_words(program), out)
        }
        Command::Pool(args) => pool::run(args, known, out),
        Command::Match(args) => matches::run(args, known, out),
        Command::Play(args) => play::run(args, known, out),
        Command::Referee(args) => referee::run(args, find(known, &args.contest)?, out),
        Command::Debug(args) => debug::run(args, find(known, &args.contest)?, out),
        Command::Check(args) => check::run(args, known, out),
        Command::Replay(args) => replay::run(args, known, out),
        Command::Verify(args) => verify::run(args, known, out),
        Command::View(args) => view::run(args, known, out),
        Command::Report(args) => report::run(args, known, out),
        Command::Cases(args) => cases::run(args, out),
        Command::Mistakes(args) => mistakes::run(args, known, out),
        Command::Serve(args) => serve::run(args, find(known, &args.contest)?, out),
        Command::AsBot(args) => as_bot::run(args, find(known, &args.contest)?, out),
        Command::Connect(args) => connect::run(args, out),
        Command::Import(args) => import::run(args, known, out),
        Command::Regress(args) => regress::run(args, known, out),
        Command::Perft(args) => perft::run(args, find(known, &args.contest)?, out),
        Command::Bench(args) => {
            let chosen: Result<Vec<_>, _> = args.contests.iter().map(|name| find(known, name)).collect();
            let chosen = chosen?;
            bench::run(args, if chosen.is_empty() { known } else { &chosen }, out)
        }
        Command::Echo => {
            echo::run(out);
            Ok(())
        }
        Command::RunBot(args) => run_bot::run(args),
        Command::Completions(args) => completions::run(args, entrance::commands(program), out),
        Command::Contests(args) => contests::run(args, known, out),
    }?;
    Ok(Outcome::Done)
}

//! The command line.

use std::io::Write;

use bots::contest::Contest;
use clap::{Parser, Subcommand};

use crate::command::{
    bench, check, connect, contests, debug, echo, import, lander, matches, merge, perft, play, rate, referee,
    replay, serve, solve, sprt, study, tune, Outcome,
};
use crate::console;
use crate::error::ArenaError;
use crate::noise;
use crate::process;
use crate::server;

/// What every subcommand's help ends with.
const EXIT_CODES: &str = "\
Exit codes:
  0    done; games were refereed, even if bots lost them by faults
  1    failure: a bot can't be started, a file can't be written, ...; or interrupted: the bots were ended, and what was
       known was printed
  2    the command line isn't right
  3    a test accepted H0, or couldn't decide; or a threshold was not reached; or a lander was lost";

/// Examples of `arena play`.
const PLAY: &str = "\
Examples:
  arena play reversi ./mine ./theirs                       one game at the contest's limits
  arena play reversi ./mine './theirs --nodes 5000' --games 100 --openings 8
  arena play reversi ./mine ./theirs --games 20 --openings 8 --log-dir games --json > games.jsonl";

/// Examples of `arena match`.
const MATCH: &str = "\
Examples:
  arena match reversi ./new ./old -n 200              100 openings, each from both sides
  arena match reversi './new --nodes 5000' './old --nodes 5000' -n 400 -j 2 --json
  arena match uttt -p1 ./new -p2 ./old -n 100 -t 2 -s -i 7 -l logs       as cg-brutaltester has it

Each game is a line of games.jsonl in the run's folder as soon as it is over. The same command goes on where it was
left, whatever ended it; with a greater -n it plays on.";

/// Examples of `arena sprt`.
const SPRT: &str = "\
Examples:
  arena sprt reversi ./new ./old                      is it at least 10 normalised Elo better, or not better?
  arena sprt reversi ./new ./old --elo0 -5 --elo1 0   is it no worse?
  arena sprt uttt './new --nodes 2000' './old --nodes 2000' --openings 6 -n 4000
  arena sprt mancala 'in:bot --ms 100' 'in:minimax --ms 100'          searches of this program, at equal time

Pairs are judged in the order of the plan, so the verdict doesn't depend on chance beyond the games. The same command goes
on where it was left.";

/// Examples of `arena rate`.
const RATE: &str = "\
Examples:
  arena rate reversi ./v1 ./v2 ./v3 -n 100               all meet all, 50 openings for each two of them
  arena rate reversi ./new ./v1 ./v2 ./v3 --gauntlet -n 200 --json
  arena rate uttt './bot --nodes 500' './bot --nodes 2000' './bot --nodes 8000' --stop-threshold 50

Ratings are Elo above the mean of all bots, by Bradley and Terry's model with draws and seats; the order of the games
doesn't matter. LOS is the likelihood that a bot is stronger than the one below it. --stop-threshold is judged after each
round, in which all have played one opening; it may look so often, since its bound holds at all times together. The same
command goes on where it was left; parts of a run (--shard) that `arena merge -o DIR/games.jsonl` has joined are rated by
the same command with --dir DIR.";

/// Examples of `arena merge`.
const MERGE: &str = "\
Examples:
  arena merge machine1/games.jsonl machine2/games.jsonl       what both come to
  arena merge part1 part2 part3 -o all/games.jsonl            and one file, with which a run can go on
  arena merge part* --sprt --elo0 0 --elo1 10 --json

The parts come from --shard. With GNU parallel, on this machine or others (-S):
  parallel arena match reversi ./new ./old -n 1000 --shard {}/4 --dir part{} ::: 1 2 3 4
In a Slurm array (sbatch --array=1-4):
  arena match reversi ./new ./old -n 1000 --shard $SLURM_ARRAY_TASK_ID/4 --dir part$SLURM_ARRAY_TASK_ID
In an indexed job of Kubernetes (completions: 4, completionMode: Indexed; parts are counted from 1):
  arena match reversi ./new ./old -n 1000 --shard $((JOB_COMPLETION_INDEX + 1))/4 --dir /shared/part$JOB_COMPLETION_INDEX";

/// Examples of `arena perft`.
const PERFT: &str = "\
Examples:
  arena perft reversi 9               counts for 1 to 9 plies, with leaves a second
  arena perft reversi 5 --divide      the last of them split by first move";

/// Examples of `arena solve`.
const SOLVE: &str = "\
Examples:
  arena solve mancala 6 4             both rules of capture; 0 or 1 behind it: one of them
  arena solve mancala 6 4 0 --mb 4000 --json
  arena solve mnk 4 3 3
  arena solve tictactoe --moves '0,0 1,1 2,2'

The value is exact, by how much where the game counts, else in how many plies. It takes as long as it takes: few games \
are so small that it ends. Ctrl-C ends it.";

/// Examples of `arena bench`.
const BENCH: &str = "\
Examples:
  arena bench                         every contest's searches, and one checksum
  arena bench reversi                 one contest's

The checksum changes when, and only when, a search behaves otherwise: quote it in a commit that may change that.";

/// Examples of `arena debug`.
const DEBUG: &str = "\
Examples:
  arena debug reversi --search minimax --openings 8 --seed 3
  printf 'nodes 100000\\nlist 5\\nbest\\nlist\\n' | arena debug reversi --search mcts --json
  arena debug reversi --replay games/7.json --turn 24 --script look.txt

At a terminal there are a prompt and a history, and Ctrl-C ends what the search is doing. From a pipe or a file \
the first order that can't be done ends the script with its line number and exit code 1. `help` lists the orders.";

/// Examples of `arena serve`.
const SERVE: &str = "\
Examples:
  arena serve reversi                                       listens on a port of this machine that is free
  arena serve uttt --listen 127.0.0.1:4711 --ponder --search mcts --pool-mb 256
  arena serve tictactoe --addr-file address & arena play tictactoe 'arena connect --addr-file address' ./mine

A client plays the referee: it sends the lines of the contest's protocol, and is answered as by a bot. Each has a \
game and a search of its own. What makes no sense is answered with a line that begins with error, and the end. \
Ctrl-C is the regular end, exit code 0; games that go on are broken off.";

/// Examples of `arena connect`.
const CONNECT: &str = "\
Examples:
  arena connect 127.0.0.1:4711                                        by hand
  arena play uttt ./mine 'arena connect 127.0.0.1:4711' --games 10    as a bot
  arena match reversi ./mine 'arena connect --addr-file address' -n 100

Ends when the server ends the connection; the end of the standard input is passed on.";

/// Examples of `arena import`.
const IMPORT: &str = "\
Examples:
  arena import 798123456.json -o games              a replay saved from the platform; the contest is recognised
  arena import reversi results/*.json -o games      the published runner's results, of this contest
  arena import --contest mnk:3,3,3 game.json        a variant has to be named

The files hold answers alone: what the bots were sent is made from the rules. Whoever moved first is seat 0, the \
logs' p0. Exit status 1 if a file could not be imported.";

/// Examples of `arena check`.
const CHECK: &str = "\
Examples:
  arena check reversi ./mine                        start, times, whole games on each seat, closed input, garbage
  arena check uttt 'python3 mine.py' --games 20     more games against random moves
  arena check mnk:3,3,3 ./mine --json               one object with all points

A FAULT loses games: exit status 1, with what was said last, byte for byte. A warning loses none here.";

/// Examples of `arena replay`.
const REPLAY: &str = "\
Examples:
  arena replay games/7.p0.log --show               each position of a game; the other dialogue is found beside it
  arena replay games.jsonl                          all games of a run through the rules
  arena replay 798123456.json --bot ./mine --all    where a bot would have moved otherwise, or failed

Exit status 1 if a game disagrees with the rules or was cut off, or the bot moved otherwise or failed.";

/// Examples of `arena referee`.
const REFEREE: &str = "\
Examples:
  arena referee reversi -p1 ./mine -p2 ./theirs -d seed=7
  arena referee reversi --openings 8 -p1 ./mine -p2 ./theirs -d seed=7 -l game.json
  java -jar cg-brutaltester.jar -r 'arena referee reversi --openings 8' -p1 ./mine -p2 ./theirs -n 100 -s -l logs

Prints a score a line, -1 for a bot that failed, then what repeats the game. Without --openings all games of \
deterministic bots are the same game.";

/// Examples of `arena lander`.
const LANDER: &str = "\
Examples:
  arena lander ./mine                                   the eight official cases
  arena lander './mine --seed {seed}' --case 2.4 --runs 10 -j 2
  arena lander ./new ./old --random 200 --seed 7 --json > flights.jsonl
  arena lander ./mine --case 2.4 --svg flight.svg

A file is what a bot is sent up to its first turn (the number of points, their lines X Y, and one line X Y hSpeed vSpeed \
fuel rotate power), or a JSON list of cases: [{\"case\": \"a\", \"surface\": [[0, 100], [6999, 100]], \"x\": 2500, \"y\": 2700, \
\"h_speed\": 0, \"v_speed\": 0, \"fuel\": 550, \"rotate\": 0, \"power\": 0}], with name, best_known_fuel_left and \
physical_limit_fuel_left if there are. Exit status 3 if a lander was lost that isn't proved to be beyond help.";

/// Examples of `arena study`.
const STUDY: &str = "\
Examples:
  arena study --list                       which there are, and what each claims
  arena study boop --quick                 in a minute
  arena study boop --write docs/studies.md all of it, into the document's section and docs/studies/boop.svg
  arena study pruning-mancala --show > mine.toml    a file to begin one of your own with
  arena study mine.toml --games 40

A study is a file: contest, entrants, budgets, who meets whom, what was published. Games are kept \
in --dir; the same command goes on where it was stopped. \"agrees\": both figures' 95 % intervals, each from its own number of \
games, allow them to be one, and ours is narrow enough to say so.";

/// Examples of `arena tune`.
const TUNE: &str = "\
Examples:
  arena tune uttt in:playouts --nodes 1000                   a search of this program, without processes
  arena tune reversi ./mine --nodes 5000 --games 2000 -j 4   a bot in any language
  arena tune reversi ./mine --params window --start window=40 --range window=0..200 --later-ms 50
  arena tune reversi ./mine --print-spsa                     lines for OpenBench

What a bot has to do: started with --tunables it prints a line `NAME, int|float, VALUE, MIN, MAX` for each number \
that may be tuned, and exits with status 0; it takes --param NAME=VALUE as often as it is given. Every finished pair \
of games is a line of the log: the same command again goes on where it was stopped. `in:SEARCH` takes --nodes or --ms, --seed, \
--pool-mb and --param, and works in match and sprt too; `arena debug CONTEST` lists the searches.";

/// Referees bots over pipes.
#[derive(Debug, Parser)]
#[command(name = "arena", version, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Referee games between bots
    #[command(after_help = format!("{PLAY}\n\n{EXIT_CODES}"))]
    Play(play::Args),
    /// Referee one game, for cg-brutaltester: -p1 CMD -p2 CMD [-d seed=N] [-l FILE.json]
    #[command(after_help = format!("{REFEREE}\n\n{EXIT_CODES}"))]
    Referee(referee::Args),
    /// A console inside a search: think, walk through its tree, change its mind
    #[command(after_help = format!("{DEBUG}\n\n{EXIT_CODES}"))]
    Debug(debug::Args),
    /// Try a bot before it plays: times, whole games, closed input, garbage
    #[command(after_help = format!("{CHECK}\n\n{EXIT_CODES}"))]
    Check(check::Args),
    /// Replay recorded games through the rules, and through a bot
    #[command(after_help = format!("{REPLAY}\n\n{EXIT_CODES}"))]
    Replay(replay::Args),
    /// Serve a contest's protocol over a socket
    #[command(after_help = format!("{SERVE}\n\n{EXIT_CODES}"))]
    Serve(serve::Args),
    /// Be a bot that is somewhere else: pass lines to a server and back
    #[command(after_help = format!("{CONNECT}\n\n{EXIT_CODES}"))]
    Connect(connect::Args),
    /// Turn replays of the platform and results of its runner into logs
    #[command(after_help = format!("{IMPORT}\n\n{EXIT_CODES}"))]
    Import(import::Args),
    /// Fly Mars Lander's cases: fuel left, and the least that physics ask for
    #[command(after_help = format!("{LANDER}\n\n{EXIT_CODES}"))]
    Lander(lander::Args),
    /// Play two bots against each other, in pairs of games: which is better, and by how much
    #[command(name = "match", after_help = format!("{MATCH}\n\n{EXIT_CODES}"))]
    Match(matches::Args),
    /// Play until it is known whether a new bot is better than the old one
    #[command(after_help = format!("{SPRT}\n\n{EXIT_CODES}"))]
    Sprt(sprt::Args),
    /// Find better numbers for a bot by games
    #[command(after_help = format!("{TUNE}\n\n{EXIT_CODES}"))]
    Tune(tune::Args),
    /// Put several bots in order: round robin or gauntlet, ratings with errors
    #[command(after_help = format!("{RATE}\n\n{EXIT_CODES}"))]
    Rate(rate::Args),
    /// Play again what was published, and say whether it agrees
    #[command(after_help = format!("{STUDY}\n\n{EXIT_CODES}"))]
    Study(study::Args),
    /// Join the games that several machines have played of one run
    #[command(after_help = format!("{MERGE}\n\n{EXIT_CODES}"))]
    Merge(merge::Args),
    /// Count the move sequences of a contest's rules
    #[command(after_help = format!("{PERFT}\n\n{EXIT_CODES}"))]
    Perft(perft::Args),
    /// Find out what a contest's start, or a position of it, is worth if nobody errs
    #[command(after_help = format!("{SOLVE}\n\n{EXIT_CODES}"))]
    Solve(solve::Args),
    /// Run the searches on fixed positions and print a checksum of what they did
    #[command(after_help = format!("{BENCH}\n\n{EXIT_CODES}"))]
    Bench(bench::Args),
    /// Answer each line with itself: the idle bot by which a match measures the machine
    #[command(name = noise::IDLE_COMMAND, hide = true)]
    Echo,
    /// List the contests
    #[command(after_help = EXIT_CODES)]
    Contests(contests::Args),
}

impl Cli {
    /// What an interrupt must do, if it isn't to end the program at once.
    pub fn on_interrupt(&self) -> Option<fn()> {
        use Command::{Check, Lander, Match, Play, Rate, Referee, Replay, Sprt, Study, Tune};
        match self.command {
            Play(_) | Lander(_) | Match(_) | Sprt(_) | Tune(_) | Rate(_) | Referee(_) | Replay(_)
            | Check(_) | Study(_) => Some(process::interrupt),
            Command::Debug(_) | Command::Solve(_) => Some(console::interrupt),
            Command::Serve(_) => Some(server::interrupt),
            _ => None,
        }
    }
}

/// Does what the command line says; results go to `out`.
///
/// # Errors
/// See [`ArenaError`]; it knows its exit code.
pub fn run(cli: &Cli, known: &[&dyn Contest], out: &mut dyn Write) -> Result<Outcome, ArenaError> {
    match &cli.command {
        Command::Sprt(args) => return sprt::run(args, find(known, &args.contest)?, out),
        Command::Rate(args) => return rate::run(args, find(known, &args.contest)?, out),
        Command::Merge(args) => return merge::run(args, out),
        Command::Study(args) => return study::run(args, known, out),
        Command::Lander(args) => return lander::run(args, out),
        Command::Tune(args) => tune::run(args, find(known, &args.contest)?, out),
        Command::Match(args) => matches::run(args, find(known, &args.contest)?, out),
        Command::Play(args) => play::run(args, find(known, &args.contest)?, out),
        Command::Referee(args) => referee::run(args, find(known, &args.contest)?, out),
        Command::Debug(args) => debug::run(args, find(known, &args.contest)?, out),
        Command::Check(args) => check::run(args, find(known, &args.contest)?, out),
        Command::Replay(args) => replay::run(args, known, out),
        Command::Serve(args) => serve::run(args, find(known, &args.contest)?, out),
        Command::Connect(args) => connect::run(args, out),
        Command::Import(args) => import::run(args, known, out),
        Command::Solve(args) => solve::run(args, known, out),
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
        Command::Contests(args) => contests::run(args, known, out),
    }?;
    Ok(Outcome::Done)
}

/// The contest called `name`, in the variant that may stand behind a colon.
pub(crate) fn find<'a>(known: &[&'a dyn Contest], name: &str) -> Result<&'a dyn Contest, ArenaError> {
    let (base, variant) = name.split_once(':').map_or((name, None), |(base, words)| (base, Some(words)));
    let found = known.iter().copied().find(|contest| contest.name() == base);
    let contest = found.ok_or_else(|| ArenaError::UnknownContest {
        name: base.to_owned(),
        known: known.iter().map(|contest| contest.name().to_owned()).collect(),
    })?;
    match variant.map(|words| contest.variant(words)) {
        None => Ok(contest),
        // Once or twice a run: it may stay until the end.
        Some(Ok(variant)) => Ok(Box::leak(variant)),
        Some(Err(reason)) => Err(ArenaError::Variant { contest: base.to_owned(), reason }),
    }
}

//! The options of the command line.

use std::path::PathBuf;

use clap::error::{Error, ErrorKind};
use clap::{Args, CommandFactory, Parser, ValueEnum};
use coppice_arena::ClusterArgs;

/// Make an evaluation's weights: play games, learn from them, check, pack and prove the result
#[derive(Debug, Parser)]
#[command(version, after_help = format!("{EXAMPLES}{STATUS}"))]
pub struct Command {
    /// The game
    pub game: Name,
    /// Options of its steps.
    #[command(flatten)]
    pub options: Options,
}

/// The command line of a program for one game
#[derive(Debug, Parser)]
#[command(
    about = "Make an evaluation's weights: play games, learn from them, check, pack and prove the result"
)]
#[command(after_help = STATUS)]
pub struct OfOneGame {
    /// Options of its steps.
    #[command(flatten)]
    pub options: Options,
}

/// Options of the steps of a game.
#[derive(Debug, Args)]
pub struct Options {
    /// One step alone; without it all of them, in this order
    pub step: Option<Step>,
    /// The folder of games, outside the repository [default: ../coppice-games/GAME]
    #[arg(long, value_name = "DIR", overrides_with = "data")]
    pub data: Option<PathBuf>,
    /// The file of weights to write [default: the bot's; run it in the repository's root]
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
    /// Threads [default: all cores; one for each worker of a cluster]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub threads: Option<usize>,
    /// Print one line of JSON a step
    #[arg(long)]
    pub json: bool,

    /// Rounds after the first: each plays games with the newest weights and trains on them [default: the game's]
    #[arg(long, value_name = "N")]
    pub rounds: Option<u32>,

    /// Games in a generation, with those that are there [default: the game's]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), help_heading = "Generate")]
    pub games: Option<u64>,
    /// The weights that play the first games: a file, or `none` for the bot without learnt weights [default: those that
    /// this program was built with]
    #[arg(long, value_name = "FILE", help_heading = "Generate")]
    pub with: Option<PathBuf>,
    /// Games in a file
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..), help_heading = "Generate")]
    pub games_per_shard: u64,
    /// Workers that play the games.
    #[command(flatten)]
    pub cluster: ClusterArgs,
    /// Seed of the games, of the order in learning and of the openings of proofs
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Epochs, in every stage of the recipe [default: the stage's] (and at the next four)
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Learn")]
    pub epochs: Option<u32>,
    /// Positions in a step
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Learn")]
    pub batch: Option<u32>,
    /// Size of the first step, in points
    #[arg(long, value_parser = above_zero, help_heading = "Learn")]
    pub rate: Option<f32>,
    /// Share of a game's result in a target; the rest is the search's score
    #[arg(long, value_parser = share, help_heading = "Learn")]
    pub share: Option<f32>,
    /// Train on one in N of the positions that no game reached: 1 for all, 0 for none
    #[arg(long, value_name = "N", help_heading = "Learn")]
    pub aside: Option<u32>,
    /// Learn winning chances, with 73 % at N points, in place of points
    #[arg(long, value_name = "POINTS", value_parser = above_zero, help_heading = "Learn")]
    pub scale: Option<f32>,
    /// Limit targets to N points
    #[arg(long, value_name = "POINTS", value_parser = above_zero, help_heading = "Learn")]
    pub widest: Option<f32>,
    /// Begin with the packed weights of this file, and learn as a round does
    #[arg(long, value_name = "FILE", help_heading = "Learn")]
    pub from: Option<PathBuf>,
    /// Learn from the N latest generations of games
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Learn")]
    pub generations: Option<u32>,

    /// Check also by games that packed weights play as well as the learnt ones: -5 against 0 Elo
    #[arg(long, help_heading = "Check and prove")]
    pub play: bool,
    /// Nodes a move
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..), help_heading = "Check and prove")]
    pub nodes: u64,
    /// The weights that `prove` plays against: a file, or `none` for the bot without learnt weights [default: those that this
    /// program was built with]
    #[arg(long, value_name = "FILE", help_heading = "Check and prove")]
    pub against: Option<PathBuf>,
    /// The hypothesis that `prove` refutes, in normalised Elo
    #[arg(long, default_value_t = 0.0, value_parser = elo, allow_hyphen_values = true, help_heading = "Check and prove")]
    pub elo0: f64,
    /// The hypothesis that `prove` accepts
    #[arg(long, default_value_t = 10.0, value_parser = elo, allow_hyphen_values = true, help_heading = "Check and prove")]
    pub elo1: f64,
    /// Pairs of games after which a test ends undecided
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..), help_heading = "Check and prove")]
    pub pairs: u64,
}

impl Options {
    /// Exits with a usage error if options contradict each other.
    pub fn checked<C: CommandFactory>(self) -> Options {
        if self.elo0 >= self.elo1 {
            let text = format!("--elo0 {} is not below --elo1 {}", self.elo0, self.elo1);
            let error: Error = C::command().error(ErrorKind::ValueValidation, text);
            error.exit();
        }
        self
    }
}

/// A finite number that `holds`, or what was expected.
fn number(text: &str, expected: &str, holds: impl Fn(f32) -> bool) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| number.is_finite() && holds(*number));
    number.ok_or_else(|| format!("expected {expected}"))
}

fn above_zero(text: &str) -> Result<f32, String> {
    number(text, "a number above 0", |number| number > 0.0)
}

fn share(text: &str) -> Result<f32, String> {
    number(text, "a number from 0 to 1", |number| (0.0..=1.0).contains(&number))
}

fn elo(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| "expected a number".to_owned())
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| "expected a number of at least 1".to_owned())
}

const EXAMPLES: &str = "\
Examples:
  factory reversi                                    all steps, with new games of the current weights
  factory reversi generate --games 100000            go on playing, up to 100,000 games
  factory reversi generate --games 100000 --cluster slurm:64 --data /shared/reversi
  factory reversi learn --epochs 10 --generations 1
  factory uttt --rounds 5                            more games of what was learnt, and learning from them
  factory uttt learn --from bots/uttt/pattern/weights.bin --epochs 4
  factory boop --with none                           from games of the bot without learnt weights
  factory reversi check --play
  factory reversi pack --weights /tmp/weights.bin
  factory reversi prove --nodes 2000
  factory boop prove --against none                  how much the learnt weights are worth

";

/// Help that holds for any game.
const STATUS: &str = "\
A step that is interrupted, at any point, goes on with the same command.

Exit status: 0 success, 1 failure, 2 usage, 3 a check or a proof that failed";

/// The games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Name {
    /// Othello
    Reversi,
    /// Ultimate tic-tac-toe
    Uttt,
    /// boop.
    Boop,
    /// Oware.
    Oware,
    /// Kalah.
    Mancala,
}

/// The steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Step {
    /// Play games with the current weights; goes on where the last run ended
    Generate,
    /// Learn from the games
    Learn,
    /// Compare learnt and packed weights
    Check,
    /// Write the file of weights, and next to it a file on their origin
    Pack,
    /// Play the packed weights against those that this program was built with
    Prove,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_consistent() {
        Command::command().debug_assert();
        OfOneGame::command().debug_assert();
        for line in EXAMPLES.lines().filter(|line| line.starts_with("  factory")) {
            let words = line.split("  ").nth(1).expect("a command").split_whitespace();
            Command::try_parse_from(words).expect(line);
        }
    }
}

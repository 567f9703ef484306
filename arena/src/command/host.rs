//! What plays the games of a command: a contest of this program, or an external referee (`-r`).

use std::path::Path;
use std::time::Duration;

use clap::ValueEnum;
use contest::{Contest, Limits};

use crate::command::limits::LIMIT_MS;
use crate::command::misuse::Misuse;
use crate::command::tester_options::TesterArgs;
use crate::failure::Failure;
use coppice_referee::contests::{self, find};
use coppice_referee::external::{ExternalReferee, NegativeScores, SeedOption, Settings};
use coppice_referee::process::command_line::CommandLine;
use coppice_referee::record::Seating;
use coppice_referee::series::host::Host;
use coppice_referee::series::seeds::Seeds;
use coppice_referee::series::Series;
use coppice_stats::{Compare, Scoring};

/// The largest number of bots in a game of an external referee.
pub(crate) const MOST_PLAYERS: u8 = 8;

/// The contest, or the referee with its options.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct HostArgs {
    /// The contest's name; `arena contests` lists them. With -r it is left out
    #[arg(required_unless_present_any = ["referee", "tester"])]
    contest: Option<String>,
    #[command(flatten)]
    referee: RefereeArgs,
    /// Seats of the bots in the games of a seed
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = Seating::Rotations)]
    seats: Seating,
}

/// The seeds of a heuristic contest's runs.
const USUAL_SEEDS: std::ops::Range<u64> = 0..100;

/// The heading of these options in the help.
const HEADING: &str = "External referee";

/// `-r` and its options.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct RefereeArgs {
    /// Play through this referee: it gets `-p1 CMD -p2 CMD ... -d seed=N -l FILE`, as from cg-brutaltester, or, if its
    /// command line has such places, {P1} {P2} ... (or {PLAYERS}), {SEED} and {LOG} are filled in. It prints a score a
    /// line, or JSON
    #[arg(short, long, value_name = "CMD")]
    referee: Option<String>,
    /// Number of bots in a game of the referee; default: as many as are given (rate: 2). With 1, bots are compared on the
    /// same seeds
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u8).range(1..=i64::from(MOST_PLAYERS)), help_heading = HEADING)]
    players: Option<u8>,
    /// The contest's name in results; default: from the referee's file name
    #[arg(long, value_name = "NAME", help_heading = HEADING)]
    contest_name: Option<String>,
    /// League, for referees with -league N
    #[arg(long, value_name = "N", help_heading = HEADING)]
    league: Option<u32>,
    /// Another argument for the referee; may be given several times
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, help_heading = HEADING)]
    referee_arg: Vec<String>,
    /// Seconds after which a game is given up, or a tester's run that has an output to score; default: 600, a tester's 60
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..), help_heading = HEADING)]
    referee_limit: Option<u32>,
    /// How the referee takes its seed; default: detected in the first game, by the seed printed after the scores
    #[arg(long, value_enum, value_name = "HOW", help_heading = HEADING)]
    seed_as: Option<SeedOption>,
    /// The number of bits of a seed: 64 for signed numbers, fewer for numbers that are never negative
    #[arg(long, value_name = "N", default_value_t = 64,
          value_parser = clap::value_parser!(u32).range(1..=64), help_heading = HEADING)]
    seed_bits: u32,
    /// Start a Java referee with no flags but its own; otherwise it gets those that make it start faster
    #[arg(long, help_heading = HEADING)]
    plain_jvm: bool,
    /// Keep one Java virtual machine for each game that is played at a time: several times as many games a minute. Each
    /// game reloads its classes. Needs a JDK; where it isn't possible, a note says why
    #[arg(long, conflicts_with = "plain_jvm", help_heading = HEADING)]
    keep_jvm: bool,
    /// The bots' programs are only there where the referee runs, such as in a container: don't look for them on this machine.
    /// Their dialogues aren't recorded
    #[arg(long, help_heading = HEADING)]
    no_check_bots: bool,
    /// The meaning of a negative score: without the option a failure where the referee or the bot's process says so, else the run
    /// stops
    #[arg(long, value_enum, value_name = "WHAT", num_args = 0..=1, require_equals = true,
          default_missing_value = "scores", default_value = "ask", help_heading = HEADING)]
    negative_scores: NegativeScores,
    /// The referee speaks the old protocol of cg-brutaltester (###Start, ###Input, ###Output, ###End): this program runs the
    /// bots, with these milliseconds for the first and the other answers
    #[arg(long, value_name = "FIRST,LATER", num_args = 0..=1, require_equals = true, default_missing_value = "1000,100",
          value_parser = old_limits, conflicts_with_all = ["keep_jvm", "no_check_bots"], help_heading = HEADING)]
    old_protocol: Option<Limits>,
    /// Fewer points are better
    #[arg(long, help_heading = HEADING)]
    lower_is_better: bool,
    /// Comparison of two bots that play alone (a contest for one, --players 1, --tester) on a seed; default: rank, with
    /// --tester relative
    #[arg(long, value_enum, value_name = "WHAT", help_heading = HEADING)]
    compare: Option<Compare>,
    #[command(flatten)]
    pub tester: TesterArgs,
}

/// `FIRST,LATER`, in milliseconds.
fn old_limits(text: &str) -> Result<Limits, String> {
    let limit = |text: &str| {
        let ms = text.trim().parse().ok().filter(|ms| LIMIT_MS.contains(ms))?;
        Some(Duration::from_millis(u64::from(ms as u32)))
    };
    let limits = text.split_once(',').and_then(|(first, later)| Some((limit(first)?, limit(later)?)));
    let limits = limits.map(|(first, later)| Limits { first, later });
    limits.ok_or_else(|| "expected two limits in milliseconds, 1 to 86400000, such as 1000,100".to_owned())
}

/// A contest, or a referee that lasts as long as the command.
pub(crate) enum Opened<'a> {
    /// A contest of this program.
    Contest(&'a dyn Contest),
    /// A referee.
    Referee(Box<ExternalReferee>),
}

impl Opened<'_> {
    /// The host of the games.
    pub(crate) fn host(&self) -> Host<'_> {
        match self {
            Self::Contest(contest) => Host::Contest(*contest),
            Self::Referee(referee) => Host::Referee(referee),
        }
    }

    /// The contest whose games begin in a position, if one is given.
    ///
    /// # Errors
    /// If it can't be read, or a referee plays the games.
    pub(crate) fn at(self, position: Option<&str>) -> Result<Self, Failure> {
        match (self, position) {
            (Self::Contest(contest), Some(text)) => Ok(Self::Contest(contests::at_position(contest, text)?)),
            (Self::Referee(_), Some(_)) => Err(Misuse::Outside { options: "--position" }.into()),
            (opened, None) => Ok(opened),
        }
    }
}

impl HostArgs {
    /// A contest, or a referee if `referee` names one.
    pub(crate) fn of(contest: String, referee: RefereeArgs) -> HostArgs {
        HostArgs { contest: Some(contest), referee, seats: Seating::Rotations }
    }

    /// The contest or the referee. `players` is the default number of bots in a game, from the number of those given.
    ///
    /// # Errors
    /// If the contest is unknown, or the referee's options contradict each other.
    pub(crate) fn open<'a>(
        &self,
        known: &[&'a dyn Contest],
        players: impl Fn(usize) -> usize,
        bots: usize,
    ) -> Result<Opened<'a>, Failure> {
        let Some(command) = self.referee.command() else {
            let contest = find(known, self.contest.as_deref().unwrap_or_default())?;
            let is_alone = contest.seats() == 1;
            if let Some(option) =
                self.referee.words().iter().find(|word| !(is_alone && word.starts_with("--compare=")))
            {
                return Err(Failure::usage(format!("{option} is for an external referee: give one with -r")));
            }
            return Ok(Opened::Contest(contest));
        };
        let of_bots = || if self.referee.is_heuristic() { 1 } else { players(bots) };
        let seats = self.referee.players.map_or_else(of_bots, usize::from);
        if self.referee.is_heuristic() && seats != 1 {
            return Err(Failure::usage("with --tester each bot plays alone: leave out --players"));
        }
        if !(1..=usize::from(MOST_PLAYERS)).contains(&seats) {
            return Err(Failure::usage(format!(
                "a game of an external referee has 1 to {MOST_PLAYERS} bots, not {seats}: give --players"
            )));
        }
        if seats > 1 && self.referee.compare() != Compare::Rank {
            return Err(Failure::usage(
                "--compare is for bots that play alone (--players 1); with others in a game, only their order counts"
                    .to_owned(),
            ));
        }
        Ok(Opened::Referee(Box::new(self.referee.open(command, seats, self.referee.negative_scores)?)))
    }

    /// Opens the host for a game of `bots` bots: a contest whose name doesn't say a number of seats, in its variant for that
    /// many if it has one.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub(crate) fn open_for<'a>(&self, known: &[&'a dyn Contest], bots: usize) -> Result<Opened<'a>, Failure> {
        Ok(match self.open(known, |bots| bots, bots)? {
            Opened::Contest(contest) if contest.seats() != bots => {
                // Once per run, so the leak is bounded.
                let variant = contests::with_seats(contest, bots).map(|variant| &*Box::leak(variant));
                Opened::Contest(variant.unwrap_or(contest))
            }
            opened => opened,
        })
    }

    /// Checks that neither contest, referee nor bots are given.
    ///
    /// # Errors
    /// If one is.
    pub(crate) fn check_none(&self, bots: &[String]) -> Result<(), Failure> {
        match self.contest.is_none() && !self.is_outside() && bots.is_empty() {
            true => Ok(()),
            false => Err(Failure::usage(
                "a pool has its own contest and bots: give neither with --pool (arena pool new, arena pool add)".to_owned(),
            )),
        }
    }

    /// Whether an external referee is given.
    pub(crate) fn is_outside(&self) -> bool {
        self.referee.command().is_some()
    }

    /// The bots. With a referee, the first one stands where the contest's name would.
    pub(crate) fn bots<'b>(&'b self, rest: &'b [String]) -> Vec<&'b str> {
        let first = self.contest.as_deref().filter(|_| self.is_outside());
        first.into_iter().chain(rest.iter().map(String::as_str)).collect()
    }

    /// Does what [`Self::set`] does, by rank unless another comparison is asked for: leads of good bots are small.
    pub(crate) fn set_by_rank<'a>(&self, series: Series<'a>) -> Series<'a> {
        let mut series = self.set(series);
        if !self.referee.says_compare() {
            series.scoring.compare = Compare::Rank;
        }
        series
    }

    /// The options of a heuristic contest, if it is one.
    pub(crate) fn tester(&self) -> Option<&TesterArgs> {
        self.referee.is_heuristic().then_some(&self.referee.tester)
    }

    /// The seeds of a run: those that are named, or the usual ones of a heuristic contest.
    pub(crate) fn seeds(&self, named: Option<&Seeds>) -> Option<Seeds> {
        named.cloned().or_else(|| self.tester().and_then(|_| Seeds::new(USUAL_SEEDS)))
    }

    /// The words of a command line with this contest or referee.
    pub(crate) fn words(&self) -> Vec<String> {
        let seats = (self.seats != Seating::Rotations).then(|| name(&self.seats)).flatten();
        let seats = seats.map(|seats| format!("--seats={seats}"));
        let contest = self.contest.iter().filter(|_| !self.is_outside()).cloned();
        let referee = self.referee.referee.iter().flat_map(|referee| ["-r".to_owned(), referee.clone()]);
        let mut words = contest.chain(referee).collect::<Vec<_>>();
        words.extend(self.referee.words());
        words.extend(seats);
        words
    }

    /// The options of a referee, as the words of a command line.
    pub(crate) fn referee_words(&self) -> Vec<String> {
        self.referee.words()
    }

    /// A series with these options.
    pub(crate) fn set<'a>(&self, series: Series<'a>) -> Series<'a> {
        let (compare, lower_is_better) = (self.referee.compare(), self.referee.lower_is_better);
        Series { seating: self.seats, scoring: Scoring { compare, lower_is_better }, ..series }
    }
}

impl RefereeArgs {
    /// The command line of the referee, if one is given.
    pub(crate) fn command(&self) -> Option<&str> {
        self.referee.as_deref().or(self.tester.command())
    }

    /// Whether the contest is a heuristic one.
    pub(crate) fn is_heuristic(&self) -> bool {
        self.tester.command().is_some()
    }

    /// Whether it is said how bots that play alone are compared.
    pub(crate) fn says_compare(&self) -> bool {
        self.compare.is_some()
    }

    /// The comparison of bots that play alone.
    fn compare(&self) -> Compare {
        let usual = if self.is_heuristic() { Compare::Relative } else { Compare::Rank };
        self.compare.unwrap_or(usual)
    }

    /// Whether a negative score is said to be a score.
    pub(crate) fn has_negative_scores(&self) -> bool {
        self.negative_scores == NegativeScores::Scores
    }

    /// The referee of a command line.
    ///
    /// # Errors
    /// If the command line can't be split or has wrong places, or the folder for the referee's files can't be made.
    pub(crate) fn open(
        &self,
        command: &str,
        seats: usize,
        negative_scores: NegativeScores,
    ) -> Result<ExternalReferee, Failure> {
        let line = CommandLine::parse(command).map_err(|error| {
            Failure::usage(
                format!("{}: {error}", if self.is_heuristic() { "--tester" } else { "--referee" })
                    .replace("a bot's", "its"),
            )
        })?;
        let settings = Settings {
            name: self.contest_name.clone().unwrap_or_else(|| name_of(&line)),
            seats,
            seed: self.seed_as,
            seed_bits: self.seed_bits,
            league: self.league,
            arguments: self.referee_arg.clone(),
            limit: Duration::from_secs(
                self.referee_limit.unwrap_or(if self.is_heuristic() { 60 } else { 600 }).into(),
            ),
            plain_jvm: self.plain_jvm,
            keep_jvm: self.keep_jvm,
            checks_bots: !self.no_check_bots,
            negative_scores,
            old_protocol: self.old_protocol,
            tester: self.tester.open(self.lower_is_better)?,
        };
        Ok(ExternalReferee::new(line, settings)?)
    }

    /// The options other than `-r`, as the words of a command line.
    fn words(&self) -> Vec<String> {
        let args = self;
        let mut words = Vec::new();
        let mut add = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                words.push(format!("--{name}={value}"));
            }
        };
        add("players", args.players.map(|players| players.to_string()));
        add("contest-name", args.contest_name.clone());
        add("league", args.league.map(|league| league.to_string()));
        args.referee_arg.iter().for_each(|word| add("referee-arg", Some(word.clone())));
        add("seed-as", args.seed_as.as_ref().and_then(name));
        add("seed-bits", (args.seed_bits != 64).then(|| args.seed_bits.to_string()));
        add("referee-limit", args.referee_limit.map(|limit| limit.to_string()));
        add(
            "negative-scores",
            (args.negative_scores != NegativeScores::Ask).then(|| name(&args.negative_scores)).flatten(),
        );
        add(
            "old-protocol",
            args.old_protocol
                .map(|Limits { first, later }| format!("{},{}", first.as_millis(), later.as_millis())),
        );
        add("compare", args.compare.as_ref().and_then(name));
        let flags = [
            (args.plain_jvm, "--plain-jvm"),
            (args.keep_jvm, "--keep-jvm"),
            (args.no_check_bots, "--no-check-bots"),
            (args.lower_is_better, "--lower-is-better"),
        ];
        words.extend(flags.iter().filter(|(is_given, _)| *is_given).map(|(_, flag)| (*flag).to_owned()));
        words.extend(args.tester.words());
        words
    }
}

/// The name of a value on the command line.
fn name(value: &impl ValueEnum) -> Option<String> {
    value.to_possible_value().map(|value| value.get_name().to_owned())
}

/// A contest's name from a referee's command line: the last file that it names, or the program.
fn name_of(line: &CommandLine) -> String {
    let mut files = line.arguments().iter().map(Path::new).filter(|path| path.is_file());
    let file = files.next_back().unwrap_or(Path::new(line.program()));
    file.file_stem().map_or_else(|| "referee".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        host: HostArgs,
        bots: Vec<String>,
    }

    fn parse(words: &[&str]) -> Result<Command, clap::Error> {
        Command::try_parse_from([&["arena"], words].concat())
    }

    fn open(words: &[&str]) -> Result<usize, String> {
        let command = parse(words).map_err(|error| error.to_string())?;
        let bots = command.host.bots(&command.bots).len();
        let opened = command.host.open(&[], |bots| bots, bots).map_err(|error| error.to_string())?;
        Ok(opened.host().seats())
    }

    #[test]
    fn with_a_referee_all_words_are_bots() {
        let command = parse(&["-r", "java -jar r.jar", "./a", "./b"]).unwrap();
        assert_eq!(command.host.bots(&command.bots), ["./a", "./b"]);
        let command = parse(&["reversi", "./a", "./b"]).unwrap();
        assert_eq!(command.host.bots(&command.bots), ["./a", "./b"]);
    }

    #[test]
    fn a_game_has_as_many_players_as_bots_unless_it_is_said() {
        assert_eq!(open(&["-r", "./r", "./a", "./b", "./c"]), Ok(3));
        assert_eq!(open(&["-r", "./r", "--players", "1", "./a", "./b"]), Ok(1));
        assert!(open(&["-r", "./r"]).unwrap_err().contains("1 to 8 bots, not 0"));
        assert!(open(&["-r", "./r {P1} {P2}", "./a"]).unwrap_err().contains("{P1} {P2}"));
        assert!(open(&["-r", "./r", "./a", "./b", "--compare", "ratio"])
            .unwrap_err()
            .contains("--players 1"));
        assert!(open(&["./a", "--compare", "ratio"]).is_err());
    }

    #[test]
    fn a_contest_is_named_by_the_referees_file() {
        let folder = tempfile::tempdir().unwrap();
        let jar = folder.path().join("spring-2023.jar");
        std::fs::write(&jar, "").unwrap();
        let line = CommandLine::new("java", &["-jar", jar.to_str().unwrap()]);
        assert_eq!(name_of(&line), "spring-2023");
        assert_eq!(name_of(&CommandLine::new("./ref.py", &["--fast"])), "ref");
    }
}

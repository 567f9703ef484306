//! The options of a heuristic contest: one player, many seeds, a score.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::command::limits::LIMIT_MS;
use crate::failure::Failure;
use coppice_referee::external::{
    takes_seed, unknown_place, BestKnown, Ledger, Pattern, Tester, BEST_FILE, USUAL_PICTURE,
};
use coppice_referee::process::command_line::CommandLine;

/// The heading of these options in the help.
const HEADING: &str = "Heuristic contest";

/// The seeds among which those with an input are looked for.
const LOOKED_FOR: std::ops::Range<u64> = 0..10_000;

/// `--tester` and its options.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct TesterArgs {
    /// Score bots that play alone by this program: {in} and {out} are a case's input and the bot's output, {seed} its seed. With
    /// {bot} (one word) or {bot...} (its words) it starts the bot itself, as an interactive tester, and has the input on stdin
    #[arg(long, value_name = "CMD", conflicts_with = "referee", help_heading = HEADING)]
    tester: Option<String>,
    /// The path of a seed's input
    #[arg(long, value_name = "PATH", default_value = "in/{seed:04}.txt", requires = "tester",
          value_parser = inputs, help_heading = HEADING)]
    inputs: String,
    /// Writes the input of a seed that has none, to {in} or to its standard output
    #[arg(long, value_name = "CMD", requires = "tester", help_heading = HEADING)]
    generator: Option<String>,
    /// The score in a line of the tester, on either stream
    #[arg(long, value_name = "TEXT", default_value = "Score = {}", requires = "tester", help_heading = HEADING)]
    score: Pattern,
    /// Scores are multiplied by this and rounded: they are whole numbers
    #[arg(long, value_name = "N", default_value_t = 1, requires = "tester",
          value_parser = scale, help_heading = HEADING)]
    scale: u32,
    /// A line of the tester with this text says that the bot has failed
    #[arg(long, value_name = "TEXT", requires = "tester", value_parser = clap::builder::NonEmptyStringValueParser::new(),
          help_heading = HEADING)]
    failure: Option<String>,
    /// Time for a case, of bot and tester together if the tester starts the bot
    #[arg(long, value_name = "MS", default_value_t = 2000, requires = "tester",
          value_parser = clap::value_parser!(u32).range(LIMIT_MS), help_heading = HEADING)]
    limit_ms: u32,
    /// Names of the numbers in an input's first line, such as 'N K'
    #[arg(long, value_name = "NAMES", requires = "tester", help_heading = HEADING)]
    sizes: Vec<String>,
    /// Another number of a case in the tester's output, such as 'moves = {}'; may be given several times
    #[arg(long, value_name = "TEXT", requires = "tester", help_heading = HEADING)]
    attribute: Vec<Pattern>,
    /// Draws an output, for the pages of cases; default: the tester does
    #[arg(long, value_name = "CMD", requires = "tester", help_heading = HEADING)]
    drawer: Option<String>,
    /// The drawing's file: an SVG, or a page that holds one, such as vis.html
    #[arg(long, value_name = "PATH", default_value = USUAL_PICTURE, requires = "tester", help_heading = HEADING)]
    picture: String,
    /// Keeps the best known score of each seed
    #[arg(long, value_name = "FILE", default_value = BEST_FILE, requires = "tester", help_heading = HEADING)]
    best: PathBuf,
}

fn scale(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(scale @ 1..=1_000_000_000) => Ok(scale),
        _ => Err("expected a whole number from 1 to 1000000000".to_owned()),
    }
}

fn inputs(text: &str) -> Result<String, String> {
    match takes_seed(text) {
        true => Ok(text.to_owned()),
        false => Err("expected a path with {seed}, or {seed:04} for four digits".to_owned()),
    }
}

impl TesterArgs {
    /// The tester's command line, if one is given.
    pub(crate) fn command(&self) -> Option<&str> {
        self.tester.as_deref()
    }

    /// The settings of the tester.
    ///
    /// # Errors
    /// If a command line can't be split or has an unknown place, or the file of the best known scores can't be read.
    pub(crate) fn open(&self, lower_is_better: bool) -> Result<Option<Tester>, Failure> {
        if self.tester.is_none() {
            return Ok(None);
        }
        let texts = [
            ("--tester", self.tester.as_deref(), &["in", "out", "seed", "bot", "bot..."][..]),
            ("--generator", self.generator.as_deref(), &["in", "seed"]),
            ("--drawer", self.drawer.as_deref(), &["in", "out", "seed"]),
            ("--inputs", Some(&self.inputs), &["seed"]),
            ("--picture", Some(&self.picture), &["in", "out", "seed"]),
        ];
        for (option, text, places) in texts {
            if let Some(place) = text.and_then(|text| unknown_place(text, places)) {
                let places = places.iter().map(|place| format!("{{{place}}}")).collect::<Vec<_>>();
                return Err(Failure::usage(format!(
                    "{option} has an unknown place {place}; it may have {} (a seed of four digits: {{seed:04}})",
                    places.join(", ")
                )));
            }
        }
        if self
            .tester
            .as_deref()
            .is_some_and(|text| !["{out}", "{bot}", "{bot...}"].iter().any(|place| text.contains(place)))
        {
            return Err(Failure::usage(
                "--tester has neither {out}, the bot's output, nor {bot} or {bot...}, to start the bot itself: it would score nothing",
            ));
        }
        if self.generator.as_deref().is_some_and(|text| !takes_seed(text)) {
            return Err(Failure::usage("--generator has no {seed}: all inputs would be the same"));
        }
        let line = |name: &str, text: &Option<String>| {
            let line = text.as_deref().map(CommandLine::parse).transpose();
            line.map_err(|error| Failure::usage(format!("{name}: {error}").replace("a bot's", "its")))
        };
        Ok(Some(Tester {
            inputs: self.inputs.clone(),
            generator: line("--generator", &self.generator)?,
            score: self.score.clone(),
            failure: self.failure.clone(),
            scale: self.scale,
            limit: Duration::from_millis(self.limit_ms.into()),
            sizes: self.sizes.iter().flat_map(|names| names.split_whitespace()).map(str::to_owned).collect(),
            attributes: self.attribute.clone(),
            drawer: line("--drawer", &self.drawer)?,
            picture: self.picture.clone(),
            ledger: Ledger::open(&self.best, lower_is_better)?,
            has_told: AtomicBool::new(false),
        }))
    }

    /// The seeds that have an input or can get one, and whose score isn't known yet: a test needs such.
    ///
    /// # Errors
    /// If the file of the best known scores can't be read.
    pub(crate) fn unused(&self) -> Result<Vec<u64>, Failure> {
        let known = BestKnown::read(&self.best)?;
        let has_input =
            |seed: &u64| self.generator.is_some() || Path::new(&Tester::path(&self.inputs, *seed)).is_file();
        Ok(LOOKED_FOR.filter(|&seed| !known.has(seed)).filter(has_input).collect())
    }

    /// The file of the best known scores.
    pub(crate) fn best(&self) -> &Path {
        &self.best
    }

    /// The options as words of a command line.
    pub(crate) fn words(&self) -> Vec<String> {
        let Some(tester) = &self.tester else { return Vec::new() };
        let mut words = vec![format!("--tester={tester}")];
        let mut add = |name: &str, value: Option<String>| {
            words.extend(value.map(|value| format!("--{name}={value}")));
        };
        add("inputs", Some(self.inputs.clone()));
        add("generator", self.generator.clone());
        add("score", Some(self.score.to_string()));
        add("scale", (self.scale != 1).then(|| self.scale.to_string()));
        add("failure", self.failure.clone());
        add("limit-ms", Some(self.limit_ms.to_string()));
        add("sizes", (!self.sizes.is_empty()).then(|| self.sizes.join(" ")));
        self.attribute.iter().for_each(|pattern| add("attribute", Some(pattern.to_string())));
        add("drawer", self.drawer.clone());
        add("picture", Some(self.picture.clone()));
        add("best", Some(self.best.display().to_string()));
        words
    }
}

//! The log of a tuning run: its settings in the first line, then one line for each finished pair of games.
//!
//! A log is enough to resume a run: the trials follow from the first line and the results before them.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use contest::utf8;
use serde::{Deserialize, Serialize};

use coppice_referee::process;
use coppice_referee::record::RefereeRecord;
use coppice_referee::text::quoted;
use coppice_stats::tuning::space::Parameter;

/// The rules by which methods choose what to try, by number: a log's trials can be derived again only by the rules with
/// which they were chosen. 1: the two sides of a trial differ after rounding; 0: logs without a number, before that.
pub(crate) const RULES: u32 = 1;

/// The settings of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Plan {
    /// The rules of the run: see [`RULES`].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rules: u32,
    /// The contest, with its variant.
    pub contest: String,
    /// The external referee, if one plays the games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee: Option<RefereeRecord>,
    /// The bot's command line, without the tuned numbers.
    pub bot: String,
    /// A hash of the bot's files.
    pub hash: Option<String>,
    /// The tuned parameters.
    pub parameters: Vec<Parameter>,
    /// The method.
    pub method: MethodName,
    /// The size of differential evolution's population, if it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instances: Option<u32>,
    /// The number of games.
    pub games: u32,
    /// The number of trials from the same point.
    pub at_once: u32,
    /// The random seed.
    pub seed: u64,
    /// The seeds from which those of pairs are drawn, if they are named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<String>,
    /// Random plies at the beginning of each game.
    pub openings: u32,
    /// The limit for a first answer in milliseconds; 0 for games without processes.
    pub first_ms: f64,
    /// The limit for every other answer in milliseconds.
    pub later_ms: f64,
}

/// Whether a plan has the rules of the logs without a number.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(rules: &u32) -> bool {
    *rules == 0
}

/// A tuning method, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MethodName {
    /// Simultaneous perturbation with averaged iterates
    Spsa,
    /// Differential evolution, child against parent
    De,
}

/// Two games from the same seed, the seats swapped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PairRecord {
    /// The trial, from 0.
    pub trial: u32,
    /// The pair's number within the trial, from 0.
    pub pair: u32,
    /// The values of the two bots.
    pub values: [Vec<f64>; 2],
    /// The seed of both games.
    pub seed: u64,
    /// The first bot's score in each game: 1, 0.5 or 0. It moves first in the first game.
    pub scores: [f64; 2],
    /// The faults of either bot, as text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// Hashes of the opening and of the moves of both games; `None` if they aren't known, as in older logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<[u64; 3]>,
}

impl PairRecord {
    /// Whether the scores can be those of games: a fit of others has no maximum that can be found.
    pub(crate) fn has_scores(&self) -> bool {
        self.scores.iter().all(|score| (0.0..=1.0).contains(score))
    }
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    Plan(Plan),
    Pair(PairRecord),
}

/// The open file, locked against other programs.
#[derive(Debug)]
pub(crate) struct TuneLog {
    path: PathBuf,
    file: File,
    bytes: u64,
}

/// The content of a log when it was opened.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    /// The settings in effect.
    pub plan: Plan,
    /// The pairs in the order in which they ended; empty for a new file.
    pub pairs: Vec<PairRecord>,
    /// Bytes of an incomplete last line, which were removed.
    pub cut_bytes: u64,
}

/// The reasons why a log can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// It can't be read or written.
    #[error(
        "can't write the tune to {}: {source}\nall pairs before are kept: make room, or choose another file with \
         --log, and give the same command again",
        .path.display()
    )]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Another program has locked it.
    #[error("{} is being written by another arena: wait for it, or choose another file with --log", .path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// A line is invalid.
    #[error("{}:{line}: {why}: {found}\nremove the line, or choose another file with --log", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
        /// The line, shortened.
        found: String,
        /// The mistake.
        why: String,
    },
    /// It belongs to another run.
    #[error(
        "{} is the log of another tune, so nothing was added: {difference}\ngive the command that made it, or \
         choose another file with --log",
        .path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The first difference.
        difference: String,
    },
    /// An earlier version of this program chose other values to try.
    #[error(
        "{} is of an earlier version of arena, which chose other values to try ({difference}), so its run can't be \
         resumed and nothing was added: begin the run again in another file, with --log",
        .path.display()
    )]
    Earlier {
        /// The file.
        path: PathBuf,
        /// The first difference.
        difference: String,
    },
}

impl TuneLog {
    /// Opens or creates the file and removes an incomplete last line. A new file begins with the plan; an
    /// existing one must have the same plan. Only [`Plan::at_once`] and [`Plan::rules`] may differ: the file's are used.
    ///
    /// # Errors
    /// If it can't be read or written, is locked, has an invalid line, or belongs to another run.
    pub(crate) fn open(path: &Path, plan: &Plan) -> Result<(Self, Found), LogError> {
        let io = |source| LogError::Io { path: path.to_owned(), source };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(io)?;
        }
        let Some(mut file) = process::open_alone(path).map_err(io)? else {
            return Err(LogError::Busy { path: path.to_owned() });
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let (old, pairs) = parse(path, &bytes[..whole])?;
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(io)?;
        }
        let cut_bytes = (bytes.len() - whole) as u64;
        let mut log = Self { path: path.to_owned(), file, bytes: whole as u64 };
        let plan = match old {
            Some(old) => match plan.difference(&old) {
                Some(difference) => return Err(LogError::Foreign { path: path.to_owned(), difference }),
                None => old,
            },
            None => {
                log.write(&Line::Plan(plan.clone()))?;
                plan.clone()
            }
        };
        Ok((log, Found { plan, pairs, cut_bytes }))
    }

    /// Appends a pair. Once this has returned, the pair survives a crash of the program.
    ///
    /// # Errors
    /// If the line can't be written completely; the file then ends with the pair before it.
    pub(crate) fn append(&mut self, pair: &PairRecord) -> Result<(), LogError> {
        self.write(&Line::Pair(pair.clone()))
    }

    fn write(&mut self, line: &Line) -> Result<(), LogError> {
        let fail = |source| LogError::Io { path: self.path.clone(), source };
        let mut text = serde_json::to_vec(line).map_err(io::Error::from).map_err(fail)?;
        text.push(b'\n');
        let at_end = self.file.seek(SeekFrom::End(0));
        let written = at_end.and_then(|_| self.file.write_all(&text)).and_then(|()| self.file.flush());
        if let Err(source) = written {
            // If this fails too, the incomplete line is removed when the run is resumed.
            let _ = self.file.set_len(self.bytes);
            return Err(fail(source));
        }
        self.bytes += text.len() as u64;
        Ok(())
    }
}

impl Plan {
    /// The first difference from another plan, as text. [`Plan::at_once`] and [`Plan::rules`] may differ.
    pub(crate) fn difference(&self, old: &Self) -> Option<String> {
        let [new, old] = [self, old].map(|plan| serde_json::to_value(plan).unwrap_or_default());
        let field = |name: &&str| new.get(*name) != old.get(*name);
        let names = [
            "contest",
            "referee",
            "bot",
            "parameters",
            "method",
            "instances",
            "games",
            "seed",
            "seeds",
            "openings",
            "first_ms",
            "later_ms",
            "hash",
        ];
        let name = names.iter().find(|name| field(name))?;
        let show = |value: &serde_json::Value| {
            value.get(*name).map_or_else(|| "the default".to_owned(), ToString::to_string)
        };
        Some(match *name {
            "hash" => "the bot has been changed since".to_owned(),
            name => format!("its {name} is {}, not {}", show(&old), show(&new)),
        })
    }
}

fn parse(path: &Path, bytes: &[u8]) -> Result<(Option<Plan>, Vec<PairRecord>), LogError> {
    let (mut plan, mut pairs) = (None, Vec::new());
    for (number, text) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
        let fail = |why: String| LogError::Line {
            path: path.to_owned(),
            line: number,
            found: quoted(text.trim_ascii_end()),
            why,
        };
        let text = if number == 1 { utf8::without_mark(text) } else { text };
        let line = serde_json::from_slice::<Line>(text);
        match line.map_err(|error| fail(format!("not a line of a tune ({error})")))? {
            Line::Plan(found) if number == 1 => plan = Some(found),
            Line::Plan(_) => return Err(fail("a second plan".to_owned())),
            Line::Pair(_) if number == 1 => return Err(fail("the plan is missing before it".to_owned())),
            Line::Pair(pair) if !pair.has_scores() => {
                return Err(fail("not a pair: expected scores from 0 to 1".to_owned()));
            }
            Line::Pair(pair) => pairs.push(pair),
        }
    }
    Ok((plan, pairs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn plan() -> Plan {
        Plan {
            rules: RULES,
            contest: "toy".to_owned(),
            referee: None,
            bot: "./bot --nodes 5".to_owned(),
            hash: Some("12ab".to_owned()),
            parameters: vec![Parameter::parse("x, int, 3, 0, 9").unwrap()],
            method: MethodName::Spsa,
            instances: None,
            games: 40,
            at_once: 1,
            seed: 1,
            seeds: None,
            openings: 4,
            first_ms: 1000.0,
            later_ms: 0.1,
        }
    }

    fn pair(trial: u32) -> PairRecord {
        let values = [vec![1.5], vec![4.0]];
        PairRecord {
            trial,
            pair: 0,
            values,
            seed: u64::MAX,
            scores: [1.0, 0.5],
            faults: vec!["crash".to_owned()],
            moves: Some([u64::MAX, 1, 2]),
        }
    }

    #[test]
    fn what_is_added_is_found_wherever_it_was_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/tune.jsonl");
        let (mut log, found) = TuneLog::open(&path, &plan()).unwrap();
        assert_eq!(found, Found { plan: plan(), pairs: Vec::new(), cut_bytes: 0 });
        log.append(&pair(0)).unwrap();
        let whole = fs::read(&path).unwrap();
        log.append(&pair(1)).unwrap();
        assert!(matches!(TuneLog::open(&path, &plan()), Err(LogError::Busy { .. })));
        drop(log);
        let both = fs::read(&path).unwrap();
        for cut in whole.len() + 1..both.len() {
            fs::write(&path, &both[..cut]).unwrap();
            let (mut log, found) = TuneLog::open(&path, &plan()).unwrap();
            assert_eq!((found.pairs, found.cut_bytes), (vec![pair(0)], (cut - whole.len()) as u64));
            log.append(&pair(1)).unwrap();
            drop(log);
            assert_eq!(fs::read(&path).unwrap(), both);
        }
        // A run killed within the first line starts as a new file.
        fs::write(&path, &both[..20]).unwrap();
        assert_eq!(TuneLog::open(&path, &plan()).unwrap().1.pairs, []);
    }

    /// A method's next trials depend on each bit of the scores: a third of a point, or a share of a lead.
    #[test]
    fn numbers_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tune.jsonl");
        let mut rng = coppice::Rng::new(4);
        let mut number = || f64::from(rng.below(1 << 30)) / f64::from(1 + rng.below(1 << 30));
        let pairs: Vec<_> = (0..1000)
            .map(|trial| {
                let scores = [number().fract(), f64::from(trial % 7) / 7.0];
                PairRecord { values: [vec![number()], vec![number() * 1e9]], scores, ..pair(trial) }
            })
            .collect();
        let (mut log, _) = TuneLog::open(&path, &plan()).unwrap();
        pairs.iter().for_each(|pair| log.append(pair).unwrap());
        drop(log);
        assert_eq!(TuneLog::open(&path, &plan()).unwrap().1.pairs, pairs);
    }

    #[test]
    fn another_tune_is_refused_but_not_another_number_of_processors() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tune.jsonl");
        drop(TuneLog::open(&path, &plan()).unwrap());
        let said = |plan: Plan| TuneLog::open(&path, &plan).unwrap_err().to_string();
        assert!(said(Plan { games: 44, ..plan() }).contains("its games is 40, not 44"));
        assert!(said(Plan { hash: None, ..plan() }).contains("the bot has been changed since"));
        assert!(
            said(Plan { method: MethodName::De, ..plan() }).contains("its method is \"spsa\", not \"de\"")
        );
        assert!(said(Plan { instances: Some(9), ..plan() }).contains("its instances is the default, not 9"));
        let (_, found) = TuneLog::open(&path, &Plan { at_once: 8, ..plan() }).unwrap();
        assert_eq!(found.plan.at_once, 1);
    }

    #[test]
    fn bad_lines_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tune.jsonl");
        drop(TuneLog::open(&path, &plan()).unwrap());
        let first = fs::read_to_string(&path).unwrap();
        let pair = serde_json::to_string(&Line::Pair(pair(0))).unwrap();
        for (text, said) in [
            (format!("{first}{{}}\n"), "tune.jsonl:2: not a line of a tune (missing field `type`"),
            (format!("{first}{first}"), "tune.jsonl:2: a second plan"),
            (format!("{pair}\n"), "tune.jsonl:1: the plan is missing before it"),
            ("\u{1}\n".to_owned(), "tune.jsonl:1: not a line of a tune"),
            (
                format!("{first}{}\n", pair.replace("[1.0,0.5]", "[1.1e9,0.5]")),
                "tune.jsonl:2: not a pair: expected scores from 0 to 1: ",
            ),
        ] {
            fs::write(&path, text).unwrap();
            let error = TuneLog::open(&path, &plan()).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}

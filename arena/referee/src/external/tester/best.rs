//! The best known score of each seed: `best.csv`, with a line `seed,score,bot` for each.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use contest::utf8;
use coppice_stats::Compare;

use crate::atomic;
use crate::record::GameRecord;
use crate::text::note;

/// The usual name of the file.
pub const FILE_NAME: &str = "best.csv";

/// The first line.
const HEAD: &str = "seed,score,bot";

/// The best known score of each seed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BestKnown {
    scores: BTreeMap<u64, (i64, String)>,
}

/// The file can't be used.
#[derive(Debug, thiserror::Error)]
pub enum BestError {
    /// The system's error.
    #[error("{}: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A seed has two scores.
    #[error("{}:{line}: seed {seed} has a line before: remove one of them", .path.display())]
    Twice {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The seed.
        seed: u64,
    },
    /// A line makes no sense.
    #[error("{}:{line}: expected `{HEAD}`, a seed, its best known score and the bot that reached it", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
}

impl BestKnown {
    /// Reads a file; a missing one is empty.
    ///
    /// # Errors
    /// If it can't be read, or a line isn't a score.
    pub fn read(path: &Path) -> Result<Self, BestError> {
        let text = match utf8::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            read => read.map_err(|source| BestError::File { path: path.to_owned(), source })?,
        };
        let mut best = Self::default();
        for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.is_empty() && *text != HEAD) {
            let mut cells = text.splitn(3, ',');
            let mut next = || cells.next().map(str::trim).unwrap_or_default();
            let (seed, score, bot) = (next().parse(), next().parse(), next().to_owned());
            let (Ok(seed), Ok(score)) = (seed, score) else {
                return Err(BestError::Line { path: path.to_owned(), line });
            };
            if best.scores.insert(seed, (score, bot)).is_some() {
                return Err(BestError::Twice { path: path.to_owned(), line, seed });
            }
        }
        Ok(best)
    }

    /// The file of its usual name in the working folder, for games whose scores are relative to it.
    ///
    /// # Errors
    /// Those of [`BestKnown::read`].
    pub fn of(game: &GameRecord) -> Result<Self, BestError> {
        match game.run.scoring.compare {
            Compare::Relative => Self::read(Path::new(FILE_NAME)),
            _ => Ok(Self::default()),
        }
    }

    /// The best known score of a seed.
    pub fn score(&self, seed: u64) -> Option<i64> {
        self.scores.get(&seed).map(|(score, _)| *score)
    }

    /// Gives a game of this contest the score that is the best known now: scores of old runs are relative to it.
    pub fn rescore(&self, record: &mut GameRecord) {
        if record.run.scoring.compare == Compare::Relative {
            // Without a file, what the game was compared with counts.
            if !self.scores.is_empty() {
                record.best = self.score(record.seed);
            }
        }
    }

    /// The seeds whose best score is known.
    pub fn has(&self, seed: u64) -> bool {
        self.scores.contains_key(&seed)
    }

    /// Takes a score over if it is a better one.
    fn add(&mut self, seed: u64, score: i64, bot: &str, lower_is_better: bool) {
        let is_better = |known: i64| if lower_is_better { score < known } else { score > known };
        if self.score(seed).is_none_or(is_better) {
            self.scores.insert(seed, (score, bot.replace(['\n', '\r'], " ")));
        }
    }
}

/// The file of the best known scores, as it was before a run, and the scores of the run.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    lower_is_better: bool,
    known: BestKnown,
    found: Mutex<BestKnown>,
}

impl Ledger {
    /// Reads the file.
    ///
    /// # Errors
    /// Those of [`BestKnown::read`].
    pub fn open(path: &Path, lower_is_better: bool) -> Result<Self, BestError> {
        let (known, found) = (BestKnown::read(path)?, Mutex::default());
        Ok(Self { path: path.to_owned(), lower_is_better, known, found })
    }

    /// The scores before this run.
    pub fn known(&self) -> &BestKnown {
        &self.known
    }

    /// Notes a score of this run.
    pub(super) fn note(&self, seed: u64, score: i64, bot: &str) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.add(seed, score, bot, self.lower_is_better);
    }

    /// Writes the better scores of this run into the file.
    fn write(&self) -> Result<(), BestError> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        // Another run may have written it meanwhile.
        let mut all = BestKnown::read(&self.path)?;
        let before = all.clone();
        for (&seed, (score, bot)) in &found.scores {
            all.add(seed, *score, bot, self.lower_is_better);
        }
        if all == before {
            return Ok(());
        }
        let line = |(seed, (score, bot)): (&u64, &(i64, String))| format!("{seed},{score},{bot}\n");
        let text = format!("{HEAD}\n{}", all.scores.iter().map(line).collect::<String>());
        let written = atomic::write(&self.path, text.as_bytes());
        written.map_err(|source| BestError::File { path: self.path.clone(), source })
    }
}

/// However a run ends, its scores are kept.
impl Drop for Ledger {
    fn drop(&mut self) {
        if let Err(error) = self.write() {
            note(format_args!("the best known scores aren't kept: {error}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::example;

    #[test]
    fn the_best_of_each_seed_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        let play = |lower_is_better: bool, scores: &[(u64, i64)]| {
            let ledger = Ledger::open(&path, lower_is_better).unwrap();
            scores.iter().for_each(|&(seed, score)| ledger.note(seed, score, "A"));
            assert_eq!(ledger.known(), &BestKnown::read(&path).unwrap(), "written at its end");
        };
        play(false, &[(7, 5), (7, 9)]);
        play(false, &[(7, 8), (3, 0)]);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "seed,score,bot\n3,0,A\n7,9,A\n");
        let mut old = example(1);
        (old.seed, old.run.scoring.compare) = (7, Compare::Relative);
        BestKnown::read(&path).unwrap().rescore(&mut old);
        assert_eq!(old.best, Some(9));
        play(true, &[(7, 8)]);
        assert_eq!(BestKnown::read(&path).unwrap().score(7), Some(8), "fewer are better");
        std::fs::write(&path, "1,2,x\n1;3\n").unwrap();
        let error = BestKnown::read(&path).unwrap_err().to_string();
        assert!(error.contains("best.csv:2: expected `seed,score,bot`"), "{error}");
        std::fs::remove_file(&path).unwrap();
    }
}

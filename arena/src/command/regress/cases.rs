//! Recorded games that are to be played again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use contest::{Contest, Seat};

use crate::failure::Failure;
use crate::game_files;
use crate::game_files::sample::first_name;
use coppice_pages::view::losing::losing;
use coppice_pages::view::open;
use coppice_referee::record::GameRecord;
use coppice_referee::replay::source::Found;

/// A recorded game, from the seat of one bot.
#[derive(Debug, Clone)]
pub(super) struct Case {
    /// The record.
    pub record: GameRecord,
    /// The bot's seat.
    pub seat: Seat,
    /// The folder of its file.
    folder: PathBuf,
    /// Moves that are played before the bots are asked.
    pub opening: String,
    /// The turn from which it is played, if it isn't the first.
    pub turn: Option<usize>,
}

/// A result from a bot's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Outcome {
    /// Another bot has more points.
    Lost,
    /// Another bot has as many.
    Drawn,
    /// All others have fewer.
    Won,
}

impl Outcome {
    /// The result of a game for a seat; of a bot that plays alone it is always won.
    pub(super) fn of(record: &GameRecord, seat: Seat) -> Self {
        let points = record.points();
        let best =
            points.iter().enumerate().filter(|(other, _)| *other != seat).map(|(_, &points)| points).max();
        match best.map(|best| points[seat].cmp(&best)) {
            Some(std::cmp::Ordering::Less) => Self::Lost,
            Some(std::cmp::Ordering::Equal) => Self::Drawn,
            _ => Self::Won,
        }
    }
}

/// Reads all games of files and folders, with the folder of each.
///
/// # Errors
/// If a file can't be read or isn't a file of games.
pub(super) fn read(paths: &[PathBuf]) -> Result<Vec<(GameRecord, PathBuf)>, Failure> {
    let mut games = Vec::new();
    for path in paths {
        let lines = path.join("games.jsonl");
        if lines.is_file() {
            read_lines(&lines, &mut games)?;
        } else if path.is_dir() {
            let found = Found::look(std::slice::from_ref(path));
            for source in found.games {
                read_record(&source.path.with_extension("json"), &mut games)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "json") {
            read_record(path, &mut games)?;
        } else {
            read_lines(path, &mut games)?;
        }
    }
    Ok(games)
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().map(Path::to_owned).unwrap_or_default()
}

fn read_lines(path: &Path, games: &mut Vec<(GameRecord, PathBuf)>) -> Result<(), Failure> {
    game_files::read::<Failure>(path, false, &mut |item, _| {
        games.push((item.record, folder_of(path)));
        Ok(())
    })?;
    Ok(())
}

fn read_record(path: &Path, games: &mut Vec<(GameRecord, PathBuf)>) -> Result<(), Failure> {
    let failed = |reason: &dyn std::fmt::Display| Failure::new(format!("{}: {reason}", path.display()));
    let bytes = fs::read(path).map_err(|error| failed(&error))?;
    let value = serde_json::from_slice(&bytes).map_err(|error| failed(&error))?;
    let record = game_files::record(value, games.len() as u32 + 1).map_err(|error| failed(&error))?;
    games.push((record, folder_of(path)));
    Ok(())
}

/// The bot that is in every game: the only one, or of two the one that the run's command line named first.
///
/// # Errors
/// If no bot or several are.
pub(super) fn subject(games: &[(GameRecord, PathBuf)]) -> Result<String, Failure> {
    let mut counts = BTreeMap::<&str, usize>::new();
    for bot in games.iter().flat_map(|(record, _)| &record.bots) {
        *counts.entry(&bot.name).or_default() += 1;
    }
    let mut all = counts.iter().filter(|(_, &count)| count == games.len()).map(|(name, _)| *name);
    let first = games.first().filter(|(record, _)| !record.run.openings.is_empty());
    let first = first.map(|(record, _)| first_name(record));
    match (all.next(), all.next(), first) {
        (Some(name), None, _) => Ok(name.to_owned()),
        (Some(_), Some(_), Some(first)) if counts.get(first.as_str()) == Some(&games.len()) => Ok(first),
        _ => {
            let names = counts.keys().copied().collect::<Vec<_>>().join(", ");
            Err(Failure::usage(format!("whose losses? give --of with one of the games' bots: {names}")))
        }
    }
}

/// The games of a bot, lost ones only unless `all`.
///
/// # Errors
/// If the bot isn't in any.
pub(super) fn of_bot(games: Vec<(GameRecord, PathBuf)>, name: &str, all: bool) -> Result<Vec<Case>, Failure> {
    let mut cases = Vec::new();
    let mut is_there = false;
    for (record, folder) in games {
        let Some(seat) = record.bots.iter().position(|bot| bot.name == name) else { continue };
        is_there = true;
        if all || record.bots.len() == 1 || Outcome::of(&record, seat) == Outcome::Lost {
            let opening = record.opening.clone();
            cases.push(Case { record, seat, folder, opening, turn: None });
        }
    }
    match is_there {
        true => Ok(cases),
        false => Err(Failure::usage(format!("no game has a bot called {name}"))),
    }
}

impl Case {
    /// The name of the game in messages.
    pub(super) fn name(&self) -> String {
        let file = self.record.attributes.get("file").cloned();
        file.unwrap_or_else(|| self.record.game.to_string())
    }

    /// Lets the game begin before the turn that lost it, by the scores that the bots reported. Changes nothing if they
    /// don't tell, or the game's record and logs aren't there.
    pub(super) fn begin_at_loss(&mut self, contest: &dyn Contest, known: &[&dyn Contest]) {
        let path = self.folder.join(format!("{}.json", self.name()));
        let source = Found::look(&[path]).games.into_iter().next();
        let viewed = source.and_then(|source| open::open(&source, Some(contest), known).ok());
        let Some((viewed, _)) = viewed else { return };
        let Some(lost) = losing(&viewed, self.seat) else { return };
        let Some(before) = viewed.turns.get(lost.turn - 1).and_then(|turn| turn.moves_before) else { return };
        let opening = self.record.opening_plies();
        if before > opening {
            self.opening = self.record.moves.split_whitespace().take(before).collect::<Vec<_>>().join(" ");
            self.turn = Some(lost.turn);
        }
    }

    /// Lets the game begin as it did.
    pub(super) fn begin_at_start(&mut self) {
        self.opening = self.record.opening.clone();
        self.turn = None;
    }
}

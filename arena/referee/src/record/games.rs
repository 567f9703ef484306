//! `games.jsonl`: one line per finished game. The file is the whole state of a run: resuming reads it and plays the
//! missing games.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use contest::utf8;
use serde::de::DeserializeOwned;
use serde::Serialize;

use crate::process;
use crate::record::GameRecord;
use crate::text::quoted;

/// The file's name in a run's folder.
pub const FILE_NAME: &str = "games.jsonl";

/// The content of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<T = GameRecord> {
    /// The games, or other results, in the order in which they ended.
    pub records: Vec<T>,
    /// Bytes of an incomplete last line: the program was killed while it wrote it.
    pub cut_bytes: u64,
}

/// A file of games open for appending, locked against other programs.
pub type GamesFile = ResultsFile<GameRecord>;

/// A file of results of any kind, one a line.
#[derive(Debug)]
pub struct ResultsFile<T> {
    path: PathBuf,
    file: File,
    bytes: u64,
    results: PhantomData<T>,
}

impl<T> Default for Found<T> {
    fn default() -> Self {
        Self { records: Vec::new(), cut_bytes: 0 }
    }
}

impl<T: Serialize + DeserializeOwned> ResultsFile<T> {
    /// Opens the file, or creates it and its folder; an incomplete last line is removed.
    ///
    /// # Errors
    /// If it can't be read or written, is locked by another program, or a line isn't a game.
    pub fn open(path: &Path) -> Result<(Self, Found<T>), GamesError> {
        let fail = |source| GamesError::Write { path: path.to_owned(), source };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(fail)?;
        }
        let Some(mut file) = process::open_alone(path).map_err(fail)? else {
            return Err(GamesError::Busy { path: path.to_owned() });
        };
        // Reading from a device or a pipe might never end.
        if !file.metadata().map_err(fail)?.is_file() {
            return Err(fail(io::Error::other("it isn't a regular file")));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|source| GamesError::Read { path: path.to_owned(), source })?;
        let found = parse(path, &bytes, 0)?;
        let whole_bytes = bytes.len() as u64 - found.cut_bytes;
        if found.cut_bytes > 0 {
            file.set_len(whole_bytes).map_err(fail)?;
        }
        Ok((Self { path: path.to_owned(), file, bytes: whole_bytes, results: PhantomData }, found))
    }

    /// Appends a game. Once this has returned, the game survives a crash of the program.
    ///
    /// # Errors
    /// If the line can't be written completely; the file then ends with the game before it.
    pub fn append(&mut self, record: &T) -> Result<(), GamesError> {
        let fail = |source| GamesError::Write { path: self.path.clone(), source };
        let mut line = serde_json::to_vec(record).map_err(io::Error::from).map_err(fail)?;
        line.push(b'\n');
        let at_end = self.file.seek(SeekFrom::End(0));
        let written = at_end.and_then(|_| self.file.write_all(&line)).and_then(|()| self.file.flush());
        if let Err(source) = written {
            // If this fails too, the incomplete line is removed when the run is resumed.
            let _ = self.file.set_len(self.bytes);
            return Err(fail(source));
        }
        self.bytes += line.len() as u64;
        Ok(())
    }

    /// Reads the file again from its beginning, a line at a time, and passes on each result.
    ///
    /// # Errors
    /// If it can't be read, or a line isn't a result; the first of `take`.
    pub fn each<E: From<GamesError>>(&self, mut take: impl FnMut(T) -> Result<(), E>) -> Result<(), E> {
        let fail = |source| GamesError::Read { path: self.path.clone(), source };
        // Appending goes to the end whatever was read.
        (&self.file).seek(SeekFrom::Start(0)).map_err(fail)?;
        let mut reader = BufReader::new((&self.file).take(self.bytes));
        let mut line = Vec::new();
        for number in 0.. {
            line.clear();
            if reader.read_until(b'\n', &mut line).map_err(fail)? == 0 {
                break;
            }
            parse(&self.path, &line, number)?.records.into_iter().try_for_each(&mut take)?;
        }
        Ok(())
    }

    /// The file's path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Reads a file without locking it: that of a run, or what `arena play --json` printed, which ends with a summary.
///
/// # Errors
/// If it can't be read or a line isn't a game.
pub fn read(path: &Path) -> Result<Found, GamesError> {
    let bytes = fs::read(path).map_err(|source| GamesError::Read { path: path.to_owned(), source })?;
    parse(path, without_summary(&bytes), 0)
}

fn without_summary(bytes: &[u8]) -> &[u8] {
    let text = bytes.trim_ascii_end();
    let last = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    match serde_json::from_slice::<serde_json::Value>(utf8::without_mark(&text[last..])) {
        Ok(line) if line.get("type").is_some_and(|kind| kind == "summary") => &bytes[..last],
        _ => bytes,
    }
}

/// Reads the results that follow the first `before` lines of a file.
pub(super) fn parse<T: DeserializeOwned>(
    path: &Path,
    bytes: &[u8],
    before: usize,
) -> Result<Found<T>, GamesError> {
    let whole_bytes = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let text = &bytes[..whole_bytes];
    let text = if before == 0 { utf8::without_mark(text) } else { text };
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    let records = (before + 1..).zip(lines).map(|(line, text)| {
        serde_json::from_slice::<T>(text.trim_ascii_end()).map_err(|error| GamesError::Line {
            path: path.to_owned(),
            line,
            found: quoted(text.trim_ascii_end()),
            // The column is the parser's; the line number is the file's.
            reason: error.to_string().replace("at line 1 column", "at column"),
        })
    });
    let records = records.collect::<Result<_, _>>()?;
    Ok(Found { records, cut_bytes: (bytes.len() - whole_bytes) as u64 })
}

/// The first difference between a recorded game and this run, as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Mismatch(pub String);

/// The reasons why a file of games can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GamesError {
    /// It can't be read.
    #[error("can't read the games in {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// It can't be written.
    #[error(
        "can't write to {}: {source}\nall games before are kept: make room, or choose another folder with --dir, and \
         give the same command again",
        .path.display()
    )]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Another program has locked it.
    #[error("{} is being written by another arena: wait for it, or choose another folder with --dir", .path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// There are no games.
    #[error("no games in {}", .paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", "))]
    Empty {
        /// The files or folders.
        paths: Vec<PathBuf>,
    },
    /// A line isn't a game.
    #[error(
        "{}:{line}: not a whole game of this program ({reason}): {found}\nremove the line, and its game will be played \
         again; or choose another folder with --dir",
        .path.display()
    )]
    Line {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
        /// The line, shortened.
        found: String,
        /// The mistake.
        reason: String,
    },
    /// A game is of another run.
    #[error(
        "{} holds games of another run, so nothing was added: {difference}\ngive the command that made them, or \
         choose another folder with --dir",
        .path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The first difference.
        difference: Mismatch,
    },
    /// A game contradicts the rules.
    #[error(
        "{}: game {game} contradicts itself: {contradiction}\ndelete its line to have it played again, or choose another \
         folder with --dir",
        .path.display()
    )]
    Contradiction {
        /// The file.
        path: PathBuf,
        /// The game's number.
        game: u32,
        /// The record's statement and the rules'.
        contradiction: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::example;

    #[test]
    fn what_is_added_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b").join(FILE_NAME);
        let (mut file, found) = GamesFile::open(&path).unwrap();
        assert_eq!(found, Found::default());
        file.append(&example(2)).unwrap();
        file.append(&example(1)).unwrap();
        assert_eq!(read(&path).unwrap(), Found { records: vec![example(2), example(1)], cut_bytes: 0 });
    }

    #[test]
    fn half_a_line_at_the_end_is_taken_off_wherever_it_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        let line = serde_json::to_string(&example(7)).unwrap();
        for cut in 1..=line.len() {
            fs::write(&path, format!("{line}\n{}", &line[..cut])).unwrap();
            let (mut file, found) = GamesFile::open(&path).unwrap();
            assert_eq!((found.records.len(), found.cut_bytes), (1, cut as u64));
            file.append(&example(8)).unwrap();
            assert_eq!(read(&path).unwrap().records, [example(7), example(8)]);
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_game() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        let line = serde_json::to_string(&example(7)).unwrap();
        fs::write(&path, format!("\u{feff}{line}\n{line}")).unwrap();
        let (mut file, found) = GamesFile::open(&path).unwrap();
        assert_eq!((&found.records[..], found.cut_bytes), (&[example(7)][..], line.len() as u64));
        file.append(&example(8)).unwrap();
        let mut games = Vec::new();
        let take = |game: GameRecord| {
            games.push(game.game);
            Ok::<_, GamesError>(())
        };
        file.each(take).unwrap();
        assert_eq!((games, read(&path).unwrap().records.len()), (vec![7, 8], 2));
        drop(file);
        fs::write(&path, "\u{feff}{\"type\": \"summary\"}\n").unwrap();
        assert_eq!(read(&path).unwrap().records, []);
    }

    #[test]
    fn a_summary_at_the_end_is_no_game() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        let line = serde_json::to_string(&example(7)).unwrap();
        fs::write(&path, format!("{line}\n{{\"type\": \"summary\", \"games\": 1}}\n")).unwrap();
        assert_eq!(read(&path).unwrap(), Found { records: vec![example(7)], cut_bytes: 0 });
        assert!(GamesFile::open(&path).is_err(), "a run's own file has no such lines");
    }

    #[test]
    fn a_line_that_is_no_game_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        let line = serde_json::to_string(&example(1)).unwrap();
        fs::write(&path, format!("{line}\n{{\"game\": 2}}\n")).unwrap();
        let error = GamesFile::open(&path).unwrap_err().to_string();
        assert!(error.contains("games.jsonl:2: not a whole game of this program (missing field"), "{error}");
        fs::write(&path, "{\"game\": \u{1}\n").unwrap();
        assert!(GamesFile::open(&path).unwrap_err().to_string().contains("games.jsonl:1: "));
    }

    #[test]
    fn fields_that_a_later_version_may_add_are_no_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        let mut value = serde_json::to_value(example(3)).unwrap();
        value["weather"] = "fine".into();
        fs::write(&path, format!("{value}\n")).unwrap();
        assert_eq!(read(&path).unwrap().records, [example(3)]);
    }

    #[test]
    fn only_one_program_adds_to_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        let (mut first, _) = GamesFile::open(&path).unwrap();
        first.append(&example(3)).unwrap();
        assert!(matches!(GamesFile::open(&path), Err(GamesError::Busy { .. })));
        assert!(process::is_opened_alone(&path));
        assert_eq!(read(&path).unwrap().records, [example(3)], "others read it meanwhile");
        drop(first);
        assert!(GamesFile::open(&path).is_ok() && !process::is_opened_alone(&path));
    }
}

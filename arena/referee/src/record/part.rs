//! Follows a file of games or other results that another program adds to.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::games::{self, GamesError};

/// A file and how far it has been read.
#[derive(Debug)]
pub struct Part<T> {
    path: PathBuf,
    bytes: u64,
    lines: usize,
    results: PhantomData<T>,
}

impl<T: DeserializeOwned> Part<T> {
    /// A file that isn't read yet; it need not exist.
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), bytes: 0, lines: 0, results: PhantomData }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The results that were added since the last call. Half a line at the end is left for the next.
    ///
    /// # Errors
    /// If the file can't be read, or a line isn't a game.
    pub fn news(&mut self) -> Result<Vec<T>, GamesError> {
        let fail = |source| GamesError::Read { path: self.path.clone(), source };
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => return Err(fail(source)),
        };
        let length = file.metadata().map_err(fail)?.len();
        if length < self.bytes {
            // Somebody has replaced it.
            (self.bytes, self.lines) = (0, 0);
        }
        if length == self.bytes {
            return Ok(Vec::new());
        }
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(self.bytes)).map_err(fail)?;
        file.read_to_end(&mut bytes).map_err(fail)?;
        let found = games::parse::<T>(&self.path, &bytes, self.lines)?;
        self.bytes += bytes.len() as u64 - found.cut_bytes;
        self.lines += found.records.len();
        Ok(found.records)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::Write;

    use super::*;
    use crate::record::{example, GameRecord};

    #[test]
    fn whole_lines_are_read_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let mut part = Part::<GameRecord>::new(&path);
        assert_eq!(part.news().unwrap(), []);
        let add = |text: &str| {
            let mut options = OpenOptions::new();
            options.append(true).create(true).open(&path).unwrap().write_all(text.as_bytes()).unwrap();
        };
        let line = |game| serde_json::to_string(&example(game)).unwrap();
        add(&format!("{}\n{}", line(1), &line(2)[..9]));
        assert_eq!(part.news().unwrap(), [example(1)]);
        assert_eq!(part.news().unwrap(), []);
        add(&format!("{}\n", &line(2)[9..]));
        assert_eq!(part.news().unwrap(), [example(2)]);
        add("nonsense\n");
        assert!(part.news().unwrap_err().to_string().contains("games.jsonl:3: not a whole game"));
    }

    #[test]
    fn a_replaced_file_is_read_from_its_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let mut part = Part::<GameRecord>::new(&path);
        let lines = |games: &[u32]| {
            let lines = games.iter().map(|&game| serde_json::to_string(&example(game)).unwrap() + "\n");
            std::fs::write(&path, lines.collect::<String>()).unwrap();
        };
        lines(&[1, 2]);
        assert_eq!(part.news().unwrap().len(), 2);
        lines(&[3]);
        assert_eq!(part.news().unwrap(), [example(3)]);
    }
}

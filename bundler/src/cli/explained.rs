//! The `bundler explain` command: finds the map and answers questions.

use super::output;
use crate::api::error::Error;
use crate::api::map::{digest, Map, MapIndex};
use crate::api::options::Options;
use crate::plan;
use crate::report::explain::{file_named, Question};
use crate::report::maps::remembered;
use crate::rustc::cache::Cache;
use std::io::{BufRead, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

/// Longest part of a line, in bytes, that is read at once.
const MOST: u64 = 1 << 20;

/// Translates places in a bundle to places in the source
///
/// Without a place, it copies stdin to stdout and translates every place in it: rustc's errors, panics and backtraces
/// of a bundle. The map is read from --map, from FILE.map in the bundle's folder, or from the target folder of the
/// workspace, which keeps the maps of the latest bundles. The bundle is the file of the first place, if it is there.
#[derive(clap::Args)]
pub struct Explain {
    /// FILE:LINE, FILE:LINE:COLUMN or FILE:FIRST-LAST
    #[arg(value_name = "PLACE")]
    places: Vec<Question>,
    /// The map that --map wrote together with the bundle
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// The Cargo.toml of the workspace, instead of the one found from the current directory upwards
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
}

impl Explain {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Error> {
        if self.places.is_empty() {
            return self.retell();
        }
        for question in &self.places {
            let ways = self.ways(Some(Path::new(&question.file)))?;
            let answer = ways.answer(question).map_err(Error::Unexplained)?;
            let many = self.places.len() > 1;
            let asked = if many { format!("{}: ", question.lines.start()) } else { String::new() };
            let lines: String = answer.iter().map(|a| format!("{asked}{a}\n")).collect();
            output::print(&lines)?;
        }
        Ok(())
    }

    /// Copies stdin to stdout line by line and translates its places.
    fn retell(&self) -> Result<(), Error> {
        let stdin = std::io::stdin();
        if stdin.is_terminal() {
            return Err(Error::Unexplained(
                "nothing to explain: name a place such as submit.rs:12, or pipe output into stdin".into(),
            ));
        }
        let mut ways = self.found(None, None)?.ways;
        let mut is_chosen = self.map.is_some();
        let mut input = stdin.lock();
        let mut out = std::io::stdout().lock();
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = input.by_ref().take(MOST).read_until(b'\n', &mut line);
            if read.map_err(|e| Error::Unexplained(format!("cannot read standard input: {e}")))? == 0 {
                return Ok(());
            }
            if let Some(file) = file_named(&line).filter(|_| !is_chosen) {
                is_chosen = true;
                ways = self.ways(Some(Path::new(&file)).filter(|file| file.is_file()))?;
            }
            out.write_all(&ways.translate(&line)).and_then(|()| out.flush()).map_err(Error::Print)?;
        }
    }

    /// Finds the map for a bundle, or for piped output.
    fn ways(&self, bundle: Option<&Path>) -> Result<MapIndex, Error> {
        let text = bundle.and_then(|b| std::fs::read(b).ok());
        let sha256 = text.as_deref().map(digest);
        let Found { ways, is_last } = self.found(bundle, sha256.as_deref())?;
        let name = bundle.map(Path::display).map(|d| d.to_string()).unwrap_or_default();
        match sha256 {
            Some(sha256) if sha256 != ways.map.sha256 => say(format_args!(
                "warning: {name} differs from the bundle that the map was made for. Lines may be wrong."
            )),
            None if is_last => {
                let missing = if name.is_empty() { name } else { format!("{name} does not exist; ") };
                say(format_args!(
                    "note: {missing}using the map of the last bundle made in this workspace: `{}`, {} lines",
                    ways.map.file, ways.map.lines
                ));
            }
            _ => {}
        }
        Ok(ways)
    }

    fn found(&self, bundle: Option<&Path>, sha256: Option<&str>) -> Result<Found, Error> {
        let adjacent = bundle.map(|b| PathBuf::from(format!("{}.map", b.display()))).filter(|m| m.is_file());
        if let Some(path) = self.map.as_ref().or(adjacent.as_ref()) {
            let failed =
                |source| Error::Read { path: path.display().to_string(), asked: String::new(), source };
            let json = std::fs::read(path).map_err(failed)?;
            let ways = Map::read(&json).map_err(|e| {
                Error::Unexplained(format!("{}: not a bundle's source map: {e}", path.display()))
            })?;
            return Ok(Found { ways, is_last: false });
        }
        let options = Options { manifest_path: self.manifest_path.clone(), ..Options::default() };
        let cache = Cache::at(&plan::metadata::cache_folder(&options)?);
        let known = remembered(&cache, sha256).or_else(|| remembered(&cache, None));
        let advice = "bundle again, or pass the map with --map FILE";
        let ways = known.ok_or_else(|| {
            Error::Unexplained(format!("no map of a bundle is stored in this workspace; {advice}"))
        })?;
        Ok(Found { ways, is_last: sha256.is_none() })
    }
}

/// A map, and whether it is the last bundle's because nothing identifies another.
struct Found {
    ways: MapIndex,
    is_last: bool,
}

/// Prints to stderr; a closed stderr is ignored.
fn say(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

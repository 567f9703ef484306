//! `--watch`: bundles again whenever a source file changes.

use super::arguments::Arguments;
use super::Pipeline;
use super::{output, say};
use crate::api::error::Error;
use crate::api::options::Options;
use crate::os::children::interrupted;
use crate::report;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime};

/// Time without changes after which a change counts as complete.
const QUIET: Duration = Duration::from_millis(80);
/// The resolution of the times of files.
const COARSE: Duration = Duration::from_millis(20);
/// Interval for checking for an interrupt, and for changes that the system did not report.
const GLANCE: Duration = Duration::from_millis(500);
/// Maximum folder depth, so that a symbolic link to a parent folder terminates.
const DEEPEST: usize = 24;

/// Bundles until interrupted; errors are printed and do not end it.
pub fn watch(bundle: Pipeline, arguments: &Arguments, out: &Path) -> Result<(), Error> {
    let mut options = arguments.options();
    // One line per run is enough.
    options.progress &= std::io::stderr().is_terminal();
    let mut notifications = Notifications::open()?;
    let mut watched = Watched::new(&options, out);
    while !interrupted() {
        watched.update_roots(&options);
        notifications.on(&watched.folders());
        let mut seen = watched.files();
        let started = SystemTime::now() - COARSE;
        run(bundle, &options, arguments, out, &mut watched);
        // Only the run tells which files besides the source take part.
        let mut more = watched.files();
        more.retain(|path, (_, modified)| {
            watched.took_part.contains(path) && modified.is_some_and(|at| at < started)
        });
        more.append(&mut seen);
        seen = more;
        // Changes during the run show up as a difference from `seen`; new files are included.
        while !interrupted() && watched.files() == seen {
            notifications.wait();
            notifications.on(&watched.folders());
        }
    }
    Ok(())
}

/// Makes one bundle and prints one line.
fn run(bundle: Pipeline, options: &Options, arguments: &Arguments, out: &Path, watched: &mut Watched) {
    let started = Instant::now();
    let done = bundle(options).and_then(|bundle| {
        watched.took_part = bundle.files.iter().cloned().collect();
        let changed = output::replace_if_changed(out, &bundle.text)?;
        if let Some(map) = &arguments.map {
            output::replace_if_changed(map, &bundle.map.json())?;
        }
        Ok((changed, bundle))
    });
    if interrupted() {
        return;
    }
    match done {
        Ok((changed, bundle)) => {
            let what = if changed { "wrote" } else { "no change to" };
            let seconds = started.elapsed().as_secs_f64();
            let notes = if bundle.notes.is_empty() {
                String::new()
            } else {
                format!(", note: {}", bundle.notes.join("; "))
            };
            let raised = report::raised(&bundle).map_or(String::new(), |why| format!(", {why}"));
            let summary = report::summary(&bundle);
            say(&format!("{what} {}: {summary}, {seconds:.1} s{raised}{notes}", out.display()));
        }
        Err(e) => say(&format!("error: {e}")),
    }
}

/// The system's notifications of changes.
struct Notifications {
    watcher: RecommendedWatcher,
    notices: Receiver<()>,
    on: BTreeSet<PathBuf>,
}

impl Notifications {
    fn open() -> Result<Notifications, Error> {
        let (sender, notices) = channel();
        let heard = move |event: notify::Result<Event>| {
            // Reads are not changes; for everything else the files are compared.
            if !matches!(event, Ok(Event { kind: EventKind::Access(_), .. })) {
                let _ = sender.send(());
            }
        };
        let watcher = notify::recommended_watcher(heard).map_err(|e| Error::Watch(e.to_string()))?;
        Ok(Notifications { watcher, notices, on: BTreeSet::new() })
    }

    /// Watches exactly these folders. A folder that cannot be watched is still checked at intervals.
    fn on(&mut self, folders: &BTreeSet<PathBuf>) {
        for gone in self.on.difference(folders) {
            let _ = self.watcher.unwatch(gone);
        }
        for new in folders.difference(&self.on) {
            let _ = self.watcher.watch(new, RecursiveMode::NonRecursive);
        }
        self.on.clone_from(folders);
    }

    /// Waits for a change and the quiet after it, or for [`GLANCE`].
    fn wait(&mut self) {
        if self.notices.recv_timeout(GLANCE).is_err() {
            return;
        }
        while !matches!(
            self.notices.recv_timeout(QUIET),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected)
        ) {}
    }
}

/// The folders and files in which changes count.
struct Watched {
    roots: BTreeSet<PathBuf>,
    target: Option<PathBuf>,
    out: PathBuf,
    /// The files of the last bundle.
    took_part: BTreeSet<PathBuf>,
}

impl Watched {
    /// Starts with the folder of the manifest, or the current one, until cargo has listed the packages.
    fn new(options: &Options, out: &Path) -> Watched {
        let manifest = options.manifest_path.as_deref().and_then(Path::parent);
        let folder = manifest.filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let roots = BTreeSet::from([std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf())]);
        let folder = out.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // A symbolic link is written through, but still counts as our output.
        let out = match (std::fs::canonicalize(folder), out.file_name()) {
            (Ok(folder), Some(name)) => folder.join(name),
            _ => out.to_path_buf(),
        };
        Watched { roots, target: None, out, took_part: BTreeSet::new() }
    }

    /// Asks cargo for the folders of the user's packages; on failure the previous ones stay.
    fn update_roots(&mut self, options: &Options) {
        if let Ok(own) = crate::plan::metadata::own_folders(options) {
            self.roots.extend(own.folders);
            self.target = Some(own.target);
        }
    }

    /// All folders that may hold source files.
    fn folders(&self) -> BTreeSet<PathBuf> {
        let mut found = BTreeSet::new();
        self.roots.iter().for_each(|r| self.within(r, 0, &mut found));
        found.extend(self.took_part.iter().filter_map(|f| f.parent()).map(Path::to_path_buf));
        found.retain(|f| f.is_dir());
        found
    }

    fn within(&self, folder: &Path, depth: usize, found: &mut BTreeSet<PathBuf>) {
        if depth > DEEPEST || !found.insert(folder.to_path_buf()) {
            return;
        }
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name();
            let hidden = name.to_string_lossy().starts_with('.') && name != ".cargo";
            if !hidden && name != "target" && Some(&path) != self.target.as_ref() && path.is_dir() {
                self.within(&path, depth + 1, found);
            }
        }
    }

    /// Every relevant file with its size and modification time.
    fn files(&self) -> BTreeMap<PathBuf, (u64, Option<SystemTime>)> {
        let mut found = BTreeMap::new();
        for folder in self.folders() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                let kind = path.extension().and_then(|e| e.to_str());
                let counts = matches!(kind, Some("rs" | "toml" | "lock")) || self.took_part.contains(&path);
                // Neither the output nor its temporary file is an input.
                let is_ours = path.file_name() == self.out.file_name()
                    && std::fs::canonicalize(&folder).is_ok_and(|f| Some(f.as_path()) == self.out.parent());
                if !counts || is_ours || output::is_temporary(&path) {
                    continue;
                }
                if let Ok(about) = std::fs::metadata(&path) {
                    found.insert(path, (about.len(), about.modified().ok()));
                }
            }
        }
        found
    }
}

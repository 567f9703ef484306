//! `--watch`: bundles again whenever something that takes part has changed.

use crate::arguments::Arguments;
use crate::{output, say};
use bundler::{bundle, interrupted, report, Error, Options};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime};

/// How long it must be quiet before a change counts as complete.
const QUIET: Duration = Duration::from_millis(80);
/// How often an interrupt is looked for, and the files, in case the system says nothing of a change.
const GLANCE: Duration = Duration::from_millis(500);
/// Folders within folders, so that a link to a folder above ends somewhere.
const DEEPEST: usize = 24;

/// Bundles until it is interrupted; errors do not end it.
pub fn watch(arguments: &Arguments, out: &Path) -> Result<(), Error> {
    let mut options = arguments.options();
    // A line for each run is enough.
    options.progress &= std::io::stderr().is_terminal();
    let mut eyes = Eyes::open()?;
    let mut scene = Scene::new(&options, out);
    while !interrupted() {
        scene.look_where(&options);
        eyes.on(&scene.folders());
        let seen = scene.files();
        run(&options, arguments, out, &mut scene);
        // What was changed in the meantime has been seen to be different, and what is new is looked at.
        while !interrupted() && scene.files() == seen {
            eyes.wait();
            eyes.on(&scene.folders());
        }
    }
    Ok(())
}

/// One bundle, one line.
fn run(options: &Options, arguments: &Arguments, out: &Path, scene: &mut Scene) {
    let started = Instant::now();
    let done = bundle(options).and_then(|bundle| {
        scene.took_part = bundle.files.iter().cloned().collect();
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
            say(&format!("{what} {}: {}, {seconds:.1} s{notes}", out.display(), report::summary(&bundle)));
        }
        Err(e) => say(&format!("error: {e}")),
    }
}

/// The system's notices of changes.
struct Eyes {
    watcher: RecommendedWatcher,
    notices: Receiver<()>,
    on: BTreeSet<PathBuf>,
}

impl Eyes {
    fn open() -> Result<Eyes, Error> {
        let (sender, notices) = channel();
        let heard = move |event: notify::Result<Event>| {
            // Reading is no change; whatever else it is, the files will tell.
            if !matches!(event, Ok(Event { kind: EventKind::Access(_), .. })) {
                let _ = sender.send(());
            }
        };
        let watcher = notify::recommended_watcher(heard).map_err(|e| Error::Watch(e.to_string()))?;
        Ok(Eyes { watcher, notices, on: BTreeSet::new() })
    }

    /// Watches these folders and no others. What cannot be watched is looked at all the same, only later.
    fn on(&mut self, folders: &BTreeSet<PathBuf>) {
        for gone in self.on.difference(folders) {
            let _ = self.watcher.unwatch(gone);
        }
        for new in folders.difference(&self.on) {
            let _ = self.watcher.watch(new, RecursiveMode::NonRecursive);
        }
        self.on.clone_from(folders);
    }

    /// Waits for a change and for the quiet after it, or for a moment.
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

/// Where changes count.
struct Scene {
    roots: BTreeSet<PathBuf>,
    target: Option<PathBuf>,
    out: PathBuf,
    /// Files of the last bundle.
    took_part: BTreeSet<PathBuf>,
}

impl Scene {
    /// Until cargo has said more: the folder of the manifest, or the one at hand.
    fn new(options: &Options, out: &Path) -> Scene {
        let manifest = options.manifest_path.as_deref().and_then(Path::parent);
        let folder = manifest.filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let roots = BTreeSet::from([std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf())]);
        let folder = out.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // A link to a file elsewhere is written through, and is ours all the same.
        let out = match (std::fs::canonicalize(folder), out.file_name()) {
            (Ok(folder), Some(name)) => folder.join(name),
            _ => out.to_path_buf(),
        };
        Scene { roots, target: None, out, took_part: BTreeSet::new() }
    }

    /// Asks cargo which packages of the user's own there are; if it cannot say, what it said before still counts.
    fn look_where(&mut self, options: &Options) {
        if let Ok(own) = bundler::plan::own_folders(options) {
            self.roots.extend(own.folders);
            self.target = Some(own.target);
        }
    }

    /// All folders that may hold something that takes part.
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

    /// Every file that counts, with its size and time.
    fn files(&self) -> BTreeMap<PathBuf, (u64, Option<SystemTime>)> {
        let mut found = BTreeMap::new();
        for folder in self.folders() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                let kind = path.extension().and_then(|e| e.to_str());
                let counts = matches!(kind, Some("rs" | "toml" | "lock")) || self.took_part.contains(&path);
                // Our own output is no input, and neither is what is being written beside it.
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

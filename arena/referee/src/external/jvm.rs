//! Faster starts of a referee that runs on a Java virtual machine. Nearly all of a game between fast bots is the machine
//! loading and compiling the referee's classes.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;
use std::time::Duration;

use crate::bot::exit::Exit;
use crate::process::command_line::CommandLine;
use crate::process::to_end::run_to_end;

/// The quick compiler alone, a collector without threads of its own, classes from an archive if there is one, and the
/// machine's own messages on the standard error.
pub(super) const FLAGS: [&str; 6] = [
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-Xshare:auto",
    "-Xlog:disable",
    "-Xlog:all=error:stderr",
];

/// Maximum time for the machine to say its version.
const LIMIT: Duration = Duration::from_secs(30);

/// The flags for the machine of a referee.
#[derive(Debug)]
pub(super) struct Jvm {
    /// An archive of the classes that the first game has loaded.
    archive: PathBuf,
    is_begun: AtomicBool,
    is_written: AtomicBool,
    /// Whether the machine takes the flags, with those of the user.
    takes_flags: OnceLock<bool>,
}

/// The part that a game has in the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// It writes it.
    Writes,
    /// It reads it, if it is there.
    Reads,
}

impl Jvm {
    /// The machine of a referee; `None` if its program isn't `java`.
    pub(super) fn of(line: &CommandLine, folder: &Path) -> Option<Self> {
        let archive = folder.join("classes.jsa");
        let (is_begun, is_written) = (AtomicBool::new(false), AtomicBool::new(false));
        is_java(line).then(|| Self { archive, is_begun, is_written, takes_flags: OnceLock::new() })
    }

    /// The flags of the next game, before those of the command line.
    pub(super) fn flags(&self, line: &CommandLine) -> (Vec<String>, Part) {
        if !*self.takes_flags.get_or_init(|| takes_flags(line)) {
            return (Vec::new(), Part::Reads);
        }
        let mut flags = FLAGS.map(str::to_owned).to_vec();
        let archive = self.archive.display();
        if self.is_written.load(Ordering::SeqCst) {
            flags.push(format!("-XX:SharedArchiveFile={archive}"));
        } else if !self.is_begun.swap(true, Ordering::SeqCst) {
            flags.push(format!("-XX:ArchiveClassesAtExit={archive}"));
            return (flags, Part::Writes);
        }
        (flags, Part::Reads)
    }

    /// Says that a game with this part has ended.
    pub(super) fn ended(&self, part: Part, exit: Option<Exit>) {
        if part == Part::Writes && exit == Some(Exit::Code(0)) && self.archive.is_file() {
            self.is_written.store(true, Ordering::SeqCst);
        }
    }
}

/// Whether a command line's program is `java`.
pub(super) fn is_java(line: &CommandLine) -> bool {
    Path::new(line.program()).file_stem() == Some(OsStr::new("java"))
}

/// Whether the machine starts with these flags and those that the command line gives it.
fn takes_flags(line: &CommandLine) -> bool {
    let own = line.arguments().iter().take_while(|word| word.starts_with('-') && !is_start(word));
    let mut command = Command::new(line.program());
    command.args(FLAGS).args(own).arg("-version");
    run_to_end(&mut command, LIMIT).is_ok_and(|run| run.exit == Some(Exit::Code(0)))
}

/// Whether a word names the program, or takes the next word as its value.
fn is_start(word: &str) -> bool {
    ["-jar", "-cp", "-classpath", "--class-path", "-p", "--module-path", "-m", "--module"].contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_game_writes_the_archive_and_later_ones_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let line = CommandLine::new("/usr/bin/java", &["-jar", "x.jar"]);
        let jvm = Jvm::of(&line, folder.path()).unwrap();
        jvm.takes_flags.set(true).unwrap();
        let last = |(flags, part): (Vec<String>, Part)| (flags.last().unwrap().clone(), part);
        let (flag, part) = last(jvm.flags(&line));
        assert!(flag.starts_with("-XX:ArchiveClassesAtExit=") && part == Part::Writes);
        // Another game meanwhile has neither.
        assert_eq!(last(jvm.flags(&line)), (FLAGS[5].to_owned(), Part::Reads));
        std::fs::write(folder.path().join("classes.jsa"), "").unwrap();
        jvm.ended(part, Some(Exit::Code(0)));
        assert!(last(jvm.flags(&line)).0.starts_with("-XX:SharedArchiveFile="));
    }

    #[test]
    fn other_programs_get_no_flags() {
        let folder = Path::new(".");
        assert!(Jvm::of(&CommandLine::new("python3", &["java.py"]), folder).is_none());
        assert!(Jvm::of(&CommandLine::new("C:/jdk/bin/java.exe", &[]), folder).is_some());
    }
}

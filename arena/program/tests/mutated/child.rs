//! The child process in which the arena's commands read mutated files: it survives panics, and its parent a crash or a hang
//! of it.

use std::cell::RefCell;
use std::fs;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Mutex;

use clap::Parser;
use coppice_arena::subcommand::readable;
use coppice_arena::{Cli, Program, Subcommand};
use coppice_study::Studies;

use crate::kinds::{Group, Kind};
use crate::mutation::{mutated, Chance};

/// The longest message of an error: a line of a file is quoted in short.
pub const MOST_MESSAGE_BYTES: usize = 4000;

/// Where the last panic was, and what it said.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Plays the cases of these numbers in subfolders of a folder. Before each a line with its number goes to the standard output,
/// after it a line with the outcome: `refused`, `accepted`, or what is wrong.
pub fn play(kind: &Kind, folder: &Path, cases: impl Iterator<Item = u64>) {
    panic::set_hook(Box::new(|info| {
        let mut first = PANIC.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        first.get_or_insert_with(|| info.to_string().replace('\n', " "));
    }));
    let groups = groups(kind, folder);
    for number in cases {
        say(&format!("case {number}"));
        let case = folder.join(format!("{}-{number}", kind.name));
        let path = write(kind, &groups, &case, number);
        say(&outcome(&(kind.commands)(&path)));
        let _ = std::env::set_current_dir(folder);
        let _ = fs::remove_dir_all(&case);
    }
}

/// The groups of a kind, made in a folder.
pub fn groups(kind: &Kind, folder: &Path) -> Vec<Group> {
    let whole = folder.join("whole");
    fs::create_dir_all(&whole).expect("a folder");
    std::env::set_current_dir(&whole).expect("the folder");
    (kind.groups)(&whole, &|words| {
        let run = run(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>());
        assert_eq!(run, Ok(()), "{words:?}");
    })
}

/// Writes the files of a case into its folder, one of them mutated, and goes there. Returns the mutated one's path.
pub fn write(kind: &Kind, groups: &[Group], case: &Path, number: u64) -> String {
    let mut chance = Chance::new(number);
    let group = chance.one_of(groups);
    let paths = group.keys().filter(|path| (kind.is_mutated)(path)).collect::<Vec<_>>();
    let changed = (*chance.one_of(&paths)).clone();
    for (path, bytes) in group {
        let whole = case.join(path);
        fs::create_dir_all(whole.parent().expect("a folder")).expect("a folder is made");
        let bytes = if *path == changed { mutated(bytes, &mut chance) } else { bytes.clone() };
        fs::write(whole, bytes).expect("a file is written");
    }
    std::env::set_current_dir(case).expect("the folder of the case");
    changed
}

fn outcome(commands: &[Vec<String>]) -> String {
    let mut refused = false;
    for words in commands {
        let ran = panic::catch_unwind(AssertUnwindSafe(|| run(words)));
        // A panic in another thread may have become an error.
        let panic = PANIC.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        if let Some(panic) = panic {
            return format!("`{}`: {panic}", words.join(" "));
        }
        match ran {
            Ok(Ok(())) => {}
            Ok(Err(message)) if is_clear(&message) => refused = true,
            Ok(Err(message)) => {
                let start = message.chars().take(300).collect::<String>();
                return format!("`{}`: an error of {} bytes: {start:?}", words.join(" "), message.len());
            }
            Err(_) => return format!("`{}`: a panic without a message", words.join(" ")),
        }
    }
    if refused { "refused" } else { "accepted" }.to_owned()
}

/// Whether a message is one to be read.
pub fn is_clear(message: &str) -> bool {
    let is_plain = |c: char| matches!(c, '\n' | '\t') || !c.is_control();
    !message.trim().is_empty() && message.len() <= MOST_MESSAGE_BYTES && message.chars().all(is_plain)
}

thread_local! {
    /// What commands print.
    static PRINTED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Runs a command of the arena, or `study` and the words of `arena-study`.
fn run(words: &[String]) -> Result<(), String> {
    if let [first, ..] = words {
        if first == "study" {
            return run_study(words);
        }
    }
    let cli =
        Cli::try_parse_from([&["arena".to_owned()], words].concat()).map_err(|error| error.to_string())?;
    let program = Program { contests: bots_searches::contests(), ..Program::default() };
    PRINTED.with_borrow_mut(|printed| {
        printed.clear();
        // As the program prints it.
        coppice_arena::run(&cli, &program, printed).map(drop).map_err(|error| readable(&error.to_string()))
    })
}

fn run_study(words: &[String]) -> Result<(), String> {
    let studies = Studies { contests: bots_searches::contests(), files: &[] };
    let matches = studies.command().try_get_matches_from(words).map_err(|error| error.to_string())?;
    let run = studies.run(&matches, &mut Vec::new());
    run.map(drop).map_err(|error| readable(&error.to_string()))
}

fn say(line: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

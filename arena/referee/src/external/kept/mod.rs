//! Java virtual machines that are kept from game to game (`--keep-jvm`): one for each game that is played at a time.
//!
//! A program in Java, shipped as source, plays the games in such a machine: see `ArenaHost.java`. It is compiled by the
//! compiler of the referee's own Java. If a machine can't be kept, a note says why, and each game gets a machine of its own.

mod launch;
mod machine;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use crate::bot::exit::Exit;
use crate::process::command_line::CommandLine;
use crate::process::interrupted;
use crate::process::to_end::{run_to_end, Run};
use crate::text::quoted;

use super::recordings::Difference;

use launch::{Launch, OwnMachine};
use machine::{Begun, Machine, Played};

/// The program that plays games in a machine.
const SOURCES: [(&str, &str); 2] = [
    ("ArenaHost.java", include_str!("ArenaHost.java")),
    ("ArenaLoader.java", include_str!("ArenaLoader.java")),
];

/// Maximum time of the compiler.
const COMPILER: Duration = Duration::from_secs(120);

/// Flags for kept machines. The package is opened for the shutdown hooks of ended games; classes are collected by the
/// host between games, not by the machine in one. The referee's classes are reloaded for each game without
/// verifying their bytecode, which takes a sixth of the time of a game with 1,600 classes: a compiler has made it, and the
/// plain machines of compared games verify it.
const FLAGS: [&str; 4] =
    ["--add-opens=java.base/java.lang=ALL-UNNAMED", "-XX:MetaspaceSize=512m", UNLOCK, WITHOUT_VERIFIER];

/// `WITHOUT_VERIFIER` is an option for those who unlock such options; a machine that doesn't know it ignores it.
const UNLOCK: &str = "-XX:+UnlockDiagnosticVMOptions";
const WITHOUT_VERIFIER: &str = "-XX:-BytecodeVerificationRemote";

/// A machine with fewer games than this isn't worth its start.
const FEW_GAMES: u32 = 3;

/// Number of machines in a row with few games, or of games that fail only in a kept machine, after which none is kept.
const PATIENCE: u32 = 3;

/// The machines of a referee.
#[derive(Debug)]
pub(super) struct JvmPool {
    line: CommandLine,
    folder: PathBuf,
    /// How machines are started, found out with the first; `None` if they can't be.
    plan: OnceLock<Option<Plan>>,
    idle: Mutex<Vec<Machine>>,
    has_given_up: AtomicBool,
    started: AtomicU32,
    short_lives: AtomicU32,
    only_alone: AtomicU32,
}

/// How machines are started.
#[derive(Debug)]
struct Plan {
    launch: Launch,
    line: CommandLine,
}

impl JvmPool {
    /// The machines of a referee whose program is `java`, with their files in a folder.
    pub(super) fn new(line: &CommandLine, folder: &Path) -> Self {
        Self {
            line: line.clone(),
            folder: folder.to_owned(),
            plan: OnceLock::new(),
            idle: Mutex::default(),
            has_given_up: AtomicBool::new(false),
            started: AtomicU32::new(0),
            short_lives: AtomicU32::new(0),
            only_alone: AtomicU32::new(0),
        }
    }

    /// Whether machines can be kept; starts the first one.
    pub(super) fn is_possible(&self) -> bool {
        self.usable_plan().is_some()
    }

    /// How machines are started; `None` if they can't be, or not any more.
    fn usable_plan(&self) -> Option<&Plan> {
        let plan = self.plan.get_or_init(|| self.plan().map_err(|reason| self.give_up(&reason.0)).ok());
        plan.as_ref().filter(|_| !self.has_given_up.load(Ordering::SeqCst))
    }

    /// Plays a game with the arguments of its command line; `None` if it needs a machine of its own.
    pub(super) fn play(&self, arguments: &[String], limit: Duration) -> Option<Run> {
        let plan = self.usable_plan()?;
        let words = plan.launch.words;
        if arguments.get(..words) != self.line.arguments().get(..words) {
            self.give_up("its machine's options differ from game to game");
            return None;
        }
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let machine = idle.map_or_else(|| self.start(&plan.line), |machine| Begun::Ready(Box::new(machine)));
        let mut machine = match machine {
            Begun::Ready(machine) => machine,
            Begun::Restart(_) => return None,
            Begun::Refused(reason) => {
                self.give_up(&reason);
                return None;
            }
        };
        match machine.play(&arguments[words..], limit) {
            Played::Ended(run) => {
                if machine.games >= FEW_GAMES {
                    self.short_lives.store(0, Ordering::SeqCst);
                }
                self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(*machine);
                Some(run)
            }
            Played::Last { run, reason } => {
                let is_short = machine.games < FEW_GAMES;
                if is_short && self.short_lives.fetch_add(1, Ordering::SeqCst) + 1 >= PATIENCE {
                    self.give_up(&format!("machines end after few games: {reason}"));
                }
                Some(run)
            }
            Played::Refused(reason) => {
                self.give_up(&reason);
                None
            }
        }
    }

    /// Says that a game failed in a kept machine, but not in one of its own.
    pub(super) fn only_alone(&self) {
        if self.only_alone.fetch_add(1, Ordering::SeqCst) + 1 >= PATIENCE {
            self.give_up("games fail in it that don't fail in a machine of their own");
        }
    }

    /// Notes that the bots of a game were sent something else than in a machine of its own.
    pub(super) fn differs(&self, game: u32, seed: &str, difference: &Difference) {
        let Difference { seat, line, first, second } = difference;
        let [own, kept] = [first, second].map(|text| quoted(text.as_bytes()));
        self.give_up(&format!(
            "the referee plays other games in it. In game {game} with seed {seed}, line {line} to the bot on seat {seat} is \
             {kept} there, and {own} in a machine of its own. This happens when games depend on the identity of objects (a \
             HashMap or HashSet over enums, or over objects without hashCode), or on what an earlier game has left in the \
             JDK's classes. The other games are played as with --plain-jvm"
        ));
    }

    fn give_up(&self, reason: &str) {
        if !self.has_given_up.swap(true, Ordering::SeqCst) && !interrupted() {
            crate::text::note(format_args!(
                "--keep-jvm isn't possible: {reason}; each game gets a Java virtual machine of its own"
            ));
        }
    }

    /// Compiles the host and starts the first machine.
    fn plan(&self) -> Result<Plan, OwnMachine> {
        let launch = Launch::parse(self.line.arguments(), std::env::var("CLASSPATH").ok())?;
        let folder = self.folder.join("host");
        self.compile(&folder)?;
        let line = |more: &[String]| {
            let mut words =
                super::jvm::FLAGS.iter().chain(&FLAGS).map(|&flag| flag.to_owned()).collect::<Vec<_>>();
            words.extend(more.iter().cloned());
            words.extend(launch.options.iter().cloned());
            words.extend(["-cp".to_owned(), folder.to_string_lossy().into_owned(), "ArenaHost".to_owned()]);
            words.extend(launch.program.iter().cloned());
            CommandLine::new(self.line.program(), &words.iter().map(String::as_str).collect::<Vec<_>>())
        };
        let mut first = line(&[]);
        let mut begun = self.start(&first);
        if let Begun::Restart(flags) = &begun {
            let mut flags = flags.clone();
            flags.push("-Darena.host.restarted=true".to_owned());
            first = line(&flags);
            begun = self.start(&first);
        }
        match begun {
            Begun::Ready(machine) => self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(*machine),
            Begun::Restart(flags) => return Err(OwnMachine(format!("its jar asks for {}", flags.join(" ")))),
            Begun::Refused(reason) => return Err(OwnMachine(reason)),
        }
        Ok(Plan { launch, line: first })
    }

    fn start(&self, line: &CommandLine) -> Begun {
        Machine::start(line, &self.folder, self.started.fetch_add(1, Ordering::SeqCst))
    }

    /// Compiles the host with the compiler that comes with the referee's Java, if it is a JDK's.
    fn compile(&self, folder: &Path) -> Result<(), OwnMachine> {
        std::fs::create_dir_all(folder)?;
        let mut command = Command::new(self.line.program());
        command.args([
            "-XX:+IgnoreUnrecognizedVMOptions",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            UNLOCK,
            WITHOUT_VERIFIER,
            "-m",
            "jdk.compiler/com.sun.tools.javac.Main",
        ]);
        command.args(["-proc:none", "-nowarn", "-encoding", "UTF-8", "-d"]).arg(folder);
        for (name, text) in SOURCES {
            let path = folder.join(name);
            std::fs::write(&path, text)?;
            command.arg(path);
        }
        let run = run_to_end(&mut command, COMPILER)?;
        if run.exit == Some(Exit::Code(0)) {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&[run.stdout, run.stderr].concat()).into_owned();
        if said.contains("jdk.compiler") {
            return Err(OwnMachine(format!(
                "`{}` has no Java compiler (it needs a JDK)",
                self.line.program().to_string_lossy()
            )));
        }
        Err(OwnMachine(format!("its program can't be compiled (Java 9 or later is needed): {}", said.trim())))
    }
}

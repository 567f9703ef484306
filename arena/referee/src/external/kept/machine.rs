//! One Java virtual machine that plays many games: how it is started, asked for a game, and what it answers.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::bot::exit::Exit;
use crate::bot::{Bot, Reply};
use crate::process::command_line::CommandLine;
use crate::process::to_end::{Run, KEPT_BYTES};
use crate::process::Process;
use crate::text::quoted;

/// Maximum time for a machine to start.
const START: Duration = Duration::from_secs(60);

/// Time beyond a game's limit for the machine to end what the game has left.
const AFTER: Duration = Duration::from_millis(500);

/// A running machine. Dropping it ends it with all processes that it started.
#[derive(Debug)]
pub(super) struct Machine {
    process: Process,
    out: PathBuf,
    err: PathBuf,
    /// The games that it has played.
    pub games: u32,
}

/// How a machine begins.
#[derive(Debug)]
pub(super) enum Begun {
    /// It waits for games.
    Ready(Box<Machine>),
    /// The jar asks for these flags of the machine.
    Restart(Vec<String>),
    /// It can't play this referee's games.
    Refused(String),
}

/// The result of a game.
#[derive(Debug)]
pub(super) enum Played {
    /// The game has ended, and the machine can play another.
    Ended(Run),
    /// The game has ended, and the machine with it.
    Last {
        /// The game.
        run: Run,
        /// Why the machine has ended.
        reason: String,
    },
    /// The machine has failed.
    Refused(String),
}

impl Machine {
    /// Starts a machine, with a name of its own for its files.
    pub(super) fn start(line: &CommandLine, folder: &Path, name: u32) -> Begun {
        let process = match Process::start(line) {
            Ok(process) => process,
            Err(error) => return Begun::Refused(format!("can't start {line}: {error}")),
        };
        let file = |kind: &str| folder.join(format!("machine{name}.{kind}"));
        let mut machine = Self { process, out: file("out"), err: file("err"), games: 0 };
        let answer = match machine.process.send(b"", START) {
            Reply::Answer { bytes, .. } | Reply::Unasked { bytes } => bytes,
            _ => return Begun::Refused(format!("it doesn't start: {}", machine.process.stderr_tail())),
        };
        let answer = String::from_utf8_lossy(&answer);
        let (word, rest) = answer.split_once(' ').unwrap_or((&answer, ""));
        match word {
            "ready" => Begun::Ready(Box::new(machine)),
            "restart" => Begun::Restart(rest.split_whitespace().map(str::to_owned).collect()),
            "refused" => Begun::Refused(rest.to_owned()),
            _ => Begun::Refused(format!("it answers {}", quoted(answer.as_bytes()))),
        }
    }

    /// Plays a game with the referee's arguments.
    pub(super) fn play(&mut self, arguments: &[String], limit: Duration) -> Played {
        let begun = Instant::now();
        self.games += 1;
        let paths = [&self.out, &self.err].map(|path| path.to_string_lossy().into_owned());
        for path in &paths {
            // Files of the last game don't belong to this one.
            let _ = fs::remove_file(path);
        }
        let words = paths.iter().chain(arguments).map(|word| encoded(word)).collect::<Vec<_>>();
        let reply = self.process.send(format!("{}\n", words.join(" ")).as_bytes(), limit + AFTER);
        let took = begun.elapsed();
        // Java ends its descendants, but not those whose parent has ended.
        self.process.end_followers();
        let mut run = Run { stdout: kept(&self.out), stderr: kept(&self.err), exit: None, took };
        let bytes = match reply {
            Reply::Answer { bytes, .. } => bytes,
            Reply::Silent { .. } => {
                return Played::Last { run, reason: "a game did not end".to_owned() };
            }
            Reply::Closed { exit, .. } => {
                run.stderr.extend_from_slice(self.process.stderr_tail().as_bytes());
                // One that closes its output and runs on would not have ended by itself either.
                run.exit = Some(exit).filter(|&exit| exit != Exit::Running);
                return Played::Last { run, reason: format!("{exit}") };
            }
            Reply::Unasked { bytes } | Reply::TooLong { bytes, .. } => {
                return Played::Refused(format!("it printed {} past System.out", quoted(&bytes)));
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        let mut words = text.splitn(4, ' ');
        match (words.next(), words.next().and_then(|status| status.parse().ok()), words.next(), words.next())
        {
            (Some("ended"), Some(status), None, None) => {
                run.exit = Some(Exit::Code(status));
                Played::Ended(run)
            }
            (Some("ended"), Some(status), Some("leave"), reason) => {
                run.exit = Some(Exit::Code(status));
                Played::Last { run, reason: reason.unwrap_or_default().to_owned() }
            }
            _ => Played::Refused(text.strip_prefix("refused ").unwrap_or(&text).to_owned()),
        }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.process.stop(Duration::ZERO);
        let _ = fs::remove_file(&self.out);
        let _ = fs::remove_file(&self.err);
    }
}

/// Reads the beginning of a file; empty if the file is missing.
fn kept(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Ok(file) = fs::File::open(path) {
        // If it can't be read, the result is incomplete, and the message shows that.
        let _ = file.take(KEPT_BYTES as u64).read_to_end(&mut bytes);
    }
    bytes
}

/// A word without blanks and line ends: bytes other than letters, digits and a few signs as `%XX`.
fn encoded(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
    word.bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_encoded_for_a_line() {
        assert_eq!(encoded("./bot --x=1\n+%é"), "./bot%20--x%3D1%0A%2B%25%C3%A9");
        assert_eq!(encoded(""), "");
    }
}

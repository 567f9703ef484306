//! Replays recorded input to the user's binary and to the bundle: both must give the same output and exit status.

use crate::api::bundle::Replayed;
use crate::api::error::Error;
use crate::plan::Plan;
use crate::prove::dialogue::Input;
use crate::prove::session::{run, End, Heard};
use crate::rustc::session::Session;
use crate::rustc::{folder, Flags};
use crate::syntax::text::shown;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Maximum time for an answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often the binary is run again to check that its own output is stable.
const AGAIN: usize = 2;
/// Maximum length of an answer in a message, in characters.
const SHOWN: usize = 300;

/// Replays every log to both programs and compares the answers.
///
/// # Errors
/// If they differ, with the first place; or if one of them does not answer.
pub fn compare(session: &Session<'_>, plan: &Plan, flags: &Flags, bundle: &str) -> Result<Replayed, Error> {
    let options = session.options;
    let mut logs = Vec::new();
    for path in &options.replay {
        let content = std::fs::read(path).map_err(|source| Error::Read {
            path: path.display().to_string(),
            asked: String::new(),
            source,
        })?;
        logs.push((path, Input::read(&content)));
    }
    let folder = folder()?;
    let checker = session.checker(flags)?;
    // In parallel: one runs cargo, the other rustc.
    let (binary, bundle) = std::thread::scope(|scope| {
        let bundle = scope.spawn(|| checker.program(bundle, folder.path()));
        let binary = crate::plan::cargo::release(plan);
        (binary, bundle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let pair = Pair { binary: binary?, bundle: bundle?, arguments: &options.replay_arguments };
    let mut replayed = Replayed { logs: logs.len(), answers: 0 };
    for (path, input) in &logs {
        replayed.answers += pair.compare_log(path, input)?;
    }
    Ok(replayed)
}

struct Pair<'o> {
    binary: PathBuf,
    bundle: PathBuf,
    arguments: &'o [String],
}

impl Pair<'_> {
    /// Replays one log; returns the number of answers if they agree.
    fn compare_log(&self, path: &Path, input: &Input) -> Result<usize, Error> {
        let binary = self.heard(&self.binary, input)?;
        if let Some((line, why)) = unusable(&binary) {
            let place = place(path, line);
            return Err(Error::Replay { place, why: format!("the workspace's own binary {why}") });
        }
        let bundle = self.heard(&self.bundle, input)?;
        let Some(difference) = Difference::of(&binary, &bundle) else {
            return Ok(binary.lines.len());
        };
        let place = place(path, difference.place(input));
        for _ in 0..AGAIN {
            if let Some(other) = Difference::of(&binary, &self.heard(&self.binary, input)?) {
                return Err(Error::Replay { place, why: nondeterministic(&other) });
            }
        }
        let Difference { number, first, second } = difference;
        let why = format!(
            "answer {number} of the bundle differs from that of the workspace's binary:\n  binary: {first}\n  bundle: {second}"
        );
        Err(Error::Replay { place, why })
    }

    fn heard(&self, program: &Path, input: &Input) -> Result<Heard, Error> {
        run(program, self.arguments, input, PATIENCE).map_err(|source| Error::Missing {
            program: program.display().to_string(),
            hint: "",
            source,
        })
    }
}

/// The reason why a run cannot be compared, and the line of the log, if one is known.
fn unusable(heard: &Heard) -> Option<(Option<usize>, String)> {
    let seconds = PATIENCE.as_secs();
    let (line, what) = match &heard.end {
        End::Ended(_) => return None,
        End::Early(line, status) => {
            (Some(*line), format!("exited ({status}) before the answer recorded here"))
        }
        End::NoAnswer(line) => (Some(*line), format!("gave no answer within {seconds} s")),
        End::Unterminated => (None, format!("did not exit within {seconds} s after the end of its input")),
        End::TooMuch => (None, "printed more than can be compared".into()),
    };
    let complaint = match heard.complaint.as_str() {
        "" => String::new(),
        said => format!("; its stderr:\n{said}"),
    };
    let advice = "Check that the log belongs to this program; arguments for it go after `--`.";
    Some((line, format!("{what}{complaint}\n  {advice}")))
}

fn nondeterministic(difference: &Difference) -> String {
    let Difference { number, first, second } = difference;
    format!(
        "the workspace's own binary gives different answers when run twice, so it cannot be compared with the bundle.\n  \
         answer {number}, first:  {first}\n  answer {number}, second: {second}\n  \
         Pass arguments after `--` that make it deterministic, independent of clock and random seed."
    )
}

/// The first answer in which two runs differ.
struct Difference {
    /// Its number, from 1.
    number: usize,
    first: String,
    second: String,
}

impl Difference {
    fn of(first: &Heard, second: &Heard) -> Option<Difference> {
        let at = first.lines.iter().zip(&second.lines).take_while(|(a, b)| a == b).count();
        if at == first.lines.len() && at == second.lines.len() && first.end == second.end {
            return None;
        }
        Some(Difference { number: at + 1, first: answer(first, at), second: answer(second, at) })
    }

    /// The line of the log with the recorded answer.
    fn place(&self, input: &Input) -> Option<usize> {
        match input {
            Input::Whole(_) => None,
            Input::Turns(turns) => turns.iter().flat_map(|t| &t.answers).nth(self.number - 1).copied(),
        }
    }
}

/// An answer for a message, or the reason why there is none.
fn answer(heard: &Heard, at: usize) -> String {
    if let Some(line) = heard.lines.get(at) {
        let text = String::from_utf8_lossy(line);
        let text = text.strip_suffix('\n').unwrap_or(&text);
        let cut: String = text.chars().take(SHOWN).collect();
        let dots = if cut.len() < text.len() { " …" } else { "" };
        return format!(
            "`{}`{dots}",
            cut.escape_debug().to_string().replace("\\\"", "\"").replace("\\'", "'")
        );
    }
    match (&heard.end, unusable(heard)) {
        (End::Ended(status), _) => format!("nothing; it exited ({status})"),
        (_, Some((_, why))) => format!("it {}", why.lines().next().unwrap_or_default()),
        (_, None) => String::new(),
    }
}

fn place(path: &Path, line: Option<usize>) -> String {
    match line {
        Some(line) => format!("{}:{line}", shown(path)),
        None => shown(path),
    }
}

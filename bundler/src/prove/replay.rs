//! Replays recorded input to the user's binary and to the bundle: both must give the same output and exit status.

use crate::api::bundle::{Bundle, Replayed};
use crate::api::error::Error;
use crate::api::options::Options;
use crate::plan::Plan;
use crate::prove::dialogue::Input;
use crate::prove::session::{run, End, Heard};
use crate::rustc::cache::Key;
use crate::rustc::session::Session;
use crate::rustc::{both, folder, Flags};
use crate::syntax::text::shown;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Maximum time for an answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often each program is run again to check that its own output is stable.
const AGAIN: usize = 2;
/// Maximum length of an answer in a message, in characters.
const SHOWN: usize = 300;

/// Total time for logs that were found: the user did not ask for them.
const TIME_FOR_FOUND: Duration = Duration::from_secs(30);
/// The file next to found logs with the arguments for both programs.
const ARGUMENTS: &str = "arguments";

/// Recorded input of a program.
pub struct Logs {
    paths: Vec<PathBuf>,
    arguments: Vec<String>,
    /// Whether the user named them.
    asked: bool,
}

impl Logs {
    /// The logs that the user named, or else those of the package: `tests/logs/PROGRAM/*.log` or `tests/logs/*.log`, with
    /// the arguments in the file `arguments` next to them.
    pub fn of(options: &Options, plan: &Plan) -> Option<Logs> {
        if !options.replay.is_empty() {
            let (paths, arguments) = (options.replay.clone(), options.replay_arguments.clone());
            return Some(Logs { paths, arguments, asked: true });
        }
        if !options.check || !options.replay_found {
            return None;
        }
        let all = plan.bin.folder.join("tests").join("logs");
        let own = all.join(&plan.target);
        let folder = if own.is_dir() { own } else { all };
        let files = std::fs::read_dir(&folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
        let mut paths: Vec<PathBuf> = files.filter(|p| p.extension().is_some_and(|e| e == "log")).collect();
        paths.sort();
        let arguments = std::fs::read_to_string(folder.join(ARGUMENTS)).unwrap_or_default();
        let arguments = arguments.split_whitespace().map(str::to_owned).collect();
        (!paths.is_empty()).then_some(Logs { paths, arguments, asked: false })
    }

    /// Whether the user named them.
    pub fn are_asked_for(&self) -> bool {
        self.asked
    }

    /// Identifies their content.
    pub fn key(&self) -> Key {
        let said = self.arguments.join("\n").into_bytes();
        let content = |path: &PathBuf| std::fs::read(path).unwrap_or_default();
        let names = self.paths.iter().map(|path| path.as_os_str().as_encoded_bytes().to_vec());
        let parts: Vec<Vec<u8>> =
            [said].into_iter().chain(names).chain(self.paths.iter().map(content)).collect();
        Key::of(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }
}

/// Replays the logs to both programs, compares the answers, and records what that proves.
///
/// # Errors
/// If they differ, with the first place. If one of them cannot be compared, that is an error only if the user asked for
/// it.
pub fn compare(
    session: &Session<'_>,
    plan: &Plan,
    flags: &Flags,
    logs: &Logs,
    bundle: &mut Bundle,
) -> Result<(), Error> {
    let (replayed, failed) = replayed(session, plan, flags, logs, &bundle.text)?;
    match failed {
        Some(error) if logs.asked => return Err(error),
        Some(error) => {
            let said = error.to_string();
            let why = said.lines().next().unwrap_or_default();
            bundle.proofs.open.push(format!("that binary and bundle give the same answers: {why}"));
        }
        None => bundle.proofs.add_replayed(replayed),
    }
    Ok(())
}

/// The logs that could be compared, and why the rest could not.
fn replayed(
    session: &Session<'_>,
    plan: &Plan,
    flags: &Flags,
    logs: &Logs,
    bundle: &str,
) -> Result<(Replayed, Option<Error>), Error> {
    let mut inputs = Vec::new();
    for path in &logs.paths {
        let content = std::fs::read(path).map_err(|source| Error::Read {
            path: path.display().to_string(),
            asked: String::new(),
            source,
        })?;
        inputs.push((path, Input::read(&content)));
    }
    let folder = folder()?;
    let checker = session.checker(flags)?;
    // In parallel: one runs cargo, the other rustc.
    let (bundle, binary) =
        both(|| checker.program(bundle, folder.path()), || crate::plan::cargo::release(plan));
    let mut replayed = Replayed { logs: 0, answers: 0 };
    let binary = match binary {
        Ok(binary) => binary,
        Err(error) => return Ok((replayed, Some(error))),
    };
    let pair = Pair { binary, bundle: bundle?, arguments: &logs.arguments };
    let started = Instant::now();
    for (path, input) in &inputs {
        if !logs.asked && started.elapsed() > TIME_FOR_FOUND {
            break;
        }
        match pair.compare_log(path, input)? {
            Ok(answers) => replayed.answers += answers,
            Err(error) => return Ok((replayed, Some(error))),
        }
        replayed.logs += 1;
    }
    Ok((replayed, None))
}

struct Pair<'o> {
    binary: PathBuf,
    bundle: PathBuf,
    arguments: &'o [String],
}

impl Pair<'_> {
    /// Replays one log; returns the number of answers if they agree, or why they cannot be compared.
    fn compare_log(&self, path: &Path, input: &Input) -> Result<Result<usize, Error>, Error> {
        let binary = self.heard(&self.binary, input)?;
        if let Some((line, why)) = unusable(&binary) {
            let place = place(path, line);
            return Ok(Err(Error::Replay { place, why: format!("the workspace's own binary {why}") }));
        }
        let bundle = self.heard(&self.bundle, input)?;
        let Some(difference) = Difference::of(&binary, &bundle) else {
            return Ok(Ok(binary.lines.len()));
        };
        let place = place(path, difference.place(input));
        for (program, first, whose) in
            [(&self.binary, &binary, "the workspace's own binary"), (&self.bundle, &bundle, "the bundle")]
        {
            for _ in 0..AGAIN {
                if let Some(other) = Difference::of(first, &self.heard(program, input)?) {
                    return Ok(Err(Error::Replay { place, why: nondeterministic(whose, &other) }));
                }
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

fn nondeterministic(whose: &str, difference: &Difference) -> String {
    let Difference { number, first, second } = difference;
    format!(
        "{whose} gives different answers when run twice, so binary and bundle cannot be compared.\n  \
         answer {number}, first:  {first}\n  answer {number}, second: {second}\n  \
         Pass arguments after `--` that make it deterministic, independent of clock and random seed."
    )
}

/// The first answer in which two runs differ.
struct Difference {
    /// Number, from 1.
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

/// An answer for a message, or the reason why it is missing.
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

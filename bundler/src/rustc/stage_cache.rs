//! Caches a stage's output by the digest of its input.

use crate::api::error::Error;
use crate::rustc::session::Session;
use crate::rustc::Checker;
use crate::syntax::text::Text;
use serde::{Deserialize, Serialize};
use std::time::UNIX_EPOCH;

/// The output of a stage: a text whose origins are offsets in the input, and the notes.
#[derive(Debug, Default, Serialize, Deserialize)]
struct StageOutput {
    body: String,
    runs: Vec<(usize, Option<usize>)>,
    notes: Vec<String>,
}

/// Returns the stage's output for a text, from the cache or from `make`, which must depend only on the text's
/// characters and the checker.
///
/// # Errors
/// As for `make`.
pub fn cached(
    stage: &str,
    text: &Text,
    checker: &Checker,
    session: &Session<'_>,
    make: impl FnOnce(Text) -> Result<Text, Error>,
) -> Result<Text, Error> {
    let entry = checker.known(stage, text.as_str(), &[&program_identity()], || {
        let (output, notes) = session.apart(|| make(text.itself()));
        let output = output?;
        let runs = output.runs().map(|(range, origin)| (range.start, origin.map(|o| o.offset))).collect();
        let output = StageOutput { body: output.as_str().to_owned(), runs, notes };
        Ok(serde_json::to_vec(&output).unwrap_or_default())
    })?;
    let StageOutput { body, runs, notes: new } = serde_json::from_slice(&entry).unwrap_or_default();
    // A stage's output is never empty; without an entry the text is unchanged.
    let Some(output) = Text::of_runs(body, &runs) else { return Ok(text.clone()) };
    session.note_all(new);
    Ok(text.behind(output))
}

/// Whether [`cached`] has the stage's output for a text.
pub fn is_cached(stage: &str, text: &Text, checker: &Checker) -> bool {
    checker.is_known(stage, text.as_str(), &[&program_identity()])
}

/// Identifies the running program, since another build may give another output.
pub fn program_identity() -> String {
    let program = std::env::current_exe().and_then(std::fs::metadata);
    let known = program.ok().and_then(|m| {
        let changed = m.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(format!("{} bytes of {} ns", m.len(), changed.as_nanos()))
    });
    known.unwrap_or_else(|| format!("process {}", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::options::Options;
    use crate::os::progress::Progress;
    use crate::rustc::cache::Cache;
    use crate::rustc::Flags;
    use crate::syntax::text::{Edits, Files};
    use std::path::Path;

    #[test]
    fn cached_output_is_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let checker = |cache| Checker::new(cache, Flags::default()).unwrap();
        let mut files = Files::default();
        let source = "fn unused() {}\nfn main() {}\n";
        let file = files.add(Path::new("a.rs"), &format!("// Over it.\n{source}"));
        // The second time, the file has a comment more.
        let (first, second) = (Text::of_file(file, source.into()), {
            let mut edits = Edits::default();
            edits.delete(0..12);
            Text::of_file(file, format!("// Over it.\n{source}")).edited(edits)
        });
        let (options, progress) = (Options { cache: false, ..Options::default() }, Progress::new(false));
        let run = |text: &Text, cache: Cache, known: bool| {
            let session = Session::new(&options, &progress, Path::new(""));
            session.note("before");
            let text = cached("trimmed", text, &checker(cache), &session, |text| {
                assert!(!known);
                session.note("one went");
                let mut edits = Edits::default();
                edits.delete(0..15);
                Ok(text.edited(edits))
            });
            let text = text.unwrap();
            (text.as_str().to_owned(), text.place(0, &files), session.notes())
        };
        let shown = |line| {
            (
                "fn main() {}\n".to_owned(),
                Some(format!("a.rs:{line}")),
                vec!["before".into(), "one went".into()],
            )
        };
        let cache = Cache::at(folder.path());
        assert_eq!(run(&first, Cache::off(), false), shown(2));
        assert_eq!(run(&first, cache.clone(), false), shown(2));
        assert_eq!(run(&first, cache.clone(), true), shown(2));
        assert_eq!(run(&second, cache.clone(), true), shown(3));
    }
}

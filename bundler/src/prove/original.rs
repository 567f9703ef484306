//! Compares a bundle's code with that of cargo's own build.

use crate::api::bundle::{thousands, Bundle, Method};
use crate::api::error::Error;
use crate::plan::{original, Plan};
use crate::rustc::pairs::{compare, Compared, Program};
use crate::rustc::session::Session;
use crate::rustc::{both, Checker, Flags, PROVED};

/// Compares the code, function by function, and records what that proves.
///
/// # Errors
/// If a program cannot be started.
pub fn prove(session: &Session<'_>, plan: &Plan, flags: &Flags, bundle: &mut Bundle) -> Result<(), Error> {
    const WHAT: &str = "the same as cargo's build";
    if !plan.externals.is_empty() {
        let why = "the crates of the site are compiled once for each";
        bundle.proofs.open.push(format!("{WHAT}: {why}"));
        return Ok(());
    }
    match compared(plan, &session.checker(flags)?, &bundle.text) {
        Ok(Compared { functions, differs: None, .. }) => bundle.proofs.same_as_built = Some(functions),
        Ok(Compared { functions, same, differs: Some(first) }) => {
            let [same, functions] = [same, functions].map(thousands);
            let decoded = bundle.assets.iter().filter(|asset| asset.method != Method::Literal).count();
            let files = match decoded {
                0 => String::new(),
                1 => "; the bundle decodes a file".into(),
                n => format!("; the bundle decodes {n} files"),
            };
            let open = format!("{WHAT}: {same} of {functions} functions are; {first} differs{files}");
            bundle.proofs.open.push(open);
        }
        Err(Error::Source(said)) => {
            let why = said.lines().next().unwrap_or_default();
            bundle.proofs.open.push(format!("{WHAT}, which fails with `--cfg bundled`: {why}"));
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

/// The comparison of cargo's build with a text.
fn compared(plan: &Plan, checker: &Checker, text: &str) -> Result<Compared, Error> {
    // In parallel: one runs cargo, the other rustc.
    let (bundled, built) = both(|| checker.named_code(text), || original::code(plan));
    let (built, bundled) = (built?, bundled?.unwrap_or_default());
    let built = Program::read(built.iter().map(String::as_str), "");
    let bundled = Program::read([bundled.as_str()], PROVED);
    Ok(match (built, bundled) {
        (Some(built), Some(bundled)) => compare(&built, &bundled),
        _ => Compared { functions: 0, same: 0, differs: Some("code of an unknown form".into()) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::options::Options;
    use crate::os::progress::Progress;

    const MAIN: &str = "fn main() {\n\
        let mut total = 0;\n\
        for word in std::env::args() { let shown = word.clone(); total += part::weight(&shown, 3); }\n\
        println!(\"{total} {}\", part::next());\n}\n";
    /// The edition is one in which `panic!` calls another function.
    const PART: &str = "use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};\n\
        static FIRST: AtomicUsize = AtomicUsize::new(1);\n\
        static SECOND: AtomicUsize = AtomicUsize::new(1);\n\
        struct Held(usize);\n\
        impl Drop for Held { fn drop(&mut self) { SECOND.fetch_add(self.0, Relaxed); } }\n\
        pub fn weight(word: &str, most: usize) -> usize {\n\
        let held = Held(word.len());\n\
        if word.len() > 1_000 { panic!(\"a long {word}\"); }\n\
        if held.0 > most { most } else { held.0 + 1 }\n}\n\
        pub fn next() -> usize {\n\
        let first = FIRST.fetch_add(1, Relaxed);\n\
        if first > 1_000 { panic!(\"too many\"); }\n\
        first + SECOND.load(Relaxed)\n}\n";

    #[test]
    fn an_altered_text_is_caught() {
        let folder = tempfile::tempdir().unwrap();
        let package = |name: &str, edition: &str, rest: &str| {
            format!("[package]\nname = \"{name}\"\nversion = \"1.0.0\"\nedition = \"{edition}\"\n{rest}")
        };
        let manifest = package(
            "bot",
            "2021",
            "[dependencies]\npart = { path = \"part\" }\n[workspace]\n[profile.dev]\nopt-level = 1\n",
        );
        for (path, content) in [
            ("Cargo.toml", manifest),
            ("src/main.rs", MAIN.to_owned()),
            ("part/Cargo.toml", package("part", "2018", "")),
            ("part/src/lib.rs", PART.to_owned()),
        ] {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        let options = Options {
            manifest_path: Some(folder.path().join("Cargo.toml")),
            compare_build: true,
            ..Options::default()
        };
        let bundle = crate::bundle(&options).unwrap();
        assert!(bundle.proofs.same_as_built.is_some_and(|n| n > 10), "{}", bundle.proofs);

        let progress = Progress::new(false);
        let plan = Plan::make(&options).unwrap();
        let session = Session::new(&options, &progress, &plan.cache);
        let checker = session.checker(&plan.flags).unwrap();
        for (from, to, function) in [
            ("len()>1_000", "len()>1_001", "weight"),
            ("held.0>most", "held.0>=most", "weight"),
            ("too many", "so many", "next"),
            ("panic!(\"too many\")", "panic!(\"too man\")", "next"),
            ("a long {{word}}", "a long {word}", "weight"),
            ("first+SECOND", "first+FIRST", "next"),
            ("SECOND.fetch_add", "FIRST.fetch_add", "drop"),
            ("word.clone()", "word", "main"),
            ("weight(&shown,3)", "weight(&word,3)", "main"),
        ] {
            let dense: String = bundle
                .text
                .replace(" > ", ">")
                .replace(" >= ", ">=")
                .replace(" + ", "+")
                .replace(", 3", ",3");
            assert!(dense.contains(from), "{from}: {dense}");
            let compared = compared(&plan, &checker, &dense.replace(from, to)).unwrap();
            let named = compared.differs.as_ref().is_some_and(|name| name.contains(function));
            assert!(named && compared.same < compared.functions, "{from} and {to}: {compared:?}");
        }
    }
}

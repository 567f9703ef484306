//! Reasons for a refusal that several steps give.

use crate::plan::cargo::Script;
use crate::plan::Unit;

/// The reason for refusing a module whose file depends on the target.
pub const PATH_DEPENDS: &str =
    "the file of this module depends on the target.\n  Instead, choose between two modules by `cfg`.";

/// The reason for refusing a crate because of its build script, if there is one.
pub fn build_script(unit: &Unit) -> Option<String> {
    let why = match &unit.script {
        Script::None => return None,
        Script::Ran(output) if output.links.is_empty() => return None,
        Script::Ran(output) => format!("links {}, which one file cannot do", output.links.join(", ")),
        Script::NotRun => "was not run, so its output is unknown".into(),
        Script::Unclear => "has different output for the host and for the target".into(),
    };
    Some(format!(
        "`{}` {} has a build script that {why}.\n  \
         Use a version or a crate without one, or copy what you need into your own crate.",
        unit.package, unit.version
    ))
}

/// The reason for refusing a procedural macro.
pub fn proc_macro(which: &str) -> String {
    if which.contains("fastout") {
        return format!(
            "a procedural macro {which} runs within the compiler and cannot be put into one file.\n  \
             Instead, write to `let mut out = std::io::BufWriter::new(std::io::stdout().lock());` with `writeln!`, or \
             name a site that has the crate, as in --platform atcoder."
        );
    }
    let (or, only) = if which.contains("`derive(") {
        ("bundle with --expand-derives, or ", "")
    } else if which.contains("`#[") {
        ("", " If the attribute only annotates the code, write `#[cfg_attr(not(bundled), ...)]`.")
    } else {
        ("", " A site's own crate may stay: --platform, --external.")
    };
    format!(
        "a procedural macro {which} runs within the compiler and cannot be put into one file.\n  \
         Instead, {or}write the code that it generates (`cargo expand` shows it).{only}"
    )
}

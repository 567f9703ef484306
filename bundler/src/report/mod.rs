//! The report of a bundle: sizes, parts, removed items with reasons, proofs and timings.
//!
//! `bundler --json` prints a [`Bundle`] without its text. These names are stable; more may be added:
//!
//! - `target`: `kind` (`binary`, `example`), `name`, `package`, `version`; `edition`
//! - `size`: `bytes`, `chars`, `utf16`, `lines`; `limit`: `size`, `unit` (`bytes`, `chars`, `utf16`)
//! - `minified`: `level` (`none`, `comments`, `space`, `names`), `fixed` (by `--minify`), `over`: the lower levels that are over
//!   the limit, each `level`, `size` (in the limit's unit)
//! - `crates`: each `kind`, `path`, `place` (`file:line` or null), `bytes`, `share` (percent), `parts` (the same again)
//! - `removed`: each `kind`, `path`, `place`, `bytes`, `stage` (`reached`, `trimmed`, `minified`)
//! - `assets`: each `path`, `raw`, `bundled`, `method`; `proofs`: `compilers`, `same_functions`, `same_as_built`, `replayed`, `open`
//! - `steps`: each `stage`, `bytes`; `times`: each `what`, `seconds`; `files`: paths; `notes`: sentences
//!
//! An error is an object with `error` (its kind), `message`, `place` (`file`, `line`, `column`, or null), `status`, and
//! `bundle`, as above, if the bundle is over the limit.

pub mod explain;
pub mod finish;
pub mod header;
pub mod known;
pub mod maps;
pub mod own;
pub mod removed;
pub mod tree;

use crate::api::bundle::Part;
use crate::api::bundle::{thousands, Bundle, Target};
use crate::api::options::{Limit, Minify};

/// One line with the size of a bundle.
pub fn summary(bundle: &Bundle) -> String {
    let Limit { size, unit } = bundle.limit;
    let share = 100.0 * unit.size(&bundle.text) as f64 / size.max(1) as f64;
    format!(
        "{}, {share:.1} % of the limit of {} {}, {} lines",
        bundle.size.shown(),
        thousands(size),
        unit.name(),
        thousands(bundle.size.lines)
    )
}

/// The reason why a bundle is minified further than at the first level.
pub fn raised(bundle: &Bundle) -> Option<String> {
    let raised = !bundle.minified.over.is_empty();
    raised.then(|| bundle.minified.shown(bundle.limit.unit))
}

/// The whole report as text.
pub fn human(bundle: &Bundle) -> String {
    let Target { kind, name, package, version } = &bundle.target;
    let mut out = format!("The {kind} {name} of package {package} {version}: {}\n", summary(bundle));
    out.push_str(&format!("{}\n", bundle.minified.shown(bundle.limit.unit)));
    out.push_str("\n    bytes  share  what\n");
    let least = bundle.size.bytes / 100;
    bundle.crates.iter().for_each(|part| branch(part, 0, "", least, &mut out));
    if !bundle.assets.is_empty() {
        out.push_str(&format!("\n    bytes  {:>9}  file\n", bundle.limit.unit.name()));
        for a in &bundle.assets {
            let (raw, written) = (thousands(a.raw), thousands(a.bundled));
            out.push_str(&format!("{raw:>9}  {written:>9}  {} ({})\n", a.path, a.method.name()));
        }
    }
    out.push_str("\n    bytes  after\n");
    for step in &bundle.steps {
        out.push_str(&format!("{:>9}  {}\n", thousands(step.bytes), step.stage.said()));
    }
    removals(bundle, &mut out);
    out.push_str(&format!("\n{}\n", bundle.proofs));
    out.push_str("\n  seconds  for\n");
    for time in &bundle.times {
        out.push_str(&format!("{:>9.1}  {}\n", time.seconds, time.what));
    }
    if !bundle.notes.is_empty() {
        out.push('\n');
    }
    out.extend(bundle.notes.iter().map(|n| format!("note: {n}\n")));
    out
}

/// Prints a part and the parts in it, down to `least` bytes.
fn branch(part: &Part, depth: usize, within: &str, least: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    let inside = part.path.strip_prefix(within).and_then(|p| p.strip_prefix("::"));
    let path = inside.unwrap_or(&part.path);
    let says_kind = path.starts_with("impl") && part.kind == "impl";
    let kind = if says_kind { String::new() } else { format!("{} ", part.kind) };
    out.push_str(&format!("{:>9} {:>5.1}%  {indent}{kind}{path}\n", thousands(part.bytes), part.share));
    let within = if part.kind == "crate" { part.path.split(' ').next().unwrap_or("") } else { &part.path };
    let shown = part.parts.iter().take_while(|p| p.bytes >= least.max(1)).count();
    part.parts[..shown].iter().for_each(|p| branch(p, depth + 1, within, least, out));
    let rest = &part.parts[shown..];
    if shown > 0 && !rest.is_empty() {
        let bytes = rest.iter().map(|p| p.bytes).sum();
        let word = if rest.len() == 1 { "smaller part" } else { "smaller ones" };
        out.push_str(&format!("{:>9}         {indent}  … {} {word}\n", thousands(bytes), rest.len()));
    }
}

/// Maximum number of removed items in the text report; the JSON has all.
const MOST_REMOVED: usize = 20;

/// Prints the removed items with reasons.
fn removals(bundle: &Bundle, out: &mut String) {
    if bundle.removed.is_empty() {
        return;
    }
    out.push_str("\n    bytes  removed, because\n");
    for r in bundle.removed.iter().take(MOST_REMOVED) {
        let says_kind = r.kind == "impl" && r.path.starts_with("impl");
        let kind = if says_kind { String::new() } else { format!("{} ", r.kind) };
        let place = r.place.as_ref().map_or(String::new(), |p| format!(" ({p})"));
        out.push_str(&format!("{:>9}  {kind}{}{place}: {}\n", thousands(r.bytes), r.path, r.stage.because()));
    }
    if let Some(rest) = bundle.removed.get(MOST_REMOVED..).filter(|r| !r.is_empty()) {
        let bytes = rest.iter().map(|r| r.bytes).sum();
        out.push_str(&format!("{:>9}  … {} more\n", thousands(bytes), rest.len()));
    }
}

/// The message for a bundle over its limit; `checked`: whether it was made with the compiler.
pub fn over(bundle: &Bundle, checked: bool) -> String {
    let Limit { size: limit, unit } = bundle.limit;
    let size = unit.size(&bundle.text);
    let mut modules = Vec::new();
    bundle.crates.iter().for_each(|c| flat(c, &c.path, &mut modules));
    modules.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let list: String = modules
        .iter()
        .take(12)
        .map(|(path, bytes)| format!("\n    {:>9} bytes  {path}", thousands(*bytes)))
        .collect();
    let level = bundle.minified.level;
    let advice = if level < Minify::Space || checked && level < Minify::Names {
        "a higher --minify level makes it smaller"
    } else if checked {
        "no level of --minify makes it smaller: shorten those parts, or exclude code by `cfg(not(bundled))`"
    } else {
        "without --no-check it is smaller"
    };
    format!(
        "the bundle has {} {} at the level `{}`, {} over the limit of {}.\n  \
         The biggest parts:{list}\n  --report shows more; {advice}.",
        thousands(size),
        unit.name(),
        level.name(),
        thousands(size.saturating_sub(limit)),
        thousands(limit)
    )
}

/// The size of each crate and module without its submodules.
fn flat(part: &Part, path: &str, out: &mut Vec<(String, usize)>) {
    let inner = part.parts.iter().filter(|p| p.kind == "mod");
    let bytes = part.bytes - inner.clone().map(|p| p.bytes).sum::<usize>().min(part.bytes);
    out.push((path.to_owned(), bytes));
    inner.for_each(|p| flat(p, &p.path, out));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::bundle::Size;

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(1234), "1,234");
        assert_eq!(thousands(100_000), "100,000");
    }

    #[test]
    fn sizes_are_shown_where_they_differ() {
        assert_eq!(Size::of("ab\n").shown(), "3 bytes");
        assert_eq!(Size::of("é🎲").shown(), "6 bytes, 2 characters, 3 UTF-16 units");
    }
}

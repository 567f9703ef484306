//! Chooses the edition that the bundle is written in.
//!
//! It is 2021, which every site supports, unless a crate of edition 2024 does not compile under 2021 or drops values in
//! another order. rustc reports both: it has lints for everything that edition 2024 changes without an error.

use crate::api::bundle::Stage;
use crate::api::error::Error;
use crate::merge::ladder::Ladder;
use crate::merge::program::Program;
use crate::plan::{Dep, Unit};
use crate::read::edition;
use crate::rustc::session::Session;
use crate::rustc::{both, shape, Checker, Flags, Outcome, Span};
use crate::syntax::text::{Edits, Files, Text};
use crate::syntax::tokens::{raw, Kind, Tokens};
use cargo_metadata::Edition;
use std::collections::BTreeSet;
use std::ops::Range;

/// Lints for code that behaves differently in edition 2024, with what differs.
const NEWS_OF_2024: &[(&str, &str)] = &[
    ("tail_expr_drop_order", "this value is dropped at another time in edition 2021 than in 2024"),
    ("if_let_rescope", "this value is dropped at another time in edition 2021 than in 2024"),
    (
        "boxed_slice_into_iter",
        "`into_iter` of a boxed slice yields references in edition 2021 and values in 2024",
    ),
    (
        "rust_2024_prelude_collisions",
        "this method may be another one in edition 2024, whose prelude has more traits",
    ),
];

/// The lint for `into_iter` of an array, which yields references before 2021.
const ARRAYS: &str = "array_into_iter";
/// The lint for methods named like those of the traits that the prelude has had since 2021. It suggests naming the trait.
const PRELUDE: &str = "rust_2021_prelude_collisions";
/// These methods.
const OF_THE_PRELUDE: &[&str] = &["try_into", "try_from", "from_iter"];
/// The lint for closures that capture a whole variable before 2021 and one field since, so that the rest is dropped at
/// another time. It suggests mentioning the whole variable in the closure.
const CAPTURES: &str = "rust_2021_incompatible_closure_captures";

/// The lint for bare trait objects, which are errors since 2021.
const TRAIT_OBJECTS: &str = "bare_trait_objects";

/// Maximum number of rounds; rustc needs fewer to report all bare trait objects.
const ROUNDS: usize = 8;
const NEWER_LIBRARY: &str = "
  This crate is edition 2024 and your binary is not, so the bundle is compiled as 2021.
  Set edition = \"2024\" in the binary's Cargo.toml, if your site can compile that.";
const OLDER_LIBRARY: &str = "
  This crate is older than edition 2024, which another crate of the bundle needs.
  Give both the same edition.";

const NOT_THERE: &str = "
  The platform is not known to compile edition 2024. Rewrite this so that it means the same in 2021, or give another --platform.";

fn is_new(unit: &Unit) -> bool {
    !matches!(unit.edition, Edition::E2015 | Edition::E2018 | Edition::E2021)
}

/// A note if the edition cannot be decided without compiling.
pub fn unknown(program: Program<'_>) -> Option<String> {
    program.units().find(|u| is_new(u)).map(|u| {
        format!(
            "package {} is edition {}; the bundle may need `--edition 2024`, which only compiling shows",
            u.package, u.edition
        )
    })
}

/// Rewrites what only rustc's type checker finds in crates of edition 2015 and 2018: bare trait objects, arrays
/// iterated by reference, and variables that closures capture whole.
///
/// If the program itself is newer, only the older crates and what they depend on are compiled for that: they seldom
/// change, so that the result is in the cache.
pub fn repair(session: &Session<'_>, program: Program<'_>, mut text: Text) -> Result<Text, Error> {
    let plan = program.plan;
    if !program.units().any(is_old) {
        return Ok(text);
    }
    let from_old = |text: &Text, at: usize| program.unit_at(text, at).is_some_and(is_old);
    let part = older_part(program, &text);
    let mut may_have_objects = true;
    if may_differ(text.as_str(), |at| from_old(&text, at)) {
        let in_macros = in_macros(text.as_str(), |at| from_old(&text, at));
        let part = part.as_ref().filter(|_| !in_macros);
        let older = session.checker(&Flags { edition: Edition::E2018, ..plan.flags.clone() })?;
        let lints = ["-W", ARRAYS, "-W", CAPTURES, "-W", PRELUDE, "--force-warn", TRAIT_OBJECTS];
        let outcome = check_part(&older, &text, part, &lints)?;
        may_have_objects = !outcome.ok || outcome.diagnostics.iter().any(|d| d.lint() == Some(TRAIT_OBJECTS));
        let mut edits = Edits::default();
        for d in &outcome.diagnostics {
            let old = |s: &&Span| from_old(&text, s.byte_start);
            let places = || d.spans.iter().filter(|s| s.is_primary).filter(old);
            match d.lint() {
                Some(ARRAYS) => places().for_each(|s| edits.replace(s.byte_start..s.byte_end, "iter")),
                Some(CAPTURES | PRELUDE) if places().next().is_some() => {
                    let parts = d.children.iter().flat_map(|c| &c.spans).filter(old);
                    for (span, with) in parts.filter_map(|s| Some((s, s.suggested_replacement.as_ref()?))) {
                        edits.replace(span.byte_start..span.byte_end, with);
                    }
                }
                _ => {}
            }
        }
        if !edits.is_empty() {
            text = text.edited(edits);
        }
    }
    if !may_have_objects {
        return Ok(text);
    }
    let checker = session.checker(&plan.flags)?;
    for _ in 0..ROUNDS {
        let part = older_part(program, &text);
        let outcome = check_part(&checker, &text, part.as_ref(), &[])?;
        let mut edits = Edits::default();
        for d in outcome.diagnostics.iter().filter(|d| d.lint() == Some("E0782")) {
            for span in d.spans.iter().filter(|s| s.is_primary && from_old(&text, s.byte_start)) {
                edits.splice(span.byte_start..span.byte_end, with_dyn(&text, span.byte_start..span.byte_end));
            }
        }
        if edits.is_empty() {
            break;
        }
        text = text.edited(edits);
    }
    Ok(text)
}

fn is_old(unit: &Unit) -> bool {
    matches!(unit.edition, Edition::E2015 | Edition::E2018)
}

/// Whether the older crates have arrays or closures that the editions may treat differently.
fn may_differ(source: &str, from_old: impl Fn(usize) -> bool) -> bool {
    let names = OF_THE_PRELUDE.iter().chain(&["into_iter"]);
    let mut places = names.flat_map(|name| source.match_indices(name).map(|(at, _)| at));
    places.any(&from_old) || closures(source).any(&from_old)
}

/// Whether any of them stands in a macro, which other crates may call.
fn in_macros(source: &str, from_old: impl Fn(usize) -> bool) -> bool {
    let Ok(tokens) = Tokens::read(source) else { return true };
    let rules = |i: &usize| tokens.ident(*i) == Some("macro_rules") && tokens.is(*i + 1, '!');
    let bodies = (0..tokens.len()).filter(rules).filter_map(|i| {
        let end = tokens.get(tokens.close(i + 3))?.range.end;
        Some(tokens.get(i)?.range.start..end)
    });
    let bodies: Vec<Range<usize>> = bodies.collect();
    may_differ(source, |at| bodies.iter().any(|b| b.contains(&at)) && from_old(at))
}

/// The modules of the older crates and of those that they depend on, in their order; `None` if the binary is older too.
fn older_part(program: Program<'_>, text: &Text) -> Option<Vec<Range<usize>>> {
    part_of(program, text, is_old)
}

/// The modules of some crates and of those that they depend on, in their order; `None` if the binary is one of them.
fn part_of(program: Program<'_>, text: &Text, which: impl Fn(&Unit) -> bool) -> Option<Vec<Range<usize>>> {
    let Program { plan, merged, .. } = program;
    if which(&plan.bin) {
        return None;
    }
    let mut needed: BTreeSet<usize> = BTreeSet::new();
    let all = merged.modules.iter().map(|(_, i)| *i);
    let mut open: Vec<usize> = all.filter(|&i| which(&plan.libs[i])).collect();
    while let Some(i) = open.pop() {
        if needed.insert(i) {
            open.extend(plan.libs[i].deps.values().filter_map(|d| match d {
                Dep::Lib(i) => Some(*i),
                _ => None,
            }));
        }
    }
    let names: BTreeSet<String> =
        merged.modules.iter().filter(|(_, i)| needed.contains(i)).map(|(name, _)| raw(name)).collect();
    let tokens = Tokens::read(text.as_str()).ok()?;
    let (mut ranges, mut i, mut start) = (Vec::new(), 0, 0);
    while let Some(token) = tokens.get(i) {
        let end = match token.kind {
            Kind::Open(_) => tokens.close(i),
            _ => i,
        };
        let ends = matches!(token.kind, Kind::Open('{') | Kind::Punct(';'));
        if ends {
            let words = || (start..i).filter_map(|n| tokens.get(n)).map(|t| &text.as_str()[t.range.clone()]);
            let module =
                words().any(|w| w == "mod") && words().next_back().is_some_and(|w| names.contains(w));
            let external = words().any(|w| w == "extern") && words().any(|w| w == "crate");
            if module || external {
                ranges.push(tokens.get(start)?.range.start..tokens.get(end)?.range.end);
            }
            start = end + 1;
        }
        i = end + 1;
    }
    Some(ranges)
}

/// Compiles parts of a text as a program of their own, or all of it; the places are those in the whole text.
fn check_part(
    checker: &Checker,
    text: &Text,
    part: Option<&Vec<Range<usize>>>,
    flags: &[&str],
) -> Result<Outcome, Error> {
    let Some(ranges) = part else { return checker.check_with(text.as_str(), flags) };
    let mut program = String::new();
    // Where each part begins in the program.
    let mut begins = Vec::new();
    for range in ranges {
        begins.push(program.len());
        program.push_str(&text.as_str()[range.clone()]);
        program.push('\n');
    }
    program.push_str("fn main() {}\n");
    let mut outcome = checker.check_with(&program, flags)?;
    let in_whole = |at: usize| {
        let n = begins.partition_point(|&b| b <= at).saturating_sub(1);
        begins.get(n).zip(ranges.get(n)).map_or(text.as_str().len(), |(b, r)| (r.start + at - b).min(r.end))
    };
    let every = outcome.diagnostics.iter_mut().flat_map(|d| {
        let inner = d.children.iter_mut().flat_map(|c| c.spans.iter_mut());
        d.spans.iter_mut().chain(inner)
    });
    for span in every {
        (span.byte_start, span.byte_end) = (in_whole(span.byte_start), in_whole(span.byte_end));
    }
    Ok(outcome)
}

/// The bytes at which a closure may begin.
fn closures(source: &str) -> impl Iterator<Item = usize> {
    let tokens = Tokens::read(source).ok();
    let begins = |tokens: &Tokens<'_>, i: usize| {
        let before = i.checked_sub(1).and_then(|b| tokens.get(b)).map(|t| t.kind);
        let after = match before {
            Some(Kind::Open(_)) | None => true,
            Some(Kind::Punct(c)) => [',', '=', ';', '>', '&', '!'].contains(&c),
            Some(Kind::Ident) => ["move", "return", "else"].contains(&tokens.text(i - 1)),
            _ => false,
        };
        after && tokens.is(i, '|')
    };
    let found = tokens.map(|t| {
        let all = (0..t.len()).filter(|&i| begins(&t, i));
        all.filter_map(|i| t.get(i)).map(|t| t.range.start).collect::<Vec<_>>()
    });
    found.into_iter().flatten()
}

/// The range as `dyn A + B`, in parentheses after `&`, as `<dyn A>` before `::`.
fn with_dyn(text: &Text, range: Range<usize>) -> Text {
    let source = text.as_str();
    let reference =
        source[..range.start].trim_end().ends_with(['&', 't']) && source[range.clone()].contains('+');
    let of_path = source[range.end..].trim_start().starts_with("::");
    let (before, after) = match (of_path, reference) {
        (true, _) => ("<dyn ", ">"),
        (false, true) => ("(dyn ", ")"),
        (false, false) => ("dyn ", ""),
    };
    let mut out = Text::generated(before);
    out.push(&text.slice(range));
    out.push_str(after);
    out
}

/// Chooses the edition of the bundle, or refuses. Returns the forms of the program in it, and rustc's flags for them.
pub fn settle(
    session: &Session<'_>,
    program: Program<'_>,
    mut ladder: Ladder,
) -> Result<(Ladder, Flags), Error> {
    let Program { plan, files, .. } = program;
    let flags = plan.flags.clone();
    if !program.units().any(is_new) {
        return Ok((ladder, flags));
    }
    let flags_of_2024 = Flags { edition: Edition::E2024, ..flags.clone() };
    let (older, newer) = (session.checker(&flags)?, session.checker(&flags_of_2024)?);
    let for_2024 = |text: &Text| {
        let is_older = |at| program.unit_at(text, at).is_some_and(|unit| !is_new(unit));
        edition::for_2024(text, is_older).unwrap_or_else(|_| text.clone())
    };
    for stage in [Stage::Reached, Stage::Inlined] {
        let Some(text) = ladder.at(stage).map(for_2024) else { continue };
        let text = &text;
        let lints = NEWS_OF_2024.iter().flat_map(|(lint, _)| ["-W", lint]).collect::<Vec<_>>();
        let (outcome, differs) =
            both(|| older.check_with(text.as_str(), &lints), || other_code(program, text, &older));
        let (outcome, differs) = (outcome?, differs?);
        let changed = |newer| changes(program, &outcome, text, |u| is_new(u) == newer);
        let reason =
            if outcome.ok { changed(true).or(differs.clone()) } else { failure(&outcome, text, files) };
        let Some((place, what)) = reason else { return Ok((ladder, flags)) };
        if !is_new(&plan.bin) && outcome.ok && differs.is_none() {
            // The user cannot fix a foreign crate, and the drop order seldom matters.
            let own = changes(program, &outcome, text, |u| is_new(u) && !u.foreign);
            let Some((place, what)) = own else {
                session.note(format!("{place}: {what}; if the drop order matters to you, set edition = \"2024\" in the binary's Cargo.toml"));
                return Ok((ladder, flags));
            };
            return Err(Error::Refused { place, why: format!("{what}.{NEWER_LIBRARY}") });
        }
        let in_2024 = if outcome.ok { None } else { Some(newer.check(text.as_str())?) };
        if let Some(in_2024) = in_2024.filter(|in_2024| !in_2024.ok) {
            // Neither edition may suit all crates.
            let mut errors = outcome.diagnostics.iter().filter(|d| d.is_error()).filter_map(|d| d.at());
            let is_of_new = errors.any(|at| program.unit_at(text, at).is_some_and(is_new));
            if let (true, Some((other, why))) = (is_of_new, failure(&in_2024, text, files)) {
                let why = why.replacen("2021", "2024", 1);
                let why = format!("{what}; and {other}: {why}.\n  Give these crates the same edition.");
                return Err(Error::Refused { place, why });
            }
            // The edition is not the cause.
            continue;
        }
        if !is_new(&plan.bin) {
            return Err(Error::Refused { place, why: format!("{what}.{NEWER_LIBRARY}") });
        }
        let changed = match outcome.ok {
            true => changed(false),
            // Lints come only without errors: the older crates are compiled alone.
            false => {
                let part = part_of(program, text, |unit| !is_new(unit));
                let outcome = check_part(&older, text, part.as_ref(), &lints)?;
                changes(program, &outcome, text, |u| !is_new(u))
            }
        };
        if let Some((place, what)) = changed {
            return Err(Error::Refused { place, why: format!("{what}.{OLDER_LIBRARY}") });
        }
        if session.options.platform.as_ref().is_some_and(|platform| !platform.takes_2024()) {
            return Err(Error::Refused { place, why: format!("{what}.{NOT_THERE}") });
        }
        session.note(format!("the bundle must be compiled with `--edition 2024`: {place}: {what}"));
        for form in &mut ladder.forms {
            form.text = for_2024(&form.text);
        }
        return Ok((ladder, flags_of_2024));
    }
    Ok((ladder, flags))
}

/// The first place in the newer crates whose code is another one in edition 2021 than in 2024, apart from when it drops
/// values.
fn other_code(
    program: Program<'_>,
    text: &Text,
    checker: &Checker,
) -> Result<Option<(String, String)>, Error> {
    let Program { plan, files, merged } = program;
    let shape = |edition| checker.shape(text.as_str(), edition);
    let (Some(older), Some(newer)) = (shape(Edition::E2021)?, shape(Edition::E2024)?) else {
        return Ok(None);
    };
    let Ok(tokens) = Tokens::read(text.as_str()) else { return Ok(None) };
    let functions = || (0..tokens.len()).filter(|&i| tokens.ident(i) == Some("fn"));
    let unit = |at: usize| program.unit_at(text, at);
    // A macro of a newer crate may be used in functions of an older one.
    let is_macro = |i: usize| tokens.ident(i) == Some("macro_rules") && tokens.is(i + 1, '!');
    let mut places = (0..tokens.len()).filter(|&i| is_macro(i)).filter_map(|i| tokens.get(i));
    let macros = places.any(|token| unit(token.range.start).is_some_and(is_new));
    let mut found = Vec::new();
    for symbol in older.differences(&newer) {
        // An impl's symbol begins with a name such as `_$LT$bundle..lib..Type$u20$as$u20$…`.
        let names = shape::names(symbol);
        let names: Vec<&str> =
            names.iter().flat_map(|name| name.split(['.', '$'])).filter(|n| !n.is_empty()).collect();
        // A function of std that is generated for other types belongs to the one that calls it.
        let Some(root) = names.iter().position(|name| *name == "bundle") else { continue };
        let named = |module: &&str| names.get(root + 1) == Some(module);
        let module = merged.modules.iter().find(|(module, _)| named(&module.as_str()));
        let owner = module.map_or(&plan.bin, |(_, i)| &plan.libs[*i]);
        if !is_new(owner) && !macros {
            continue;
        }
        let declared = functions().filter(|&i| tokens.ident(i + 1).is_some_and(|name| names.contains(&name)));
        let place = declared
            .filter_map(|i| Some(tokens.get(i)?.range.start))
            .find(|&at| unit(at).is_some_and(|u| u.root == owner.root));
        let name = names.iter().rfind(|name| !name.starts_with('_')).unwrap_or(&"main");
        let what = format!("the code of `{name}` is another one in edition 2021 than in 2024");
        found.push((place, what));
    }
    found.sort();
    let first = found.into_iter().next();
    Ok(first.map(|(at, what)| {
        let place = at.and_then(|at| text.point(at, files));
        (place.unwrap_or_else(|| crate::syntax::text::shown(&plan.bin.root)), what)
    }))
}

/// The first place in the crates selected by `which` that the two editions treat differently.
fn changes(
    program: Program<'_>,
    outcome: &Outcome,
    text: &Text,
    which: impl Fn(&Unit) -> bool,
) -> Option<(String, String)> {
    let said = |lint: &str| NEWS_OF_2024.iter().find(|(name, _)| *name == lint).map(|(_, said)| *said);
    let found = outcome.diagnostics.iter().filter_map(|d| Some((d.at()?, said(d.lint()?)?)));
    found
        .filter(|&(at, _)| program.unit_at(text, at).is_some_and(&which))
        .min()
        .map(|(at, said)| (program.point(text, at), said.into()))
}

fn failure(outcome: &Outcome, text: &Text, files: &Files) -> Option<(String, String)> {
    let error = outcome.diagnostics.iter().find(|d| d.is_error() && d.at().is_some())?;
    let place = text.point(error.at()?, files).unwrap_or_default();
    Some((place, format!("rustc's error in edition 2021: {}", error.message)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closures_are_found() {
        for (source, count) in [
            ("fn f() { g(|x| x); let h = || 1; i(2, move |y| y) }", 3),
            ("fn f(a: u8, b: u8) -> bool { a | b > 0 || a == b }", 0),
            ("fn f() { match x { Some(1 | 2) => |z| z, _ => return |_| 0 } }", 2),
        ] {
            assert_eq!(closures(source).count(), count, "{source}");
        }
    }
}

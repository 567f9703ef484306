//! The comment at the top of a bundle: its target, the crates in it with their licences, and optionally commit and
//! date.

use crate::os::children;
use crate::plan::{Plan, Unit};
use cargo_metadata::Edition;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

/// Writes the header, given the libraries that some code is left of.
pub fn header(plan: &Plan, edition: Edition, left: &[usize], stamp: Option<&str>) -> String {
    let kind = if plan.example { "example" } else { "binary" };
    let mut out = format!(
        "// The {kind} `{}` of package {} in one file, made by bundler.\n",
        plan.target,
        line(&plan.bin)
    );
    if edition == Edition::E2024 {
        out.push_str("// compile it with: rustc -O --edition 2024\n");
    }
    if let Some(stamp) = stamp {
        out.push_str(&format!("// {stamp}\n"));
    }
    let mut lines: Vec<String> = left
        .iter()
        .map(|&i| &plan.libs[i])
        // One line per package is enough.
        .filter(|u| (&u.package, &u.version) != (&plan.bin.package, &plan.bin.version))
        .map(|u| format!("// with crate {}{}\n", line(u), notice(&u.folder)))
        .collect();
    lines.sort();
    lines.dedup();
    out.extend(lines);
    out
}

fn line(unit: &Unit) -> String {
    one_line(&format!("{} {} ({})", unit.package, unit.version, unit.license))
}

/// Joins lines, so that nothing from a manifest or licence ends the comment.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The copyright lines in a package's licence files; most licences require that they are kept.
fn notice(folder: &Path) -> String {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return String::new();
    };
    let mut names: Vec<_> = entries.filter_map(|e| Some(e.ok()?.file_name())).collect();
    names.sort();
    let mut found: Vec<String> = Vec::new();
    for name in names {
        let upper = name.to_string_lossy().to_uppercase();
        if !["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "UNLICENSE"].iter().any(|p| upper.starts_with(p)) {
            continue;
        }
        let text = std::fs::read(folder.join(name)).unwrap_or_default();
        for line in copyrights(&String::from_utf8_lossy(&text)) {
            if !found.contains(&line) {
                found.push(line);
            }
        }
    }
    found.iter().map(|l| format!(", {l}")).collect()
}

/// Lines that name a copyright holder; neither prose about copyright nor unfilled templates.
fn copyrights(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for line in text.lines().map(one_line) {
        let lower = line.to_lowercase();
        let names_someone = lower.starts_with("copyright")
            && (lower.contains("(c)") || lower.contains('©') || lower.contains(|c: char| c.is_ascii_digit()));
        let blank = ["[yyyy]", "<year>", "{yyyy}", "[name of", "<name of", "{name of"];
        if names_someone && line.len() < 200 && !blank.iter().any(|b| lower.contains(b)) {
            out.push(line.trim_end_matches('.').to_owned());
        }
    }
    out
}

/// The source's commit, and the date, which `SOURCE_DATE_EPOCH` overrides.
pub fn stamp(folder: &Path) -> String {
    let date = date(now());
    match commit(folder) {
        Some(commit) => format!("Commit {commit}, bundled on {date}."),
        None => format!("Bundled on {date}."),
    }
}

fn now() -> u64 {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|s| s.parse().ok());
    given.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs()))
}

/// The abbreviated commit hash, with `-dirty` if tracked files have changed.
fn commit(folder: &Path) -> Option<String> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.arg("-C").arg(folder).args(arguments).stdin(Stdio::null());
        let output = children::output(&mut command).ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let dirty = git(&["status", "--porcelain", "--untracked-files=no"])?;
    Some(if dirty.is_empty() { commit } else { format!("{commit}-dirty") })
}

/// Formats seconds since 1970 as a Gregorian date, `2026-11-21`.
fn date(seconds: u64) -> String {
    let mut day = seconds / 86_400;
    let mut year = 1970;
    let leap = |y: u64| (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
    while day >= 365 + u64::from(leap(year)) {
        day -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in lengths {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        let days = |n: u64| date(n * 86_400 + 86_399);
        assert_eq!(days(0), "1970-01-01");
        assert_eq!(days(11_016), "2000-02-29");
        assert_eq!(days(11_017), "2000-03-01");
        assert_eq!(days(20_453), "2025-12-31");
        assert_eq!(days(20_454), "2026-01-01");
    }

    #[test]
    fn only_copyright_holders_are_listed() {
        let text = "The MIT License\n\nCopyright (c)  2015 The Developers.\ncopyright notice, 2 of them\n  Copyright 2018 A\u{a0}B\n\
            Copyright [yyyy] [name of copyright owner]\nCopyright (C) <year> <name of author>\nCopyright Me\n";
        assert_eq!(
            copyrights(text),
            ["Copyright (c) 2015 The Developers", "copyright notice, 2 of them", "Copyright 2018 A B"]
        );
    }
}

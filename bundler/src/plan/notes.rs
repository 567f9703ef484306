//! Notes on a plan: crates that the site has in another version, and a release profile that changes the program.

use crate::api::bundle::listed;
use crate::api::options::Options;
use crate::plan::cargo;
use crate::plan::{Plan, Unit};
use std::path::Path;

/// Keys of a profile that change what a program does, with the values of `rustc -O`.
const CHANGES: &[(&str, &str)] =
    &[("overflow-checks", "false"), ("debug-assertions", "false"), ("panic", "\"unwind\"")];

/// The notes on a plan.
pub fn notes(options: &Options, plan: &Plan) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(platform) = &options.platform {
        notes.extend(plan.outdated(Some(platform)).map(|(unit, there)| {
            let (name, site) = (&unit.package, platform.name());
            let version = &unit.version;
            format!("{name} {version} is put in: {site} has {there}, which does not replace it by semantic versioning")
        }));
    }
    notes.extend(profile(&plan.workspace));
    if options.cargo.package.is_none() {
        notes.extend(features(plan));
    }
    notes
}

/// A note if cargo compiles the binary with other features where it is not told the package.
fn features(plan: &Plan) -> Option<String> {
    let libs = plan.reachable_libs();
    let units = || libs.iter().map(|&i| &plan.libs[i]).chain([&plan.bin]);
    // Most workspaces want the same of all their crates, so that cargo need not be asked.
    if units().all(|unit| unit.wanted == unit.cfgs.features) {
        return None;
    }
    let united = cargo::united(plan);
    let more = |unit: &Unit| -> Vec<String> {
        let all = united.get(&(unit.package.clone(), unit.version.clone()));
        let more = all.into_iter().flatten().filter(|f| !unit.cfgs.features.contains(*f));
        more.map(|feature| format!("`{feature}`")).collect()
    };
    let (unit, more) = units().map(|unit| (unit, more(unit))).find(|(_, more)| !more.is_empty())?;
    let (kind, bin) = (if plan.example { "--example" } else { "--bin" }, &plan.target);
    let (s, features) = (if more.len() == 1 { "" } else { "s" }, listed(&more));
    Some(format!(
        "in the workspace's folder, `cargo build {kind} {bin}` also turns on the feature{s} {features} of {} {}, for other \
         packages of the workspace; the bundle is the program of `cargo build -p {} {kind} {bin}`",
        unit.package, unit.version, plan.bin.package
    ))
}

/// A note if the workspace's release profile changes what the program does.
fn profile(workspace: &Path) -> Option<String> {
    let text = std::fs::read_to_string(workspace.join("Cargo.toml")).ok()?;
    let set = changes(&text)?;
    (!set.is_empty()).then(|| {
        format!(
            "[profile.release] sets {}: a site compiles with `rustc -O` or the like, without it, so the bundle may \
             behave differently from `cargo run --release`",
            set.join(", ")
        )
    })
}

/// The keys of the release profile that differ from `rustc -O`, with their values.
fn changes(manifest: &str) -> Option<Vec<String>> {
    let manifest: toml::Table = toml::from_str(manifest).ok()?;
    let release = manifest.get("profile")?.get("release")?;
    let changed = |(key, usual): &(&str, &str)| {
        let value = match release.get(key)? {
            toml::Value::String(text) => format!("\"{text}\""),
            toml::Value::Boolean(is_on) => is_on.to_string(),
            _ => return None,
        };
        (value != *usual).then(|| format!("`{key} = {value}`"))
    };
    Some(CHANGES.iter().filter_map(changed).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_compared_with_what_sites_do() {
        let found = |text: &str| changes(text).unwrap_or_default();
        assert_eq!(
            found("[profile.release]\nlto = true\npanic = \"unwind\"\noverflow-checks = false"),
            [""; 0]
        );
        assert_eq!(found("[profile.dev]\npanic = \"abort\""), [""; 0]);
        let text = "[profile.release]\npanic = \"abort\"\noverflow-checks = true";
        assert_eq!(found(text), ["`overflow-checks = true`", "`panic = \"abort\"`"]);
    }
}

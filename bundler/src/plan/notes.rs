//! Notes on a plan: crates of which the site has another version, and a release profile that changes the program.

use crate::api::options::Options;
use crate::plan::Plan;
use std::path::Path;

/// Keys of a profile that change what a program does, with the values of `rustc -O`.
const CHANGES: &[(&str, &str)] =
    &[("overflow-checks", "false"), ("debug-assertions", "false"), ("panic", "\"unwind\"")];

/// The notes on a plan.
pub fn notes(options: &Options, plan: &Plan) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(platform) = options.platform {
        for unit in &plan.libs {
            if let Some(Err(there)) = platform.has(&unit.package, &unit.version) {
                notes.push(format!(
                    "{} {} is put in: {} has {there}, which does not replace it by semantic versioning",
                    unit.package,
                    unit.version,
                    platform.name()
                ));
            }
        }
    }
    notes.extend(profile(&plan.workspace));
    notes
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

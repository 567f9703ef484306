//! Cargo commands with the user's options.

use crate::api::error::Error;
use crate::api::options::{Cargo, Options};
use crate::plan::Plan;
use std::path::Path;
use std::process::{Command, Stdio};

impl Cargo {
    /// The features given by name.
    fn named(&self) -> Vec<&str> {
        self.features.iter().flat_map(|s| s.split([',', ' '])).filter(|s| !s.is_empty()).collect()
    }

    fn colour(&self) -> &'static str {
        if self.color {
            "always"
        } else {
            "never"
        }
    }

    /// Adds the options that every subcommand takes. `qualified` is for those without `--package`.
    fn add(&self, command: &mut Command, qualified: bool) {
        for feature in self.named() {
            command.arg("--features");
            match &self.package {
                Some(package) if qualified && !feature.contains('/') => {
                    command.arg(format!("{package}/{feature}"))
                }
                _ => command.arg(feature),
            };
        }
        for (wanted, flag) in [
            (self.all_features, "--all-features"),
            (self.no_default_features, "--no-default-features"),
            (self.offline, "--offline"),
            (self.locked, "--locked"),
            (self.frozen, "--frozen"),
        ] {
            if wanted {
                command.arg(flag);
            }
        }
    }
}

/// The path of cargo, as cargo itself passes it to its children.
pub fn program() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".into())
}

/// The error if cargo could not be started.
pub fn missing(source: std::io::Error) -> Error {
    Error::Missing { program: program(), hint: ", or set CARGO to it", source }
}

/// `cargo metadata` with the user's options.
pub fn metadata(options: &Options) -> Command {
    let mut command = Command::new(program());
    command.args(["metadata", "--format-version", "1", "--color", options.cargo.colour()]);
    if let Some(path) = &options.manifest_path {
        command.arg("--manifest-path").arg(path);
    }
    options.cargo.add(&mut command, true);
    command.stdin(Stdio::null());
    command
}

/// A cargo subcommand on the binary alone, with the user's options.
pub fn on_binary(subcommand: &[&str], plan: &Plan) -> Command {
    let mut command = Command::new(program());
    command.args(subcommand).args(["--quiet", "--color", plan.cargo.colour(), "--manifest-path"]);
    command.arg(&plan.manifest);
    // In the folder of a workspace's root package, cargo would take all default members.
    command.arg("--package").arg(format!("{}@{}", plan.bin.package, plan.bin.version));
    plan.cargo.add(&mut command, false);
    command.args([if plan.example { "--example" } else { "--bin" }, &plan.target]);
    command.stdin(Stdio::null());
    command
}

/// `cargo tree` of the binary's package with the user's options: a line `NAME vVERSION ...|FEATURE,FEATURE` for each
/// package.
pub fn tree(plan: &Plan) -> Command {
    let package = format!("{}@{}", plan.bin.package, plan.bin.version);
    tree_of(plan, &plan.manifest, &["--package", &package])
}

/// The tree of the workspace's default members.
pub fn tree_of_workspace(plan: &Plan) -> Command {
    tree_of(plan, &plan.workspace.join("Cargo.toml"), &[])
}

fn tree_of(plan: &Plan, manifest: &Path, packages: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.args(["tree", "--quiet", "--color", "never", "--manifest-path"]).arg(manifest).args(packages);
    plan.cargo.add(&mut command, false);
    let kinds = if plan.example { "normal,dev" } else { "normal" };
    command.args(["--edges", kinds, "--prefix", "none", "--no-dedupe", "--format", "{p}|{f}"]);
    command.stdin(Stdio::null());
    command
}

/// Advice for a failure of `cargo metadata`, based on cargo's message.
pub fn advice(message: &str) -> &'static str {
    let has = |parts: &[&str]| parts.iter().any(|p| message.contains(p));
    if has(&["could not find `Cargo.toml`"]) {
        "\n  Run it in your workspace, or pass --manifest-path."
    } else if has(&["--locked was passed", "--frozen was passed"]) {
        "\n  Run `cargo update --workspace` to bring Cargo.lock up to date, or leave out --locked."
    } else if has(&[
        "--offline",
        "offline mode",
        "Could not resolve host",
        "failed to download",
        "Couldn't connect",
    ]) {
        "\n  A crate is not downloaded yet: run `cargo fetch` once while online, then --offline works."
    } else if has(&["believes it's in a workspace when it's not"]) {
        "\n  Add the package to `members` of that workspace, or give it a `[workspace]` table of its own."
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(cargo: &Cargo, qualified: bool) -> Vec<String> {
        let mut command = Command::new("cargo");
        cargo.add(&mut command, qualified);
        command.get_args().map(|a| a.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn features_are_qualified_for_metadata() {
        let cargo = Cargo {
            package: Some("bot".into()),
            features: vec!["a,b".into(), "c d/e".into()],
            locked: true,
            ..Cargo::default()
        };
        let features = |names: [&str; 4]| {
            let mut all: Vec<String> =
                names.iter().flat_map(|n| ["--features".to_owned(), (*n).to_owned()]).collect();
            all.push("--locked".into());
            all
        };
        assert_eq!(arguments(&cargo, false), features(["a", "b", "c", "d/e"]));
        assert_eq!(arguments(&cargo, true), features(["bot/a", "bot/b", "bot/c", "d/e"]));
    }
}

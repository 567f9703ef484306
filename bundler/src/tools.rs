//! Calls of cargo, each with the user's own choice of features and the like.

use crate::error::Error;
use crate::options::Options;
use crate::plan::Plan;
use std::process::{Command, Stdio};

/// What is passed on to cargo; each option means what it means to `cargo build`.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args)]
#[command(next_help_heading = "As in cargo build")]
pub struct Cargo {
    /// The package that has the binary
    #[arg(short, long, value_name = "NAME")]
    pub package: Option<String>,
    /// Features to switch on, with commas or spaces between
    #[arg(short = 'F', long, value_name = "FEATURES")]
    pub features: Vec<String>,
    /// Switch all features on
    #[arg(long)]
    pub all_features: bool,
    /// Switch the default features off
    #[arg(long)]
    pub no_default_features: bool,
    /// Do not use the network
    #[arg(long)]
    pub offline: bool,
    /// Fail if Cargo.lock would have to change
    #[arg(long)]
    pub locked: bool,
    /// Both --offline and --locked
    #[arg(long)]
    pub frozen: bool,
    /// Whether what cargo and rustc say comes in colours.
    #[arg(skip)]
    pub color: bool,
}

impl Cargo {
    /// The features that were asked for by name.
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

    /// Adds what every subcommand takes. `qualified` is for those that have no `--package`.
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

/// The program to call for `cargo`, as cargo itself tells its children.
pub fn program() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".into())
}

/// Cargo could not be started.
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

/// A subcommand of cargo on the binary and nothing else, with the user's options.
pub fn on_binary(subcommand: &[&str], plan: &Plan) -> Command {
    let mut command = Command::new(program());
    command.args(subcommand).args(["--quiet", "--color", plan.cargo.colour(), "--manifest-path"]);
    command.arg(&plan.manifest);
    plan.cargo.add(&mut command, false);
    command.args([if plan.example { "--example" } else { "--bin" }, &plan.target]);
    command.stdin(Stdio::null());
    command
}

/// What to do about a failure of `cargo metadata`, by what cargo says of it.
pub fn advice(said: &str) -> &'static str {
    let has = |parts: &[&str]| parts.iter().any(|p| said.contains(p));
    if has(&["could not find `Cargo.toml`"]) {
        "\n  Go to your workspace, or name it with --manifest-path."
    } else if has(&["--locked was passed", "--frozen was passed"]) {
        "\n  Run `cargo update --workspace` to bring Cargo.lock up to date, or leave out --locked."
    } else if has(&[
        "--offline",
        "offline mode",
        "Could not resolve host",
        "failed to download",
        "Couldn't connect",
    ]) {
        "\n  A crate is not on this machine: connect once and run `cargo fetch`; from then on --offline works."
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
    fn features_are_named_as_cargo_wants_them() {
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

//! What cargo says while it compiles the user's own source: features, and what build scripts told it.

use crate::children;
use crate::error::Error;
use crate::plan::{Plan, Unit};
use crate::tools;
use cargo_metadata::{Artifact, BuildScript, Message, TargetKind};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::Output;

/// What a build script told cargo.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// `name` or `name="value"`.
    pub cfgs: BTreeSet<String>,
    /// Values for `env!`.
    pub env: BTreeMap<String, String>,
    /// Libraries of the system.
    pub links: Vec<String>,
}

/// What is known of a package's build script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Script {
    /// There is none.
    None,
    /// Nobody ran it.
    NotRun,
    /// It ran twice, for the compiler and for the program, and said different things.
    Unclear,
    /// It ran.
    Ran(Told),
}

/// What cargo said of one compilation, by the ids of packages.
#[derive(Debug, Default)]
pub struct Built {
    features: HashMap<String, BTreeSet<String>>,
    scripts: HashMap<String, Script>,
    libraries: Vec<Artifact>,
    flags: BTreeSet<String>,
}

impl Built {
    /// Compiles the source as it is, without generating code; rustc's words if that fails.
    pub fn checked(plan: &Plan) -> Result<Built, Error> {
        let mut built = Built::read(&run(plan, &["check"], &[])?.stdout);
        built.flags = flags(plan, &built);
        Ok(built)
    }

    fn read(stdout: &[u8]) -> Built {
        let mut built = Built::default();
        for message in Message::parse_stream(stdout).map_while(Result::ok) {
            match message {
                Message::CompilerArtifact(artifact) => built.artifact(artifact),
                Message::BuildScriptExecuted(script) => built.script(&script),
                _ => {}
            }
        }
        built
    }

    fn artifact(&mut self, artifact: Artifact) {
        let kinds = &artifact.target.kind;
        if kinds.iter().any(|k| matches!(k, TargetKind::ProcMacro | TargetKind::CustomBuild)) {
            return;
        }
        let id = artifact.package_id.repr.clone();
        // What only the compiler runs is compiled to machine code even when all else is only checked.
        let for_compiler = artifact.filenames.iter().any(|f| f.extension() == Some("rlib"));
        let features = artifact.features.iter().cloned().collect();
        if for_compiler {
            self.features.entry(id).or_insert(features);
        } else {
            self.features.insert(id, features);
        }
        self.libraries.push(artifact);
    }

    fn script(&mut self, script: &BuildScript) {
        let told = Script::Ran(Told {
            cfgs: script.cfgs.iter().cloned().collect(),
            env: script.env.iter().cloned().collect(),
            links: script.linked_libs.iter().map(ToString::to_string).collect(),
        });
        self.scripts
            .entry(script.package_id.repr.clone())
            .and_modify(|before| {
                if *before != told {
                    *before = Script::Unclear;
                }
            })
            .or_insert(told);
    }

    /// Whether a package is part of this binary.
    pub fn has(&self, unit: &Unit) -> bool {
        self.features.contains_key(&unit.id)
    }

    /// Corrects what metadata says of a crate, which is true of the workspace as a whole only.
    pub fn correct(&self, unit: &mut Unit) {
        if let Some(features) = self.features.get(&unit.id) {
            unit.cfgs.features = features.clone();
        }
        unit.cfgs.set.extend(self.flags.iter().cloned());
        if unit.script == Script::None {
            return;
        }
        unit.script = self.scripts.get(&unit.id).cloned().unwrap_or(Script::NotRun);
        if let Script::Ran(told) = &unit.script {
            unit.cfgs.set.extend(told.cfgs.iter().cloned());
            unit.env.extend(told.env.clone());
        }
    }
}

/// Whether the user's own source compiles; rustc's words if not.
pub fn source_compiles(plan: &Plan) -> Result<(), Error> {
    run(plan, &["check"], &[]).map(drop)
}

/// Runs cargo on the binary; what rustc says comes as people read it.
/// Builds the user's own program with optimisation; where it is.
pub fn release(plan: &Plan) -> Result<PathBuf, Error> {
    let output = run(plan, &["build", "--release"], &[])?;
    let mut program = None;
    for message in Message::parse_stream(&output.stdout[..]).map_while(Result::ok) {
        if let Message::CompilerArtifact(Artifact { executable: Some(path), .. }) = message {
            program = Some(path.into_std_path_buf());
        }
    }
    program.ok_or_else(|| Error::Source("cargo built no program".into()))
}

fn run(plan: &Plan, command: &[&str], rest: &[&str]) -> Result<Output, Error> {
    let mut command = tools::on_binary(command, plan);
    command.arg("--message-format=json-render-diagnostics").args(rest);
    let output = children::output(&mut command).map_err(tools::missing)?;
    if output.status.success() {
        Ok(output)
    } else {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(Error::Source(said.trim_end().to_owned()))
    }
}

/// The `--cfg`s that rustc is given by flags of the user.
fn flags(plan: &Plan, built: &Built) -> BTreeSet<String> {
    if !may_have_flags(&plan.bin.folder) {
        return BTreeSet::new();
    }
    let asked = run(plan, &["rustc", "--profile", "check"], &["--", "--print", "cfg"]);
    // Those of the build script are the package's own.
    let own = match built.scripts.get(&plan.bin.id) {
        Some(Script::Ran(told)) => told.cfgs.clone(),
        _ => BTreeSet::new(),
    };
    let known = crate::rustc::target();
    let said = asked.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
    said.lines()
        .filter(|l| !l.starts_with(['{', '[']) && !of_rustc(l) && !known.contains(*l) && !own.contains(*l))
        .map(str::to_owned)
        .collect()
}

/// Whether the name of a cfg is one that rustc or cargo sets.
fn of_rustc(line: &str) -> bool {
    let name = line.split('=').next().unwrap_or(line);
    name == "feature" || crate::cfg::is_left_to_rustc(name)
}

/// Whether anything could give rustc flags: a variable, or a configuration in any folder above.
fn may_have_flags(folder: &Path) -> bool {
    let variables = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let user = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE"));
    let here = std::env::current_dir().unwrap_or_default();
    let folders = folder.ancestors().chain(here.ancestors()).map(|f| f.join(".cargo"));
    variables.into_iter().any(|v| v.ends_with("RUSTFLAGS"))
        || folders
            .chain(home)
            .chain(user.map(|u| Path::new(&u).join(".cargo")))
            .any(|f| f.join("config.toml").exists() || f.join("config").exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = r#"
{"reason":"build-script-executed","package_id":"path+file:///a#0.1.0","linked_libs":[],"linked_paths":[],"cfgs":["special","kind=\"fast\""],"env":[["HASH","abc"]],"out_dir":"/t/out"}
{"reason":"build-script-executed","package_id":"b","linked_libs":["static=z"],"linked_paths":[],"cfgs":[],"env":[],"out_dir":"/t/1"}
{"reason":"build-script-executed","package_id":"c","linked_libs":[],"linked_paths":[],"cfgs":["x"],"env":[],"out_dir":"/t/2"}
{"reason":"build-script-executed","package_id":"c","linked_libs":[],"linked_paths":[],"cfgs":["y"],"env":[],"out_dir":"/t/3"}
{"reason":"build-finished","success":true}
"#;

    #[test]
    fn build_scripts_are_heard() {
        let built = Built::read(SAID.trim_start().as_bytes());
        let Some(Script::Ran(told)) = built.scripts.get("path+file:///a#0.1.0") else { panic!("{built:?}") };
        assert!(told.cfgs.contains("special") && told.cfgs.contains("kind=\"fast\""));
        assert_eq!(told.env["HASH"], "abc");
        assert!(matches!(&built.scripts["b"], Script::Ran(t) if t.links == ["static=z"]));
        assert_eq!(built.scripts["c"], Script::Unclear);
    }
}

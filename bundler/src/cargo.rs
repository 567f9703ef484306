//! What cargo says while it compiles the user's own source: features, and what build scripts told it.

use crate::children;
use crate::error::Error;
use crate::plan::{Plan, Unit};
use crate::rustc::Flags;
use crate::tools;
use cargo_metadata::camino::Utf8PathBuf;
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

    /// Compiles the crates that are not inlined, and says where rustc finds them.
    pub fn externals(&self, plan: &Plan) -> Result<Flags, Error> {
        if plan.externals.is_empty() {
            return Ok(plan.flags.clone());
        }
        let built = Built::read(&run(plan, &["build"], &[])?.stdout);
        let mut flags = plan.flags.clone();
        for (name, id) in &plan.externals {
            let same = |a: &&Artifact| a.package_id.repr == *id;
            // A crate may be compiled once for the compiler and once for the program.
            let wanted = self.features.get(id);
            let features = |a: &&Artifact| wanted.is_none_or(|w| a.features.iter().eq(w));
            let mut all = built.libraries.iter().filter(same);
            let Some(artifact) = all.clone().rfind(features).or(all.next_back()) else { continue };
            let compiled = |f: &&Utf8PathBuf| {
                f.as_str().ends_with(std::env::consts::DLL_SUFFIX) || f.extension() == Some("rlib")
            };
            if let Some(file) = artifact.filenames.iter().find(compiled) {
                flags.externs.push((name.clone(), file.clone().into_std_path_buf()));
            }
            let folders = artifact.filenames.iter().filter_map(|f| f.parent());
            flags.search.extend(
                folders.flat_map(|f| [f.to_path_buf(), f.join("deps")]).map(Utf8PathBuf::into_std_path_buf),
            );
        }
        flags.search.retain(|f| f.ends_with("deps"));
        flags.search.sort();
        flags.search.dedup();
        Ok(flags)
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
        if kinds.contains(&TargetKind::CustomBuild) {
            return;
        }
        if kinds.contains(&TargetKind::ProcMacro) {
            self.libraries.push(artifact);
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

    /// The same for one that is not inlined.
    pub fn has_package(&self, id: &str) -> bool {
        self.libraries.iter().any(|a| a.package_id.repr == id)
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
    let mut variables = std::env::vars_os().map(|(name, _)| name);
    variables.any(|v| v.to_string_lossy().ends_with("RUSTFLAGS")) || configurations(folder).next().is_some()
}

/// Whether a configuration of cargo could set variables.
pub fn may_set_variables(folder: &Path) -> bool {
    configurations(folder).any(|f| std::fs::read_to_string(f).is_ok_and(|text| text.contains("env")))
}

/// The configurations of cargo that there are, in the folders above and the user's own.
fn configurations(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let here = std::env::current_dir().unwrap_or_default();
    let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE")).map(PathBuf::from);
    let own = std::env::var_os("CARGO_HOME").map(PathBuf::from).or(home.map(|h| h.join(".cargo")));
    let above: Vec<PathBuf> =
        folder.ancestors().chain(here.ancestors()).map(|f| f.join(".cargo")).chain(own).collect();
    above.into_iter().flat_map(|f| [f.join("config.toml"), f.join("config")]).filter(|f| f.exists())
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

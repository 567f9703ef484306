//! Runs cargo on the user's source and reads its messages: features, and the output of build scripts.

use crate::api::error::Error;
use crate::os::children::{self, Stop};
use crate::plan::tools;
use crate::plan::{Compiled, Dep, Plan, Unit};
use crate::rustc::cache::{Cache, Key};
use crate::rustc::session::Session;
use crate::rustc::stage_cache::program_identity;
use crate::rustc::Flags;
use cargo_metadata::camino::Utf8PathBuf;
use cargo_metadata::diagnostic::DiagnosticLevel;
use cargo_metadata::{Artifact, BuildScript, Message, TargetKind};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The output of a build script.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptOutput {
    /// Cfgs: `name` or `name="value"`.
    pub cfgs: BTreeSet<String>,
    /// Values for `env!`.
    pub env: BTreeMap<String, String>,
    /// Libraries to link.
    pub links: Vec<String>,
    /// The folder of the files that it generates.
    pub folder: PathBuf,
}

impl ScriptOutput {
    /// Whether two runs of a script, each in its own folder, had the same output.
    fn is_same(&self, other: &ScriptOutput) -> bool {
        let parts = |o: &ScriptOutput| (o.cfgs.clone(), o.env.clone(), o.links.clone());
        parts(self) == parts(other)
    }
}

/// The state of a package's build script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Script {
    /// The package has none.
    None,
    /// It was not run.
    NotRun,
    /// It ran twice, for the host and for the target, with different output.
    Unclear,
    /// It ran.
    Ran(ScriptOutput),
}

/// Cargo's messages about one build, by package id.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Built {
    features: HashMap<String, BTreeSet<String>>,
    scripts: HashMap<String, Script>,
    libraries: Vec<Artifact>,
    flags: BTreeSet<String>,
}

/// The stage in which cargo compiles the source.
pub const COMPILING: &str = "compiling the source";

/// The kind of its cache entries.
const KIND: &str = "built";

impl Built {
    /// Runs `cargo check` on the source, and counts the crates; on failure the error holds rustc's output.
    pub fn checked(session: &Session<'_>, plan: &Plan, stop: &Stop) -> Result<Built, Error> {
        let mut compiled = BTreeSet::new();
        let count = |line: &[u8]| {
            let line = String::from_utf8_lossy(line);
            if line.starts_with("{\"reason\":\"compiler-artifact\"") {
                let id = line.split("\"package_id\":\"").nth(1).and_then(|rest| rest.split('"').next());
                compiled.extend(id.map(str::to_owned));
                session.progress.count(COMPILING, compiled.len(), plan.packages);
            }
        };
        let output =
            run_by(plan, &["check"], &[], |command| children::output_by_lines(command, stop, count))?;
        let mut built = Built::read(&output.stdout);
        built.flags = flags(plan, &built);
        if let (Some(key), Ok(json)) = (&plan.identity, serde_json::to_vec(&built)) {
            session.cache.put(KIND, key, &json);
        }
        Ok(built)
    }

    /// An earlier run's result, if at most the source itself has changed: no manifest and no setting.
    pub fn known(plan: &Plan, cache: &Cache) -> Option<Built> {
        let built: Built = serde_json::from_slice(&cache.get(KIND, plan.identity.as_ref()?)?).ok()?;
        let is_there = |script: &Script| match script {
            Script::Ran(output) => output.folder.as_os_str().is_empty() || output.folder.exists(),
            _ => true,
        };
        built.scripts.values().all(is_there).then_some(built)
    }

    /// Builds the crates that are not inlined, and returns the flags with which rustc finds them.
    pub fn externals(&self, plan: &Plan) -> Result<Flags, Error> {
        if plan.externals.is_empty() {
            return Ok(plan.flags.clone());
        }
        let built = Built::read(&run(plan, &["build"], &[])?.stdout);
        let mut flags = plan.flags.clone();
        for (name, id) in &plan.externals {
            let same = |a: &&Artifact| a.package_id.repr == *id;
            // A crate may be compiled once for the host and once for the target.
            let wanted = self.features.get(id);
            let features = |a: &&Artifact| wanted.is_none_or(|w| a.features.iter().eq(w));
            let mut all = built.libraries.iter().filter(same);
            let Some(artifact) = all.clone().rfind(features).or(all.next_back()) else { continue };
            let compiled = |f: &&Utf8PathBuf| is_shared(f) || f.extension() == Some("rlib");
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

    /// The flags with which rustc finds the crates that a crate names; `libs` are the ids of the plan's libraries.
    pub fn flags_of(&self, unit: &Unit, libs: &[String]) -> Flags {
        let mut flags = Flags { edition: unit.edition, ..Flags::default() };
        for (name, dep) in &unit.deps {
            let is_it = |a: &&Artifact| match dep {
                Dep::Lib(i) => libs.get(*i).is_some_and(|id| *id == a.package_id.repr),
                Dep::ProcMacro(package) => {
                    a.target.kind.contains(&TargetKind::ProcMacro)
                        && a.package_id.repr.contains(package.as_str())
                }
                Dep::External(_) => false,
            };
            let mut files = self.libraries.iter().filter(is_it).flat_map(|a| &a.filenames);
            let is_compiled = |f: &&Utf8PathBuf| f.extension() == Some("rmeta") || is_shared(f);
            if let Some(file) = files.rfind(is_compiled) {
                flags.externs.push((name.clone(), file.clone().into_std_path_buf()));
            }
        }
        let folders = self.libraries.iter().flat_map(|a| &a.filenames).filter_map(|f| f.parent());
        flags.search = folders.map(|f| f.to_path_buf().into_std_path_buf()).collect();
        flags.search.sort();
        flags.search.dedup();
        flags
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
        // Host artifacts are compiled to machine code even under `cargo check`.
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
        let output = ScriptOutput {
            cfgs: script.cfgs.iter().cloned().collect(),
            env: script.env.iter().cloned().collect(),
            links: script.linked_libs.iter().map(ToString::to_string).collect(),
            folder: script.out_dir.clone().into_std_path_buf(),
        };
        self.scripts
            .entry(script.package_id.repr.clone())
            .and_modify(|before| {
                if !matches!(before, Script::Ran(before) if before.is_same(&output)) {
                    *before = Script::Unclear;
                }
            })
            .or_insert(Script::Ran(output));
    }

    /// Whether a package is part of this binary.
    pub fn has(&self, unit: &Unit) -> bool {
        self.features.contains_key(&unit.id)
    }

    /// Whether an external package is part of this binary.
    pub fn has_package(&self, id: &str) -> bool {
        self.libraries.iter().any(|a| a.package_id.repr == id)
    }

    /// Corrects a crate's features and cfgs: the metadata describes the workspace as a whole.
    pub fn correct(&self, unit: &mut Unit) {
        if let Some(features) = self.features.get(&unit.id) {
            unit.cfgs.features = features.clone();
        }
        unit.cfgs.set.extend(self.flags.iter().cloned());
        if unit.script == Script::None {
            return;
        }
        unit.script = self.scripts.get(&unit.id).cloned().unwrap_or(Script::NotRun);
        if let Script::Ran(output) = &unit.script {
            unit.cfgs.set.extend(output.cfgs.iter().cloned());
            unit.env.extend(output.env.clone());
        }
    }
}

/// Whether a file is a shared library, as that of a procedural macro. Next to it, Windows has `.dll.lib` and `.pdb`.
fn is_shared(file: &Utf8PathBuf) -> bool {
    matches!(file.extension(), Some("so" | "dylib" | "dll"))
}

/// The features of the binary's dependencies, by package and version, as cargo will resolve them for this package alone.
/// Metadata unites those of the whole workspace. Empty if cargo can't tell.
pub fn foreseen(plan: &Plan) -> Features {
    features(&mut tools::tree(plan))
}

/// The features of the same dependencies if cargo builds the binary from the workspace's folder without `--package`: it
/// unites those that the default members want. Empty if cargo can't tell.
pub fn united(plan: &Plan) -> Features {
    features(&mut tools::tree_of_workspace(plan))
}

/// Features by package and version.
pub type Features = HashMap<(String, String), BTreeSet<String>>;

fn features(command: &mut Command) -> Features {
    let Ok(output) = children::output(command) else { return HashMap::new() };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.lines().filter_map(|line| {
        let (package, features) = line.split_once('|')?;
        let mut words = package.split_whitespace();
        let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
        let features = features.split(',').filter(|f| !f.is_empty()).map(str::to_owned).collect();
        Some(((name.to_owned(), version.to_owned()), features))
    });
    lines.collect()
}

/// Replaces an error by the compiler's errors if the source itself does not compile.
pub fn blame(error: Error, plan: &Plan) -> Error {
    let may_be_the_source = match error {
        Error::Source(_) => false,
        Error::Syntax { .. } | Error::Read { .. } => true,
        _ => plan.compiled == Compiled::Earlier && !children::interrupted(),
    };
    if !may_be_the_source {
        return error;
    }
    match run(plan, &["check"], &[]) {
        Err(source @ Error::Source(_)) => source,
        _ => error,
    }
}

/// Builds the user's program with optimisation and returns its path.
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
    run_by(plan, command, rest, children::output)
}

/// Runs a cargo command on the binary; `output` starts it.
///
/// # Errors
/// [`Error::Source`] with cargo's messages if it fails.
pub fn run_by(
    plan: &Plan,
    command: &[&str],
    rest: &[&str],
    output: impl FnOnce(&mut Command) -> std::io::Result<Output>,
) -> Result<Output, Error> {
    let mut command = tools::on_binary(command, plan);
    let format = if plan.cargo.color { "json,json-diagnostic-rendered-ansi" } else { "json" };
    command.arg(format!("--message-format={format}")).args(rest);
    let output = output(&mut command).map_err(tools::missing)?;
    if output.status.success() {
        return Ok(output);
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    if let Some(signal) = stderr.split("rustc interrupted by ").nth(1) {
        let signal = signal.split(',').next().unwrap_or_default();
        return Err(Error::Source(format!("rustc itself was ended by {signal}.\n  {OVERFLOW}")));
    }
    let mut said = errors(&output.stdout);
    said.push_str(&stderr);
    Err(Error::Source(said.trim_end().to_owned()))
}

/// The usual cause of a crash of rustc, with advice.
const OVERFLOW: &str =
    "Its stack is too small for an expression, pattern or type that is nested so deep: write it in several \
    statements. (`RUST_MIN_STACK=1000000000 cargo build` shows whether that is all; a site will not set it.)";

/// The compiler's errors in cargo's messages, without its warnings.
fn errors(messages: &[u8]) -> String {
    let all = Message::parse_stream(messages).map_while(Result::ok);
    let errors = all.filter_map(|message| match message {
        Message::CompilerMessage(said)
            if matches!(said.message.level, DiagnosticLevel::Error | DiagnosticLevel::Ice) =>
        {
            said.message.rendered
        }
        _ => None,
    });
    errors.map(|text| text + "\n").collect()
}

/// Identifies all that cargo's messages depend on besides the source; `None` if the user's own build scripts have a say
/// in it. Those of the registry give the same output for the same compiler and environment.
pub fn identity(plan: &Plan) -> Option<Key> {
    let units = || std::iter::once(&plan.bin).chain(&plan.libs).filter(|unit| !unit.foreign);
    if units().any(|unit| unit.script != Script::None) || !plan.externals.is_empty() {
        return None;
    }
    let manifests = units().map(|unit| unit.folder.join("Cargo.toml"));
    let shared = ["Cargo.toml", "Cargo.lock"].map(|name| plan.workspace.join(name));
    let files = manifests.chain(shared).chain(configurations(&plan.bin.folder)).map(|path| {
        let content = std::fs::read(&path).unwrap_or_default();
        [path.as_os_str().as_encoded_bytes(), &content].concat()
    });
    let set = std::env::vars_os().filter(|(name, _)| {
        let name = name.to_string_lossy();
        name.starts_with("CARGO") || name.starts_with("RUST")
    });
    let set = set.map(|(name, value)| [name.as_encoded_bytes(), b"=", value.as_encoded_bytes()].concat());
    let said = [format!("{plan:?}"), crate::rustc::version(), program_identity()].map(String::into_bytes);
    let parts: Vec<Vec<u8>> = said.into_iter().chain(files).chain(set).collect();
    Some(Key::of(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>()))
}

/// The `--cfg`s that the user's flags pass to rustc.
fn flags(plan: &Plan, built: &Built) -> BTreeSet<String> {
    if !may_have_flags(&plan.bin.folder) {
        return BTreeSet::new();
    }
    let asked = run(plan, &["rustc", "--profile", "check"], &["--", "--print", "cfg"]);
    // The build script's cfgs apply to its package only.
    let own = match built.scripts.get(&plan.bin.id) {
        Some(Script::Ran(output)) => output.cfgs.clone(),
        _ => BTreeSet::new(),
    };
    let known = crate::rustc::target();
    let stdout = asked.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
    stdout
        .lines()
        .filter(|l| !l.starts_with(['{', '[']) && !of_rustc(l) && !known.contains(*l) && !own.contains(*l))
        .map(str::to_owned)
        .collect()
}

/// Whether rustc or cargo sets a cfg of this name.
fn of_rustc(line: &str) -> bool {
    let name = line.split('=').next().unwrap_or(line);
    name == "feature" || crate::syntax::cfg::is_left_to_rustc(name)
}

/// Whether the user may pass flags to rustc, by a variable or by a cargo configuration file in a parent folder.
pub fn may_have_flags(folder: &Path) -> bool {
    let mut variables = std::env::vars_os().map(|(name, _)| name);
    variables.any(|v| v.to_string_lossy().ends_with("RUSTFLAGS")) || configurations(folder).next().is_some()
}

/// Whether a cargo configuration file may set environment variables.
pub fn may_set_variables(folder: &Path) -> bool {
    configurations(folder).any(|f| std::fs::read_to_string(f).is_ok_and(|text| text.contains("env")))
}

/// The existing cargo configuration files: those in parent folders and the one in cargo's home.
fn configurations(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let here = std::env::current_dir().unwrap_or_default();
    let home = || std::env::home_dir().map(|home| home.join(".cargo"));
    let own = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(home);
    let above: Vec<PathBuf> =
        folder.ancestors().chain(here.ancestors()).map(|f| f.join(".cargo")).chain(own).collect();
    above.into_iter().flat_map(|f| [f.join("config.toml"), f.join("config")]).filter(|f| f.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGES: &str = r#"
{"reason":"build-script-executed","package_id":"path+file:///a#0.1.0","linked_libs":[],"linked_paths":[],"cfgs":["special","kind=\"fast\""],"env":[["HASH","abc"]],"out_dir":"/t/out"}
{"reason":"build-script-executed","package_id":"b","linked_libs":["static=z"],"linked_paths":[],"cfgs":[],"env":[],"out_dir":"/t/1"}
{"reason":"build-script-executed","package_id":"c","linked_libs":[],"linked_paths":[],"cfgs":["x"],"env":[],"out_dir":"/t/2"}
{"reason":"build-script-executed","package_id":"c","linked_libs":[],"linked_paths":[],"cfgs":["y"],"env":[],"out_dir":"/t/3"}
{"reason":"build-finished","success":true}
"#;

    #[test]
    fn build_script_messages_are_read() {
        let built = Built::read(MESSAGES.trim_start().as_bytes());
        let Some(Script::Ran(output)) = built.scripts.get("path+file:///a#0.1.0") else {
            panic!("{built:?}")
        };
        assert!(output.cfgs.contains("special") && output.cfgs.contains("kind=\"fast\""));
        assert_eq!(output.env["HASH"], "abc");
        assert!(matches!(&built.scripts["b"], Script::Ran(t) if t.links == ["static=z"]));
        assert_eq!(built.scripts["c"], Script::Unclear);
    }

    /// Cargo's messages on Windows.
    const MESSAGES_OF_WINDOWS: &str = r#"
{"reason":"compiler-artifact","package_id":"path+file:///C:/Users/J%20M%C3%BCller/contest/derive#0.1.0","manifest_path":"C:\\Users\\J Müller\\contest\\derive\\Cargo.toml","target":{"kind":["proc-macro"],"crate_types":["proc-macro"],"name":"derive","src_path":"C:\\Users\\J Müller\\contest\\derive\\src\\lib.rs","edition":"2021"},"profile":{"opt_level":"0","debuginfo":0,"debug_assertions":true,"overflow_checks":true,"test":false},"features":[],"filenames":["C:\\t\\debug\\deps\\derive-be88.dll","C:\\t\\debug\\deps\\derive-be88.dll.lib","C:\\t\\debug\\deps\\derive-be88.pdb"],"executable":null,"fresh":false}
{"reason":"build-script-executed","package_id":"path+file:///C:/Users/J%20M%C3%BCller/contest/library#0.1.0","linked_libs":[],"linked_paths":[],"cfgs":[],"env":[],"out_dir":"C:\\t\\debug\\build\\library-51\\out"}
{"reason":"build-finished","success":true}
"#;

    #[test]
    fn messages_of_a_windows_machine_are_read() {
        let plan = crate::plan::recorded::windows();
        let built = Built::read(MESSAGES_OF_WINDOWS.trim_start().as_bytes());
        let library = plan.libs.iter().find(|lib| lib.name == "library").unwrap();
        let externs = built.flags_of(library, &[]).externs;
        assert_eq!(externs, [("derive".to_owned(), PathBuf::from(r"C:\t\debug\deps\derive-be88.dll"))]);
        let Script::Ran(output) = &built.scripts[&library.id] else { panic!("{built:?}") };
        assert_eq!(output.folder.to_str(), Some(r"C:\t\debug\build\library-51\out"));
    }
}

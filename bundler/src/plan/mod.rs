//! Asks cargo which binary to bundle, and which crates, features and files it uses.

pub mod cargo;
pub mod chain;
pub mod choose;
pub mod constants;
pub mod metadata;
pub mod notes;
pub mod original;
#[cfg(test)]
mod recorded;
pub mod tools;

use crate::api::error::Error;
use crate::api::options::Cargo;
use crate::api::options::Options;
use crate::api::platform::Platform;
use crate::plan::cargo::{Built, Script};
use crate::plan::chain::{chains, compiled_packages};
use crate::plan::choose::{choose, features_are_on};
use crate::plan::metadata::metadata;
use crate::rustc::cache::Key;
use crate::rustc::{target as target_cfgs, Flags};
use crate::syntax::cfg::{systems, Cfgs, System, BUNDLED};
use cargo_metadata::{DependencyKind, Edition, Metadata, Node, Package, PackageId, Target};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// The target of a crate name in a crate's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dep {
    /// The library with this index in [`Plan::libs`].
    Lib(usize),
    /// An external crate that is not inlined, by its own name.
    External(String),
    /// A crate of procedural macros, which runs in the compiler.
    ProcMacro(String),
}

/// One crate: the binary or a library.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The package's id in cargo's metadata.
    pub id: String,
    /// The package it belongs to.
    pub package: String,
    /// Version.
    pub version: String,
    /// The licence in its manifest.
    pub license: String,
    /// The name of the crate in Rust source.
    pub name: String,
    /// Root file.
    pub root: PathBuf,
    /// The package's folder.
    pub folder: PathBuf,
    /// Edition.
    pub edition: Edition,
    /// The cfgs that are set.
    pub cfgs: Cfgs,
    /// The features that any package of the workspace wants of it.
    pub wanted: BTreeSet<String>,
    /// Whether it comes from outside the user's own folders.
    pub foreign: bool,
    /// The state of its build script.
    pub script: Script,
    /// The crates it can name, by their names in its source.
    pub deps: BTreeMap<String, Dep>,
    /// Values of `env!("CARGO_…")`.
    pub env: BTreeMap<String, String>,
    /// rustc's flags for expanding procedural derives, if that is wanted.
    pub expander: Option<Flags>,
}

/// When cargo compiled the source, whose messages tell features, cfgs and dependencies exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiled {
    /// Not yet.
    Never,
    /// In an earlier run, with the same manifests. The source may have errors since.
    Earlier,
    /// In this run.
    Now,
}

/// The binary and the libraries it might use, as far as cargo knows them. It is not changed: each answer of cargo makes
/// another plan.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The manifest of the binary's package.
    pub manifest: PathBuf,
    /// The target's name in its manifest.
    pub target: String,
    /// Whether the binary is an example.
    pub example: bool,
    /// The workspace's folder.
    pub workspace: PathBuf,
    /// The cache folder, inside the workspace's target folder.
    pub cache: PathBuf,
    /// The binary.
    pub bin: Unit,
    /// The libraries, in no particular order.
    pub libs: Vec<Unit>,
    /// The options passed to cargo.
    pub cargo: Cargo,
    /// The ids of the external packages, by the names of their crates.
    pub externals: BTreeMap<String, String>,
    /// rustc's flags for a bundle of edition 2021.
    pub flags: Flags,
    /// Why each registry crate is part of the program, by its folder.
    pub chains: BTreeMap<PathBuf, String>,
    /// The root files of the crates of procedural macros, by their packages.
    pub macro_roots: BTreeMap<String, PathBuf>,
    /// The number of packages that cargo compiles for it.
    pub packages: usize,
    /// When cargo compiled the source.
    pub compiled: Compiled,
    /// Identifies all that cargo's messages depend on besides the source; `None` if the user's own build
    /// scripts have a say in it.
    pub identity: Option<Key>,
}

impl Plan {
    /// Makes the plan from cargo's metadata.
    pub fn make(options: &Options) -> Result<Plan, Error> {
        Plan::of(&metadata(options)?, options)
    }

    fn of(metadata: &Metadata, options: &Options) -> Result<Plan, Error> {
        let (package, target) = choose(metadata, options)?;
        known(&options.external, metadata)?;
        let nodes: HashMap<&PackageId, &Node> = metadata
            .resolve
            .as_ref()
            .map(|r| r.nodes.iter().map(|n| (&n.id, n)).collect())
            .unwrap_or_default();
        let on =
            nodes.get(&package.id).map_or(Vec::new(), |n| n.features.iter().map(|f| f.to_string()).collect());
        features_are_on(target, &on)?;
        let chains = chains(package, metadata, &nodes);
        let packages = compiled_packages(package, &nodes);
        let mut builder = Builder {
            metadata,
            nodes,
            options,
            libs: Vec::new(),
            index: HashMap::new(),
            externals: BTreeMap::new(),
            systems: systems(&target_cfgs(), options.platform.as_ref().and_then(Platform::arch)),
        };
        let mut bin = builder.unit(package, target);
        if target.is_example() {
            bin.deps = builder.deps(package, true);
        }
        if let Some(own) = package.targets.iter().find(|t| is_lib(t)) {
            let dep = builder.lib(package, own);
            bin.deps.insert(own.name.replace('-', "_"), dep);
        }
        let mut plan = Plan {
            manifest: package.manifest_path.clone().into_std_path_buf(),
            target: target.name.clone(),
            example: target.is_example(),
            workspace: metadata.workspace_root.clone().into_std_path_buf(),
            cache: metadata.target_directory.as_std_path().join("bundler"),
            bin,
            libs: builder.libs.into_iter().flatten().collect(),
            cargo: options.cargo.clone(),
            externals: builder.externals,
            flags: Flags::default(),
            chains,
            macro_roots: macro_roots(metadata),
            packages,
            compiled: Compiled::Never,
            identity: None,
        };
        plan.identity = cargo::identity(&plan);
        Ok(plan)
    }

    /// The plan with the features that cargo foresees, before it has compiled anything.
    pub fn foreseen(mut self) -> Plan {
        let foreseen = cargo::foreseen(&self);
        for unit in std::iter::once(&mut self.bin).chain(&mut self.libs) {
            if let Some(features) = foreseen.get(&(unit.package.clone(), unit.version.clone())) {
                unit.cfgs.features = features.clone();
            }
        }
        self
    }

    /// The plan with the features, cfgs and dependencies of cargo's messages from compiling exactly this binary.
    pub fn corrected(mut self, built: &Built, compiled: Compiled) -> Plan {
        self.compiled = compiled;
        self.externals.retain(|_, id| built.has_package(id));
        let there: Vec<bool> = self.libs.iter().map(|lib| built.has(lib)).collect();
        for unit in std::iter::once(&mut self.bin).chain(&mut self.libs) {
            built.correct(unit);
            // Metadata covers the whole workspace, which may need more crates.
            unit.deps.retain(|_, dep| !matches!(dep, Dep::Lib(i) if !there[*i]));
        }
        self
    }

    /// The libraries that the binary and its libraries can name, nearest first.
    pub fn reachable_libs(&self) -> Vec<usize> {
        let of = |unit: &Unit| {
            let libs = unit.deps.values().filter_map(|dep| match dep {
                Dep::Lib(i) => Some(*i),
                _ => None,
            });
            libs.collect::<Vec<_>>()
        };
        let mut found = of(&self.bin);
        let mut next = 0;
        while let Some(&i) = found.get(next) {
            let new: Vec<usize> = of(&self.libs[i]).into_iter().filter(|i| !found.contains(i)).collect();
            found.extend(new);
            next += 1;
        }
        found
    }

    /// The program's registry crates that the site has in an incompatible version, with that version.
    pub fn outdated<'a>(
        &'a self,
        platform: Option<&'a Platform>,
    ) -> impl Iterator<Item = (&'a Unit, &'a str)> {
        let libs = self.reachable_libs().into_iter().map(|i| &self.libs[i]).filter(|unit| unit.foreign);
        libs.filter_map(move |unit| match platform?.has(&unit.package, &unit.version) {
            Some(Err(there)) => Some((unit, there)),
            _ => None,
        })
    }

    /// The packages of procedural macros that the binary and its libraries can name.
    pub fn procedural(&self) -> BTreeSet<String> {
        let libs = self.reachable_libs();
        let units = libs.iter().map(|&i| &self.libs[i]).chain([&self.bin]);
        let names = units.flat_map(|u| u.deps.values()).filter_map(|dep| match dep {
            Dep::ProcMacro(package) => Some(package.clone()),
            _ => None,
        });
        names.collect()
    }

    /// The inputs of the bundle's text, for some of the libraries.
    pub fn basis(&self, libs: &[usize]) -> String {
        let there = |dep: &&Dep| !matches!(dep, Dep::Lib(i) if !libs.contains(i));
        let units = libs.iter().map(|&i| &self.libs[i]).chain([&self.bin]);
        let said = units.map(|u| {
            let deps: Vec<_> = u.deps.iter().filter(|(_, dep)| there(dep)).collect();
            format!("{} {:?} {:?} {:?} {deps:?}", u.id, u.cfgs, u.env, u.script)
        });
        said.collect()
    }

    /// The plan in which procedural derives can be expanded, with the crates that cargo has compiled.
    pub fn with_expanders(mut self, built: &Built) -> Plan {
        let ids: Vec<String> = self.libs.iter().map(|lib| lib.id.clone()).collect();
        for unit in std::iter::once(&mut self.bin).chain(&mut self.libs) {
            unit.expander = Some(built.flags_of(unit, &ids));
        }
        self
    }

    /// The plan with the libraries of the crates that are not inlined.
    ///
    /// # Errors
    /// If they do not compile.
    pub fn with_externals(mut self, built: &Built) -> Result<Plan, Error> {
        self.flags = built.externals(&self)?;
        Ok(self)
    }

    /// Identifies the program, whatever its source says, and its compiler.
    pub fn key(&self, options: &Options, flags: &Flags) -> Key {
        let said = format!("{:?} {} {:?} {flags:?}", self.manifest, self.target, options.limit);
        Key::of(&[said.as_bytes(), crate::rustc::version().as_bytes()])
    }

    /// Whether source that is read before cargo has compiled anything is final: no build script and no flag adds a cfg.
    pub fn is_final(&self) -> bool {
        let mut libs = self.reachable_libs().into_iter().map(|i| &self.libs[i]);
        self.bin.script == Script::None
            && libs.all(|lib| lib.script == Script::None)
            && !cargo::may_have_flags(&self.bin.folder)
    }

    /// Whether a build script may affect a crate.
    pub fn has_scripts(&self) -> bool {
        std::iter::once(&self.bin).chain(&self.libs).any(|u| u.script != Script::None)
    }
}

/// Cfgs by which crates let a program choose among equal implementations: the smallest is chosen.
const CHOSEN: &[(&str, &str, &str)] = &[("chacha20", "0.10.", "chacha20_backend=\"soft\"")];

/// The cfgs chosen for a registry crate.
fn chosen(package: &Package) -> BTreeSet<String> {
    let version = package.version.to_string();
    let fits =
        |(name, versions, _): &&(&str, &str, &str)| *package.name == **name && version.starts_with(versions);
    CHOSEN.iter().filter(fits).map(|(_, _, cfg)| (*cfg).to_owned()).collect()
}

/// The root files of the crates of procedural macros, by their packages.
fn macro_roots(metadata: &Metadata) -> BTreeMap<String, PathBuf> {
    let root = |p: &Package| {
        let target = p.targets.iter().find(|t| t.is_proc_macro())?;
        Some((p.name.to_string(), target.src_path.clone().into_std_path_buf()))
    };
    metadata.packages.iter().filter_map(root).collect()
}

fn is_lib(target: &Target) -> bool {
    target
        .kind
        .iter()
        .any(|k| matches!(k.to_string().as_str(), "lib" | "rlib" | "dylib" | "cdylib" | "staticlib"))
}

/// Checks that the workspace uses packages of all these names.
fn known(names: &[String], metadata: &Metadata) -> Result<(), Error> {
    match names.iter().find(|name| !metadata.packages.iter().any(|p| *p.name == ***name)) {
        None => Ok(()),
        Some(name) => Err(Error::Binary(format!(
            "--external {name}: the workspace uses no package of that name.\n  Name the package as Cargo.toml does."
        ))),
    }
}

struct Builder<'m> {
    metadata: &'m Metadata,
    nodes: HashMap<&'m PackageId, &'m Node>,
    options: &'m Options,
    libs: Vec<Option<Unit>>,
    index: HashMap<&'m PackageId, usize>,
    externals: BTreeMap<String, String>,
    systems: Vec<System>,
}

impl<'m> Builder<'m> {
    fn unit(&mut self, package: &'m Package, target: &'m Target) -> Unit {
        let features: BTreeSet<String> = self
            .nodes
            .get(&package.id)
            .map(|n| n.features.iter().map(|f| f.to_string()).collect())
            .unwrap_or_default();
        let folder =
            package.manifest_path.parent().map(|p| p.as_std_path().to_path_buf()).unwrap_or_default();
        let env = constants::of_cargo(package, target);
        let foreign = package.source.is_some();
        let set = if foreign { chosen(package) } else { [BUNDLED.to_owned()].into() };
        let scripted = package.targets.iter().any(|t| t.is_custom_build());
        Unit {
            id: package.id.repr.clone(),
            package: package.name.to_string(),
            version: package.version.to_string(),
            license: package.license.clone().unwrap_or_else(|| "no licence given".into()),
            name: target.name.replace('-', "_"),
            root: target.src_path.clone().into_std_path_buf(),
            folder,
            edition: target.edition,
            wanted: features.clone(),
            cfgs: Cfgs { features, set, target: None, systems: self.systems.clone() },
            foreign,
            script: if scripted { Script::NotRun } else { Script::None },
            deps: self.deps(package, false),
            env,
            expander: None,
        }
    }

    fn deps(&mut self, package: &'m Package, dev: bool) -> BTreeMap<String, Dep> {
        let mut deps = BTreeMap::new();
        let Some(node) = self.nodes.get(&package.id).copied() else {
            return deps;
        };
        for dep in &node.deps {
            let wanted = dep
                .dep_kinds
                .iter()
                .any(|k| k.kind == DependencyKind::Normal || (dev && k.kind == DependencyKind::Development));
            let package = self.metadata.packages.iter().find(|p| p.id == dep.pkg);
            if let (true, Some(package)) = (wanted, package) {
                if let Some(name) = self.external(package) {
                    deps.insert(dep.name.to_string(), Dep::External(name));
                } else if let Some(target) = package.targets.iter().find(|t| is_lib(t)) {
                    let lib = self.lib(package, target);
                    deps.insert(dep.name.to_string(), lib);
                } else if package.targets.iter().any(|t| t.is_proc_macro()) {
                    deps.insert(dep.name.to_string(), Dep::ProcMacro(package.name.to_string()));
                }
            }
        }
        deps
    }

    /// The crate name of a package that is not to be inlined.
    fn external(&mut self, package: &Package) -> Option<String> {
        let named = self.options.external.iter().any(|name| *name == *package.name);
        // The platform provides registry crates only, not the user's own of the same name.
        let version = package.version.to_string();
        let wanted = named || package.source.is_some() && self.options.is_external(&package.name, &version);
        let library = |t: &&Target| is_lib(t) || t.is_proc_macro();
        let target = package.targets.iter().find(library).filter(|_| wanted)?;
        let name = target.name.replace('-', "_");
        self.externals.insert(name.clone(), package.id.repr.clone());
        Some(name)
    }

    fn lib(&mut self, package: &'m Package, target: &'m Target) -> Dep {
        if let Some(&i) = self.index.get(&package.id) {
            return Dep::Lib(i);
        }
        let i = self.libs.len();
        self.libs.push(None);
        self.index.insert(&package.id, i);
        let unit = self.unit(package, target);
        self.libs[i] = Some(unit);
        Dep::Lib(i)
    }
}

impl Plan {
    /// Whether a file belongs to the user's own crates.
    pub fn is_own(&self, path: &Path) -> bool {
        let mut units = self.libs.iter().chain([&self.bin]).filter(|u| path.starts_with(&u.folder));
        units.all(|u| !u.foreign)
    }

    /// Why the crate of a source file is part of the program, unless it is the user's own.
    pub fn chain(&self, path: &Path) -> Option<&str> {
        self.chains.iter().find(|(folder, _)| path.starts_with(folder)).map(|(_, told)| told.as_str())
    }

    /// The path of a source file for reports, the same on every machine if possible: relative to the workspace, or
    /// prefixed with the name and version of its package.
    pub fn shown(&self, path: &Path) -> String {
        if path.starts_with(&self.workspace) {
            return relative(path, &self.workspace);
        }
        let unit = self.libs.iter().chain([&self.bin]).find(|u| path.starts_with(&u.folder));
        unit.map_or_else(
            || relative(path, Path::new("")),
            |u| format!("{}-{}/{}", u.package, u.version, relative(path, &u.folder)),
        )
    }
}

/// A path relative to `folder`, with forward slashes: the same on every machine.
pub fn relative(path: &Path, folder: &Path) -> String {
    let path = path.strip_prefix(folder).unwrap_or(path);
    path.to_string_lossy().replace('\\', "/")
}

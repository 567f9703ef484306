//! What cargo says: which binary, which crates it can name, with which features, from which files.

use crate::cargo::{Built, Script};
use crate::cfg::{Cfgs, BUNDLED};
use crate::children;
use crate::choose::{choose, features_are_on};
use crate::error::Error;
use crate::options::Options;
use crate::rustc::Flags;
use crate::tools::{self, Cargo};
use cargo_metadata::{DependencyKind, Edition, Metadata, Node, Package, PackageId, Target};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What stands behind a crate name in a crate's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dep {
    /// The library with this index in [`Plan::libs`].
    Lib(usize),
    /// A crate that is used and not inlined, by its own name.
    External(String),
    /// A crate of procedural macros, which runs in the compiler.
    ProcMacro(String),
}

/// One crate: the binary or a library.
#[derive(Debug)]
pub struct Unit {
    /// The package's id, as cargo has it.
    pub id: String,
    /// The package it belongs to.
    pub package: String,
    /// Its version.
    pub version: String,
    /// Its licence, as the manifest has it.
    pub license: String,
    /// The name by which Rust source knows it.
    pub name: String,
    /// Its root file.
    pub root: PathBuf,
    /// The package's folder.
    pub folder: PathBuf,
    /// Its edition.
    pub edition: Edition,
    /// What is decided for it.
    pub cfgs: Cfgs,
    /// Whether it comes from elsewhere than the user's own folders.
    pub foreign: bool,
    /// What is known of the package's build script.
    pub script: Script,
    /// The crates it can name, by the names it uses.
    pub deps: BTreeMap<String, Dep>,
    /// Values of `env!("CARGO_…")`.
    pub env: BTreeMap<String, String>,
}

/// The binary and the libraries it might use.
#[derive(Debug)]
pub struct Plan {
    /// The manifest of the binary's package.
    pub manifest: PathBuf,
    /// The target's name, as cargo has it.
    pub target: String,
    /// Whether the binary is an example.
    pub example: bool,
    /// The workspace's folder.
    pub workspace: PathBuf,
    /// Where what was found out may be kept: a folder of our own in the workspace's target folder.
    pub cache: PathBuf,
    /// The binary.
    pub bin: Unit,
    /// The libraries, in no special order.
    pub libs: Vec<Unit>,
    /// What is passed on to cargo.
    pub cargo: Cargo,
    /// The ids of the packages that are used and not inlined, by the names of their crates.
    pub externals: BTreeMap<String, String>,
    /// What rustc is told of the bundle.
    pub flags: Flags,
}

impl Plan {
    /// Asks cargo.
    pub fn make(options: &Options) -> Result<Plan, Error> {
        let metadata = metadata(options)?;
        let (package, target) = choose(&metadata, options)?;
        known(&options.external, &metadata)?;
        let nodes: HashMap<&PackageId, &Node> = metadata
            .resolve
            .as_ref()
            .map(|r| r.nodes.iter().map(|n| (&n.id, n)).collect())
            .unwrap_or_default();
        let on =
            nodes.get(&package.id).map_or(Vec::new(), |n| n.features.iter().map(|f| f.to_string()).collect());
        features_are_on(target, &on)?;
        let mut maker = Maker {
            metadata: &metadata,
            nodes,
            options,
            libs: Vec::new(),
            index: HashMap::new(),
            externals: BTreeMap::new(),
        };
        let mut bin = maker.unit(package, target);
        if target.is_example() {
            bin.deps = maker.deps(package, true);
        }
        if let Some(own) = package.targets.iter().find(|t| is_lib(t)) {
            let dep = maker.lib(package, own);
            bin.deps.insert(own.name.replace('-', "_"), dep);
        }
        Ok(Plan {
            manifest: package.manifest_path.clone().into_std_path_buf(),
            target: target.name.clone(),
            example: target.is_example(),
            workspace: metadata.workspace_root.clone().into_std_path_buf(),
            cache: metadata.target_directory.as_std_path().join("bundler"),
            bin,
            libs: maker.libs.into_iter().flatten().collect(),
            cargo: options.cargo.clone(),
            externals: maker.externals,
            flags: Flags::default(),
        })
    }

    /// Takes over what cargo said while it compiled exactly this binary.
    pub fn correct(&mut self, built: &Built) {
        self.externals.retain(|_, id| built.has_package(id));
        let there: Vec<bool> = self.libs.iter().map(|lib| built.has(lib)).collect();
        for unit in std::iter::once(&mut self.bin).chain(&mut self.libs) {
            built.correct(unit);
            // Something else in the workspace may need more.
            unit.deps.retain(|_, dep| !matches!(dep, Dep::Lib(i) if !there[*i]));
        }
    }

    /// Whether something depends on what a build script says.
    pub fn has_scripts(&self) -> bool {
        std::iter::once(&self.bin).chain(&self.libs).any(|u| u.script != Script::None)
    }
}

/// Where the workspace at hand keeps what was found out.
///
/// # Errors
/// If there is no workspace, or no cargo.
pub fn cache_folder(options: &Options) -> Result<PathBuf, Error> {
    Ok(metadata(options)?.target_directory.into_std_path_buf().join("bundler"))
}

/// Where the user's own source may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Own {
    /// The workspace and every package that does not come from elsewhere.
    pub folders: BTreeSet<PathBuf>,
    /// Where cargo puts what it builds.
    pub target: PathBuf,
}

/// Asks cargo where the user's own source may be.
pub fn own_folders(options: &Options) -> Result<Own, Error> {
    let metadata = metadata(options)?;
    let own = metadata.packages.iter().filter(|p| p.source.is_none());
    let mut folders: BTreeSet<PathBuf> =
        own.filter_map(|p| p.manifest_path.parent()).map(|p| p.as_std_path().to_path_buf()).collect();
    folders.insert(metadata.workspace_root.clone().into_std_path_buf());
    Ok(Own { folders, target: metadata.target_directory.clone().into_std_path_buf() })
}

fn metadata(options: &Options) -> Result<Metadata, Error> {
    let mut command = tools::metadata(options);
    if let Some(host) = host() {
        command.args(["--filter-platform", &host]);
    }
    let output = children::output(&mut command).map_err(tools::missing)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(Error::Workspace(format!("{said}{}", tools::advice(&said))));
    }
    serde_json::from_slice(&output.stdout)
        .map_err(|e| Error::Workspace(format!("`cargo metadata` gave something unexpected: {e}")))
}

fn host() -> Option<String> {
    let output =
        children::output(Command::new(crate::rustc::program()).arg("-vV").stdin(Stdio::null())).ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines().find_map(|l| l.strip_prefix("host: ")).map(str::to_owned)
}

fn is_lib(target: &Target) -> bool {
    target
        .kind
        .iter()
        .any(|k| matches!(k.to_string().as_str(), "lib" | "rlib" | "dylib" | "cdylib" | "staticlib"))
}

/// Whether there are packages of all these names.
fn known(names: &[String], metadata: &Metadata) -> Result<(), Error> {
    match names.iter().find(|name| !metadata.packages.iter().any(|p| *p.name == ***name)) {
        None => Ok(()),
        Some(name) => Err(Error::Binary(format!(
            "--external {name}: the workspace uses no package of that name.\n  Name the package as Cargo.toml does."
        ))),
    }
}

struct Maker<'m> {
    metadata: &'m Metadata,
    nodes: HashMap<&'m PackageId, &'m Node>,
    options: &'m Options,
    libs: Vec<Option<Unit>>,
    index: HashMap<&'m PackageId, usize>,
    externals: BTreeMap<String, String>,
}

impl<'m> Maker<'m> {
    fn unit(&mut self, package: &'m Package, target: &'m Target) -> Unit {
        let features = self
            .nodes
            .get(&package.id)
            .map(|n| n.features.iter().map(|f| f.to_string()).collect())
            .unwrap_or_default();
        let folder =
            package.manifest_path.parent().map(|p| p.as_std_path().to_path_buf()).unwrap_or_default();
        let env = crate::constants::of_cargo(package, target);
        let foreign = package.source.is_some();
        let set = if foreign { BTreeSet::new() } else { [BUNDLED.to_owned()].into() };
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
            cfgs: Cfgs { features, set, target: None },
            foreign,
            script: if scripted { Script::NotRun } else { Script::None },
            deps: self.deps(package, false),
            env,
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

    /// The name of a crate that is not to be inlined.
    fn external(&mut self, package: &Package) -> Option<String> {
        let named = self.options.external.iter().any(|name| *name == *package.name);
        // A site's crates come from the registry, whatever the user's own are called.
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
    /// Whether a file belongs to the user, and not to a crate from elsewhere.
    pub fn is_own(&self, path: &Path) -> bool {
        let mut units = self.libs.iter().chain([&self.bin]).filter(|u| path.starts_with(&u.folder));
        units.all(|u| !u.foreign)
    }

    /// How the path of a source file is written for people, the same on every machine if possible: relative to the workspace,
    /// or with the name and version of its package.
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

/// A path relative to the package, with forward slashes: the same on every machine.
pub fn relative(path: &Path, folder: &Path) -> String {
    let path = path.strip_prefix(folder).unwrap_or(path);
    path.to_string_lossy().replace('\\', "/")
}

//! Why a crate is part of the program: the chain of dependencies and features from the user's manifest to it.

use cargo_metadata::{Dependency, DependencyKind, Metadata, Node, Package, PackageId};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::path::PathBuf;

/// The chains to the packages that the binary's package depends on.
pub struct Chains<'m> {
    packages: HashMap<&'m PackageId, &'m Package>,
    nodes: &'m HashMap<&'m PackageId, &'m Node>,
    /// For each package that which asks for it, on a shortest way from the binary's.
    parents: HashMap<&'m PackageId, &'m PackageId>,
}

/// Why each registry crate is part of the program, by its folder.
pub fn chains<'m>(
    bin: &'m Package,
    metadata: &'m Metadata,
    nodes: &'m HashMap<&'m PackageId, &'m Node>,
) -> BTreeMap<PathBuf, String> {
    let chains = Chains::from(&bin.id, metadata, nodes);
    let foreign = metadata.packages.iter().filter(|p| p.source.is_some());
    let told = |p: &Package| Some((p.manifest_path.parent()?.as_std_path().to_owned(), chains.told(&p.id)?));
    foreign.filter_map(told).collect()
}

/// The number of packages that cargo compiles for a binary of this one, itself included.
pub fn compiled_packages(bin: &Package, nodes: &HashMap<&PackageId, &Node>) -> usize {
    let mut found = BTreeSet::from([&bin.id]);
    let mut open = vec![&bin.id];
    while let Some(id) = open.pop() {
        for dep in nodes.get(id).map_or(&[][..], |node| &node.deps) {
            let is_built = dep.dep_kinds.iter().any(|k| k.kind != DependencyKind::Development);
            if is_built && found.insert(&dep.pkg) {
                open.push(&dep.pkg);
            }
        }
    }
    found.len()
}

/// A package that asks for another.
struct Link<'m> {
    from: &'m Package,
    to: &'m Package,
    dependency: &'m Dependency,
}

impl<'m> Chains<'m> {
    /// From the package of the binary.
    pub fn from(
        bin: &'m PackageId,
        metadata: &'m Metadata,
        nodes: &'m HashMap<&'m PackageId, &'m Node>,
    ) -> Chains<'m> {
        let mut parents = HashMap::new();
        let mut queue = VecDeque::from([bin]);
        while let Some(id) = queue.pop_front() {
            for dep in nodes.get(id).map_or(&[][..], |node| &node.deps) {
                let is_built = dep.dep_kinds.iter().any(|k| k.kind == DependencyKind::Normal);
                if is_built && dep.pkg != *bin && !parents.contains_key(&dep.pkg) {
                    parents.insert(&dep.pkg, id);
                    queue.push_back(&dep.pkg);
                }
            }
        }
        Chains { packages: metadata.packages.iter().map(|p| (&p.id, p)).collect(), nodes, parents }
    }

    /// The chain to a package in words, with what to switch off.
    pub fn told(&self, to: &PackageId) -> Option<String> {
        let links = self.links(to)?;
        let first = links.first()?;
        let mut said = format!("It is there because {} asks for `{}`", manifest(first.from), first.to.name);
        for link in &links[1..] {
            let feature = match self.features(link).first() {
                None => String::new(),
                Some(feature) => format!(", with its feature `{feature}`"),
            };
            said.push_str(&format!("{feature}, which asks for `{}`", link.to.name));
        }
        said.push('.');
        if let Some(advice) = self.advice(&links) {
            said.push_str(&format!("\n  {advice}"));
        }
        Some(said)
    }

    fn links(&self, to: &PackageId) -> Option<Vec<Link<'m>>> {
        let mut links = Vec::new();
        let mut to = *self.packages.keys().find(|id| **id == to)?;
        while let Some(from) = self.parents.get(to) {
            let (package, target) = (*self.packages.get(from)?, *self.packages.get(to)?);
            let dependency = package.dependencies.iter().find(|d| {
                d.kind == DependencyKind::Normal && *d.name == *target.name && d.req.matches(&target.version)
            })?;
            links.push(Link { from: package, to: target, dependency });
            to = from;
        }
        links.reverse();
        Some(links)
    }

    /// The active features of a link's package that ask for the dependency, the widest first.
    fn features(&self, link: &Link<'m>) -> Vec<&'m str> {
        if !link.dependency.optional {
            return Vec::new();
        }
        let is_on = |feature: &str| {
            self.nodes.get(&link.from.id).is_some_and(|n| n.features.iter().any(|f| **f == *feature))
        };
        let name = link.dependency.rename.as_deref().unwrap_or(&link.dependency.name);
        let leads =
            |feature: &&str| is_on(feature) && *feature != "default" && turns_on(link.from, feature, name);
        let mut found: Vec<&str> = link.from.features.keys().map(String::as_str).filter(leads).collect();
        found.sort_by_key(|feature| std::cmp::Reverse(closure(link.from, &[feature]).len()));
        found
    }

    /// How to have the first crate of the chain without the last: without its default features, if that is enough.
    fn advice(&self, links: &[Link<'m>]) -> Option<String> {
        let (first, second) = (links.first()?, links.get(1)?);
        let (dependency, package) = (first.dependency, first.to);
        let name = second.dependency.rename.as_deref().unwrap_or(&second.dependency.name);
        let asked: Vec<&str> = dependency.features.iter().map(String::as_str).collect();
        let leads = |feature: &str| second.dependency.optional && turns_on(package, feature, name);
        if !dependency.uses_default_features || !leads("default") || asked.iter().any(|f| leads(f)) {
            let culprit = asked.iter().find(|f| leads(f))?;
            return Some(format!("Instead, leave out its feature `{culprit}` in {}.", manifest(first.from)));
        }
        let defaults = package.features.get("default").map_or(&[][..], Vec::as_slice);
        let kept = defaults.iter().map(String::as_str).filter(|f| !f.contains(':') && !leads(f));
        let features: BTreeSet<&str> = asked.iter().copied().chain(kept).collect();
        let list: Vec<String> = features.iter().map(|f| format!("\"{f}\"")).collect();
        let features =
            if list.is_empty() { String::new() } else { format!(", features = [{}]", list.join(", ")) };
        Some(format!(
            "Instead, try in {}, if your code compiles without it: {} = {{ version = \"{}\", default-features = \
             false{features} }}",
            manifest(first.from),
            dependency.rename.as_deref().unwrap_or(&dependency.name),
            dependency.req.to_string().trim_start_matches('^'),
        ))
    }
}

fn manifest(package: &Package) -> String {
    format!("the Cargo.toml of `{}`", package.name)
}

/// Whether a feature of a package turns on its optional dependency of this name.
fn turns_on(package: &Package, feature: &str, dependency: &str) -> bool {
    closure(package, &[feature]).into_iter().any(|entry| {
        let entry = entry.strip_prefix("dep:").unwrap_or(entry);
        let entry = entry.split_once('/').map_or(entry, |(crate_name, _)| crate_name);
        entry == dependency
    })
}

/// All entries that some features of a package stand for, themselves included.
fn closure<'a>(package: &'a Package, features: &[&'a str]) -> BTreeSet<&'a str> {
    let mut all: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<&str> = features.to_vec();
    while let Some(feature) = open.pop() {
        if all.insert(feature) {
            open.extend(package.features.get(feature).into_iter().flatten().map(String::as_str));
        }
    }
    all
}

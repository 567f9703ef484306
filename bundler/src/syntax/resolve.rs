//! Name resolution, limited to modules, imports and globs.

use crate::syntax::items::{ModId, NodeId};
use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};

/// The root module.
pub const ROOT: ModId = 0;

/// The target of a name in a module.
#[derive(Clone, Debug)]
pub enum Def {
    /// An item.
    Node(NodeId),
    /// A module.
    Mod(ModId),
    /// The path of a `use` leaf.
    Use(Vec<String>),
}

/// The items and modules that a path refers to.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Items.
    pub nodes: Vec<NodeId>,
    /// Modules.
    pub modules: Vec<ModId>,
}

impl Found {
    /// Whether it refers to nothing known here.
    pub fn is_nothing(&self) -> bool {
        self.nodes.is_empty() && self.modules.is_empty()
    }

    fn add(&mut self, other: &Found) {
        for &node in &other.nodes {
            self.add_node(node);
        }
        for &module in &other.modules {
            self.add_module(module);
        }
    }

    fn add_node(&mut self, node: NodeId) {
        if !self.nodes.contains(&node) {
            self.nodes.push(node);
        }
    }

    fn add_module(&mut self, module: ModId) {
        if !self.modules.contains(&module) {
            self.modules.push(module);
        }
    }
}

#[derive(Debug)]
struct Module {
    parent: Option<ModId>,
    name: String,
    names: HashMap<String, Vec<Def>>,
    globs: Vec<Vec<String>>,
}

impl Module {
    fn new(parent: Option<ModId>, name: &str) -> Module {
        Module { parent, name: name.to_owned(), names: HashMap::new(), globs: Vec::new() }
    }
}

/// All modules.
#[derive(Debug)]
pub struct Modules {
    list: Vec<Module>,
    /// For each module, what its glob imports refer to: set when the first path is resolved.
    globbed: OnceCell<Vec<Found>>,
    /// The names looked up so far.
    known: RefCell<HashMap<(ModId, String), Found>>,
}

/// A lookup of a name in a module.
type Lookup = (ModId, String);

impl Modules {
    /// The root module alone.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Modules {
        Modules { list: vec![Module::new(None, "")], globbed: OnceCell::new(), known: RefCell::default() }
    }

    /// Adds a module to another.
    pub fn add(&mut self, parent: ModId, name: &str) -> ModId {
        let id = self.list.len();
        self.list.push(Module::new(Some(parent), name));
        self.declare(parent, name, Def::Mod(id));
        id
    }

    /// The number of modules.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// The parent of a module.
    pub fn parent(&self, module: ModId) -> Option<ModId> {
        self.list[module].parent
    }

    /// The top-level module that contains a module: the crate that it was part of.
    pub fn krate(&self, mut module: ModId) -> ModId {
        while let Some(parent) = self.list[module].parent.filter(|&p| p != ROOT) {
            module = parent;
        }
        module
    }

    /// The name of a module.
    pub fn name(&self, module: ModId) -> &str {
        &self.list[module].name
    }

    /// Declares a name in a module. All names are declared before the first path is resolved.
    pub fn declare(&mut self, module: ModId, name: &str, def: Def) {
        self.list[module].names.entry(name.to_owned()).or_default().push(def);
    }

    /// Adds a glob import to a module.
    pub fn glob(&mut self, module: ModId, path: Vec<String>) {
        self.list[module].globs.push(path);
    }

    /// Resolves a path written in a module.
    pub fn resolve(&self, module: ModId, path: &[String]) -> Found {
        self.follow(module, path, self.globbed(), &mut Vec::new())
    }

    /// The targets of each module's glob imports. A glob's path may itself lead through globs, so this is repeated until nothing
    /// changes.
    fn globbed(&self) -> &[Found] {
        self.globbed.get_or_init(|| {
            let mut all = vec![Found::default(); self.list.len()];
            loop {
                let mut changed = false;
                for (module, m) in self.list.iter().enumerate() {
                    for path in &m.globs {
                        let found = self.follow(module, path, &all, &mut Vec::new());
                        let before = (all[module].nodes.len(), all[module].modules.len());
                        all[module].add(&found);
                        changed |= before != (all[module].nodes.len(), all[module].modules.len());
                    }
                }
                self.known.borrow_mut().clear();
                if !changed {
                    return all;
                }
            }
        })
    }

    /// Resolves a path; `open` are the lookups that it is part of.
    fn follow(&self, module: ModId, path: &[String], globbed: &[Found], open: &mut Vec<Lookup>) -> Found {
        let (mut at, mut rest) = (module, path);
        while let Some(first) = rest.first() {
            at = match first.as_str() {
                "crate" => ROOT,
                "self" => at,
                "super" => match self.list[at].parent {
                    Some(parent) => parent,
                    None => return Found::default(),
                },
                _ => break,
            };
            rest = &rest[1..];
        }
        if rest.is_empty() && path.is_empty() {
            return Found::default();
        }
        let mut found = Found { nodes: Vec::new(), modules: vec![at] };
        while let Some((name, after)) = rest.split_first() {
            rest = after;
            if name == "self" {
                continue;
            }
            let mut next = Found::default();
            for &m in &found.modules {
                let mut named = self.named(m, name, globbed, open);
                // A path continues through a module, not through a function or macro of the same name.
                if !after.is_empty() && !named.modules.is_empty() {
                    named.nodes.clear();
                }
                next.add(&named);
            }
            // The rest of a path names a variant, a method or an associated item of an item found earlier.
            found.nodes.iter().for_each(|&node| next.add_node(node));
            found = next;
            if found.modules.is_empty() {
                break;
            }
        }
        found
    }

    /// Looks up a name in a module.
    fn named(&self, module: ModId, name: &str, globbed: &[Found], open: &mut Vec<Lookup>) -> Found {
        let lookup = (module, name.to_owned());
        if let Some(found) = self.known.borrow().get(&lookup) {
            return found.clone();
        }
        // `use dep::dep` and the like lead back to the same lookup.
        if open.contains(&lookup) {
            return Found::default();
        }
        open.push(lookup);
        let mut found = Found::default();
        let (mut seen, mut next) = (HashSet::from([module]), vec![module]);
        while let Some(m) = next.pop() {
            let Some(defs) = self.list[m].names.get(name) else {
                globbed[m].nodes.iter().for_each(|&node| found.add_node(node));
                next.extend(globbed[m].modules.iter().filter(|&&g| seen.insert(g)));
                continue;
            };
            for def in defs {
                match def {
                    Def::Node(id) => found.add_node(*id),
                    Def::Mod(id) => found.add_module(*id),
                    Def::Use(path) if path.len() == 1 && path[0] == name => {}
                    Def::Use(path) => found.add(&self.follow(m, path, globbed, open)),
                }
            }
        }
        let lookup = open.pop();
        // Within another lookup the answer may lack what leads back to that one.
        if let Some(lookup) = lookup.filter(|_| open.is_empty()) {
            self.known.borrow_mut().insert(lookup, found.clone());
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Vec<String> {
        text.split("::").map(String::from).collect()
    }

    fn modules(count: usize) -> (Modules, Vec<ModId>) {
        let mut modules = Modules::new();
        let ids = (0..count).map(|i| modules.add(ROOT, &format!("m{i}"))).collect();
        (modules, ids)
    }

    #[test]
    fn names_are_found_through_globs_that_lead_in_circles() {
        // Each module imports everything of each other one and of the root.
        let (mut modules, ids) = modules(30);
        for &id in &ids {
            for other in 0..ids.len() {
                modules.glob(id, path(&format!("crate::m{other}")));
            }
            modules.glob(id, path("super"));
            modules.glob(ROOT, path(&format!("self::{}", modules.name(id).to_owned())));
        }
        modules.declare(ids[17], "Thing", Def::Node(5));
        for &id in &ids {
            assert_eq!(modules.resolve(id, &path("Thing")).nodes, [5]);
            assert!(modules.resolve(id, &path("other")).is_nothing());
        }
        assert_eq!(modules.resolve(ids[0], &path("m3::Thing::new")).nodes, [5]);
    }

    #[test]
    fn a_glob_may_be_of_what_another_glob_imports() {
        let (mut modules, ids) = modules(2);
        let inner = modules.add(ids[1], "inner");
        modules.declare(inner, "Kind", Def::Node(7));
        modules.glob(ids[0], path("inner"));
        modules.glob(ids[0], path("crate::m1"));
        modules.declare(ROOT, "Choice", Def::Node(8));
        let user = modules.add(ROOT, "user");
        modules.glob(user, path("crate::Choice"));
        assert_eq!(modules.resolve(ids[0], &path("Kind")).nodes, [7]);
        // A variant of an enum.
        assert_eq!(modules.resolve(user, &path("First")).nodes, [8]);
    }

    #[test]
    fn an_import_of_itself_ends() {
        let (mut modules, ids) = modules(1);
        modules.declare(ids[0], "dep", Def::Use(path("dep::dep")));
        modules.declare(ids[0], "a", Def::Use(path("self::b")));
        modules.declare(ids[0], "b", Def::Use(path("self::a")));
        modules.declare(ids[0], "b", Def::Node(3));
        assert!(modules.resolve(ids[0], &path("dep")).is_nothing());
        assert_eq!(modules.resolve(ids[0], &path("a")).nodes, [3]);
        assert_eq!(modules.resolve(ids[0], &path("b")).nodes, [3]);
    }

    #[test]
    fn a_path_goes_through_the_module_and_not_the_function_of_its_name() {
        let (mut modules, ids) = modules(1);
        let both = modules.add(ids[0], "both");
        modules.declare(ids[0], "both", Def::Node(1));
        modules.declare(both, "inside", Def::Node(2));
        assert_eq!(modules.resolve(ROOT, &path("m0::both::inside")).nodes, [2]);
        let found = modules.resolve(ROOT, &path("m0::both"));
        assert_eq!((found.nodes, found.modules), (vec![1], vec![both]));
    }
}

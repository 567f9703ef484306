//! Name resolution, limited to modules, imports and globs.

use crate::syntax::items::{ModId, NodeId};
use std::collections::HashMap;

/// The root module.
pub const ROOT: ModId = 0;

/// What a name in a module refers to.
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
}

#[derive(Debug)]
struct Module {
    parent: Option<ModId>,
    name: String,
    names: HashMap<String, Vec<Def>>,
    globs: Vec<(Vec<String>, NodeId)>,
}

/// All modules.
#[derive(Debug)]
pub struct Modules {
    list: Vec<Module>,
}

impl Modules {
    /// The root module alone.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Modules {
        Modules {
            list: vec![Module {
                parent: None,
                name: String::new(),
                names: HashMap::new(),
                globs: Vec::new(),
            }],
        }
    }

    /// Adds a module to another.
    pub fn add(&mut self, parent: ModId, name: &str) -> ModId {
        let id = self.list.len();
        self.list.push(Module {
            parent: Some(parent),
            name: name.to_owned(),
            names: HashMap::new(),
            globs: Vec::new(),
        });
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

    /// Declares a name in a module.
    pub fn declare(&mut self, module: ModId, name: &str, def: Def) {
        let names = &mut self.list[module].names;
        names.entry(name.to_owned()).or_default().push(def);
    }

    /// Adds a glob import to a module.
    pub fn glob(&mut self, module: ModId, path: Vec<String>, leaf: NodeId) {
        self.list[module].globs.push((path, leaf));
    }

    /// Resolves a path written in a module.
    pub fn resolve(&self, module: ModId, path: &[String]) -> Found {
        let mut found = Found::default();
        self.follow(module, path, 0, &mut found);
        found
    }

    fn follow(&self, module: ModId, path: &[String], depth: usize, found: &mut Found) {
        if depth > 12 {
            return;
        }
        let (mut at, mut rest) = (module, path);
        let mut anchored = false;
        while let Some(first) = rest.first() {
            at = match first.as_str() {
                "crate" => ROOT,
                "self" => at,
                "super" => match self.list[at].parent {
                    Some(parent) => parent,
                    None => return,
                },
                _ => break,
            };
            anchored = true;
            rest = &rest[1..];
        }
        let Some(first) = rest.first() else {
            if anchored {
                found.modules.push(at);
            }
            return;
        };
        self.name_in(at, first, &rest[1..], depth, found);
    }

    /// Looks up a name in a module and resolves the rest of the path from there.
    fn name_in(&self, module: ModId, name: &str, rest: &[String], depth: usize, found: &mut Found) {
        if depth > 12 {
            return;
        }
        if let Some(defs) = self.list[module].names.get(name) {
            // A path continues through a module, not through a function or macro of the same name.
            let through = !rest.is_empty() && defs.iter().any(|def| matches!(def, Def::Mod(_)));
            for def in defs {
                match def {
                    Def::Node(_) if through => {}
                    // The rest names a variant, a method or an associated item.
                    Def::Node(id) => found.nodes.push(*id),
                    Def::Mod(id) => match rest.first() {
                        None => found.modules.push(*id),
                        Some(next) if next == "self" => found.modules.push(*id),
                        Some(next) => self.name_in(*id, next, &rest[1..], depth + 1, found),
                    },
                    Def::Use(path) => {
                        // `use dep::dep` and the like would recurse forever.
                        if path.len() == 1 && path[0] == name {
                            continue;
                        }
                        let mut whole = path.clone();
                        whole.extend(rest.iter().cloned());
                        self.follow(module, &whole, depth + 1, found);
                    }
                }
            }
            return;
        }
        for (path, _) in &self.list[module].globs {
            let mut whole = path.clone();
            whole.push(name.to_owned());
            whole.extend(rest.iter().cloned());
            self.follow(module, &whole, depth + 3, found);
        }
    }
}

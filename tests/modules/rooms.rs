//! Checks a crate: no import cycles between its rooms, and no imports against the prescribed order.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::graph::{Crate, Import, Reader};

/// A crate and the order of its rooms, which are its top-level modules.
#[derive(Debug, Clone, Copy)]
pub struct Rooms<'a> {
    /// The root file.
    pub root: &'a str,
    /// Groups of rooms: an import leads into the same group or an earlier one. Empty if no order is
    /// prescribed.
    pub order: &'a [&'a [&'a str]],
}

impl Rooms<'_> {
    /// Checks a crate. The root may import from every room, but no room from the root. An item re-exported by
    /// the root belongs to the room that defines it.
    ///
    /// # Errors
    /// A list of the cycles and of the imports against the order, with their places.
    pub fn check(&self, reader: Reader<'_>) -> Result<(), String> {
        let imports = Crate::read(Path::new(self.root), reader)?.imports();
        let mut between: BTreeMap<(&str, &str), Vec<&Import>> = BTreeMap::new();
        for import in &imports {
            let (from, to) = (room(&import.from), room(&import.to));
            if from != to && !import.from.is_empty() {
                between.entry((from, to)).or_default().push(import);
            }
        }
        let mut complaints = Vec::new();
        for ((from, to), imports) in &between {
            if to.is_empty() {
                complaints.push(format!("{from} imports from the root:{}", listed(imports)));
            } else if !self.order.is_empty() {
                let rank = |name: &str| self.order.iter().position(|group| group.contains(&name));
                match (rank(from), rank(to)) {
                    (Some(from_rank), Some(to_rank)) if from_rank < to_rank => {
                        complaints
                            .push(format!("{from} is before {to}, and imports from it:{}", listed(imports)));
                    }
                    (None, _) => complaints.push(format!("{from} is not in the order of rooms")),
                    _ => {}
                }
            }
        }
        if let Some(cycle) = cycle(&between) {
            let edges = cycle.iter().zip(cycle.iter().cycle().skip(1));
            let places = edges.map(|(from, to)| {
                let imports = &between[&(*from, *to)];
                format!("\n  {from} -> {to}:{}", listed(imports))
            });
            complaints.push(format!("an import cycle:{}", places.collect::<String>()));
        }
        complaints.dedup();
        if complaints.is_empty() {
            Ok(())
        } else {
            Err(complaints.join("\n"))
        }
    }
}

fn room(path: &[String]) -> &str {
    path.first().map_or("", String::as_str)
}

fn listed(imports: &[&Import]) -> String {
    imports.iter().map(|import| format!("\n    {import}")).collect()
}

/// The rooms of a cycle: each imports from the next, the last from the first.
fn cycle<'a>(between: &BTreeMap<(&'a str, &'a str), Vec<&Import>>) -> Option<Vec<&'a str>> {
    fn visit<'a>(
        at: &'a str,
        between: &BTreeMap<(&'a str, &'a str), Vec<&Import>>,
        way: &mut Vec<&'a str>,
        done: &mut BTreeSet<&'a str>,
    ) -> Option<Vec<&'a str>> {
        if let Some(i) = way.iter().position(|&room| room == at) {
            return Some(way[i..].to_vec());
        }
        if !done.insert(at) {
            return None;
        }
        way.push(at);
        let next = between.keys().filter(|(from, _)| *from == at).map(|&(_, to)| to);
        let found = next.into_iter().find_map(|to| visit(to, between, way, done));
        way.pop();
        found
    }
    let mut done = BTreeSet::new();
    between.keys().find_map(|&(from, _)| visit(from, between, &mut Vec::new(), &mut done))
}

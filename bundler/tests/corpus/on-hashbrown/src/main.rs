use hashbrown::hash_map::Entry;
use hashbrown::{HashMap, HashSet};

fn main() {
    let mut best: HashMap<&str, i32> = HashMap::new();
    for (name, score) in [("ann", 3), ("bob", 7), ("ann", 9), ("cid", 1)] {
        match best.entry(name) {
            Entry::Occupied(mut e) => *e.get_mut() = score.max(*e.get()),
            Entry::Vacant(e) => {
                e.insert(score);
            }
        }
    }
    let mut all: Vec<_> = best.iter().map(|(k, v)| (*v, *k)).collect();
    all.sort_unstable();
    let seen: HashSet<u32> = (0..40).map(|x| x * x % 23).collect();
    println!("{all:?} {} {}", seen.len(), seen.contains(&4));
}

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

fn main() {
    let mut table: FxHashMap<u64, i32> = FxHashMap::default();
    for i in 0..50u64 {
        *table.entry(i * i % 17).or_default() += 1;
    }
    let mut all: Vec<_> = table.iter().collect();
    all.sort();
    let set: FxHashSet<char> = "transposition".chars().collect();
    let mut hasher = FxHasher::default();
    ("board", 7u8).hash(&mut hasher);
    println!("{all:?} {} {:x}", set.len(), hasher.finish());
}

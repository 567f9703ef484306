use fnv::{FnvHashMap, FnvHasher};
use std::hash::Hasher;

fn main() {
    let mut hasher = FnvHasher::default();
    hasher.write(b"position");
    println!("{:x}", hasher.finish());
    let mut seen: FnvHashMap<(i32, i32), u32> = FnvHashMap::default();
    for i in 0..20 {
        *seen.entry((i % 3, i % 2)).or_default() += 1;
    }
    let mut all: Vec<_> = seen.into_iter().collect();
    all.sort_unstable();
    println!("{all:?}");
}

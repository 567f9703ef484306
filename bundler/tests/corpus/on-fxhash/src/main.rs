use fxhash::{FxHashMap, FxHashSet};

fn main() {
    let mut seen: FxHashSet<(i32, i32)> = FxHashSet::default();
    let mut at = (0i32, 0i32);
    let mut steps = 0;
    while seen.insert(at) {
        at = ((at.0 * 7 + 3) % 11, (at.1 * 5 + at.0) % 13);
        steps += 1;
    }
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for word in "a rose is a rose is a rose".split(' ') {
        *counts.entry(word).or_insert(0) += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort();
    println!("{steps} {at:?} {counts:?} {:x} {:x}", fxhash::hash64(&42u64), fxhash::hash32("board"));
}

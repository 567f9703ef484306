use ahash::{AHashMap, AHashSet};

fn main() {
    let mut memo: AHashMap<(u8, u8), u64> = AHashMap::new();
    fn paths(x: u8, y: u8, memo: &mut AHashMap<(u8, u8), u64>) -> u64 {
        if x == 0 || y == 0 {
            return 1;
        }
        if let Some(&known) = memo.get(&(x, y)) {
            return known;
        }
        let n = paths(x - 1, y, memo) + paths(x, y - 1, memo);
        memo.insert((x, y), n);
        n
    }
    let set: AHashSet<i32> = [1, 2, 2, 3].into_iter().collect();
    println!("{} {}", paths(12, 9, &mut memo), set.len());
}

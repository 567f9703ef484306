use indexmap::{indexmap, IndexMap, IndexSet};

fn main() {
    let mut units: IndexMap<u32, &str> = indexmap! { 7 => "archer", 2 => "knight" };
    units.insert(5, "mage");
    units.swap_remove(&7);
    units.sort_keys();
    println!("{units:?} {:?} {:?}", units.get_index(0), units.get_full(&5));
    let order: IndexSet<char> = "transposition".chars().collect();
    println!("{}", order.iter().collect::<String>());
}

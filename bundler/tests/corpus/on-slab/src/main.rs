use slab::Slab;

fn main() {
    let mut nodes = Slab::new();
    let keys: Vec<usize> = ["a", "b", "c"].iter().map(|name| nodes.insert(*name)).collect();
    println!("{}", nodes.remove(keys[1]));
    println!("{} {}", nodes.insert("d"), nodes.len());
    println!("{:?}", nodes.iter().collect::<Vec<_>>());
}

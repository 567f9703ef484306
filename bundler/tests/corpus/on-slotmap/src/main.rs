use slotmap::{new_key_type, SecondaryMap, SlotMap};

new_key_type! {
    struct UnitKey;
}

fn main() {
    let mut units: SlotMap<UnitKey, &str> = SlotMap::with_key();
    let archer = units.insert("archer");
    let mage = units.insert("mage");
    let mut health = SecondaryMap::new();
    health.insert(archer, 10);
    health.insert(mage, 6);
    units.remove(archer);
    let knight = units.insert("knight");
    println!("{:?} {:?} {:?}", units.get(archer), units.get(knight), health.get(mage));
    println!("{:?} {}", units.values().collect::<Vec<_>>(), units.contains_key(mage));
}

use smallstr::SmallString;

fn main() {
    let mut name = SmallString::<[u8; 8]>::new();
    for letter in "mancala".chars().rev() {
        name.push(letter);
    }
    println!("{name} {} {}", name.len(), name.spilled());
    name.push_str(" and others");
    println!("{name} {}", name.spilled());
}

use regex::Regex;

fn main() {
    let order = Regex::new(r"^(?<name>[A-Z]+) (?<x>-?[0-9]+) (?<y>-?[0-9]+)").unwrap();
    for line in ["MOVE 3 -4 go", "WAIT", "BOMB 0 12"] {
        match order.captures(line) {
            Some(found) => println!("{} {} {}", &found["name"], &found["y"], &found["x"]),
            None => println!("{line} isn't an order"),
        }
    }
}

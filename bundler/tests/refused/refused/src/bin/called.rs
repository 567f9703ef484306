#[track_caller]
fn here() -> u32 {
    std::panic::Location::caller().line()
}

fn main() {
    println!("{}", here());
}

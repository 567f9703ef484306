//! Placeholder until the first version.
fn main() {}

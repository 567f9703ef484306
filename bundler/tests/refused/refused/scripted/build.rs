fn main() {
    let out = std::env::var("OUT_DIR").unwrap();
    std::fs::write(format!("{out}/x.rs"), "pub fn generated() -> u8 { 1 }").unwrap();
}

cfg_if::cfg_if! {
    if #[cfg(all(unix, windows))] {
        fn which() -> &'static str { "both" }
    } else if #[cfg(any(unix, windows))] {
        fn which() -> &'static str { "a system" }
    } else {
        fn which() -> &'static str { "none" }
    }
}

fn main() {
    println!("{}", which());
}

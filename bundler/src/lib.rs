//! Merges a binary and the crates it uses into one `main.rs`.

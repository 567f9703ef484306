//! Rust source as text with origins, as tokens, and as items.

pub mod attributes;
pub mod builtin;
pub mod cfg;
pub mod depth;
pub mod items;
pub mod layout;
pub mod parsed;
pub mod pieces;
pub mod resolve;
pub mod scopes;
pub mod space;
pub mod spans;
pub mod text;
pub mod tokens;
pub mod visibility;

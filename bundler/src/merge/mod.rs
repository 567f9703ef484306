//! Makes each library a module of the root, and rewrites all paths.

pub mod assemble;
pub mod editions;
pub mod job;
pub mod ladder;
pub mod macros;
pub mod program;
pub mod rewrite;
pub mod uses;
pub mod walk;

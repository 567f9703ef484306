//! Child processes, the clipboard, progress on the terminal, and what differs between operating systems.

pub mod children;
pub mod clipboard;
pub mod files;
pub mod progress;
pub mod system;

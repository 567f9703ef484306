//! The library's interface: options, the bundle with its report, errors.

pub mod bundle;
pub mod error;
pub mod map;
pub mod options;
pub mod platform;

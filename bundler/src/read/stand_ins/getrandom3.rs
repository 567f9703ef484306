//! `getrandom` 0.3 and 0.4 on std alone.

use std::hash::{BuildHasher, Hasher};

#[cfg(feature = "sys_rng")]
pub use rand_core;

/// The number of an error of the system.
pub type RawOsError = i32;

/// An error, which never happens here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error(RawOsError);

impl Error {
    /// No source of random bytes.
    pub const UNSUPPORTED: Error = Error(1 << 16);
    /// An error of the system without a number.
    pub const ERRNO_NOT_POSITIVE: Error = Error((1 << 16) + 1);
    /// Something that should not happen.
    pub const UNEXPECTED: Error = Error((1 << 16) + 2);

    /// An error of another source of random bytes.
    pub const fn new_custom(n: u16) -> Error {
        Error((1 << 17) + n as i32)
    }

    /// The number of the system's error, if it is one.
    pub fn raw_os_error(self) -> Option<RawOsError> {
        None
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "error {} of the random source", self.0)
    }
}

impl std::error::Error for Error {}

impl From<Error> for std::io::Error {
    fn from(error: Error) -> std::io::Error {
        std::io::Error::other(error)
    }
}

/// The hash of nothing under a new key of std's hash maps.
fn word() -> u64 {
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

/// Fills `dest`.
pub fn fill(dest: &mut [u8]) -> Result<(), Error> {
    for bytes in dest.chunks_mut(8) {
        bytes.copy_from_slice(&word().to_le_bytes()[..bytes.len()]);
    }
    Ok(())
}

/// 32 random bits.
pub fn u32() -> Result<u32, Error> {
    Ok(word() as u32)
}

/// 64 random bits.
pub fn u64() -> Result<u64, Error> {
    Ok(word())
}

/// The source as a generator.
#[cfg(feature = "sys_rng")]
#[derive(Clone, Copy, Debug, Default)]
pub struct SysRng;

#[cfg(feature = "sys_rng")]
impl rand_core::TryRng for SysRng {
    type Error = Error;

    fn try_next_u32(&mut self) -> Result<u32, Error> {
        u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Error> {
        u64()
    }

    fn try_fill_bytes(&mut self, dest: &mut [u8]) -> Result<(), Error> {
        fill(dest)
    }
}

#[cfg(feature = "sys_rng")]
impl rand_core::TryCryptoRng for SysRng {}

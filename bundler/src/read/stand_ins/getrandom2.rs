//! `getrandom` 0.2 on std alone.

use std::hash::{BuildHasher, Hasher};
use std::num::NonZeroU32;

/// An error, which never happens here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error(NonZeroU32);

impl Error {
    /// The first code of this crate's own errors.
    pub const INTERNAL_START: u32 = 1 << 31;
    /// The first code that is free for others.
    pub const CUSTOM_START: u32 = (1 << 31) + (1 << 30);
    /// No source of random bytes.
    pub const UNSUPPORTED: Error = Error(NonZeroU32::new(Self::INTERNAL_START).unwrap());

    /// The number of the system's error, if it is one.
    pub fn raw_os_error(self) -> Option<i32> {
        i32::try_from(self.0.get()).ok()
    }

    /// The code.
    pub const fn code(self) -> NonZeroU32 {
        self.0
    }
}

impl From<NonZeroU32> for Error {
    fn from(code: NonZeroU32) -> Error {
        Error(code)
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

/// Fills `dest`: each 8 bytes are the hash of nothing under a new key of std's hash maps.
pub fn getrandom(dest: &mut [u8]) -> Result<(), Error> {
    for bytes in dest.chunks_mut(8) {
        let hash = std::collections::hash_map::RandomState::new().build_hasher().finish();
        bytes.copy_from_slice(&hash.to_le_bytes()[..bytes.len()]);
    }
    Ok(())
}

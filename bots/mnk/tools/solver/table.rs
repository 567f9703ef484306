//! The solver's transposition table.

use coppice::rng::mix;

/// The bounds of a position: the attacker fails with `no` marks and succeeds with `yes`.
#[derive(Debug, Clone, Copy)]
struct Entry {
    key: (u64, u64),
    no: u8,
    yes: u8,
}

const UNKNOWN: Entry = Entry { key: (u64::MAX, u64::MAX), no: 0, yes: u8::MAX };

/// Positions with their bounds. Entries proved with few marks are replaced first.
#[derive(Debug, Clone)]
pub struct Table(Vec<[Entry; 2]>);

impl Table {
    /// A table of about `bytes` bytes.
    pub fn new(bytes: usize) -> Table {
        Table(vec![[UNKNOWN; 2]; (bytes / size_of::<[Entry; 2]>()).max(1024)])
    }

    fn place(&self, key: (u64, u64)) -> usize {
        let hash = mix(key.0 ^ mix(key.1));
        ((u128::from(hash) * self.0.len() as u128) >> 64) as usize
    }

    /// Whether `marks` marks are enough, if known.
    pub fn get(&self, key: (u64, u64), marks: u32) -> Option<bool> {
        let entry = self.0[self.place(key)].iter().find(|entry| entry.key == key)?;
        match marks {
            _ if marks <= entry.no.into() => Some(false),
            _ if marks >= entry.yes.into() => Some(true),
            _ => None,
        }
    }

    /// Stores whether `marks` marks are enough.
    pub fn put(&mut self, key: (u64, u64), marks: u32, is_enough: bool) {
        let place = self.place(key);
        let pair = &mut self.0[place];
        let i = match pair.iter().position(|entry| entry.key == key) {
            Some(i) => i,
            None => {
                let i = usize::from(u32::from(pair[0].no) > marks);
                pair[i] = Entry { key, ..UNKNOWN };
                i
            }
        };
        match is_enough {
            true => pair[i].yes = pair[i].yes.min(marks as u8),
            false => pair[i].no = pair[i].no.max(marks as u8),
        }
    }
}

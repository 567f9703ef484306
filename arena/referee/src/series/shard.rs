//! A shard of a run, for one of several machines.

use std::fmt;
use std::str::FromStr;

/// Part K of N: every N-th group of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// The number, from 1.
    part: u32,
    parts: u32,
}

impl Shard {
    /// The whole run.
    pub const ALL: Self = Self { part: 1, parts: 1 };

    /// Part `part` of `parts`, counted from 1; `None` if `part` is out of range.
    pub fn new(part: u32, parts: u32) -> Option<Self> {
        (1..=parts).contains(&part).then_some(Self { part, parts })
    }

    /// Whether a group of games, numbered from 0, is in this part.
    pub fn contains(self, group: u32) -> bool {
        group % self.parts == self.part - 1
    }
}

/// A text that is no [`Shard`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a part such as 2/5: K from 1 to N, a slash, N parts")]
pub struct InvalidShard(String);

impl FromStr for Shard {
    type Err = InvalidShard;

    fn from_str(text: &str) -> Result<Self, InvalidShard> {
        let wrong = || InvalidShard(text.to_owned());
        let (part, parts) = text.split_once('/').ok_or_else(wrong)?;
        let [part, parts] = [part, parts].map(|word| word.trim().parse::<u32>().unwrap_or(0));
        Self::new(part, parts).ok_or_else(wrong)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_group_is_in_one_part() {
        let shards = [1, 2, 3].map(|part| format!("{part}/3").parse::<Shard>().unwrap());
        for group in 0..20 {
            assert_eq!(shards.iter().filter(|shard| shard.contains(group)).count(), 1);
            assert!(Shard::ALL.contains(group));
        }
    }

    #[test]
    fn what_is_no_part_is_refused() {
        for text in ["", "1", "0/3", "4/3", "1/0", "a/b", "1/2/3", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        assert_eq!(" 2/ 5".parse::<Shard>().unwrap().to_string(), "2/5");
    }
}

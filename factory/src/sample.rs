//! A labelled position, and its form in a shard.

/// A position that shards store: a fixed number of bytes.
pub trait Record: Copy + Eq + std::hash::Hash + Send + Sync {
    /// The number of bytes.
    const BYTES: usize;

    /// Appends [`Record::BYTES`] bytes.
    fn write(&self, bytes: &mut Vec<u8>);

    /// The position of [`Record::BYTES`] bytes; `None` if no position has this form.
    fn read(bytes: &[u8]) -> Option<Self>;

    /// The one of its symmetric images that stands for all of them.
    fn canonical(&self) -> Self;
}

/// A position from the view of the player to move, or of one of both who choose at once, with what it proved to be worth to that
/// player, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample<P> {
    /// The position.
    pub position: P,
    /// The value that a search found.
    pub score: f32,
    /// The result of the game; `None` if the game didn't go through this position.
    pub result: Option<f32>,
    /// The score is certain.
    pub exact: bool,
}

/// Bytes of a sample after its position's.
const LABELS: usize = 9;

impl<P: Record> Sample<P> {
    /// The number of bytes in a shard.
    pub const BYTES: usize = P::BYTES + LABELS;

    /// The target to learn: the score if it is exact, else the score with the result's `share` mixed in.
    pub fn target(&self, share: f32) -> f32 {
        match self.result {
            Some(result) if !self.exact => self.score + share * (result - self.score),
            _ => self.score,
        }
    }

    /// The sample in the other player's view, in which the position is `position`.
    #[must_use]
    pub fn mirrored(&self, position: P) -> Self {
        Sample { position, score: -self.score, result: self.result.map(|result| -result), exact: self.exact }
    }

    /// Appends [`Sample::BYTES`] bytes.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        self.position.write(bytes);
        bytes.extend(self.score.to_le_bytes());
        bytes.extend(self.result.unwrap_or(f32::NAN).to_le_bytes());
        bytes.push(u8::from(self.exact));
    }

    /// The sample of [`Sample::BYTES`] bytes; `None` if no sample has this form.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let (position, labels) = bytes.split_at_checked(P::BYTES)?;
        let (score, labels) = labels.split_first_chunk()?;
        let (result, exact) = labels.split_first_chunk()?;
        let (score, result) = (f32::from_le_bytes(*score), f32::from_le_bytes(*result));
        let exact = match exact {
            [0] => false,
            [1] => true,
            _ => return None,
        };
        let position = P::read(position)?;
        score.is_finite().then_some(Sample {
            position,
            score,
            result: Some(result).filter(|x| !x.is_nan()),
            exact,
        })
    }
}

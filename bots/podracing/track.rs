//! The track: checkpoints in order, and the number of laps.

/// The most checkpoints of a track; the published maps have three to six.
pub const MAX_CHECKPOINTS: usize = 8;
/// The fewest checkpoints of a track.
pub const MIN_CHECKPOINTS: usize = 2;
/// A checkpoint's radius, in units of the map: a pod passes when its centre comes this near, inclusive.
pub const CHECKPOINT_RADIUS: f64 = 600.0;

/// A track. Checkpoint 0 is the start and the finish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Track {
    points: [[i16; 2]; MAX_CHECKPOINTS],
    count: u8,
    laps: u8,
}

impl Track {
    /// A track of `laps` laps through the checkpoints, given as x and y; `None` without a lap, or if the checkpoints are too
    /// few or too many.
    pub fn new(points: &[[i16; 2]], laps: u8) -> Option<Track> {
        if !(MIN_CHECKPOINTS..=MAX_CHECKPOINTS).contains(&points.len()) || laps == 0 {
            return None;
        }
        let mut track = Track { points: [[0; 2]; MAX_CHECKPOINTS], count: points.len() as u8, laps };
        track.points[..points.len()].copy_from_slice(points);
        Some(track)
    }

    /// The checkpoints, as x and y.
    pub fn points(&self) -> &[[i16; 2]] {
        &self.points[..usize::from(self.count)]
    }

    /// The number of checkpoints.
    #[inline(always)]
    pub fn count(&self) -> usize {
        usize::from(self.count)
    }

    /// The number of laps.
    pub fn laps(&self) -> u8 {
        self.laps
    }

    /// The number of checkpoints that a pod passes from start to finish.
    #[inline(always)]
    pub fn goal(&self) -> u16 {
        u16::from(self.laps) * u16::from(self.count)
    }

    /// The checkpoint after `passed` others; the first to pass is 1.
    #[inline(always)]
    pub fn next(&self, passed: u16) -> usize {
        usize::from((passed + 1) % u16::from(self.count))
    }

    /// The centre of a checkpoint.
    #[inline(always)]
    pub fn centre(&self, checkpoint: usize) -> [f64; 2] {
        let [x, y] = self.points[checkpoint % MAX_CHECKPOINTS];
        [x.into(), y.into()]
    }

    /// The distance from a checkpoint to the one after it.
    pub fn leg(&self, checkpoint: usize) -> f64 {
        let ([ax, ay], [bx, by]) = (self.centre(checkpoint), self.centre((checkpoint + 1) % self.count()));
        (bx - ax).hypot(by - ay)
    }
}

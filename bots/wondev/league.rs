//! The four leagues: how many units, whether points, pushes and fog exist.

/// A league's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum League {
    /// One unit a player; who stands on height 3 at the end of a round wins.
    Climb,
    /// One unit; a point for each step onto height 3.
    Points,
    /// Two units, which can push.
    Pushes,
    /// Units that are further away than a step are not seen.
    Fog,
}

impl League {
    /// All, by the number that the platform's referee gives them.
    pub const ALL: [League; 4] = [League::Climb, League::Points, League::Pushes, League::Fog];

    /// The number of units a player.
    #[inline(always)]
    pub const fn units(self) -> usize {
        match self {
            League::Climb | League::Points => 1,
            League::Pushes | League::Fog => 2,
        }
    }

    /// Whether steps onto height 3 give points.
    #[inline(always)]
    pub fn has_points(self) -> bool {
        self > League::Climb
    }

    /// Whether units can be pushed.
    #[inline(always)]
    pub fn has_pushes(self) -> bool {
        self >= League::Pushes
    }

    /// Whether units can be out of sight.
    #[inline(always)]
    pub fn has_fog(self) -> bool {
        self == League::Fog
    }
}

//! Proven bounds on a node's result, in two bytes.

use crate::game::{Game, Player};

/// For two players: the least and the most that the payoff's sign can be under best play, to the
/// player who chose the node. For one: closed or not. For three to seven: not closed, or the sign
/// of each player's payoff in two bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds([i8; 2]);

impl Bounds {
    /// No bounds. As bits of three players or more: 3 for the first, which no sign has.
    pub(super) const OPEN: Bounds = Bounds([-1, 1]);
    /// The move is excluded. As bits of seven players: a sign for an eighth.
    pub(super) const ABSENT: Bounds = Bounds([i8::MIN; 2]);

    fn from_signs(signs: u16) -> Bounds {
        Bounds(signs.to_le_bytes().map(|byte| byte as i8))
    }

    /// The end of a game at which `chooser`'s move arrived.
    pub(super) fn ended<G: Game>(game: &G, chooser: Player) -> Bounds {
        let sign = |player| game.payoff(player).sign();
        match G::PLAYERS {
            1 => Bounds([0; 2]),
            2 => Bounds([sign(chooser) as i8; 2]),
            n @ 3..=7 => {
                let bits = |i: usize| ((sign(Player::new(i as u8)) + 1) as u16) << (2 * i);
                Bounds::from_signs((0..n).map(bits).sum())
            }
            _ => Bounds::OPEN,
        }
    }

    /// At least and at most what sign the payoff of `player` has, who chose the node.
    #[inline(always)]
    pub(super) fn view<G: Game>(self, player: Player) -> (i8, i8) {
        if G::PLAYERS > 2 && self != Bounds::OPEN && self != Bounds::ABSENT {
            let sign =
                (u16::from_le_bytes(self.0.map(|byte| byte as u8)) >> (2 * player.index()) & 3) as i8 - 1;
            return (sign, sign);
        }
        (self.0[0], self.0[1])
    }

    /// The value is certain, or the move is excluded.
    #[inline(always)]
    pub(super) fn is_closed<G: Game>(self) -> bool {
        if G::PLAYERS > 2 {
            self != Bounds::OPEN
        } else {
            self.0[0] == self.0[1]
        }
    }

    /// Whether this child can still change its parent's value. `certain` is the parent's proven lower bound (two players).
    #[inline(always)]
    pub(super) fn matters<G: Game>(self, certain: i8) -> bool {
        if G::PLAYERS > 2 {
            self == Bounds::OPEN
        } else {
            self.0[1] > certain
        }
    }

    /// For two players, what is certain of a node to the player who is to move there; for one, that
    /// a closed child is not to be visited again.
    #[inline(always)]
    pub(super) fn certain<G: Game>(self, same_mover: bool) -> i8 {
        match (G::PLAYERS, same_mover) {
            (2, true) => self.0[0],
            (2, false) => -self.0[1],
            _ => 0,
        }
    }

    /// The first player's bounds as `player` sees them: negated and swapped for the second of two.
    #[inline(always)]
    pub(super) fn seen_by<G: Game>(self, player: Player) -> Bounds {
        if G::PLAYERS == 2 && player != Player::FIRST && self != Bounds::ABSENT {
            Bounds([-self.0[1], -self.0[0]])
        } else {
            self
        }
    }

    /// A node's bounds from those of its children and the codes of the moves to them.
    pub(super) fn of<G: Game>(
        children: impl Iterator<Item = (Bounds, u16)>,
        mover: Player,
        chooser: Player,
    ) -> Bounds {
        let (mut lower, mut upper) = (-1, -1);
        let (mut best, mut open) = (None::<(i8, u16, Bounds)>, u32::MAX);
        for (bounds, code) in children {
            let view = bounds.view::<G>(mover);
            (lower, upper) = (view.0.max(lower), view.1.max(upper));
            if G::PLAYERS > 2 && bounds == Bounds::OPEN {
                open = open.min(u32::from(code));
            } else if G::PLAYERS > 2
                && view.0 >= -1
                && best.is_none_or(|(sign, first, _)| view.0 > sign || view.0 == sign && code < first)
            {
                best = Some((view.0, code, bounds));
            }
        }
        match (G::PLAYERS, best) {
            (1, _) if upper == 1 => Bounds::OPEN,
            (1, _) => Bounds([0; 2]),
            (2, _) if chooser == mover => Bounds([lower, upper]),
            (2, _) => Bounds([-upper, -lower]),
            // Of several wins the one with the lowest code is taken, so lower codes must be closed first.
            (_, Some((sign, code, bounds))) if open == u32::MAX || sign == 1 && u32::from(code) < open => {
                bounds
            }
            _ => Bounds::OPEN,
        }
    }
}

//! Threat search: finds wins by moves that each threaten to end the game at once, so the opponent has a single
//! answer, until a move makes two threats.
//!
//! The threat-space search of Allis, van den Herik and Huntjens, *Go-Moku and Threat-Space Search* (1993), restricted
//! to threats of the first order: exact, because each answer is forced.

use arrayvec::ArrayVec;
use coppice::clock::Meter;
use coppice::rng::mix;

use super::field::{Field, Lack};

/// Maximum number of threats tried in a position.
const WIDTH: usize = 24;

/// Maximum number of threats in a sequence.
const DEPTH: u32 = 40;

/// A forced win: the first move, and the plies until the line is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forced {
    /// The cell to mark first.
    pub at: usize,
    /// Plies to the end of the game, including the first. A shorter win may exist.
    pub plies: u32,
}

/// The result of a threat search.
enum Outcome {
    Found(Forced),
    /// No forced win exists.
    Nothing,
    /// No forced win was found within the node limit.
    Unknown,
}

/// A threat search that remembers positions without a forced win.
#[derive(Debug, Clone)]
pub struct Threats {
    /// Hashes of positions, each combined with the attacker.
    nothing: Vec<u64>,
    /// Nodes that this search may still visit.
    left: u64,
}

impl Threats {
    /// A search that remembers about `positions` positions, rounded up to a power of two.
    pub fn new(positions: usize) -> Threats {
        Threats { nothing: vec![0; positions.next_power_of_two()], left: 0 }
    }

    /// Finds a win by threats alone for `player`, who is to move, in at most `nodes` nodes, each counted by `meter`.
    /// A win it finds is certain.
    pub fn search(
        &mut self,
        field: &mut Field,
        meter: &mut Meter<64>,
        player: usize,
        nodes: u64,
    ) -> Option<Forced> {
        self.left = nodes;
        match self.attack(field, meter, player, DEPTH) {
            Outcome::Found(forced) => Some(forced),
            _ => None,
        }
    }

    fn attack(&mut self, field: &mut Field, meter: &mut Meter<64>, player: usize, depth: u32) -> Outcome {
        let other = 1 - player;
        let (wins, at) = field.wins(player);
        if wins > 0 {
            return Outcome::Found(Forced { at, plies: 1 });
        }
        let (met, block) = field.wins(other);
        if met > 1 {
            return Outcome::Nothing;
        }
        if !field.is_hot(player, Lack::Two) {
            return Outcome::Nothing;
        }
        let key = field.hash() ^ mix(player as u64 + 1);
        let slot = key as usize & (self.nothing.len() - 1);
        if self.nothing[slot] == key {
            return Outcome::Nothing;
        }
        let (moves, mut all) = threats(field, player, (met == 1).then_some(block));
        for &(_, at) in &moves {
            let at = usize::from(at);
            if depth == 0 || self.left == 0 || !meter.take() {
                return Outcome::Unknown;
            }
            self.left -= 1;
            field.put(at, player);
            let (ways, answer) = field.wins(player);
            let outcome = if ways > 1 {
                Outcome::Found(Forced { at, plies: 1 })
            } else {
                field.put(answer, other);
                let outcome = self.attack(field, meter, player, depth - 1);
                field.take(answer, other);
                outcome
            };
            field.take(at, player);
            match outcome {
                Outcome::Found(Forced { plies, .. }) => {
                    return Outcome::Found(Forced { at, plies: plies + 2 })
                }
                Outcome::Nothing => {}
                Outcome::Unknown => all = false,
            }
        }
        if all {
            self.nothing[slot] = key;
            Outcome::Nothing
        } else {
            Outcome::Unknown
        }
    }
}

/// The threats that `player` can make, those that build most first; if an opposing threat must be answered, only the
/// one that does so. Also returns whether the list is complete.
fn threats(field: &Field, player: usize, block: Option<usize>) -> (ArrayVec<(i32, u16), WIDTH>, bool) {
    let mut list = ArrayVec::new();
    if let Some(at) = block {
        if field.lacking(at, player, Lack::Two) > 0 {
            list.push((0, at as u16));
        }
        return (list, true);
    }
    for word in 0..field.words() {
        let mut hot = field.hot(word, player, Lack::Two);
        while hot != 0 {
            let at = 64 * word + hot.trailing_zeros() as usize;
            hot &= hot - 1;
            if list.try_push((-field.gain(at, player), at as u16)).is_err() {
                list.sort_unstable();
                return (list, false);
            }
        }
    }
    list.sort_unstable();
    (list, true)
}

//! Chooses which pieces to promote, by the rule that all agents of the paper's program share.

use coppice::Rng;

use super::board::Placed;
use super::side::{BORDER, CENTRE, DIRECTIONS, NEIGHBOURS};
use super::turn::Group;

/// The value of promoting a group. Large pieces alone are worth nothing; a triple is valued by its small pieces, most
/// of all on the border.
#[inline(always)]
fn worth(placed: &Placed, group: Group) -> i32 {
    let cells = group.cells();
    let small = (cells & placed.own.small).count_ones() as i32;
    let on_border = (cells & BORDER).count_ones();
    match (cells.count_ones(), small) {
        (3, 3) if on_border == 3 => 13,
        (3, 3) if on_border > 0 => 4,
        (3, _) => small,
        (_, 0) => 0,
        _ => {
            let cell = cells.trailing_zeros();
            let place = 2 * on_border as i32 - 2 * i32::from(cells & CENTRE != 0);
            let has_friend = NEIGHBOURS[cell as usize & 63] & placed.own.all() != 0;
            5 + place - 3 * i32::from(has_friend) - 10 * i32::from(is_blocking(cells, placed.other.all()))
        }
    }
}

/// Whether the next two cells in some direction both belong to the opponent.
#[inline(always)]
fn is_blocking(cell: u64, enemy: u64) -> bool {
    DIRECTIONS.iter().any(|&shift| {
        let pair = enemy & enemy >> shift;
        // The ring around the grid is always empty, so no pair crosses the edge.
        (pair >> shift | pair << (2 * shift)) & cell != 0
    })
}

/// The best group, ties broken at random; [`Group::NONE`] if there is nothing to promote.
#[inline(always)]
pub fn choose(placed: &Placed, rng: &mut Rng) -> Group {
    let (mut best, mut most, mut ties) = (Group::NONE, i32::MIN, 0);
    placed.groups(|group| {
        let worth = worth(placed, group);
        if worth > most {
            (best, most, ties) = (group, worth, 1);
        } else if worth == most {
            ties += 1;
            if rng.below(ties) == 0 {
                best = group;
            }
        }
    });
    best
}

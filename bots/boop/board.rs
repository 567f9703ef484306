//! The rules of boop. on bitboards.

use arrayvec::ArrayVec;
use coppice::rng::mix;
use coppice::{Game, Moves, Payoff, Player};

use super::side::{Side, GRID, NEIGHBOURS, PIECES};
use super::turn::{Group, Turn};

/// Plies after which the game is a draw. The published rules set no limit.
pub const MAX_PLIES: u16 = 400;

/// Upper bound on the number of moves in a position. Eight pieces on the board form at most six threes, seven at most
/// five, six four, and so on down (counted over all placements). With one piece left in the pool there are at most 29
/// empty cells and 14 groups. With more in the pool no single piece can be promoted, and 2 kinds of pieces on 30
/// cells with 5 groups give fewer moves.
pub const MAX_MOVES: usize = 29 * 14;

/// The state of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Status {
    Open,
    /// The player who moved last has won.
    Won,
    Drawn,
}

/// A position, from the point of view of the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    own: Side,
    other: Side,
    to_move: Player,
    status: Status,
    ply: u16,
}

/// A position in the middle of a turn: a piece has been placed and its neighbours have been pushed.
#[derive(Clone, Copy)]
pub struct Placed {
    /// The player whose turn it is.
    pub own: Side,
    /// The opponent.
    pub other: Side,
}

impl Placed {
    /// Whether all of the mover's pieces are on the board, so that a single one may be promoted.
    #[inline(always)]
    fn is_pool_empty(&self) -> bool {
        self.own.all().count_ones() == PIECES
    }

    /// Calls `f` with each promotion the mover can choose; not at all if the mover has won or no group exists.
    #[inline(always)]
    pub fn groups(&self, mut f: impl FnMut(Group)) {
        if self.own.has_won() {
            return;
        }
        if self.is_pool_empty() {
            each(self.own.all(), |cell| f(Group::single(cell)));
        }
        for (direction, starts) in self.own.threes().into_iter().enumerate() {
            each(starts, |cell| f(Group::triple(direction, cell)));
        }
    }

    /// The number of ways to finish the turn. `may_win`: the mover had enough large pieces for a line.
    #[inline(always)]
    fn count(&self, may_win: bool) -> u32 {
        if may_win && self.own.has_won() {
            return 1;
        }
        let threes: u32 = self.own.threes().iter().map(|starts| starts.count_ones()).sum();
        (threes + if self.is_pool_empty() { PIECES } else { 0 }).max(1)
    }
}

/// These cells and those beside them, with the ring around the grid.
#[inline(always)]
const fn around(cells: u64) -> u64 {
    let wide = cells | cells << 1 | cells >> 1;
    wide | wide << 8 | wide >> 8
}

/// Calls `f` with the index of each set bit.
#[inline(always)]
pub fn each(mut bits: u64, mut f: impl FnMut(u32)) {
    while bits != 0 {
        f(bits.trailing_zeros());
        bits &= bits - 1;
    }
}

impl Board {
    /// The starting position.
    pub const START: Board =
        Board { own: Side::START, other: Side::START, to_move: Player::FIRST, status: Status::Open, ply: 0 };

    /// A position that isn't over, after `ply` turns. `ply` must be below [`MAX_PLIES`].
    pub fn new(own: Side, other: Side, to_move: Player, ply: u16) -> Board {
        debug_assert!(ply < MAX_PLIES, "a game of {ply} turns is over");
        Board { own, other, to_move, status: Status::Open, ply }
    }

    /// The player to move.
    #[inline(always)]
    pub const fn own(&self) -> &Side {
        &self.own
    }

    /// The opponent.
    #[inline(always)]
    pub const fn other(&self) -> &Side {
        &self.other
    }

    /// The number of turns played.
    #[inline(always)]
    pub const fn ply(&self) -> u16 {
        self.ply
    }

    /// The empty cells.
    #[inline(always)]
    pub const fn empty(&self) -> u64 {
        GRID & !(self.own.all() | self.other.all())
    }

    /// The position after placing a piece and pushing its neighbours. A neighbour moves one cell away if the placed
    /// piece is large or the neighbour small, and if the cell behind it is empty or off the board. A piece pushed off
    /// the board returns to its owner's pool.
    #[inline(always)]
    pub fn placed(&self, is_large: bool, cell: u32) -> Placed {
        let (mut own, mut other) = (self.own, self.other);
        let taken = own.all() | other.all();
        let movable = if is_large { taken } else { own.small | other.small };
        // Pushed pieces start next to the cell and end two cells away, so no push blocks another.
        each(NEIGHBOURS[cell as usize & 63] & movable, |from| {
            let to = (2 * from).wrapping_sub(cell) & 63;
            let moves = !taken >> to & 1;
            let pushed = |set: u64| {
                let bit = set >> from & moves;
                set ^ (bit << from | bit << to)
            };
            own.small = pushed(own.small);
            own.large = pushed(own.large);
            other.small = pushed(other.small);
            other.large = pushed(other.large);
        });
        let piece = 1 << cell;
        own.small = own.small & GRID | if is_large { 0 } else { piece };
        own.large = own.large & GRID | if is_large { piece } else { 0 };
        other.small &= GRID;
        other.large &= GRID;
        Placed { own, other }
    }

    /// Calls `f` with each kind of piece in the pool (`true` for large) and each empty cell.
    #[inline(always)]
    pub fn each_placing(&self, mut f: impl FnMut(bool, u32)) {
        let empty = self.empty();
        if self.own.small_in_pool() > 0 {
            each(empty, |cell| f(false, cell));
        }
        if self.own.large_in_pool() > 0 {
            each(empty, |cell| f(true, cell));
        }
    }
}

impl Game for Board {
    type Move = Turn;
    type Moves = ArrayVec<Turn, MAX_MOVES>;

    #[inline(always)]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline(always)]
    fn moves(&self, list: &mut ArrayVec<Turn, MAX_MOVES>) {
        if self.status != Status::Open {
            return;
        }
        self.each_placing(|is_large, cell| {
            let before = list.len();
            let placed = self.placed(is_large, cell);
            placed.groups(|group| Moves::push(list, Turn::new(is_large, cell, group)));
            if list.len() == before {
                Moves::push(list, Turn::new(is_large, cell, Group::NONE));
            }
        });
    }

    #[inline(always)]
    fn play(&mut self, turn: Turn) {
        let Placed { own, other } = self.placed(turn.is_large(), turn.cell());
        self.ply += 1;
        self.status = match own.has_won() {
            true => Status::Won,
            false if self.ply >= MAX_PLIES => Status::Drawn,
            false => Status::Open,
        };
        (self.own, self.other) = (other, own.promoting(turn.group().cells()));
        self.to_move = self.to_move.other();
    }

    #[inline(always)]
    fn payoff(&self, player: Player) -> Payoff {
        Payoff(match self.status {
            Status::Won if player == self.to_move => -1,
            Status::Won => 1,
            _ => 0,
        })
    }

    /// Covers all pieces, the player to move, and the number of turns, because the turn limit ends the game.
    #[inline(always)]
    fn hash(&self) -> u64 {
        let rest = u64::from(self.own.promoted)
            | u64::from(self.other.promoted) << 8
            | (self.to_move.index() as u64) << 16
            | u64::from(self.ply) << 24;
        let fold = |a: u64, b: u64| {
            let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xc2b2_ae3d_27d4_eb4f);
            product as u64 ^ (product >> 64) as u64
        };
        mix(fold(self.own.small, self.own.large.rotate_left(29))
            ^ fold(self.other.large.rotate_left(17), self.other.small).rotate_left(32)
            ^ rest.wrapping_mul(0x9fb2_1c65_1e98_df25))
    }

    #[inline(always)]
    fn move_index(turn: Turn) -> u16 {
        turn.code()
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.status != Status::Open
    }

    #[inline(always)]
    fn count_moves(&self) -> usize {
        let mut count = 0;
        if self.status == Status::Open {
            if self.own.all().count_ones() < 2 {
                // Pushes only move pieces, and two make no line of three.
                self.each_placing(|_, _| count += 1);
                return count;
            }
            let may_win = self.own.large.count_ones() >= 2;
            let ways = |is_large, cell| self.placed(is_large, cell).count(may_win) as usize;
            // Beside none of its own, a piece makes no line and pushes none of them: all these cells are alike.
            let empty = self.empty();
            let far = empty & !around(self.own.all());
            for (is_large, pool) in [(false, self.own.small_in_pool()), (true, self.own.large_in_pool())] {
                if pool > 0 {
                    if far != 0 {
                        count += far.count_ones() as usize * ways(is_large, far.trailing_zeros());
                    }
                    each(empty & !far, |cell| count += ways(is_large, cell));
                }
            }
        }
        count
    }
}

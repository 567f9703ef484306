//! The rules of Freckers on bitboards.

use std::fmt;

use coppice::bits::nth_one;
use coppice::rng::mix;
use coppice::{Game, List, Payoff, Player, Rng};

use super::cell::{around, lowest, Cells, Move, Way, GOAL, HOME};

/// Actions of both sides together after which a game ends.
pub const MAX_ACTIONS: u8 = 150;

/// Upper bound on the moves of a position: a frog steps to 5 cells and jumps to the other 15 cells of its row's and
/// column's parity, and the board can grow.
pub const MAX_MOVES: usize = 6 * (5 + 15) + 1;

/// A position as the side to move sees it: its frogs move towards higher rows. For Blue the rows are flipped.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    /// The frogs of the side to move.
    own: Cells,
    /// The other side's frogs.
    other: Cells,
    /// Pads without a frog.
    pads: Cells,
    /// Actions of both sides so far.
    actions: u8,
    to_move: Player,
}

impl Board {
    /// The starting position.
    pub const START: Board = Board {
        own: 0x7e,
        other: 0x7e << 56,
        pads: 0x81 | 0x7e << 8 | 0x7e << 48 | 0x81 << 56,
        actions: 0,
        to_move: Player::FIRST,
    };

    /// A position after `actions`: Red's and Blue's frogs and the pads without one, as Red sees them.
    pub(super) const fn of_sides(sides: [Cells; 2], pads: Cells, to_move: Player, actions: u8) -> Board {
        let [red, blue] = sides;
        match to_move {
            Player::FIRST => Board { own: red, other: blue, pads, actions, to_move },
            _ => {
                let (own, other, pads) = (blue.swap_bytes(), red.swap_bytes(), pads.swap_bytes());
                Board { own, other, pads, actions, to_move }
            }
        }
    }

    /// The frogs of the side to move, as it sees the board.
    #[inline(always)]
    pub const fn own(&self) -> Cells {
        self.own
    }

    /// The other side's frogs, as the side to move sees the board.
    #[inline(always)]
    pub const fn other(&self) -> Cells {
        self.other
    }

    /// The pads without a frog, as the side to move sees the board.
    #[inline(always)]
    pub const fn pads(&self) -> Cells {
        self.pads
    }

    /// The number of actions of both sides together.
    #[inline(always)]
    pub const fn actions(&self) -> u8 {
        self.actions
    }

    /// The cells that would become pads if the side to move let the board grow.
    #[inline(always)]
    pub const fn growth(&self) -> Cells {
        around(self.own) & !(self.own | self.other | self.pads)
    }

    /// The cells that a frog can step to.
    #[inline(always)]
    const fn steps(&self, frog: Cells) -> Cells {
        let row = Way::Right.step(frog) | Way::Left.step(frog);
        (row | (row | frog) << 8) & self.pads
    }

    /// The cells one hop away from these.
    #[inline(always)]
    pub fn hop(&self, from: Cells) -> Cells {
        Way::ALL.iter().fold(0, |landings, &way| landings | self.hop_in(way, from))
    }

    /// The cells one hop away from these in one direction.
    #[inline(always)]
    pub fn hop_in(&self, way: Way, from: Cells) -> Cells {
        way.step(way.step(from) & (self.own | self.other)) & self.pads
    }

    /// The cells from which a hop is possible.
    #[inline(always)]
    fn springs(&self) -> Cells {
        let back = |way: Way| way.back(way.back(self.pads) & (self.own | self.other));
        Way::ALL.iter().fold(0, |cells, &way| cells | back(way))
    }

    /// The cells that a frog can jump to, given the springs. A jump never returns to its start, because a frog's cell
    /// is not an empty pad.
    #[inline(always)]
    fn jumps(&self, frog: Cells, springs: Cells) -> Cells {
        let (mut landings, mut last) = (0, frog);
        while last & springs != 0 {
            last = self.hop(last & springs) & !landings;
            landings |= last;
        }
        landings
    }

    /// The number of hops on the shortest path of a jump, which must be possible.
    #[inline(always)]
    fn hops(&self, frog: Cells, landing: Cells) -> u32 {
        let (mut landings, mut hops) = (frog, 0);
        while landings & landing == 0 {
            landings |= self.hop(landings);
            hops += 1;
        }
        hops
    }

    /// The landing cells of a legal jump or step. Of the shortest paths it picks the one whose hops, from the first
    /// on, come first in [`Way::ALL`].
    pub fn path(&self, m: Move) -> List<u8, 16> {
        let landing = 1 << m.to();
        // By number of hops: the pads from which the landing is that far away.
        let mut within = [0; 16];
        within[0] = landing;
        let hops = (m.hops() as usize).min(15);
        for i in 1..=hops {
            let cells = within[i - 1];
            let back = |way: Way| way.back(way.back(cells) & (self.own | self.other));
            within[i] = self.pads & Way::ALL.iter().fold(0, |all, &way| all | back(way));
        }
        let mut path = List::default();
        let mut at: Cells = 1 << m.from();
        for i in (1..=hops).rev() {
            let next =
                Way::ALL.iter().map(|&way| self.hop_in(way, at) & within[i - 1]).find(|&next| next != 0);
            at = next.unwrap_or(landing);
            path.push(lowest(at));
        }
        if hops == 0 && !m.is_grow() {
            path.push(m.to());
        }
        path
    }

    /// The move of a frog from the first of these cells over the others; `None` if it is illegal.
    pub fn along(&self, cells: &[u8]) -> Option<Move> {
        let (&from, landings) = cells.split_first()?;
        let (frog, &to) = (1u64 << from & self.own, landings.last()?);
        if let ([_], true) = (landings, self.steps(frog) & 1 << to != 0) {
            return Some(Move::new(from, to, 0));
        }
        let mut at = frog;
        for &landing in landings {
            at = self.hop(at) & 1 << landing;
        }
        (at != 0).then(|| Move::new(from, to, self.hops(frog, at)))
    }

    /// Lists the moves of the frogs: frog by frog from the home row on, steps first, then jumps by number of hops.
    #[inline(always)]
    pub fn frog_moves(&self, list: &mut List<Move, MAX_MOVES>) {
        let springs = self.springs();
        let mut frogs = self.own;
        while frogs != 0 {
            let frog = frogs & frogs.wrapping_neg();
            frogs ^= frog;
            let from = lowest(frog);
            let mut add = |mut cells: Cells, hops| {
                while cells != 0 {
                    list.push(Move::new(from, lowest(cells), hops));
                    cells &= cells - 1;
                }
            };
            add(self.steps(frog), 0);
            let (mut landings, mut last, mut hops) = (0, frog, 0);
            while last & springs != 0 {
                hops += 1;
                last = self.hop(last & springs) & !landings;
                landings |= last;
                add(last, hops);
            }
        }
    }

    /// Calls `f` with each frog and the cells that it can step and jump to.
    #[inline(always)]
    fn for_each_frog(&self, mut f: impl FnMut(Cells, Cells, Cells)) {
        let springs = self.springs();
        let mut frogs = self.own;
        while frogs != 0 {
            let frog = frogs & frogs.wrapping_neg();
            f(frog, self.steps(frog), self.jumps(frog, springs));
            frogs ^= frog;
        }
    }

    /// The number of a side's frogs on the far row.
    #[inline(always)]
    fn arrived(&self, player: Player) -> i32 {
        let cells = if player == self.to_move { self.own & GOAL } else { self.other & HOME };
        cells.count_ones() as i32
    }
}

impl Game for Board {
    type Move = Move;
    type Moves = List<Move, MAX_MOVES>;

    #[inline(always)]
    fn to_move(&self) -> Player {
        self.to_move
    }

    /// The moves of [`Board::frog_moves`], then growing, which is always legal.
    #[inline(always)]
    fn moves(&self, list: &mut Self::Moves) {
        if self.is_over() {
            return;
        }
        self.frog_moves(list);
        list.push(Move::GROW);
    }

    #[inline(always)]
    fn play(&mut self, m: Move) {
        let (mut own, mut pads) = (self.own, self.pads);
        if m.is_grow() {
            pads |= self.growth();
        } else {
            debug_assert!(self.own >> m.from() & 1 == 1 && self.pads >> m.to() & 1 == 1, "{m:?}");
            own ^= 1 << m.from() | 1 << m.to();
            pads ^= 1 << m.to();
        }
        *self = Board {
            own: self.other.swap_bytes(),
            other: own.swap_bytes(),
            pads: pads.swap_bytes(),
            actions: self.actions + 1,
            to_move: self.to_move.other(),
        };
    }

    /// The side's frogs on the far row minus the other side's.
    #[inline(always)]
    fn payoff(&self, player: Player) -> Payoff {
        Payoff(self.arrived(player) - self.arrived(player.other()))
    }

    /// Leaves out which player is the first: positions that differ only in that have the same future. Folds two
    /// products to 64 bits (Wang Yi's wyhash), then mixes.
    #[inline(always)]
    fn hash(&self) -> u64 {
        let fold = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            product as u64 ^ (product >> 64) as u64
        };
        let frogs = fold(self.own ^ 0x9e37_79b9_7f4a_7c15, self.other ^ 0xc2b2_ae3d_27d4_eb4f);
        let count = u64::from(self.actions) << 56 | 0x00d6_e8fe_b866_59fd;
        mix(frogs ^ fold(self.pads ^ 0xa076_1d64_78bd_642f, count ^ 0xe703_7ed1_a0b4_28db))
    }

    #[inline(always)]
    fn move_index(m: Move) -> u16 {
        m.code()
    }

    /// Whether a side's frogs have all arrived, or 150 actions were made.
    #[inline(always)]
    fn is_over(&self) -> bool {
        self.other & !HOME == 0 || self.own & !GOAL == 0 || self.actions >= MAX_ACTIONS
    }

    #[inline(always)]
    fn count_moves(&self) -> usize {
        if self.is_over() {
            return 0;
        }
        let mut count = 1;
        self.for_each_frog(|_, steps, jumps| count += (steps | jumps).count_ones());
        count as usize
    }

    #[inline(always)]
    fn random_move(&self, rng: &mut Rng) -> Option<Move> {
        if self.is_over() {
            return None;
        }
        let (mut count, mut found, mut len) = (1, [(0, 0, 0); 6], 0);
        self.for_each_frog(|frog, steps, jumps| {
            count += (steps | jumps).count_ones();
            found[len] = (frog, steps, jumps);
            len += 1;
        });
        let mut place = rng.below(count);
        for &(frog, steps, jumps) in &found[..len] {
            let landings = steps | jumps;
            if place < landings.count_ones() {
                let landing = 1 << nth_one(landings, place);
                let hops = if landing & steps != 0 { 0 } else { self.hops(frog, landing) };
                return Some(Move::new(lowest(frog), lowest(landing), hops));
            }
            place -= landings.count_ones();
        }
        Some(Move::GROW)
    }
}

impl fmt::Display for Board {
    /// Prints the board as Red sees it: row 0 at the top, `R` and `B` for frogs, `*` for pads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_red = self.to_move == Player::FIRST;
        let seen = |cells: Cells| if is_red { cells } else { cells.swap_bytes() };
        let (red, blue) = if is_red { (self.own, self.other) } else { (self.other, self.own) };
        let (red, blue, pads) = (seen(red), seen(blue), seen(self.pads));
        writeln!(f, "  0 1 2 3 4 5 6 7")?;
        for row in 0..8 {
            write!(f, "{row}")?;
            for column in 0..8 {
                let is_in = |cells: Cells| cells >> (8 * row + column) & 1 == 1;
                let drawn = match (is_in(red), is_in(blue), is_in(pads)) {
                    (true, ..) => 'R',
                    (_, true, _) => 'B',
                    (.., true) => '*',
                    _ => '.',
                };
                write!(f, " {drawn}")?;
            }
            writeln!(f)?;
        }
        let actions = self.actions;
        write!(f, "{} to move, {actions} actions", if is_red { "Red" } else { "Blue" })
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

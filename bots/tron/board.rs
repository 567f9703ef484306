//! The rules: cycles that leave trails, for two to four players who move one after the other.

use std::fmt;

use coppice::rng::mix;
use coppice::{Game, List, Payoff, Player};

use super::field::{Cell, Direction, Field, CELLS, HEIGHT, WIDTH};

/// A move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Move {
    /// To a free neighbour.
    Go(Direction),
    /// Off the field or into a trail: the player is out.
    #[default]
    Out,
    /// In an opening, before the player has moved: the cycle starts from this cell.
    Start(Cell),
}

/// A position of a game for `N` players, 2 to 4.
///
/// Listed are the moves to free cells, or [`Move::Out`] alone where there is none. A player may be [`Move::Out`] at any
/// time, but it is never better.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board<const N: usize> {
    /// All trails.
    taken: Field,
    /// The trail of each player, with its head; empty if the player is out.
    trails: [Field; N],
    heads: [Cell; N],
    starts: [Cell; N],
    /// The number of plies after which a player was out; 0 while it isn't.
    out_after: [u16; N],
    plies: u16,
    alive: u8,
    to_move: Player,
    /// The sum, without carry, of the keys of a player's trail and head.
    keys: [u64; N],
}

/// The start of each player where nothing else was drawn: far from each other and alike for all.
const fn default_start(players: usize, player: usize) -> (i32, i32) {
    match (players, player) {
        (2, 0) => (7, 10),
        (2, _) => (22, 9),
        (3, 0) => (7, 4),
        (3, 1) => (22, 4),
        (3, _) => (15, 15),
        (_, 0) => (7, 5),
        (_, 1) => (22, 5),
        (_, 2) => (22, 14),
        _ => (7, 14),
    }
}

impl<const N: usize> Board<N> {
    /// The position before the first move.
    pub fn start() -> Board<N> {
        const { assert!(2 <= N && N <= 4, "Tron is for two to four players") };
        let starts = std::array::from_fn(|player| {
            let (x, y) = default_start(N, player);
            Cell::at(x, y).expect("a cell of the field")
        });
        Board::from_starts(starts.map(Some), Player::FIRST)
    }

    /// The position before the first move, by `first`, of cycles that start from these cells, all different. A player
    /// without a start has no trail; its first move must be [`Move::Out`].
    pub(super) fn from_starts(starts: [Option<Cell>; N], first: Player) -> Board<N> {
        let cells = starts.map(Option::unwrap_or_default);
        let mut board = Board {
            taken: Field::EMPTY,
            trails: [Field::EMPTY; N],
            heads: cells,
            starts: cells,
            out_after: [0; N],
            plies: 0,
            alive: N as u8,
            to_move: first,
            keys: [0; N],
        };
        for (player, cell) in board.players().zip(starts).filter_map(|(player, start)| Some((player, start?)))
        {
            board.enter(player, cell);
            board.keys[player.index()] ^= head_key(player, cell);
        }
        board
    }

    /// All players, in the order of their numbers.
    pub fn players(&self) -> impl Iterator<Item = Player> + Clone {
        (0..N as u8).map(Player::new)
    }

    /// The players who aren't out, in the order in which they move, from the one to move on.
    #[inline(always)]
    pub fn in_turn(&self) -> impl Iterator<Item = Player> + '_ {
        let first = self.to_move.index();
        let order = (0..N).map(move |i| Player::new(((first + i) % N) as u8));
        order.filter(|&player| self.is_in(player))
    }

    /// Whether a player is still in the game.
    #[inline(always)]
    pub const fn is_in(&self, player: Player) -> bool {
        self.out_after[player.index()] == 0
    }

    /// The number of players who are still in the game.
    #[inline(always)]
    pub const fn alive(&self) -> u32 {
        self.alive as u32
    }

    /// The number of plies after which a player was out; 0 while it isn't.
    #[inline(always)]
    pub const fn out_after(&self, player: Player) -> u32 {
        self.out_after[player.index()] as u32
    }

    /// The cell of a player's cycle; any if it is out.
    #[inline(always)]
    pub const fn head(&self, player: Player) -> Cell {
        self.heads[player.index()]
    }

    /// The cell from which a player's cycle started; any if it is out.
    pub const fn start_of(&self, player: Player) -> Cell {
        self.starts[player.index()]
    }

    /// A player's trail, with its head.
    pub const fn trail(&self, player: Player) -> &Field {
        &self.trails[player.index()]
    }

    /// The cells without a trail.
    #[inline(always)]
    pub fn free(&self) -> Field {
        Field::ALL.without(&self.taken)
    }

    /// The number of moves so far, those of openings aside.
    pub const fn plies(&self) -> u32 {
        self.plies as u32
    }

    /// Whether a direction leads to a free cell.
    #[inline(always)]
    pub fn is_free(&self, direction: Direction) -> bool {
        let next = self.heads[self.to_move.index()].step(direction);
        next.is_some_and(|cell| !self.taken.contains(cell))
    }

    /// The number of players who went out before this one; among those still in it isn't decided.
    pub fn outlasted(&self, player: Player) -> u32 {
        let mine = self.out_after(player);
        let before = |other: &Player| !self.is_in(*other) && (mine == 0 || self.out_after(*other) < mine);
        self.players().filter(before).count() as u32
    }

    /// Moves the head of a player who was thought to have gone elsewhere. Does nothing and returns false if the cell is
    /// taken.
    pub(super) fn correct(&mut self, player: Player, cell: Cell) -> bool {
        let head = self.heads[player.index()];
        let is_possible = cell == head || !self.taken.contains(cell);
        if is_possible {
            self.leave(player, head);
            self.enter(player, cell);
            self.move_head(player, cell);
        }
        is_possible
    }

    /// Takes the player to move out of the game, and its trail off the field.
    fn drop_out(&mut self) {
        let player = self.to_move.index();
        self.taken = self.taken.without(&self.trails[player]);
        self.trails[player] = Field::EMPTY;
        (self.heads[player], self.starts[player]) = (Cell::default(), Cell::default());
        self.alive -= 1;
        self.out_after[player] = self.plies;
        self.keys[player] = mix(OUT_KEY + (player as u64) * 8 + u64::from(self.alive));
    }

    #[inline(always)]
    fn enter(&mut self, player: Player, cell: Cell) {
        self.taken.insert(cell);
        self.trails[player.index()].insert(cell);
        self.keys[player.index()] ^= trail_key(player, cell);
    }

    fn leave(&mut self, player: Player, cell: Cell) {
        self.taken.remove(cell);
        self.trails[player.index()].remove(cell);
        self.keys[player.index()] ^= trail_key(player, cell);
    }

    #[inline(always)]
    fn move_head(&mut self, player: Player, cell: Cell) {
        let head = &mut self.heads[player.index()];
        self.keys[player.index()] ^= head_key(player, *head) ^ head_key(player, cell);
        *head = cell;
    }

    /// Passes the turn to the next player who is in.
    #[inline(always)]
    fn pass_on(&mut self) {
        for _ in 0..N {
            self.to_move = Player::new(((self.to_move.index() + 1) % N) as u8);
            if self.is_in(self.to_move) {
                return;
            }
        }
    }
}

/// Where keys of trails, heads and of players who are out begin among the numbers that are mixed.
const HEAD_KEY: u64 = 1 << 16;
const OUT_KEY: u64 = 2 << 16;
const TURN_KEY: u64 = 3 << 16;

#[inline(always)]
fn trail_key(player: Player, cell: Cell) -> u64 {
    mix(1 + (player.index() * CELLS) as u64 + u64::from(cell.number()))
}

#[inline(always)]
fn head_key(player: Player, cell: Cell) -> u64 {
    mix(HEAD_KEY + (player.index() * CELLS) as u64 + u64::from(cell.number()))
}

impl<const N: usize> Game for Board<N> {
    const PLAYERS: usize = N;
    type Move = Move;
    type Moves = List<Move, 4>;

    #[inline(always)]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline(always)]
    fn moves(&self, list: &mut List<Move, 4>) {
        if self.alive < 2 {
            return;
        }
        for direction in Direction::ALL {
            if self.is_free(direction) {
                list.push(Move::Go(direction));
            }
        }
        if list.is_empty() {
            list.push(Move::Out);
        }
    }

    #[inline(always)]
    fn play(&mut self, m: Move) {
        let player = self.to_move;
        self.plies += u16::from(!matches!(m, Move::Start(_)));
        match m {
            Move::Go(direction) => {
                let next = self.heads[player.index()].step(direction).expect("a cell of the field");
                debug_assert!(!self.taken.contains(next), "the cell is free");
                self.enter(player, next);
                self.move_head(player, next);
            }
            Move::Out => self.drop_out(),
            Move::Start(cell) => {
                self.leave(player, self.heads[player.index()]);
                self.enter(player, cell);
                self.move_head(player, cell);
                self.starts[player.index()] = cell;
            }
        }
        self.pass_on();
    }

    /// The number of the others for the winner, and for all others the negative number of those who outlasted them.
    #[inline(always)]
    fn payoff(&self, player: Player) -> Payoff {
        match self.is_in(player) {
            true => Payoff(N as i32 - 1),
            false => Payoff(self.outlasted(player) as i32 + 1 - N as i32),
        }
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        mix(self.keys.iter().fold(TURN_KEY + self.to_move.index() as u64, |all, key| all ^ key))
    }

    #[inline(always)]
    fn move_index(m: Move) -> u16 {
        match m {
            Move::Go(direction) => direction as u16,
            Move::Out => 4,
            Move::Start(cell) => 5 + cell.number(),
        }
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.alive < 2
    }
}

impl<const N: usize> fmt::Display for Board<N> {
    /// The number of each player at its cycle, and a sign of its own for each cell of its trail: `#`, `+`, `x`, `o`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in 0..HEIGHT as i32 {
            for x in 0..WIDTH as i32 {
                let cell = Cell::at(x, y).expect("a cell of the field");
                let owner = self.players().find(|&player| self.trail(player).contains(cell));
                let mark = owner.map_or('.', |player| match self.head(player) == cell {
                    true => char::from(b'0' + player.index() as u8),
                    false => ['#', '+', 'x', 'o'][player.index()],
                });
                write!(f, "{mark}")?;
            }
            writeln!(f)?;
        }
        for player in self.players().filter(|&player| !self.is_in(player)) {
            let (player, place) = (player.index(), N as u32 - self.outlasted(player));
            write!(f, "{player} is out, place {place}; ")?;
        }
        match self.in_turn().next() {
            Some(winner) if self.is_over() => write!(f, "{} has won", winner.index()),
            _ => write!(f, "{} to move", self.to_move.index()),
        }
    }
}

impl<const N: usize> fmt::Debug for Board<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

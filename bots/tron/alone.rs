//! The longest path of a player in an area that no opponent can enter: a game for one.

use coppice::search::Planning;
use coppice::{Evaluation, Game, List, Payoff, Player, Score};

use super::area::{longest_path, Areas};
use super::board::{Board, Move};
use super::field::{Cell, Direction, Field};

/// A cycle in an area of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alone {
    head: Cell,
    free: Field,
    length: u16,
}

impl Alone {
    /// The player to move, if no opponent can enter its area and it has a move.
    pub fn new<const N: usize>(board: &Board<N>) -> Option<Alone> {
        let (areas, me) = (Areas::new(board), board.to_move());
        let alone = Alone { head: board.head(me), free: areas.of[me.index()], length: 0 };
        (!alone.free.is_empty() && areas.is_alone(board, me.index())).then_some(alone)
    }
}

impl Game for Alone {
    const PLAYERS: usize = 1;
    type Move = Move;
    type Moves = List<Move, 4>;

    fn to_move(&self) -> Player {
        Player::FIRST
    }

    #[inline(always)]
    fn moves(&self, list: &mut List<Move, 4>) {
        for direction in Direction::ALL {
            if self.head.step(direction).is_some_and(|cell| self.free.contains(cell)) {
                list.push(Move::Go(direction));
            }
        }
    }

    #[inline(always)]
    fn play(&mut self, m: Move) {
        let Move::Go(direction) = m else { return };
        self.head = self.head.step(direction).unwrap_or(self.head);
        self.free.remove(self.head);
        self.length += 1;
    }

    fn payoff(&self, _: Player) -> Payoff {
        Payoff(i32::from(self.length))
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        // The length follows from the free cells.
        self.free.hash() ^ coppice::rng::mix(self.head.number().into())
    }

    #[inline(always)]
    fn move_index(m: Move) -> u16 {
        Board::<2>::move_index(m)
    }
}

/// The cells visited, and a bound on those that still can be; ties go to the more compact rest.
#[derive(Debug, Clone, Copy, Default)]
pub struct Room;

/// The worth of a cell: above all ties.
const CELL: i32 = 1024;

impl Evaluation<Alone> for Room {
    #[inline(always)]
    fn evaluate(&self, alone: &Alone) -> Score {
        let cells = i32::from(alone.length) + longest_path(alone.head, &alone.free) as i32;
        Score::estimate(CELL * cells + (alone.free.edges() as i32 / 2).min(CELL - 1))
    }

    #[inline(always)]
    fn ended(&self, alone: &Alone) -> Score {
        Score::estimate(CELL * i32::from(alone.length))
    }
}

impl Planning<Alone> for Room {}

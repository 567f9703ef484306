//! A game whose calls are counted and take time on a virtual clock.

use std::cell::Cell;
use std::time::Duration;

use crate::clock::{now, virtual_time};
use crate::game::{Game, Hidden, Payoff, Player, Reversible};
use crate::joint::{Choices, Estimate, InTurns, Joint};
use crate::list::List;
use crate::rng::{mix, Rng};
use crate::score::Score;
use crate::search::*;
use crate::Evaluation;

/// The functions whose calls are counted. Copying, comparing, and asking who is to move are no calls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Call {
    Moves,
    Play,
    Over,
    Payoff,
    Hash,
    Rank,
    Evaluate,
}

/// Cost of a call: of one function, or of each; and of the others.
pub(super) type Cost = (Option<Call>, Duration, Duration);

thread_local! {
    pub(super) static COST: Cell<Cost> = const { Cell::new((None, Duration::ZERO, Duration::ZERO)) };
    pub(super) static DEADLINE: Cell<Option<std::time::Instant>> = const { Cell::new(None) };
    /// Calls in time; calls and their time after the deadline.
    pub(super) static LATE: Cell<[Option<Call>; 6]> = const { Cell::new([None; 6]) };
    pub(super) static COUNTS: Cell<(u64, u64, Duration)> = const { Cell::new((0, 0, Duration::ZERO)) };
}

pub(super) fn call(which: Call) {
    let (only, dear, cheap) = COST.get();
    let cost = if only.is_none_or(|only| only == which) { dear } else { cheap };
    let (early, late, time) = COUNTS.get();
    let is_late = DEADLINE.get().is_some_and(|deadline| now() >= deadline);
    if is_late && late < 6 {
        let mut all = LATE.get();
        all[late as usize] = Some(which);
        LATE.set(all);
    }
    COUNTS.set(if is_late { (early, late + 1, time + cost) } else { (early + 1, late, time) });
    virtual_time::advance(cost);
}

/// A game of 12 plies with as many moves in each position, for `P` players in turn. One type for any number of moves: each
/// would compile all searches once more.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Counted<const P: usize> {
    pub(super) width: u16,
    pub(super) ply: u8,
    pub(super) state: u64,
}

/// The most moves.
pub(super) const MOST: usize = 10_000;

pub(super) const PLIES: u8 = 12;

impl<const P: usize> Counted<P> {
    pub(super) fn start(width: usize) -> Counted<P> {
        Counted { width: width as u16, ply: 0, state: 1 }
    }

    pub(super) fn outcome(&self, player: Player) -> i32 {
        let sign = (self.state % 3) as i32 - 1;
        if player == Player::FIRST {
            sign
        } else {
            -sign
        }
    }
}

impl<const P: usize> Game for Counted<P> {
    type Move = u16;
    type Moves = List<u16, MOST>;
    const PLAYERS: usize = P;

    fn to_move(&self) -> Player {
        Player::new(self.ply % P as u8)
    }
    fn moves(&self, list: &mut List<u16, MOST>) {
        call(Call::Moves);
        (0..if self.ply < PLIES { self.width } else { 0 }).for_each(|m| list.push(m));
    }
    fn play(&mut self, m: u16) {
        call(Call::Play);
        (self.ply, self.state) = (self.ply + 1, mix(self.state + u64::from(m)));
    }
    fn payoff(&self, player: Player) -> Payoff {
        call(Call::Payoff);
        Payoff(self.outcome(player))
    }
    fn hash(&self) -> u64 {
        call(Call::Hash);
        mix(self.state + u64::from(self.ply))
    }
    fn move_index(m: u16) -> u16 {
        m
    }
    fn is_over(&self) -> bool {
        call(Call::Over);
        self.ply >= PLIES
    }
}

impl Reversible for Counted<2> {
    type Undo = u64;

    fn make(&mut self, m: u16) -> u64 {
        let before = self.state;
        Game::play(self, m);
        before
    }
    fn unmake(&mut self, _: u16, before: u64) {
        call(Call::Play);
        (self.ply, self.state) = (self.ply - 1, before);
    }
}

impl Hidden for Counted<2> {
    type View = (u16, u8);

    fn view(&self, _: Player) -> (u16, u8) {
        (self.width, self.ply)
    }
    fn sample(&(width, ply): &(u16, u8), _: Player, rng: &mut Rng) -> Option<Self> {
        call(Call::Play);
        Some(Counted { width, ply, state: rng.next_u64() % 4 })
    }
}

impl<const P: usize> Joint for Counted<P> {
    type Move = u16;
    type Moves = List<u16, MOST>;
    type Outcome = ();
    const PLAYERS: usize = P;
    const MAX_POINTS: i32 = 1;

    fn moves(&self, player: Player, list: &mut List<u16, MOST>) {
        call(Call::Moves);
        let is_mover = P == 1 || player == Game::to_move(self);
        (0..if self.ply < PLIES && is_mover { self.width } else { 0 }).for_each(|m| list.push(m));
    }
    fn play(&mut self, choices: &Choices<u16>) {
        Game::play(self, choices.of(Game::to_move(self)).expect("a move"));
    }
    fn payoff(&self, player: Player) -> Payoff {
        Game::payoff(self, player)
    }
    fn hash(&self) -> u64 {
        Game::hash(self)
    }
    fn awaits_chance(&self) -> bool {
        false
    }
    fn let_happen(&mut self, _: &mut Rng) {}
    fn is_over(&self) -> bool {
        Game::is_over(self)
    }
}

impl<const P: usize> InTurns for Counted<P> {
    fn to_move(&self) -> Player {
        Game::to_move(self)
    }
}

/// Knows nothing, at some cost.
pub(super) struct Judge;

impl<const P: usize> Evaluation<Counted<P>> for Judge {
    fn evaluate(&self, game: &Counted<P>) -> Score {
        call(Call::Evaluate);
        Score::estimate((game.state % 201) as i32 - 100)
    }
    fn rank(&self, game: &Counted<P>, m: u16) -> i32 {
        call(Call::Rank);
        (mix(game.state ^ u64::from(m)) % 100) as i32
    }
}

impl Planning<Counted<1>> for Judge {}

impl<const P: usize> Estimate<Counted<P>> for Judge {
    fn estimate(&self, game: &Counted<P>, _: Player) -> f64 {
        call(Call::Evaluate);
        (game.state % 3) as f64 / 4.0
    }
    fn rank(&self, game: &Counted<P>, player: Player, m: u16) -> i32 {
        let _ = player;
        Evaluation::rank(self, game, m)
    }
}

impl<const P: usize> Genes<Counted<P>> for Judge {
    fn estimate(&self, game: &Counted<P>, player: Player) -> f64 {
        Estimate::estimate(self, game, player)
    }
}

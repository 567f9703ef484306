//! The referee's side, and the contest made of a game.

use std::fmt;
use std::marker::PhantomData;

use coppice::{Ended, Player};

use super::Turns;
use crate::contest::{Contest, Limits, Setup};
use crate::notation::Notation;
use crate::perft::{GamePerft, Perft};
use crate::referee::{Referee, Seat};
use crate::session::{MakeSearches, Searches};
use crate::two_players::{Protocol, Record, TwoPlayers};

/// The contest of a game with [`Turns`].
pub struct TurnContest<G> {
    searches: Option<MakeSearches<G>>,
    game: PhantomData<fn() -> G>,
}

impl<G: Turns> TurnContest<G> {
    /// The contest without searches: for games between processes.
    pub const fn new() -> TurnContest<G> {
        TurnContest { searches: None, game: PhantomData }
    }

    /// The same, with [`Contest::searches`]: see [`searches`](super::searches).
    pub const fn with_searches(self, searches: MakeSearches<G>) -> TurnContest<G> {
        TurnContest { searches: Some(searches), ..self }
    }
}

impl<G: Turns> Default for TurnContest<G> {
    fn default() -> TurnContest<G> {
        TurnContest::new()
    }
}

impl<G: Turns> fmt::Debug for TurnContest<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TurnContest").field(&G::NAME).finish()
    }
}

impl<G: Turns + Notation> Contest for TurnContest<G> {
    fn name(&self) -> &str {
        G::NAME
    }

    fn seats(&self) -> usize {
        2
    }

    fn limits(&self) -> Limits {
        Limits { first: G::FIRST, later: G::LATER }
    }

    fn new_game(&self, setup: Setup) -> Box<dyn Referee> {
        Box::new(TurnGame::<G>::new(G::start(), TurnProtocol, setup))
    }

    fn opening_plies(&self) -> u32 {
        G::OPENING_PLIES
    }

    fn perft(&self) -> Option<Box<dyn Perft + '_>> {
        Some(Box::new(GamePerft { start: G::start(), ended: Ended::Dropped }))
    }

    fn searches(&self) -> Option<Box<dyn Searches>> {
        self.searches.map(|searches| searches(&G::start()))
    }
}

/// A game in progress.
pub type TurnGame<G> = TwoPlayers<G, TurnProtocol>;

/// The referee's side of [`Turns`].
#[derive(Debug, Clone, Copy)]
pub struct TurnProtocol;

impl<G: Turns + Notation> Protocol<G> for TurnProtocol {
    fn init(&self, _record: &Record<G>, seat: Seat) -> String {
        G::start().write_init(Player::new(seat as u8))
    }

    fn turn(&self, record: &Record<G>, seat: Seat) -> String {
        let own = record.moves.iter().rposition(|made| made.is_answer && made.seat == seat);
        let since = &record.moves[own.map_or(0, |own| own + 1)..];
        record.game.write_turn(&since.iter().map(|made| made.played).collect::<Vec<_>>())
    }

    fn reads_as_platform(&self) -> bool {
        true
    }

    fn read(&self, game: &G, answer: &str) -> Result<G::Move, String> {
        game.read_answer(answer).ok_or_else(|| G::ANSWER.to_owned())
    }

    fn write(&self, game: &G, m: G::Move) -> String {
        game.write_answer(m)
    }
}

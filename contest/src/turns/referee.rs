//! The referee's side, and the contest made of a game.

use std::fmt;
use std::marker::PhantomData;

use coppice::{Ended, Player, Rng};

use super::Turns;
use crate::contest::{Contest, Limits, Setup};
use crate::notation::{Notation, Unreadable};
use crate::perft::{GamePerft, Perft};
use crate::referee::{Fault, Referee, Seat};
use crate::sequential::{Protocol, Record, Sequential};
use crate::session::{MakeSearches, Searches};

/// The variants of a contest.
#[derive(Debug, Clone, Copy)]
pub struct Variants {
    /// See [`Contest::variants`].
    pub words: &'static str,
    /// See [`Contest::variant`].
    pub of_words: fn(&str) -> Result<Box<dyn Contest>, Unreadable>,
    /// See [`Contest::recorded`].
    pub of_lines: fn(&[&str]) -> Option<Box<dyn Contest>>,
}

/// The contest of a game with [`Turns`].
pub struct TurnContest<G> {
    variants: Option<Variants>,
    searches: Option<MakeSearches<G>>,
    game: PhantomData<fn() -> G>,
}

impl<G: Turns> TurnContest<G> {
    /// The contest without searches: for games between processes.
    pub const fn new() -> TurnContest<G> {
        TurnContest { variants: None, searches: None, game: PhantomData }
    }

    /// The same, with [`Contest::searches`]: see [`searches`](super::searches).
    pub const fn with_searches(self, searches: MakeSearches<G>) -> TurnContest<G> {
        TurnContest { searches: Some(searches), ..self }
    }

    /// The same, with variants, each a contest of its own.
    pub const fn with_variants(self, variants: Variants) -> TurnContest<G> {
        TurnContest { variants: Some(variants), ..self }
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
        G::PLAYERS
    }

    fn limits(&self) -> Limits {
        G::CLOCK.into()
    }

    fn new_game(&self, setup: Setup) -> Box<dyn Referee> {
        Box::new(TurnGame::<G>::new(G::start(), TurnProtocol, setup))
    }

    fn opening_plies(&self) -> u32 {
        G::OPENING_PLIES
    }

    fn variants(&self) -> Option<&'static str> {
        self.variants.map(|variants| variants.words)
    }

    fn variant(&self, words: &str) -> Result<Box<dyn Contest>, Unreadable> {
        match self.variants {
            Some(variants) => (variants.of_words)(words),
            None => Err(format!("{} has no variants", G::NAME).into()),
        }
    }

    fn recorded(&self, dialogues: &[Vec<&str>]) -> Option<Box<dyn Contest>> {
        (self.variants?.of_lines)(dialogues.first()?)
    }

    fn perft(&self) -> Option<Box<dyn Perft + '_>> {
        Some(Box::new(GamePerft { start: G::start(), ended: Ended::Dropped }))
    }

    fn searches(&self) -> Option<Box<dyn Searches>> {
        self.searches.map(|searches| searches(&G::start()))
    }
}

/// A game in progress.
pub type TurnGame<G> = Sequential<G, TurnProtocol>;

/// The referee's side of [`Turns`].
#[derive(Debug, Clone, Copy)]
pub struct TurnProtocol;

impl<G: Turns + Notation> Protocol<G> for TurnProtocol {
    const MAX_OPENING_PLIES: u32 = G::MAX_OPENING_PLIES;

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

    fn opening_move(&self, game: &G, rng: &mut Rng) -> Option<G::Move> {
        game.opening_move(rng)
    }

    fn forfeit(&self, game: &G) -> Option<G::Move> {
        game.forfeit()
    }

    fn read(&self, game: &G, answer: &str) -> Result<G::Move, Fault> {
        game.read_answer(answer).ok_or_else(|| G::ANSWER.into())
    }

    fn write(&self, game: &G, m: G::Move) -> String {
        game.write_answer(m)
    }
}

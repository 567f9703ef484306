//! The contest made of a game, and the referee's side of its protocol.

use std::fmt;
use std::marker::PhantomData;

use coppice::{Ended, Player, Rng};

use super::LineGame;
use crate::contest::{Contest, Limits, Setup};
use crate::history::{player, History};
use crate::kind::Kind;
use crate::notation::{Move, Notation, Turn, Unreadable};
use crate::perft::{GamePerft, Perft};
use crate::protocol::{GameReferee, Protocol};
use crate::referee::{Fault, Referee, Seat};
use crate::session::Searches;

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

/// The contest of a [`LineGame`].
pub struct LineContest<G> {
    variants: Option<Variants>,
    searches: Option<fn() -> Box<dyn Searches>>,
    game: PhantomData<fn() -> G>,
}

impl<G> LineContest<G> {
    /// The contest without searches: for games between processes.
    pub const fn new() -> LineContest<G> {
        LineContest { variants: None, searches: None, game: PhantomData }
    }

    /// Adds [`Contest::searches`]: see [`searches`](super::searches). A function pointer, so that programs without searches
    /// don't compile them.
    pub const fn with_searches(self, searches: fn() -> Box<dyn Searches>) -> LineContest<G> {
        LineContest { searches: Some(searches), ..self }
    }

    /// Adds variants, each a contest of its own.
    pub const fn with_variants(self, variants: Variants) -> LineContest<G> {
        LineContest { variants: Some(variants), ..self }
    }
}

impl<G> Default for LineContest<G> {
    fn default() -> LineContest<G> {
        LineContest::new()
    }
}

impl<G: Notation + LineGame<Move<G>, Turn<G>>> fmt::Debug for LineContest<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LineContest").field(&G::NAME).finish()
    }
}

impl<G: Notation + LineGame<Move<G>, Turn<G>>> Contest for LineContest<G> {
    fn name(&self) -> &str {
        G::NAME
    }

    fn seats(&self) -> usize {
        G::Kind::PLAYERS
    }

    fn limits(&self) -> Limits {
        G::CLOCK.into()
    }

    fn new_game(&self, setup: Setup) -> Box<dyn Referee> {
        Box::new(LineReferee::<G>::new(G::start(setup.seed), LineProtocol, setup))
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

    /// From the start of seed 0.
    fn perft(&self) -> Option<Box<dyn Perft + '_>> {
        Some(Box::new(GamePerft { start: G::start(0), ended: Ended::Dropped }))
    }

    fn searches(&self) -> Option<Box<dyn Searches>> {
        self.searches.map(|searches| searches())
    }
}

/// A game in progress.
pub type LineReferee<G> = GameReferee<G, LineProtocol>;

/// The referee's side of a [`LineGame`].
#[derive(Debug, Clone, Copy)]
pub struct LineProtocol;

impl<G: Notation + LineGame<Move<G>, Turn<G>>> Protocol<G> for LineProtocol {
    const MAX_OPENING_PLIES: u32 = G::MAX_OPENING_PLIES;

    fn init(&self, history: &History<G>, seat: Seat) -> String {
        history.start().write_init(player(seat))
    }

    fn turn(&self, history: &History<G>, seat: Seat) -> String {
        history.game().write_turn(player(seat), &history.news(seat))
    }

    fn reads_as_platform(&self) -> bool {
        true
    }

    fn opening_move(&self, game: &G, player: Player, rng: &mut Rng) -> Option<Move<G>> {
        game.opening_move(player, rng).or_else(|| G::Kind::random_move(game, player, rng))
    }

    fn substitute(&self, game: &G, player: Player) -> Option<Move<G>> {
        game.forfeit(player)
    }

    fn read(&self, game: &G, player: Player, answer: &str) -> Result<Move<G>, Fault> {
        game.read_answer(player, answer).ok_or_else(|| G::ANSWER.into())
    }

    fn write(&self, game: &G, player: Player, m: Move<G>) -> String {
        game.write_answer(player, m)
    }
}

//! The contest made of a game with [`JointTurns`], and the referee's side of its protocol.

use std::fmt;
use std::marker::PhantomData;

use coppice::Player;

use super::{JointNotation, JointPerft, JointPlayers, JointProtocol, JointTurns, MakeJointSearches, Table};
use crate::contest::{Contest, Limits, Setup};
use crate::perft::Perft;
use crate::referee::{Fault, Referee, Seat};
use crate::session::Searches;

/// The contest of a game with [`JointTurns`].
pub struct JointContest<G: JointTurns> {
    searches: Option<MakeJointSearches<G>>,
    game: PhantomData<fn() -> G>,
}

impl<G: JointTurns> JointContest<G> {
    /// The contest without searches: for games between processes.
    pub const fn new() -> JointContest<G> {
        JointContest { searches: None, game: PhantomData }
    }

    /// The same, with [`Contest::searches`]: see [`searches`](super::searches).
    pub const fn with_searches(self, searches: MakeJointSearches<G>) -> JointContest<G> {
        JointContest { searches: Some(searches), ..self }
    }
}

impl<G: JointTurns> Default for JointContest<G> {
    fn default() -> JointContest<G> {
        JointContest::new()
    }
}

impl<G: JointTurns> fmt::Debug for JointContest<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("JointContest").field(&G::NAME).finish()
    }
}

impl<G: JointTurns + JointNotation> Contest for JointContest<G> {
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
        Box::new(JointPlayers::new(G::start(setup.seed), JointTurnProtocol, setup))
    }

    fn opening_plies(&self) -> u32 {
        G::OPENING_TURNS
    }

    /// From the start of seed 0.
    fn perft(&self) -> Option<Box<dyn Perft + '_>> {
        Some(Box::new(JointPerft { start: G::start(0) }))
    }

    fn searches(&self) -> Option<Box<dyn Searches>> {
        self.searches.map(|searches| searches(G::start))
    }
}

/// The referee's side of [`JointTurns`].
#[derive(Debug, Clone, Copy)]
pub struct JointTurnProtocol;

impl<G: JointTurns + JointNotation> JointProtocol<G> for JointTurnProtocol {
    fn init(&self, table: &Table<G>, seat: Seat) -> String {
        table.start().write_init(Player::new(seat as u8))
    }

    fn turn(&self, table: &Table<G>, seat: Seat) -> String {
        let player = Player::new(seat as u8);
        let is_own =
            |turn: usize| turn >= table.opening() && table.turns()[turn].choices.of(player).is_some();
        let own = (0..table.turns().len()).rev().find(|&turn| is_own(turn));
        let news: Vec<_> = table.turns()[own.unwrap_or(0)..].iter().map(|turn| turn.choices).collect();
        table.game().write_turn(player, &news)
    }

    fn read(&self, game: &G, player: Player, answer: &str) -> Result<G::Move, Fault> {
        game.read_answer(player, answer).ok_or_else(|| G::ANSWER.into())
    }

    fn write(&self, game: &G, player: Player, m: G::Move) -> String {
        game.write_answer(player, m)
    }

    fn reads_as_platform(&self) -> bool {
        true
    }
}

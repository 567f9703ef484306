//! Referees games on a grid.

use std::fmt;

use contest::history::History;
use contest::notation::{listed, GameNotation};
use contest::perft::{GamePerft, Perft};
use contest::protocol::{GameReferee, Protocol};
use contest::session::{MakeSearches, Searches};
use contest::{BenchResult, Contest, Fault, Limits, Referee, Seat, Setup};
use coppice::{Ended, Player};

use super::player::CLOCK;
use super::protocol::{self, write_answer};
use super::Grid;

/// A contest on a grid: 1000 ms for the first answer, then 100 ms.
pub struct GridContest<G> {
    bench: fn() -> Vec<BenchResult>,
    searches: Option<MakeSearches<G>>,
}

impl<G> GridContest<G> {
    /// The contest whose searches do what `bench` says.
    pub const fn new(bench: fn() -> Vec<BenchResult>) -> GridContest<G> {
        GridContest { bench, searches: None }
    }

    /// Adds searches for games from a start.
    pub const fn with_searches(self, searches: MakeSearches<G>) -> GridContest<G> {
        GridContest { bench: self.bench, searches: Some(searches) }
    }
}

impl<G: Grid> fmt::Debug for GridContest<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GridContest").field(&G::NAME).finish()
    }
}

impl<G: Grid + GameNotation> Contest for GridContest<G> {
    fn name(&self) -> &str {
        G::NAME
    }

    fn seats(&self) -> usize {
        2
    }

    fn limits(&self) -> Limits {
        CLOCK.into()
    }

    fn new_game(&self, setup: Setup) -> Box<dyn Referee> {
        Box::new(game::<G>(setup.seed, setup.opening_plies))
    }

    fn perft(&self) -> Option<Box<dyn Perft + '_>> {
        Some(Box::new(GamePerft { start: G::START, ended: Ended::Dropped }))
    }

    fn bench(&self) -> Vec<BenchResult> {
        (self.bench)()
    }

    fn searches(&self) -> Option<Box<dyn Searches>> {
        self.searches.map(|searches| searches(&G::START))
    }
}

/// A game on a grid.
pub type GridGame<G> = GameReferee<G, GridProtocol>;

/// A game after random plies.
pub fn game<G: Grid + GameNotation>(seed: u64, opening_plies: u32) -> GridGame<G> {
    GameReferee::new(G::START, GridProtocol, Setup { seed, opening_plies, limits: CLOCK.into() })
}

/// The referee's side of the protocol.
#[derive(Debug, Clone, Copy)]
pub struct GridProtocol;

impl<G: Grid + GameNotation> Protocol<G> for GridProtocol {
    /// Half the grid's cells.
    const MAX_OPENING_PLIES: u32 = G::SIZE as u32 * G::SIZE as u32 / 2;

    /// The opening, for arenas that play one: the player to move is told its last move by the turn.
    fn init(&self, history: &History<G>, seat: Seat) -> String {
        let in_turn = usize::from(seat == history.opener());
        let moves: Vec<G::Move> = history.moves().map(|made| made.played).collect();
        protocol::write_opening::<G>(&moves[..history.opening().saturating_sub(in_turn)])
    }

    fn reads_as_platform(&self) -> bool {
        true
    }

    fn turn(&self, history: &History<G>, _seat: Seat) -> String {
        let last = history.moves().next_back().map(|made| made.played);
        protocol::write_turn::<G>(last, &listed(history.game()))
    }

    fn read(&self, _game: &G, _: Player, answer: &str) -> Result<G::Move, Fault> {
        protocol::read_answer::<G>(answer).ok_or_else(|| protocol::ANSWER_FORM.into())
    }

    fn write(&self, _game: &G, _: Player, m: G::Move) -> String {
        write_answer::<G>(m)
    }

    fn unordered_lines(&self, history: &History<G>, _seat: Seat) -> usize {
        history.game().count_moves()
    }

    fn answer_of(&self, _history: &History<G>, _seat: Seat, text: &str) -> String {
        text.replace(',', " ")
    }
}

//! Referees games of Othello.

use std::borrow::Cow;
use std::fmt;

use contest::drawing::Drawing;
use contest::history::{History, RecordedMove};
use contest::notation::{listed, names, placed, Notation, Unreadable};
use contest::perft::{GamePerft, Perft};
use contest::protocol::{GameReferee, Protocol};
use contest::quantity::Quantity;
use contest::session::{MakeSearches, Searches};
use contest::sheet::Layout;
use contest::{BenchResult, Contest, Fault, Limits, Referee, Seat, Sequential, Setup};
use coppice::{Ended, Game, Player};

use super::bench::bench;
use super::{drawing, text};
use crate::reversi::board::{mobility, Board};
use crate::reversi::cell::Cell;
use crate::reversi::player::CLOCK;
use crate::reversi::protocol;

/// Othello on the platform: 2000 ms for the first answer, then 150 ms.
pub struct Reversi {
    name: Cow<'static, str>,
    start: Board,
    searches: Option<MakeSearches<Board>>,
}

/// The contest.
pub static REVERSI: Reversi = Reversi::new(None);

impl Reversi {
    const fn new(searches: Option<MakeSearches<Board>>) -> Reversi {
        Reversi { name: Cow::Borrowed("reversi"), start: Board::START, searches }
    }

    /// The contest with searches for games from a start.
    pub const fn with_searches(searches: MakeSearches<Board>) -> Reversi {
        Reversi::new(Some(searches))
    }
}

impl Notation for Board {
    type Kind = Sequential;

    fn name(&self, _: Player, cell: Cell) -> String {
        cell.to_string()
    }

    fn read_position(&self, text: &str) -> Result<Board, Unreadable> {
        text.parse()
    }

    fn position(&self) -> Option<String> {
        Some(text::write(self))
    }

    fn draw(&self, last: Option<Cell>) -> Drawing {
        drawing::draw(self, last)
    }

    fn quantities(&self) -> Vec<Quantity> {
        let both = [Player::FIRST, Player::SECOND];
        let moves = |player: Player| mobility(self.discs(player), self.discs(player.other())).count_ones();
        vec![
            Quantity::new("discs", both.map(|player| self.discs(player).count_ones())),
            Quantity::new("mobility", both.map(moves)),
        ]
    }

    fn layout(&self) -> Layout {
        Layout::with_names(8, 8, 1)
    }
}

impl fmt::Debug for Reversi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reversi").field(&self.name).finish()
    }
}

impl Contest for Reversi {
    fn name(&self) -> &str {
        &self.name
    }

    fn seats(&self) -> usize {
        2
    }

    fn limits(&self) -> Limits {
        CLOCK.into()
    }

    fn new_game(&self, setup: Setup) -> Box<dyn Referee> {
        Box::new(GameReferee::new(self.start, ReversiProtocol::default(), setup))
    }

    fn at_position(&self, text: &str) -> Result<Box<dyn Contest>, Unreadable> {
        let (name, start) = placed(&self.name, &self.start, text)?;
        Ok(Box::new(Reversi { name: name.into(), start, searches: self.searches }))
    }

    fn opening_plies(&self) -> u32 {
        8
    }

    fn perft(&self) -> Option<Box<dyn Perft + '_>> {
        Some(Box::new(GamePerft { start: self.start, ended: Ended::Counted }))
    }

    fn bench(&self) -> Vec<BenchResult> {
        bench()
    }

    fn searches(&self) -> Option<Box<dyn Searches>> {
        self.searches.map(|searches| searches(&self.start))
    }
}

/// One game, passes made by the referee.
pub type ReversiGame = GameReferee<Board, ReversiProtocol>;

/// A game after `opening_plies` random plies. An opening that would end the game, or wouldn't leave both players a
/// disc, is drawn again.
pub fn game(seed: u64, opening_plies: u32) -> ReversiGame {
    let setup = Setup { seed, opening_plies, limits: CLOCK.into() };
    GameReferee::new(Board::START, ReversiProtocol::default(), setup)
}

/// The referee's side of the protocol.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReversiProtocol {
    /// By seat: whether it asked for the history.
    expert: [bool; 2],
}

/// The other's moves since a seat's last turn. One who passed wasn't asked: what it missed is told at its next turn.
fn missed(history: &History<Board>, seat: Seat) -> String {
    let is_own = |made: &&RecordedMove<Cell>| made.seat == seat && made.played != Cell::PASS;
    let since: Vec<_> = history.moves().rev().take_while(|made| !is_own(made)).collect();
    since.iter().rev().filter(|made| made.seat != seat).map(|made| made.name.clone() + ";").collect()
}

impl Protocol<Board> for ReversiProtocol {
    const MAX_OPENING_PLIES: u32 = 50;

    fn init(&self, _history: &History<Board>, seat: Seat) -> String {
        protocol::write_init(Player::new(seat as u8))
    }

    fn reads_as_platform(&self) -> bool {
        true
    }

    fn turn(&self, history: &History<Board>, seat: Seat) -> String {
        let missed = self.expert[seat].then(|| missed(history, seat));
        protocol::write_turn(history.game(), missed.as_deref(), &listed(history.game()))
    }

    fn read(&self, _board: &Board, _: Player, answer: &str) -> Result<Cell, Fault> {
        let read = protocol::read_answer(answer);
        read.map(|answer| answer.cell).ok_or_else(|| protocol::ANSWER_FORM.into())
    }

    fn write(&self, _board: &Board, _: Player, cell: Cell) -> String {
        cell.to_string()
    }

    fn unordered_lines(&self, history: &History<Board>, _seat: Seat) -> usize {
        history.game().count_moves()
    }

    fn expected(&self, board: &Board, player: Player) -> String {
        format!("one of {}", names(board, player).join(" "))
    }

    fn forced(&self, board: &Board, _: Player) -> Option<Cell> {
        (!board.is_over() && board.mobility() == 0).then_some(Cell::PASS)
    }

    fn answered(&mut self, _history: &History<Board>, seat: Seat, answer: &str) {
        self.expert[seat] |= protocol::read_answer(answer).is_some_and(|answer| answer.expert);
    }
}

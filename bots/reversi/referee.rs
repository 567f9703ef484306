//! Referees games of Othello.

#[cfg(feature = "serve")]
use std::io::{BufRead, Write};

#[cfg(feature = "serve")]
use coppice::input::InputError;
use coppice::rng::split_mix;
use coppice::{perft, Ended, Game, Player, Rng};

use super::behaviour;
use super::board::Board;
use super::cell::Cell;
#[cfg(feature = "serve")]
use super::player;
use super::player::{FIRST, LATER};
use super::protocol::{self, Answer};
use super::told::offers;
#[cfg(feature = "serve")]
use crate::attend::Attendance;
use crate::contest::{Behaviour, Contest, Fault, FaultKind, Limits, Referee, Seat, Setup};
use crate::notation::{listed, names, read, Notation};
use crate::session::{open, Offer, SearchInfo, Session, SessionSettings};

/// Othello on the platform: 2000 ms for the first answer, then 150 ms.
#[derive(Debug)]
pub struct Reversi;

impl Contest for Reversi {
    fn name(&self) -> &str {
        "reversi"
    }

    fn seats(&self) -> usize {
        2
    }

    fn limits(&self) -> Limits {
        Limits { first: FIRST, later: LATER }
    }

    fn opening_plies(&self) -> u32 {
        8
    }

    fn new_game(&self, setup: Setup) -> Box<dyn Referee> {
        Box::new(ReversiGame::new(setup.seed, setup.opening_plies))
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&Board::START, depth, Ended::Counted)
    }

    fn perft_divide(&self, depth: u32) -> Vec<(String, u64)> {
        let list = listed(&Board::START);
        let below = depth.saturating_sub(1);
        list.iter()
            .map(|&cell| (cell.to_string(), perft(&Board::START.after(cell), below, Ended::Counted)))
            .collect()
    }

    fn behaviour(&self) -> Vec<Behaviour> {
        behaviour::behaviour()
    }

    fn searches(&self) -> Vec<SearchInfo> {
        offers().iter().map(Offer::info).collect()
    }

    fn session(&self, search: &str, settings: &SessionSettings) -> Result<Box<dyn Session>, String> {
        open(offers(), &Board::START, search, settings)
    }

    #[cfg(feature = "serve")]
    fn attend(
        &self,
        search: &str,
        attendance: &Attendance,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> Result<(), InputError> {
        let guest = attendance.guest(&offers(), &Board::START, search)?;
        player::attend(input, output, &attendance.settings(), |_| guest)
    }
}

/// One game. The referee makes the passes.
#[derive(Debug, Clone)]
pub struct ReversiGame {
    board: Board,
    over: bool,
    forfeited: Option<Seat>,
    moves: Vec<Cell>,
    /// By seat: whether the player asked for the history, and the opponent's moves since its last turn.
    expert: [bool; 2],
    since: [String; 2],
}

impl ReversiGame {
    /// A game after `opening_plies` random plies. An opening that ends the game is drawn again.
    pub fn new(seed: u64, opening_plies: u32) -> ReversiGame {
        let mut seed = seed;
        loop {
            let mut game = ReversiGame {
                board: Board::START,
                over: false,
                forfeited: None,
                moves: Vec::new(),
                expert: [false; 2],
                since: Default::default(),
            };
            let mut rng = Rng::new(split_mix(&mut seed));
            for _ in 0..opening_plies.min(50) {
                match game.board.random_move(&mut rng) {
                    Some(cell) => game.play(cell),
                    None => break,
                }
            }
            if !game.over {
                return game;
            }
        }
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Makes a legal move, and any passes that follow from it.
    pub fn play(&mut self, cell: Cell) {
        self.push(cell);
        self.over = self.board.is_over();
        if !self.over && self.board.mobility() == 0 {
            self.push(Cell::PASS);
        }
    }

    fn push(&mut self, cell: Cell) {
        let mover = self.board.to_move();
        // A player who passes wasn't asked: keep the missed moves for its next turn.
        if cell != Cell::PASS {
            self.since[mover.index()].clear();
        }
        let other = &mut self.since[mover.other().index()];
        other.push_str(&cell.to_string());
        other.push(';');
        self.moves.push(cell);
        self.board.play(cell);
    }

    fn judge(&self, seat: Seat, line: &str) -> Result<Answer, Fault> {
        let Some(answer) = protocol::read_answer(line) else {
            return Err(Fault { kind: FaultKind::Protocol, expected: protocol::ANSWER_FORM.into() });
        };
        if seat != self.mover() || self.board.mobility() & answer.cell.board() == 0 {
            let expected = format!("one of {}", names(&self.board).join(" "));
            return Err(Fault { kind: FaultKind::Illegal, expected });
        }
        Ok(answer)
    }

    fn mover(&self) -> Seat {
        self.board.to_move().index()
    }
}

impl Referee for ReversiGame {
    fn init(&self, seat: Seat) -> String {
        protocol::write_init(Player::new(seat as u8))
    }

    fn asked(&self) -> Vec<Seat> {
        if self.over || self.forfeited.is_some() {
            return Vec::new();
        }
        vec![self.mover()]
    }

    fn turn(&self, seat: Seat) -> String {
        let history = self.expert[seat].then_some(self.since[seat].as_str());
        protocol::write_turn(&self.board, history, &listed(&self.board))
    }

    fn unordered_lines(&self, _seat: Seat) -> usize {
        self.board.count_moves()
    }

    fn answer(&mut self, seat: Seat, line: &str) -> Result<(), Fault> {
        let answer = self.judge(seat, line)?;
        self.expert[seat] |= answer.expert;
        self.play(answer.cell);
        Ok(())
    }

    fn move_of(&self, seat: Seat, line: &str) -> Result<String, Fault> {
        self.judge(seat, line).map(|answer| answer.cell.to_string())
    }

    fn open(&mut self, text: &str) -> Result<(), String> {
        self.play(read(&self.board, text)?);
        Ok(())
    }

    fn forfeit(&mut self, seat: Seat) {
        self.forfeited.get_or_insert(seat);
    }

    fn scores(&self) -> Vec<i64> {
        let points = |seat: Seat| match self.forfeited {
            Some(loser) => i64::from(seat != loser),
            None => self.board.points(Player::new(seat as u8)),
        };
        vec![points(0), points(1)]
    }

    fn moves(&self) -> String {
        self.moves.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ")
    }

    fn show(&self) -> String {
        self.board.to_string()
    }

    fn legal_moves(&self, _seat: Seat) -> Vec<String> {
        names(&self.board)
    }
}

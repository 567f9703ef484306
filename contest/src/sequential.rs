//! A referee for all games in which one of several players moves at a time.
//!
//! A [`Protocol`] writes the lines of a turn and parses answers; the game defines legal moves, the end of the
//! game and the points of each player.

use coppice::rng::split_mix;
use coppice::{Player, Rng};

use crate::contest::Setup;
use crate::drawing::{Drawing, Shape};
use crate::notation::{self, listed, one_of, Notation};
use crate::referee::{Fault, FaultKind, IllegalMove, Referee, Seat};

/// The referee's side of a protocol in which one player moves at a time.
pub trait Protocol<G: Notation> {
    /// Maximum number of random plies in an opening.
    const MAX_OPENING_PLIES: u32 = u32::MAX;

    /// See [`Referee::init`].
    fn init(&self, _record: &Record<G>, _seat: Seat) -> String {
        String::new()
    }

    /// See [`Referee::turn`].
    fn turn(&self, record: &Record<G>, seat: Seat) -> String;

    /// Parses the move of an answer, which need not be legal.
    ///
    /// # Errors
    /// If the answer is malformed: `Err("a column, 0 to 6".into())` describes a valid answer.
    fn read(&self, game: &G, answer: &str) -> Result<G::Move, Fault>;

    /// Writes a legal move in the protocol's notation.
    fn write(&self, game: &G, m: G::Move) -> String;

    /// See [`Referee::unordered_lines`].
    fn unordered_lines(&self, _record: &Record<G>) -> usize {
        0
    }

    /// See [`Referee::answer_lines`].
    fn answer_lines(&self, _record: &Record<G>, _seat: Seat) -> usize {
        1
    }

    /// See [`Referee::reads_as_platform`].
    fn reads_as_platform(&self) -> bool {
        false
    }

    /// Whether a bot may add `line` to the answer that led to this position.
    fn may_follow(&self, _after: &G, _line: &str) -> bool {
        false
    }

    /// See [`Referee::show_to`].
    fn show_to(&self, _game: &G, _seat: Seat) -> Option<String> {
        None
    }

    /// See [`Referee::answer_of`].
    fn answer_of(&self, record: &Record<G>, _seat: Seat, text: &str) -> String {
        self.write_named(record, text)
    }

    /// Translates a move written as in [`Referee::moves`] to the protocol's notation. Returns an illegal move
    /// unchanged; as an answer it is then rejected.
    fn write_named(&self, record: &Record<G>, text: &str) -> String {
        match notation::read(&record.game, text) {
            Ok(m) => self.write(&record.game, m),
            Err(_) => text.to_owned(),
        }
    }

    /// The legal moves in the protocol's notation, for error messages.
    fn expected(&self, game: &G) -> String {
        let names: Vec<String> = listed(game).iter().map(|&m| self.write(game, m)).collect();
        one_of(&names)
    }

    /// The next random ply of an opening; `None` if there can't be another.
    fn opening_move(&self, game: &G, rng: &mut Rng) -> Option<G::Move> {
        game.random_move(rng)
    }

    /// The move that the referee makes for the player to move when it forfeits, such as one that puts it out of the
    /// game; the others play on. `None`: the game ends, and all but that player win.
    fn forfeit(&self, _game: &G) -> Option<G::Move> {
        None
    }

    /// A move that the referee plays without asking the bot, such as a pass.
    fn forced(&self, _game: &G) -> Option<G::Move> {
        None
    }

    /// Called after a seat's answer has been accepted and its move played.
    fn answered(&mut self, _record: &Record<G>, _seat: Seat, _answer: &str) {}
}

/// The game so far.
#[derive(Debug, Clone)]
pub struct Record<G: Notation> {
    /// The position.
    pub game: G,
    /// The moves so far, including the opening and forced moves.
    pub moves: Vec<RecordedMove<G::Move>>,
    /// Number of opening moves at the start of `moves`.
    pub opening: usize,
    /// The seat with the first turn.
    pub opener: Seat,
}

/// A move of a game.
#[derive(Debug, Clone)]
pub struct RecordedMove<M> {
    /// The move.
    pub played: M,
    /// The seat that made it.
    pub seat: Seat,
    /// Whether it was a bot's answer, not an opening move or a forced one.
    pub is_answer: bool,
    /// The move as written in [`Referee::moves`].
    pub name: String,
    /// The move in the protocol's notation.
    pub written: String,
}

impl<G: Notation> Record<G> {
    fn new(game: G) -> Record<G> {
        let opener = game.to_move().index();
        Record { game, moves: Vec::new(), opening: 0, opener }
    }

    /// The seat to move.
    pub fn mover(&self) -> Seat {
        self.game.to_move().index()
    }

    fn play(&mut self, m: G::Move, is_answer: bool, protocol: &impl Protocol<G>) {
        self.push(m, is_answer, protocol);
        while let Some(forced) = protocol.forced(&self.game) {
            self.push(forced, false, protocol);
        }
    }

    fn push(&mut self, m: G::Move, is_answer: bool, protocol: &impl Protocol<G>) {
        let (name, written) = (self.game.name(m), protocol.write(&self.game, m));
        self.moves.push(RecordedMove { played: m, seat: self.mover(), is_answer, name, written });
        self.game.play(m);
    }

    /// Marks the end of the opening.
    fn begin(&mut self) {
        (self.opening, self.opener) = (self.moves.len(), self.mover());
    }
}

/// A game in progress.
#[derive(Debug, Clone)]
pub struct Sequential<G: Notation, P> {
    record: Record<G>,
    protocol: P,
    forfeited: Option<Seat>,
}

impl<G: Notation, P: Protocol<G>> Sequential<G, P> {
    /// Starts a game from `start` after random plies. An opening that ends the game is drawn again, with one
    /// ply less after every 100 attempts.
    pub fn new(start: G, protocol: P, setup: Setup) -> Sequential<G, P> {
        let mut seed = setup.seed;
        let mut plies = setup.opening_plies.min(P::MAX_OPENING_PLIES);
        for attempt in 1.. {
            let mut record = Record::new(start.clone());
            let mut rng = Rng::new(split_mix(&mut seed));
            for _ in 0..plies {
                if let Some(m) = protocol.opening_move(&record.game, &mut rng) {
                    record.play(m, false, &protocol);
                }
            }
            if !record.game.is_over() || plies == 0 {
                record.begin();
                return Sequential { record, protocol, forfeited: None };
            }
            plies -= u32::from(attempt % 100 == 0);
        }
        unreachable!("an opening of zero plies is always accepted")
    }

    /// The position.
    pub fn game(&self) -> &G {
        &self.record.game
    }

    fn judge(&self, seat: Seat, answer: &str) -> Result<G::Move, Fault> {
        let game = &self.record.game;
        let m = self.protocol.read(game, answer)?;
        if seat != self.record.mover() || !notation::is_legal(game, m) {
            return Err(Fault { kind: FaultKind::Illegal, expected: self.protocol.expected(game) });
        }
        Ok(m)
    }
}

impl<G: Notation, P: Protocol<G>> Referee for Sequential<G, P> {
    fn init(&self, seat: Seat) -> String {
        self.protocol.init(&self.record, seat)
    }

    fn asked(&self) -> Vec<Seat> {
        if self.record.game.is_over() || self.forfeited.is_some() {
            return Vec::new();
        }
        vec![self.record.mover()]
    }

    fn turn(&self, seat: Seat) -> String {
        self.protocol.turn(&self.record, seat)
    }

    fn unordered_lines(&self, _seat: Seat) -> usize {
        self.protocol.unordered_lines(&self.record)
    }

    fn answer_lines(&self, seat: Seat) -> usize {
        self.protocol.answer_lines(&self.record, seat)
    }

    fn reads_as_platform(&self) -> bool {
        self.protocol.reads_as_platform()
    }

    fn may_follow(&self, seat: Seat, answer: &str, line: &str) -> bool {
        let made = self.judge(seat, answer);
        made.is_ok_and(|m| self.protocol.may_follow(&self.record.game.after(m), line))
    }

    fn answer(&mut self, seat: Seat, answer: &str) -> Result<(), Fault> {
        let m = self.judge(seat, answer)?;
        self.record.play(m, true, &self.protocol);
        self.protocol.answered(&self.record, seat, answer);
        Ok(())
    }

    fn move_of(&self, seat: Seat, answer: &str) -> Result<String, Fault> {
        self.judge(seat, answer).map(|m| self.record.game.name(m))
    }

    fn open(&mut self, text: &str) -> Result<(), IllegalMove> {
        let m = notation::read(&self.record.game, text)?;
        self.record.play(m, false, &self.protocol);
        self.record.begin();
        Ok(())
    }

    fn forfeit(&mut self, seat: Seat) {
        let is_mover = self.asked().contains(&seat);
        match self.protocol.forfeit(&self.record.game).filter(|_| is_mover) {
            Some(m) => self.record.play(m, false, &self.protocol),
            None => drop(self.forfeited.get_or_insert(seat)),
        }
    }

    fn scores(&self) -> Vec<i64> {
        let points = |seat: Seat| match self.forfeited {
            Some(loser) => i64::from(seat != loser),
            None => self.record.game.points(Player::new(seat as u8)),
        };
        (0..G::PLAYERS).map(points).collect()
    }

    fn moves(&self) -> String {
        let names: Vec<&str> = self.record.moves.iter().map(|m| m.name.as_str()).collect();
        names.join(" ")
    }

    fn show(&self) -> String {
        self.record.game.to_string()
    }

    fn show_to(&self, seat: Seat) -> Option<String> {
        self.protocol.show_to(&self.record.game, seat)
    }

    fn draw(&self) -> Drawing {
        self.record.game.draw(self.record.moves.last().map(|made| made.played))
    }

    fn mark(&self, seat: Seat, answer: &str) -> Vec<Shape> {
        self.judge(seat, answer).map_or_else(|_| Vec::new(), |m| self.record.game.mark(m))
    }

    fn legal_moves(&self, _seat: Seat) -> Vec<String> {
        notation::names(&self.record.game)
    }

    fn unlisted_moves(&self, _seat: Seat) -> Vec<String> {
        let game = &self.record.game;
        game.unlisted().into_iter().map(|m| game.name(m)).collect()
    }

    fn answer_of(&self, seat: Seat, text: &str) -> String {
        self.protocol.answer_of(&self.record, seat, text)
    }
}

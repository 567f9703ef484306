//! The referee of a game, for any [`Protocol`].

use coppice::rng::split_mix;
use coppice::Rng;

use super::Protocol;
use crate::contest::Setup;
use crate::drawing::{Drawing, Shape};
use crate::history::{player, History};
use crate::kind::Kind;
use crate::notation::{self, Move, Notation, BETWEEN};
use crate::quantity::Quantity;
use crate::referee::{Fault, FaultKind, IllegalMove, Referee, Seat};
use crate::sheet::Sheet;

/// A game in progress.
///
/// All seats with a move are asked at once ([`Referee::asked`]); a turn is played when each of them has answered. If a bot
/// fails, those that were asked with it are still judged: two bots that fail in the same turn both lose.
#[derive(Debug, Clone)]
pub struct GameReferee<G: Notation, P> {
    history: History<G>,
    protocol: P,
    failed: Vec<bool>,
    /// The number of turns with which the game ends, because a bot failed.
    end: Option<usize>,
}

impl<G: Notation, P: Protocol<G>> GameReferee<G, P> {
    /// Starts a game from `start`, which may be drawn by [`Setup::seed`], after [`Setup::opening_plies`] random turns. An
    /// opening that ends the game is drawn again, with one turn less after every 100 attempts.
    pub fn new(start: G, protocol: P, setup: Setup) -> GameReferee<G, P> {
        let mut seed = setup.seed;
        let mut turns = setup.opening_plies.min(P::MAX_OPENING_PLIES);
        let failed = vec![false; G::Kind::PLAYERS];
        let mut referee =
            GameReferee { history: History::new(start.clone(), setup.seed), protocol, failed, end: None };
        for attempt in 1.. {
            let mut rng = Rng::new(split_mix(&mut seed));
            for _ in 0..turns {
                for seat in referee.history.waiting() {
                    let m = referee.protocol.opening_move(referee.game(), player(seat), &mut rng);
                    m.into_iter().for_each(|m| referee.choose(seat, m, false));
                }
                referee.settle();
            }
            if !referee.history.is_over() || turns == 0 {
                break;
            }
            turns -= u32::from(attempt % 100 == 0);
            referee.history = History::new(start.clone(), setup.seed);
        }
        referee.history.end_opening();
        referee.settle();
        referee
    }

    /// The position at the beginning of this turn.
    pub fn game(&self) -> &G {
        self.history.game()
    }

    /// The game so far.
    pub fn history(&self) -> &History<G> {
        &self.history
    }

    fn choose(&mut self, seat: Seat, m: Move<G>, is_answer: bool) {
        let written = self.protocol.write(self.game(), player(seat), m);
        self.history.choose_written(seat, m, is_answer, written);
    }

    /// Makes the moves of seats that aren't asked.
    fn settle(&mut self) {
        while self.end.is_none() {
            let own = |&seat: &Seat| {
                let (game, player) = (self.game(), player(seat));
                let m = if self.failed[seat] {
                    self.protocol.substitute(game, player)
                } else {
                    self.protocol.forced(game, player)
                };
                Some((seat, m?))
            };
            let Some((seat, m)) = self.history.waiting().iter().find_map(own) else { return };
            self.choose(seat, m, false);
        }
    }

    fn judge(&self, seat: Seat, answer: &str) -> Result<Move<G>, Fault> {
        let (game, player) = (self.game(), player(seat));
        let m = self.protocol.read(game, player, answer)?;
        let asked = self.asked();
        let expected = match &asked[..] {
            [] => "no answer: the game is over".to_owned(),
            _ if !asked.contains(&seat) => {
                let seats: Vec<String> = asked.iter().map(Seat::to_string).collect();
                format!("an answer of seat {}, which is to move", seats.join(" or "))
            }
            _ if !notation::is_legal(game, player, m) => self.protocol.expected(game, player),
            _ => return Ok(m),
        };
        Err(Fault { kind: FaultKind::Illegal, expected })
    }
}

impl<G: Notation, P: Protocol<G>> Referee for GameReferee<G, P> {
    fn init(&self, seat: Seat) -> String {
        self.protocol.init(&self.history, seat)
    }

    fn asked(&self) -> Vec<Seat> {
        if self.end.is_some_and(|end| self.history.turns().len() >= end) {
            return Vec::new();
        }
        self.history.waiting().into_iter().filter(|&seat| !self.failed[seat]).collect()
    }

    fn turn(&self, seat: Seat) -> String {
        self.protocol.turn(&self.history, seat)
    }

    fn unordered_lines(&self, seat: Seat) -> usize {
        self.protocol.unordered_lines(&self.history, seat)
    }

    fn answer_lines(&self, seat: Seat) -> usize {
        self.protocol.answer_lines(&self.history, seat)
    }

    fn reads_as_platform(&self) -> bool {
        self.protocol.reads_as_platform()
    }

    fn may_follow(&self, seat: Seat, answer: &str, line: &str) -> bool {
        let after = self.judge(seat, answer).ok().and_then(|m| G::Kind::after(self.game(), player(seat), m));
        after.is_some_and(|after| self.protocol.may_follow(&after, line))
    }

    fn answer(&mut self, seat: Seat, answer: &str) -> Result<(), Fault> {
        let m = self.judge(seat, answer)?;
        self.choose(seat, m, true);
        self.protocol.answered(&self.history, seat, answer);
        self.settle();
        Ok(())
    }

    fn move_of(&self, seat: Seat, answer: &str) -> Result<String, Fault> {
        self.judge(seat, answer).map(|m| self.game().name(player(seat), m))
    }

    fn words(&self, seat: Seat, text: &str) -> String {
        notation::words(self.game(), player(seat), text)
    }

    fn open(&mut self, text: &str) -> Result<(), IllegalMove> {
        for (player, m) in notation::read_turn(self.game(), text, false)? {
            if self.history.chosen(player).is_none() {
                self.choose(player.index(), m, false);
            }
        }
        self.settle();
        self.history.end_opening();
        Ok(())
    }

    /// Without a substitute the game ends with the present turn; if the seat isn't to move, with the first turn in which it
    /// is. Once the game is over nothing changes.
    fn forfeit(&mut self, seat: Seat) {
        let is_asked = self.asked().contains(&seat);
        if !is_asked && (self.end.is_some() || self.history.is_over()) {
            return;
        }
        self.failed[seat] = true;
        if is_asked && self.protocol.substitute(self.game(), player(seat)).is_none() {
            self.end.get_or_insert(self.history.turns().len() + 1);
        }
        self.settle();
    }

    fn scores(&self) -> Vec<i64> {
        self.protocol.scores(&self.history, &self.failed)
    }

    /// With a game that ended because a bot failed, its last turn may be unfinished: `?` stands for that bot's move.
    fn moves(&self) -> String {
        let words = self.history.words();
        let count = if self.end.is_none() { self.history.turns().len() } else { words.len() };
        words[..count].join(" ")
    }

    fn part_of<'a>(&self, seat: Seat, word: &'a str) -> Option<&'a str> {
        let choosers = notation::choosers(self.game());
        let at = choosers.iter().position(|player| player.index() == seat)?;
        if choosers.len() == 1 {
            return Some(word);
        }
        let parts: Vec<&str> = word.split(BETWEEN).collect();
        (parts.len() == choosers.len()).then(|| parts[at])
    }

    fn show(&self) -> String {
        self.game().to_string()
    }

    fn show_to(&self, seat: Seat) -> Option<String> {
        self.protocol.show_to(self.game(), seat)
    }

    fn sheet(&self, seat: Option<Seat>) -> Sheet {
        let hidden = seat.and_then(|seat| self.show_to(seat));
        let is_hidden = hidden.is_some();
        let text = hidden.unwrap_or_else(|| self.show());
        let mut sheet = Sheet::new(text, &self.game().layout(), &self.draw());
        // The drawing has all pieces.
        sheet.marks.retain(|_| !is_hidden);
        sheet
    }

    fn draw(&self) -> Drawing {
        self.game().draw(self.history.turns().last().map(|turn| turn.played))
    }

    fn quantities(&self) -> Vec<Quantity> {
        self.game().quantities()
    }

    fn mark(&self, seat: Seat, answer: &str) -> Vec<Shape> {
        let mark = |m| self.game().mark(player(seat), m);
        self.judge(seat, answer).map_or_else(|_| Vec::new(), mark)
    }

    fn legal_moves(&self, seat: Seat) -> Vec<String> {
        notation::names(self.game(), player(seat))
    }

    fn unlisted_moves(&self, seat: Seat) -> Vec<String> {
        notation::unlisted_names(self.game(), player(seat))
    }

    fn answer_of(&self, seat: Seat, text: &str) -> String {
        self.protocol.answer_of(&self.history, seat, text)
    }
}

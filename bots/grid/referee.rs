//! Referees games on a grid.

use std::fmt;
#[cfg(feature = "serve")]
use std::io::{BufRead, Write};

#[cfg(feature = "serve")]
use coppice::input::InputError;
use std::marker::PhantomData;

use coppice::rng::split_mix;
use coppice::{perft, Ended, Player, Rng};

#[cfg(feature = "serve")]
use super::player;
use super::player::{FIRST, LATER};
use super::protocol::{self, write_answer};
use super::Grid;
#[cfg(feature = "serve")]
use crate::attend::Attendance;
use crate::contest::{Behaviour, Contest, Fault, FaultKind, Limits, Referee, Seat, Setup};
use crate::notation::{listed, names, one_of, read, Notation};
use crate::session::{open, Offer, SearchInfo, Session, SessionSettings};

/// A contest on a grid: 1000 ms for the first answer, then 100 ms.
pub struct GridContest<G> {
    behaviour: fn() -> Vec<Behaviour>,
    offers: fn() -> Vec<Offer<G>>,
    game: PhantomData<fn() -> G>,
}

impl<G> GridContest<G> {
    /// A contest. `offers` are its searches, the bot's first, and `behaviour` runs them on fixed positions.
    pub const fn new(behaviour: fn() -> Vec<Behaviour>, offers: fn() -> Vec<Offer<G>>) -> GridContest<G> {
        GridContest { behaviour, offers, game: PhantomData }
    }
}

impl<G: Grid> fmt::Debug for GridContest<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GridContest").field(&G::NAME).finish()
    }
}

impl<G: Grid + Notation> Contest for GridContest<G> {
    fn name(&self) -> &str {
        G::NAME
    }

    fn seats(&self) -> usize {
        2
    }

    fn limits(&self) -> Limits {
        Limits { first: FIRST, later: LATER }
    }

    fn new_game(&self, setup: Setup) -> Box<dyn Referee> {
        Box::new(GridGame::<G>::new(setup.seed, setup.opening_plies))
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&G::START, depth, Ended::Dropped)
    }

    fn perft_divide(&self, depth: u32) -> Vec<(String, u64)> {
        let below = depth.saturating_sub(1);
        let count = |&m: &G::Move| (G::START.name(m), perft(&G::START.after(m), below, Ended::Dropped));
        listed(&G::START).iter().map(count).collect()
    }

    fn behaviour(&self) -> Vec<Behaviour> {
        (self.behaviour)()
    }

    fn searches(&self) -> Vec<SearchInfo> {
        (self.offers)().iter().map(Offer::info).collect()
    }

    fn session(&self, search: &str, settings: &SessionSettings) -> Result<Box<dyn Session>, String> {
        open((self.offers)(), &G::START, search, settings)
    }

    #[cfg(feature = "serve")]
    fn attend(
        &self,
        search: &str,
        attendance: &Attendance,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> Result<(), InputError> {
        let guest = attendance.guest(&(self.offers)(), &G::START, search)?;
        player::attend(input, output, &attendance.settings(), |_| guest)
    }
}

/// One game.
#[derive(Debug, Clone)]
pub struct GridGame<G: Grid> {
    game: G,
    forfeited: Option<Seat>,
    moves: Vec<G::Move>,
    /// The moves in notation.
    names: Vec<String>,
    /// The number of moves in the opening.
    opening: usize,
    /// The seat that is asked first.
    opener: Seat,
}

impl<G: Grid + Notation> GridGame<G> {
    /// A game after `opening_plies` random plies, at most half the number of cells. An opening that ends the game is
    /// drawn again.
    pub fn new(seed: u64, opening_plies: u32) -> GridGame<G> {
        let mut seed = seed;
        loop {
            let mut game = GridGame {
                game: G::START,
                forfeited: None,
                moves: Vec::new(),
                names: Vec::new(),
                opening: 0,
                opener: 0,
            };
            let mut rng = Rng::new(split_mix(&mut seed));
            for _ in 0..opening_plies.min(u32::from(G::SIZE * G::SIZE / 2)) {
                game.game.random_move(&mut rng).into_iter().for_each(|m| game.play(m));
            }
            game.opening = game.moves.len();
            game.opener = game.mover();
            if !game.game.is_over() {
                return game;
            }
        }
    }

    /// The position.
    pub fn game(&self) -> &G {
        &self.game
    }

    fn play(&mut self, m: G::Move) {
        self.names.push(self.game.name(m));
        self.game.play(m);
        self.moves.push(m);
    }

    fn judge(&self, seat: Seat, line: &str) -> Result<G::Move, Fault> {
        let Some(m) = protocol::read_answer::<G>(line) else {
            return Err(Fault { kind: FaultKind::Protocol, expected: protocol::ANSWER_FORM.into() });
        };
        let list = listed(&self.game);
        if seat != self.mover() || !list.contains(&m) {
            let names: Vec<String> = list.iter().map(|&m| write_answer::<G>(m)).collect();
            return Err(Fault { kind: FaultKind::Illegal, expected: one_of(&names) });
        }
        Ok(m)
    }

    fn mover(&self) -> Seat {
        self.game.to_move().index()
    }
}

impl<G: Grid + Notation> Referee for GridGame<G> {
    /// The opening line, for arenas that play openings. For the player to move it leaves out the last move, which the
    /// turn contains.
    fn init(&self, seat: Seat) -> String {
        let told = usize::from(seat == self.opener);
        protocol::write_opening::<G>(&self.moves[..self.opening.saturating_sub(told)])
    }

    fn asked(&self) -> Vec<Seat> {
        if self.game.is_over() || self.forfeited.is_some() {
            return Vec::new();
        }
        vec![self.mover()]
    }

    fn turn(&self, _seat: Seat) -> String {
        protocol::write_turn::<G>(self.moves.last().copied(), &listed(&self.game))
    }

    fn unordered_lines(&self, _seat: Seat) -> usize {
        self.game.count_moves()
    }

    fn answer(&mut self, seat: Seat, line: &str) -> Result<(), Fault> {
        let m = self.judge(seat, line)?;
        self.play(m);
        Ok(())
    }

    fn move_of(&self, seat: Seat, line: &str) -> Result<String, Fault> {
        self.judge(seat, line).map(|m| self.game.name(m))
    }

    fn open(&mut self, text: &str) -> Result<(), String> {
        self.play(read(&self.game, text)?);
        self.opening = self.moves.len();
        self.opener = self.mover();
        Ok(())
    }

    fn forfeit(&mut self, seat: Seat) {
        self.forfeited.get_or_insert(seat);
    }

    fn scores(&self) -> Vec<i64> {
        let points = |seat: Seat| match self.forfeited {
            Some(loser) => i64::from(seat != loser),
            None => self.game.points(Player::new(seat as u8)),
        };
        vec![points(0), points(1)]
    }

    fn moves(&self) -> String {
        self.names.join(" ")
    }

    fn show(&self) -> String {
        self.game.to_string()
    }

    fn legal_moves(&self, _seat: Seat) -> Vec<String> {
        names(&self.game)
    }

    fn answer_of(&self, _seat: Seat, text: &str) -> String {
        text.replace(',', " ")
    }
}

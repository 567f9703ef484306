//! Referees games of the command-line protocol.

use std::fmt;
#[cfg(feature = "serve")]
use std::io::{BufRead, Write};

#[cfg(feature = "serve")]
use coppice::input::InputError;
use std::time::Duration;

use coppice::rng::split_mix;
use coppice::{perft, Ended, Player, Rng};

#[cfg(feature = "serve")]
use super::player;
use super::{start, write_end, Commands};
#[cfg(feature = "serve")]
use crate::attend::Attendance;
use crate::contest::{Allowance, Behaviour, Contest, Fault, FaultKind, Limits, Referee, Seat, Setup};
use crate::notation::{self, listed, one_of, Notation};
use crate::session::{open, Offer, SearchInfo, Session, SessionSettings};

/// Minimum time for the first answer, in which the process starts and allocates its memory.
const FIRST: Duration = Duration::from_secs(1);

/// A contest with the command-line protocol, in one variant.
pub struct CommandContest<G> {
    name: String,
    variant: String,
    start: G,
    limit: Duration,
    allowance: Allowance,
    behaviour: fn() -> Vec<Behaviour>,
    offers: fn() -> Vec<Offer<G>>,
}

impl<G: Commands> CommandContest<G> {
    /// The contest in its default variant with this time for each answer. `offers` are its searches, the bot's first,
    /// and `behaviour` runs them on fixed positions.
    ///
    /// # Panics
    /// If the game refuses its own default variant.
    pub fn new(
        limit: Duration,
        behaviour: fn() -> Vec<Behaviour>,
        offers: fn() -> Vec<Offer<G>>,
    ) -> CommandContest<G> {
        let start = start::<G>(G::USUAL).expect("the usual variant");
        let (name, variant) = (G::NAME.to_owned(), G::USUAL.to_owned());
        let allowance = Allowance::default();
        CommandContest { name, variant, start, limit, allowance, behaviour, offers }
    }

    /// The same contest with limits for a whole game.
    pub fn allowing(self, allowance: Allowance) -> CommandContest<G> {
        CommandContest { allowance, ..self }
    }
}

impl<G: Commands> fmt::Debug for CommandContest<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CommandContest").field(&self.name).finish()
    }
}

impl<G: Commands + Notation> Contest for CommandContest<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn variants(&self) -> Option<&'static str> {
        (!G::VARIANT.is_empty()).then_some(G::VARIANT)
    }

    fn variant(&self, words: &str) -> Result<Box<dyn Contest>, String> {
        let variant = words.replace(',', " ");
        let name = format!("{}:{words}", G::NAME);
        let start = start::<G>(&variant)?;
        let CommandContest { limit, allowance, behaviour, offers, .. } = *self;
        Ok(Box::new(CommandContest { name, variant, start, limit, allowance, behaviour, offers }))
    }

    fn seats(&self) -> usize {
        2
    }

    fn limits(&self) -> Limits {
        Limits { first: self.limit.max(FIRST), later: self.limit }
    }

    fn opening_plies(&self) -> u32 {
        4
    }

    fn allowance(&self) -> Allowance {
        self.allowance
    }

    fn new_game(&self, setup: Setup) -> Box<dyn Referee> {
        Box::new(CommandGame::new(self.variant.clone(), self.start.clone(), setup))
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.start, depth, Ended::Dropped)
    }

    fn perft_divide(&self, depth: u32) -> Vec<(String, u64)> {
        let below = depth.saturating_sub(1);
        let count = |&m: &G::Move| (self.start.name(m), perft(&self.start.after(m), below, Ended::Dropped));
        listed(&self.start).iter().map(count).collect()
    }

    fn behaviour(&self) -> Vec<Behaviour> {
        (self.behaviour)()
    }

    fn searches(&self) -> Vec<SearchInfo> {
        (self.offers)().iter().map(Offer::info).collect()
    }

    fn session(&self, search: &str, settings: &SessionSettings) -> Result<Box<dyn Session>, String> {
        open((self.offers)(), &self.start, search, settings)
    }

    #[cfg(feature = "serve")]
    fn attend(
        &self,
        search: &str,
        attendance: &Attendance,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> Result<(), InputError> {
        let offers = (self.offers)();
        // Report errors before the first game, which is where the search is made.
        drop(attendance.guest(&offers, &self.start, search)?);
        player::attend(input, output, &attendance.settings(), |_, start: &G, _| {
            attendance.guest(&offers, start, search).expect("it could be made before")
        })
    }
}

/// One game.
#[derive(Debug, Clone)]
pub struct CommandGame<G> {
    variant: String,
    game: G,
    /// Each move as sent, and the seat that made it; `None` for moves of the opening.
    moves: Vec<(String, Option<Seat>)>,
    /// The moves in notation, without spaces.
    names: Vec<String>,
    /// The number of moves each seat knows; `None` before its `init`.
    told: [Option<usize>; 2],
    forfeited: Option<Seat>,
    limit: Duration,
}

impl<G: Commands + Notation> CommandGame<G> {
    /// A game from `start`, which is `variant`, after random plies. An opening that ends the game is drawn again,
    /// with one ply less after every hundred attempts.
    pub fn new(variant: String, start: G, setup: Setup) -> CommandGame<G> {
        let mut seed = setup.seed;
        let mut plies = setup.opening_plies;
        for attempt in 1.. {
            let (mut game, mut moves, mut names) = (start.clone(), Vec::new(), Vec::new());
            let mut rng = Rng::new(split_mix(&mut seed));
            for _ in 0..plies {
                if let Some(m) = game.random_move(&mut rng) {
                    moves.push((game.write_move(m), None));
                    names.push(game.name(m));
                    game.play(m);
                }
            }
            if !game.is_over() || plies == 0 {
                let limit = setup.limits.later;
                return CommandGame { variant, game, moves, names, told: [None; 2], forfeited: None, limit };
            }
            plies -= u32::from(attempt % 100 == 0);
        }
        unreachable!("an opening of no plies is taken")
    }

    /// The position.
    pub fn game(&self) -> &G {
        &self.game
    }

    fn mover(&self) -> Seat {
        self.game.to_move().index()
    }

    /// The moves that a seat neither made nor was told.
    fn news(&self, seat: Seat) -> impl Iterator<Item = &str> {
        let new = &self.moves[self.told[seat].unwrap_or(0)..];
        new.iter().filter(move |(_, by)| *by != Some(seat)).map(|(text, _)| text.as_str())
    }

    fn judge(&self, seat: Seat, answer: &str) -> Result<G::Move, Fault> {
        let replies: Vec<&str> = answer.lines().map(str::trim_end).collect();
        let protocol = |expected: String| Fault { kind: FaultKind::Protocol, expected };
        let Some((last, others)) = replies.split_last() else {
            return Err(protocol("a reply".to_owned()));
        };
        if others.iter().any(|&reply| reply != "ok") {
            return Err(protocol("ok for init and play".to_owned()));
        }
        let text = last.strip_prefix("move ").ok_or_else(|| protocol("move and a move".to_owned()))?;
        let m = self.game.read_move(text);
        let m = m.ok_or_else(|| protocol("move and a move".to_owned()))?;
        let list = listed(&self.game);
        if seat != self.mover() || !list.contains(&m) {
            let names: Vec<String> = list.iter().map(|&m| self.game.write_move(m)).collect();
            return Err(Fault { kind: FaultKind::Illegal, expected: one_of(&names) });
        }
        Ok(m)
    }
}

impl<G: Commands + Notation> Referee for CommandGame<G> {
    fn init(&self, seat: Seat) -> String {
        let (variant, side) = (&self.variant, G::SIDES[seat]);
        let gap = if variant.is_empty() { "" } else { " " };
        format!("init {variant}{gap}{side} {}\n", self.limit.as_millis())
    }

    fn asked(&self) -> Vec<Seat> {
        if self.game.is_over() || self.forfeited.is_some() {
            return Vec::new();
        }
        vec![self.mover()]
    }

    fn turn(&self, seat: Seat) -> String {
        self.news(seat).map(|text| format!("play {text}\n")).collect::<String>() + "go\n"
    }

    fn answer_lines(&self, seat: Seat) -> usize {
        usize::from(self.told[seat].is_none()) + self.news(seat).count() + 1
    }

    fn may_follow(&self, seat: Seat, answer: &str, line: &str) -> bool {
        self.judge(seat, answer).is_ok_and(|m| write_end(&self.game.after(m)) == Some(line))
    }

    fn answer(&mut self, seat: Seat, answer: &str) -> Result<(), Fault> {
        let m = self.judge(seat, answer)?;
        self.moves.push((self.game.write_move(m), Some(seat)));
        self.names.push(self.game.name(m));
        self.told[seat] = Some(self.moves.len());
        self.game.play(m);
        Ok(())
    }

    fn move_of(&self, seat: Seat, answer: &str) -> Result<String, Fault> {
        self.judge(seat, answer).map(|m| self.game.name(m))
    }

    fn open(&mut self, text: &str) -> Result<(), String> {
        let m = notation::read(&self.game, text)?;
        self.moves.push((self.game.write_move(m), None));
        self.names.push(self.game.name(m));
        self.game.play(m);
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
        notation::names(&self.game)
    }

    fn answer_of(&self, seat: Seat, text: &str) -> String {
        let written = notation::read(&self.game, text).map(|m| self.game.write_move(m));
        // `judge` refuses illegal moves.
        let written = written.unwrap_or_else(|_| text.to_owned());
        "ok\n".repeat(self.answer_lines(seat) - 1) + "move " + &written
    }
}

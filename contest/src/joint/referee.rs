//! A referee for all games with simultaneous moves whose moves have a notation.
//!
//! A [`JointProtocol`] writes the lines of a turn and parses answers; the game defines legal moves, the end of the
//! game and the points. The referee collects the answers of a turn and then plays them.

use coppice::joint::players;
use coppice::rng::split_mix;
use coppice::{Player, Rng};

use crate::contest::Setup;
use crate::drawing::{Drawing, Shape};
use crate::notation::one_of;
use crate::referee::{Fault, FaultKind, IllegalMove, Referee, Seat};

use super::notation::{self, listed, JointNotation};
use super::table::{player, Table};

/// The referee's side of a protocol for simultaneous moves. Seat i is player i.
pub trait JointProtocol<G: JointNotation> {
    /// Maximum number of random turns in an opening.
    const MAX_OPENING_TURNS: u32 = u32::MAX;

    /// See [`Referee::init`].
    fn init(&self, _table: &Table<G>, _seat: Seat) -> String {
        String::new()
    }

    /// See [`Referee::turn`]. The moves chosen so far in this turn don't belong there.
    fn turn(&self, table: &Table<G>, seat: Seat) -> String;

    /// Parses the move of a player's answer, which need not be legal.
    ///
    /// # Errors
    /// If the answer is malformed: `Err("a column, 0 to 6".into())` describes a valid answer.
    fn read(&self, game: &G, player: Player, answer: &str) -> Result<G::Move, Fault>;

    /// Writes a player's legal move in the protocol's notation.
    fn write(&self, game: &G, player: Player, m: G::Move) -> String;

    /// See [`Referee::unordered_lines`].
    fn unordered_lines(&self, _table: &Table<G>, _seat: Seat) -> usize {
        0
    }

    /// See [`Referee::answer_lines`].
    fn answer_lines(&self, _table: &Table<G>, _seat: Seat) -> usize {
        1
    }

    /// See [`Referee::reads_as_platform`].
    fn reads_as_platform(&self) -> bool {
        false
    }

    /// See [`Referee::answer_of`]. An illegal move is returned unchanged; as an answer it is then rejected.
    fn answer_of(&self, table: &Table<G>, seat: Seat, text: &str) -> String {
        let (game, player) = (table.game(), player(seat));
        match notation::read(game, player, text) {
            Ok(m) => self.write(game, player, m),
            Err(_) => text.to_owned(),
        }
    }

    /// A player's legal moves in the protocol's notation, for error messages.
    fn expected(&self, game: &G, player: Player) -> String {
        let names: Vec<String> = listed(game, player).iter().map(|&m| self.write(game, player, m)).collect();
        one_of(&names)
    }

    /// A move that the referee makes for a player without asking the bot. By default none: a bot with a single legal move
    /// is asked too.
    fn forced(&self, _game: &G, _player: Player) -> Option<G::Move> {
        None
    }

    /// The move that is made from now on for a player whose bot has failed. By default none: the game ends with the
    /// turn in which a bot fails.
    fn substitute(&self, _game: &G, _player: Player) -> Option<G::Move> {
        None
    }

    /// Called after a seat's answer has been accepted, before the turn is played.
    fn answered(&mut self, _table: &Table<G>, _seat: Seat, _answer: &str) {}

    /// Points by seat, given which bots have failed. By default the game's points, and less than everybody's for a bot
    /// that failed; if that has ended the game early, 0 for each bot that failed and 1 for the others.
    fn scores(&self, table: &Table<G>, failed: &[bool]) -> Vec<i64> {
        if failed.contains(&true) && !table.is_over() {
            return failed.iter().map(|&failed| i64::from(!failed)).collect();
        }
        let points: Vec<i64> = players::<G>().map(|player| table.game().points(player)).collect();
        let least = points.iter().min().map_or(0, |least| least - 1);
        points.into_iter().zip(failed).map(|(points, &failed)| if failed { least } else { points }).collect()
    }
}

/// A game in progress.
///
/// All seats with a move are asked at once ([`Referee::asked`]); a turn is played when each of them has answered. If a bot
/// fails, those that were asked with it are still judged: two bots that fail in the same turn both lose.
#[derive(Debug, Clone)]
pub struct JointPlayers<G: JointNotation, P> {
    table: Table<G>,
    protocol: P,
    failed: Vec<bool>,
    /// The number of turns before the one that ends the game, because a bot failed in it.
    last: Option<usize>,
}

impl<G: JointNotation, P: JointProtocol<G>> JointPlayers<G, P> {
    /// Starts a game from `start`, which may be drawn by [`Setup::seed`], after [`Setup::opening_plies`] random *turns*.
    /// An opening that ends the game is drawn again, with one turn less after every 100 attempts.
    pub fn new(start: G, protocol: P, setup: Setup) -> JointPlayers<G, P> {
        let mut seed = setup.seed;
        let mut turns = setup.opening_plies.min(P::MAX_OPENING_TURNS);
        for attempt in 1.. {
            let mut table = Table::new(start.clone(), setup.seed);
            let mut rng = Rng::new(split_mix(&mut seed));
            for _ in 0..turns {
                for seat in table.waiting() {
                    if let Some(m) = table.game().random_move(player(seat), &mut rng) {
                        table.choose(seat, m);
                    }
                }
            }
            if !table.is_over() || turns == 0 {
                table.begin();
                let failed = vec![false; G::PLAYERS];
                let mut players = JointPlayers { table, protocol, failed, last: None };
                players.settle();
                return players;
            }
            turns -= u32::from(attempt % 100 == 0);
        }
        unreachable!("an opening of zero turns is always accepted")
    }

    /// The position at the beginning of this turn.
    pub fn game(&self) -> &G {
        self.table.game()
    }

    /// The game so far.
    pub fn table(&self) -> &Table<G> {
        &self.table
    }

    /// Makes the moves of seats that aren't asked.
    fn settle(&mut self) {
        while self.last.is_none() {
            let own = |&seat: &Seat| {
                let (game, player) = (self.table.game(), player(seat));
                let m = if self.failed[seat] {
                    self.protocol.substitute(game, player)
                } else {
                    self.protocol.forced(game, player)
                };
                Some((seat, m?))
            };
            let Some((seat, m)) = self.table.waiting().iter().find_map(own) else { return };
            self.table.choose(seat, m);
        }
    }

    fn judge(&self, seat: Seat, answer: &str) -> Result<G::Move, Fault> {
        let game = self.table.game();
        let m = self.protocol.read(game, player(seat), answer)?;
        if !self.asked().contains(&seat) || !listed(game, player(seat)).contains(&m) {
            return Err(Fault {
                kind: FaultKind::Illegal,
                expected: self.protocol.expected(game, player(seat)),
            });
        }
        Ok(m)
    }
}

impl<G: JointNotation, P: JointProtocol<G>> Referee for JointPlayers<G, P> {
    fn init(&self, seat: Seat) -> String {
        self.protocol.init(&self.table, seat)
    }

    fn asked(&self) -> Vec<Seat> {
        if self.last.is_some_and(|last| self.table.turns().len() > last) {
            return Vec::new();
        }
        self.table.waiting().into_iter().filter(|&seat| !self.failed[seat]).collect()
    }

    fn turn(&self, seat: Seat) -> String {
        self.protocol.turn(&self.table, seat)
    }

    fn unordered_lines(&self, seat: Seat) -> usize {
        self.protocol.unordered_lines(&self.table, seat)
    }

    fn answer_lines(&self, seat: Seat) -> usize {
        self.protocol.answer_lines(&self.table, seat)
    }

    fn reads_as_platform(&self) -> bool {
        self.protocol.reads_as_platform()
    }

    fn answer(&mut self, seat: Seat, answer: &str) -> Result<(), Fault> {
        let m = self.judge(seat, answer)?;
        self.protocol.answered(&self.table, seat, answer);
        self.table.choose(seat, m);
        self.settle();
        Ok(())
    }

    fn move_of(&self, seat: Seat, answer: &str) -> Result<String, Fault> {
        self.judge(seat, answer).map(|m| self.table.game().name(player(seat), m))
    }

    fn open(&mut self, text: &str) -> Result<(), IllegalMove> {
        let choices = notation::read_turn(self.table.game(), text, false)?;
        self.table.play(choices);
        self.table.begin();
        self.settle();
        Ok(())
    }

    fn forfeit(&mut self, seat: Seat) {
        self.failed[seat] = true;
        let (game, player) = (self.table.game(), player(seat));
        let needs_move = self.table.waiting().contains(&seat);
        let left = self.failed.iter().filter(|&&failed| !failed).count();
        let ends = needs_move && self.protocol.substitute(game, player).is_none();
        if ends || left < 2.min(G::PLAYERS) {
            self.last.get_or_insert(self.table.turns().len());
        }
        self.settle();
    }

    fn scores(&self) -> Vec<i64> {
        self.protocol.scores(&self.table, &self.failed)
    }

    /// With a game that ended because a bot failed, its last turn may be unfinished: `?` stands for that bot's move.
    fn moves(&self) -> String {
        let mut words = self.table.words();
        if self.last.is_none() {
            words.truncate(self.table.turns().len());
        }
        words.join(" ")
    }

    fn part_of<'a>(&self, seat: Seat, word: &'a str) -> Option<&'a str> {
        let choosers = notation::choosers(self.table.game());
        let parts: Vec<&str> = word.split(notation::BETWEEN).collect();
        let at = choosers.iter().position(|player| player.index() == seat)?;
        (parts.len() == choosers.len()).then(|| parts[at])
    }

    fn show(&self) -> String {
        self.table.game().to_string()
    }

    fn draw(&self) -> Drawing {
        self.table.game().drawing(self.table.turns().last().map(|turn| &turn.choices))
    }

    fn mark(&self, seat: Seat, answer: &str) -> Vec<Shape> {
        let mark = |m| self.table.game().mark(player(seat), m);
        self.judge(seat, answer).map_or_else(|_| Vec::new(), mark)
    }

    fn legal_moves(&self, seat: Seat) -> Vec<String> {
        notation::names(self.table.game(), player(seat))
    }

    fn answer_of(&self, seat: Seat, text: &str) -> String {
        self.protocol.answer_of(&self.table, seat, text)
    }
}

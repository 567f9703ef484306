//! `arena serve --web`: a person plays a search in a browser of this machine.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use contest::session::{Session, SessionSettings, Thought};
use contest::{Contest, Seat};
use coppice::Budget;

use super::{announce, failed, listen, Args};
use crate::command::debug::settings;
use crate::command::live::http::{answer_all, Request, Response, MOST_CLIENTS};
use crate::failure::Failure;
use crate::server;
use coppice_pages::play::{page, Link, Table};
use coppice_referee::game::in_process::{on_large_stack, InProcessError};

/// Serves the page of a game until an interrupt.
///
/// # Errors
/// If the contest's moves can't be listed, the address isn't one of this machine alone, or the server can't listen there.
pub(super) fn run(args: &Args, contest: &dyn Contest, out: &mut dyn Write) -> Result<(), Failure> {
    let game = Game::new(args, contest)?;
    let listener = listen(args)?;
    let address = listener.local_addr().map_err(|error| failed(&args.listen, &error))?;
    // Pages of other sites can't know it, so they can't play in a user's name.
    let key = format!("{:016x}", RandomState::new().build_hasher().finish());
    announce(args, &format!("http://{address}/{key}/"), out)?;
    let server = Server { address, key, game: Mutex::new(game) };
    server.run(&listener).map_err(|error| failed(&args.listen, &error))
}

struct Server<'a> {
    address: SocketAddr,
    /// The folder of all pages.
    key: String,
    game: Mutex<Game<'a>>,
}

impl<'a> Server<'a> {
    fn run(&self, listener: &TcpListener) -> io::Result<()> {
        listener.set_nonblocking(true)?;
        let places = Arc::new(());
        let take_place = || (Arc::strong_count(&places) <= MOST_CLIENTS).then(|| places.clone());
        thread::scope(|scope| {
            answer_all(scope, listener, server::is_ending, take_place, |stream| self.answer(stream));
        });
        Ok(())
    }

    fn game(&self) -> MutexGuard<'_, Game<'a>> {
        self.game.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, stream: &TcpStream) -> io::Result<()> {
        // As the listener's on some systems.
        stream.set_nonblocking(false)?;
        let request = Request::read(stream, self.address)?;
        let mut response = Response::new(stream);
        let folder = format!("/{}/", self.key);
        let Some(word) = request.path().strip_prefix(&folder) else {
            return response.missing("there is no such page here: use the address that the arena printed");
        };
        let number = |name| request.number(name).and_then(|number| usize::try_from(number).ok());
        let mut game = self.game();
        let done = match word {
            "" => {
                return match game.page() {
                    Ok(page) => response.html(&page),
                    Err(error) => response.missing(&error.to_string()),
                }
            }
            "play" => game.play(number("at"), number("m")),
            "undo" => game.undo(number("at")),
            "hint" => game.hint(),
            "new" => game.begin(number("seat").unwrap_or(0)),
            _ => return response.missing("there is no such page here"),
        };
        match done {
            // The browser then asks for the page, so that loading that again plays nothing.
            Ok(()) => response.go_to(&folder),
            Err(error) => response.missing(&error.to_string()),
        }
    }
}

/// A game of a person against a search.
struct Game<'a> {
    contest: &'a dyn Contest,
    search: String,
    settings: SessionSettings,
    nodes: Option<u64>,
    time: Duration,
    session: Box<dyn Session>,
    /// The person's seat.
    mine: Seat,
    /// The number of moves before each turn of the person.
    turns: Vec<usize>,
    /// The last event, for the page.
    said: String,
}

impl<'a> Game<'a> {
    fn new(args: &Args, contest: &'a dyn Contest) -> Result<Self, Failure> {
        let session_settings = settings(args.seed, args.pool, &args.parameters);
        let search = super::search(args, contest);
        let session = contest.session(&search, &session_settings).map_err(Failure::usage)?;
        if session.moves().is_empty() && session.to_move().is_some() {
            return Err(Failure::usage(format!(
                "the moves of {} can't be listed, so they can't be chosen on a page; play it at a terminal: arena play",
                contest.name()
            )));
        }
        let time = contest.limits().later.min(Duration::from_millis(args.answer_ms.into()));
        Ok(Self {
            contest,
            search,
            settings: session_settings,
            nodes: args.nodes,
            time,
            session,
            mine: 0,
            turns: Vec::new(),
            said: String::new(),
        })
    }

    /// Begins a game with the person on a seat.
    fn begin(&mut self, seat: Seat) -> Result<(), InProcessError> {
        // It was made before.
        if let Ok(session) = self.contest.session(&self.search, &self.settings) {
            self.session = session;
        }
        self.mine = seat.min(self.contest.seats() - 1);
        self.turns.clear();
        self.said.clear();
        self.reply()
    }

    /// The legal moves of the seat to move; alone, also those that searches needn't look at, in the order of their names.
    fn moves(&self) -> Vec<String> {
        let mut moves = self.session.moves();
        if self.contest.seats() == 1 {
            moves.extend(self.session.unlisted_moves());
            moves.sort();
        }
        moves
    }

    fn think(&mut self) -> Result<Thought, InProcessError> {
        let budget = self.nodes.map_or_else(|| Budget::until(Instant::now() + self.time), Budget::nodes);
        let session = &mut self.session;
        on_large_stack(move || session.think(budget))
    }

    /// Plays for all others until the person is to move.
    fn reply(&mut self) -> Result<(), InProcessError> {
        while let Some(seat) = self.session.to_move().filter(|&seat| seat != self.mine) {
            let thought = self.think()?;
            let Some(best) = thought.best else { break };
            let words = self.session.words(seat, &best);
            if let Err(reason) = self.session.play(&best) {
                self.said = format!("{} can't go on: {reason}", self.search);
                break;
            }
            self.said = format!("{} played {words}", self.name(seat));
        }
        Ok(())
    }

    /// Plays the person's move of this number in the list, unless the page is of an earlier position.
    fn play(&mut self, at: Option<usize>, number: Option<usize>) -> Result<(), InProcessError> {
        let (count, moves) = (self.session.played().len(), self.moves());
        let is_now = at == Some(count) && self.session.to_move() == Some(self.mine);
        let Some(name) = number.filter(|_| is_now).and_then(|number| moves.get(number)) else {
            return Ok(());
        };
        match self.session.play(name) {
            Ok(()) => {
                self.turns.push(count);
                self.said.clear();
                self.reply()
            }
            Err(reason) => {
                self.said = reason.to_string();
                Ok(())
            }
        }
    }

    /// Goes back to before the person's last turn, unless the page is of an earlier position.
    fn undo(&mut self, at: Option<usize>) -> Result<(), InProcessError> {
        if at == Some(self.session.played().len()) {
            if let Some(before) = self.turns.pop() {
                self.session.take_back_to(before);
                self.said = "your last move is taken back".to_owned();
            }
        }
        Ok(())
    }

    fn hint(&mut self) -> Result<(), InProcessError> {
        if self.session.to_move() == Some(self.mine) {
            let Thought { best, score, nodes, line, .. } = self.think()?;
            let best = best.unwrap_or_default();
            let line = line.join(" ");
            self.said = match self.contest.seats() {
                1 if score.is_loss() => format!("by {} the game is lost from here: undo", self.search),
                _ => format!("{} would play {best}: score {score}, {nodes} nodes, line {line}", self.search),
            };
        }
        Ok(())
    }

    fn name(&self, seat: Seat) -> String {
        match (seat == self.mine, self.contest.seats()) {
            (true, _) => "you".to_owned(),
            (false, 0..=2) => self.search.clone(),
            (false, _) => format!("{} {seat}", self.search),
        }
    }

    fn page(&self) -> Result<String, Failure> {
        let Self { session, mine, .. } = self;
        let look = session.look(&[]).map_err(|error| Failure::new(error.to_string()))?;
        let (count, seats) = (session.played().len(), self.contest.seats());
        let action = |address: String, text: String| Link { address, text, marks: Vec::new() };
        let (state, moves) = match look.to_move {
            Some(seat) if seat == *mine => {
                let link = |(number, name): (usize, String)| Link {
                    address: format!("play?at={count}&m={number}"),
                    text: session.words(seat, &name),
                    marks: session.mark(seat, &name),
                };
                ("you move", self.moves().into_iter().enumerate().map(link).collect())
            }
            Some(_) => ("the game can't go on", Vec::new()),
            None => ("the game is over", Vec::new()),
        };
        let scores = look.scores.unwrap_or_default();
        let points = scores.iter().enumerate().map(|(seat, score)| format!("{} {score}", self.name(seat)));
        let points = points.collect::<Vec<_>>().join(", ");
        let mut actions = Vec::new();
        if !moves.is_empty() {
            actions.push(action("hint".to_owned(), "hint".to_owned()));
        }
        if !self.turns.is_empty() {
            actions.push(action(format!("undo?at={count}"), "undo".to_owned()));
        }
        let begin = |seat: Seat| {
            let order = match (seat, seats) {
                (_, 1) => String::new(),
                (0, _) => ", you begin".to_owned(),
                _ => format!(", you on seat {seat}"),
            };
            action(format!("new?seat={seat}"), format!("new game{order}"))
        };
        actions.extend((0..seats).map(begin));
        let table = Table {
            title: match seats {
                1 => format!("{}, hints by {}", self.contest.name(), self.search),
                _ => format!("{} against {}", self.contest.name(), self.search),
            },
            state: if points.is_empty() { state.to_owned() } else { format!("{state}: {points}") },
            said: self.said.clone(),
            drawing: look.drawing,
            names: (0..seats).map(|seat| self.name(seat)).collect(),
            moves,
            actions,
            played: session.played().join(" "),
        };
        page(&table).map_err(Failure::new)
    }
}

//! The bot's side of the command protocol.

use std::env;
use std::fmt;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use coppice::input::{Input, InputError};
use coppice::{Clock, Game, Player, Search};

use super::{start, write_end, Commands};
use crate::bot::{self, Output, Settings};
#[cfg(not(bundled))]
use crate::notation::Notation;
use crate::tunable::Tunables;

/// Plays games on standard input and output. `make` builds the search for each game from its start position
/// and the time per move. Bundles have no notation, so they can't be told a position.
pub fn play<
    #[cfg(bundled)] G: Commands,
    #[cfg(not(bundled))] G: Commands + Notation,
    S: Search<G>,
    T: Tunables,
>(
    make: impl FnMut(&Settings<T>, &G, Duration) -> S,
) -> ExitCode {
    bot::run(env::args().skip(1), |settings| play_on(io::stdin().lock(), io::stdout().lock(), settings, make))
}

/// Plays games over any input and output, until `quit`.
///
/// # Errors
/// [`InputError::Ended`] at the end of the input; otherwise the failed read or write.
pub fn play_on<
    #[cfg(bundled)] G: Commands,
    #[cfg(not(bundled))] G: Commands + Notation,
    S: Search<G>,
    T: Tunables,
>(
    input: impl BufRead,
    output: impl Write,
    settings: &Settings<T>,
    mut make: impl FnMut(&Settings<T>, &G, Duration) -> S,
) -> Result<(), InputError> {
    let mut input = Input::new(input);
    let mut output = Output(output);
    let mut session: Option<Session<G, S>> = None;
    let mut started = Instant::now();
    loop {
        // Lines sent together belong to one turn: its time counts from the first of them.
        let ready = Instant::now();
        let first = input.wait()?;
        if first.saturating_duration_since(ready) > TOGETHER {
            started = first;
        }
        let line = input.line()?.trim().to_owned();
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        if word == "init" {
            started = Instant::now();
        }
        let reply = match (word, &mut session) {
            ("init", _) => Session::start(rest, settings, &mut make).map(|new| {
                session = Some(new);
                Reply::Ok
            }),
            ("quit", _) => return Ok(()),
            #[cfg(not(bundled))]
            ("position", session) => match session {
                Some(session) => session.place(rest),
                None => Err("position before init".to_owned()),
            },
            ("play" | "go", None) => Err(format!("{word} before init")),
            ("play", Some(session)) => session.take(rest),
            ("go", Some(session)) => session.answer(settings, started),
            _ => Err("unknown command; available: init, play, go and quit".to_owned()),
        };
        #[cfg(not(bundled))]
        let reply = match (&settings.position, &mut session) {
            (Some(text), Some(session)) if word == "init" => reply.and_then(|_| session.place(text)),
            _ => reply,
        };
        match reply {
            Err(reason) => output.line(format_args!("error {reason}"))?,
            Ok(reply) => {
                output.line(&reply)?;
                let moved = session.as_ref().filter(|_| word != "init");
                if let Some(end) = moved.and_then(|session| write_end(&session.game)) {
                    output.line(end)?;
                }
            }
        }
        if word == "go" {
            started = Instant::now();
        }
    }
}

/// Longest wait between two lines that were sent together.
const TOGETHER: Duration = Duration::from_millis(1);

enum Reply {
    Ok,
    Move(String),
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Ok => f.write_str("ok"),
            Reply::Move(text) => write!(f, "move {text}"),
        }
    }
}

#[cfg(not(bundled))]
impl<G: Notation, S> Session<G, S> {
    /// Begins the game in a position of its variant.
    fn place(&mut self, text: &str) -> Result<Reply, String> {
        self.game = self.game.read_position(text).map_err(|reason| reason.to_string())?;
        Ok(Reply::Ok)
    }
}

/// A game in progress.
struct Session<G, S> {
    game: G,
    me: Player,
    search: S,
    clock: Clock,
}

impl<G: Commands, S: Search<G>> Session<G, S> {
    /// Parses the arguments of `init`.
    fn start<T: Tunables>(
        text: &str,
        settings: &Settings<T>,
        make: &mut impl FnMut(&Settings<T>, &G, Duration) -> S,
    ) -> Result<Session<G, S>, String> {
        let usage = || {
            let gap = if G::VARIANT.is_empty() { "" } else { " " };
            format!("expected init {}{gap}{} ms", G::VARIANT, G::SIDE)
        };
        let (rest, ms) = text.trim().rsplit_once(' ').ok_or_else(usage)?;
        let (variant, side) = rest.trim().rsplit_once(' ').unwrap_or(("", rest));
        let me = G::SIDES.iter().position(|&word| word == side).ok_or_else(usage)?;
        let me = Player::new(me as u8);
        let ms = ms.parse().ok().filter(|ms| (1..=86_400_000).contains(ms)).ok_or_else(usage)?;
        let game = start::<G>(variant)?;
        let time = Duration::from_millis(ms);
        let search = make(settings, &game, time);
        let clock = settings.clock(Clock::new(time, time));
        Ok(Session { game, me, search, clock })
    }

    /// Makes a move of the player to move: the opponent's, or in an opening also the bot's own.
    fn take(&mut self, text: &str) -> Result<Reply, String> {
        if self.game.is_over() {
            return Err("the game is over".to_owned());
        }
        let m = self.game.read_move(text).ok_or_else(|| format!("\"{text}\" is not a move"))?;
        if !listed(&self.game).contains(&m) {
            return Err(format!("{text} is not a legal move"));
        }
        self.game.play(m);
        Ok(Reply::Ok)
    }

    /// Searches and makes the bot's move.
    fn answer<T: Tunables>(&mut self, settings: &Settings<T>, started: Instant) -> Result<Reply, String> {
        if self.game.is_over() {
            return Err("the game is over".to_owned());
        }
        if self.game.to_move() != self.me {
            return Err("it is your move".to_owned());
        }
        let budget = settings.budget(&mut self.clock, started);
        let best = bot::choose(&listed(&self.game), || self.search.search(&self.game, budget));
        let best = best.ok_or("no move found")?;
        let text = self.game.write_move(best);
        self.game.play(best);
        self.clock.answered(Instant::now());
        Ok(Reply::Move(text))
    }
}

fn listed<G: Game>(game: &G) -> G::Moves {
    let mut list = G::Moves::default();
    game.moves(&mut list);
    list
}

//! `--live`: the page of a run on loopback while it is played, renewed by server-sent events.

pub(super) mod http;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use contest::Contest;

use crate::command::finished::Finished;
use crate::failure::Failure;
use coppice_pages::run_page;
use coppice_referee::text::note;

use http::{answer_all, Request, Response, MOST_CLIENTS, POLL};

/// The shortest time between two renewals.
const BETWEEN: Duration = Duration::from_secs(1);

/// A renewal is followed by this many times its own duration without one, so that drawing pages takes at most a twentieth
/// of a processor from the bots; but by no more than `LONGEST_REST`, as drawing is slow where the machine is busy.
const REST: u32 = 19;
const LONGEST_REST: Duration = Duration::from_secs(10);

/// A browser that has gone is noticed after this time.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// Plays while the page of the games in `file` is served, if `is_live`.
///
/// # Errors
/// If no port of this machine can be opened.
pub(crate) fn during<T>(
    is_live: bool,
    file: &Path,
    known: &[&dyn Contest],
    play: impl FnOnce() -> T,
) -> Result<T, Failure> {
    if !is_live {
        return Ok(play());
    }
    let fail = |error: io::Error| Failure::new(format!("--live: no port can be opened: {error}"));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(fail)?;
    let address = listener.local_addr().map_err(fail)?;
    listener.set_nonblocking(true).map_err(fail)?;
    note(format_args!("the page of this run, as long as it lasts: http://{address}/"));
    let live = Live { address, file, known, state: Mutex::default(), changed: Condvar::new() };
    Ok(thread::scope(|scope| {
        let live = &live;
        scope.spawn(move || live.renew());
        scope.spawn(move || {
            let is_over = || live.state().is_over;
            answer_all(scope, &listener, is_over, || live.take_place(), |stream| live.answer(stream));
        });
        let _end = End(live);
        play()
    }))
}

/// A run that is played, and the page of it.
struct Live<'a> {
    address: SocketAddr,
    file: &'a Path,
    known: &'a [&'a dyn Contest],
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The page.
    page: String,
    /// Its number; 0 before the first.
    version: u64,
    /// Connections that are open.
    clients: usize,
    /// Whether no more games are played.
    is_over: bool,
    /// Whether the page shows the last game.
    is_final: bool,
}

/// Ends the server after the games, whether they ended well or by a panic.
struct End<'a>(&'a Live<'a>);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.state().is_over = true;
        self.0.changed.notify_all();
    }
}

/// An open connection.
struct Place<'a>(&'a Live<'a>);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.state().clients -= 1;
    }
}

impl<'a> Live<'a> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_place(&'a self) -> Option<Place<'a>> {
        let mut state = self.state();
        (state.clients < MOST_CLIENTS).then(|| {
            state.clients += 1;
            self.changed.notify_all();
            Place(self)
        })
    }

    /// Draws the page whenever games have ended and somebody looks at it, and once more at the end.
    fn renew(&self) {
        let mut drawn_bytes = None;
        let mut next = Instant::now();
        loop {
            let state = self.state();
            let wait = |state: &mut State| !state.is_over && (state.clients == 0 || Instant::now() < next);
            let (state, _) =
                self.changed.wait_timeout_while(state, BETWEEN, wait).unwrap_or_else(PoisonError::into_inner);
            let (is_over, has_clients, version) = (state.is_over, state.clients > 0, state.version + 1);
            drop(state);
            let bytes = std::fs::metadata(self.file).map_or(0, |file| file.len());
            let is_due = is_over || Instant::now() >= next && drawn_bytes != Some(bytes);
            if has_clients && is_due {
                let begun = Instant::now();
                let page = self.page(version, is_over).unwrap_or_else(|error| waiting(&error, version));
                drawn_bytes = Some(bytes);
                next = Instant::now() + (begun.elapsed() * REST).clamp(BETWEEN, LONGEST_REST);
                let mut state = self.state();
                (state.page, state.version, state.is_final) = (page, version, is_over);
                self.changed.notify_all();
            }
            next = next.max(Instant::now() + POLL);
            if is_over {
                self.state().is_final = true;
                self.changed.notify_all();
                return;
            }
        }
    }

    /// The page of the games so far.
    fn page(&self, version: u64, is_over: bool) -> Result<String, Failure> {
        Finished::read_up_to(u32::MAX, self.file, !is_over)?.live_page(version)
    }

    fn answer(&self, stream: &TcpStream) -> io::Result<()> {
        // As the listener's on some systems.
        stream.set_nonblocking(false)?;
        let request = Request::read(stream, self.address)?;
        let mut response = Response::new(stream);
        match request.path() {
            "/" => response.html(&self.first_page()),
            "/events" => self.events(&mut response, request.number("v").unwrap_or(0)),
            path => {
                match path.strip_prefix("/games/").and_then(|name| name.strip_suffix(".html")?.parse().ok()) {
                    Some(game) => match self.game(game) {
                        Ok(page) => response.html(&page),
                        Err(error) => response.missing(&error.to_string()),
                    },
                    None => response.missing("there is no such page here"),
                }
            }
        }
    }

    /// The page as it was drawn last; the first browser waits until there is one.
    fn first_page(&self) -> String {
        let state = self.state();
        let wait = |state: &mut State| state.version == 0 && !state.is_final;
        let waited = self.changed.wait_timeout_while(state, HEARTBEAT, wait);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        match state.version {
            0 => waiting(&"no game has ended yet", 0),
            _ => state.page.clone(),
        }
    }

    /// A game's page.
    fn game(&self, number: u32) -> Result<String, Failure> {
        Finished::read_up_to(u32::MAX, self.file, true)?.game_page(number, self.known)
    }

    /// Sends each page after number `seen`, until the last.
    fn events(&self, response: &mut Response<'_>, mut seen: u64) -> io::Result<()> {
        response.begin_events()?;
        loop {
            let state = self.state();
            let wait = |state: &mut State| state.version <= seen && !state.is_final;
            let waited = self.changed.wait_timeout_while(state, HEARTBEAT, wait);
            let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
            let (is_new, is_final) = (state.version > seen, state.is_final);
            seen = state.version;
            let page = if is_new { state.page.clone() } else { String::new() };
            drop(state);
            match is_new {
                true => response.event("page", &page)?,
                false => response.heartbeat()?,
            }
            if is_final {
                return response.event("end", "");
            }
        }
    }
}

/// The page while there is nothing to show.
fn waiting(why: &dyn std::fmt::Display, version: u64) -> String {
    run_page::waiting(&why.to_string(), version).unwrap_or_default()
}

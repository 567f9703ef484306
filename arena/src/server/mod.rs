//! Serves the contests' bots over a socket: each client acts as the referee of its own game.

mod guard;
mod refused;

pub(crate) use guard::{Allowed, Guard};

use std::collections::HashMap;
use std::io::{self, BufWriter, Read, Write};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder, Scope};
use std::time::{Duration, Instant};

use contest::serve::ServeSettings;
use contest::session::STACK_BYTES;
use contest::Contest;
use coppice::input::InputError;

use coppice_referee::process::INTERRUPTED;

use refused::Refused;

/// How often the server checks for new connections and for an interrupt.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// How long a client's input is read and discarded after the last line to it: closing a connection with unread input
/// can discard that line.
const LINGER: Duration = Duration::from_millis(300);

/// Failures in a row to accept a connection after which the server ends: about ten seconds.
const MOST_FAILURES: u32 = 1000;

static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// Handles an interrupt: the first ends the server, the second the program.
pub(crate) fn interrupt() {
    if IS_ENDING.swap(true, Ordering::SeqCst) {
        std::process::exit(INTERRUPTED.into());
    }
}

/// Whether an interrupt has asked for the end.
pub(crate) fn is_ending() -> bool {
    IS_ENDING.load(Ordering::SeqCst)
}

/// A search to be served, and the limits on clients.
pub(crate) struct Service<'a> {
    /// The contest whose protocol is spoken.
    pub contest: &'a dyn Contest,
    /// The search that answers.
    pub search: String,
    /// The contest's settings of a served search.
    pub settings: ServeSettings,
    /// Limits on a client's input.
    pub allowed: Allowed,
    /// The maximum number of concurrent clients.
    pub most_clients: usize,
    /// The maximum number of concurrent clients from one address; `None`: a quarter of all for another machine's
    /// address, at least 1, and all for this machine's.
    pub most_per_address: Option<usize>,
    /// Connections after which the server exits; `None` for no limit.
    pub connections: Option<u64>,
}

/// The clients that are being served.
#[derive(Default)]
struct Clients {
    streams: Mutex<HashMap<u64, (TcpStream, IpAddr)>>,
}

impl Clients {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, (TcpStream, IpAddr)>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that was accepted.
struct NewClient {
    number: u64,
    stream: TcpStream,
    address: SocketAddr,
}

impl Service<'_> {
    /// Serves clients until an interrupt or the last of the connections, and returns their number. Accepting waits for
    /// no client. `tell` gets one line for each event of a client.
    ///
    /// # Errors
    /// If connections can no longer be accepted.
    pub(crate) fn run(&self, listener: &TcpListener, tell: &(dyn Fn(String) + Sync)) -> io::Result<u64> {
        listener.set_nonblocking(true)?;
        let clients = Clients::default();
        thread::scope(|scope| {
            let mut refused = Refused::default();
            let (mut count, mut failures) = (0, 0);
            let result = loop {
                if is_ending() || self.connections.is_some_and(|most| count >= most) {
                    break Ok(count);
                }
                refused.tidy();
                match listener.accept() {
                    Ok((stream, address)) => {
                        (count, failures) = (count + 1, 0);
                        let new = NewClient { number: count, stream, address };
                        self.welcome(scope, &clients, &mut refused, new, tell);
                    }
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(LOOK_EVERY),
                    // A client that left before it was accepted.
                    Err(error)
                        if matches!(
                            error.kind(),
                            io::ErrorKind::ConnectionAborted
                                | io::ErrorKind::ConnectionReset
                                | io::ErrorKind::Interrupted
                        ) => {}
                    // Too many open files, for example: a client that leaves makes room.
                    Err(error) => {
                        failures += 1;
                        match failures {
                            1 => tell(format!("a connection could not be accepted, trying again: {error}")),
                            MOST_FAILURES.. => break Err(error),
                            _ => {}
                        }
                        thread::sleep(LOOK_EVERY);
                    }
                }
            };
            self.part(&clients, result.is_ok() && !is_ending());
            result
        })
    }

    /// Waits for the games in progress if `may_go_on`, and ends them otherwise.
    fn part(&self, clients: &Clients, may_go_on: bool) {
        while may_go_on && !is_ending() && !clients.lock().is_empty() {
            thread::sleep(LOOK_EVERY);
        }
        for (stream, _) in clients.lock().values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Starts a client's game, or refuses it.
    fn welcome<'scope, 'env>(
        &'scope self,
        scope: &'scope Scope<'scope, 'env>,
        clients: &'scope Clients,
        refused: &mut Refused,
        NewClient { number, stream, address }: NewClient,
        tell: &'scope (dyn Fn(String) + Sync),
    ) {
        if let Some(reason) = self.refusal(&clients.lock(), address.ip()) {
            tell(format!("client {number} from {address}: refused, {reason}"));
            return refused.send_away(stream, &format!("error busy: {reason}; come back later"));
        }
        let second = match stream.set_nonblocking(false).and_then(|()| stream.try_clone()) {
            Ok(second) => second,
            Err(error) => return tell(format!("client {number} from {address}: {error}")),
        };
        clients.lock().insert(number, (second, address.ip()));
        let serve = move || {
            tell(format!("client {number} from {address}: connected"));
            let played = self.play(&stream);
            // The client's place is free now, however long closing takes.
            clients.lock().remove(&number);
            let end = farewell(&stream, played);
            tell(format!("client {number} from {address}: {end}"));
        };
        if let Err(error) = Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, serve) {
            clients.lock().remove(&number);
            tell(format!("client {number} from {address}: no thread for it: {error}"));
        }
    }

    /// The limit that a new client from `address` would exceed.
    fn refusal(&self, clients: &HashMap<u64, (TcpStream, IpAddr)>, address: IpAddr) -> Option<String> {
        let most = match self.most_per_address {
            Some(most) => most,
            None if address.is_loopback() => self.most_clients,
            None => (self.most_clients / 4).max(1),
        };
        if clients.len() >= self.most_clients {
            Some(format!("{} clients are being served", self.most_clients))
        } else if clients.values().filter(|(_, other)| *other == address).count() >= most {
            Some(format!("{most} clients from this address are being served"))
        } else {
            None
        }
    }

    /// Plays one client's game.
    fn play(&self, stream: &TcpStream) -> Result<(), InputError> {
        let set = |stream: &TcpStream| {
            stream.set_nodelay(true)?;
            stream.set_write_timeout(Some(self.allowed.idle))?;
            Ok((stream.try_clone()?, stream.try_clone()?))
        };
        let (input, output) = set(stream).map_err(InputError::Io)?;
        let mut input = Guard::new(input, self.allowed);
        let mut output = BufWriter::new(output);
        self.contest.serve(&self.search, &self.settings, &mut input, &mut output)
    }
}

/// Ends a connection, telling the client the reason if it was the server's, and returns a line for the log.
fn farewell(stream: &TcpStream, played: Result<(), InputError>) -> String {
    let reason = match played {
        Ok(()) | Err(InputError::Ended) => None,
        Err(InputError::Io(error)) if is_gone(&error) => None,
        // The error names the limit that was exceeded.
        Err(InputError::Io(error)) => Some(error.to_string()),
        Err(error) => Some(error.to_string()),
    };
    match reason {
        None => {
            let _ = stream.shutdown(Shutdown::Both);
            "the end".to_owned()
        }
        Some(reason) => {
            say_last(stream, &format!("error {reason}"));
            format!("closed: {reason}")
        }
    }
}

/// Whether the client has left.
fn is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, NotConnected, UnexpectedEof};
    let kinds = [BrokenPipe, ConnectionAborted, ConnectionReset, NotConnected, UnexpectedEof];
    kinds.contains(&error.kind())
}

/// Sends a line and ends the connection. If the line doesn't arrive, nothing more can be done.
fn say_last(mut stream: &TcpStream, line: &str) {
    let _ = stream.set_write_timeout(Some(LINGER));
    let _ = writeln!(stream, "{line}");
    let _ = stream.shutdown(Shutdown::Write);
    let begun = Instant::now();
    let mut rest = [0; 4096];
    loop {
        let left = LINGER.saturating_sub(begun.elapsed());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            break;
        }
        if !matches!(stream.read(&mut rest), Ok(1..)) {
            break;
        }
    }
    let _ = stream.shutdown(Shutdown::Both);
}

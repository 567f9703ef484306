//! Serves the contests' bots over a socket: each client acts as the referee of its own game.

mod guard;

pub use guard::{Allowed, Guard};

use std::collections::HashMap;
use std::io::{self, BufWriter, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder, Scope};
use std::time::{Duration, Instant};

use contest::serve::ServeSettings;
use contest::session::STACK_BYTES;
use contest::Contest;
use coppice::input::InputError;

/// How often the server looks whether somebody has come, or whether it is to end.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// After the last word to a client, what it still sends is read for so long: otherwise it might not get to
/// see that word.
const LINGER: Duration = Duration::from_millis(300);

static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// What an interrupt does: the first ends the server, the second the program.
pub fn interrupt() {
    if IS_ENDING.swap(true, Ordering::SeqCst) {
        std::process::exit(1);
    }
}

/// What is served, and to how many.
pub struct Service<'a> {
    /// The contest whose protocol is spoken.
    pub contest: &'a dyn Contest,
    /// Which of its searches answers.
    pub search: String,
    /// How it plays.
    pub settings: ServeSettings,
    /// What a client may send.
    pub allowed: Allowed,
    /// How many clients there may be at once.
    pub most_clients: usize,
    /// The server exits after this many connections.
    pub connections: Option<u64>,
}

/// The clients there are.
#[derive(Default)]
struct Clients {
    streams: Mutex<HashMap<u64, TcpStream>>,
}

impl Clients {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, TcpStream>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Service<'_> {
    /// Serves whoever comes, until an interrupt or the last of the connections; says how many came. What
    /// becomes of each client is told to `tell`.
    ///
    /// # Errors
    /// If nobody can be waited for any more.
    pub fn run(&self, listener: &TcpListener, tell: &(dyn Fn(String) + Sync)) -> io::Result<u64> {
        listener.set_nonblocking(true)?;
        let clients = Clients::default();
        thread::scope(|scope| {
            let mut count = 0;
            let result = loop {
                if IS_ENDING.load(Ordering::SeqCst) || self.connections.is_some_and(|most| count >= most) {
                    break Ok(count);
                }
                match listener.accept() {
                    Ok((stream, address)) => {
                        count += 1;
                        self.welcome(scope, &clients, count, stream, address, tell);
                    }
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(LOOK_EVERY),
                    // A client that left before it was let in.
                    Err(error)
                        if matches!(
                            error.kind(),
                            io::ErrorKind::ConnectionAborted
                                | io::ErrorKind::ConnectionReset
                                | io::ErrorKind::Interrupted
                        ) => {}
                    Err(error) => break Err(error),
                }
            };
            self.part(&clients, result.is_ok() && !IS_ENDING.load(Ordering::SeqCst));
            result
        })
    }

    /// Waits for the games that go on, if they may, or ends them.
    fn part(&self, clients: &Clients, may_go_on: bool) {
        while may_go_on && !IS_ENDING.load(Ordering::SeqCst) && !clients.lock().is_empty() {
            thread::sleep(LOOK_EVERY);
        }
        for stream in clients.lock().values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    fn welcome<'scope, 'env>(
        &'scope self,
        scope: &'scope Scope<'scope, 'env>,
        clients: &'scope Clients,
        number: u64,
        stream: TcpStream,
        address: SocketAddr,
        tell: &'scope (dyn Fn(String) + Sync),
    ) {
        let is_full = clients.lock().len() >= self.most_clients;
        let registered = stream.set_nonblocking(false).and_then(|()| stream.try_clone());
        let second = match registered {
            Ok(second) => second,
            Err(error) => return tell(format!("client {number} from {address}: {error}")),
        };
        if is_full {
            let most = self.most_clients;
            tell(format!("client {number} from {address}: sent away, there are {most} already"));
            return say_last(
                &stream,
                &format!("error busy: {most} clients are being served; come back later"),
            );
        }
        clients.lock().insert(number, second);
        let serve = move || {
            tell(format!("client {number} from {address}: connected"));
            let played = self.play(&stream);
            // Its place is free, whatever time the farewell takes.
            clients.lock().remove(&number);
            let end = farewell(&stream, played);
            tell(format!("client {number} from {address}: {end}"));
        };
        if let Err(error) = Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, serve) {
            clients.lock().remove(&number);
            tell(format!("client {number} from {address}: no thread for it: {error}"));
        }
    }

    /// One client's game.
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

/// Tells a client why its game ended, if it doesn't know; and says it.
fn farewell(stream: &TcpStream, played: Result<(), InputError>) -> String {
    let reason = match played {
        Ok(()) | Err(InputError::Ended) => None,
        Err(InputError::Io(error)) if is_gone(&error) => None,
        // Which limit was passed is said in the error's own words.
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

/// The client left, in whatever way: no fault of anybody's.
fn is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, NotConnected, UnexpectedEof};
    let kinds = [BrokenPipe, ConnectionAborted, ConnectionReset, NotConnected, UnexpectedEof];
    kinds.contains(&error.kind())
}

/// A line, and the end; nothing more can be done if it doesn't arrive.
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

//! Clients that were refused, until they have read why. No call waits for any of them.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// How long a refused client's input is read and discarded: closing a connection with unread input can discard the
/// reason on its way to the client.
const LINGER: Duration = Duration::from_millis(300);

/// The maximum number of refused clients kept; above it the oldest are closed.
const MOST: usize = 256;

/// How often their input is read.
const EVERY: Duration = Duration::from_millis(10);

/// The refused clients that still linger, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Refused {
    clients: VecDeque<(TcpStream, Instant)>,
    tidied: Option<Instant>,
}

impl Refused {
    /// Sends a line to a client and ends the connection, now or when the client has had time to read it.
    pub(super) fn send_away(&mut self, mut stream: TcpStream, line: &str) {
        // A line fits into the buffer of a new connection. If it doesn't arrive, nothing more can be done.
        let _ = stream.set_nonblocking(true).and_then(|()| writeln!(stream, "{line}"));
        let _ = stream.shutdown(Shutdown::Write);
        if self.clients.len() == MOST {
            self.clients.pop_front();
        }
        self.clients.push_back((stream, Instant::now()));
    }

    /// Closes the connections of clients that have left or had their time.
    pub(super) fn tidy(&mut self) {
        let now = Instant::now();
        if self.tidied.is_none_or(|last| now - last >= EVERY) {
            self.tidied = Some(now);
            self.clients.retain_mut(|(stream, since)| now - *since < LINGER && !has_left(stream));
        }
    }
}

/// Discards the client's input; whether it has closed the connection.
fn has_left(stream: &mut TcpStream) -> bool {
    let mut discarded = [0; 4096];
    match stream.read(&mut discarded) {
        Ok(count) => count == 0,
        Err(error) => !matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted),
    }
}

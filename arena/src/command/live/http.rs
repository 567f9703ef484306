//! As much of HTTP as a page on loopback needs: GET, one request a connection, server-sent events.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread::{self, Scope};
use std::time::Duration;

/// The longest head of a request.
const MAX_HEAD_BYTES: u64 = 16 << 10;

/// The longest time that a browser may take to send a request, or to take in a part of an answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Interval between two looks for a new connection, and for the end.
pub(in crate::command) const POLL: Duration = Duration::from_millis(20);

/// Connections at a time.
pub(in crate::command) const MOST_CLIENTS: usize = 16;

/// Answers connections to a non-blocking listener until the end, each in a thread of its own and with a place; without a place it is
/// closed.
pub(in crate::command) fn answer_all<'scope, P: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    listener: &TcpListener,
    is_over: impl Fn() -> bool,
    take_place: impl Fn() -> Option<P>,
    answer: impl Fn(&TcpStream) -> io::Result<()> + Copy + Send + 'scope,
) {
    while !is_over() {
        // Polled, so that the end ends it on any system.
        let Ok((stream, _)) = listener.accept() else {
            thread::sleep(POLL);
            continue;
        };
        let Some(place) = take_place() else { continue };
        // Without a thread for it, the browser tries again.
        let _ = thread::Builder::new().spawn_scoped(scope, move || {
            let _place = place;
            // A browser that sends nothing, or goes away in the middle, is no error.
            let _ = answer(&stream);
        });
    }
}

/// What a browser asks for.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::command) struct Request {
    target: String,
}

impl Request {
    /// Reads a request for a page of this address. Pages of other sites can't ask in a user's name: by a name of theirs that
    /// leads here, the host would be another.
    ///
    /// # Errors
    /// If it doesn't arrive, or is anything else.
    pub(in crate::command) fn read(stream: &TcpStream, address: SocketAddr) -> io::Result<Self> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Self::parse(stream, address.port())
    }

    fn parse(input: impl Read, port: u16) -> io::Result<Self> {
        let bad = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what);
        let mut lines = BufReader::new(input.take(MAX_HEAD_BYTES)).lines();
        let mut line = || lines.next().unwrap_or_else(|| Err(bad("the request is cut off")));
        let first = line()?;
        let target = match first.split(' ').collect::<Vec<_>>()[..] {
            ["GET", target, version] if version.starts_with("HTTP/1.") => target.to_owned(),
            _ => return Err(bad("expected GET")),
        };
        let mut is_ours = false;
        loop {
            let line = line()?;
            if line.is_empty() {
                break;
            }
            if let Some(("host", value)) = line.to_ascii_lowercase().split_once(':') {
                is_ours =
                    ["127.0.0.1", "localhost"].iter().any(|host| format!("{host}:{port}") == value.trim());
            }
        }
        match is_ours {
            true => Ok(Self { target }),
            false => Err(bad("the request is for another host")),
        }
    }

    /// The path, without a query.
    pub(in crate::command) fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// A number of the query: that of `v` in `?v=12` is 12.
    pub(in crate::command) fn number(&self, name: &str) -> Option<u64> {
        let (_, query) = self.target.split_once('?')?;
        let (_, value) =
            query.split('&').filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name)?;
        value.parse().ok()
    }
}

/// The answer to a request.
pub(in crate::command) struct Response<'a> {
    stream: &'a TcpStream,
}

impl<'a> Response<'a> {
    /// Nothing yet.
    pub(in crate::command) fn new(stream: &'a TcpStream) -> Self {
        Self { stream }
    }

    /// Sends a page.
    ///
    /// # Errors
    /// If the browser doesn't take it.
    pub(in crate::command) fn html(&mut self, page: &str) -> io::Result<()> {
        self.whole("200 OK", "text/html", page)
    }

    /// Sends the browser to another page.
    ///
    /// # Errors
    /// If the browser doesn't take it.
    pub(in crate::command) fn go_to(&mut self, path: &str) -> io::Result<()> {
        let head = format!(
            "HTTP/1.1 303 See Other\r\nLocation: {path}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        self.stream.write_all(head.as_bytes())
    }

    /// Says that there is no such page.
    ///
    /// # Errors
    /// If the browser doesn't take it.
    pub(in crate::command) fn missing(&mut self, why: &str) -> io::Result<()> {
        self.whole("404 Not Found", "text/plain", why)
    }

    fn whole(&mut self, status: &str, kind: &str, text: &str) -> io::Result<()> {
        let length = text.len();
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {length}\r\nCache-Control: \
             no-store\r\nConnection: close\r\n\r\n"
        );
        self.stream.write_all(head.as_bytes())?;
        self.stream.write_all(text.as_bytes())
    }

    /// Begins a stream of events.
    ///
    /// # Errors
    /// If the browser doesn't take it.
    pub(in crate::command) fn begin_events(&mut self) -> io::Result<()> {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n";
        self.stream.write_all(head.as_bytes())
    }

    /// Sends an event. Each line of the text is a line of its data.
    ///
    /// # Errors
    /// If the browser doesn't take it.
    pub(in crate::command) fn event(&mut self, name: &str, text: &str) -> io::Result<()> {
        let lines = text.split('\n').map(|line| format!("data: {}\n", line.replace('\r', " ")));
        self.stream.write_all(format!("event: {name}\n{}\n", lines.collect::<String>()).as_bytes())
    }

    /// Sends a line that means nothing, to notice that the browser is gone.
    ///
    /// # Errors
    /// If it is.
    pub(in crate::command) fn heartbeat(&mut self) -> io::Result<()> {
        self.stream.write_all(b":\n\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<Request> {
        Request::parse(text.as_bytes(), 4000).ok()
    }

    #[test]
    fn only_requests_for_this_host_are_read() {
        let request =
            parse("GET /events?v=12 HTTP/1.1\r\nAccept: */*\r\nhost: LOCALHOST:4000\r\n\r\n").unwrap();
        assert_eq!((request.path(), request.number("v")), ("/events", Some(12)));
        let request = parse("GET / HTTP/1.1\r\nHost: 127.0.0.1:4000\r\n\r\n").unwrap();
        assert_eq!((request.path(), request.number("v")), ("/", None));
        for bad in [
            "",
            "GET /\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: 127.0.0.1:4000\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: evil.example:4000\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: 127.0.0.1:4001\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: 127.0.0.1:4000\r\n",
        ] {
            assert_eq!(parse(bad), None, "{bad}");
        }
        let endless = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:4000\r\nx: {}\r\n\r\n", "x".repeat(20_000));
        assert_eq!(parse(&endless), None);
    }
}

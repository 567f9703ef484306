//! Reads a client's input under limits of time and size.

use std::io::{self, BufRead, Read};
use std::net::TcpStream;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often a waiting thread looks for an interrupt: on Windows, the end of a connection doesn't wake who reads it.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Limits on a client's input.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allowed {
    /// The maximum time until a whole line has arrived, from the moment at which the server waits for it.
    pub idle: Duration,
    /// The maximum length of a line, in bytes.
    pub line_bytes: usize,
    /// The maximum total, in bytes.
    pub total_bytes: u64,
}

/// A client's input. Errors name the limit that was exceeded.
pub(crate) struct Guard {
    stream: TcpStream,
    allowed: Allowed,
    buffer: Vec<u8>,
    /// The part of the buffer that is still to be read.
    from: usize,
    to: usize,
    /// Bytes since the last line end, and in total.
    line_bytes: usize,
    total_bytes: u64,
    /// When the server began to wait for the current line.
    waiting: Option<Instant>,
}

impl Guard {
    /// The input that arrives on `stream`.
    pub(crate) fn new(stream: TcpStream, allowed: Allowed) -> Guard {
        let buffer = vec![0; 8192];
        Guard { stream, allowed, buffer, from: 0, to: 0, line_bytes: 0, total_bytes: 0, waiting: None }
    }

    fn receive(&mut self) -> io::Result<usize> {
        let Allowed { idle, total_bytes, .. } = self.allowed;
        let since = *self.waiting.get_or_insert_with(Instant::now);
        let late = || {
            let seconds = idle.as_secs_f64();
            io::Error::new(io::ErrorKind::TimedOut, format!("no whole line arrived within {seconds} seconds"))
        };
        loop {
            let left = idle.saturating_sub(since.elapsed());
            if left.is_zero() {
                return Err(late());
            }
            self.stream.set_read_timeout(Some(left.min(LOOK_AGAIN)))?;
            match self.stream.read(&mut self.buffer) {
                Ok(count) => {
                    self.total_bytes += count as u64;
                    if self.total_bytes > total_bytes {
                        return Err(io::Error::other(format!(
                            "more than {total_bytes} bytes arrived in total"
                        )));
                    }
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // The kind depends on the system.
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    if super::IS_ENDING.load(Ordering::SeqCst) {
                        return Err(io::ErrorKind::ConnectionAborted.into());
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }
}

impl Read for Guard {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let mut available = self.fill_buf()?;
        let count = available.read(to)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Guard {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.line_bytes > self.allowed.line_bytes {
            let most = self.allowed.line_bytes;
            return Err(io::Error::other(format!("a line of more than {most} bytes arrived")));
        }
        if self.from == self.to {
            (self.from, self.to) = (0, 0);
            self.to = self.receive()?;
        }
        Ok(&self.buffer[self.from..self.to])
    }

    fn consume(&mut self, count: usize) {
        let consumed = &self.buffer[self.from..self.from + count];
        match consumed.iter().rposition(|&byte| byte == b'\n') {
            Some(end) => {
                self.line_bytes = consumed.len() - end - 1;
                self.waiting = None;
            }
            None => self.line_bytes += consumed.len(),
        }
        self.from += count;
    }
}

//! The interface of contests for referees, consoles and tuners, and the code that their bots share.
//!
//! - [`Contest`] and [`Referee`]: the referee's side. A match runner passes lines between processes and these
//!   two; it knows no game's rules.
//! - [`lines`]: a contest from a game and the four texts of its protocol. Start here.
//! - [`protocol`]: a referee for all games whose moves can be listed; a protocol writes and parses their lines.
//! - [`notation`], [`history`], [`kind`]: what all of these need of a game, whether one player moves at a time
//!   ([`Game`](coppice::Game)) or several at once ([`Joint`](coppice::Joint)).
//! - [`commands`]: the protocol `init`, `play`, `go`, `quit` for any game: referee and player.
//! - [`bot`] and [`tunable`]: a bot's command line.
//! - [`drawing`]: a position as shapes in the colours of [`paint`]; [`sheet`]: as text with coordinates and colours; [`quantity`]: as numbers for
//!   charts.
//! - [`laws`]: what holds for every contest, checked in random games.
//! - [`utf8`]: text from outside, with or without a byte order mark.
//! - [`session`], [`perft`], [`single_player`], `serve`: optional features of a contest.
//!
//! Code that only referees, consoles and tuners need is excluded from bundles by `cfg(not(bundled))`.

#![forbid(unsafe_code)]

#[cfg(not(bundled))]
mod bench;
pub mod bot;
pub mod commands;
#[cfg(not(bundled))]
mod contest;
#[cfg(not(bundled))]
pub mod drawing;
#[cfg(not(bundled))]
pub mod history;
#[cfg(not(bundled))]
pub mod kind;
#[cfg(not(bundled))]
pub mod laws;
pub mod lines;
#[cfg(not(bundled))]
pub mod notation;
#[cfg(not(bundled))]
mod opened;
#[cfg(not(bundled))]
pub mod paint;
#[cfg(not(bundled))]
pub mod perft;
mod points;
#[cfg(not(bundled))]
pub mod protocol;
#[cfg(not(bundled))]
pub mod quantity;
#[cfg(not(bundled))]
mod reason;
#[cfg(not(bundled))]
mod referee;
#[cfg(not(bundled))]
pub mod session;
#[cfg(not(bundled))]
pub mod sheet;
#[cfg(not(bundled))]
pub mod single_player;
pub mod tunable;
#[cfg(not(bundled))]
pub mod utf8;

#[cfg(not(bundled))]
pub use bench::BenchResult;
#[cfg(not(bundled))]
pub use contest::{Allowance, Contest, Limits, Setup};
#[cfg(not(bundled))]
pub use kind::{Sequential, Simultaneous};
#[cfg(not(bundled))]
pub use notation::Unreadable;
#[cfg(not(bundled))]
pub use opened::Opened;
#[cfg(not(bundled))]
pub use referee::{Fault, FaultKind, IllegalMove, Referee, Seat};
#[cfg(all(feature = "serve", not(bundled)))]
pub use session::serve;

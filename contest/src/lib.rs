//! The interface of contests for referees, consoles and tuners, and the code that their bots share.
//!
//! - [`Contest`] and [`Referee`]: the referee's side. A match runner passes lines between processes and these
//!   two; it knows no game's rules.
//! - [`sequential`]: a referee for all games in which one of several players moves at a time; a protocol writes and
//!   parses their lines.
//! - [`turns`]: a contest from a game and the four texts of its protocol.
//! - [`joint`]: the same for games in which players move at the same time, and their referee.
//! - [`commands`]: the protocol `init`, `play`, `go`, `quit` for any game: referee and player.
//! - [`bot`] and [`tunable`]: a bot's command line.
//! - [`drawing`]: a position as shapes.
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
pub mod joint;
#[cfg(not(bundled))]
pub mod laws;
#[cfg(not(bundled))]
pub mod notation;
#[cfg(not(bundled))]
mod opened;
#[cfg(not(bundled))]
pub mod perft;
#[cfg(not(bundled))]
mod reason;
#[cfg(not(bundled))]
mod referee;
#[cfg(not(bundled))]
pub mod sequential;
#[cfg(not(bundled))]
pub mod session;
#[cfg(not(bundled))]
pub mod single_player;
pub mod tunable;
pub mod turns;
#[cfg(not(bundled))]
pub mod utf8;

#[cfg(not(bundled))]
pub use bench::BenchResult;
#[cfg(not(bundled))]
pub use contest::{Allowance, Contest, Limits, Setup};
#[cfg(not(bundled))]
pub use notation::Unreadable;
#[cfg(not(bundled))]
pub use opened::Opened;
#[cfg(not(bundled))]
pub use referee::{Fault, FaultKind, IllegalMove, Referee, Seat};
#[cfg(all(feature = "serve", not(bundled)))]
pub use session::serve;

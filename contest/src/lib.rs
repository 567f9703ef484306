//! What a contest must say to be refereed, measured and debugged, and what its bots share.
//!
//! - [`Contest`] and [`Referee`]: what a referee needs. Whoever runs matches moves lines between processes and these
//!   two, and knows no rule of any game.
//! - [`two_players`]: one referee for all games of two players; a protocol says how its lines are written and read.
//! - [`commands`]: a protocol of `init`, `play`, `go` and `quit` for any game: its referee and its bots' player.
//! - [`bot`] and [`tunable`]: a bot's command line.
//! - [`session`], [`perft`], [`single_player`], `serve`: what a contest may offer beyond games.
//!
//! What only referees, consoles and tuners need is left out of bundles by `cfg(not(bundled))`.

#![forbid(unsafe_code)]

pub mod bot;
pub mod commands;
#[cfg(not(bundled))]
mod contest;
#[cfg(not(bundled))]
pub mod notation;
#[cfg(not(bundled))]
pub mod perft;
#[cfg(not(bundled))]
mod referee;
#[cfg(not(bundled))]
pub mod session;
#[cfg(not(bundled))]
pub mod single_player;
pub mod tunable;
#[cfg(not(bundled))]
pub mod two_players;

#[cfg(not(bundled))]
pub use contest::{Allowance, BenchResult, Contest, Limits, Setup};
#[cfg(not(bundled))]
pub use referee::{Fault, FaultKind, Referee, Seat};
#[cfg(all(feature = "serve", not(bundled)))]
pub use session::serve;

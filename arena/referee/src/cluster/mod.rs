//! One run on many machines: a coordinator gives games to workers and judges them, and the cluster's own engine starts,
//! restarts and stops the workers.
//!
//! They share a folder, and each file in it has one writer:
//!
//! ```text
//! DIR/games.jsonl                     the coordinator: the run's games, or other results, as without a cluster
//! DIR/cluster/run.json                the coordinator: the plan, and a sign of life
//! DIR/cluster/workers/NAME/
//!     orders.json                     the coordinator: the tasks that the worker is to do, or that it is to stop
//!     status.json                     the worker: its machine, its state, a sign of life
//!     games.jsonl                     the worker: its finished games, a part of the run
//! ```
//!
//! A game counts once it is in the coordinator's `games.jsonl`; later copies of it are ignored. So a worker may be killed,
//! restarted or believed dead by mistake, and the coordinator may be killed and started again: finished games are found in the
//! parts, and a game that is played twice counts once.
//!
//! [`Work`] is what is shared out: games of a [`Series`](crate::series::Series), pairs of a tune, or what another program brings.

mod coordinator;
mod dispatch;
mod engine;
mod error;
mod folder;
mod games;
mod identity;
#[cfg(test)]
mod simulation;
mod staff;
#[cfg(test)]
mod tests;
mod work;
mod worker;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::process;

pub use coordinator::{Coordinator, Settings, Take};
pub use engine::{Kind, Launch};
pub use error::ClusterError;
pub use games::{Cluster, Games};
pub use work::Work;
pub use worker::{work, Name, Post};

pub use crate::record::games::Mismatch;

/// Makes an interrupt (Ctrl-C) end the work in progress, for programs other than the arena.
///
/// # Errors
/// If the system refuses.
pub fn stop_on_interrupt() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(process::interrupt)
}

/// Whether tasks in progress are to end with [`GameError::Interrupted`](crate::game::GameError::Interrupted): after an interrupt, or
/// because the work is over. For a [`Work::play`] that isn't a game of this library.
pub fn is_stopped() -> bool {
    process::interrupted()
}

/// Interval between two looks at the shared files: the delay of orders, of games and of the end.
const LOOK: Duration = Duration::from_millis(50);

/// Interval between two signs of life.
const BEAT: Duration = Duration::from_secs(1);

/// A number for signs of life that differs from earlier ones.
fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

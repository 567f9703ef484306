//! The contests, one module each: rules, evaluations, both sides of the protocol, players.
//!
//! `cfg(not(bundled))` keeps code that only referees, consoles and tuners need out of bundles. The searches of
//! consoles and servers are a package of their own, `bots-searches`, with a file in each contest's folder.

#![forbid(unsafe_code)]

pub mod boop;
pub mod freckers;
pub mod grid;
pub mod lander;
pub mod mancala;
pub mod mnk;
pub mod oware;
pub mod photosynthesis;
pub mod podracing;
pub mod reversi;
pub mod sowing;
pub mod sudoku;
pub mod tictactoe;
pub mod tron;
pub mod uttt;
pub mod wondev;

#[cfg(test)]
mod every_contest;

#[cfg(not(bundled))]
use std::sync::LazyLock;

#[cfg(not(bundled))]
use contest::commands::referee::CommandContest;
#[cfg(not(bundled))]
use contest::Contest;

/// Every contest of this package, without searches.
#[cfg(not(bundled))]
pub fn contests() -> &'static [&'static dyn Contest] {
    static MANCALA: LazyLock<CommandContest<mancala::Board>> = LazyLock::new(mancala::contest::mancala);
    static OWARE: LazyLock<CommandContest<oware::Board>> = LazyLock::new(oware::contest::oware);
    static MNK: LazyLock<CommandContest<mnk::Board<{ mnk::protocol::CELLS }>>> =
        LazyLock::new(mnk::contest::mnk);
    static BOOP: LazyLock<CommandContest<boop::Board>> = LazyLock::new(boop::contest::boop);
    static FRECKERS: LazyLock<CommandContest<freckers::Board>> = LazyLock::new(freckers::contest::freckers);
    static ALL: LazyLock<Vec<&dyn Contest>> = LazyLock::new(|| {
        vec![
            &reversi::referee::REVERSI,
            &uttt::contest::UTTT,
            &tictactoe::contest::TIC_TAC_TOE,
            &*MANCALA,
            &*OWARE,
            &*MNK,
            &*BOOP,
            &*FRECKERS,
            &tron::contest::TRON,
            &lander::tools::referee::LANDER,
            &sudoku::contest::SUDOKU,
            &wondev::contest::WONDEV,
            &photosynthesis::referee::PHOTOSYNTHESIS,
            &podracing::referee::POD_RACING,
        ]
    });
    &ALL
}

/// The contest called `name`, in its default variant.
#[cfg(not(bundled))]
pub fn contest(name: &str) -> Option<&'static dyn Contest> {
    contests().iter().copied().find(|c| c.name() == name)
}

//! The contests, one module each: rules, evaluations, both sides of the protocol, players.
//!
//! `cfg(not(bundled))` keeps code that only referees, consoles and tuners need out of bundles.

#[cfg(feature = "serve")]
pub mod attend;
pub mod boop;
pub mod bot;
pub mod commands;
#[cfg(not(bundled))]
pub mod contest;
pub mod freckers;
pub mod grid;
pub mod lander;
pub mod mancala;
pub mod mnk;
#[cfg(not(bundled))]
pub mod notation;
pub mod reversi;
#[cfg(not(bundled))]
pub mod session;
pub mod sudoku;
pub mod tictactoe;
pub mod tunable;
pub mod uttt;

#[cfg(not(bundled))]
use std::sync::LazyLock;

#[cfg(not(bundled))]
use commands::referee::CommandContest;
#[cfg(not(bundled))]
use contest::Contest;

/// Every contest of this package.
#[cfg(not(bundled))]
pub fn contests() -> &'static [&'static dyn Contest] {
    static MANCALA: LazyLock<CommandContest<mancala::Board>> = LazyLock::new(mancala::contest::mancala);
    static MNK: LazyLock<CommandContest<mnk::Board<{ mnk::protocol::CELLS }>>> =
        LazyLock::new(mnk::contest::mnk);
    static BOOP: LazyLock<CommandContest<boop::Board>> = LazyLock::new(boop::contest::boop);
    static FRECKERS: LazyLock<CommandContest<freckers::Board>> = LazyLock::new(freckers::contest::freckers);
    static ALL: LazyLock<[&dyn Contest; 9]> = LazyLock::new(|| {
        [
            &reversi::referee::Reversi,
            &uttt::contest::UTTT,
            &tictactoe::contest::TIC_TAC_TOE,
            &*MANCALA,
            &*MNK,
            &*BOOP,
            &*FRECKERS,
            &lander::referee::LANDER,
            &sudoku::contest::SUDOKU,
        ]
    });
    &*ALL
}

/// The contest called `name`, in its default variant.
#[cfg(not(bundled))]
pub fn contest(name: &str) -> Option<&'static dyn Contest> {
    contests().iter().copied().find(|c| c.name() == name)
}

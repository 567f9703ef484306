//! One module a contest: its rules, evaluations, both sides of its protocol, its players.

#[cfg(feature = "serve")]
pub mod attend;
pub mod bot;
pub mod commands;
pub mod contest;
pub mod grid;
pub mod mancala;
pub mod mnk;
pub mod notation;
pub mod reversi;
pub mod session;
pub mod sudoku;
pub mod tictactoe;
pub mod tunable;
pub mod uttt;

use std::sync::LazyLock;

use commands::referee::CommandContest;
use contest::Contest;

/// Every contest of this package.
pub fn contests() -> &'static [&'static dyn Contest] {
    static MANCALA: LazyLock<CommandContest<mancala::Board>> = LazyLock::new(mancala::contest::mancala);
    static MNK: LazyLock<CommandContest<mnk::Board<{ mnk::contest::CELLS }>>> =
        LazyLock::new(mnk::contest::mnk);
    static ALL: LazyLock<[&dyn Contest; 5]> = LazyLock::new(|| {
        [&reversi::referee::Reversi, &uttt::contest::UTTT, &tictactoe::contest::TIC_TAC_TOE, &*MANCALA, &*MNK]
    });
    &*ALL
}

/// The contest called `name`, in its usual variant.
pub fn contest(name: &str) -> Option<&'static dyn Contest> {
    contests().iter().copied().find(|c| c.name() == name)
}

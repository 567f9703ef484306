//! One module a contest: its rules, evaluations, both sides of its protocol, its players.

pub mod bot;
pub mod contest;
pub mod grid;
pub mod mancala;
pub mod mnk;
pub mod reversi;
pub mod sudoku;
pub mod tictactoe;
pub mod uttt;

use contest::Contest;

/// Every contest of this package, by name.
pub fn contests() -> &'static [&'static dyn Contest] {
    static ALL: [&dyn Contest; 3] =
        [&reversi::referee::Reversi, &uttt::contest::UTTT, &tictactoe::contest::TIC_TAC_TOE];
    &ALL
}

/// The contest called `name`.
pub fn contest(name: &str) -> Option<&'static dyn Contest> {
    contests().iter().copied().find(|c| c.name() == name)
}

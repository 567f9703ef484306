//! One module a contest: its rules, evaluations, both sides of its protocol, its players.

pub mod bot;
pub mod contest;
pub mod mancala;
pub mod reversi;
pub mod tictactoe;
pub mod uttt;

use contest::Contest;

/// Every contest of this package, by name.
pub fn contests() -> &'static [&'static dyn Contest] {
    &[&reversi::referee::Reversi]
}

/// The contest called `name`.
pub fn contest(name: &str) -> Option<&'static dyn Contest> {
    contests().iter().copied().find(|c| c.name() == name)
}

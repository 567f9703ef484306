//! Games that no contest site has, by a protocol of commands: `init`, `play`, `go`, `quit`. One player and
//! one referee for all of them.

pub mod player;
#[cfg(not(bundled))]
pub mod referee;
#[cfg(not(bundled))]
mod searches;

#[cfg(not(bundled))]
pub use searches::searches;

use coppice::{Game, Player};

/// A game that is spoken about in commands.
pub trait Commands: Game + 'static {
    /// The contest's name on the command line.
    const NAME: &'static str;

    /// What stands in `init` in front of who is first and the time, for error messages and help: `M N K`.
    /// Empty if there is nothing to choose.
    const VARIANT: &'static str;

    /// What stands in `init` behind the variant: who the bot is, if it has the first move and if it has the second.
    const SIDES: [&'static str; 2] = ["1", "0"];

    /// The two as the usage of `init` writes them: a name with the words in brackets, or `red|blue`.
    const SIDE: &'static str = "first(0|1)";

    /// The usual variant.
    const USUAL: &'static str;

    /// A new game of a variant, given as many words as [`Commands::VARIANT`] has.
    ///
    /// # Errors
    /// What is wrong with them.
    fn start(words: &[&str]) -> Result<Self, String>;

    /// Reads a move, which need not be legal; `None` if it is nothing of the kind.
    fn read_move(&self, text: &str) -> Option<Self::Move>;

    /// Writes a legal move.
    fn write_move(&self, m: Self::Move) -> String;
}

/// A new game from the words of a variant in a line.
///
/// # Errors
/// What is wrong with them.
pub fn start<G: Commands>(words: &str) -> Result<G, String> {
    let words: Vec<&str> = words.split_ascii_whitespace().collect();
    if words.len() != G::VARIANT.split_ascii_whitespace().count() {
        let expected = if G::VARIANT.is_empty() { "nothing there" } else { G::VARIANT };
        return Err(format!("expected {expected}, found \"{}\"", words.join(" ")));
    }
    G::start(&words)
}

/// The line after a move that ends the game; nothing if it goes on.
pub fn write_end<G: Commands>(game: &G) -> Option<&'static str> {
    game.is_over().then(|| match game.payoff(Player::FIRST).sign() {
        1 => "end first",
        0 => "end draw",
        _ => "end second",
    })
}

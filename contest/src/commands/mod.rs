//! The command protocol: `init`, `play`, `go`, `quit`. For games that no contest site hosts; provides their
//! common player and referee.

pub mod player;
#[cfg(not(bundled))]
pub mod referee;
#[cfg(not(bundled))]
mod searches;

#[cfg(not(bundled))]
pub use searches::searches;

use coppice::{Game, Player};

/// A game played by the command protocol.
pub trait Commands: Game + 'static {
    /// The contest's name on the command line.
    const NAME: &'static str;

    /// The names of a variant's words, such as `M N K`, for error messages and help. In `init` the words
    /// precede the side and the time. Empty if there is only one variant.
    const VARIANT: &'static str;

    /// The words for the bot's side in `init`, after the variant: first player, second player.
    const SIDES: [&'static str; 2] = ["1", "0"];

    /// The two words as shown in the usage of `init`: a name with the words in brackets, or `red|blue`.
    const SIDE: &'static str = "first(0|1)";

    /// The default variant.
    const USUAL: &'static str;

    /// Starts a game of a variant. `words` has the same length as the list in [`Commands::VARIANT`].
    ///
    /// # Errors
    /// If the words are invalid.
    fn start(words: &[&str]) -> Result<Self, String>;

    /// Parses a move, which need not be legal; `None` if it is malformed.
    fn read_move(&self, text: &str) -> Option<Self::Move>;

    /// Writes a legal move.
    fn write_move(&self, m: Self::Move) -> String;
}

/// Starts a game from a line with the words of a variant.
///
/// # Errors
/// If the words are invalid.
pub fn start<G: Commands>(words: &str) -> Result<G, String> {
    let words: Vec<&str> = words.split_ascii_whitespace().collect();
    if words.len() != G::VARIANT.split_ascii_whitespace().count() {
        let expected = if G::VARIANT.is_empty() { "nothing there" } else { G::VARIANT };
        return Err(format!("expected {expected}, found \"{}\"", words.join(" ")));
    }
    G::start(&words)
}

/// The line sent after a move that ends the game; `None` if the game isn't over.
pub fn write_end<G: Commands>(game: &G) -> Option<&'static str> {
    game.is_over().then(|| match game.payoff(Player::FIRST).sign() {
        1 => "end first",
        0 => "end draw",
        _ => "end second",
    })
}

//! Plays a bot's game: read a turn, search, answer. The bot keeps the board itself, because the protocol sends only
//! moves. A malformed line ends the bot. A move that breaks the rules doesn't: the bot answers one of the listed
//! moves.

use std::env;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::Duration;

use coppice::input::{Input, InputError};
use coppice::{Clock, Player, Search};

use super::protocol::{read_turn, write_answer, Turn};
use super::Grid;
use contest::bot::{self, Settings};
use contest::tunable::Tunables;

/// The clock of a bot, with the platform's time limits.
pub const CLOCK: Clock = Clock::new(Duration::from_millis(1000), Duration::from_millis(100));

/// Plays a game on standard input and output with the search that `make` builds.
pub fn play<G: Grid, S: Search<G>, T: Tunables>(make: impl FnOnce(&Settings<T>) -> S) -> ExitCode {
    bot::run(env::args().skip(1), |settings| play_on(io::stdin().lock(), io::stdout().lock(), settings, make))
}

/// Plays a game over any input and output.
///
/// # Errors
/// The reason the game ended; [`InputError::Ended`] if the input did.
pub fn play_on<G: Grid, S: Search<G>, T: Tunables>(
    input: impl BufRead,
    output: impl Write,
    settings: &Settings<T>,
    make: impl FnOnce(&Settings<T>) -> S,
) -> Result<(), InputError> {
    let make = || (make(settings), KnownGame { game: G::START, me: None });
    bot::play_turns(Input::new(input), output, settings, CLOCK, make, |(search, known), input, budget| {
        let turn = read_turn::<G, _>(input)?;
        known.take(&turn);
        let best = bot::choose(&turn.actions, || search.search(&known.game, budget)).unwrap_or_default();
        known.play(best);
        Ok(write_answer::<G>(best))
    })
}

/// The game as reconstructed from moves. If the referee disagrees with the rules, the bot follows the referee: its
/// answers are always listed moves, whatever was played before.
struct KnownGame<G: Grid> {
    game: G,
    /// The bot's player, known from its first turn on.
    me: Option<Player>,
}

impl<G: Grid> KnownGame<G> {
    /// Brings the game to where the turn begins.
    fn take(&mut self, turn: &Turn<G::Move>) {
        turn.opening.iter().chain(&turn.opponent).for_each(|&m| self.play(m));
        let mover = self.game.to_move();
        if self.me.is_some_and(|me| me != mover) && !self.game.is_over() {
            bot::say("by the rules it is the opponent's turn; continuing as if the opponent had passed");
            self.game.force(None);
        }
        self.me = self.me.or(Some(mover));
    }

    /// Makes a move, even one that breaks the rules.
    fn play(&mut self, m: G::Move) {
        let mut list = G::Moves::default();
        self.game.moves(&mut list);
        if list.contains(&m) {
            self.game.play(m);
        } else {
            let (row, column) = G::place(m);
            bot::say(format_args!("{row} {column} breaks the rules; continuing with an uncertain position"));
            self.game.force(Some(m));
        }
    }
}

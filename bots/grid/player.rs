//! A bot's game: read a turn, think, answer. The board is the bot's own affair: it is told moves only.
//! A line that makes no sense ends it; moves against the rules don't: it answers one of the listed moves.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use coppice::input::{Input, InputError};
use coppice::{Clock, Player, Search};

use super::protocol::{read_turn, write_answer, Turn};
use super::Grid;
use contest::bot::{self, Output, Settings};
use contest::tunable::Tunables;

/// The platform's limits.
pub const FIRST: Duration = Duration::from_millis(1000);
/// For every answer after the first.
pub const LATER: Duration = Duration::from_millis(100);

/// Kept back of each limit. With three bots and two spinning processes on two cores, the worst of 5,000 answers was
/// 30 ms after its deadline, one in a hundred more than 16 ms.
const RESERVE: Duration = Duration::from_millis(35);

/// Plays a game on standard input and output with the search that `make` gives.
pub fn play<G: Grid, S: Search<G>, T: Tunables>(make: impl FnOnce(&Settings<T>) -> S) -> ExitCode {
    bot::run(|settings| play_on(io::stdin().lock(), io::stdout().lock(), settings, make))
}

/// Plays a game for a referee wherever it is.
///
/// # Errors
/// Why it ended; [`InputError::Ended`] if the input did.
pub fn play_on<G: Grid, S: Search<G>, T: Tunables>(
    input: impl BufRead,
    output: impl Write,
    settings: &Settings<T>,
    make: impl FnOnce(&Settings<T>) -> S,
) -> Result<(), InputError> {
    let mut input = Input::new(input);
    let mut output = Output(output);
    let mut clock = Clock::new(FIRST, LATER, RESERVE);
    let mut known = KnownGame { game: G::START, me: None };
    let mut started = input.wait()?;
    // Only now: what it takes to get the memory is part of the first turn.
    let mut search = make(settings);
    loop {
        let turn = read_turn::<G, _>(&mut input)?;
        known.take(&turn);
        let best = match turn.actions[..] {
            [only] => only,
            _ => {
                let report = search.search(&known.game, settings.budget(&mut clock, started));
                bot::say(format_args!(
                    "depth {}, score {}, {} nodes",
                    report.depth, report.score, report.nodes
                ));
                report.best.filter(|best| turn.actions.contains(best)).unwrap_or_else(|| {
                    bot::say("the listed moves are not those of the rules; taking the first");
                    turn.actions[0]
                })
            }
        };
        output.line(write_answer::<G>(best))?;
        clock.answered(Instant::now());
        known.play(best);
        started = input.wait()?;
    }
}

/// The game as far as it is known from moves alone. A referee that disagrees with the rules is followed: what the
/// bot answers must be one of the moves that are listed, whatever was played before.
struct KnownGame<G: Grid> {
    game: G,
    /// Who the bot is, once it has been asked.
    me: Option<Player>,
}

impl<G: Grid> KnownGame<G> {
    /// Brings the game to where the turn begins.
    fn take(&mut self, turn: &Turn<G::Move>) {
        turn.opening.iter().chain(&turn.opponent).for_each(|&m| self.play(m));
        let mover = self.game.to_move();
        if self.me.is_some_and(|me| me != mover) && !self.game.is_over() {
            bot::say("it would be the other's turn by the rules; going on as if it had passed");
            self.game.force(None);
        }
        self.me = self.me.or(Some(mover));
    }

    /// Makes a move, one against the rules as well as can be.
    fn play(&mut self, m: G::Move) {
        let mut list = G::Moves::default();
        self.game.moves(&mut list);
        if list.contains(&m) {
            self.game.play(m);
        } else {
            let (row, column) = G::place(m);
            bot::say(format_args!("{row} {column} is against the rules; going on, unsure of the position"));
            self.game.force(Some(m));
        }
    }
}

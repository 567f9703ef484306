//! Plays a search of this program as a bot's process, by the contest's protocol: where it meets programs.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use contest::serve::{AnswerTime, ServeSettings};
use contest::session::SessionSettings;
use contest::Contest;
use coppice::input::InputError;

use super::in_process::{on_large_stack, InProcess, InProcessError};
use super::limit::Limit;
use crate::process::command_line::CommandLine;

/// The subcommand that plays a search.
pub const BOT_COMMAND: &str = "as-bot";

/// The maximum time of an answer that has a budget of nodes: the arena's limits end it before.
const A_DAY: Duration = Duration::from_secs(86_400);

impl InProcess {
    /// The command line of a process that plays the search in the game of a seed; `text` is how it was given.
    ///
    /// # Errors
    /// If the system doesn't say where this program is.
    pub fn child(contest: &dyn Contest, text: &str, game_seed: u64) -> Result<CommandLine, InProcessError> {
        let program = std::env::current_exe().map_err(|error| InProcessError::Child(error.to_string()))?;
        let seed = game_seed.to_string();
        Ok(CommandLine::new(program, &[BOT_COMMAND, "--game-seed", &seed, contest.name(), text]))
    }

    /// Plays the bot's side of the contest's protocol until the input ends.
    ///
    /// # Errors
    /// If the search can't be served, the input is malformed, or a read or write fails.
    pub fn serve(
        &self,
        contest: &dyn Contest,
        game_seed: u64,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> Result<(), InputError> {
        let session = SessionSettings { seed: self.settings.seed ^ game_seed, ..self.settings.clone() };
        let (nodes, time) = match self.limit {
            Limit::Nodes(nodes) => (Some(nodes), AnswerTime::AtMost(A_DAY)),
            Limit::Milliseconds(ms) | Limit::Processor(ms) => {
                (None, AnswerTime::Exactly(Duration::from_millis(ms)))
            }
        };
        let settings = ServeSettings { session, nodes, ponder: false, time, position: None };
        contest.serve(&self.search, &settings, input, output)
    }

    /// Checks that the search can play as a process.
    ///
    /// # Errors
    /// If its contest has no player for it.
    pub fn check_served(&self, contest: &dyn Contest) -> Result<(), InProcessError> {
        let mut nothing = io::empty();
        match on_large_stack(|| self.serve(contest, 0, &mut nothing, &mut io::sink()))? {
            Err(InputError::Io(error)) => Err(InProcessError::Contest {
                contest: contest.name().to_owned(),
                why: error.to_string().into(),
            }),
            // It waits for the first line.
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_plays_by_the_protocol() {
        let contest = bots_searches::contest("tictactoe").unwrap();
        let search = InProcess::parse("in:minimax --nodes 500").unwrap().unwrap();
        let mut answers = Vec::new();
        let turn = "-1 -1\n9\n0 0\n0 1\n0 2\n1 0\n1 1\n1 2\n2 0\n2 1\n2 2\n";
        let played = on_large_stack(|| search.serve(contest, 1, &mut turn.as_bytes(), &mut answers)).unwrap();
        assert!(matches!(played, Err(InputError::Ended)), "{played:?}");
        assert_eq!(answers.iter().filter(|&&byte| byte == b'\n').count(), 1);
    }

    #[test]
    fn searches_of_all_contests_play_as_processes_but_minimax_of_puzzles() {
        for contest in bots_searches::contests() {
            for info in contest.search_list() {
                let search = InProcess::parse(&format!("in:{} --pool-mb 1", info.name)).unwrap().unwrap();
                let checked = search.check_served(*contest);
                assert_eq!(
                    checked.is_ok(),
                    contest.name() != "sudoku" || !info.name.starts_with("minimax"),
                    "{} {}: {checked:?}",
                    contest.name(),
                    info.name
                );
            }
        }
        let sudoku = bots_searches::contest("sudoku").unwrap();
        let said = InProcess::parse("in:minimax").unwrap().unwrap().check_served(sudoku).unwrap_err();
        assert_eq!(
            said.to_string(),
            "sudoku has no player by its protocol for the search minimax: it can't meet programs"
        );
    }
}

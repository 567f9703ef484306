//! Advice that makes the games of a run differ, where they repeat.

use contest::Setup;

use crate::game::in_process::InProcess;
use crate::series::openings::Openings;
use crate::series::Series;

/// Advice that holds in every contest: vary the bots' play.
const VARY_THE_BOTS: &str =
    "let the bots vary their play: a new random seed in each game, or a limit by time in place of a number of nodes";

impl Series<'_> {
    /// Advice on how to keep this run's games from repeating: only options that this contest and these bots have.
    pub fn advice_against_repeats(&self) -> String {
        let Some(contest) = self.host.contest() else { return VARY_THE_BOTS.to_owned() };
        let name = contest.name();
        let setup = Setup { seed: 0, opening_plies: 4, limits: contest.limits() };
        let game = contest.new_game(setup);
        if game.moves().is_empty() || game.asked().len() > 1 {
            return format!("{name} has no openings to vary; {VARY_THE_BOTS}");
        }
        let is_inside = |bot: &crate::series::entrant::Entrant| {
            matches!(InProcess::parse(&bot.line.to_string()), Ok(Some(_)))
        };
        if contest.opening_plies() == 0 && !self.bots.iter().all(is_inside) {
            return format!(
                "the protocol of {name} sends a bot only the last move and has no openings for outside bots (`in:` searches \
                 and the bots of this workspace alone read the line of --openings; others would fail at it); {VARY_THE_BOTS}"
            );
        }
        match &self.openings {
            Openings::Listed { name, .. } => {
                format!("add openings to {name} (--opening-file), or {VARY_THE_BOTS}")
            }
            Openings::Random { plies: 0 } | Openings::Balanced { plies: 0 } => {
                format!("begin the games with random plies, such as --openings 4, or {VARY_THE_BOTS}")
            }
            Openings::Random { plies } | Openings::Balanced { plies } => {
                format!(
                    "begin the games with more random plies than {plies} (--openings), or {VARY_THE_BOTS}"
                )
            }
        }
    }
}

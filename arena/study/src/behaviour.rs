//! Whether a player still plays as it did when a row was measured.

use contest::{Contest, Setup};
use sha2::{Digest, Sha256};

use super::error::StudyError;
use coppice_referee::game::in_process::{self, InProcess, Limit};
use coppice_referee::game::GameError;

/// The nodes of a move, and of one where a position has thousands, since such a game is as long.
const NODES: u64 = 300;
const FEW_NODES: u64 = 3;
const MANY_MOVES: usize = 1000;
/// The seed of the game, and its random plies.
const SEED: u64 = 1;
const PLIES: u32 = 2;

/// A digest of each player's moves in a game with itself, or in the first task.
///
/// # Errors
/// If a player can't play, or after an interrupt.
pub(crate) fn of(contest: &dyn Contest, lines: &[String]) -> Result<Vec<String>, StudyError> {
    lines.iter().map(|line| digest(contest, line)).collect()
}

fn digest(contest: &dyn Contest, line: &str) -> Result<String, StudyError> {
    let Some(player) = InProcess::parse(line)? else { return Ok(String::new()) };
    let plies = if contest.seats() == 1 { 0 } else { PLIES };
    let setup = Setup { seed: SEED, opening_plies: plies, limits: contest.limits() };
    let game = contest.new_game(setup);
    let has_many = game.asked().first().is_some_and(|&seat| game.legal_moves(seat).len() > MANY_MOVES);
    let player = InProcess { limit: Limit::Nodes(if has_many { FEW_NODES } else { NODES }), ..player };
    let opening = game.moves();
    let seats = vec![&player; contest.seats()];
    let game = in_process::play(contest, &seats, &opening, SEED)?.ok_or(GameError::Interrupted)?;
    let hash = Sha256::digest(format!("{}\n{:?}", game.moves, game.scores));
    Ok(hash[..4].iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_search_behaves_otherwise() {
        let contest = bots_searches::contest("tictactoe").expect("a contest");
        let lines = ["in:mcts --ms 5", "in:mcts --nodes 7", "in:mcts --param exploration=2", "in:random"];
        let all = of(contest, &lines.map(str::to_owned)).unwrap();
        assert!(all[0] == all[1] && all[0].len() == 8, "{all:?}");
        assert!(all[0] != all[3], "{all:?}");
        assert_eq!(all, of(contest, &lines.map(str::to_owned)).unwrap());
    }
}

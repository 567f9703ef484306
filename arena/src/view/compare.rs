//! What a search of this program would have answered in each turn.

use contest::session::SessionSettings;
use contest::Contest;

use super::{Other, Viewed};
use crate::game::in_process::InProcess;
use crate::process;

/// Asks the search about each turn of a game of two or more, in the positions of its record: fills in
/// [`ViewedTurn::other`](super::ViewedTurn::other).
///
/// # Errors
/// If the contest has no such search, or a move of the record can't be played in it.
pub fn compare(
    viewed: &mut Viewed,
    contest: &dyn Contest,
    search: &InProcess,
    mut step: impl FnMut(),
) -> Result<(), String> {
    if contest.seats() < 2 {
        return Err(
            "one player, whose games don't all begin alike: a search can't be put into its positions"
                .to_owned(),
        );
    }
    let settings = SessionSettings { game_seed: viewed.seed, ..search.settings.clone() };
    let mut session = contest.session(&search.search, &settings)?;
    let moves: Vec<String> = viewed.moves.split_whitespace().map(str::to_owned).collect();
    for turn in &mut viewed.turns {
        if process::interrupted() {
            break;
        }
        let Some(before) = turn.moves_before else { continue };
        while session.played().len() < before {
            let played = session.played().len();
            let next = moves.get(played).ok_or("the record has too few moves")?;
            session.play(next)?;
        }
        let thought = session.think_for(turn.seat, search.limit.budget());
        let score = f64::from(thought.score.value());
        turn.other = thought.best.map(|answer| Other { answer, score });
        step();
    }
    Ok(())
}

//! What a search of this program would have answered in each turn.

use std::cmp::Ordering;

use contest::session::{Session, SessionSettings};
use contest::{Contest, Seat};

use super::numbers::WIN;
use super::{Other, Viewed, ViewedTurn};
use crate::game::in_process::InProcess;
use crate::process;

/// Asks the search about each turn of a game of two or more, in the positions of its record: fills in
/// [`ViewedTurn::other`](super::ViewedTurn::other).
///
/// # Errors
/// If the contest has no such search.
pub fn compare(viewed: &mut Viewed, contest: &dyn Contest, search: &InProcess) -> Result<(), String> {
    if contest.seats() < 2 {
        return Err(
            "one player, whose games don't all begin alike: a search can't be put into its positions"
                .to_owned(),
        );
    }
    let settings = SessionSettings { game_seed: viewed.seed, ..search.settings.clone() };
    let mut session = contest.session(&search.search, &settings)?;
    let moves: Vec<String> = viewed.moves.split_whitespace().map(str::to_owned).collect();
    for at in 0..viewed.turns.len() {
        if process::interrupted() {
            break;
        }
        let turn = &viewed.turns[at];
        let Some(before) = turn.moves_before else { continue };
        if let Err(reason) = play_to(&mut *session, &moves, before) {
            // Searches don't know seats that are out of a game that goes on.
            viewed.notes.push(format!(
                "{} can't be asked from {} on: {reason}",
                search.search,
                viewed.label(at + 1)
            ));
            break;
        }
        let thought = session.think_for(turn.seat, search.limit.budget());
        let score = f64::from(thought.score.value());
        viewed.turns[at].other = thought.best.map(|answer| Other {
            marks: session.mark(viewed.turns[at].seat, &answer),
            answer,
            score,
            worth: None,
        });
    }
    let is_whole = play_to(&mut *session, &moves, moves.len()).is_ok();
    let result = (is_whole && session.to_move().is_none()).then(|| session.scores());
    fill_worth(viewed, result.as_deref());
    Ok(())
}

fn play_to(session: &mut dyn Session, moves: &[String], count: usize) -> Result<(), String> {
    while session.played().len() < count {
        let next = moves.get(session.played().len()).ok_or("the record has too few moves")?;
        session.play(next)?;
    }
    Ok(())
}

/// What each move was worth: the search's score in the next position, or the result after the last move.
fn fill_worth(viewed: &mut Viewed, result: Option<&[i64]>) {
    let seats = viewed.bots.len();
    for at in 0..viewed.turns.len() {
        let turn = &viewed.turns[at];
        // Of seats that are asked together next, the same one.
        let later = |next: &&ViewedTurn| next.moves_before > turn.moves_before;
        let first = viewed.turns[at..].iter().find(later);
        let together =
            |next: &&ViewedTurn| first.is_some_and(|first| first.moves_before == next.moves_before);
        let same = viewed.turns[at..].iter().filter(together).find(|next| next.seat == turn.seat);
        let next = same.or(first);
        let worth = match next {
            Some(next) => next.other.as_ref().and_then(|other| match next.seat == turn.seat {
                true => Some(other.score),
                false => (seats == 2).then_some(-other.score),
            }),
            None => result.and_then(|points| certain(points, turn.seat)),
        };
        let worth = worth.filter(|_| turn.failure.is_none());
        if let Some(other) = &mut viewed.turns[at].other {
            other.worth = worth;
        }
    }
}

/// A finished game's score for a seat.
fn certain(points: &[i64], seat: Seat) -> Option<f64> {
    let mine = points.get(seat)?;
    let best =
        points.iter().enumerate().filter(|(other, _)| *other != seat).map(|(_, points)| points).max()?;
    Some(match mine.cmp(best) {
        Ordering::Less => -WIN,
        Ordering::Equal => 0.0,
        Ordering::Greater => WIN,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::ViewedBot;

    #[test]
    fn a_move_is_worth_what_the_next_position_is() {
        // Seat 0, then 1, which moves twice since 0 must pass, then 0 makes the last move.
        let turn = |(seat, before, score): (Seat, usize, f64)| ViewedTurn {
            seat,
            moves_before: Some(before),
            other: Some(Other { score, ..Other::default() }),
            ..ViewedTurn::default()
        };
        let mut viewed = Viewed {
            bots: vec![ViewedBot::default(); 2],
            turns: [(0, 0, 5.0), (1, 1, -7.0), (1, 3, 9.0), (0, 4, -20.0)].map(turn).to_vec(),
            ..Viewed::default()
        };
        let worth = |viewed: &Viewed| {
            viewed
                .turns
                .iter()
                .map(|turn| turn.other.as_ref().and_then(|other| other.worth))
                .collect::<Vec<_>>()
        };
        fill_worth(&mut viewed, Some(&[12, 52]));
        assert_eq!(worth(&viewed), [Some(7.0), Some(9.0), Some(20.0), Some(-WIN)]);
        viewed.turns[1].failure = Some("crash".to_owned());
        fill_worth(&mut viewed, None);
        assert_eq!(worth(&viewed), [Some(7.0), None, Some(20.0), None]);
        assert_eq!([0, 1].map(|seat| certain(&[3, 3], seat)), [Some(0.0), Some(0.0)]);
    }
}

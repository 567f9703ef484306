//! The ratio of two searches' nodes or speeds.

use std::time::Instant;

use contest::session::Session;
use contest::{Contest, Setup};

use super::error::StudyError;
use super::row::{Figure, Row};
use coppice_referee::game::in_process::{self, InProcess, InProcessError};
use coppice_referee::game::GameError;
use coppice_referee::process;
use coppice_stats::Estimate;

/// Plies of a game in which nodes are compared: enough for openings and middle games, and few enough for boards with
/// thousands of cells.
const MOST_PLIES: u64 = 100;

/// Plies of a game in which speeds are compared, which depend less on the position.
const MOST_TIMED_PLIES: u64 = 30;

/// The amounts of both in one game.
#[derive(Debug, Clone, Default)]
struct Work {
    nodes: [f64; 2],
    seconds: [f64; 2],
    /// The nodes at each position.
    each: Vec<[f64; 2]>,
}

/// Compares nodes, in games of the first with itself, or on the first seat with another.
///
/// # Errors
/// If a game can't be played, or after an interrupt.
pub(crate) fn nodes(
    contest: &dyn Contest,
    row: &Row,
    searches: [&InProcess; 2],
    other: Option<&InProcess>,
    advance: &mut dyn FnMut(u32),
) -> Result<Figure, StudyError> {
    let games = games(contest, row, searches, other, MOST_PLIES, advance)?;
    figure(&games, false).ok_or_else(|| idle(contest, searches))
}

/// Compares nodes per second, in such games.
///
/// # Errors
/// If a game can't be played, or after an interrupt.
pub(crate) fn speed(
    contest: &dyn Contest,
    row: &Row,
    searches: [&InProcess; 2],
    other: Option<&InProcess>,
    advance: &mut dyn FnMut(u32),
) -> Result<Figure, StudyError> {
    let games = games(contest, row, searches, other, MOST_TIMED_PLIES, advance)?;
    figure(&games, true).ok_or_else(|| idle(contest, searches))
}

/// Runs one game at a time, so that no game takes another's processor.
fn games(
    contest: &dyn Contest,
    row: &Row,
    searches: [&InProcess; 2],
    other: Option<&InProcess>,
    plies: u64,
    advance: &mut dyn FnMut(u32),
) -> Result<Vec<Work>, StudyError> {
    let mut games = Vec::new();
    for number in 1..=row.asked {
        let setup = Setup { seed: number.into(), opening_plies: row.openings, limits: contest.limits() };
        let opening = contest.new_game(setup).moves();
        games.push(in_process::on_large_stack(|| game(contest, searches, other, setup, &opening, plies))??);
        advance(number);
    }
    Ok(games)
}

/// Lets both search every position that is theirs; the first's moves are played.
fn game(
    contest: &dyn Contest,
    searches: [&InProcess; 2],
    other: Option<&InProcess>,
    setup: Setup,
    opening: &str,
    plies: u64,
) -> Result<Work, StudyError> {
    let made = searches.into_iter().chain(other).map(|search| search.session_in(contest, setup.seed));
    let mut sessions = made.collect::<Result<Vec<_>, _>>()?;
    let bug = |moves: &str, why: String| InProcessError::Bug {
        search: searches[0].search.clone(),
        contest: contest.name().to_owned(),
        moves: moves.to_owned(),
        why,
    };
    let mut work = Work::default();
    let mut moves = opening.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    for text in &moves {
        for session in &mut sessions {
            session.play(text).map_err(|why| bug(opening, why.to_string()))?;
        }
    }
    while let Some(seat) = sessions[0].to_move().filter(|_| (work.each.len() as u64) < plies) {
        let best = match other.filter(|_| seat != 0) {
            Some(other) => sessions[2].think(other.limit.budget().unless(process::interrupt_flag())).best,
            None => work.measure(searches, &mut sessions),
        };
        if process::interrupted() {
            return Err(GameError::Interrupted.into());
        }
        let best = best.ok_or_else(|| bug(&moves.join(" "), "it made no move".to_owned()))?;
        for session in &mut sessions {
            session.play(&best).map_err(|why| bug(&moves.join(" "), why.to_string()))?;
        }
        moves.push(best);
    }
    Ok(work)
}

impl Work {
    /// Lets both search a position; returns the first's move.
    fn measure(&mut self, searches: [&InProcess; 2], sessions: &mut [Box<dyn Session>]) -> Option<String> {
        let (mut best, mut each) = (None, [0.0; 2]);
        for index in [1, 0] {
            let start = Instant::now();
            let budget = searches[index].limit.budget().unless(process::interrupt_flag());
            let thought = sessions[index].think(budget);
            self.seconds[index] += start.elapsed().as_secs_f64();
            self.nodes[index] += thought.nodes as f64;
            each[index] = thought.nodes as f64;
            best = thought.best;
        }
        self.each.push(each);
        best
    }
}

/// The median amount of one of both at a position.
fn median(games: &[Work], side: usize) -> f64 {
    let mut amounts: Vec<f64> = games.iter().flat_map(|work| &work.each).map(|each| each[side]).collect();
    amounts.sort_by(f64::total_cmp);
    match amounts.len() {
        0 => 0.0,
        count => (amounts[(count - 1) / 2] + amounts[count / 2]) / 2.0,
    }
}

/// The ratio of two sums of nodes, or of two speeds, with a 95 % interval from the variance between games: the
/// variance of
/// its logarithm by linearization (Cochran, *Sampling Techniques*, 1977, section 6.3), with games as the
/// sample. `None` if one of the sums is 0.
fn figure(games: &[Work], is_timed: bool) -> Option<Figure> {
    let costs = |work: &Work| if is_timed { work.seconds } else { [1.0; 2] };
    let sum = |pick: &dyn Fn(&Work) -> f64| games.iter().map(pick).sum::<f64>();
    let nodes = [0, 1].map(|side| sum(&|work| work.nodes[side]));
    let costs_in_all = [0, 1].map(|side| sum(&|work| costs(work)[side]));
    if nodes.iter().chain(&costs_in_all).any(|&sum| sum <= 0.0) {
        return None;
    }
    let rates = [nodes[0] / costs_in_all[0], nodes[1] / costs_in_all[1]];
    let off = |work: &Work| {
        let side = |side: usize| work.nodes[side] / nodes[side] - costs(work)[side] / costs_in_all[side];
        side(0) - side(1)
    };
    let count = games.len() as f64;
    let variance = games.iter().map(|work| off(work).powi(2)).sum::<f64>() * count / (count - 1.0).max(1.0);
    let logarithm = Estimate::normal((rates[0] / rates[1]).ln(), variance.sqrt());
    let Estimate { mean, low, high } = logarithm;
    Some(Figure::Times {
        times: Estimate { mean: mean.exp(), low: low.exp(), high: high.exp() },
        amounts: if is_timed { rates } else { nodes },
        positions: games.iter().map(|work| work.each.len() as u64).sum(),
        medians: if is_timed { [0.0; 2] } else { [0, 1].map(|side| median(games, side)) },
    })
}

/// The error for a search that counts no nodes.
fn idle(contest: &dyn Contest, searches: [&InProcess; 2]) -> StudyError {
    let names = searches.map(|search| search.search.as_str()).join(" and ");
    let why = format!("no nodes to compare of {names}: one of them counts none").into();
    InProcessError::Contest { contest: contest.name().to_owned(), why }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(nodes: [f64; 2], seconds: [f64; 2]) -> Work {
        Work { nodes, seconds, each: vec![nodes.map(|sum| sum / 10.0); 10] }
    }

    #[test]
    fn a_quotient_of_sums_and_its_interval() {
        let games = [of([10.0, 20.0], [1.0; 2]), of([30.0, 60.0], [1.0; 2])];
        let Some(Figure::Times { times, amounts, positions, medians }) = figure(&games, false) else {
            panic!("a ratio")
        };
        // All games have the same ratio.
        assert!((times.mean - 0.5).abs() < 1e-9 && times.error() < 1e-9, "{times:?}");
        assert_eq!((amounts, positions, medians), ([40.0, 80.0], 20, [2.0, 4.0]));
        let games = [of([10.0, 20.0], [1.0; 2]), of([30.0, 20.0], [1.0; 2])];
        let Some(Figure::Times { times, .. }) = figure(&games, false) else { panic!("a ratio") };
        // The deviations are (1/4 - 1/2) and (3/4 - 1/2): a variance of 2 * 2 * 1/16, so 1.96 * 0.5 in the logarithm.
        assert!((times.mean - 1.0).abs() < 1e-9 && (times.high.ln() - 0.979_982).abs() < 1e-5, "{times:?}");
    }

    #[test]
    fn a_quotient_of_rates() {
        let games = [of([10.0, 20.0], [1.0, 4.0]), of([30.0, 20.0], [1.0, 4.0])];
        let Some(Figure::Times { times, amounts, .. }) = figure(&games, true) else { panic!("a ratio") };
        assert_eq!(amounts, [20.0, 5.0]);
        assert_eq!(figure(&[of([0.0, 1.0], [1.0; 2])], false), None);
        assert!((times.mean - 4.0).abs() < 1e-9, "{times:?}");
    }
}

//! The players of [`Contest::attempt`](crate::contest::Contest::attempt), which fly without a protocol, for studies.

use std::time::{Duration, Instant};

use coppice::Budget;

use super::case::{Case, Flight};
use super::ground::Fate;
use super::minimax::{self, Descender};
use super::pilot::Pilot;
use super::planner;
use super::player::Navigator;
use super::referee::LOST;
use crate::contest::Attempt;
use crate::session::{SearchInfo, SessionSettings};
use crate::tunable::Tunables;

/// The players.
pub fn ways() -> Vec<SearchInfo> {
    vec![
        SearchInfo {
            name: "bot",
            about: "plans by steering laws and annealing, as submitted",
            tunables: planner::Numbers::default().list(),
        },
        SearchInfo {
            name: "minimax",
            about: "MiniFrame's player: minimax with siblings pruning, one action a turn, in ten megabytes",
            tunables: minimax::Numbers::default().list(),
        },
    ]
}

/// Flies a case with a player.
///
/// # Errors
/// If there is no such player, or a parameter is wrong.
pub fn fly(
    case: &Case,
    way: &str,
    settings: &SessionSettings,
    budget: &dyn Fn() -> Budget,
) -> Result<Attempt, String> {
    let mut pilot: Box<dyn Pilot> = match way {
        "bot" => Box::new(Navigator::new(&case.ground, &settings.numbers()?, settings.seed)),
        "minimax" => {
            let bytes = settings.bytes_or(minimax::BYTES);
            Box::new(Descender::new(&case.ground, &settings.numbers()?, bytes))
        }
        _ => return Err(format!("no player \"{way}\"; there are bot, minimax")),
    };
    let (mut flight, mut slowest) = (Flight::new(case), Duration::ZERO);
    while flight.fate == Fate::Flying {
        let start = Instant::now();
        let order = pilot.order(flight.now(), budget());
        slowest = slowest.max(start.elapsed());
        flight.fly(&case.ground, order);
    }
    let is_done = flight.fate == Fate::Landed;
    let score = if is_done { i64::from(flight.now().fuel) } else { LOST };
    Ok(Attempt { is_done, score, slowest })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::Contest;
    use crate::lander::referee::LANDER;

    #[test]
    fn both_land_on_gentle_ground() {
        let gentle = LANDER.variant("gentle").expect("a variant");
        for info in gentle.ways() {
            let settings = SessionSettings::default();
            let attempt = gentle.attempt(info.name, &settings, 1001, &|| Budget::nodes(20_000));
            let Attempt { is_done, score, .. } = attempt.expect("a flight");
            assert!(is_done && score > 0, "{}: {score}", info.name);
        }
        let wrong =
            SessionSettings { parameters: vec![("depth".into(), "3".into())], ..SessionSettings::default() };
        let budget = || Budget::nodes(1);
        assert!(gentle.attempt("minimax", &wrong, 1, &budget).is_err());
        assert!(gentle
            .attempt("magic", &wrong, 1, &budget)
            .expect_err("none")
            .contains("there are bot, minimax"));
    }
}

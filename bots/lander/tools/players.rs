//! The players of [`SinglePlayer::run`](contest::single_player::SinglePlayer::run), which fly without a protocol, for
//! studies.

use std::time::{Duration, Instant};

use coppice::Budget;

use super::contest::write_moves;
use crate::lander::bot::pilot::Pilot;
use crate::lander::bot::player::Navigator;
use crate::lander::miniframe::minimax::{self, Descender};
use crate::lander::physics::flight::LOST;
use crate::lander::physics::ground::Fate;
use crate::lander::solver::planner;
use crate::lander::tools::cases::case::{Case, Flight};
use contest::session::{SearchInfo, SessionError, SessionSettings};
use contest::single_player::Run;
use contest::tunable::Tunables;

/// Name and description of the submitted bot.
pub const BOT: (&str, &str) = ("bot", "plans by steering laws and annealing, as submitted");

/// Name and description of MiniFrame's player.
pub const MINIMAX: (&str, &str) =
    ("minimax", "MiniFrame's player: minimax with siblings pruning, one action a turn, in ten megabytes");

/// The players.
pub fn players() -> Vec<SearchInfo> {
    vec![
        SearchInfo { name: BOT.0, about: BOT.1, tunables: planner::Numbers::default().list() },
        SearchInfo { name: MINIMAX.0, about: MINIMAX.1, tunables: minimax::Numbers::default().list() },
    ]
}

/// Flies a case with a player.
///
/// # Errors
/// If the player is unknown, or a parameter is wrong.
pub fn fly(
    case: &Case,
    player: &str,
    settings: &SessionSettings,
    budget: &dyn Fn() -> Budget,
) -> Result<Run, SessionError> {
    let mut pilot: Box<dyn Pilot> = match player {
        "bot" => Box::new(Navigator::new(&case.ground, &settings.numbers()?, settings.seed)),
        "minimax" => {
            let bytes = settings.bytes_or(minimax::BYTES);
            Box::new(Descender::new(&case.ground, &settings.numbers()?, bytes))
        }
        _ => return Err(SessionError::unknown("player", player, [BOT.0, MINIMAX.0])),
    };
    let (mut flight, mut slowest_turn) = (Flight::new(case), Duration::ZERO);
    while flight.fate == Fate::Flying {
        let start = Instant::now();
        let order = pilot.order(flight.now(), budget());
        slowest_turn = slowest_turn.max(start.elapsed());
        flight.fly(&case.ground, order);
    }
    let completed = flight.fate == Fate::Landed;
    let score = if completed { i64::from(flight.now().fuel) } else { LOST };
    Ok(Run { completed, score, slowest_turn, moves: write_moves(&flight) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lander::tools::contest::LANDER;
    use contest::Contest;

    #[test]
    fn both_land_on_gentle_ground() {
        let gentle = LANDER.variant("gentle").expect("a variant");
        let gentle = gentle.single_player().expect("players");
        for info in gentle.players() {
            let settings = SessionSettings::default();
            let run = gentle.run(info.name, &settings, 1001, &|| Budget::nodes(20_000));
            let Run { completed, score, .. } = run.expect("a flight");
            assert!(completed && score > 0, "{}: {score}", info.name);
        }
        let wrong =
            SessionSettings { parameters: vec![("depth".into(), "3".into())], ..SessionSettings::default() };
        let budget = || Budget::nodes(1);
        assert!(gentle.run("minimax", &wrong, 1, &budget).is_err());
        assert!(gentle
            .run("magic", &wrong, 1, &budget)
            .expect_err("none")
            .to_string()
            .contains("available: bot, minimax"));
    }
}

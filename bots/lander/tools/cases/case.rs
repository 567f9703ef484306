//! A case: a ground with a start above it.

use std::fmt;

use coppice::input::{Input, InputError};

use crate::lander::bot::protocol::{self, read_init, read_turn};
use crate::lander::physics::flight::{Judging, Lander, Observation, Order};
use crate::lander::physics::ground::{Fate, Ground, GroundError, Point, ZONE};

/// Speed limit of a start in either direction, in m/s.
const START_SPEED: i32 = 500;

/// A ground, a start, and known results.
#[derive(Debug, Clone)]
pub struct Case {
    /// The name on the command line, such as `2.4`.
    pub name: String,
    /// The title for display.
    pub title: String,
    /// The ground.
    pub ground: Ground,
    /// The start.
    pub start: Observation,
    /// The most litres known to have been left after a landing.
    pub best_known: Option<i32>,
    /// An upper bound on the litres left.
    pub limit: Option<i32>,
}

/// The reason a case is invalid.
#[derive(Debug)]
pub enum CaseError {
    /// The text doesn't follow the protocol.
    Input(InputError),
    /// The ground is invalid.
    Ground(GroundError),
    /// The start is outside the zone, inside the ground, or too fast.
    Start(Observation),
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CaseError::Input(InputError::Ended) => f.write_str(
                "it ends too early: expected the number of points, their lines X Y, and a line X Y hSpeed vSpeed fuel \
                 rotate power, each ended by a newline",
            ),
            CaseError::Input(error) => error.fmt(f),
            CaseError::Ground(error) => error.fmt(f),
            CaseError::Start(start) => write!(
                f,
                "a start at {}, {} with speeds {}, {}: expected one in the zone, above the ground, with speeds below \
                 {START_SPEED}",
                start.x, start.y, start.h_speed, start.v_speed
            ),
        }
    }
}

impl std::error::Error for CaseError {}

impl Case {
    /// A case with `start` above a ground along `points`.
    ///
    /// # Errors
    /// If the ground or the start is invalid.
    pub fn new(name: &str, points: &[Point], start: Observation) -> Result<Case, CaseError> {
        Case::over(name, Ground::new(points).map_err(CaseError::Ground)?, start)
    }

    /// Parses the input of a bot: the lines of the ground and the first turn's. Ignores further lines.
    ///
    /// # Errors
    /// If the text is malformed, or the start is invalid.
    pub fn read(name: &str, text: &str) -> Result<Case, CaseError> {
        let mut input = Input::new(text.as_bytes());
        let ground = read_init(&mut input).map_err(CaseError::Input)?;
        let start = read_turn(&mut input).map_err(CaseError::Input)?;
        Case::over(name, ground, start)
    }

    fn over(name: &str, ground: Ground, start: Observation) -> Result<Case, CaseError> {
        let Observation { x, y, h_speed, v_speed, .. } = start;
        let is_slow = h_speed.abs() < START_SPEED && v_speed.abs() < START_SPEED;
        let is_inside = f64::from(x) < ZONE.0 && f64::from(y) < ZONE.1;
        if !is_slow || !is_inside || is_solid(ground.points(), (f64::from(x), f64::from(y))) {
            return Err(CaseError::Start(start));
        }
        let (name, title) = (name.to_owned(), String::new());
        Ok(Case { name, title, ground, start, best_known: None, limit: None })
    }

    /// This case with another judging of landings.
    #[must_use]
    pub fn judged(self, judging: Judging) -> Case {
        Case { ground: self.ground.judged(judging), ..self }
    }

    /// The first lines sent to a bot; [`Case::read`] parses them.
    pub fn text(&self) -> String {
        protocol::write_init(self.ground.points()) + &protocol::write_turn(&self.start)
    }

    /// Flies these orders until they run out or the flight ends.
    pub fn fly(&self, orders: impl IntoIterator<Item = Order>) -> Flight {
        let mut flight = Flight::new(self);
        let mut orders = orders.into_iter();
        while let (Fate::Flying, Some(order)) = (flight.fate, orders.next()) {
            flight.fly(&self.ground, order);
        }
        flight
    }
}

/// The path of a lander so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Flight {
    /// The lander's state at each second, from the start.
    pub states: Vec<Lander>,
    /// The outcome so far.
    pub fate: Fate,
}

impl Flight {
    /// A flight at its start.
    pub fn new(case: &Case) -> Flight {
        Flight { states: vec![Lander::from(case.start)], fate: Fate::Flying }
    }

    /// The current state.
    pub fn now(&self) -> &Lander {
        // The start is always present.
        &self.states[self.states.len() - 1]
    }

    /// Flies for a second; does nothing if the flight is over.
    pub fn fly(&mut self, ground: &Ground, order: Order) {
        if self.fate != Fate::Flying {
            return;
        }
        let before = *self.now();
        let after = before.after(order);
        self.fate = ground.fate((before.x, before.y), &after);
        self.states.push(after);
    }
}

/// Whether a point is inside the ground, or on it.
pub fn is_solid(points: &[Point], (x, y): (f64, f64)) -> bool {
    let is_over = points.windows(2).filter(|pair| {
        let [a, b] = [pair[0], pair[1]].map(|p| (f64::from(p.x), f64::from(p.y)));
        let (a, b) = if a.0 <= b.0 { (a, b) } else { (b, a) };
        a.0 <= x && x < b.0 && a.1 + (b.1 - a.1) * (x - a.0) / (b.0 - a.0) >= y
    });
    is_over.count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "3\n0 100\n1500 100\n6999 2000\n2500 2700 0 0 550 0 0\n";

    #[test]
    fn what_is_written_can_be_read() {
        let case = Case::read("a", TEXT).expect("a case");
        assert_eq!((case.name.as_str(), case.text().as_str()), ("a", TEXT));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |text: &str| Case::read("a", text).expect_err(text).to_string();
        assert!(error("3\n0 100\n1500 100\n6999 2000\n").starts_with("it ends too early"));
        assert!(error(&TEXT.replace("1500", "x")).starts_with("input line 3: expected a point"));
        for start in ["1000 50 0 0 550 0 0", "7000 2700 0 0 550 0 0", "2500 2700 500 0 550 0 0"] {
            let said = error(&TEXT.replace("2500 2700 0 0 550 0 0", start));
            assert!(said.contains("expected one in the zone, above the ground"), "{said}");
        }
    }

    #[test]
    fn below_a_roof_is_not_inside_the_ground() {
        let cave =
            [(0, 1000), (1000, 2000), (3000, 1900), (900, 1500), (1000, 100), (2500, 100), (6999, 1000)];
        let cave = cave.map(|(x, y)| Point { x, y });
        for (place, expected) in [
            ((2000.0, 1000.0), false),
            ((2000.0, 1800.0), true),
            ((2000.0, 2100.0), false),
            ((2000.0, 50.0), true),
            ((500.0, 1000.0), true),
        ] {
            assert_eq!(is_solid(&cave, place), expected, "{place:?}");
        }
    }
}

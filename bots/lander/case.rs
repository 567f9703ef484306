//! A ground with a start above it: what a flight begins with.

use std::fmt;

use coppice::input::{Input, InputError};

use super::flight::{Lander, Observation, Order};
use super::ground::{Fate, Ground, GroundError, Point, ZONE};
use super::protocol::{self, read_init, read_turn};

/// A start has less speed than this in either direction, in m/s.
const START_SPEED: i32 = 500;

/// A ground, a start, and what is known of them.
#[derive(Debug, Clone)]
pub struct Case {
    /// What it is called on the command line, such as `2.4`.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// The ground.
    pub ground: Ground,
    /// The start.
    pub start: Observation,
    /// The most litres that anybody is known to have had left.
    pub best_known: Option<i32>,
    /// Nobody can have more left.
    pub limit: Option<i32>,
}

/// Why there can be no such flight.
#[derive(Debug)]
pub enum CaseError {
    /// The text isn't a protocol's.
    Input(InputError),
    /// The ground is none.
    Ground(GroundError),
    /// The start is outside the zone, inside the ground, or too fast.
    Start(Observation),
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CaseError::Input(InputError::Ended) => f.write_str(
                "it ends too early: expected the number of points, their lines X Y, and a line X Y hSpeed vSpeed fuel \
                 rotate power, each with a line end",
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
    /// A flight from `start` over a ground along `points`.
    ///
    /// # Errors
    /// If there is no such ground, or the start is none.
    pub fn new(name: &str, points: &[Point], start: Observation) -> Result<Case, CaseError> {
        Case::over(name, Ground::new(points).map_err(CaseError::Ground)?, start)
    }

    /// Reads what a bot would be sent: the lines of the ground and the first turn's. Further lines are left out.
    ///
    /// # Errors
    /// If it isn't that, or the start is none.
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

    /// The lines that a bot is sent first; [`Case::read`] reads them.
    pub fn text(&self) -> String {
        protocol::write_init(self.ground.points()) + &protocol::write_turn(&self.start)
    }

    /// The flight under these orders, as far as it goes.
    pub fn fly(&self, orders: impl IntoIterator<Item = Order>) -> Flight {
        let mut flight = Flight::new(self);
        let mut orders = orders.into_iter();
        while let (Fate::Flying, Some(order)) = (flight.fate, orders.next()) {
            flight.fly(&self.ground, order);
        }
        flight
    }
}

/// A lander's way so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Flight {
    /// Where it was each second, from the start.
    pub states: Vec<Lander>,
    /// What became of it.
    pub fate: Fate,
}

impl Flight {
    /// At the start.
    pub fn new(case: &Case) -> Flight {
        Flight { states: vec![Lander::from(case.start)], fate: Fate::Flying }
    }

    /// Where it is.
    pub fn now(&self) -> &Lander {
        // There is always the start.
        &self.states[self.states.len() - 1]
    }

    /// A second of flight; none if it is over.
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

/// Whether a place is inside the ground, or on it.
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

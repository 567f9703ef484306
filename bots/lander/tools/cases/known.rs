//! The platform's own cases, with known results.

use super::case::Case;
use crate::lander::physics::flight::Observation;
use crate::lander::physics::ground::Point;

/// A case as defined by the platform.
struct Official {
    name: &'static str,
    title: &'static str,
    surface: &'static [(i32, i32)],
    /// X, Y, hSpeed, vSpeed, fuel, rotate, power.
    start: [i32; 7],
    /// The most litres left in any published flight. (Of 3.2: an hour of simulated annealing.)
    best_known: Option<i32>,
    /// Upper bound on the litres left, from the physics without the ground in the way.
    limit: Option<i32>,
}

/// All official cases. The first number of a name is the episode.
pub fn official() -> Vec<Case> {
    let case = |official: &Official| {
        let points = official.surface.iter().map(|&(x, y)| Point { x, y }).collect::<Vec<_>>();
        let [x, y, h_speed, v_speed, fuel, rotate, power] = official.start;
        let start = Observation { x, y, h_speed, v_speed, fuel, rotate, power };
        let case = Case::new(official.name, &points, start).expect("the platform's own case");
        let title = official.title.to_owned();
        Case { title, best_known: official.best_known, limit: official.limit, ..case }
    };
    OFFICIAL.iter().map(case).collect()
}

#[rustfmt::skip]
const OFFICIAL: [Official; 8] = [
    Official {
        name: "1.1",
        title: "Straight landing",
        surface: &[(0, 100), (1000, 500), (1500, 100), (3000, 100), (5000, 1500), (6999, 1000)],
        start: [2500, 2500, 0, 0, 500, 0, 0],
        best_known: None,
        limit: Some(325),
    },
    Official {
        name: "2.1",
        title: "Easy on the right",
        surface: &[(0, 100), (1000, 500), (1500, 1500), (3000, 1000), (4000, 150), (5500, 150), (6999, 800)],
        start: [2500, 2700, 0, 0, 550, 0, 0],
        best_known: Some(341),
        limit: Some(345),
    },
    Official {
        name: "2.2",
        title: "Initial speed, correct side",
        surface: &[(0, 100), (1000, 500), (1500, 100), (3000, 100), (3500, 500), (3700, 200), (5000, 1500), (5800, 300), (6000, 1000), (6999, 2000)],
        start: [6500, 2800, -100, 0, 600, 90, 0],
        best_known: Some(372),
        limit: Some(373),
    },
    Official {
        name: "2.3",
        title: "Initial speed, wrong side",
        surface: &[(0, 100), (1000, 500), (1500, 1500), (3000, 1000), (4000, 150), (5500, 150), (6999, 800)],
        start: [6500, 2800, -90, 0, 750, 90, 0],
        best_known: Some(517),
        limit: Some(518),
    },
    Official {
        name: "2.4",
        title: "Deep canyon",
        surface: &[(0, 1000), (300, 1500), (350, 1400), (500, 2000), (800, 1800), (1000, 2500), (1200, 2100), (1500, 2400), (2000, 1000), (2200, 500), (2500, 100), (2900, 800), (3000, 500), (3200, 1000), (3500, 2000), (3800, 800), (4000, 200), (5000, 200), (5500, 1500), (6999, 2800)],
        start: [500, 2700, 100, 0, 800, -90, 0],
        best_known: Some(545),
        limit: Some(552),
    },
    Official {
        name: "2.5",
        title: "High ground",
        surface: &[(0, 1000), (300, 1500), (350, 1400), (500, 2100), (1500, 2100), (2000, 200), (2500, 500), (2900, 300), (3000, 200), (3200, 1000), (3500, 500), (3800, 800), (4000, 200), (4200, 800), (4800, 600), (5000, 1200), (5500, 900), (6000, 500), (6500, 300), (6999, 500)],
        start: [6500, 2700, -50, 0, 1000, 90, 0],
        best_known: Some(728),
        limit: Some(731),
    },
    Official {
        name: "3.1",
        title: "Cave, correct side",
        surface: &[(0, 450), (300, 750), (1000, 450), (1500, 650), (1800, 850), (2000, 1950), (2200, 1850), (2400, 2000), (3100, 1800), (3150, 1550), (2500, 1600), (2200, 1550), (2100, 750), (2200, 150), (3200, 150), (3500, 450), (4000, 950), (4500, 1450), (5000, 1550), (5500, 1500), (6000, 950), (6999, 1750)],
        start: [6500, 2600, -20, 0, 1000, 45, 0],
        best_known: None,
        limit: None,
    },
    Official {
        name: "3.2",
        title: "Cave, wrong side",
        surface: &[(0, 1800), (300, 1200), (1000, 1550), (2000, 1200), (2500, 1650), (3700, 220), (4700, 220), (4750, 1000), (4700, 1650), (4000, 1700), (3700, 1600), (3750, 1900), (4000, 2100), (4900, 2050), (5100, 1000), (5500, 500), (6200, 800), (6999, 600)],
        start: [6500, 2000, 0, 0, 1200, 0, 0],
        best_known: Some(733),
        limit: None,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lander::physics::ground::Fate;
    use crate::lander::tools::contest::read_moves;

    #[test]
    fn every_official_case_can_be_flown() {
        let all = official();
        let names = all.iter().map(|case| case.name.as_str()).collect::<Vec<_>>();
        assert_eq!(names, ["1.1", "2.1", "2.2", "2.3", "2.4", "2.5", "3.1", "3.2"]);
        for case in &all {
            assert_eq!(Case::read(&case.name, &case.text()).expect("a case").start, case.start);
            assert!(case.best_known <= case.limit || case.limit.is_none(), "{}", case.name);
        }
        let limits = |case: &Case| case.limit.filter(|_| case.name.starts_with('2'));
        assert_eq!(all.iter().filter_map(limits).sum::<i32>(), 2519);
    }

    /// Each line of `records.txt`: a case, the litres left, and the orders, which the bot found.
    #[test]
    fn the_best_flights_found_are_landings() {
        let all = official();
        let mut sum = 0;
        for line in include_str!("records.txt").lines() {
            let mut words = line.splitn(3, ' ');
            let [name, litres, orders] = [(); 3].map(|()| words.next().expect("a word"));
            let case = all.iter().find(|case| case.name == name).expect("an official case");
            let flight = case.fly(read_moves(orders).expect("orders"));
            let litres: i32 = litres.parse().expect("a number");
            assert_eq!((flight.fate, flight.now().fuel), (Fate::Landed, litres), "{name}");
            sum += litres;
        }
        assert!(sum >= 2508, "{sum}");
    }
}

//! The single-player contest Mars Lander, and its referee.

use std::borrow::Cow;
use std::sync::Arc;

use coppice::rng::split_mix;
use coppice::{Budget, Rng};

use super::drawing;
use super::players;
use crate::lander::bot::protocol::{self, read_answer, write_answer, CLOCK};
use crate::lander::physics::flight::{Judging, Lander, Order, LEAN, LOST, THRUST, TURN};
use crate::lander::physics::ground::{Fate, Ground};
use crate::lander::tools::cases::case::{Case, Flight};
use crate::lander::tools::cases::known::official;
use crate::lander::tools::cases::terrain::{Start, Terrain};
use contest::drawing::{Drawing, Shape};
use contest::notation::one_of;
use contest::perft::Perft;
use contest::quantity::Quantity;
use contest::session::{SearchInfo, Searches, SessionError, SessionSettings};
use contest::sheet::Sheet;
use contest::single_player::{Run, SinglePlayer};
use contest::{Contest, Fault, IllegalMove, Limits, Referee, Seat, Setup, Unreadable};

/// Mars Lander: 1000 ms for the first answer, then 100 ms. Without a variant the game's seed generates the terrain.
#[derive(Debug, Clone)]
pub struct LanderContest {
    name: Cow<'static, str>,
    place: Place,
    judging: Judging,
    searches: Option<MakeLanderSearches>,
}

/// Makes the contest's pilots that read and write lines inside the process.
pub type MakeLanderSearches = fn(&LanderContest) -> Box<dyn Searches>;

/// The contest with random hard terrains.
pub static LANDER: LanderContest = LanderContest::new(None);

/// In front of a variant's words: landings are judged by exact speeds.
const STRICT: &str = "strict:";

/// Where a flight takes place.
#[derive(Debug, Clone)]
enum Place {
    /// On a terrain generated from the game's seed.
    Random(Terrain),
    /// Always in this case.
    Fixed(Arc<Case>),
}

impl Place {
    fn case(&self, seed: u64, judging: Judging) -> Arc<Case> {
        match self {
            Place::Random(terrain) => Arc::new(terrain.case(seed).judged(judging)),
            Place::Fixed(case) => Arc::clone(case),
        }
    }
}

impl LanderContest {
    const fn new(searches: Option<MakeLanderSearches>) -> LanderContest {
        let (place, judging) = (Place::Random(Terrain::Hard), Judging::Rounded);
        LanderContest { name: Cow::Borrowed("lander"), place, judging, searches }
    }

    /// The contest with random hard terrains and searches.
    pub const fn with_searches(searches: MakeLanderSearches) -> LanderContest {
        LanderContest::new(Some(searches))
    }

    /// The contest that always flies this case, without searches.
    pub fn of(case: Case) -> LanderContest {
        LANDER.at(case)
    }

    /// The contest that always flies this case.
    fn at(&self, case: Case) -> LanderContest {
        let judging = case.ground.judging();
        let strict = if judging == Judging::Strict { STRICT } else { "" };
        let name = Cow::Owned(format!("lander:{strict}{}", case.name));
        LanderContest { name, place: Place::Fixed(Arc::new(case)), judging, searches: self.searches }
    }

    /// The flight of a seed.
    pub fn game(&self, seed: u64) -> LanderGame {
        LanderGame::new(self.case(seed), Setup { seed, opening_plies: 0, limits: self.limits() })
    }

    fn case(&self, seed: u64) -> Arc<Case> {
        self.place.case(seed, self.judging)
    }

    /// The start for perft: the fixed case, or the terrain of seed 1.
    fn start(&self) -> (Arc<Case>, Lander) {
        let case = self.case(1);
        let lander = Lander::from(case.start);
        (case, lander)
    }
}

impl Contest for LanderContest {
    fn name(&self) -> &str {
        &self.name
    }

    fn variants(&self) -> Option<&'static str> {
        Some("[strict:]CASE|random|gentle[,DEGREES[,METRES]]|peaks|caves|walls|FILE")
    }

    fn variant(&self, words: &str) -> Result<Box<dyn Contest>, Unreadable> {
        let name: Cow<'static, str> = Cow::Owned(format!("lander:{words}"));
        let (judging, words) = match words.strip_prefix(STRICT) {
            Some(words) => (Judging::Strict, words),
            None => (Judging::Rounded, words),
        };
        let random = |terrain| {
            let place = Place::Random(terrain);
            let searches = self.searches;
            Ok(Box::new(LanderContest { name: name.clone(), place, judging, searches }) as Box<dyn Contest>)
        };
        if let Some(terrain) = Terrain::named(words) {
            return random(terrain);
        }
        if let Some(start) = words.strip_prefix("gentle,") {
            let start = read_start(start).ok_or_else(|| {
                format!(
                    "`{words}`: expected gentle,DEGREES or gentle,DEGREES,METRES: the most that a start leans, 0 to 90, and \
                     its greatest distance from the flat's middle, 0 to 3000"
                )
            })?;
            return random(Terrain::Easy(start));
        }
        let cases = official();
        if let Some(case) = cases.iter().find(|case| case.name == words) {
            return Ok(Box::new(self.at(case.clone().judged(judging))));
        }
        let names = cases.iter().map(|case| case.name.as_str()).collect::<Vec<_>>().join(", ");
        let text = contest::utf8::read_to_string(words).map_err(|error| {
            let terrains = Terrain::ALL.map(Terrain::name).join(", ");
            format!("expected one of {names}, {terrains}, or a file, found `{words}`: {error}")
        })?;
        let case = Case::read(words, &text).map_err(|error| format!("{words}: {error}"))?;
        Ok(Box::new(self.at(case.judged(judging))))
    }

    fn recorded(&self, dialogues: &[Vec<&str>]) -> Option<Box<dyn Contest>> {
        let lines = dialogues.first()?;
        let text = lines.iter().flat_map(|line| [line, "\n"]).collect::<String>();
        let case = Case::read("recorded", &text).ok()?.judged(self.judging);
        Some(Box::new(LanderContest { place: Place::Fixed(Arc::new(case)), ..self.clone() }))
    }

    fn seats(&self) -> usize {
        1
    }

    fn limits(&self) -> Limits {
        CLOCK.into()
    }

    fn new_game(&self, setup: Setup) -> Box<dyn Referee> {
        Box::new(LanderGame::new(self.case(setup.seed), setup))
    }

    fn perft(&self) -> Option<Box<dyn Perft + '_>> {
        Some(Box::new(self))
    }

    fn searches(&self) -> Option<Box<dyn Searches>> {
        self.searches.map(|searches| searches(self))
    }

    fn single_player(&self) -> Option<&dyn SinglePlayer> {
        Some(self)
    }
}

impl Perft for &LanderContest {
    fn count(&self, depth: u32) -> u64 {
        let (case, lander) = self.start();
        count(&case.ground, lander, depth)
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let (case, lander) = self.start();
        let below = |order: Order| match ended(&case.ground, lander, lander.after(order)) {
            true => u64::from(depth == 1),
            false => count(&case.ground, lander.after(order), depth.saturating_sub(1)),
        };
        reachable(&lander).map(|order| (name(order), below(order))).collect()
    }
}

impl SinglePlayer for LanderContest {
    fn players(&self) -> Vec<SearchInfo> {
        players::players()
    }

    fn run(
        &self,
        player: &str,
        settings: &SessionSettings,
        seed: u64,
        budget: &dyn Fn() -> Budget,
    ) -> Result<Run, SessionError> {
        players::fly(&self.case(seed), player, settings, budget)
    }
}

/// Reads `DEGREES` or `DEGREES,METRES`.
fn read_start(text: &str) -> Option<Start> {
    let (lean, away) = match text.split_once(',') {
        Some((lean, away)) => (lean, away.parse().ok()?),
        None => (text, Start::GENTLE.away),
    };
    let start = Start { lean: lean.parse().ok()?, away };
    (start.lean <= Start::GENTLE.lean && start.away <= Start::GENTLE.away).then_some(start)
}

/// The number of sequences of `depth` orders after which a flight goes on or ends with the last.
fn count(ground: &Ground, lander: Lander, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => reachable(&lander).count() as u64,
        _ => {
            let flying = reachable(&lander).map(|order| lander.after(order));
            let flying = flying.filter(|&after| !ended(ground, lander, after));
            flying.map(|after| count(ground, after, depth - 1)).sum()
        }
    }
}

fn ended(ground: &Ground, before: Lander, after: Lander) -> bool {
    ground.fate((before.x, before.y), &after) != Fate::Flying
}

/// The orders that can be followed exactly, by lean and thrust.
fn reachable(lander: &Lander) -> impl Iterator<Item = Order> {
    let Lander { rotate, power, fuel, .. } = *lander;
    let least = (power - 1).clamp(0, THRUST).min(fuel);
    let most = (power + 1).clamp(0, THRUST).min(fuel);
    let leans = (rotate - TURN).max(-LEAN)..=(rotate + TURN).min(LEAN);
    leans.flat_map(move |rotate| (least..=most).map(move |power| Order { rotate, power }))
}

/// An order without spaces.
fn name(order: Order) -> String {
    format!("{},{}", order.rotate, order.power)
}

/// A flight's moves: the orders as the lander followed them.
pub fn write_moves(flight: &Flight) -> String {
    let made = |lander: &Lander| name(Order { rotate: lander.rotate, power: lander.power });
    flight.states[1..].iter().map(made).collect::<Vec<_>>().join(" ")
}

/// Parses a game's moves: `-15,4 -30,4 ...`; `None` if malformed.
pub fn read_moves(moves: &str) -> Option<Vec<Order>> {
    moves.split_whitespace().map(|text| read_answer(&text.replacen(',', " ", 1))).collect()
}

/// A flight in play.
#[derive(Debug, Clone)]
pub struct LanderGame {
    case: Arc<Case>,
    flight: Flight,
    forfeited: bool,
}

impl LanderGame {
    /// A flight after `opening_plies` random orders; it stops before an order that would end the flight.
    pub fn new(case: Arc<Case>, setup: Setup) -> LanderGame {
        let mut seed = setup.seed;
        let mut rng = Rng::new(split_mix(&mut seed));
        let mut flight = Flight::new(&case);
        for _ in 0..setup.opening_plies {
            let orders = reachable(flight.now()).collect::<Vec<_>>();
            let mut next = flight.clone();
            next.fly(&case.ground, orders[rng.below(orders.len() as u32) as usize]);
            if next.fate != Fate::Flying {
                break;
            }
            flight = next;
        }
        LanderGame { case, flight, forfeited: false }
    }

    /// The flight so far.
    pub fn flight(&self) -> &Flight {
        &self.flight
    }

    fn judge(&self, line: &str) -> Result<Order, Fault> {
        read_answer(line).ok_or_else(|| protocol::ANSWER_FORM.into())
    }
}

impl Referee for LanderGame {
    fn init(&self, _seat: Seat) -> String {
        protocol::write_init(self.case.ground.points())
    }

    fn asked(&self) -> Vec<Seat> {
        match self.flight.fate {
            Fate::Flying if !self.forfeited => vec![0],
            _ => Vec::new(),
        }
    }

    fn reads_as_platform(&self) -> bool {
        true
    }

    fn turn(&self, _seat: Seat) -> String {
        protocol::write_turn(&self.flight.now().observation())
    }

    fn answer(&mut self, _seat: Seat, line: &str) -> Result<(), Fault> {
        let order = self.judge(line)?;
        self.flight.fly(&self.case.ground, order);
        Ok(())
    }

    /// The order as the lander can follow it.
    fn move_of(&self, _seat: Seat, line: &str) -> Result<String, Fault> {
        let Lander { rotate, power, .. } = self.flight.now().after(self.judge(line)?);
        Ok(name(Order { rotate, power }))
    }

    fn words(&self, _seat: Seat, text: &str) -> String {
        text.split_once(',')
            .map_or_else(|| text.to_owned(), |(rotate, power)| format!("rotate {rotate}, power {power}"))
    }

    fn open(&mut self, text: &str) -> Result<(), IllegalMove> {
        if self.flight.fate != Fate::Flying {
            return Err(format!("\"{text}\" can't be played: the flight is over").into());
        }
        let order = reachable(self.flight.now()).find(|&order| name(order) == text);
        let order = order.ok_or_else(|| {
            format!("\"{text}\" can't be reached; expected {}", one_of(&self.legal_moves(0)))
        })?;
        self.flight.fly(&self.case.ground, order);
        Ok(())
    }

    fn forfeit(&mut self, _seat: Seat) {
        self.forfeited = true;
    }

    /// The litres left after a landing, otherwise [`LOST`].
    fn scores(&self) -> Vec<i64> {
        vec![match self.flight.fate {
            Fate::Landed if !self.forfeited => i64::from(self.flight.now().fuel),
            _ => LOST,
        }]
    }

    /// The orders as the lander followed them.
    fn moves(&self) -> String {
        write_moves(&self.flight)
    }

    fn show(&self) -> String {
        drawing::draw(self.case.ground.points(), &self.flight)
    }

    fn sheet(&self, _seat: Option<Seat>) -> Sheet {
        Sheet { board: drawing::SIZE.1, ..self.show().into() }
    }

    fn draw(&self) -> Drawing {
        drawing::shapes(self.case.ground.points(), &self.flight)
    }

    fn quantities(&self) -> Vec<Quantity> {
        let Lander { x, y, h_speed, v_speed, fuel, rotate, .. } = *self.flight.now();
        // A fall to 1 m below the bottom.
        let (mut height, depth) = (y + 1.0, y + 1.0);
        self.case.ground.each_met((x, y), (x, -1.0), |share, _| height = height.min(share * depth));
        vec![
            Quantity::new("fuel", [fuel]).in_unit("l"),
            Quantity::new("height above the ground", [height.max(0.0).round()]).in_unit("m"),
            Quantity::new("horizontal speed", [h_speed.round()]).in_unit("m/s"),
            Quantity::new("vertical speed", [v_speed.round()]).in_unit("m/s"),
            Quantity::new("angle", [rotate]).in_unit("°"),
        ]
    }

    fn mark(&self, _seat: Seat, line: &str) -> Vec<Shape> {
        let now = self.flight.now();
        self.judge(line).map_or_else(|_| Vec::new(), |order| vec![drawing::step(now, &now.after(order))])
    }

    /// The orders that can be followed exactly; others are followed as far as possible.
    fn legal_moves(&self, _seat: Seat) -> Vec<String> {
        reachable(self.flight.now()).map(name).collect()
    }

    fn lists_moves(&self) -> bool {
        false
    }

    fn answer_of(&self, _seat: Seat, text: &str) -> String {
        match read_moves(text).as_deref() {
            Some(&[order]) => write_answer(order),
            _ => text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests;

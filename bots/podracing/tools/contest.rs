//! The contest Mad Pod Racing, and its referee.

use std::borrow::Cow;

use coppice::rng::split_mix;
use coppice::Rng;

use super::drawing;
use super::maps;
use crate::podracing::pod::{Order, Power};
use crate::podracing::protocol::{self, read_answer, read_order, write_answer, CLOCK};
use crate::podracing::race::{Race, PODS};
use crate::podracing::track::Track;
use contest::drawing::{Drawing, Shape};
use contest::perft::Perft;
use contest::quantity::Quantity;
use contest::session::Searches;
use contest::sheet::Sheet;
use contest::{Contest, Fault, IllegalMove, Limits, Referee, Seat, Setup, Unreadable};
use coppice::input::Input;

/// The contest's name.
const NAME: &str = "podracing";

/// Makes the players that run inside the calling program, for races on a track; `None`: on the platform's maps.
pub type MakeSearches = fn(Option<Track>) -> Box<dyn Searches>;

/// Mad Pod Racing, 1000 ms for the first answer, then 75 ms. The game's seed chooses one of the platform's maps, unless the
/// variant is a map: `podracing:X,Y,X,Y`.
#[derive(Debug, Clone)]
pub struct PodRacing {
    name: Cow<'static, str>,
    /// The track of every game; `None`: one of the platform's.
    track: Option<Track>,
    searches: Option<MakeSearches>,
}

/// The contest on the platform's maps, without searches.
pub static POD_RACING: PodRacing = PodRacing::new();

impl Contest for PodRacing {
    fn name(&self) -> &str {
        &self.name
    }

    fn seats(&self) -> usize {
        2
    }

    fn limits(&self) -> Limits {
        CLOCK.into()
    }

    fn new_game(&self, setup: Setup) -> Box<dyn Referee> {
        Box::new(self.game(setup))
    }

    fn variants(&self) -> Option<&'static str> {
        Some("X,Y,X,Y[,...]")
    }

    fn variant(&self, words: &str) -> Result<Box<dyn Contest>, Unreadable> {
        let race = self.on_map(words.split(','));
        Ok(Box::new(
            race.ok_or_else(|| format!("expected {MAP_FORM}, with commas between them, found \"{words}\""))?,
        ))
    }

    /// A replay's line `map=X Y X Y ...`.
    fn parameterised(&self, parameters: &str) -> Result<Option<Box<dyn Contest>>, Unreadable> {
        let Some(map) = parameters.lines().find_map(|line| line.trim().strip_prefix("map=")) else {
            return Ok(None);
        };
        let race = self.on_map(map.split_ascii_whitespace());
        Ok(Some(Box::new(race.ok_or_else(|| format!("`map=` and {MAP_FORM}"))?)))
    }

    fn recorded(&self, dialogues: &[Vec<&str>]) -> Option<Box<dyn Contest>> {
        let lines = dialogues.first()?;
        let text = lines.iter().flat_map(|line| [line, "\n"]).collect::<String>();
        let track = protocol::read_init(&mut Input::new(text.as_bytes())).ok()?;
        Some(Box::new(PodRacing { track: Some(track), ..self.clone() }))
    }

    /// None: orders can't be listed.
    fn perft(&self) -> Option<Box<dyn Perft + '_>> {
        None
    }

    fn searches(&self) -> Option<Box<dyn Searches>> {
        self.searches.map(|searches| searches(self.track))
    }
}

impl Default for PodRacing {
    fn default() -> PodRacing {
        PodRacing::new()
    }
}

impl PodRacing {
    /// The contest on the platform's maps.
    pub const fn new() -> PodRacing {
        PodRacing { name: Cow::Borrowed(NAME), track: None, searches: None }
    }

    /// The contest with players that run inside the calling program.
    pub const fn with_searches(searches: MakeSearches) -> PodRacing {
        PodRacing { name: Cow::Borrowed(NAME), track: None, searches: Some(searches) }
    }

    /// The contest on a map, given as words x and y by turns; `None` if they aren't a map.
    fn on_map<'a>(&self, words: impl Iterator<Item = &'a str>) -> Option<PodRacing> {
        let numbers = words.map(protocol::read_coordinate).collect::<Option<Vec<i16>>>()?;
        let points: Vec<[i16; 2]> =
            numbers.chunks(2).map(|point| point.try_into().ok()).collect::<Option<_>>()?;
        let track = Track::new(&points, maps::LAPS)?;
        let words: Vec<String> = numbers.iter().map(i16::to_string).collect();
        let name = Cow::Owned(format!("{NAME}:{}", words.join(",")));
        Some(PodRacing { name, track: Some(track), ..self.clone() })
    }

    /// A game of this contest.
    pub fn game(&self, setup: Setup) -> RaceGame {
        RaceGame::new(self.track.unwrap_or_else(|| maps::track(setup.seed)), setup)
    }
}

/// The form of a map, for messages.
const MAP_FORM: &str = "2 to 8 checkpoints, an x and a y of -30000 to 30000 each";

/// A team's orders, as they count in a turn: a bot that failed may have given none, or only the first.
type Orders = [Option<Order>; 2];

/// A race in progress.
#[derive(Debug, Clone)]
pub struct RaceGame {
    race: Race,
    /// The race at the beginning of each turn before this one, for the drawing.
    before: Vec<Race>,
    /// The orders given in this turn.
    orders: [Option<Orders>; 2],
    failed: [bool; 2],
    words: Vec<String>,
    is_over: bool,
}

impl RaceGame {
    /// A race on a track, after [`Setup::opening_plies`] turns of random orders.
    pub fn new(track: Track, setup: Setup) -> RaceGame {
        let mut game = RaceGame {
            race: Race::new(track),
            before: Vec::new(),
            orders: [None; 2],
            failed: [false; 2],
            words: Vec::new(),
            is_over: false,
        };
        let mut seed = setup.seed ^ 0x9e37_79b9_7f4a_7c15;
        let mut rng = Rng::new(split_mix(&mut seed));
        for _ in 0..setup.opening_plies {
            game.orders = [0, 1].map(|_| Some(random_orders(&mut rng).map(Some)));
            game.play();
        }
        game
    }

    /// The race at the beginning of this turn.
    pub fn race(&self) -> &Race {
        &self.race
    }

    /// Plays the turn once both teams have answered or failed.
    fn play(&mut self) {
        let answered = |seat: Seat| self.orders[seat].is_some() || self.failed[seat];
        if self.is_over || !answered(0) || !answered(1) {
            return;
        }
        let orders = [0, 1].map(|seat: Seat| self.orders[seat].take().unwrap_or_default());
        self.before.push(self.race.clone());
        for (pod, order) in self.race.pods.iter_mut().zip(orders.as_flattened()) {
            match order {
                Some(order) => pod.follow(*order),
                None => pod.coast(),
            }
        }
        self.race.advance();
        if !self.failed.contains(&true) {
            let words = orders.map(|orders| word(orders.map(Option::unwrap_or_default)));
            self.words.push(words.join("+"));
        }
        self.is_over = self.failed.contains(&true) || self.race.is_finished();
    }

    fn judge(line: &str) -> Result<[Order; 2], Fault> {
        read_answer(line).map_err(|_| protocol::ANSWER_FORM.into())
    }
}

/// An answer without spaces: `8000,4500,100/8000,4500,SHIELD`.
fn word(orders: [Order; 2]) -> String {
    write_answer(orders).replace(' ', ",").replace('\n', "/")
}

/// The orders of a team written without spaces, `8000,4500,100/8000,4500,SHIELD`; `None` if it is malformed.
pub fn read_word(text: &str) -> Option<[Order; 2]> {
    let (a, b) = text.split_once('/')?;
    let order = |part: &str| {
        let order = read_order(&part.replace(',', " "))?;
        (part.split(',').count() == 3).then_some(order)
    };
    Some([order(a)?, order(b)?])
}

/// Orders to random places on the map, with any power: random play.
pub fn random_orders(rng: &mut Rng) -> [Order; 2] {
    [0, 1].map(|_| {
        let (x, y) = (rng.below(16_000) as i32, rng.below(9_000) as i32);
        let power = match rng.below(64) {
            0 => Power::Boost,
            1..=3 => Power::Shield,
            _ => Power::Thrust(rng.below(201) as u8),
        };
        Order { x, y, power }
    })
}

impl Referee for RaceGame {
    fn init(&self, _seat: Seat) -> String {
        protocol::write_init(&self.race.track)
    }

    fn asked(&self) -> Vec<Seat> {
        let is_asked = |&seat: &Seat| !self.is_over && !self.failed[seat] && self.orders[seat].is_none();
        (0..2).filter(is_asked).collect()
    }

    fn turn(&self, seat: Seat) -> String {
        protocol::write_turn(&self.race, seat)
    }

    fn answer_lines(&self, _seat: Seat) -> usize {
        2
    }

    fn reads_as_platform(&self) -> bool {
        true
    }

    fn answer(&mut self, seat: Seat, line: &str) -> Result<(), Fault> {
        self.orders[seat] = Some(RaceGame::judge(line)?.map(Some));
        self.play();
        Ok(())
    }

    fn move_of(&self, _seat: Seat, line: &str) -> Result<String, Fault> {
        RaceGame::judge(line).map(word)
    }

    fn words(&self, seat: Seat, text: &str) -> String {
        let Some(orders) = read_word(text) else { return text.to_owned() };
        let pods = &self.race.pods[2 * seat..];
        let words = orders.iter().zip(pods).zip(1..).map(|((order, pod), number)| {
            let turn = pod.bearing([f64::from(order.x), f64::from(order.y)]).to_degrees().round() as i32;
            let power = match order.power {
                Power::Thrust(thrust) => format!("thrust {thrust}"),
                Power::Boost => "boost".to_owned(),
                Power::Shield => "shield".to_owned(),
            };
            let side = if turn < 0 { "left" } else { "right" };
            format!("pod {number} {}° {side}, {power}", turn.abs())
        });
        words.collect::<Vec<_>>().join("; ")
    }

    fn open(&mut self, text: &str) -> Result<(), IllegalMove> {
        if self.is_over {
            return Err(format!("\"{text}\" can't be played: the race is over").into());
        }
        let orders = text.split_once('+').and_then(|(a, b)| Some([read_word(a)?, read_word(b)?]));
        let orders = orders.ok_or_else(|| {
            format!(
                "\"{text}\" is not a turn; expected four orders, as in `X,Y,200/X,Y,BOOST+X,Y,0/X,Y,SHIELD`"
            )
        })?;
        self.orders = orders.map(|orders| Some(orders.map(Some)));
        self.play();
        Ok(())
    }

    /// The team is out. The turn is still simulated, without its orders, and the race ends.
    fn forfeit(&mut self, seat: Seat) {
        self.failed[seat] = true;
        self.orders[seat] = None;
        self.play();
    }

    /// See [`Race::points`].
    fn scores(&self) -> Vec<i64> {
        self.race.points([0, 1].map(|seat| self.failed[seat] || self.race.is_out(seat))).to_vec()
    }

    fn moves(&self) -> String {
        self.words.join(" ")
    }

    fn show(&self) -> String {
        drawing::draw(&self.race)
    }

    fn sheet(&self, _seat: Option<Seat>) -> Sheet {
        Sheet { board: drawing::SIZE[1], ..self.show().into() }
    }

    fn draw(&self) -> Drawing {
        drawing::shapes(&self.race, &self.before)
    }

    fn quantities(&self) -> Vec<Quantity> {
        let leaders = [0, 1].map(|team| self.race.pods[self.race.leader(team)]);
        vec![
            Quantity::new("checkpoints passed", leaders.map(|pod| pod.passed as f64)),
            Quantity::new("speed of the leading pod", leaders.map(|pod| pod.vx.hypot(pod.vy).round())),
        ]
    }

    fn mark(&self, seat: Seat, line: &str) -> Vec<Shape> {
        RaceGame::judge(line).map_or_else(|_| Vec::new(), |orders| drawing::mark(&self.race, seat, orders))
    }

    /// Some of them: to a checkpoint or into a corner of the map, with each kind of power.
    fn legal_moves(&self, seat: Seat) -> Vec<String> {
        let powers = [Power::Thrust(200), Power::Thrust(100), Power::Thrust(0), Power::Shield, Power::Boost];
        let corners = [[0, 0], [16_000, 0], [0, 9_000], [16_000, 9_000]];
        let places: Vec<[i16; 2]> = self.race.track.points().iter().chain(&corners).copied().collect();
        let order = |i: usize| {
            let [x, y] = places[i % places.len()].map(i32::from);
            Order { x, y, power: powers[i % powers.len()] }
        };
        // The pods' places and powers differ, and all pairs of a place and a power come up.
        let count = places.len() * powers.len();
        (0..count).map(|i| word([order(i + seat), order(7 * i + PODS)])).collect()
    }

    fn lists_moves(&self) -> bool {
        false
    }

    fn answer_of(&self, _seat: Seat, text: &str) -> String {
        read_word(text).map_or_else(|| text.to_owned(), write_answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> RaceGame {
        POD_RACING.game(Setup { seed: 3, opening_plies: 0, limits: POD_RACING.limits() })
    }

    #[test]
    fn both_teams_are_asked_and_a_turn_is_whole_or_not_there() {
        let mut game = game();
        assert_eq!((game.asked(), game.answer_lines(0)), (vec![0, 1], 2));
        let shown = game.show();
        game.answer(1, "0 0 200\n0 0 SHIELD far left").expect("orders");
        assert_eq!((game.asked(), game.moves(), game.show()), (vec![0], String::new(), shown));
        game.answer(0, "1 2 BOOST\n3 4 0").expect("orders");
        assert_eq!(game.moves(), "1,2,BOOST/3,4,0+0,0,200/0,0,SHIELD");
        let mut again = self::game();
        again.open(&game.moves()).expect("the same turn");
        assert_eq!((again.race(), again.turn(1)), (game.race(), game.turn(1)));
        let fault = game.answer(0, "0 0 201\n0 0 0").expect_err("too much");
        assert_eq!(
            fault.to_string(),
            format!("not an answer of this protocol; expected {}", protocol::ANSWER_FORM)
        );
        assert!(again
            .open("1,2,3/4,5,6+7,8,9")
            .expect_err("one order is missing")
            .to_string()
            .contains("four orders"));
    }

    #[test]
    fn a_team_that_fails_loses_whatever_its_place() {
        let mut race = game();
        race.forfeit(0);
        assert_eq!(race.asked(), [1]);
        race.answer(1, "0 0 0\n0 0 0").expect("orders");
        assert_eq!((race.asked(), race.scores()), (vec![], vec![0, 2]));
        race.forfeit(1);
        assert_eq!(race.scores(), [0, 0]);
    }

    #[test]
    fn a_race_without_a_checkpoint_ends_after_101_turns() {
        let mut race = game();
        let start = race.race.clone();
        while !race.asked().is_empty() {
            for seat in 0..2 {
                race.answer(seat, "0 0 0\n0 0 0").expect("orders");
            }
        }
        assert_eq!((race.race.turn, race.scores()), (101, vec![0, 0]));
        assert_eq!(race.race.pods.map(|pod| (pod.x, pod.y)), start.pods.map(|pod| (pod.x, pod.y)));
    }

    #[test]
    fn the_better_placed_team_has_more_points() {
        let mut race = game();
        race.race.pods[3].passed = race.race.track.goal() - 1;
        let [x, y] = race.race.track.centre(0);
        (race.race.pods[3].x, race.race.pods[3].y) = (x, y);
        for seat in 0..2 {
            race.answer(seat, "0 0 0\n0 0 0").expect("orders");
        }
        assert_eq!((race.asked(), race.scores()), (vec![], vec![1, 2]));
    }
}

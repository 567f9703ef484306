//! The contest, its variants, and its referee.

use std::borrow::Cow;
use std::fmt;

use coppice::rng::mix;
use coppice::{perft, Budget, Ended, Game, Player, Rng, Search};

use super::drawing;
use crate::wondev::action::Action;
use crate::wondev::board::{Actions, Board};
use crate::wondev::cells::{bit, NOWHERE};
use crate::wondev::eval::Weights;
use crate::wondev::league::League;
use crate::wondev::map::{self, Kind};
use crate::wondev::player::CLOCK;
use crate::wondev::position::Position;
use crate::wondev::protocol;
use crate::wondev::strategy::{submitted, Numbers};
use contest::drawing::{Drawing, Shape};
use contest::history::History;
use contest::notation::{self, Notation};
use contest::perft::Perft;
use contest::protocol::{GameReferee, Protocol};
use contest::quantity::Quantity;
use contest::session::Searches;
use contest::sheet::Layout;
use contest::{BenchResult, Contest, Fault, Limits, Referee, Seat, Sequential, Setup, Unreadable};

/// The contest's name.
const NAME: &str = "wondev";

/// How a game starts, given its seed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Start {
    /// On a grid drawn by the seed: of one kind, or of any.
    Random(League, Option<Kind>),
    /// Always the same.
    Fixed(Board),
}

impl Start {
    /// The start of a seed's game.
    pub fn of(self, seed: u64) -> Board {
        match self {
            Start::Fixed(board) => board,
            Start::Random(league, kind) => {
                let mut rng = Rng::new(mix(seed));
                let kind = kind.unwrap_or(Kind::ALL[rng.below(3) as usize]);
                map::start(league, kind, &mut rng)
            }
        }
    }
}

/// Makes the contest's searches for games with a start.
pub type MakeSearches = fn(Start) -> Box<dyn Searches>;

/// Wondev Woman on the platform: 1000 ms for the first answer, then 50 ms.
pub struct Wondev {
    name: Cow<'static, str>,
    start: Start,
    searches: Option<MakeSearches>,
}

/// The contest in its last league, on all kinds of grids.
pub static WONDEV: Wondev =
    Wondev { name: Cow::Borrowed(NAME), start: Start::Random(League::Fog, None), searches: None };

impl Wondev {
    /// The contest with searches.
    pub const fn with_searches(searches: MakeSearches) -> Wondev {
        Wondev {
            name: Cow::Borrowed(NAME),
            start: Start::Random(League::Fog, None),
            searches: Some(searches),
        }
    }
}

impl fmt::Debug for Wondev {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Wondev").field(&self.name).finish()
    }
}

impl Contest for Wondev {
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
        Box::new(WondevGame::new(Position::new(self.start.of(setup.seed)), WondevProtocol, setup))
    }

    fn variants(&self) -> Option<&'static str> {
        Some("LEAGUE(0-3)[,square|diamond|random]")
    }

    fn variant(&self, words: &str) -> Result<Box<dyn Contest>, Unreadable> {
        let expected = || {
            format!("`{words}`: expected a league from 0 to 3, then nothing, or a comma and square, diamond or random")
        };
        let (league, kind) = match words.split_once(',') {
            Some((league, kind)) => (league, Some(kind)),
            None => (words, None),
        };
        let league = league.parse().ok().and_then(|number: usize| League::ALL.get(number).copied());
        let league = league.ok_or_else(expected)?;
        let kind = match kind {
            None => None,
            Some(name) => Some(Kind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(expected)?),
        };
        let name = Cow::Owned(format!("{NAME}:{words}"));
        Ok(Box::new(Wondev { name, start: Start::Random(league, kind), searches: self.searches }))
    }

    fn recorded(&self, dialogues: &[Vec<&str>]) -> Option<Box<dyn Contest>> {
        let is_climb = matches!(self.start, Start::Random(League::Climb, _));
        let start = Start::Fixed(recorded_start(dialogues, is_climb)?);
        Some(Box::new(Wondev { name: self.name.clone(), start, searches: self.searches }))
    }

    fn perft(&self) -> Option<Box<dyn Perft + '_>> {
        Some(Box::new(BoardPerft(self.start.of(0))))
    }

    fn bench(&self) -> Vec<BenchResult> {
        bench()
    }

    fn searches(&self) -> Option<Box<dyn Searches>> {
        self.searches.map(|searches| searches(self.start))
    }
}

/// Counts on a board that shows everything: what players believe changes nothing.
struct BoardPerft(Board);

impl Perft for BoardPerft {
    fn count(&self, depth: u32) -> u64 {
        perft(&self.0, depth, Ended::Dropped)
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let below = depth.saturating_sub(1);
        let count = |&action: &Action| (action.short(), perft(&self.0.after(action), below, Ended::Dropped));
        let mut list = Actions::default();
        self.0.moves(&mut list);
        list.iter().map(count).collect()
    }
}

/// The start of a recorded game, from what each seat was sent first: all heights are 0 then, and a unit that the first
/// player saw may have been pushed before the second player's first turn, any other not. The lines of the first league are those
/// of the second; `is_climb` says which it is.
pub fn recorded_start(dialogues: &[Vec<&str>], is_climb: bool) -> Option<Board> {
    let mut boards = dialogues.iter().map(|lines| {
        let text = lines.iter().flat_map(|line| [line, "\n"]).collect::<String>();
        let mut input = coppice::input::Input::new(text.as_bytes());
        let init = protocol::read_init(&mut input).ok()?;
        Some((init, protocol::read_turn(&mut input, init).ok()?.seen))
    });
    let (init, first) = boards.next()??;
    let second = boards.next()??.1;
    let mut units = [first.units[0], [NOWHERE; 2]];
    for (at, unit) in units[1].iter_mut().enumerate().take(init.units) {
        *unit = match first.units[1][at] {
            NOWHERE => second.units[0][at],
            seen => seen,
        };
    }
    // Without fog the first player sees units that are two steps and more away.
    let sees_far = units[1][..init.units].iter().zip(first.units[1]).all(|(unit, seen)| *unit == seen);
    let near = first.sight(Player::FIRST);
    let is_far = units[1][..init.units].iter().any(|&unit| bit(unit) & near == 0);
    let league = match init.units {
        1 if is_climb => League::Climb,
        1 => League::Points,
        _ if sees_far && is_far => League::Pushes,
        _ => League::Fog,
    };
    Some(Board::new(league, first.cells, units))
}

/// A game in progress.
pub type WondevGame = GameReferee<Position, WondevProtocol>;

/// The referee's side of the protocol.
#[derive(Debug, Clone, Copy)]
pub struct WondevProtocol;

impl Protocol<Position> for WondevProtocol {
    /// The protocol can't tell of moves before a bot's first turn.
    const MAX_OPENING_PLIES: u32 = 0;

    fn init(&self, history: &History<Position>, _seat: Seat) -> String {
        protocol::write_init(&history.game().board)
    }

    fn turn(&self, history: &History<Position>, _seat: Seat) -> String {
        protocol::write_turn(&history.game().seen())
    }

    fn read(&self, _game: &Position, _: Player, answer: &str) -> Result<Action, Fault> {
        Ok(answer.parse()?)
    }

    fn write(&self, _game: &Position, _: Player, action: Action) -> String {
        action.to_string()
    }

    fn reads_as_platform(&self) -> bool {
        true
    }

    /// With fog, what the seat sees.
    fn show_to(&self, game: &Position, seat: Seat) -> Option<String> {
        game.board.league.has_fog().then(|| game.shown_to(Player::new(seat as u8)))
    }

    /// A player that fails is out; the other plays on.
    fn substitute(&self, _game: &Position, _: Player) -> Option<Action> {
        Some(Action::ACCEPT)
    }
}

impl Notation for Position {
    type Kind = Sequential;

    fn name(&self, _: Player, action: Action) -> String {
        action.short()
    }

    fn words(&self, _: Player, action: Action) -> String {
        if action == Action::ACCEPT {
            return "give up".to_owned();
        }
        let (unit, first, second) = (action.unit(), action.first().name(), action.second().name());
        match action.is_push() {
            true => format!("unit {unit}: push {first} to {second}"),
            false => format!("unit {unit}: move {first}, build {second}"),
        }
    }

    /// A player may give up at any time.
    fn unlisted(&self, _: Player) -> Vec<Action> {
        match notation::listed(self)[..] {
            [] | [Action::ACCEPT] => Vec::new(),
            _ => vec![Action::ACCEPT],
        }
    }

    fn points(&self, player: Player) -> i64 {
        self.board.score(player)
    }

    fn draw(&self, last: Option<Action>) -> Drawing {
        drawing::draw(self, last)
    }

    fn quantities(&self) -> Vec<Quantity> {
        let both = [Player::FIRST, Player::SECOND];
        let points = both.map(|player| self.board.points[player.index()]);
        let moves = |player: Player| {
            let mut list = Actions::default();
            self.board.with_mover(player).list(&mut list);
            list.len() as u32
        };
        vec![Quantity::new("points", points), Quantity::new("moves in reach", both.map(moves))]
    }

    fn layout(&self) -> Layout {
        let size = usize::from(map::size(self.board.cells));
        let lines = (0..size).collect::<Vec<_>>();
        // A cell is a space, its height and its unit.
        let characters = lines.iter().map(|at| 3 * at + 1).collect::<Vec<_>>();
        Layout { width: 2, ..Layout::board(&lines, &characters) }
    }

    fn mark(&self, _: Player, action: Action) -> Vec<Shape> {
        drawing::mark(self, action)
    }
}

/// Searches positions of random games after 0 to 40 plies.
fn bench() -> Vec<BenchResult> {
    let mut search = submitted(&Numbers::default(), &Weights::default(), 4 << 20);
    let (mut nodes, mut digest) = (0, 0);
    for (seed, plies) in (0..).zip((0..=40).step_by(8)) {
        let mut rng = Rng::new(seed);
        let mut position = Position::new(Start::Random(League::Fog, None).of(seed));
        for _ in 0..plies {
            position.random_move(&mut rng).into_iter().for_each(|action| position.play(action));
        }
        let report = search.search(&position, Budget::nodes(5_000));
        nodes += report.nodes;
        let best = report.best.map_or(u64::MAX, |action| u64::from(action.code()));
        digest = mix(digest ^ mix(best) ^ report.score.value() as u64);
    }
    vec![BenchResult { search: "bot, 5000 nodes", nodes, digest }]
}

//! The pilots as bots that read and write lines inside the process, for consoles and games without processes.

use std::sync::{Mutex, PoisonError};

use contest::session::{
    LineAnswer, LinePlayer, LineTree, RefereedOffer, RefereedSearches, Searches, SessionSettings,
};
use contest::Referee;
use coppice::input::Input;
use coppice::{Budget, Report, Score};

use super::players::{BOT, MINIMAX};
use super::watched::Watched;
use crate::lander::bot::exact_state::Tracked;
use crate::lander::bot::player::Navigator;
use crate::lander::bot::protocol::{read_init, read_turn, write_answer};
use crate::lander::miniframe::minimax::{self, Descender};
use crate::lander::physics::flight::Lander;
use crate::lander::physics::ground::Ground;
use crate::lander::solver::planner;

/// The pilots, in flights that `new_game` makes from a seed.
pub fn searches(
    new_game: impl Fn(u64) -> Box<dyn Referee + Send> + Send + Sync + 'static,
) -> Box<dyn Searches> {
    let (bot, minimax) = (BOT, MINIMAX);
    let bot =
        RefereedOffer::tunable(bot.0, bot.1, |settings: &SessionSettings, numbers: &planner::Numbers| {
            let (numbers, seed) = (*numbers, settings.seed);
            Lines::new(move |ground| Box::new(Navigator::new(ground, &numbers, seed)))
        });
    let minimax = RefereedOffer::tunable(
        minimax.0,
        minimax.1,
        |settings: &SessionSettings, numbers: &minimax::Numbers| {
            let (numbers, bytes) = (*numbers, settings.bytes_or(minimax::BYTES));
            Lines::new(move |ground| Box::new(Descender::new(ground, &numbers, bytes)))
        },
    );
    Box::new(RefereedSearches::new(new_game, vec![bot, minimax]))
}

type BoxedPilot = Box<dyn Watched + Send>;

/// A pilot behind lines.
struct Lines {
    make: Box<dyn Fn(&'static Ground) -> BoxedPilot + Send>,
    pilot: Option<BoxedPilot>,
    state: Tracked,
}

impl Lines {
    fn new(make: impl Fn(&'static Ground) -> BoxedPilot + Send + 'static) -> Lines {
        Lines { make: Box::new(make), pilot: None, state: Tracked::default() }
    }

    /// Reads a turn, on the first one the ground too.
    fn read(&mut self, turn: &str) -> Lander {
        let mut input = Input::new(turn.as_bytes());
        if self.pilot.is_none() {
            let ground = read_init(&mut input).expect("the referee writes a ground");
            self.pilot = Some((self.make)(kept(ground)));
        }
        self.state.check(read_turn(&mut input).expect("the referee writes a turn"))
    }
}

impl LinePlayer for Lines {
    fn answer(&mut self, turn: &str, budget: Budget) -> LineAnswer {
        let lander = self.read(turn);
        let pilot = self.pilot.as_mut().expect("it was made before the first turn");
        let order = pilot.order(&lander, budget);
        let Report { score, nodes, depth, .. } = pilot.report().unwrap_or(Report::ended(Score::DRAW));
        self.state.expect(lander, order);
        LineAnswer { text: write_answer(order), score, nodes, depth }
    }

    fn observe(&mut self, turn: &str) {
        self.read(turn);
        // The state after this order isn't known: the next turn is taken as it is told.
        self.state = Tracked::default();
    }

    fn tree(&self) -> Option<LineTree> {
        self.pilot.as_ref()?.tree()
    }
}

/// A ground that lives as long as the program, since pilots borrow it. Each is kept once.
fn kept(ground: Ground) -> &'static Ground {
    static ALL: Mutex<Vec<&'static Ground>> = Mutex::new(Vec::new());
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = all.iter().find(|known| known.points() == ground.points()) {
        return known;
    }
    let leaked: &'static Ground = Box::leak(Box::new(ground));
    all.push(leaked);
    leaked
}

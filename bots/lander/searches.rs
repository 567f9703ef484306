//! The pilots as bots that read and write lines inside the process, for consoles, servers and games without processes.

use std::io::{BufRead, Write};
use std::sync::{Mutex, PoisonError};

use bots::lander::bot::exact_state::Tracked;
use bots::lander::bot::pilot::{play_on, Pilot};
use bots::lander::bot::player::Navigator;
use bots::lander::bot::protocol::{read_init, read_turn, write_answer};
use bots::lander::miniframe::minimax::{self, Descender};
use bots::lander::physics::flight::{Lander, Order};
use bots::lander::physics::ground::Ground;
use bots::lander::solver::planner;
use bots::lander::tools::contest::LanderContest;
use bots::lander::tools::players::{BOT, MINIMAX};
use bots::lander::tools::watched::Watched;
use contest::session::serve::{refused, AnswerTime, ServeSettings};
use contest::session::{
    LineAnswer, LinePlayer, LineTree, RefereedOffer, RefereedSearches, Searches, ServedByName,
    SessionSettings,
};
use coppice::input::{Input, InputError};
use coppice::{Budget, Report, Score};

/// The contest with its pilots.
pub static LANDER: LanderContest = LanderContest::with_searches(searches);

fn searches(contest: &LanderContest) -> Box<dyn Searches> {
    let contest = contest.clone();
    let new_game = move |seed| Box::new(contest.game(seed)) as _;
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
    Box::new(ServedByName::new(RefereedSearches::new(new_game, vec![bot, minimax]), serve))
}

/// The bot's side of the protocol with one of the pilots.
fn serve(
    search: &str,
    settings: &ServeSettings,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), InputError> {
    let ServeSettings { session, time, .. } = settings;
    let time = *time;
    if search == MINIMAX.0 {
        let (numbers, bytes) = (session.numbers().map_err(refused)?, session.bytes_or(minimax::BYTES));
        return play_on(input, output, &settings.bot(), |ground, _| {
            Box::new(Capped { pilot: Descender::new(ground, &numbers, bytes), time })
        });
    }
    let numbers = session.numbers().map_err(refused)?;
    play_on(input, output, &settings.bot(), |ground, settings| {
        Box::new(Capped { pilot: Navigator::new(ground, &numbers, settings.seed), time })
    })
}

/// A pilot with a cap on thinking time.
struct Capped<P> {
    pilot: P,
    time: AnswerTime,
}

impl<P: Pilot> Pilot for Capped<P> {
    fn order(&mut self, lander: &Lander, budget: Budget) -> Order {
        self.pilot.order(lander, self.time.budget(budget))
    }

    fn say(&self) {
        self.pilot.say();
    }
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
        let told = read_turn(&mut input).expect("the referee writes a turn");
        // Another order than the pilot's may have been played: that is no news to report.
        self.state.exact(&told).unwrap_or_else(|| told.into())
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

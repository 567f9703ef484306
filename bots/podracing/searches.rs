//! Players of pod races, for sessions, servers and games without processes.

use std::io::{BufRead, Write};

use bots::podracing::plans::{Numbers, Plans};
use bots::podracing::player::{play_on, Choice, Pilot, Planner, Team};
use bots::podracing::protocol::{read_init, write_answer};
use bots::podracing::race::Race;
use bots::podracing::tools::contest::{PodRacing, RaceGame};
use bots::podracing::tools::maps;
use bots::podracing::tools::rules::{Random, Rules};
use bots::podracing::tools::serial;
use bots::podracing::tools::trees;
use bots::podracing::tools::watched::Watched;
use bots::podracing::track::Track;
use contest::session::serve::{no_player, refused, AnswerTime, ServeSettings};
use contest::session::{
    LineAnswer, LinePlayer, LineTree, RefereedOffer, RefereedSearches, Searches, ServedByName,
    SessionSettings,
};
use contest::Setup;
use coppice::input::{Input, InputError};
use coppice::{Budget, Score};

/// The contest with its players.
pub static POD_RACING: PodRacing = PodRacing::with_searches(searches);

type BoxedPilot = Box<dyn Watched + Send>;

type Make = fn(&Track, &Numbers, &SessionSettings) -> BoxedPilot;

/// A player of the contest.
struct Offer {
    name: &'static str,
    about: &'static str,
    /// Whether it has the bot's tunable parameters.
    is_tunable: bool,
    make: Make,
}

/// Default memory of the trees and tables.
const BYTES: usize = 64 << 20;

const OFFERS: [Offer; 7] = [
    Offer {
        name: "bot",
        about: "the submitted bot: evolution of the others' plans, then of its own",
        is_tunable: true,
        make: |track, numbers, settings| Box::new(Planner::new(track, numbers, settings.seed)),
    },
    Offer {
        name: "rules",
        about: "the rule-based player to measure against; it searches nothing",
        is_tunable: false,
        make: |track, _, _| Box::new(Rules::new(track)),
    },
    Offer {
        name: "random",
        about: "orders to random places, with random powers",
        is_tunable: false,
        make: |_, _, settings| Box::new(Random::new(settings.seed)),
    },
    Offer {
        name: "units",
        about: "one tree for each pod (Smitsimax), with the bot's judgement of races",
        is_tunable: true,
        make: |track, numbers, settings| {
            Box::new(trees::units(Plans::new(track, *numbers), settings.bytes_or(BYTES), settings.seed))
        },
    },
    Offer {
        name: "decoupled",
        about: "decoupled UCT over four pods, with the bot's judgement of races",
        is_tunable: true,
        make: |track, numbers, settings| {
            Box::new(trees::decoupled(Plans::new(track, *numbers), settings.bytes_or(BYTES), settings.seed))
        },
    },
    Offer {
        name: "mcts",
        about: "Monte Carlo tree search of the race written in turns, a ply a pod",
        is_tunable: true,
        make: |track, numbers, settings| {
            Box::new(serial::mcts(Plans::new(track, *numbers), settings.bytes_or(BYTES), settings.seed))
        },
    },
    Offer {
        name: "alpha-beta",
        about: "alpha-beta of the race written in turns, a ply a pod",
        is_tunable: true,
        make: |track, numbers, settings| {
            Box::new(serial::alpha_beta(Plans::new(track, *numbers), settings.bytes_or(BYTES)))
        },
    },
];

fn searches(track: Option<Track>) -> Box<dyn Searches> {
    let offer = |&Offer { name, about, is_tunable, make }: &Offer| {
        let lines = move |settings: &SessionSettings, numbers: Numbers| Lines {
            make,
            numbers,
            settings: settings.clone(),
            team: None,
        };
        match is_tunable {
            true => RefereedOffer::tunable(name, about, move |settings, numbers| lines(settings, *numbers)),
            false => RefereedOffer::new(name, about, move |settings| lines(settings, Numbers::default())),
        }
    };
    let new_game = move |seed| {
        let setup = Setup { seed, opening_plies: 0, limits: contest::Contest::limits(&POD_RACING) };
        Box::new(RaceGame::new(track.unwrap_or_else(|| maps::track(seed)), setup)) as _
    };
    Box::new(ServedByName::new(RefereedSearches::new(new_game, OFFERS.iter().map(offer).collect()), serve))
}

/// The bot's side of the protocol with one of the players.
fn serve(
    search: &str,
    settings: &ServeSettings,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), InputError> {
    let offer = OFFERS.iter().find(|offer| offer.name == search);
    let offer = offer.ok_or_else(|| no_player(search))?;
    let numbers = match offer.is_tunable {
        true => settings.session.numbers().map_err(refused)?,
        false => Numbers::default(),
    };
    play_on(input, output, &settings.bot(), |track, _| Capped {
        pilot: (offer.make)(track, &numbers, &settings.session),
        time: settings.time,
    })
}

/// A player that gets the text of turns.
struct Lines {
    make: Make,
    numbers: Numbers,
    settings: SessionSettings,
    team: Option<Team<BoxedPilot>>,
}

impl Lines {
    /// The team, and the lines of the turn.
    fn team<'a>(&mut self, turn: &'a str) -> (&mut Team<BoxedPilot>, Input<&'a [u8]>) {
        let mut input = Input::new(turn.as_bytes());
        let team = match self.team.take() {
            Some(team) => team,
            None => {
                let track = read_init(&mut input).expect("the referee writes a track");
                Team::new(track, (self.make)(&track, &self.numbers, &self.settings))
            }
        };
        (self.team.insert(team), input)
    }
}

impl LinePlayer for Lines {
    fn answer(&mut self, turn: &str, budget: Budget) -> LineAnswer {
        let (team, mut input) = self.team(turn);
        let choice = team.turn(&mut input, budget).expect("the referee writes a turn");
        let Choice { orders, value, nodes, depth } = choice;
        let most = f64::from(Score::MAX_ESTIMATE);
        let score = Score::estimate(value.clamp(-most, most) as i32);
        LineAnswer { text: write_answer(orders), score, nodes, depth }
    }

    fn observe(&mut self, turn: &str) {
        let (team, mut input) = self.team(turn);
        team.observe(&mut input).expect("the referee writes a turn");
    }

    fn tree(&self) -> Option<LineTree> {
        self.team.as_ref()?.pilot().tree()
    }
}

/// A pilot with a cap on thinking time.
struct Capped {
    pilot: BoxedPilot,
    time: AnswerTime,
}

impl Pilot for Capped {
    fn choose(&mut self, race: &Race, budget: Budget) -> Choice {
        self.pilot.choose(race, self.time.budget(budget))
    }
}

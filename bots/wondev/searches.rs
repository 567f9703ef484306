//! Searches for Wondev Woman.

use bots::wondev::eval::{Judge, Simple, Weights};
use bots::wondev::league::League;
use bots::wondev::player;
use bots::wondev::strategy::{submitted, Numbers, OfPositions, OneBoard, Strategy, BYTES};
use bots::wondev::tools::contest::{Start, Wondev};
use bots::wondev::{Board, Position};
use contest::session::{GameSearches, Offer, Searches};
use coppice::search::{
    AlphaBeta, AlphaBetaOptions, BestFirst, BestFirstOptions, Greedy, Mcts, MctsOptions, Random, Sampled,
    SampledOptions,
};

/// The contest with its searches.
pub static WONDEV: Wondev = Wondev::with_searches(searches);

fn searches(start: Start) -> Box<dyn Searches> {
    let searches = GameSearches::starting(move |seed| Position::new(start.of(seed)), offers());
    Box::new(searches.served_by(|settings, make, input, output| {
        let start = Position::new(Start::Random(League::Fog, None).of(0));
        player::play_on(input, output, &settings.bot(), |_| OfPositions(make(&start)))
    }))
}

fn alpha_beta(weights: &Weights, bytes: usize) -> AlphaBeta<Board, Judge> {
    AlphaBeta::new(Judge::new(weights), AlphaBetaOptions { memory: bytes, ..AlphaBetaOptions::default() })
}

/// The bot's inner search.
fn best_first(weights: &Weights, bytes: usize) -> BestFirst<Board, Judge> {
    let Numbers { exploration, scale, .. } = Numbers::default();
    let options = BestFirstOptions { memory: bytes, exploration, scale, ..BestFirstOptions::default() };
    BestFirst::new(Judge::new(weights), options)
}

fn offers() -> Vec<Offer<Position>> {
    let usual = Weights::default();
    vec![
        Offer::tunable(
            "bot",
            "the submitted bot: best-first minimax over the most probable places of the other's units",
            move |_, settings, numbers: &Numbers| submitted(numbers, &usual, settings.bytes_or(BYTES)),
        ),
        Offer::tunable(
            "weights",
            "the same with other weights of the evaluation",
            |_, settings, weights: &Weights| {
                submitted(&Numbers::default(), weights, settings.bytes_or(BYTES))
            },
        ),
        Offer::new("alpha-beta", "alpha-beta over the most probable places", move |_, settings| {
            let inner = || alpha_beta(&usual, settings.bytes_or(BYTES) / 4);
            Strategy::new(inner, inner(), &Numbers::default())
        }),
        Offer::new("guessing", "the bot's search over the most probable place alone", move |_, settings| {
            OneBoard::guessing(best_first(&usual, settings.bytes_or(BYTES)))
        }),
        Offer::new("seeing", "the bot's search over the true place: no fog for it", move |_, settings| {
            OneBoard::seeing(best_first(&usual, settings.bytes_or(BYTES)))
        }),
        Offer::new("sampled", "the bot's search over places drawn by their weight", move |_, settings| {
            let inner = OneBoard::seeing(best_first(&usual, settings.bytes_or(BYTES)));
            let seed = settings.seed;
            let options = SampledOptions { seed, samples: 5, by_value: false, ..SampledOptions::default() };
            Sampled::new(inner, options)
        }),
        Offer::new("mcts", "Monte Carlo tree search over the most probable place", |_, settings| {
            let (memory, seed) = (settings.bytes_or(BYTES), settings.seed);
            OneBoard::guessing(Mcts::new(MctsOptions { memory, seed, ..MctsOptions::default() }))
        }),
        Offer::new("rules", "two plies of heights, steps and points over the most probable place", |_, _| {
            OneBoard::guessing(AlphaBeta::new(Simple, AlphaBetaOptions::plain(2)))
        }),
        Offer::new("greedy", "one ply of heights, steps and points", |_, settings| {
            OneBoard::guessing(Greedy::new(Simple, settings.seed))
        }),
        Offer::new("random", "any legal move", |_, settings| Random::new(settings.seed)),
    ]
}

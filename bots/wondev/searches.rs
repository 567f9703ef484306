//! Searches for Wondev Woman.

use bots::wondev::contest::{Start, Wondev};
use bots::wondev::eval::{Judge, Simple, Weights};
use bots::wondev::strategy::{Numbers, OneBoard, Strategy, TABLE_BYTES};
use bots::wondev::{Board, Position};
use contest::session::{GameSearches, Offer, Searches};
use coppice::search::{
    AlphaBeta, AlphaBetaOptions, BestFirst, BestFirstOptions, Greedy, Mcts, MctsOptions, Random, Sampled,
    SampledOptions,
};

/// The contest with its searches.
pub static WONDEV: Wondev = Wondev::with_searches(searches);

fn searches(start: Start) -> Box<dyn Searches> {
    Box::new(GameSearches::starting(move |seed| Position::new(start.of(seed)), offers()))
}

fn alpha_beta(weights: &Weights, bytes: usize) -> AlphaBeta<Board, Judge> {
    AlphaBeta::new(Judge(*weights), bytes, AlphaBetaOptions::default())
}

fn offers() -> Vec<Offer<Position>> {
    let usual = Weights::default();
    vec![
        Offer::tunable(
            "bot",
            "the submitted bot: alpha-beta over the most probable places of the other's units",
            move |_, settings, numbers: &Numbers| {
                Strategy::new(numbers, &usual, settings.bytes_or(TABLE_BYTES))
            },
        ),
        Offer::tunable(
            "weights",
            "the same with other weights of the evaluation",
            |_, settings, weights: &Weights| {
                Strategy::new(&Numbers::default(), weights, settings.bytes_or(TABLE_BYTES))
            },
        ),
        Offer::new("guessing", "the bot's search over the most probable place alone", move |_, settings| {
            OneBoard::guessing(alpha_beta(&usual, settings.bytes_or(TABLE_BYTES)))
        }),
        Offer::new("seeing", "the bot's search over the true place: no fog for it", move |_, settings| {
            OneBoard::seeing(alpha_beta(&usual, settings.bytes_or(TABLE_BYTES)))
        }),
        Offer::new("sampled", "the bot's search over places drawn by their weight", move |_, settings| {
            let inner = OneBoard::seeing(alpha_beta(&usual, settings.bytes_or(TABLE_BYTES)));
            let options = SampledOptions { samples: 5, by_value: false, ..SampledOptions::default() };
            Sampled::new(inner, settings.seed, options)
        }),
        Offer::new("best-first", "best-first minimax over the most probable place", move |_, settings| {
            let bytes = settings.bytes_or(TABLE_BYTES);
            OneBoard::guessing(BestFirst::new(Judge(usual), bytes, BestFirstOptions::default()))
        }),
        Offer::new("mcts", "Monte Carlo tree search over the most probable place", |_, settings| {
            let bytes = settings.bytes_or(TABLE_BYTES);
            OneBoard::guessing(Mcts::new(bytes, settings.seed, MctsOptions::default()))
        }),
        Offer::new(
            "rules",
            "two plies of heights, steps and points over the most probable place",
            |_, _| OneBoard::guessing(AlphaBeta::new(Simple, 1 << 16, AlphaBetaOptions::plain(2))),
        ),
        Offer::new("greedy", "one ply of heights, steps and points", |_, settings| {
            OneBoard::guessing(Greedy::new(Simple, settings.seed))
        }),
        Offer::new("random", "any legal move", |_, settings| Random::new(settings.seed)),
    ]
}

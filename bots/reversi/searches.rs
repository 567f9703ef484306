//! Move notation, and the searches on offer in a session.

use bots::reversi::eval::{Material, Patterns, Positional};
use bots::reversi::monte_carlo;
use bots::reversi::player;
use bots::reversi::strategy::Strategy;
use bots::reversi::tools::contest::Reversi;
use bots::reversi::tools::solver::Solver;
use bots::reversi::Board;
use contest::session::{self, GameSearches, Offer, Searches};

/// The contest with its searches.
pub static REVERSI: Reversi = Reversi::with_searches(searches);

fn searches(start: &Board) -> Box<dyn Searches> {
    Box::new(GameSearches::new(start, offers()).served_by(|settings, make, input, output| {
        player::play_on(input, output, &settings.bot(), |_| make(&Board::START))
    }))
}

fn offers() -> Vec<Offer<Board>> {
    let about = "the submitted bot: alpha-beta, and exact solving at the end";
    let bot = Offer::tunable("bot", about, |_, settings, numbers| {
        Strategy::with(numbers, settings.bytes_or(Strategy::BYTES))
    });
    let about = "the exact disc difference of an ending, or no answer: what arena solve asks";
    let solver = Offer::new("solver", about, |_, settings| Solver::new(settings.bytes_or(256 << 20)));
    let mcts = Offer::tunable("mcts", "Monte Carlo tree search: reversi-mcts", |_, settings, numbers| {
        monte_carlo::search(numbers, settings.bytes_or(monte_carlo::BYTES), settings.seed)
    });
    let others = session::offers(Positional::new).into_iter().filter(|offer| offer.info().name != "mcts");
    let counting = session::offers(|| Material).into_iter().filter_map(|offer| match offer.info().name {
        "alpha-beta" => Some(offer.renamed("alpha-beta-discs", "alpha-beta that only counts discs")),
        "minimax" => Some(offer.renamed("minimax-discs", "minimax that only counts discs")),
        _ => None,
    });
    let patterns =
        session::offers(Patterns::trained).into_iter().filter(|offer| offer.info().name == "alpha-beta");
    let patterns =
        patterns.map(|offer| offer.renamed("alpha-beta-patterns", "alpha-beta with the bot's evaluation"));
    let paths = session::miniframe_mcts(Positional::new);
    [bot, solver, mcts].into_iter().chain(others).chain(counting).chain(patterns).chain([paths]).collect()
}

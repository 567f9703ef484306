//! Searches for Tron, for two, three and four players.

use bots::tron::eval::{Estimate, Numbers};
use bots::tron::strategy::{Bot, Paranoid};
use bots::tron::tools::contest::{read_players, recorded_in, WORDS};
use bots::tron::{rule, Board};
use contest::lines::{self, LineContest, Variants};
use contest::session::{self, Offer, Searches, SessionSettings};
use contest::{Contest, Unreadable};
use coppice::search::{AlphaBetaOptions, Evaluated, Mcts, MctsOptions, Minimax, MinimaxOptions};

/// Memory of each search in bytes, unless told otherwise: the engine's default, as the bot has it.
const BYTES: usize = 64 << 20;

/// The contest with its searches.
pub static TRON: LineContest<Board<2>> = LineContest::new().with_searches(for_two).with_variants(Variants {
    words: WORDS,
    of_words: variant,
    of_lines: recorded,
});

fn variant(words: &str) -> Result<Box<dyn Contest>, Unreadable> {
    match read_players(words)? {
        2 => Ok(made::<2>(for_two)),
        3 => Ok(made::<3>(for_several::<3>)),
        _ => Ok(made::<4>(for_several::<4>)),
    }
}

/// The variant for `N` players: recorded games of `N` are its own, with their starts.
fn made<const N: usize>(searches: fn() -> Box<dyn Searches>) -> Box<dyn Contest> {
    let of_lines = |lines: &[&str]| recorded(lines).filter(|found| found.seats() == N);
    let variants = Variants { words: WORDS, of_words: variant, of_lines };
    Box::new(LineContest::<Board<N>>::new().with_searches(searches).with_variants(variants))
}

fn recorded(lines: &[&str]) -> Option<Box<dyn Contest>> {
    recorded_in(lines, variant)
}

fn for_two() -> Box<dyn Searches> {
    let mut all = own::<2, 1>();
    all.extend(session::offers(|| Estimate::new(Numbers::default())));
    lines::searches(all)
}

fn for_several<const N: usize>() -> Box<dyn Searches> {
    let mut all = own::<N, N>();
    all.extend(session::offers_for_several::<_, _, N>(|| Estimate::new(Numbers::default())));
    lines::searches(all)
}

fn alpha_beta(settings: &SessionSettings) -> AlphaBetaOptions {
    AlphaBetaOptions { memory: settings.bytes_or(BYTES), ..AlphaBetaOptions::default() }
}

/// The searches of this contest for `N` players; a node of a tree has `V` values.
fn own<const N: usize, const V: usize>() -> Vec<Offer<Board<N>>> {
    let about = "the submitted bot: paranoid alpha-beta, and the longest path where no opponent can get in";
    let bot = Offer::tunable("bot", about, |_, settings, numbers| Bot::new(numbers, alpha_beta(settings)));
    let about = "the rule-based player: one ply of the areas";
    let rule = Offer::new("area", about, |_, settings| rule::search(settings.seed));
    let about = "alpha-beta for one player against all others";
    let paranoid = Offer::tunable("paranoid", about, |_, settings, numbers: &Numbers| {
        Paranoid::new(Estimate::new(*numbers), alpha_beta(settings))
    });
    let about = "minimax in which each player wants the most for itself";
    let max_n = Offer::tunable("max-n", about, |_, settings, numbers: &Numbers| {
        let options = MinimaxOptions { memory: settings.bytes_or(BYTES), ..MinimaxOptions::default() };
        Minimax::<_, _, V>::for_players(Estimate::new(*numbers), options)
    });
    let about = "Monte Carlo tree search that evaluates in place of a playout";
    let evaluated = Offer::tunable("mcts-area", about, |_, settings, numbers: &Numbers| {
        let evaluation = Estimate::new(*numbers);
        let policy = Evaluated { evaluation, plies: 0, scale: 4_000 };
        let (memory, seed) = (settings.bytes_or(BYTES), settings.seed);
        Mcts::with_policy(policy, MctsOptions { memory, seed, ..MctsOptions::default() })
    });
    vec![bot, rule, paranoid, max_n, evaluated]
}

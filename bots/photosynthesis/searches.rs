//! Searches for Photosynthesis.

use bots::photosynthesis::strategy::{Numbers, Strategy, BYTES};
use bots::photosynthesis::tools::contest::PhotosynthesisContest;
use bots::photosynthesis::tools::greedy::Greedy;
use bots::photosynthesis::tools::map;
use bots::photosynthesis::tools::serial;
use bots::photosynthesis::tools::thrifty::{worth, Thrifty};
use bots::photosynthesis::{player, Board};
use contest::session::{joint_offers, GameSearches, Offer, Searches};
use coppice::{Joint, Player};

/// The contest with its searches.
pub static PHOTOSYNTHESIS: PhotosynthesisContest = PhotosynthesisContest::with_searches(searches);

fn searches() -> Box<dyn Searches> {
    Box::new(GameSearches::starting(map::start, all()).served_by(|settings, make, input, output| {
        player::play_on(input, output, &settings.bot(), |_, start: &Board| make(start))
    }))
}

/// Lead in a state as the player by rules sees it, in points.
fn lead(board: &Board, player: Player) -> f64 {
    let most = f64::from(Board::MAX_POINTS);
    (f64::from(worth(board, player) - worth(board, player.other())) / 300.0).clamp(-most, most)
}

fn all() -> Vec<Offer<Board>> {
    let about = "the submitted bot: decoupled UCT over candidates, with playouts by habits";
    let bot = Offer::tunable("bot", about, |_, settings, numbers: &Numbers| {
        Strategy::new(numbers, settings.bytes_or(BYTES), settings.seed)
    });
    let about = "a player by rules: the most sun returned per sun spent, day by day";
    let rules = Offer::new("rules", about, |_, _| Thrifty);
    let about = "completes the tree that pays most, otherwise any action";
    let points = Offer::new("points", about, |_, settings| Greedy::new(settings.seed));
    let about = "the bot's playouts and candidates in MCTS on a serialised copy of the game";
    let mcts = Offer::new("serial-mcts", about, |_, settings| {
        serial::monte_carlo(settings.bytes_or(BYTES), settings.seed)
    });
    let about = "alpha-beta over the bot's candidates on a serialised copy of the game";
    let alpha_beta =
        Offer::new("serial-alpha-beta", about, |_, settings| serial::alpha_beta(settings.bytes_or(BYTES)));
    let mut all = vec![bot, rules, points, mcts, alpha_beta];
    all.extend(joint_offers(|| lead));
    all
}

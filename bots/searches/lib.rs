//! The searches of each contest of `bots`, for sessions, servers and games without processes.
//!
//! They are defined in the contest's folder, such as `../reversi/searches.rs`.

#![forbid(unsafe_code)]

#[path = "../boop/searches.rs"]
mod boop;
#[path = "../freckers/searches.rs"]
mod freckers;
#[path = "../lander/searches.rs"]
mod lander;
#[path = "../mancala/searches.rs"]
mod mancala;
#[path = "../mnk/searches.rs"]
mod mnk;
#[path = "../oware/searches.rs"]
mod oware;
#[path = "../photosynthesis/searches.rs"]
mod photosynthesis;
#[path = "../podracing/searches.rs"]
mod podracing;
#[path = "../reversi/searches.rs"]
mod reversi;
#[path = "../sudoku/searches.rs"]
mod sudoku;
#[path = "../tictactoe/searches.rs"]
mod tictactoe;
#[path = "../tron/searches.rs"]
mod tron;
#[path = "../uttt/searches.rs"]
mod uttt;
#[path = "../wondev/searches.rs"]
mod wondev;

use std::sync::LazyLock;

use bots::shared::grid::{player, Grid};
use contest::notation::GameNotation;
use contest::session::{GameSearches, Offer, Searches};
use contest::Contest;

macro_rules! all {
    ($([$module:ident $name:ident $($deref:tt)?])*) => {
        vec![$(& $($deref)? $module::$name as &dyn Contest),*]
    };
}

/// Every contest of `bots`, with its searches.
pub fn contests() -> &'static [&'static dyn Contest] {
    static ALL: LazyLock<Vec<&dyn Contest>> = LazyLock::new(|| bots::each_contest!(all));
    &ALL
}

/// The contest called `name`, in its default variant.
pub fn contest(name: &str) -> Option<&'static dyn Contest> {
    contests().iter().copied().find(|contest| contest.name() == name)
}

/// Searches for a game on a grid; they can be served by the grid's protocol.
fn on_grid<G: Grid + GameNotation>(start: &G, offers: Vec<Offer<G>>) -> Box<dyn Searches> {
    Box::new(GameSearches::new(start, offers).served_by(|settings, make, input, output| {
        player::play_on(input, output, &settings.bot(), |_| make(&G::START))
    }))
}

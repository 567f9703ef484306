//! Plays Tron with paranoid alpha-beta over areas.

use std::process::ExitCode;

use bots::tron::eval::Numbers;
use bots::tron::player::{play, Make};
use bots::tron::strategy::Bot;
use contest::bot::Settings;
use coppice::search::AlphaBetaOptions;

struct Submitted;

impl Make<Numbers> for Submitted {
    type Made<const N: usize> = Bot<N>;

    fn make<const N: usize>(settings: &Settings<Numbers>) -> Bot<N> {
        Bot::new(&settings.numbers, AlphaBetaOptions::default())
    }
}

fn main() -> ExitCode {
    play::<Numbers, Submitted>()
}

//! Plays Tron by rule: the move after which the own area is largest.

use std::process::ExitCode;

use bots::tron::player::{play, Make};
use bots::tron::rule::{self, Area};
use contest::bot::Settings;
use coppice::search::Greedy;

struct Rule;

impl Make<()> for Rule {
    type Made<const N: usize> = Greedy<Area>;

    fn make<const N: usize>(settings: &Settings) -> Greedy<Area> {
        rule::search(settings.seed)
    }
}

fn main() -> ExitCode {
    play::<(), Rule>()
}

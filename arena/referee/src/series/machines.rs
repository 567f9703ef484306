//! The machines that play a plan's games: this one, or several.

use std::ops::ControlFlow;

use super::{runner, Finished, Series};
use crate::process::noise::{MachineNoise, Noise};
use crate::series::SeriesError;

/// Takes a finished game. After [`ControlFlow::Break`] no further game begins.
pub type Take<'t> = dyn FnMut(Finished) -> Result<ControlFlow<()>, SeriesError> + 't;

/// Machines that play games.
pub trait Machines {
    /// Plays games of the plan, by their numbers, and passes on those that are finished, each once, in any order. Games in progress at the end may
    /// be passed on or dropped.
    ///
    /// # Errors
    /// The first error of a game or of `take`.
    fn play(&mut self, series: &Series<'_>, games: &[u32], take: &mut Take<'_>) -> Result<(), SeriesError>;

    /// The machines' own delays during these games.
    fn noise(&self) -> Noises;

    /// Whether the machines write the dialogues of their games themselves.
    fn writes_dialogues(&self) -> bool {
        false
    }
}

/// The delays of machines, as far as they were measured.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Noises {
    /// This machine's.
    pub here: Option<Noise>,
    /// Delays of the other machines.
    pub others: Vec<MachineNoise>,
}

/// This machine.
#[derive(Debug)]
pub struct Here {
    jobs: usize,
    noise: Option<Noise>,
}

impl Here {
    /// Plays `jobs` games at a time.
    pub fn new(jobs: usize) -> Self {
        Self { jobs, noise: None }
    }
}

impl Machines for Here {
    fn play(&mut self, series: &Series<'_>, games: &[u32], take: &mut Take<'_>) -> Result<(), SeriesError> {
        // A missing program is found before the first game rather than after some.
        if !games.is_empty() {
            series.check_bots(0..series.bots.len())?;
        }
        let prober = Noise::start();
        let play = |&game: &u32| series.play(&series.fixture(game));
        let played = runner::run_all(games, &play, self.jobs, take);
        self.noise = prober.finish();
        played
    }

    fn noise(&self) -> Noises {
        Noises { here: self.noise, others: Vec::new() }
    }
}

//! Trains the weights of the pattern evaluation: plays games, and fits the weights by gradient descent to the
//! search's scores and the games' results.
//!
//! `cargo run --release -p bots --example uttt-fit -- weights.bin 4700 7000 8100` plays 4700 games of the Monte Carlo
//! player against itself and trains on them; then it plays 7000 games with the trained weights and trains anew on
//! these and the previous games; then 8100 more in the same way, and writes the file. The result depends only on
//! these numbers.
//!
//! Compare new weights with the current ones before using them: of two runs of about this size one produced a much
//! weaker player (29 to 71 in 80 games at 10,000 nodes) with no larger error. The current weights come from these
//! rounds, with games counted by time (4717, 7009 and 8106 of them) and the second round started from the weights of
//! the first; then, from the weights of the third round, four more epochs at a rate of 0.001 and a share of 0.4 on
//! all self-play games and 5290 more. So no single command reproduces them exactly.

mod games;
mod trainer;

use std::process::ExitCode;

use bots::uttt::monte_carlo;
use bots::uttt::pattern::tables::{Tables, SCALE};
use bots::uttt::Board;
use coppice::search::{BestFirst, BestFirstOptions};
use coppice::{Rng, Score, Search};

use games::Sample;
use trainer::{squash, Trainer};

/// Iterations per move of the Monte Carlo player.
const ITERATIONS: u64 = 800;
/// Nodes per move of the pattern player.
const NODES: u64 = 2_000;
/// Passes over the positions in a round.
const EPOCHS: usize = 10;
/// Positions per step.
const BATCH: usize = 2_048;
/// Adam's step size, which shrinks to a hundredth of this during a round.
const RATE: f32 = 0.004;
/// The share of a game's result in the target; the rest is the search's own score.
const SHARE: f32 = 0.3;
/// One position in this many is held out to measure the error.
const APART: usize = 40;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let rounds: Option<Vec<u32>> = words.iter().skip(1).map(|word| word.parse().ok()).collect();
    let Some(([first, later @ ..], file)) = rounds.as_deref().zip(words.first()) else {
        eprintln!("uttt-fit: expected the file to write, the games of the Monte Carlo player, and those of each round");
        return ExitCode::FAILURE;
    };
    let mut rng = Rng::new(1);
    let mut search = monte_carlo::search(&monte_carlo::Numbers::default(), 16 << 20, 1);
    let mut last = play(&mut search, |score| score.value() as f32 / 1000.0, ITERATIONS, *first, &mut rng);
    let mut weights = learn(last.clone(), &mut rng);
    for &games in later {
        let options = BestFirstOptions { scale: SCALE, ..BestFirstOptions::default() };
        let mut search = BestFirst::new(Tables::expand(&weights), 16 << 20, options);
        let new = play(&mut search, |score| squash(score.value() as f32 / SCALE), NODES, games, &mut rng);
        // Drop the games of much weaker players.
        weights = learn([&last[..], &new].concat(), &mut rng);
        last = new;
    }
    match std::fs::write(file, &weights) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("uttt-fit: {file}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Plays `games` games and returns their positions.
fn play<S: Search<Board>>(
    search: &mut S,
    estimate: impl Fn(Score) -> f32,
    nodes: u64,
    games: u32,
    rng: &mut Rng,
) -> Vec<Sample> {
    let value = |score: Score| match () {
        () if score.is_win() => 1.0,
        () if score.is_loss() => -1.0,
        () => estimate(score),
    };
    let mut samples = Vec::new();
    for game in 0..games {
        if game % 100 == 0 {
            eprint!("\r{game} of {games} games");
        }
        games::play(search, value, nodes, rng, &mut samples);
    }
    samples
}

/// Trains new weights on all these positions; returns them as bytes.
fn learn(mut samples: Vec<Sample>, rng: &mut Rng) -> Vec<u8> {
    let mut trainer = Trainer::new(SHARE, rng);
    shuffle(&mut samples, rng);
    let at = samples.len() / APART;
    let (apart, samples) = samples.split_at_mut(at);
    let steps = EPOCHS * (samples.len() / BATCH);
    let mut done = 0;
    for epoch in 0..EPOCHS {
        shuffle(samples, rng);
        let mut error = 0.0;
        for batch in samples.chunks_exact(BATCH) {
            error += trainer.step(batch, RATE * (1.01 - done as f32 / steps as f32));
            done += 1;
        }
        let error = error / samples.len() as f32;
        eprint!("\r{} positions, epoch {epoch}: error {error:.4}   ", samples.len());
    }
    let bytes = trainer.bytes();
    let real = trainer.error(apart);
    trainer.set(&bytes);
    eprintln!(
        "\n{} positions kept apart: error {real:.4}, in bytes {:.4}",
        apart.len(),
        trainer.error(apart)
    );
    bytes
}

fn shuffle(samples: &mut [Sample], rng: &mut Rng) {
    for i in (1..samples.len()).rev() {
        samples.swap(i, rng.below(i as u32 + 1) as usize);
    }
}

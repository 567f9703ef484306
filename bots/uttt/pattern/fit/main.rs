//! Makes the weights of the second player: plays games, and finds by gradient descent the weights that
//! best tell what a search thinks of a game's positions, and how the game ends.
//!
//! `cargo run --release -p bots --example uttt-fit -- bots/uttt/pattern/weights.bin 4000 6000 8000 8000` plays
//! 4000 games of the Monte Carlo player against itself, learns from them, then plays 6000 of its own and
//! learns from these, and so on twice, and writes the file that the bot is compiled from. The
//! numbers are rounds: the more, the better the players that are learnt from. What comes out follows from
//! the numbers alone.

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

/// Iterations a move of the Monte Carlo player.
const ITERATIONS: u64 = 800;
/// Nodes a move of our own.
const NODES: u64 = 2_000;
/// How often each position is learnt from in a round.
const EPOCHS: usize = 10;
/// Positions a step.
const BATCH: usize = 2_048;
/// Adam's step, which shrinks to a hundredth of it during a round.
const RATE: f32 = 0.004;
/// The share of a game's result in what is aimed at, beside the search's own value.
const SHARE: f32 = 0.3;
/// One position in so many is kept apart to see the error on.
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
    let mut samples = play(&mut search, |score| score.value() as f32 / 1000.0, ITERATIONS, *first, &mut rng);
    let mut weights = learn(&mut samples, &mut rng);
    for (round, &games) in later.iter().enumerate() {
        let options = BestFirstOptions { scale: SCALE, ..BestFirstOptions::default() };
        let mut search = BestFirst::new(Tables::expand(&weights), 16 << 20, options);
        let new = play(&mut search, |score| squash(score.value() as f32 / SCALE), NODES, games, &mut rng);
        if round < 2 {
            // The games of much weaker players are forgotten.
            samples.clear();
        }
        samples.extend(new);
        weights = learn(&mut samples, &mut rng);
    }
    match std::fs::write(file, &weights) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("uttt-fit: {file}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The positions of so many games.
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

/// New weights from all these positions, in bytes.
fn learn(samples: &mut [Sample], rng: &mut Rng) -> Vec<u8> {
    let mut trainer = Trainer::new(SHARE, rng);
    shuffle(samples, rng);
    let (apart, samples) = samples.split_at_mut(samples.len() / APART);
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

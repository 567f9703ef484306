//! Samples a second of processor time of `factory::model::sparse` and of the crate `noru`, for the same net, batches and
//! inputs: 768 inputs of which 36 are 1 in each view.
//!
//! ```sh
//! cargo run --release -p coppice-factory --example noru
//! ```

use std::time::Duration;

use coppice::Rng;
use factory::loss::Loss;
use factory::model::sparse::{Sparse, Views};
use factory::model::Model;
use factory::sample::Record;
use noru::config::{Activation, NnueConfig};
use noru::trainer::{AdamState, Gradients, SimpleRng, TrainableWeights, TrainingSample};

const WORDS: usize = 12;
const ON: usize = 36;
const BATCH: usize = 4096;
const BATCHES: usize = 4;
const ROUNDS: usize = 5;

/// Inputs drawn from a seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Drawn(u64);

impl Record for Drawn {
    const BYTES: usize = 8;

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.0.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Option<Drawn> {
        Some(Drawn(u64::from_le_bytes(bytes.try_into().ok()?)))
    }

    fn canonical(&self) -> Drawn {
        *self
    }
}

impl Views<WORDS> for Drawn {
    type Position = Drawn;

    fn views(position: &Drawn) -> [[u64; WORDS]; 2] {
        let mut rng = Rng::new(position.0);
        [0; 2].map(|_| {
            let mut words = [0u64; WORDS];
            while words.iter().map(|word| word.count_ones() as usize).sum::<usize>() < ON {
                let input = rng.below(64 * WORDS as u32) as usize;
                words[input / 64] |= 1 << (input % 64);
            }
            words
        })
    }
}

fn target(i: u64) -> f32 {
    (i % 7) as f32 / 7.0
}

/// This process's processor time.
#[cfg(unix)]
fn clock() -> Duration {
    use rustix::time::{clock_gettime, ClockId};
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

/// The time since the first call.
#[cfg(not(unix))]
fn clock() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

/// Compares the times that batches take.
fn compare<const UNITS: usize, const SECOND: usize>(hidden: &'static [usize]) {
    let positions: Vec<Drawn> = (0..(BATCH * BATCHES) as u64).map(Drawn).collect();
    let targets: Vec<f32> = (0..positions.len() as u64).map(target).collect();
    let order: Vec<u32> = (0..positions.len() as u32).collect();
    let mut ours = Sparse::<Drawn, WORDS, UNITS, SECOND, 0>::new(1);
    let inputs = ours.inputs(&positions, 1);

    let config = NnueConfig::new_static(64 * WORDS, UNITS, hidden, Activation::SCReLU);
    let mut theirs = TrainableWeights::init_random(config.clone(), &mut SimpleRng::new(1));
    let (mut state, mut gradients) = (AdamState::new(config.clone()), Gradients::new(config));
    let list = |words: [u64; WORDS]| {
        (0..64 * WORDS).filter(|input| words[input / 64] >> (input % 64) & 1 == 1).collect::<Vec<_>>()
    };
    let samples: Vec<TrainingSample> = positions
        .iter()
        .zip(&targets)
        .map(|(position, &target)| {
            let [stm_features, nstm_features] = Drawn::views(position).map(list);
            TrainingSample { stm_features, nstm_features, target, dense_input: Vec::new() }
        })
        .collect();

    let mut ratios = Vec::new();
    let (mut our_time, mut their_time) = (0.0, 0.0);
    for _ in 0..ROUNDS {
        let start = clock();
        for (batch, targets) in order.chunks(BATCH).zip(targets.chunks(BATCH)) {
            ours.step(&inputs, batch, targets, Loss::Squared, 0.001, 1);
        }
        let ours = (clock() - start).as_secs_f64();
        let start = clock();
        for batch in samples.chunks(BATCH) {
            gradients.zero();
            for sample in batch {
                let forward = theirs.forward(&sample.stm_features, &sample.nstm_features, &[]);
                theirs.backward_bce(sample, &forward, &mut gradients);
            }
            theirs.adam_update(&gradients, &mut state, 0.001, BATCH as f32);
        }
        let theirs = (clock() - start).as_secs_f64();
        (our_time, their_time) = (our_time + ours, their_time + theirs);
        ratios.push(theirs / ours);
    }
    ratios.sort_by(f64::total_cmp);
    let speed = |time: f64| (ROUNDS * BATCHES * BATCH) as f64 / time;
    println!(
        "{} x {UNITS} x 2 -> {SECOND} -> 1: {:.0} samples a second, noru {:.0}: {:.1} times (median; {:.1} to {:.1})",
        64 * WORDS,
        speed(our_time),
        speed(their_time),
        ratios[ROUNDS / 2],
        ratios[0],
        ratios[ROUNDS - 1]
    );
}

fn main() {
    compare::<32, 16>(&[16]);
    compare::<64, 32>(&[32]);
    compare::<128, 32>(&[32]);
}

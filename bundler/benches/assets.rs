//! Decoding speed of embedded files: MB/s for packed characters, milliseconds for 60 kB of entropy-coded weights.

use bundler::internals::coder::Coding;
use bundler::internals::radix::Alphabet;
use std::hint::black_box;
use std::time::Instant;

const RUNS: usize = 9;

/// The median duration of [`RUNS`] runs, in seconds.
fn median(mut run: impl FnMut()) -> f64 {
    let mut seconds: Vec<f64> = (0..RUNS)
        .map(|_| {
            let started = Instant::now();
            run();
            started.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    seconds[RUNS / 2]
}

/// Pseudorandom numbers.
fn noise() -> impl Iterator<Item = u32> {
    std::iter::successors(Some(1u32), |x| Some(x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223)))
        .map(|x| x >> 8)
}

/// Approximately normal 16-bit integers, like a network's weights.
fn weights(bytes: usize) -> Vec<u8> {
    let mut noise = noise();
    let mut sum = || noise.by_ref().take(12).map(|x| (x % 101) as i16 - 50).sum::<i16>();
    (0..bytes / 2).flat_map(|_| sum().to_le_bytes()).collect()
}

fn main() {
    let bytes: Vec<u8> = noise().map(|x| x as u8).take(10_000_000).collect();
    for alphabet in [Alphabet::Ascii, Alphabet::Wide] {
        let text = alphabet.packed(&bytes);
        let seconds = median(|| {
            black_box(alphabet.unpacked(bytes.len(), black_box(&text)));
        });
        let bits = 8.0 * bytes.len() as f64 / text.chars().count() as f64;
        println!("{alphabet:?}: {bits:.2} bits a character, {:.0} MB/s", 10.0 / seconds);
    }
    let bytes = weights(60_000);
    let coding = Coding::choose(&bytes);
    let text = Alphabet::Ascii.written(&coding.digits(&bytes, Alphabet::Ascii.radix()));
    let seconds = median(|| {
        black_box(coding.decoded(Alphabet::Ascii, bytes.len(), black_box(&text)));
    });
    println!(
        "coded: {} bytes in {} characters with {} contexts, {:.1} ms",
        bytes.len(),
        text.len(),
        coding.masks.len(),
        seconds * 1000.0
    );
}

//! Fits the weights of the evaluation: plays games of a search that sees everything against itself, and finds by logistic
//! regression the weights that best predict the winner from a position.
//!
//! `cargo run --release -p bots --example wondev-fit -- 3000 > bots/wondev/weights.rs` plays 3000 games and writes the file
//! that the bot is compiled from. Run it twice: the second run uses games of the improved evaluation.

use bots::wondev::eval::{closed, features, Judge, Weights, FEATURES};
use bots::wondev::league::League;
use bots::wondev::tools::contest::Start;
use bots::wondev::Board;
use coppice::search::{BestFirst, BestFirstOptions};
use coppice::{Budget, Game, Player, Rng, Search};

/// Two weights for each feature.
const UNKNOWNS: usize = 2 * FEATURES;
/// Nodes per move in the training games.
const NODES: u64 = 800;
/// Steps of Newton's method. The weights of the sixth differ from those of the fifth by less than a thousandth.
const STEPS: u32 = 6;

fn main() {
    let games = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1000u64);
    let mut positions = Vec::new();
    for game in 0..games {
        if game % 100 == 0 {
            eprint!("\r{game} of {games} games");
        }
        play(game, &mut positions);
    }
    let weights = regress(&positions);
    eprintln!("\r{} positions, cross entropy {:.4}", positions.len(), loss(&positions, &weights));
    print(&weights, games);
}

/// A training position: what each weight counts, and the result for its mover: 1 a win, 0 a loss.
struct Position {
    terms: [f32; UNKNOWNS],
    result: f64,
}

/// Plays a game from a random opening of 0 to 7 plies; adds the positions in which neither player is out.
fn play(seed: u64, positions: &mut Vec<Position>) {
    let mut rng = Rng::new(seed);
    let mut board = Start::Random(League::Fog, None).of(seed);
    for _ in 0..rng.below(8) {
        board.random_move(&mut rng).into_iter().for_each(|action| board.play(action));
    }
    let options = BestFirstOptions { memory: 4 << 20, scale: 1000.0, ..BestFirstOptions::default() };
    let mut search = BestFirst::new(Judge::new(&Weights::default()), options);
    let first = positions.len();
    let mut movers = Vec::new();
    while !board.is_over() {
        if board.out == [false; 2] {
            positions.push(Position { terms: terms(&board), result: 0.5 });
            movers.push(board.to_move());
        }
        board.play(search.search(&board, Budget::nodes(NODES)).best.expect("an action"));
    }
    let margin = board.payoff(Player::FIRST).sign();
    for (position, mover) in positions[first..].iter_mut().zip(movers) {
        let sign = if mover == Player::FIRST { margin } else { -margin };
        position.result = f64::from(1 + sign) / 2.0;
    }
}

/// The coefficient of each weight in a position's estimate.
fn terms(board: &Board) -> [f32; UNKNOWNS] {
    let mut terms = [0.0; UNKNOWNS];
    let (closed, cells) = closed(board);
    features(board, |feature, count| {
        terms[2 * feature] += count as f32;
        terms[2 * feature + 1] += (count * closed) as f32 / cells as f32;
    });
    terms
}

/// The probability of a win by the weights.
fn expected(position: &Position, weights: &[f64; UNKNOWNS]) -> f64 {
    let odds: f64 = weights.iter().zip(&position.terms).map(|(weight, &term)| weight * f64::from(term)).sum();
    1.0 / (1.0 + (-odds).exp())
}

fn loss(positions: &[Position], weights: &[f64; UNKNOWNS]) -> f64 {
    let of = |position: &Position| {
        let (win, result) = (expected(position, weights), position.result);
        -result * win.ln() - (1.0 - result) * (1.0 - win).ln()
    };
    positions.iter().map(of).sum::<f64>() / positions.len() as f64
}

/// The weights that make the results most likely, by Newton's method, with a normal distribution of variance 1 as prior.
fn regress(positions: &[Position]) -> [f64; UNKNOWNS] {
    let mut weights = [0.0; UNKNOWNS];
    for _ in 0..STEPS {
        let mut gradient = weights.map(|weight: f64| -weight);
        let mut curvature = [[0.0; UNKNOWNS]; UNKNOWNS];
        for position in positions {
            let win = expected(position, &weights);
            let terms = position.terms.map(f64::from);
            for (i, term) in terms.iter().enumerate().filter(|(_, term)| **term != 0.0) {
                gradient[i] += (position.result - win) * term;
                let row = curvature[i].iter_mut().zip(&terms);
                row.for_each(|(sum, other)| *sum += win * (1.0 - win) * term * other);
            }
        }
        (0..UNKNOWNS).for_each(|i| curvature[i][i] += 1.0);
        let step = solve(curvature, gradient);
        weights.iter_mut().zip(step).for_each(|(weight, step)| *weight += step);
    }
    weights
}

/// Solves a x = b for a positive definite `a`, by elimination.
fn solve(mut a: [[f64; UNKNOWNS]; UNKNOWNS], mut b: [f64; UNKNOWNS]) -> [f64; UNKNOWNS] {
    for i in 0..UNKNOWNS {
        let (pivot, value) = (a[i], b[i]);
        for row in i + 1..UNKNOWNS {
            let factor = a[row][i] / pivot[i];
            a[row].iter_mut().zip(&pivot).for_each(|(cell, above)| *cell -= factor * above);
            b[row] -= factor * value;
        }
    }
    for i in (0..UNKNOWNS).rev() {
        let known: f64 = (i + 1..UNKNOWNS).map(|column| a[i][column] * b[column]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    b
}

fn print(weights: &[f64; UNKNOWNS], games: u64) {
    println!("//! The weights of the evaluation.");
    println!("//!");
    println!("//! Fitted by the example `wondev-fit` to {games} games of a search that sees everything against itself.");
    println!();
    println!("use super::eval::{{Weight, FEATURES}};");
    println!();
    println!("/// By feature; the unit is in [`Weight`].");
    println!("pub static WEIGHTS: [Weight; FEATURES] = [");
    for row in weights.chunks(12) {
        let pairs = row.chunks(2).map(|pair| format!("[{:.0}, {:.0}]", 1000.0 * pair[0], 1000.0 * pair[1]));
        println!("    {},", pairs.collect::<Vec<_>>().join(", "));
    }
    println!("];");
}

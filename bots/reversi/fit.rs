//! Fits the weights of the positional evaluation: plays games of the bot against itself, and finds by least squares
//! the weights that best predict a game's final margin from its positions.
//!
//! `cargo run --release -p bots --example reversi-fit -- 10000 > bots/reversi/eval/weights.rs` plays 10000 games and
//! writes the file that the bot is compiled from. Run it twice: the second run uses games of the improved bot.

use bots::reversi::eval::features::{features, FEATURES};
use bots::reversi::eval::shares;
use bots::reversi::eval::weights::KNOTS;
use bots::reversi::strategy::Strategy;
use bots::reversi::Board;
use coppice::{Budget, Game, Player, Rng, Search};

const UNKNOWNS: usize = KNOTS * FEATURES;
/// Nodes per move in the training games.
const NODES: u64 = 10_000;
/// Margins are clamped to this many discs, so that routs don't dominate the fit.
const WIDEST: i32 = 40;

fn main() {
    let games = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1000u64);
    let mut strategy = Strategy::new();
    let mut rng = Rng::new(1);
    let mut equations = Equations::new();
    let mut square = 0.0;
    for game in 0..games {
        if game % 100 == 0 {
            eprint!("\r{game} of {games} games");
        }
        let random_plies = 4 + rng.below(24);
        let (positions, margin) = play(&mut strategy, &mut rng, random_plies);
        for board in positions {
            let margin = if board.to_move() == Player::FIRST { margin } else { -margin };
            let target = f64::from(margin.clamp(-WIDEST, WIDEST) * 100);
            square += target * target;
            equations.add(&terms(&board), target);
        }
    }
    let weights = equations.solve();
    let error = ((square - equations.explained(&weights)) / equations.samples).sqrt();
    eprintln!("\r{} positions, error {:.2} discs", equations.samples, error / 100.0);
    print(&weights, games);
}

/// Plays a game from a random opening; returns the positions after it and black's final margin.
fn play(strategy: &mut Strategy, rng: &mut Rng, random_plies: u32) -> (Vec<Board>, i32) {
    let mut board = Board::START;
    let mut positions = Vec::new();
    let mut plies = 0;
    while !board.is_over() {
        let cell = if plies < random_plies {
            board.random_move(rng)
        } else {
            if board.mobility() != 0 {
                positions.push(board);
            }
            strategy.search(&board, Budget::nodes(NODES)).best
        };
        let Some(cell) = cell else { break };
        board.play(cell);
        plies += 1;
    }
    (positions, board.payoff(Player::FIRST).0)
}

/// The coefficient of each weight in a position's estimate.
fn terms(board: &Board) -> [f64; UNKNOWNS] {
    let mut terms = [0.0; UNKNOWNS];
    for (knot, share) in shares(board.empty().count_ones() as usize) {
        for (i, feature) in features(board).into_iter().enumerate() {
            terms[knot * FEATURES + i] = f64::from(share * feature) / 256.0;
        }
    }
    terms
}

/// The normal equations of least squares.
struct Equations {
    left: Vec<[f64; UNKNOWNS]>,
    right: [f64; UNKNOWNS],
    samples: f64,
}

impl Equations {
    fn new() -> Equations {
        Equations { left: vec![[0.0; UNKNOWNS]; UNKNOWNS], right: [0.0; UNKNOWNS], samples: 0.0 }
    }

    fn add(&mut self, terms: &[f64; UNKNOWNS], target: f64) {
        for (i, &term) in terms.iter().enumerate().filter(|(_, &term)| term != 0.0) {
            for (left, other) in self.left[i].iter_mut().zip(terms) {
                *left += term * other;
            }
            self.right[i] += term * target;
        }
        self.samples += 1.0;
    }

    /// Solves by Gaussian elimination, with a small term on the diagonal for features that never occur.
    fn solve(&self) -> [f64; UNKNOWNS] {
        let (mut left, mut right) = (self.left.clone(), self.right);
        for (i, row) in left.iter_mut().enumerate() {
            row[i] += 1e-4 * self.samples;
        }
        for i in 0..UNKNOWNS {
            let pivot = left[i];
            for j in i + 1..UNKNOWNS {
                let factor = left[j][i] / pivot[i];
                left[j].iter_mut().zip(&pivot).for_each(|(a, b)| *a -= factor * b);
                right[j] -= factor * right[i];
            }
        }
        for i in (0..UNKNOWNS).rev() {
            let known: f64 = (i + 1..UNKNOWNS).map(|j| left[i][j] * right[j]).sum();
            right[i] = (right[i] - known) / left[i][i];
        }
        right
    }

    /// The part of the targets' sum of squares that these weights explain.
    fn explained(&self, weights: &[f64; UNKNOWNS]) -> f64 {
        let product = |i: usize| self.left[i].iter().zip(weights).map(|(a, b)| a * b).sum::<f64>();
        (0..UNKNOWNS).map(|i| weights[i] * (2.0 * self.right[i] - product(i))).sum()
    }
}

fn print(weights: &[f64; UNKNOWNS], games: u64) {
    println!("//! The weights of the positional evaluation.");
    println!("//!");
    println!("//! Fitted by the example `reversi-fit` to {games} games of the bot against itself.");
    println!();
    println!("use super::features::FEATURES;");
    println!();
    println!("/// Rows of weights: from 0 empty cells to 60, evenly spread.");
    println!("pub const KNOTS: usize = {KNOTS};");
    println!();
    println!("/// By row and feature, in hundredths of a disc of the final margin.");
    println!("pub static WEIGHTS: [[i32; FEATURES]; KNOTS] = [");
    for row in weights.chunks(FEATURES) {
        let row: Vec<String> = row.iter().map(|weight| format!("{weight:.0}")).collect();
        println!("    [{}],", row.join(", "));
    }
    println!("];");
}

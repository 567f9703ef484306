//! Fits the weights of the evaluation: plays games of the bot against itself, and finds by logistic regression the
//! weights that best predict the winner from a position.
//!
//! `cargo run --release -p bots --example freckers-fit -- 10000 > bots/freckers/weights.rs` plays 10000 games and
//! writes the file that the bot is compiled from. Run it twice: the second run uses games of the improved bot.

use bots::freckers::eval::{features, FEATURES};
use bots::freckers::strategy::Strategy;
use bots::freckers::Board;
use coppice::{Budget, Game, Player, Rng, Search};

/// One weight for each feature, and one for having the move.
const UNKNOWNS: usize = FEATURES + 1;
/// Nodes per move in the training games.
const NODES: u64 = 5_000;
/// One move in N is random on average, so that games differ and some contain punished mistakes.
const RANDOM_MOVE: u32 = 25;
/// Passes, each over as many positions as there are.
const EPOCHS: u32 = 30;
/// Positions per step of the weights.
const BATCH: usize = 256;
/// Strength of the weight decay.
const DECAY: f64 = 1e-5;

fn main() {
    let games = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1000u64);
    let mut rng = Rng::new(1);
    let mut positions = Vec::new();
    for game in 0..games {
        if game % 100 == 0 {
            eprint!("\r{game} of {games} games");
        }
        play(&mut rng, &mut positions);
    }
    let (weights, loss) = regress(&positions, &mut rng);
    eprintln!("\r{} positions, cross entropy {loss:.4}", positions.len());
    print(&weights, games);
}

/// A training position: own features minus the other side's, and the result for its mover: 1 a win, 0 a loss.
struct Position {
    terms: [i8; UNKNOWNS],
    result: f64,
}

/// Plays a game from a random opening of 2 to 13 moves; adds the positions after it.
fn play(rng: &mut Rng, positions: &mut Vec<Position>) {
    let mut board = Board::START;
    for _ in 0..2 + rng.below(12) {
        board.random_move(rng).into_iter().for_each(|m| board.play(m));
    }
    let mut strategy = Strategy::with_table(1 << 20);
    let first = positions.len();
    let mut movers = Vec::new();
    while !board.is_over() {
        positions.push(Position { terms: terms(&board), result: 0.5 });
        movers.push(board.to_move());
        let m = match rng.below(RANDOM_MOVE) {
            0 => board.random_move(rng),
            _ => strategy.search(&board, Budget::nodes(NODES)).best,
        };
        board.play(m.expect("a move"));
    }
    let margin = board.payoff(Player::FIRST).sign();
    for (position, mover) in positions[first..].iter_mut().zip(movers) {
        let sign = if mover == Player::FIRST { margin } else { -margin };
        position.result = f64::from(1 + sign) / 2.0;
    }
}

/// The coefficient of each weight in a position's estimate.
fn terms(board: &Board) -> [i8; UNKNOWNS] {
    let mut terms = [0; UNKNOWNS];
    terms[FEATURES] = 1;
    let (own, other, pads) = (board.own(), board.other(), board.pads());
    features(own, other, pads, |feature, n| terms[feature] += n as i8);
    let turned = [own, other, pads].map(u64::swap_bytes);
    features(turned[1], turned[0], turned[2], |feature, n| terms[feature] -= n as i8);
    terms
}

/// Fits weights for the log-odds by Adam (Kingma and Ba, *Adam: A Method for Stochastic Optimization*, 2015) with its
/// usual decay rates; also returns the cross entropy over the last pass.
fn regress(positions: &[Position], rng: &mut Rng) -> ([f64; UNKNOWNS], f64) {
    let mut weights = [0.0; UNKNOWNS];
    let (mut means, mut squares) = ([0.0; UNKNOWNS], [0.0; UNKNOWNS]);
    let (mut steps, mut loss) = (0, 0.0);
    for epoch in 0..EPOCHS {
        let rate = 0.01 * (1.0 - f64::from(epoch) / f64::from(EPOCHS)) + 0.0005;
        loss = 0.0;
        let batches = (positions.len() / BATCH).max(1);
        for _ in 0..batches {
            let mut gradient = weights.map(|weight: f64| DECAY * weight);
            for _ in 0..BATCH {
                let position = &positions[rng.below(positions.len() as u32) as usize];
                let terms = position.terms.map(f64::from);
                let odds: f64 = weights.iter().zip(&terms).map(|(weight, term)| weight * term).sum();
                let expected = 1.0 / (1.0 + (-odds).exp());
                let error = expected - position.result;
                loss -= (1.0 - error.abs()).max(1e-9).ln() / (batches * BATCH) as f64;
                gradient.iter_mut().zip(&terms).for_each(|(sum, term)| *sum += error * term / BATCH as f64);
            }
            steps += 1;
            for i in 0..UNKNOWNS {
                means[i] = 0.9 * means[i] + 0.1 * gradient[i];
                squares[i] = 0.999 * squares[i] + 0.001 * gradient[i] * gradient[i];
                let mean = means[i] / (1.0 - 0.9f64.powi(steps));
                let square: f64 = squares[i] / (1.0 - 0.999f64.powi(steps));
                weights[i] -= rate * mean / (square.sqrt() + 1e-8);
            }
        }
    }
    (weights, loss)
}

fn print(weights: &[f64; UNKNOWNS], games: u64) {
    println!("//! The weights of the evaluation.");
    println!("//!");
    println!("//! Fitted by the example `freckers-fit` to {games} games of the bot against itself.");
    println!();
    println!("use super::eval::FEATURES;");
    println!();
    println!("/// By feature, in hundredths of the logarithm of the odds to win; then the value of having the move.");
    println!("pub static WEIGHTS: [i16; FEATURES + 1] = [");
    for row in weights.chunks(8) {
        let row: Vec<String> = row.iter().map(|weight| format!("{:.0}", 100.0 * weight)).collect();
        println!("    {},", row.join(", "));
    }
    println!("];");
}

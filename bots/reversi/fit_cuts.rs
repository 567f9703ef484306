//! Fits the constants of ProbCut: the errors of shallow searches, by depth and phase.
//!
//! `cargo run --release -p bots --example reversi-cuts -- 200` plays 200 games of the bot against itself, searches one
//! position in eight to each depth, and prints the table of `bots/reversi/cuts.rs`. To be tried again, by games, when the
//! evaluation changes.

use bots::reversi::cuts::{shallow, DEEPEST, ERRORS, LEAST};
use bots::reversi::eval::Patterns;
use bots::reversi::strategy::Strategy;
use bots::reversi::Board;
use coppice::search::{AlphaBeta, AlphaBetaOptions};
use coppice::{Budget, Evaluation, Game, Rng, Search};

/// Nodes per move in the games.
const NODES: u64 = 5_000;
/// One position in N is searched.
const EVERY: u32 = 8;

fn main() {
    let games = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(200u64);
    let mut strategy = Strategy::new();
    let mut rng = Rng::new(1);
    // By phase and depth: the sum of squares, and the number of samples.
    let mut squares = [[(0.0, 0u32); DEEPEST - 1]; ERRORS.len()];
    for game in 0..games {
        eprint!("\r{game} of {games} games");
        let mut board = Board::START;
        let random_plies = 4 + rng.below(12);
        for ply in 0.. {
            let best = match ply < random_plies {
                true => board.random_move(&mut rng),
                false => strategy.search(&board, Budget::nodes(NODES)).best,
            };
            let Some(best) = best else { break };
            board.play(best);
            if ply >= random_plies && rng.below(EVERY) == 0 && !board.is_over() {
                sample(&board, &mut squares);
            }
        }
    }
    eprintln!();
    for (phase, row) in squares.iter().enumerate() {
        let error =
            |&(sum, count): &(f64, u32)| if count > 20 { (sum / f64::from(count)).sqrt() } else { 0.0 };
        let row: Vec<String> = row.iter().map(|cell| format!("{:.0}", error(cell))).collect();
        let count = squares[phase][0].1;
        println!(
            "    [{}], // {} to {} empty cells, {count} positions",
            row.join(", "),
            10 * phase,
            10 * phase + 9
        );
    }
}

/// Adds the errors at a position, as far as no search sees the end.
fn sample(board: &Board, squares: &mut [[(f64, u32); DEEPEST - 1]; ERRORS.len()]) {
    let empties = board.empty().count_ones();
    let mut scores = [None; DEEPEST + 1];
    scores[0] = Some(Patterns::trained().evaluate(board));
    for (depth, score) in scores.iter_mut().enumerate().take(DEEPEST.min(empties as usize - 1) + 1).skip(1) {
        let options = AlphaBetaOptions {
            memory: 1 << 20,
            max_depth: depth as u32,
            equal_depth: true,
            ..AlphaBetaOptions::default()
        };
        let report = AlphaBeta::new(Patterns::trained(), options).search(board, Budget::nodes(u64::MAX));
        *score = Some(report.score).filter(|score| !score.is_win() && !score.is_loss());
    }
    for depth in LEAST as usize..=DEEPEST {
        if let (Some(deep), Some(near)) = (scores[depth], scores[shallow(depth as u32) as usize]) {
            let cell = &mut squares[(empties as usize / 10).min(5)][depth - LEAST as usize];
            cell.0 += f64::from(deep.value() - near.value()).powi(2);
            cell.1 += 1;
        }
    }
}

//! Nodes a second of alpha-beta with both evaluations, in turns: how much of the net's gain at equal nodes its cost takes.
//!
//! ```sh
//! cargo run --release -p connect-four --example speed
//! ```

use std::time::{Duration, Instant};

use connect_four::lines::Lines;
use connect_four::net::Net;
use connect_four::ConnectFour;
use coppice::search::{AlphaBeta, AlphaBetaOptions};
use coppice::{Budget, Game, Rng, Search};

const NODES: u64 = 20_000;
/// All of the same positions.
const ROUNDS: u64 = 15;
const POSITIONS: u64 = 20;

fn main() {
    let options = || AlphaBetaOptions { memory: 1 << 20, ..AlphaBetaOptions::default() };
    let mut times = [Vec::new(), Vec::new()];
    let mut nodes = [0; 2];
    for _ in 0..ROUNDS {
        let mut lines = AlphaBeta::new(Lines, options());
        let mut net = AlphaBeta::new(Net::trained(), options());
        let searches: [&mut dyn Search<ConnectFour>; 2] = [&mut lines, &mut net];
        for (i, search) in searches.into_iter().enumerate() {
            let mut time = Duration::ZERO;
            for position in 0..POSITIONS {
                let mut rng = Rng::new(position);
                let mut game = ConnectFour::START;
                for _ in 0..8 {
                    game.random_move(&mut rng).into_iter().for_each(|column| game.play(column));
                }
                let start = Instant::now();
                nodes[i] += search.search(&game, Budget::nodes(NODES)).nodes;
                time += start.elapsed();
            }
            times[i].push(time);
        }
    }
    // The quickest round is the one that other programs disturbed least.
    let each = |i: usize| times[i].iter().min().map_or(0.0, Duration::as_secs_f64) * ROUNDS as f64;
    let speed = [0, 1].map(|i| nodes[i] as f64 / each(i));
    println!("lines {:.2} million nodes a second, net {:.2}", speed[0] / 1e6, speed[1] / 1e6);
    println!("a node costs {:.2} times as much with the net", speed[0] / speed[1]);
}

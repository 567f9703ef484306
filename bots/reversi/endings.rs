//! Measures the endgame solver on positions of the bot's games: which share is solved within a turn, in what
//! processor time, and with how many nodes.
//!
//! ```sh
//! cargo run --release -p bots --example reversi-endings -- winner 20             # who wins, 20 empty cells, 200 games
//! cargo run --release -p bots --example reversi-endings -- margin 18 --ms 130    # by how much, at most 130 ms each
//! cargo run --release -p bots --example reversi-endings -- margin 18 --play      # prints the positions
//! cargo run --release -p bots --example reversi-endings -- margin FILE           # a file of positions, one a line
//! cargo run --release -p bots --example reversi-endings -- margin 18 --positional    # ordered by the other evaluation
//! ```

use std::error::Error;
use std::time::{Duration, Instant};

use bots::reversi::endgame::{Endgame, Goal, Solved};
use bots::reversi::eval::{Patterns, Positional};
use bots::reversi::strategy::Strategy;
use bots::reversi::Board;
use coppice::{Budget, Evaluation, Game, Rng, Search};

/// The bot's nodes a move in the games.
const NODES: u64 = 20_000;
const GAMES: u64 = 200;

const USAGE: &str =
    "expected winner or margin, then a number of empty cells or a file of positions; then options: \
                     --ms N (141 a position), --mb N (64), --positional, --play";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (goal, source) = match &arguments[..] {
        [goal, source, ..] if goal == "winner" => (Goal::Winner, source),
        [goal, source, ..] if goal == "margin" => (Goal::Margin, source),
        _ => return Err(USAGE.into()),
    };
    let option = |name: &str, default: u64| match arguments.iter().position(|word| word == name) {
        None => Ok(default),
        Some(at) => arguments.get(at + 1).and_then(|n| n.parse().ok()).ok_or(USAGE),
    };
    let (ms, mb) = (option("--ms", 141)?, option("--mb", 64)?);
    let boards = match source.parse() {
        Ok(empties) => games(empties),
        Err(_) => read(source)?,
    };
    let has = |name: &str| arguments.iter().any(|word| word == name);
    if has("--play") {
        boards.iter().for_each(|board| println!("{}", line(board)));
        return Ok(());
    }
    let (limit, bytes) = (Duration::from_millis(ms), (mb as usize) << 20);
    if has("--positional") {
        measure(&Positional::new(), &boards, goal, limit, bytes);
    } else {
        measure(&Patterns::trained(), &boards, goal, limit, bytes);
    }
    Ok(())
}

/// Solves each position on its own and prints the share of those solved in time, and quantiles of the time.
fn measure<E: Evaluation<Board>>(
    evaluation: &E,
    boards: &[Board],
    goal: Goal,
    limit: Duration,
    bytes: usize,
) {
    let mut endgame = Endgame::new(bytes);
    let (mut seconds, mut counts) = (Vec::new(), Vec::new());
    let (mut nodes, mut solved) = (0, 0);
    for board in boards {
        // The table is empty, but its memory in use, as in the middle of a game.
        endgame.clear();
        let (begun, mut made) = (processor(), 0);
        // Wall-clock time may be much longer than processor time on a busy machine.
        let budget = Budget::until(Instant::now() + 40 * limit);
        let found = endgame.solve(evaluation, board, goal, budget, &mut made);
        let spent = processor() - begun;
        if boards.len() <= 20 {
            let found =
                found.map_or_else(|| "-".to_owned(), |Solved { best, score }| format!("{score:+} {best}"));
            println!("{found}, {made} nodes, {:.3} s", spent.as_secs_f64());
        }
        nodes += made;
        solved += u64::from(found.is_some() && spent <= limit);
        seconds.push(if found.is_some() { spent.as_secs_f64() } else { f64::INFINITY });
        counts.push(if found.is_some() { made as f64 } else { f64::INFINITY });
    }
    let total: f64 = seconds.iter().filter(|time| time.is_finite()).sum();
    seconds.sort_by(f64::total_cmp);
    counts.sort_by(f64::total_cmp);
    let at = |share: f64| ((counts.len() - 1) as f64 * share) as usize;
    let quantile = |share: f64| 1000.0 * seconds[at(share)];
    let millions = |share: f64| counts[at(share)] / 1e6;
    println!(
        "{solved} of {} solved in {} ms ({:.1} %); median {:.1} ms, 75 % {:.1}, 90 % {:.1}, 95 % {:.1}; {nodes} nodes, {total:.2} s",
        boards.len(), limit.as_millis(), 100.0 * solved as f64 / boards.len() as f64,
        quantile(0.5), quantile(0.75), quantile(0.9), quantile(0.95)
    );
    println!(
        "millions of nodes: median {:.2}, 75 % {:.2}, 90 % {:.2}, 95 % {:.2}",
        millions(0.5),
        millions(0.75),
        millions(0.9),
        millions(0.95)
    );
}

/// This thread's processor time; where the system doesn't tell, the time of day.
fn processor() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    match told.and_then(|text| text.split(' ').next().and_then(|n| n.parse().ok())) {
        Some(nanoseconds) => Duration::from_nanos(nanoseconds),
        None => START.get_or_init(Instant::now).elapsed(),
    }
}

/// One position with `empties` empty cells from each of the bot's games against itself, after 8 random plies.
fn games(empties: u32) -> Vec<Board> {
    let mut strategy = Strategy::new();
    let mut boards = Vec::new();
    let mut rng = Rng::new(1);
    while boards.len() < GAMES as usize {
        let mut board = Board::START;
        for ply in 0.. {
            let best = match ply {
                0..8 => board.random_move(&mut rng),
                _ if board.empty().count_ones() <= empties && board.mobility() != 0 => break,
                _ => strategy.search(&board, Budget::nodes(NODES)).best,
            };
            let Some(best) = best else { break };
            board.play(best);
        }
        if board.empty().count_ones() == empties && board.mobility() != 0 {
            boards.push(board);
        }
    }
    boards
}

fn read(path: &str) -> Result<Vec<Board>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let board = |(i, line): (usize, &str)| {
        line.get(..66.min(line.len()))
            .unwrap_or(line)
            .parse()
            .map_err(|error| format!("{path}, line {}: {error}", i + 1).into())
    };
    lines.map(board).collect()
}

fn line(board: &Board) -> String {
    let players = [coppice::Player::FIRST, coppice::Player::SECOND];
    let cell = |i: u32| match players.map(|player| board.discs(player) >> i & 1) {
        [1, _] => 'X',
        [_, 1] => 'O',
        _ => '-',
    };
    let side = if board.to_move() == players[0] { 'X' } else { 'O' };
    (0..64).map(cell).chain([' ', side]).collect()
}

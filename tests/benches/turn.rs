//! Measures a turn's overhead in milliseconds: how late a search returns after its deadline, by the clock,
//! and the processor time for reading a turn, finding its position in the last tree and answering.

mod clock;

use std::io::Write;
use std::time::{Duration, Instant};

use bots::reversi::eval::Positional;
use bots::reversi::protocol::{read_turn, write_turn};
use bots::reversi::strategy::Strategy;
use bots::reversi::Board;
use coppice::input::Input;
use coppice::search::{AlphaBeta, AlphaBetaOptions, Mcts, MctsOptions};
use coppice::{Budget, Game, Rng, Search};

/// Size of the pool and of the table, in bytes.
const POOL: usize = 200 << 20;
const TABLE: usize = 64 << 20;

/// A position from the middle of a game.
fn middle() -> Board {
    let mut rng = Rng::new(20);
    let mut board = Board::START;
    for _ in 0..20 {
        board.random_move(&mut rng).into_iter().for_each(|m| board.play(m));
    }
    board
}

fn moves(board: &Board) -> <Board as Game>::Moves {
    let mut list = <Board as Game>::Moves::default();
    board.moves(&mut list);
    list
}

fn print(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e3;
    let verdict = if at(99) < 1.0 { "met" } else { "MISSED" };
    println!(
        "{what:<44} {:>8.4} {:>8.4} {:>8.4}   {} turns; 99 % under 1 ms: {verdict}",
        at(50),
        at(99),
        at(100),
        times.len()
    );
}

/// Plays self-play games with 2 ms a turn, ignoring turns with other load on the processor. The search last
/// reads its clock after the deadline, so the measured time includes at least the time from that reading to
/// its return.
fn late(what: &str, search: &mut dyn Search<Board>) {
    const TURN: Duration = Duration::from_millis(2);
    let mut times = Vec::new();
    let mut board = Board::START;
    for _ in 0..5_000 {
        let (used, started) = (clock::now(), Instant::now());
        let report = search.search(&board, Budget::until(started + TURN));
        let elapsed = started.elapsed();
        let undisturbed = elapsed < clock::now() - used + Duration::from_micros(20);
        // A search that has solved the game returns before its deadline.
        times.extend(elapsed.checked_sub(TURN).filter(|_| undisturbed));
        if times.len() == 500 {
            break;
        }
        match report.best {
            Some(best) if !report.solved => board.play(best),
            _ => board = Board::START,
        }
    }
    print(what, times);
}

/// Measures the time from a turn's text to an answer's text without searching, for positions two plies after
/// the last search's, with the tree and tables as `full` has them.
fn overhead<S: Search<Board> + Clone>(what: &str, board: &Board, full: &S) {
    let mut times = Vec::new();
    for &first in moves(board).iter() {
        let next = board.after(first);
        for &second in moves(&next).iter().step_by(2) {
            let next = next.after(second);
            let actions = moves(&next);
            if actions.is_empty() || next.mobility() == 0 {
                continue;
            }
            let text = write_turn(&next, None, &actions);
            let mut search = full.clone();
            let mut answer = Vec::with_capacity(100);
            let started = clock::now();
            let turn = read_turn(&mut Input::new(text.as_bytes()), next.to_move()).expect("a turn");
            let report = search.search(&turn.board, Budget::nodes(0));
            writeln!(answer, "{}", report.best.expect("a move")).expect("an answer");
            times.push(clock::now() - started);
        }
    }
    print(what, times);
}

fn main() {
    if std::env::args().any(|word| word == "--test") {
        return;
    }
    println!("{:44} {:>8} {:>8} {:>8}", "ms", "50 %", "99 %", "worst");
    let alpha_beta = || {
        AlphaBeta::new(Positional::new(), AlphaBetaOptions { memory: TABLE, ..AlphaBetaOptions::default() })
    };
    late(
        "MCTS: late after its deadline",
        &mut Mcts::new(MctsOptions { memory: POOL, seed: 1, ..MctsOptions::default() }),
    );
    late("alpha-beta: late after its deadline", &mut alpha_beta());
    late("the bot: late after its deadline", &mut Strategy::new());

    let board = middle();
    let mut full = Mcts::new(MctsOptions { memory: POOL, seed: 1, ..MctsOptions::default() });
    let mut live = 0;
    for _ in 0..60 {
        let _ = full.search(&board, Budget::nodes(50_000));
        if full.live_nodes() == live {
            break;
        }
        live = full.live_nodes();
    }
    println!("a pool of 200 MB with {live} nodes of {} bytes", Mcts::<Board>::NODE_BYTES);
    overhead("MCTS: a turn without its search", &board, &full);
    let mut full = alpha_beta();
    let _ = full.search(&board, Budget::nodes(1_000_000));
    overhead("alpha-beta: a turn without its search", &board, &full);
}

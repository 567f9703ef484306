//! Othello's rules and searches beside those of the crate `minimax` 0.6, with the same rules written
//! over its trait, in one process on one thread.
//!
//! `cargo bench` prints rates and their ratio; nothing here passes or fails. Both sides estimate by
//! material difference and have tables of 64 MB; a node is one move made, an iteration one playout to
//! the real end of the game.

mod paired;

use paired::Timed;
use std::cell::Cell as Counter;

use bots::reversi::eval::Material;
use bots::reversi::{Board, Cell};
use coppice::search::{AlphaBeta, AlphaBetaOptions, Mcts, MctsOptions};
use coppice::{perft, Budget, Ended, Evaluation, Game, List, Rng, Search};
use minimax::{IterativeOptions, IterativeSearch, MCTSOptions, MonteCarloTreeSearch, Strategy, Winner};

thread_local!(static APPLIED: Counter<u64> = const { Counter::new(0) });

/// The peer's view of the rules.
struct Peer;

fn winner(board: &Board) -> Winner {
    match board.disc_difference().signum() {
        1 => Winner::PlayerToMove,
        0 => Winner::Draw,
        _ => Winner::PlayerJustMoved,
    }
}

impl minimax::Game for Peer {
    type S = Board;
    type M = Cell;

    fn generate_moves(board: &Board, moves: &mut Vec<Cell>) -> Option<Winner> {
        let mut list = List::<Cell, 64>::default();
        board.moves(&mut list);
        moves.extend_from_slice(&list);
        moves.is_empty().then(|| winner(board))
    }

    fn apply(board: &mut Board, m: Cell) -> Option<Board> {
        APPLIED.set(APPLIED.get() + 1);
        Some(board.after(m))
    }

    fn get_winner(board: &Board) -> Option<Winner> {
        board.is_over().then(|| winner(board))
    }

    fn zobrist_hash(board: &Board) -> u64 {
        board.hash()
    }

    fn table_index(m: Cell) -> u16 {
        Board::code(m)
    }

    fn max_table_index() -> u16 {
        64
    }
}

#[derive(Clone, Default)]
struct PeerMaterial;

impl minimax::Evaluator for PeerMaterial {
    type G = Peer;

    fn evaluate(&self, board: &Board) -> minimax::Evaluation {
        Material.evaluate(board).value() as minimax::Evaluation
    }
}

/// Positions of random games, 20 plies from the start.
fn positions(count: usize) -> Vec<Board> {
    let mut rng = Rng::new(20);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut board = Board::START;
        for _ in 0..20 {
            match board.random_move(&mut rng) {
                Some(cell) => board.play(cell),
                None => break,
            }
        }
        if board.mobility() != 0 {
            positions.push(board);
        }
    }
    positions
}

const DEPTH: u8 = 10;
const TABLE: usize = 64 << 20;
const ROLLOUTS: u64 = 30_000;

fn our_perft() -> Timed {
    let mut timed = Timed::default();
    timed.add(|| (0..10).map(|depth| perft(&Board::START, depth, Ended::Dropped)).sum());
    timed
}

fn their_perft() -> Timed {
    let mut timed = Timed::default();
    timed.add(|| minimax::perft::<Peer>(&mut Board::START.clone(), 9, false).iter().sum());
    timed
}

fn our_alpha_beta(boards: &[Board]) -> Timed {
    let mut timed = Timed::default();
    let options = AlphaBetaOptions { max_depth: u32::from(DEPTH), ..AlphaBetaOptions::default() };
    for board in boards {
        let mut search = AlphaBeta::new(Material, TABLE, options.clone());
        timed.add(|| search.search(board, Budget::nodes(u64::MAX)).nodes);
    }
    timed
}

fn their_alpha_beta(boards: &[Board], options: IterativeOptions) -> Timed {
    let mut timed = Timed::default();
    for board in boards {
        let mut search = IterativeSearch::new(PeerMaterial, options);
        search.set_max_depth(DEPTH);
        timed.add(|| {
            let before = APPLIED.get();
            search.choose_move(board);
            APPLIED.get() - before
        });
    }
    timed
}

fn our_mcts(boards: &[Board]) -> Timed {
    let mut timed = Timed::default();
    for board in boards {
        let mut search = Mcts::new(64 << 20, 1, MctsOptions::default());
        timed.add(|| search.search(board, Budget::nodes(ROLLOUTS)).nodes);
    }
    timed
}

fn their_mcts(boards: &[Board]) -> Timed {
    let mut timed = Timed::default();
    for board in boards {
        let options = MCTSOptions::default().with_num_threads(1).with_max_rollout_depth(200);
        let mut search = MonteCarloTreeSearch::<Peer>::new(options);
        search.set_max_rollouts(ROLLOUTS as u32);
        timed.add(|| {
            search.choose_move(board);
            ROLLOUTS
        });
    }
    timed
}

fn main() {
    if std::env::args().any(|word| word == "--test") {
        return;
    }
    let boards = positions(8);

    let perfts = paired::measure(7, our_perft, their_perft);

    let options = IterativeOptions::new().with_table_byte_size(TABLE);
    let settings = [
        ("plain", options),
        ("countermoves", options.with_countermoves()),
        ("history", options.with_countermove_history()),
    ];
    let rates = settings.map(|(_, options)| their_alpha_beta(&boards, options).rate());
    let fastest = (0..settings.len()).max_by(|&a, &b| rates[a].total_cmp(&rates[b])).unwrap_or(0);
    let (setting, options) = settings[fastest];
    let (mut our_nodes, mut their_nodes) = (0, 0);
    let alpha_beta = paired::measure(
        7,
        || {
            let timed = our_alpha_beta(&boards);
            our_nodes = timed.work;
            timed
        },
        || {
            let timed = their_alpha_beta(&boards, options);
            their_nodes = timed.work;
            timed
        },
    );

    let mcts = paired::measure(7, || our_mcts(&boards), || their_mcts(&boards));

    println!();
    println!("reversi, one thread              coppice  minimax               ratio");
    perfts.print("perft to depth 9", "M leaves/s", 1e6, 3.6);
    alpha_beta.print("alpha-beta to depth 10", "M nodes/s", 1e6, 2.0);
    mcts.print("MCTS", "k iter/s", 1e3, 2.0);
    println!();
    println!(
        "alpha-beta nodes over {} positions: {} and {} (setting: {})",
        boards.len(),
        our_nodes,
        their_nodes,
        setting
    );
    println!("bytes of an MCTS node: {}", Mcts::<Board>::NODE_BYTES);
}

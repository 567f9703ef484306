//! Compares rules and searches with those of the crates `minimax` 0.6, `board-game` 0.8 and `treant` 0.4: the same rules,
//! adapted to each peer's trait, in one process on one thread, each peer in its faster configuration.
//!
//! `cargo bench -p coppice-benches --bench speed -- [--rounds N] [NAME...]` prints rates and the ratio to the better
//! peer. The exit status is 1 if a game panicked, in a peer or here; the others are measured nevertheless. A name is a
//! topic (perft, playouts, solver, marks, mcts, mcts-drawn, chance, simultaneous, alpha-beta, memory), a game, or both
//! as in mcts/uttt. `--count NAME` does a fixed amount of one work and prints how many units; `--count list` names them.

mod board_game_rs;
#[path = "../clock.rs"]
mod clock;
mod counts;
mod games;
mod joint;
mod minimax_rs;
mod paired;
mod treant_rs;

use std::any::Any;
use std::cell::Cell;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::OnceLock;

use bots::boop::tools::original::{Numbers, Paper};
use bots::boop::Board as Boop;
use bots::freckers::tools::row_weights::RowWeights;
use bots::freckers::Board as Freckers;
use bots::mancala::Board as Kalah;
use bots::mnk::field::Field;
use bots::mnk::Board as Mnk;
use bots::reversi::eval::Material;
use bots::reversi::Board as Reversi;
use bots::uttt::eval::WonBoards;
use bots::uttt::Board as Uttt;
use coppice::cpu::{self, Cpu, Task};
use coppice::search::{AlphaBeta, AlphaBetaOptions, Mcts, MctsOptions};
use coppice::{perft, Budget, Ended, Evaluation, Game, Reversible, Rng, Search};
use coppice_tests::games::joint::{OshiZumo, Pig, Race, Tron};
use coppice_tests::games::{Centre, ConnectFour, TicTacToe};

use games::{moves_made, positions, Counted, InTurn, Inside, Rules, StoreDifferenceInTurn};
use paired::{fastest, measure, Side, Timed};

/// Rounds of each comparison, unless `--rounds` names another number.
const USUAL_ROUNDS: usize = 7;

static ROUNDS: OnceLock<usize> = OnceLock::new();

fn rounds() -> usize {
    ROUNDS.get().copied().unwrap_or(USUAL_ROUNDS)
}

const TABLE: usize = 64 << 20;
/// Makes and takes back a mark on each free cell of a position of m,n,k games, with all incremental updates:
/// for the heuristic of MNKGames, and for the bot's own search.
fn marks<const C: usize>(name: &str, (rows, columns, in_line): (usize, usize, usize)) -> String {
    const ROUNDS_OF_ALL: usize = 5_000;
    let mut board = Box::new(Mnk::<C>::new(rows, columns, in_line));
    let mut rng = Rng::new(1);
    (0..10).for_each(|_| board.random_move(&mut rng).into_iter().for_each(|cell| board.play(cell)));
    let cells = board.free_cells().to_vec();
    let number = |cell: bots::mnk::Cell| usize::from(cell.row) * columns + usize::from(cell.column);
    let mut field = Field::new(rows, columns, in_line);
    for at in 0..rows * columns {
        let cell = bots::mnk::Cell::new((at / columns) as u8, (at % columns) as u8);
        board.mark(cell).into_iter().for_each(|player| {
            field.put(at, player.index());
        });
    }
    let (mut heuristic, mut ours) = (Timed::default(), Timed::default());
    for _ in 0..rounds() {
        heuristic.add(|| {
            for _ in 0..ROUNDS_OF_ALL {
                for &cell in &cells {
                    let undo = board.make(cell);
                    board.unmake(cell, undo);
                }
            }
            (ROUNDS_OF_ALL * cells.len()) as u64
        });
        ours.add(|| {
            for i in 0..ROUNDS_OF_ALL {
                for &cell in &cells {
                    field.put(number(cell), i % 2);
                    field.take(number(cell), i % 2);
                }
            }
            (ROUNDS_OF_ALL * cells.len()) as u64
        });
    }
    format!("{name:<14} {:>10.0} {:>10.0}   bar 200 at 7,7,5", 1e9 / heuristic.rate(), 1e9 / ours.rate())
}

const KALAH: Kalah = Kalah::new(6, 4, true);

/// Runs `work` on each of some positions.
fn each<'a, G>(games: &'a [G], mut work: impl FnMut(&'a G, &mut Timed)) -> Timed {
    let mut timed = Timed::default();
    games.iter().for_each(|game| work(game, &mut timed));
    timed
}

fn perfts<G: Rules>(name: &str, start: &G, depth: u32, bar: f64) -> String {
    let mut sides: [Side; 2] = [
        Box::new(|| {
            let mut timed = Timed::default();
            timed.add(|| (0..=depth).map(|depth| perft(start, depth, Ended::Dropped)).sum());
            timed
        }),
        Box::new(|| {
            let mut timed = Timed::default();
            let mut start = start.clone();
            timed.add(|| minimax::perft::<minimax_rs::Peer<G>>(&mut start, depth as u8, false).iter().sum());
            timed
        }),
    ];
    measure(rounds(), &mut sides).line(name, 1e6, bar, &format!("depth {depth}"))
}

/// Plays random games to their end; neither peer offers them alone.
fn playouts<G: Game>(name: &str, start: &G) -> String {
    struct Playouts<'a, G>(&'a G, u32);

    impl<G: Game> Task for Playouts<'_, G> {
        type Output = u64;

        #[inline(always)]
        fn run<C: Cpu>(self, _: C) -> u64 {
            let mut rng = Rng::new(1);
            let mut moves = 0;
            for _ in 0..self.1 {
                let mut game = self.0.clone();
                while let Some(m) = game.random_move(&mut rng) {
                    game.play(m);
                    moves += 1;
                }
            }
            moves
        }
    }

    const GAMES: u32 = 100_000;
    let (mut timed, mut moves) = (Timed::default(), 0);
    for _ in 0..rounds() {
        timed.add(|| {
            moves = cpu::dispatch(Playouts(start, GAMES));
            u64::from(GAMES)
        });
    }
    format!("{name:<14} {:>10.3}   {:.1} moves each", timed.rate() / 1e3, moves as f64 / f64::from(GAMES))
}

/// `theirs` is the same game in the form that the peers can play.
fn mcts<G: Game, P: Rules>(
    name: &str,
    games: &[G],
    theirs: impl Fn(&G) -> P,
    iterations: u64,
    drawn: bool,
) -> String {
    let theirs: Vec<P> = games.iter().map(theirs).collect();
    let minimax =
        |way| each(&theirs, |game, timed| timed.add(|| minimax_rs::mcts(game, iterations, way, drawn)));
    let way = fastest(&minimax_rs::EXPANDED_AFTER, minimax);
    // One pool for all searches, like a bot's for all its turns; each search starts with an empty tree.
    let options = MctsOptions { keep_tree: false, ..MctsOptions::default() };
    let exploration = options.exploration;
    let mut search = Mcts::new(MctsOptions { memory: 64 << 20, seed: 1, ..options });
    let mut sides: [Side; 3] = [
        Box::new(|| {
            each(games, |game, timed| {
                timed.add(|| search.search(game, Budget::nodes(iterations)).nodes);
            })
        }),
        Box::new(|| minimax(way)),
        Box::new(|| {
            each(&theirs, |game, timed| {
                timed.add(|| board_game_rs::mcts(game, iterations, exploration, drawn).0)
            })
        }),
    ];
    let note = format!("{iterations} from each of {}; minimax expands after {way}", games.len());
    measure(rounds(), &mut sides).line(name, 1e3, 2.0, &note)
}

fn memory<G: Game, P: Rules>(name: &str, game: &G, theirs: &P, iterations: u64) -> String {
    let mut search = Mcts::new(MctsOptions { memory: 256 << 20, seed: 1, ..MctsOptions::default() });
    let ours = search.search(game, Budget::nodes(iterations)).nodes;
    let bytes = Mcts::<G>::NODE_BYTES;
    let (their_iterations, nodes, their_bytes) = board_game_rs::mcts(theirs, iterations, 0.9, true);
    let each = |nodes: usize, bytes: usize, iterations: u64| (nodes * bytes) as f64 / iterations as f64;
    let each = [each(search.live_nodes(), bytes, ours), each(nodes, their_bytes, their_iterations)];
    format!("{name:<14} {bytes:>10} {their_bytes:>10} {:>12.1} {:>10.1}", each[0], each[1])
}

/// Compares with `minimax` only: `board-game` has no table and no move ordering.
/// `MAX` is the largest index of a move.
fn alpha_beta<G, E, const MAX: u16>(name: &str, games: &[G], evaluation: E, depth: u32) -> String
where
    G: Rules,
    E: Evaluation<G> + Copy + 'static,
{
    let games: Vec<Counted<G>> = games.iter().cloned().map(Counted).collect();
    let evaluation = Inside(evaluation);
    let options = AlphaBetaOptions { max_depth: depth, ..AlphaBetaOptions::default() };
    let minimax = |order| {
        each(&games, |game, timed| {
            timed.add(minimax_rs::alpha_beta::<_, _, MAX>(evaluation, game, depth, TABLE, order))
        })
    };
    let order = fastest(&minimax_rs::ORDERS, minimax);
    let (our_nodes, their_nodes) = (Cell::new(0), Cell::new(0));
    let count = |nodes: &Cell<u64>, timed: Timed| {
        nodes.set(timed.work);
        timed
    };
    let mut sides: [Side; 2] = [
        Box::new(|| {
            let timed = each(&games, |game, timed| {
                let mut search =
                    AlphaBeta::new(evaluation, AlphaBetaOptions { memory: TABLE, ..options.clone() });
                // Touch the table's memory, as the peer's constructor does.
                search.clear();
                timed.add(|| {
                    moves_made(|| {
                        let _ = search.search(game, Budget::nodes(u64::MAX));
                    })
                });
            });
            count(&our_nodes, timed)
        }),
        Box::new(|| count(&their_nodes, minimax(order))),
    ];
    let paired = measure(rounds(), &mut sides);
    let verdict = if our_nodes <= their_nodes { "met" } else { "MISSED" };
    let thousands = |nodes: &Cell<u64>| nodes.get() / 1000;
    let (ours, theirs) = (thousands(&our_nodes), thousands(&their_nodes));
    let note = format!("to depth {depth} {ours} k and {theirs} k ({order:?}); not more: {verdict}");
    paired.line(name, 1e6, 2.0, &note)
}

/// Measures iterations of the paper's search of boop., each with a playout of 21 of its solver's moves.
fn solver(name: &str) -> String {
    let boards = positions(&Boop::START, 10, 4);
    let mut timed = Timed::default();
    for _ in 0..rounds() {
        for board in &boards {
            let mut search = Paper::new(Numbers::default(), 16 << 20, 1);
            timed.add(|| search.search(board, Budget::nodes(1_000)).nodes);
        }
    }
    format!("{name:<14} {:>10.3}", timed.rate() / 1e3)
}

/// The benchmarks of one topic, by game; each returns lines of the report.
type Works<'a> = &'a [(&'a str, &'a dyn Fn(&str) -> String)];

/// The text of a panic.
fn reason(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given")
}

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--test") {
        return ExitCode::SUCCESS;
    }
    if let Some(at) = words.iter().position(|word| word == "--count") {
        let Some(text) = words.get(at + 1).and_then(|name| counts::run(name)) else {
            eprintln!("error: --count needs a name; --count list names them");
            return ExitCode::from(2);
        };
        println!("{text}");
        return ExitCode::SUCCESS;
    }
    if let Some(at) = words.iter().position(|word| word == "--rounds") {
        // One round has no spread, so that the error would not be a number.
        let Some(count) = words.get(at + 1).and_then(|word| word.parse().ok()).filter(|&count| count >= 2)
        else {
            eprintln!("error: --rounds needs a number from 2 on");
            return ExitCode::from(2);
        };
        ROUNDS.get_or_init(|| count);
        words.drain(at..at + 2);
    }
    let failed = Cell::new(false);
    let names: Vec<&String> = words.iter().filter(|word| !word.starts_with("--")).collect();
    let wanted = |topic: &str, game: &str| {
        let is = |name: &&String| name.split('/').all(|part| part == topic || part == game);
        names.is_empty() || names.iter().any(is)
    };
    let run = |topic: &str, head: &str, works: Works| {
        let works = works.iter().filter(|(game, _)| wanted(topic, game));
        let lines: Vec<String> = works
            .map(|(game, work)| {
                catch_unwind(AssertUnwindSafe(|| work(game))).unwrap_or_else(|panic| {
                    failed.set(true);
                    format!("{game:<14} a panic: {}", reason(&*panic))
                })
            })
            .collect();
        if !lines.is_empty() {
            println!("\n{head}\n{}", lines.join("\n"));
        }
    };
    let rates =
        |what: &str| format!("{what}\n{:25} coppice    minimax board-game    ratio to better  bar", "");

    let (fours, reversis) = (positions(&ConnectFour::START, 6, 4), positions(&Reversi::START, 20, 4));
    let (uttts, kalahs) = (positions(&Uttt::START, 10, 4), positions(&KALAH, 6, 4));
    let frogs = positions(&Freckers::START, 10, 4);
    let in_turn: Vec<InTurn> = kalahs.iter().map(|&board| InTurn::new(board)).collect();
    run(
        "perft",
        &rates("perft, M leaves/s"),
        &[
            ("reversi", &|name| perfts(name, &Reversi::START, 9, 3.6)),
            ("uttt", &|name| perfts(name, &Uttt::START, 7, 2.0)),
            ("connect-four", &|name| perfts(name, &ConnectFour::START, 8, 2.0)),
            ("kalah", &|name| perfts(name, &InTurn::new(KALAH), 8, 2.0)),
            ("boop", &|name| perfts(name, &Boop::START, 5, 2.0)),
            ("freckers", &|name| perfts(name, &Freckers::START, 5, 2.0)),
        ],
    );
    run(
        "playouts",
        "random games, k/s",
        &[
            ("tic-tac-toe", &|name| playouts(name, &TicTacToe::START)),
            ("connect-four", &|name| playouts(name, &ConnectFour::START)),
            ("reversi", &|name| playouts(name, &Reversi::START)),
            ("uttt", &|name| playouts(name, &Uttt::START)),
            ("kalah", &|name| playouts(name, &KALAH)),
            ("boop", &|name| playouts(name, &Boop::START)),
        ],
    );
    run(
        "marks",
        "m,n,k games, a mark and its taking back, ns\n                heuristic      field",
        &[
            ("mnk-7,7,5", &|name| marks::<49>(name, (7, 7, 5))),
            ("mnk-15,15,5", &|name| marks::<225>(name, (15, 15, 5))),
            ("mnk-70,70,10", &|name| marks::<4900>(name, (70, 70, 10))),
        ],
    );
    run("solver", "the search of boop.'s paper, k iterations/s", &[("boop", &solver)]);
    for (topic, head, drawn) in [
        ("mcts", "MCTS, peers drawing moves from lists, k iterations/s", false),
        ("mcts-drawn", "MCTS, peers drawing moves by the games' own ways, k iterations/s", true),
    ] {
        run(
            topic,
            &rates(head),
            &[
                ("tic-tac-toe", &|name| mcts(name, &[TicTacToe::START; 8], |&game| game, 5_000, drawn)),
                ("connect-four", &|name| mcts(name, &fours, |&game| game, 20_000, drawn)),
                ("reversi", &|name| mcts(name, &reversis, |&game| game, 8_000, drawn)),
                ("uttt", &|name| mcts(name, &uttts, |&game| game, 8_000, drawn)),
                ("kalah", &|name| mcts(name, &kalahs, |&board| InTurn::new(board), 8_000, drawn)),
            ],
        );
    }
    run(
        "chance",
        "MCTS with nodes of chance, k iterations/s\n                  coppice     treant            -    ratio to treant  bar",
        &[
            ("pig", &|name| joint::chance(name, &joint::states(&Pig::<20>::START, 4, 8), 10_000)),
            ("race", &|name| joint::chance(name, &joint::states(&Race::START, 2, 8), 10_000)),
        ],
    );
    let tron = joint::states(&Tron::<6>::START, 3, 8);
    let oshi_zumo = joint::states(&OshiZumo::new(8), 1, 8);
    run(
        "simultaneous",
        "joint moves beside Mcts on a serialised copy, k iterations/s\n                    joint serialised            -    ratio            bar",
        &[
            ("tron", &|_| joint::simultaneous("tron, UCT", &tron, 10_000, false)),
            ("tron", &|_| joint::simultaneous("tron, regret", &tron, 10_000, true)),
            ("oshi-zumo", &|_| joint::simultaneous("oshi, UCT", &oshi_zumo, 10_000, false)),
            ("oshi-zumo", &|_| joint::simultaneous("oshi, regret", &oshi_zumo, 10_000, true)),
        ],
    );
    run(
        "alpha-beta",
        &rates("alpha-beta with a table of 64 MB, M nodes/s"),
        &[
            ("connect-four", &|name| alpha_beta::<_, _, 255>(name, &fours, Centre, 12)),
            ("reversi", &|name| alpha_beta::<_, _, 255>(name, &reversis, Material, 9)),
            ("uttt", &|name| alpha_beta::<_, _, 255>(name, &uttts, WonBoards, 11)),
            ("kalah", &|name| alpha_beta::<_, _, 255>(name, &in_turn, StoreDifferenceInTurn, 15)),
            ("freckers", &|name| alpha_beta::<_, _, 4095>(name, &frogs, RowWeights, 7)),
        ],
    );
    run("memory", "MCTS trees: bytes of a node, bytes an iteration\n                  coppice board-game      coppice board-game", &[
            ("tic-tac-toe", &|name| memory(name, &TicTacToe::START, &TicTacToe::START, 5_000)),
            ("connect-four", &|name| memory(name, &fours[0], &fours[0], 100_000)),
            ("reversi", &|name| memory(name, &reversis[0], &reversis[0], 100_000)),
            ("uttt", &|name| memory(name, &uttts[0], &uttts[0], 100_000)),
            ("kalah", &|name| memory(name, &kalahs[0], &in_turn[0], 100_000)),
        ],
    );
    ExitCode::from(u8::from(failed.get()))
}

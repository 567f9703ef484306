//! Fixed amounts of each search, and of what it can't avoid, for counting their instructions (`.ci/counts`): a playout without
//! a tree for Monte Carlo tree search; a move, its making and its evaluation without a table for alpha-beta.

use std::hint::black_box;

use bots::freckers::tools::row_weights::RowWeights;
use bots::freckers::Board as Freckers;
use bots::mancala::eval::StoreDifference;
use bots::reversi::eval::Material;
use bots::reversi::Board as Reversi;
use bots::uttt::eval::WonBoards;
use bots::uttt::Board as Uttt;
use coppice::cpu::{self, Cpu, Task};
use coppice::search::{AlphaBeta, AlphaBetaOptions, Mcts, MctsOptions};
use coppice::{Budget, Evaluation, Game, Rng, Search};
use coppice_tests::games::{Centre, ConnectFour, TicTacToe};

use super::games::{moves_made, positions, Counted, Inside};
use super::KALAH;

/// Iterations and playouts.
const PLAYOUTS: u64 = 4_000;
/// Memory of a table in bytes, small enough that clearing it doesn't count.
const TABLE: usize = 1 << 20;

/// A named amount of work; returns how many units of it were done.
pub type Count<'a> = (&'a str, &'a dyn Fn() -> u64);

/// Runs the work of this name, or lists the names; `None` if there is none.
pub fn run(name: &str) -> Option<String> {
    let (fours, reversis) = (positions(&ConnectFour::START, 6, 1), positions(&Reversi::START, 20, 1));
    let (uttts, kalahs) = (positions(&Uttt::START, 10, 1), positions(&KALAH, 6, 1));
    let frogs = positions(&Freckers::START, 10, 1);
    let all: [Count; 21] = [
        ("nothing", &|| 1),
        ("mcts/tic-tac-toe", &|| mcts(&TicTacToe::START)),
        ("mcts/connect-four", &|| mcts(&fours[0])),
        ("mcts/reversi", &|| mcts(&reversis[0])),
        ("mcts/uttt", &|| mcts(&uttts[0])),
        ("mcts/kalah", &|| mcts(&kalahs[0])),
        ("playouts/tic-tac-toe", &|| playouts(&TicTacToe::START)),
        ("playouts/connect-four", &|| playouts(&fours[0])),
        ("playouts/reversi", &|| playouts(&reversis[0])),
        ("playouts/uttt", &|| playouts(&uttts[0])),
        ("playouts/kalah", &|| playouts(&kalahs[0])),
        ("alpha-beta/connect-four", &|| alpha_beta(&fours[0], Centre, 10)),
        ("alpha-beta/reversi", &|| alpha_beta(&reversis[0], Material, 7)),
        ("alpha-beta/uttt", &|| alpha_beta(&uttts[0], WonBoards, 8)),
        ("alpha-beta/kalah", &|| alpha_beta(&kalahs[0], StoreDifference, 11)),
        ("alpha-beta/freckers", &|| alpha_beta(&frogs[0], RowWeights, 5)),
        ("evaluations/connect-four", &|| evaluations(&fours[0], Centre, 10)),
        ("evaluations/reversi", &|| evaluations(&reversis[0], Material, 7)),
        ("evaluations/uttt", &|| evaluations(&uttts[0], WonBoards, 8)),
        ("evaluations/kalah", &|| evaluations(&kalahs[0], StoreDifference, 11)),
        ("evaluations/freckers", &|| evaluations(&frogs[0], RowWeights, 5)),
    ];
    if name == "list" {
        return Some(all.map(|(name, _)| name).join("\n"));
    }
    all.iter().find(|(known, _)| *known == name).map(|(_, work)| work().to_string())
}

fn mcts<G: Game>(game: &G) -> u64 {
    let mut search = Mcts::new(MctsOptions { memory: 16 << 20, seed: 1, ..MctsOptions::default() });
    search.search(game, Budget::nodes(PLAYOUTS)).nodes
}

/// Random games to their end, with the processor's instructions as the searches use them.
fn playouts<G: Game>(start: &G) -> u64 {
    struct Playouts<'a, G>(&'a G);

    impl<G: Game> Task for Playouts<'_, G> {
        type Output = u64;

        #[inline(always)]
        fn run<C: Cpu>(self, _: C) -> u64 {
            let mut rng = Rng::new(1);
            for _ in 0..PLAYOUTS {
                let mut game = self.0.clone();
                while let Some(m) = game.random_move(&mut rng) {
                    game.play(m);
                }
                black_box(&game);
            }
            PLAYOUTS
        }
    }

    cpu::dispatch(Playouts(start))
}

/// Counts moves made, as the comparison with peers does.
fn alpha_beta<G: Game, E: Evaluation<G> + Copy>(game: &G, evaluation: E, depth: u32) -> u64 {
    let options = AlphaBetaOptions { max_depth: depth, memory: TABLE, ..AlphaBetaOptions::default() };
    let mut search = AlphaBeta::new(Inside(evaluation), options);
    moves_made(|| {
        let _ = search.search(&Counted(game.clone()), Budget::nodes(u64::MAX));
    })
}

/// Lists, makes and evaluates each move of the positions of random lines as long as the search is deep.
fn evaluations<G: Game, E: Evaluation<G>>(start: &G, evaluation: E, depth: u32) -> u64 {
    struct Evaluations<'a, G, E>(&'a G, E, u32);

    impl<G: Game, E: Evaluation<G>> Task for Evaluations<'_, G, E> {
        type Output = u64;

        #[inline(always)]
        fn run<C: Cpu>(self, _: C) -> u64 {
            let Evaluations(start, evaluation, depth) = self;
            let (mut rng, mut done) = (Rng::new(1), 0);
            while done < 20 * PLAYOUTS {
                let mut game = start.clone();
                for _ in 0..depth {
                    let mut list = G::Moves::default();
                    game.moves(&mut list);
                    for &m in list.iter() {
                        let mut child = game.clone();
                        child.play(m);
                        black_box(evaluation.evaluate(&child));
                        done += 1;
                    }
                    let Some(m) = game.random_move(&mut rng) else { break };
                    game.play(m);
                }
            }
            done
        }
    }

    cpu::dispatch(Evaluations(start, evaluation, depth))
}

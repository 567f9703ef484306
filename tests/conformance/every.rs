//! Tests every search: budgets, reproducibility, legal moves.

use std::fmt::Debug;
use std::path::Path;
use std::time::Instant;

use bots::boop;
use bots::mnk::{self, Heuristic};
use bots::reversi::eval::Positional;
use bots::reversi::strategy::Strategy;
use bots::reversi::Board;
use bots::shared::alpha_beta_own::{self, AlphaBetaOwn};
use bots::shared::exploration::{self, Exploration};
use coppice::optimise::EveryMove;
use coppice::rng::mix;
use coppice::search::{
    AlphaBeta, AlphaBetaOptions, EachMove, Evaluated, Greedy, Jump, McGraph, Mcts, MctsOptions, Shuffled,
};
use coppice::search::{Beam, BeamOptions, Evolution, EvolutionOptions, Optimised, OptimisedOptions};
use coppice::search::{
    BestFirst, BestFirstOptions, Flat, FlatOptions, Random, RandomPaths, RandomPathsOptions,
};
use coppice::search::{Minimax, MinimaxOptions, Order, Threshold};
use coppice::search::{Sampled, SampledOptions};
use coppice::search::{Selective, SelectiveOptions};
use coppice::{Budget, Game, Rng, Search};
use coppice_tests::games::{Braking, Lander, OpenLines, Unseen};

use super::moves;

/// A board of m,n,k games.
type MnkBoard = mnk::Board<30>;

/// Makes a search, identical each time.
type Maker<G = Board> = Box<dyn Fn() -> Box<dyn Search<G>>>;

fn minimax(name: &'static str, bytes: usize, options: MinimaxOptions) -> (&'static str, Maker) {
    (
        name,
        Box::new(move || {
            Box::new(Minimax::new(Positional::new(), MinimaxOptions { memory: bytes, ..options.clone() }))
        }),
    )
}

/// Every search for reversi, with its name.
fn every_search() -> Vec<(&'static str, Maker)> {
    let all = MinimaxOptions::default();
    let contracting = Threshold::Contracting { from: 3_000, to: 300 };
    let expanding = Threshold::Expanding { from: 100 };
    vec![
        ("greedy", Box::new(|| Box::new(Greedy::new(Positional::new(), 5)))),
        (
            "alpha-beta",
            Box::new(|| {
                Box::new(AlphaBeta::new(
                    Positional::new(),
                    AlphaBetaOptions { memory: 1 << 18, ..AlphaBetaOptions::default() },
                ))
            }),
        ),
        (
            "alpha-beta, aspiration",
            Box::new(|| {
                let options = AlphaBetaOptions { aspiration: 50, ..AlphaBetaOptions::default() };
                Box::new(AlphaBeta::new(Positional::new(), AlphaBetaOptions { memory: 1 << 18, ..options }))
            }),
        ),
        (
            "plain alpha-beta",
            Box::new(|| Box::new(AlphaBeta::new(Positional::new(), AlphaBetaOptions::plain(4)))),
        ),
        (
            "alpha-beta, shuffled, each move alone",
            Box::new(|| {
                let options = AlphaBetaOptions { equal_depth: true, ..AlphaBetaOptions::default() };
                let evaluation = Shuffled { evaluation: Positional::new(), seed: 5 };
                Box::new(EachMove(AlphaBeta::new(
                    evaluation,
                    AlphaBetaOptions { memory: 1 << 18, ..options },
                )))
            }),
        ),
        (
            "alpha-beta, own values, shuffled",
            Box::new(|| {
                let numbers = alpha_beta_own::Numbers { depth: 3, shuffled: 1 };
                Box::new(AlphaBetaOwn::<_, 2>::new(Positional::new(), numbers, 5))
            }),
        ),
        (
            "mcts",
            Box::new(|| {
                Box::new(Mcts::new(MctsOptions { memory: 1 << 20, seed: 5, ..MctsOptions::default() }))
            }),
        ),
        (
            "mcts in a pool of 40 nodes",
            Box::new(|| {
                Box::new(Mcts::new(MctsOptions {
                    memory: 40 * Mcts::<Board>::NODE_BYTES,
                    seed: 5,
                    ..MctsOptions::default()
                }))
            }),
        ),
        (
            "mcts graph",
            Box::new(|| {
                Box::new(McGraph::new(MctsOptions { memory: 1 << 20, seed: 5, ..MctsOptions::default() }))
            }),
        ),
        (
            "mcts graph in 10 kB",
            Box::new(|| {
                Box::new(McGraph::new(MctsOptions { memory: 10_000, seed: 5, ..MctsOptions::default() }))
            }),
        ),
        (
            "mcts graph of 1 node",
            Box::new(|| Box::new(McGraph::new(MctsOptions { memory: 1, seed: 5, ..MctsOptions::default() }))),
        ),
        (
            "mcts, rollouts expand and nodes are jumped",
            Box::new(|| {
                let options =
                    MctsOptions { rollout_expand: 20, jump: Jump::Described, ..MctsOptions::default() };
                Box::new(Mcts::new(MctsOptions { memory: 1 << 20, seed: 5, ..options }))
            }),
        ),
        (
            "mcts, playouts are cut off",
            Box::new(|| {
                let policy = Evaluated { evaluation: Positional::new(), plies: 4, scale: 500 };
                Box::new(Mcts::with_policy(
                    policy,
                    MctsOptions { memory: 1 << 20, seed: 5, ..MctsOptions::default() },
                ))
            }),
        ),
        (
            "mcts in a pool of 1 node",
            Box::new(|| Box::new(Mcts::new(MctsOptions { memory: 1, seed: 5, ..MctsOptions::default() }))),
        ),
        ("best-first", Box::new(|| best_first(1 << 20))),
        (
            "best-first in a pool of 40 nodes",
            Box::new(|| best_first(40 * BestFirst::<Board, Positional>::NODE_BYTES)),
        ),
        ("best-first in a pool of 1 node", Box::new(|| best_first(1))),
        ("flat", Box::new(|| Box::new(Flat::new(FlatOptions { seed: 5, ..FlatOptions::default() })))),
        ("random", Box::new(|| Box::new(Random::new(5)))),
        (
            "random paths",
            Box::new(|| {
                Box::new(RandomPaths::new(Positional::new(), RandomPathsOptions { memory: 1 << 20, seed: 5 }))
            }),
        ),
        (
            "random paths in a pool of 40 nodes",
            Box::new(|| {
                Box::new(RandomPaths::new(Positional::new(), RandomPathsOptions { memory: 1_120, seed: 5 }))
            }),
        ),
        (
            "random paths in a pool of 1 node",
            Box::new(|| {
                Box::new(RandomPaths::new(Positional::new(), RandomPathsOptions { memory: 1, seed: 5 }))
            }),
        ),
        (
            "exploration, jumps as worded",
            Box::new(|| {
                let numbers = exploration::Numbers { jump: 2, ..Default::default() };
                Box::new(Exploration::new(numbers, 1 << 20, 5))
            }),
        ),
        (
            "exploration, graph, in 10 kB",
            Box::new(|| {
                let numbers = exploration::Numbers { graph: 2, ..Default::default() };
                Box::new(Exploration::new(numbers, 10_000, 5))
            }),
        ),
        minimax(
            "minimax, breadth-first",
            1 << 20,
            MinimaxOptions { order: Order::BreadthFirst, ..all.clone() },
        ),
        minimax(
            "minimax, pruned",
            1 << 20,
            MinimaxOptions { threshold: Threshold::Fixed(500), ..all.clone() },
        ),
        minimax("minimax, contracting", 1 << 16, MinimaxOptions { threshold: contracting, ..all.clone() }),
        minimax(
            "minimax, expanding",
            1 << 20,
            MinimaxOptions { threshold: expanding, max_depth: 3, ..all.clone() },
        ),
        minimax("minimax in a pool of 40 nodes", 40 * Minimax::<Board, Positional>::NODE_BYTES, all.clone()),
        minimax("minimax in a pool of 1 node", 1, all.clone()),
        minimax("minimax", 1 << 20, all.clone()),
        (
            "minimax, a value for each player",
            Box::new(move || {
                Box::new(Minimax::<_, _, 2>::for_players(
                    Positional::new(),
                    MinimaxOptions { memory: 1 << 20, ..all.clone() },
                ))
            }),
        ),
        ("mcts, optimised", Box::new(|| optimised(1 << 20))),
        ("mcts, optimised, in a pool of 40 nodes", Box::new(|| optimised(1_600))),
        ("strategy", Box::new(|| Box::new(Strategy::new()))),
    ]
}

/// Monte Carlo tree search with the solver in all of its parts.
fn optimised(pool_bytes: usize) -> Box<dyn Search<Board>> {
    let options = OptimisedOptions { playout: 4, ..OptimisedOptions::default() };
    let policy = Optimised::new(EveryMove(Positional::new()), options);
    Box::new(Mcts::with_policy(policy, MctsOptions { memory: pool_bytes, seed: 5, ..MctsOptions::default() }))
}

/// Every search for one player, with its name.
fn every_planner() -> Vec<(&'static str, Maker<Lander>)> {
    let beam = |width, max_width, depth| -> Maker<Lander> {
        let options = BeamOptions { width, max_width, depth, ..BeamOptions::default() };
        Box::new(move || Box::new(Beam::new(Braking, options.clone())))
    };
    let evolution = |horizon, keep_plan| -> Maker<Lander> {
        let options = EvolutionOptions { horizon, keep_plan, ..EvolutionOptions::default() };
        Box::new(move || Box::new(Evolution::new(Braking, EvolutionOptions { seed: 5, ..options.clone() })))
    };
    vec![
        ("beam", beam(8, 64, 60)),
        ("beam of one state, one ply", beam(1, 1, 1)),
        ("beam of nothing", beam(0, 0, 0)),
        ("evolution", evolution(60, true)),
        ("evolution, every turn anew, one ply", evolution(1, false)),
        (
            "best-first, one player",
            Box::new(|| {
                Box::new(BestFirst::new(
                    Braking,
                    BestFirstOptions { memory: 1 << 20, ..BestFirstOptions::default() },
                ))
            }),
        ),
        (
            "flat, one player",
            Box::new(|| Box::new(Flat::new(FlatOptions { seed: 5, ..FlatOptions::default() }))),
        ),
    ]
}

/// Every search for games with hidden information, with its name.
fn every_guesser() -> Vec<(&'static str, Maker<Unseen>)> {
    let guesses = |by_value| SampledOptions { seed: 5, by_value, samples: 12, win: 100 };
    let alpha_beta =
        || AlphaBeta::new(OpenLines, AlphaBetaOptions { memory: 1 << 14, ..AlphaBetaOptions::default() });
    vec![
        ("alpha-beta of samples", Box::new(move || Box::new(Sampled::new(alpha_beta(), guesses(true))))),
        ("votes of samples", Box::new(move || Box::new(Sampled::new(alpha_beta(), guesses(false))))),
        (
            "mcts of samples",
            Box::new(|| {
                let inner = Mcts::new(MctsOptions { memory: 1 << 18, seed: 5, ..MctsOptions::default() });
                Box::new(Sampled::new(inner, SampledOptions { seed: 5, ..SampledOptions::default() }))
            }),
        ),
    ]
}

fn best_first(pool_bytes: usize) -> Box<dyn Search<Board>> {
    Box::new(BestFirst::new(
        Positional::new(),
        BestFirstOptions { memory: pool_bytes, ..BestFirstOptions::default() },
    ))
}

/// Plays whole games: every move is legal, no search exceeds its node budget, and repetition gives the same
/// results. Returns a line for each search with a digest of all its moves, scores and node counts.
fn keeps_its_budget_and_repeats_itself<G: Game + Debug>(
    start: &G,
    searches: Vec<(&'static str, Maker<G>)>,
) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, make) in searches {
        let mut digest = 0;
        for budget in [0, 1, 7, 1_000] {
            let (mut search, mut again) = (make(), make());
            let mut game = start.clone();
            let mut rng = Rng::new(budget);
            while !game.is_over() {
                let report = search.search(&game, Budget::nodes(budget));
                let second = again.search(&game, Budget::nodes(budget));
                assert_eq!(
                    (report.best, report.score, report.nodes),
                    (second.best, second.score, second.nodes),
                    "{name}"
                );
                assert!(report.nodes <= budget, "{name} visited {} of {budget} nodes", report.nodes);
                let best = report.best.expect("a move");
                assert!(moves(&game).contains(&best), "{name}: {best:?} on {game:?}");
                assert_eq!(search.line(&game, best).first(), Some(&best), "{name}: a line of another move");
                let answer = u64::from(G::move_index(best)) << 32 ^ u64::from(report.depth);
                digest = mix(mix(digest ^ answer) ^ report.nodes << 32 ^ report.score.value() as u64);
                // The opponent moves at random, so that trees are kept for unexpected moves too.
                game.play(best);
                if let Some(m) = game.random_move(&mut rng) {
                    game.play(m);
                }
            }
            let report = search.search(&game, Budget::nodes(budget));
            assert_eq!((report.best, report.nodes), (None, 0), "{name}");
            assert_eq!(report.score.value().signum(), game.payoff(game.to_move()).sign(), "{name}");
        }
        lines.push(format!("{digest:016x} {name}"));
    }
    lines
}

/// Every search for games whose moves can be taken back, with its name.
fn every_in_place() -> Vec<(&'static str, Maker<MnkBoard>)> {
    let selective = |width, depth| -> Maker<MnkBoard> {
        Box::new(move || {
            Box::new(Selective::new(
                Heuristic,
                SelectiveOptions { width, depth, ..SelectiveOptions::default() },
            ))
        })
    };
    vec![
        ("selective", selective(7, 10)),
        (
            "alpha-beta in place",
            Box::new(|| {
                Box::new(AlphaBeta::in_place(
                    Heuristic,
                    AlphaBetaOptions { memory: 1 << 16, ..AlphaBetaOptions::default() },
                ))
            }),
        ),
        ("selective, one move", selective(1, 3)),
        ("selective, all moves", selective(30, 2)),
        ("selective, nothing", selective(0, 0)),
    ]
}

/// The searches of boop.'s paper, with their names.
fn every_boop() -> Vec<(&'static str, Maker<boop::Board>)> {
    let paper = |select, expand, playout, corrected: bool, bytes| -> Maker<boop::Board> {
        let given = u32::from(!corrected);
        let switches = boop::tools::original::Numbers { select, expand, playout, ..Default::default() };
        let switches =
            boop::tools::original::Numbers { by_colour: given, unvisited: given, scored: given, ..switches };
        let numbers = boop::tools::original::Numbers { plies: 3, ..switches };
        Box::new(move || Box::new(boop::tools::original::Paper::new(numbers, bytes, 5)))
    };
    vec![
        ("boop's paper", paper(1, 1, 1, false, 1 << 20)),
        ("boop's paper, corrected, in a pool of 100 nodes", paper(1, 1, 1, true, 16_000)),
        ("boop's paper, no solver", paper(0, 0, 0, true, 1)),
        (
            "boop's heuristic",
            Box::new(|| Box::new(boop::tools::original::Heuristic::new(Default::default(), 5))),
        ),
    ]
}

/// The answers match `digests.txt` on every machine, with and without optimisation. Update the file only for
/// an intended change.
#[test]
fn every_search_keeps_its_budget_and_repeats_itself() {
    let found = [
        keeps_its_budget_and_repeats_itself(&Board::START, every_search()),
        keeps_its_budget_and_repeats_itself(&Lander::START, every_planner()),
        keeps_its_budget_and_repeats_itself(&MnkBoard::new(6, 5, 4), every_in_place()),
        keeps_its_budget_and_repeats_itself(&Unseen::START, every_guesser()),
        keeps_its_budget_and_repeats_itself(&boop::Board::START, every_boop()),
    ]
    .concat();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/digests.txt");
    if std::env::var_os("COPPICE_RENEW").is_some() {
        std::fs::write(&path, found.join("\n") + "\n").expect("the digests can be written");
    }
    let known = std::fs::read_to_string(&path).expect("the digests");
    let changed: Vec<&str> =
        found.iter().map(String::as_str).filter(|line| !known.lines().any(|known| known == *line)).collect();
    assert!(
        changed.is_empty() && known.lines().count() == found.len(),
        "these searches answer otherwise than before: {changed:#?}\nIf that is meant, renew the digests with\n\
         COPPICE_RENEW=1 cargo test -p coppice-tests --test conformance every_search\nand say so in the commit."
    );
}

/// Turns in which a search may think, and turns whose deadline has passed before: a line can be played, and begins with the
/// answer. A tree that such a turn keeps is of an earlier position.
fn lines_can_be_played<G: Game + Debug>(start: &G, searches: Vec<(&'static str, Maker<G>)>) {
    for (name, make) in searches {
        let (mut search, mut game, mut rng) = (make(), start.clone(), Rng::new(3));
        for turn in 0.. {
            let is_late = turn % 3 > 0;
            let report = search
                .search(&game, if is_late { Budget::until(Instant::now()) } else { Budget::nodes(300) });
            let Some(best) = report.best else { break };
            let (line, mut after) = (search.line(&game, best), game.clone());
            assert_eq!(line.first(), Some(&best), "{name}");
            for &m in line.iter() {
                assert!(moves(&after).contains(&m), "{name}: {line:?} on {game:?}");
                after.play(m);
            }
            let position = search.tree().filter(|tree| tree.root().is_some()).map(|tree| tree.position());
            assert!(is_late || position.is_none_or(|position| position == Some(&game)), "{name}");
            (0..2).for_each(|_| game.random_move(&mut rng).into_iter().for_each(|m| game.play(m)));
        }
    }
}

#[test]
fn lines_can_be_played_also_without_time_to_search() {
    lines_can_be_played(&Board::START, every_search());
    lines_can_be_played(&Lander::START, every_planner());
    lines_can_be_played(&MnkBoard::new(6, 5, 4), every_in_place());
    lines_can_be_played(&Unseen::START, every_guesser());
    lines_can_be_played(&boop::Board::START, every_boop());
}

//! Tests every exact search on the same small games: tic-tac-toe from every reachable position, m,n,k games, Kalah
//! with both capture rules.

use std::collections::HashMap;
use std::fmt::Debug;

use bots::mancala::eval::StoreDifference;
use bots::mancala::Board as Kalah;
use bots::mnk::{Board as Mnk, Heuristic};
use coppice::search::{
    AlphaBeta, AlphaBetaOptions, BestFirst, BestFirstOptions, EachMove, McGraph, Mcts, MctsOptions, Minimax,
    MinimaxOptions, Order, Selective, SelectiveOptions,
};
use coppice::{Budget, Evaluation, Game, Reversible, Score, Search};
use coppice_tests::games::OpenLines;

use super::{moves, positions, tic_tac_toe, NO_LIMIT};

/// Plain negamax with a memory of whole states, compared in full.
struct Oracle<'a, G, E> {
    evaluation: &'a E,
    known: HashMap<u64, Vec<(G, Score)>>,
}

impl<G: Game, E: Evaluation<G>> Oracle<'_, G, E> {
    fn value(&mut self, game: &G) -> Score {
        let known =
            self.known.get(&game.hash()).and_then(|states| states.iter().find(|(state, _)| state == game));
        if let Some(&(_, score)) = known {
            return score;
        }
        let children = moves(game);
        let values = children.iter().map(|&m| self.after(game, m));
        let score = values.max().unwrap_or_else(|| self.evaluation.ended(game));
        self.known.entry(game.hash()).or_default().push((game.clone(), score));
        score
    }

    /// The value of a move for its mover.
    fn after(&mut self, game: &G, m: G::Move) -> Score {
        let next = game.after(m);
        self.value(&next).add_mate_distance(1).for_parent(next.to_move() == game.to_move())
    }
}

type Named<G> = (&'static str, Box<dyn Search<G>>);

/// The searches that know the value with its distance, and those that know the sign of the result.
fn searches<G, E>(evaluation: &E) -> (Vec<Named<G>>, Vec<Named<G>>)
where
    G: Game + 'static,
    E: Evaluation<G> + Clone + 'static,
{
    let own = || evaluation.clone();
    let minimax = |order| {
        let options = MinimaxOptions { order, keep_tree: false, ..MinimaxOptions::default() };
        Box::new(Minimax::new(own(), MinimaxOptions { memory: 24 << 20, ..options }))
    };
    let exact: Vec<Named<G>> = vec![
        (
            "alpha-beta",
            Box::new(AlphaBeta::new(
                own(),
                AlphaBetaOptions { memory: 1 << 20, ..AlphaBetaOptions::default() },
            )),
        ),
        ("alpha-beta, plain", Box::new(AlphaBeta::new(own(), AlphaBetaOptions::plain(99)))),
        (
            "alpha-beta, each move",
            Box::new(EachMove(AlphaBeta::new(
                own(),
                AlphaBetaOptions { memory: 1 << 20, ..AlphaBetaOptions::default() },
            ))),
        ),
        ("minimax, breadth first", minimax(Order::BreadthFirst)),
        ("minimax, best first", minimax(Order::BestFirst { shallow_every: 4 })),
        (
            "best first",
            Box::new(BestFirst::new(
                own(),
                BestFirstOptions { memory: 24 << 20, ..BestFirstOptions::default() },
            )),
        ),
    ];
    let signs: Vec<Named<G>> = vec![
        ("mcts", Box::new(Mcts::new(MctsOptions { memory: 24 << 20, seed: 1, ..MctsOptions::default() }))),
        (
            "mcts on a graph",
            Box::new(McGraph::<G>::new(MctsOptions { memory: 24 << 20, seed: 1, ..MctsOptions::default() })),
        ),
    ];
    (exact, signs)
}

fn agree<G: Game + Debug, E: Evaluation<G>>(
    games: impl Iterator<Item = G>,
    evaluation: &E,
    (mut exact, mut signs): (Vec<Named<G>>, Vec<Named<G>>),
) {
    let mut oracle = Oracle { evaluation, known: HashMap::new() };
    for game in games {
        let value = oracle.value(&game);
        for (name, search) in &mut exact {
            let report = search.search(&game, NO_LIMIT);
            assert_eq!(report.score, value, "{name}: {game:?}");
            let best = report.best.expect("a move");
            assert_eq!(oracle.after(&game, best), value, "{name}: {best:?} in {game:?}");
        }
        for (name, search) in &mut signs {
            let report = search.search(&game, Budget::nodes(300_000));
            assert!(report.solved, "{name}: {game:?} after {} iterations", report.nodes);
            let sign = |score: Score| score.value().signum();
            assert_eq!(sign(report.score), sign(value), "{name}: {game:?}");
            let best = report.best.expect("a move");
            assert_eq!(sign(oracle.after(&game, best)), sign(value), "{name}: {best:?} in {game:?}");
        }
    }
}

/// Selective search with all moves and no limit.
fn selective<G: Reversible + 'static, E: Evaluation<G> + Clone + 'static>(evaluation: &E) -> Named<G> {
    (
        "selective",
        Box::new(Selective::new(
            evaluation.clone(),
            SelectiveOptions { width: 99, depth: 30, ..SelectiveOptions::default() },
        )),
    )
}

#[test]
fn tic_tac_toe_from_its_positions() {
    agree(tic_tac_toe(), &OpenLines, searches(&OpenLines));
}

#[test]
fn m_n_k_games() {
    for (rows, columns, in_line, from) in
        [(3, 3, 3, 1), (4, 3, 3, 4), (2, 5, 2, 0), (4, 4, 3, 8), (1, 7, 3, 0)]
    {
        let start = Mnk::<16>::new(rows, columns, in_line);
        let (mut exact, signs) = searches(&Heuristic);
        exact.push(selective(&Heuristic));
        agree(positions(&start, from, from + 2, 12).into_iter(), &Heuristic, (exact, signs));
    }
}

#[test]
fn kalah_by_both_rules() {
    for (holes, counters) in [(1, 3), (2, 1), (2, 2), (3, 1), (3, 2)] {
        for empty_capture in [false, true] {
            let start = Kalah::new(holes, counters, empty_capture);
            let from = if holes * counters > 4 { 4 } else { 0 };
            let games = positions(&start, from, from + 3, 10).into_iter();
            agree(games, &StoreDifference, searches(&StoreDifference));
        }
    }
}

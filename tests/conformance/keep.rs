//! Tests trees kept between turns: the cost of finding the new position, and the report if it isn't there.

use std::cell::Cell as Counter;
use std::time::Instant;

use bots::reversi::eval::Positional;
use bots::reversi::{Board, Cell};
use coppice::search::{BestFirst, BestFirstOptions, McGraph, Mcts, MctsOptions, Minimax, MinimaxOptions};
use coppice::{Budget, Evaluation, Game, Payoff, Player, Rng, Score, Search};

use super::positions;

thread_local! {
    /// Number of positions created on this thread.
    static MADE: Counter<u32> = const { Counter::new(0) };
}

/// Othello that counts the positions created.
#[derive(Debug, Clone, PartialEq)]
struct Counted(Board);

impl Game for Counted {
    type Move = Cell;
    type Moves = <Board as Game>::Moves;

    fn to_move(&self) -> Player {
        self.0.to_move()
    }
    fn moves(&self, list: &mut Self::Moves) {
        self.0.moves(list);
    }
    fn play(&mut self, m: Cell) {
        MADE.set(MADE.get() + 1);
        self.0.play(m);
    }
    fn payoff(&self, player: Player) -> Payoff {
        self.0.payoff(player)
    }
    fn hash(&self) -> u64 {
        self.0.hash()
    }
    fn move_index(m: Cell) -> u16 {
        Board::move_index(m)
    }
}

struct Judge(Positional);

impl Evaluation<Counted> for Judge {
    fn evaluate(&self, game: &Counted) -> Score {
        self.0.evaluate(&game.0)
    }
}

/// Every search that keeps its tree.
fn keepers() -> Vec<(&'static str, Box<dyn Search<Counted>>)> {
    const BYTES: usize = 1 << 25;
    let judge = || Judge(Positional::new());
    vec![
        ("mcts", Box::new(Mcts::new(MctsOptions { memory: BYTES, seed: 1, ..MctsOptions::default() }))),
        (
            "mcts graph",
            Box::new(McGraph::new(MctsOptions { memory: BYTES, seed: 1, ..MctsOptions::default() })),
        ),
        (
            "best-first",
            Box::new(BestFirst::new(
                judge(),
                BestFirstOptions { memory: BYTES, ..BestFirstOptions::default() },
            )),
        ),
        (
            "minimax",
            Box::new(Minimax::new(judge(), MinimaxOptions { memory: BYTES, ..MinimaxOptions::default() })),
        ),
    ]
}

/// With an expired deadline a search visits at most 4,096 nodes of the old tree, regardless of its size.
#[test]
fn an_expired_deadline_bounds_the_walk_of_the_old_tree() {
    let start = positions(&Board::START, 10, 10, 1).remove(0);
    let elsewhere = positions(&Board::START, 20, 40, 3);
    for (name, mut search) in keepers() {
        for game in &elsewhere {
            let _ = search.search(&Counted(start), Budget::nodes(60_000));
            if let Some(tree) = search.tree() {
                assert!(tree.memory().live > 20_000, "{name}: {:?}", tree.memory());
            }
            MADE.set(0);
            let report = search.search(&Counted(*game), Budget::until(Instant::now()));
            assert!(MADE.get() <= 4_096, "{name}: {} positions", MADE.get());
            assert!(report.best.is_some() || game.is_over(), "{name}");
        }
    }
}

/// In whole games, with single replies not searched, no restart is reported. For an unrelated position one
/// is.
#[test]
fn an_unrelated_position_is_reported_as_a_restart() {
    for (name, mut search) in keepers() {
        let mut rng = Rng::new(3);
        for round in 0..6 {
            let (mut game, mut searched) = (Board::START, None);
            while !game.is_over() {
                if game.count_moves() > 1 && game.to_move() == Player::FIRST {
                    let report = search.search(&Counted(game), Budget::nodes(300));
                    assert_eq!(report.restarted, searched.is_none() && round > 0, "{name}: {game:?}");
                    searched = Some(game);
                }
                let m = game.random_move(&mut rng).expect("a move");
                game.play(m);
            }
        }
    }
}

/// Without a kept tree there is nothing to restart.
#[test]
fn a_search_without_a_kept_tree_reports_no_restart() {
    let options = MctsOptions { keep_tree: false, ..MctsOptions::default() };
    let mut search = Mcts::new(MctsOptions { memory: 1 << 20, seed: 1, ..options });
    for game in positions(&Board::START, 4, 30, 10) {
        assert!(!search.search(&game, Budget::nodes(200)).restarted);
    }
}

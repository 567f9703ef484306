//! Tests trees kept between turns: the cost of finding the new position, and the report if it isn't there.

use std::cell::Cell as Counter;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use bots::reversi::eval::Positional;
use bots::reversi::{Board, Cell};
use coppice::search::{
    BestFirst, BestFirstOptions, McGraph, Mcts, MctsOptions, Minimax, MinimaxOptions, Order, RandomPaths,
    RandomPathsOptions,
};
use coppice::{Budget, Evaluation, Game, List, Payoff, Player, Rng, Score, Search};

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

/// Two players walk round a ring of places; who comes to a place for the second time loses. Equality leaves the places out that
/// were visited, as that of many games leaves repetitions out.
#[derive(Debug, Clone)]
struct Walk {
    place: u8,
    plies: u8,
    visited: u32,
}

/// The number of places.
const RING: u8 = 11;

impl Walk {
    const START: Walk = Walk { place: 0, plies: 0, visited: 1 };
}

impl PartialEq for Walk {
    fn eq(&self, other: &Walk) -> bool {
        (self.place, self.plies, self.is_over()) == (other.place, other.plies, other.is_over())
    }
}

impl Game for Walk {
    type Move = u8;
    type Moves = List<u8, 3>;

    fn to_move(&self) -> Player {
        Player::new(self.plies % 2)
    }
    fn moves(&self, list: &mut Self::Moves) {
        if !self.is_over() {
            [1, 2, 5].into_iter().for_each(|m| list.push(m));
        }
    }
    fn play(&mut self, m: u8) {
        self.place = (self.place + m) % RING;
        self.plies += 1;
        // A bit for the second visit.
        let bit = 1 << self.place;
        self.visited |= if self.visited & bit == 0 { bit } else { 1 << RING };
    }
    fn payoff(&self, player: Player) -> Payoff {
        Payoff(if self.to_move() == player { 1 } else { -1 })
    }
    fn hash(&self) -> u64 {
        u64::from(self.place) << 8 | u64::from(self.plies)
    }
    fn move_index(m: u8) -> u16 {
        m.into()
    }
    fn is_over(&self) -> bool {
        self.visited >> RING != 0
    }
}

struct Flat;

impl Evaluation<Walk> for Flat {
    fn evaluate(&self, walk: &Walk) -> Score {
        Score::estimate(i32::from(walk.place))
    }
}

/// In the kept tree the game goes on where it is over on the way that was really taken, and the other way round. A search ends
/// there, and knows the end for one. On a thread of its own, as one that doesn't would never return.
#[test]
fn a_tree_from_another_way_to_the_same_position_is_searched_to_the_end() {
    let (sender, done) = mpsc::channel();
    thread::spawn(move || {
        let minimax = |order| {
            let options = MinimaxOptions { memory: 1 << 16, order, ..MinimaxOptions::default() };
            Box::new(Minimax::new(Flat, options)) as Box<dyn Search<Walk>>
        };
        let tree = || MctsOptions { memory: 1 << 16, seed: 1, ..MctsOptions::default() };
        let best_first = || BestFirstOptions { memory: 1 << 16, ..BestFirstOptions::default() };
        let paths = RandomPathsOptions { memory: 1 << 16, ..RandomPathsOptions::default() };
        let mut searches: Vec<Box<dyn Search<Walk>>> = vec![
            minimax(Order::BreadthFirst),
            minimax(Order::BestFirst { shallow_every: 4 }),
            Box::new(Mcts::new(tree())),
            Box::new(McGraph::new(tree())),
            Box::new(BestFirst::new(Flat, best_first())),
            Box::new(RandomPaths::new(Flat, paths)),
        ];
        for search in &mut searches {
            for nodes in 10..200 {
                for way in [[1, 2], [2, 1], [1, 5], [5, 1], [2, 5], [5, 2]] {
                    let _ = search.search(&Walk::START, Budget::nodes(nodes));
                    let walk = way.into_iter().fold(Walk::START, |walk, m| walk.after(m));
                    let report = search.search(&walk, Budget::nodes(1_000));
                    assert!(report.best.is_some_and(|m| [1, 2, 5].contains(&m)));
                }
            }
        }
        let _ = sender.send(());
    });
    done.recv_timeout(Duration::from_secs(120)).expect("every search ends");
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

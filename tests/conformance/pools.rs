//! Tests searches with a far too small pool, for ten thousand turns.

use std::fmt::Debug;

use coppice::search::{BestFirst, BestFirstOptions, Mcts, MctsOptions};
use coppice::{Budget, Game, Rng, Search};
use coppice_tests::games::{OpenLines, TicTacToe};

use super::moves;

/// Plays short games in sequence against random replies, with a tiny budget a move: the answer is always
/// legal, and `live` counts no more nodes than fit into the pool.
fn ten_thousand_turns<G: Game + Debug, S: Search<G>>(
    start: &G,
    capacity: usize,
    search: &mut S,
    live: impl Fn(&S) -> usize,
) {
    let mut rng = Rng::new(capacity as u64);
    let mut game = start.clone();
    let mut fullest = 0;
    for _ in 0..10_000 {
        let report = search.search(&game, Budget::nodes(5 + u64::from(rng.below(60))));
        let best = report.best.expect("a move");
        assert!(moves(&game).contains(&best), "{best:?} in {game:?}");
        fullest = fullest.max(live(search));
        assert!(live(search) <= capacity);
        game.play(best);
        game.random_move(&mut rng).into_iter().for_each(|m| game.play(m));
        if game.is_over() {
            game = start.clone();
        }
    }
    assert!(fullest * 2 >= capacity, "{fullest} of {capacity} nodes were used");
}

#[test]
fn mcts_works_in_a_small_pool() {
    for capacity in [1, 11, 40, 100] {
        let bytes = capacity * Mcts::<TicTacToe>::NODE_BYTES;
        let mut search = Mcts::new(bytes, 1, MctsOptions::default());
        ten_thousand_turns(&TicTacToe::START, capacity, &mut search, Mcts::live_nodes);
    }
}

#[test]
fn best_first_works_in_a_small_pool() {
    for capacity in [1, 11, 40, 100] {
        let bytes = capacity * BestFirst::<TicTacToe, OpenLines>::NODE_BYTES;
        let mut search = BestFirst::new(OpenLines, bytes, BestFirstOptions::default());
        let live = |search: &BestFirst<TicTacToe, OpenLines>| search.tree().expect("a tree").memory().live;
        ten_thousand_turns(&TicTacToe::START, capacity, &mut search, live);
        search.clear();
        assert_eq!(live(&search), 1);
    }
}

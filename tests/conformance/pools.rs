//! Tests searches with a far too small pool, for ten thousand turns.

use std::fmt::Debug;

use coppice::search::{BestFirst, BestFirstOptions, McGraph, Mcts, MctsOptions};
use coppice::{Budget, Game, Rng, Search};
use coppice_tests::games::{Lander, OpenLines, TicTacToe};

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
        let mut search = Mcts::new(MctsOptions { memory: bytes, seed: 1, ..MctsOptions::default() });
        ten_thousand_turns(&TicTacToe::START, capacity, &mut search, Mcts::live_nodes);
    }
}

/// For one player the best plan is known outside of the pool: it is followed where not even the root can be expanded, and
/// the line is the plan.
#[test]
fn a_known_plan_is_followed_in_a_small_pool() {
    fn play(mut search: impl Search<Lander>, name: &str) -> u32 {
        let mut followed = 0;
        for budget in [1, 50, 400] {
            let (mut game, mut planned) = (Lander::START, Vec::new());
            while !game.is_over() {
                let report = search.search(&game, Budget::nodes(budget));
                let best = report.best.expect("a move");
                let line = search.line(&game, best);
                assert_eq!(line.first(), Some(&best), "{name}");
                if report.nodes == 0 && planned.len() > 1 {
                    assert_eq!(best, planned[1], "{name}: the plan is known");
                    followed += 1;
                }
                planned = line.to_vec();
                game.play(best);
            }
        }
        followed
    }
    let mut followed = [0; 2];
    for bytes in [1, 100, 300, 1_000, 10_000] {
        followed[0] += play(
            Mcts::new(MctsOptions { memory: bytes, seed: 1, ..MctsOptions::default() }),
            &format!("mcts in {bytes} bytes"),
        );
        followed[1] += play(
            McGraph::new(MctsOptions { memory: bytes, seed: 1, ..MctsOptions::default() }),
            &format!("graph in {bytes} bytes"),
        );
    }
    assert!(followed.iter().all(|&count| count > 0), "{followed:?}");
}

#[test]
fn best_first_works_in_a_small_pool() {
    for capacity in [1, 11, 40, 100] {
        let bytes = capacity * BestFirst::<TicTacToe, OpenLines>::NODE_BYTES;
        let mut search =
            BestFirst::new(OpenLines, BestFirstOptions { memory: bytes, ..BestFirstOptions::default() });
        let live = |search: &BestFirst<TicTacToe, OpenLines>| search.tree().expect("a tree").memory().live;
        ten_thousand_turns(&TicTacToe::START, capacity, &mut search, live);
        search.clear();
        assert_eq!(live(&search), 1);
    }
}

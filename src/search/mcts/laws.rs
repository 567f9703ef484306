//! Tests the invariants of every node of a graph.

use crate::clock::Budget;
use crate::game::{Game, Payoff, Player};
use crate::list::List;
use crate::rng::{mix, Rng};
use crate::search::mcts::store::NONE;
use crate::search::{Jump, McGraph, MctsOptions, Search};

/// Nim with heaps of up to seven stones, for `N` players in turn: whoever takes the last stone wins. Many
/// ways lead to each position.
#[derive(Debug, Clone, PartialEq)]
struct Nim<const N: usize> {
    heaps: [u8; 5],
    to_move: u8,
}

impl<const N: usize> Nim<N> {
    const START: Nim<N> = Nim { heaps: [3, 4, 5, 6, 7], to_move: 0 };
}

impl<const N: usize> Game for Nim<N> {
    type Move = (u8, u8);
    type Moves = List<(u8, u8), 35>;
    const PLAYERS: usize = N;

    fn to_move(&self) -> Player {
        Player::new(self.to_move)
    }

    fn moves(&self, list: &mut Self::Moves) {
        for (i, &heap) in self.heaps.iter().enumerate() {
            (1..=heap).for_each(|stones| list.push((i as u8, stones)));
        }
    }

    fn play(&mut self, (i, stones): (u8, u8)) {
        self.heaps[usize::from(i)] -= stones;
        self.to_move = (self.to_move + 1) % N as u8;
    }

    fn payoff(&self, player: Player) -> Payoff {
        let last = (usize::from(self.to_move) + N - 1) % N;
        Payoff(if player.index() == last { 1 } else { -1 })
    }

    fn hash(&self) -> u64 {
        let heaps = self.heaps.iter().fold(0, |all, &heap| all << 8 | u64::from(heap));
        mix(heaps << 8 | u64::from(self.to_move))
    }

    fn move_index((i, stones): (u8, u8)) -> u16 {
        u16::from(i) * 8 + u16::from(stones)
    }
}

/// A token on a line of eight cells, which both players push to and fro; it leaves at the ends. Every position
/// comes back after two moves.
#[derive(Debug, Clone, PartialEq)]
struct Push {
    cell: u8,
    to_move: Player,
}

impl Game for Push {
    type Move = bool;
    type Moves = List<bool, 2>;

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn moves(&self, list: &mut Self::Moves) {
        if 0 < self.cell && self.cell < 7 {
            list.push(false);
            list.push(true);
        }
    }

    fn play(&mut self, up: bool) {
        self.cell = if up { self.cell + 1 } else { self.cell - 1 };
        self.to_move = self.to_move.other();
    }

    fn payoff(&self, player: Player) -> Payoff {
        Payoff(if (self.cell == 7) == (player == Player::FIRST) { 1 } else { -1 })
    }

    fn hash(&self) -> u64 {
        mix(u64::from(self.cell) << 1 | self.to_move.index() as u64)
    }

    fn move_index(up: bool) -> u16 {
        u16::from(up)
    }
}

/// Walks the whole store. Of a graph that has never been full nor been cut, visits and rewards of every node
/// are exactly those of the edges to it; of every graph, no node has fewer visits than the edges from it.
fn check<G: Game, const V: usize>(graph: &McGraph<G, super::Uniform, V>, iterations: u64, is_whole: bool) {
    let store = &graph.store;
    let count = store.nodes.len();
    let (mut visits, mut sums) = (vec![0u64; count], vec![[0i64; V]; count]);
    let mut own = 0;
    for node in store.nodes.iter().filter(|node| node.is_valid(store)) {
        let mut from = 0;
        for id in node.edges().iter() {
            let edge = store.edges.get(id);
            from += u64::from(edge.visits);
            if edge.target == NONE {
                assert!(!is_whole || edge.visits == 0);
                continue;
            }
            let at = edge.target as usize;
            assert!(store.nodes[at].is_valid(store), "an edge to a node that has been given back");
            visits[at] += u64::from(edge.visits);
            // Of several players an edge has the rewards of one alone: those of two are checked.
            sums[at][0] += if edge.by == Player::FIRST { edge.sum() } else { -edge.sum() };
        }
        assert!(u64::from(node.visits) >= from, "more visits below a node than to it");
        own += u64::from(node.visits) - from;
    }
    if is_whole {
        assert_eq!(own, iterations, "each iteration ends in one node");
        assert_eq!(
            u64::from(store.nodes[graph.root as usize].visits),
            iterations + visits[graph.root as usize]
        );
        for (i, node) in store.nodes.iter().enumerate().filter(|&(i, _)| i != graph.root as usize) {
            assert_eq!(u64::from(node.visits), visits[i]);
            if V == 1 {
                assert_eq!(node.sums, sums[i]);
            }
        }
    }
    store.audit();
}

fn variants() -> Vec<MctsOptions> {
    let default = MctsOptions::default;
    vec![
        default(),
        MctsOptions { proofs: false, ..default() },
        MctsOptions { rollout_expand: u32::MAX, ..default() },
        MctsOptions { rollout_expand: 2, jump: Jump::Written, ..default() },
        MctsOptions { jump: Jump::Described, expand_after: 3, ..default() },
    ]
}

#[test]
fn nothing_is_counted_twice() {
    for options in variants() {
        let mut two = McGraph::<Nim<2>>::new(MctsOptions { memory: 16 << 20, seed: 1, ..options.clone() });
        let report = two.search(&Nim::START, Budget::nodes(20_000));
        check(&two, report.nodes, true);
        let mut three = McGraph::<Nim<3>, _, 3>::with_policy(
            super::Uniform,
            MctsOptions { memory: 16 << 20, seed: 1, ..options.clone() },
        );
        let report = three.search(&Nim::START, Budget::nodes(20_000));
        check(&three, report.nodes, true);
        let mut push = McGraph::new(MctsOptions { memory: 1 << 20, seed: 1, ..options });
        let report = push.search(&Push { cell: 3, to_move: Player::FIRST }, Budget::nodes(5_000));
        check(&push, report.nodes, true);
        assert!(push.live_nodes() <= 16, "a position has one node");
    }
}

/// Whole games in pools of all sizes: nodes are given back while the search goes on, and none that is needed.
#[test]
fn what_is_left_behind_is_given_back() {
    let mut given_back = 0;
    for bytes in [1, 2_000, 30_000, 200_000] {
        for options in variants() {
            let mut graph = McGraph::<Nim<2>>::new(MctsOptions { memory: bytes, seed: 1, ..options });
            let mut rng = Rng::new(bytes as u64);
            for _ in 0..6 {
                let mut game = Nim::START;
                while !game.is_over() {
                    let report = graph.search(&game, Budget::nodes(400));
                    check(&graph, report.nodes, false);
                    given_back += graph.store.nodes.len() - graph.live_nodes();
                    game.play(report.best.expect("a move"));
                    if let Some(m) = game.random_move(&mut rng) {
                        game.play(m);
                    }
                }
                let _ = graph.search(&game, Budget::nodes(400));
            }
        }
    }
    assert!(given_back > 0);
}

#[test]
fn a_graph_solves_nim() {
    let mut graph =
        McGraph::<Nim<2>>::new(MctsOptions { memory: 16 << 20, seed: 1, ..MctsOptions::default() });
    for heaps in [[3, 4, 5, 1, 0], [1, 2, 3, 0, 0], [3, 4, 5, 2, 0]] {
        let report = graph.search(&Nim { heaps, to_move: 0 }, Budget::nodes(1_000_000));
        // Bouton, 1901: the mover loses if the exclusive or of the heaps is 0.
        let is_win = heaps.iter().fold(0, |all, heap| all ^ heap) != 0;
        assert_eq!((report.solved, report.score.is_win()), (true, is_win), "{heaps:?}");
    }
}

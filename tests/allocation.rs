//! Tests that searches allocate nothing, with a counting allocator. Those of the submitted bots are in `submitted`.

#[path = "allocation/submitted.rs"]
mod submitted;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell as Counter;

use bots::mnk::{self, Heuristic};
use bots::podracing;
use bots::reversi::eval::Positional;
use bots::reversi::Board;
use bots::shared::alpha_beta_own::{self, AlphaBetaOwn};
use bots::shared::exploration::{self, Exploration};
use coppice::joint::players;
use coppice::optimise::EveryMove;
use coppice::search::{AlphaBeta, AlphaBetaOptions, EachMove, Greedy, McGraph, Mcts, MctsOptions};
use coppice::search::{Beam, BeamOptions, Evolution, EvolutionOptions, Optimised, OptimisedOptions};
use coppice::search::{
    BestFirst, BestFirstOptions, Flat, FlatOptions, Random, RandomPaths, RandomPathsOptions,
};
use coppice::search::{
    Decoupled, DecoupledOptions, Estimated, Evolve, EvolveOptions, Expectimax, ExpectimaxOptions, Genes,
    JointGreedy, JointRandom, JointSearch, Paranoid, ParanoidOptions, Regret, RegretOptions, Units,
    UnitsOptions, Widening,
};
use coppice::search::{Minimax, MinimaxOptions, Threshold};
use coppice::search::{Sampled, SampledOptions};
use coppice::search::{Selective, SelectiveOptions};
use coppice::{Budget, Choices, Game, Joint, Player, Rng, Search};
use coppice_tests::games::joint::{Goofspiel, Pig, RandomJoint, Squad};
use coppice_tests::games::{Braking, Lander, OpenLines, Unseen};

thread_local!(static CALLS: Counter<u64> = const { Counter::new(0) });

struct Counting;

// SAFETY: every call is forwarded unchanged to the system's allocator; the counter is a plain thread-local
// number, and touching it allocates nothing.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.set(CALLS.get() + 1);
        // SAFETY: the caller upholds the contract of `System::alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        CALLS.set(CALLS.get() + 1);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        CALLS.set(CALLS.get() + 1);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Plays a game against a random opponent; returns the number of allocator calls made by the searches.
fn calls(search: &mut dyn Search<Board>) -> u64 {
    calls_from(&Board::START, search)
}

fn calls_from<G: Game>(start: &G, search: &mut dyn Search<G>) -> u64 {
    calls_with(start, search, 2_000)
}

fn calls_with<G: Game>(start: &G, search: &mut dyn Search<G>, nodes: u64) -> u64 {
    let mut game = start.clone();
    let mut rng = Rng::new(9);
    let mut calls = 0;
    while !game.is_over() {
        let before = CALLS.get();
        let report = search.search(&game, Budget::nodes(nodes));
        calls += CALLS.get() - before;
        game.play(report.best.expect("a move"));
        if let Some(m) = game.random_move(&mut rng) {
            game.play(m);
        }
    }
    calls
}

#[test]
fn no_search_allocates() {
    assert_eq!(calls(&mut Greedy::new(Positional::new(), 1)), 0, "greedy");
    let mut alpha_beta = AlphaBeta::new(
        Positional::new(),
        AlphaBetaOptions { memory: 1 << 20, ..AlphaBetaOptions::default() },
    );
    assert_eq!(calls(&mut alpha_beta), 0, "alpha-beta");
    assert_eq!(calls(&mut EachMove(alpha_beta)), 0, "alpha-beta for each move");
    let numbers = alpha_beta_own::Numbers { depth: 3, shuffled: 1 };
    let mut own = AlphaBetaOwn::<_, 2>::new(Positional::new(), numbers, 1);
    assert_eq!(calls(&mut own), 0, "alpha-beta, own values");
    for (graph, bytes) in [(0, 1 << 20), (1, 1 << 20), (2, 10_000)] {
        let numbers = exploration::Numbers { graph, ..Default::default() };
        assert_eq!(calls(&mut Exploration::new(numbers, bytes, 1)), 0, "exploration, graph {graph}");
    }
    assert_eq!(
        calls(&mut Mcts::new(MctsOptions { memory: 8 << 20, seed: 1, ..MctsOptions::default() })),
        0,
        "mcts"
    );
    for (bytes, rollout_expand) in [(10_000, 20), (1 << 20, 0)] {
        let options = MctsOptions { rollout_expand, ..MctsOptions::default() };
        assert_eq!(
            calls(&mut McGraph::new(MctsOptions { memory: bytes, seed: 1, ..options.clone() })),
            0,
            "mcts graph"
        );
        assert_eq!(
            calls(&mut Mcts::new(MctsOptions { memory: bytes, seed: 1, ..options })),
            0,
            "mcts, rollouts expand"
        );
    }
    assert_eq!(
        calls(&mut Mcts::new(MctsOptions { memory: 10_000, seed: 1, ..MctsOptions::default() })),
        0,
        "mcts in a full pool"
    );
    for bytes in [8 << 20, 10_000] {
        let mut best_first = BestFirst::new(
            Positional::new(),
            BestFirstOptions { memory: bytes, ..BestFirstOptions::default() },
        );
        assert_eq!(calls(&mut best_first), 0, "best-first in {bytes} bytes");
    }
    assert_eq!(calls(&mut Flat::new(FlatOptions { seed: 1, ..FlatOptions::default() })), 0, "flat");
    assert_eq!(calls(&mut Random::new(1)), 0, "random");
    for bytes in [8 << 20, 10_000] {
        let mut paths = RandomPaths::new(Positional::new(), RandomPathsOptions { memory: bytes, seed: 1 });
        assert_eq!(calls(&mut paths), 0, "random paths in {bytes} bytes");
    }
    for threshold in [Threshold::OFF, Threshold::Contracting { from: 5_000, to: 100 }] {
        let options = MinimaxOptions { threshold, ..MinimaxOptions::default() };
        let mut minimax = Minimax::new(Positional::new(), MinimaxOptions { memory: 1 << 20, ..options });
        assert_eq!(calls(&mut minimax), 0, "minimax, {threshold:?}");
    }
    let policy = Optimised::new(EveryMove(Positional::new()), OptimisedOptions::default());
    let mut optimised =
        Mcts::with_policy(policy, MctsOptions { memory: 1 << 20, seed: 1, ..MctsOptions::default() });
    assert_eq!(calls(&mut optimised), 0, "mcts, optimised");
    for by_value in [true, false] {
        let inner =
            AlphaBeta::new(OpenLines, AlphaBetaOptions { memory: 1 << 14, ..AlphaBetaOptions::default() });
        let mut search =
            Sampled::new(inner, SampledOptions { seed: 1, by_value, ..SampledOptions::default() });
        assert_eq!(calls_from(&Unseen::START, &mut search), 0, "samples, by value: {by_value}");
    }
}

#[test]
fn no_search_for_one_player_allocates() {
    let beam = BeamOptions { max_width: 256, depth: 60, ..BeamOptions::default() };
    assert_eq!(calls_from(&Lander::START, &mut Beam::new(Braking, beam)), 0, "beam");
    let mut evolution = Evolution::new(Braking, EvolutionOptions { seed: 1, ..EvolutionOptions::default() });
    assert_eq!(calls_from(&Lander::START, &mut evolution), 0, "evolution");
}

#[test]
fn no_search_in_place_allocates() {
    let mut selective =
        Selective::new(Heuristic, SelectiveOptions { width: 7, depth: 10, ..SelectiveOptions::default() });
    assert_eq!(calls_from(&mnk::Board::<100>::new(10, 10, 5), &mut selective), 0, "selective");
    let mut in_place =
        AlphaBeta::in_place(Heuristic, AlphaBetaOptions { memory: 1 << 20, ..AlphaBetaOptions::default() });
    assert_eq!(calls_from(&mnk::Board::<25>::new(5, 5, 4), &mut in_place), 0, "alpha-beta in place");
}

/// Plays a joint game at random, and counts the allocator calls made by one player's searches.
fn joint_calls<G: Joint>(start: &G, mut search: impl JointSearch<G>) -> u64 {
    let (mut game, mut rng, mut calls) = (start.clone(), Rng::new(9), 0);
    for _ in 0..7 {
        game.let_happen(&mut rng);
        let before = CALLS.get();
        let report = search.search(&game, Player::FIRST, Budget::nodes(1_000));
        drop(search.seen(&game, Player::FIRST));
        calls += CALLS.get() - before;
        let mut choices = Choices::NONE;
        for player in players::<G>() {
            let m = report.best.filter(|_| player == Player::FIRST).or(game.random_move(player, &mut rng));
            m.into_iter().for_each(|m| choices.set(player, m));
        }
        match choices == Choices::NONE {
            true => game = start.clone(),
            false => game.play(&choices),
        }
    }
    calls
}

/// Two units a side.
struct Pairs;

impl Genes<Squad> for Pairs {
    fn estimate(&self, _: &Squad, _: Player) -> f64 {
        0.0
    }

    fn side(&self, unit: Player) -> usize {
        unit.index() / 2
    }
}

#[test]
fn no_search_of_joint_games_allocates() {
    let goofspiel = Goofspiel::<5>::START;
    let widening = Some(Widening { moves: 1.0, outcomes: 1.0, root: 2 });
    for bytes in [8 << 20, 20_000] {
        for widening in [None, widening.clone()] {
            let options = DecoupledOptions { widening: widening.clone(), ..DecoupledOptions::default() };
            assert_eq!(
                joint_calls(
                    &goofspiel,
                    Decoupled::new(DecoupledOptions { memory: bytes, seed: 1, ..options })
                ),
                0,
                "decoupled, {widening:?}"
            );
            for (max_pairs, keep_tree) in [(0, true), (256, true), (256, false)] {
                let widening = widening.clone();
                let options = RegretOptions { max_pairs, keep_tree, widening, ..RegretOptions::default() };
                assert_eq!(
                    joint_calls(&goofspiel, Regret::new(RegretOptions { memory: bytes, seed: 1, ..options })),
                    0,
                    "regret, {max_pairs} pairs"
                );
            }
        }
        assert_eq!(
            joint_calls(
                &Squad::START,
                Units::new(UnitsOptions { memory: bytes, seed: 1, ..UnitsOptions::default() })
            ),
            0,
            "units"
        );
        let playout = Estimated { estimate: |_: &Squad, _: Player| 0.0, turns: 1 };
        let decoupled = Decoupled::with_playout(
            playout,
            DecoupledOptions { memory: bytes, seed: 1, ..DecoupledOptions::default() },
        );
        assert_eq!(joint_calls(&Squad::START, decoupled), 0, "decoupled, cut off");
    }
    assert_eq!(
        joint_calls(&Squad::START, Evolve::new(Pairs, EvolveOptions { seed: 1, ..EvolveOptions::default() })),
        0,
        "evolution"
    );
    let track = podracing::tools::maps::track(1);
    let plans = podracing::plans::Plans::new(&track, podracing::plans::Numbers::default());
    let evolve = Evolve::new(plans, EvolveOptions { seed: 1, ..EvolveOptions::default() });
    assert_eq!(joint_calls(&podracing::race::Race::new(track), evolve), 0, "evolution of pods' plans");
    let lead = |game: &Goofspiel<5>, player: Player| f64::from(game.payoff(player).0);
    assert_eq!(joint_calls(&goofspiel, JointGreedy::new(lead, 1)), 0, "greedy");
    assert_eq!(joint_calls(&goofspiel, JointRandom::new(1)), 0, "random");
    let pig = Expectimax::new(|_: &Pig<20>, _: Player| 0.0, ExpectimaxOptions::default());
    assert_eq!(joint_calls(&Pig::START, pig), 0, "expectimax");
    let noise = |game: &RandomJoint<3, true>, player: Player| game.noise(player);
    let paranoid = Paranoid::new(noise, ParanoidOptions { worst: 3, ..ParanoidOptions::default() });
    assert_eq!(joint_calls(&RandomJoint::new(27, 12), paranoid), 0, "paranoid");
}

#[test]
fn the_counter_counts() {
    let before = CALLS.get();
    drop(std::hint::black_box(vec![1u8; 100]));
    assert_eq!(CALLS.get() - before, 2);
}

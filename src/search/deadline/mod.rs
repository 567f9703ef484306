//! The law of deadlines, by counted calls on a virtual clock: after its deadline no search begins more than one call of
//! the game's or the evaluation's functions.

mod counted;

use std::time::Duration;

use crate::clock::{now, virtual_time, Budget};
use crate::game::{Game, Player};
use crate::joint::Joint;
use crate::search::*;

use counted::*;

/// A search's name, and one turn of it: the move that it answers with.
type Turn<G> = (&'static str, Box<dyn FnMut(&G, Budget) -> Option<u16>>);

fn of<G: Game<Move = u16> + 'static>(name: &'static str, mut search: impl Search<G> + 'static) -> Turn<G> {
    (name, Box::new(move |game, budget| search.search(game, budget).best))
}

fn of_joint<G: Joint<Move = u16> + 'static>(
    name: &'static str,
    mut search: impl JointSearch<G> + 'static,
    player: impl Fn(&G) -> Player + 'static,
) -> Turn<G> {
    (name, Box::new(move |game, budget| search.search(game, player(game), budget).best))
}

const BYTES: usize = 1 << 21;

fn for_two() -> Vec<Turn<Counted<2>>> {
    let graph = || MctsOptions { rollout_expand: 3, ..MctsOptions::default() };
    let evaluated = || Evaluated { evaluation: Judge, plies: 2, scale: 100 };
    let alpha_beta =
        || AlphaBeta::new(Judge, AlphaBetaOptions { memory: 1 << 16, ..AlphaBetaOptions::default() });
    let mover = |game: &Counted<2>| Game::to_move(game);
    vec![
        of("alpha-beta", alpha_beta()),
        of(
            "alpha-beta in place",
            AlphaBeta::in_place(Judge, AlphaBetaOptions { memory: 1 << 16, ..AlphaBetaOptions::default() }),
        ),
        of("minimax", Minimax::new(Judge, MinimaxOptions { memory: BYTES, ..MinimaxOptions::default() })),
        of(
            "minimax, two values",
            Minimax::<_, _, 2>::for_players(
                Judge,
                MinimaxOptions { memory: BYTES, ..MinimaxOptions::default() },
            ),
        ),
        of(
            "best-first",
            BestFirst::new(Judge, BestFirstOptions { memory: BYTES, ..BestFirstOptions::default() }),
        ),
        of("mcts", Mcts::new(MctsOptions { memory: BYTES, seed: 1, ..MctsOptions::default() })),
        of("mcts, rollouts expand", Mcts::new(MctsOptions { memory: BYTES, seed: 1, ..graph() })),
        of(
            "mcts, evaluated",
            Mcts::with_policy(evaluated(), MctsOptions { memory: BYTES, seed: 1, ..MctsOptions::default() }),
        ),
        of("mcts of 1 node", Mcts::new(MctsOptions { memory: 1, seed: 1, ..MctsOptions::default() })),
        of("graph", McGraph::new(MctsOptions { memory: BYTES, seed: 1, ..MctsOptions::default() })),
        of("graph, rollouts expand", McGraph::new(MctsOptions { memory: BYTES, seed: 1, ..graph() })),
        of("graph of 1 node", McGraph::new(MctsOptions { memory: 1, seed: 1, ..MctsOptions::default() })),
        of("flat", Flat::new(FlatOptions { seed: 1, ..FlatOptions::default() })),
        of("greedy", Greedy::new(Judge, 1)),
        of("random", Random::new(1)),
        of("random paths", RandomPaths::new(Judge, RandomPathsOptions { memory: BYTES, seed: 1 })),
        of("each move", EachMove(alpha_beta())),
        of("samples", Sampled::new(alpha_beta(), SampledOptions { seed: 1, ..SampledOptions::default() })),
        of(
            "selective",
            Selective::new(Judge, SelectiveOptions { width: 7, depth: 4, ..SelectiveOptions::default() }),
        ),
        of_joint(
            "decoupled",
            Decoupled::new(DecoupledOptions { memory: BYTES, seed: 1, ..DecoupledOptions::default() }),
            mover,
        ),
        of_joint(
            "regret",
            Regret::new(RegretOptions { memory: BYTES, seed: 1, ..RegretOptions::default() }),
            mover,
        ),
        of_joint("expectimax", Expectimax::new(Judge, ExpectimaxOptions::default()), mover),
        of_joint("paranoid", Paranoid::new(Judge, ParanoidOptions::default()), mover),
        of_joint("joint greedy", JointGreedy::new(Judge, 1), mover),
    ]
}

fn for_one() -> Vec<Turn<Counted<1>>> {
    let beam = BeamOptions { width: 4, max_width: 64, depth: 20, ..BeamOptions::default() };
    let first = |_: &Counted<1>| Player::FIRST;
    vec![
        of("mcts for one", Mcts::new(MctsOptions { memory: BYTES, seed: 1, ..MctsOptions::default() })),
        of("graph for one", McGraph::new(MctsOptions { memory: BYTES, seed: 1, ..MctsOptions::default() })),
        of(
            "best-first for one",
            BestFirst::new(Judge, BestFirstOptions { memory: BYTES, ..BestFirstOptions::default() }),
        ),
        of("flat for one", Flat::new(FlatOptions { seed: 1, ..FlatOptions::default() })),
        of("beam", Beam::new(Judge, beam)),
        of("evolution", Evolution::new(Judge, EvolutionOptions { seed: 1, ..EvolutionOptions::default() })),
        (
            "solutions",
            Box::new(|game, budget| {
                // A number of moves in place of one: it has no answer.
                let _ = solutions(game, u64::MAX, budget);
                Some(0)
            }),
        ),
        of_joint(
            "units",
            Units::new(UnitsOptions { memory: BYTES, seed: 1, ..UnitsOptions::default() }),
            first,
        ),
        of_joint("evolve", Evolve::new(Judge, EvolveOptions { seed: 1, ..EvolveOptions::default() }), first),
    ]
}

/// Three players in turn, each with units of its own in `Units` and `Evolve`.
fn for_three() -> Vec<Turn<Counted<3>>> {
    let mover = |game: &Counted<3>| Game::to_move(game);
    let rolls = MctsOptions { rollout_expand: 3, ..MctsOptions::default() };
    vec![
        of(
            "minimax for three",
            Minimax::<_, _, 3>::for_players(
                Judge,
                MinimaxOptions { memory: BYTES, ..MinimaxOptions::default() },
            ),
        ),
        of("mcts for three", Mcts::new(MctsOptions { memory: BYTES, seed: 1, ..rolls.clone() })),
        of(
            "graph for three",
            McGraph::<_, _, 3>::with_policy(Uniform, MctsOptions { memory: BYTES, seed: 1, ..rolls }),
        ),
        of("flat for three", Flat::new(FlatOptions { seed: 1, ..FlatOptions::default() })),
        of("greedy for three", Greedy::new(Judge, 1)),
        of("random paths for three", RandomPaths::new(Judge, RandomPathsOptions { memory: BYTES, seed: 1 })),
        of_joint(
            "decoupled for three",
            Decoupled::new(DecoupledOptions { memory: BYTES, seed: 1, ..DecoupledOptions::default() }),
            mover,
        ),
        of_joint(
            "regret for three",
            Regret::new(RegretOptions { memory: BYTES, seed: 1, ..RegretOptions::default() }),
            mover,
        ),
        of_joint("paranoid for three", Paranoid::new(Judge, ParanoidOptions::default()), mover),
        of_joint("joint greedy for three", JointGreedy::new(Judge, 1), mover),
        of_joint(
            "units for three",
            Units::new(UnitsOptions { memory: BYTES, seed: 1, ..UnitsOptions::default() }),
            mover,
        ),
        of_joint(
            "evolve for three",
            Evolve::new(Judge, EvolveOptions { seed: 1, ..EvolveOptions::default() }),
            mover,
        ),
    ]
}

/// Searches that rank each move before they try one.
fn ranked() -> Vec<Turn<Counted<2>>> {
    let mover = |game: &Counted<2>| Game::to_move(game);
    let playout = || Estimated { estimate: Judge, turns: 2 };
    let decoupled = Decoupled::with_playout(
        playout(),
        DecoupledOptions { memory: BYTES, seed: 1, ..DecoupledOptions::default() },
    );
    let regret =
        Regret::with_playout(playout(), RegretOptions { memory: BYTES, seed: 1, ..RegretOptions::default() });
    let units =
        Units::with_playout(playout(), UnitsOptions { memory: BYTES, seed: 1, ..UnitsOptions::default() });
    vec![
        of_joint("decoupled", decoupled, mover),
        of_joint("regret", regret, mover),
        of_joint("units", units, mover),
    ]
}

/// Two turns of each search, at some cost of a call; returns what broke the law.
fn faults<G: Game<Move = u16> + 'static>(
    searches: Vec<Turn<G>>,
    start: &G,
    cost: Cost,
    limit: Duration,
) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, mut turn) in searches {
        let mut game = start.clone();
        for number in 1..=2 {
            let deadline = virtual_time::run(|| {
                COST.set(cost);
                COUNTS.set((0, 0, Duration::ZERO));
                DEADLINE.set(Some(now() + limit));
                let best = turn(&game, Budget::until(now() + limit));
                DEADLINE.set(None);
                COST.set((None, Duration::ZERO, Duration::ZERO));
                best
            });
            let (early, late, time) = COUNTS.get();
            // These answer with a move of each unit, though the deadline passes before they have found any.
            let is_of_units = name.starts_with("units") || name.starts_with("evolve");
            let most = if is_of_units && early < 3 + G::PLAYERS as u64 { G::PLAYERS as u64 } else { 1 };
            // Of one dear function, a call, and of the others as many as take 0.1 ms.
            let allowed = late <= most || cost.0.is_some() && time <= cost.1 + Duration::from_micros(100);
            if !allowed {
                faults.push(format!("{name}, turn {number}, {cost:?} of {limit:?}: {early} calls, {late} late ({time:?}) {:?}", LATE.get()));
            }
            let best = deadline.unwrap_or_else(|| panic!("{name}: no move"));
            game.play(best);
            let reply = {
                let mut list = G::Moves::default();
                game.moves(&mut list);
                list[0]
            };
            game.play(reply);
        }
    }
    faults
}

fn check(width: usize) {
    check_with(width, |cost, limit| {
        let mut found = faults(for_two(), &Counted::start(width), cost, limit);
        found.extend(faults(for_one(), &Counted::start(width), cost, limit));
        found
    });
}

/// A list has room for all moves in every call of a recursive search.
fn with_a_large_stack(test: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, test);
        thread.expect("a thread").join().expect("the law holds");
    });
}

fn check_with(width: usize, search: impl Fn(Cost, Duration) -> Vec<String>) {
    let (ms, us, ns) = (Duration::from_millis, Duration::from_micros, Duration::from_nanos);
    let mut found = Vec::new();
    let mut try_all = |cost, limit| found.extend(search(cost, limit));
    // Most of the time goes into lists of many moves.
    let thorough = if width > 1000 { 2 } else { 1 };
    for cost in [ns(10), ns(100), us(1), us(20), us(200), ms(5), ms(10)].into_iter().step_by(thorough) {
        let calls = if width > 1000 { 9_001 } else { 3_001 };
        for limit in [Duration::ZERO, 9 * cost / 2, 101 * cost / 2, calls * cost / 2] {
            try_all((None, cost, cost), limit);
        }
    }
    for cost in [us(200), ms(5)].into_iter().step_by(thorough) {
        for dear in
            [Call::Moves, Call::Play, Call::Over, Call::Payoff, Call::Hash, Call::Rank, Call::Evaluate]
        {
            for limit in [9 * cost / 2, 41 * cost / 2] {
                try_all((Some(dear), cost, cost / 200), limit);
                try_all((Some(dear), cost, cost / 2000), limit);
            }
        }
    }
    assert!(found.is_empty(), "{} with {width} moves:\n{}", found.len(), found.join("\n"));
}

#[test]
fn no_search_begins_two_calls_after_its_deadline_with_2_moves() {
    with_a_large_stack(|| {
        check(2);
    });
}

#[test]
fn no_search_begins_two_calls_after_its_deadline_with_30_moves() {
    with_a_large_stack(|| {
        check(30);
    });
}

#[test]
fn no_search_begins_two_calls_after_its_deadline_with_250_moves() {
    with_a_large_stack(|| {
        check(250);
    });
}

#[test]
fn no_search_begins_two_calls_after_its_deadline_when_it_ranks_moves() {
    with_a_large_stack(|| {
        check_with(250, |cost, limit| faults(ranked(), &Counted::start(250), cost, limit));
    });
}

#[test]
fn no_search_begins_two_calls_after_its_deadline_with_3_players() {
    with_a_large_stack(|| {
        check_with(30, |cost, limit| faults(for_three(), &Counted::start(30), cost, limit));
    });
}

/// With all work between two calls in proportion to the number of moves, it stays below 1 ms.
#[test]
fn no_search_begins_two_calls_after_its_deadline_with_10000_moves() {
    with_a_large_stack(|| {
        let cost = Duration::from_micros(20);
        let found = faults(for_two(), &Counted::start(MOST), (None, cost, cost), 4_001 * cost / 2);
        assert!(found.is_empty(), "{}", found.join("\n"));
    });
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn no_search_begins_two_calls_after_its_deadline_with_2000_moves() {
        with_a_large_stack(|| {
            check(2000);
        });
    }
}

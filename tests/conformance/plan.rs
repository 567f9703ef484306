//! Tests beam search and rolling-horizon evolution, which keep a plan for one player.

use std::fmt::Debug;

use coppice::search::{negamax, Beam, BeamOptions, Evolution, EvolutionOptions, Planning};
use coppice::{Budget, Evaluation, Game, List, Payoff, Player, Rng, Score, Search};
use coppice_tests::games::{Braking, Lander};
use coppice_tests::games::{Noise, RandomTree};

use super::{moves, random_trees, NO_LIMIT};

fn beam(width: usize, max_width: usize) -> BeamOptions {
    BeamOptions { width, max_width, depth: 60, ..BeamOptions::default() }
}

fn trees() -> impl Iterator<Item = RandomTree<1>> {
    random_trees::<1>()
}

/// Plays a plan move by move and checks that each move is legal; returns the final state.
fn follow<G: Game + Debug>(game: &G, plan: &[G::Move]) -> G {
    plan.iter().fold(game.clone(), |state, m| {
        assert!(moves(&state).contains(m), "{m:?} in {state:?}");
        state.after(*m)
    })
}

/// A beam that drops nothing is exact. A narrow one finds a plan that is worth its score, and no more than
/// the optimum. One that widens far enough is exact too.
#[test]
fn a_beam_that_holds_every_state_is_exact() {
    let mut wide = Beam::new(Noise, beam(1 << 12, 1 << 12));
    let mut widening = Beam::new(Noise, beam(1, 1 << 12));
    let mut narrow = Beam::new(Noise, BeamOptions { keep_plan: false, ..beam(2, 2) });
    let mut missed = 0;
    for game in trees() {
        let value = negamax(&game, &Noise, 99);
        for search in [&mut wide, &mut widening] {
            let report = search.search(&game, NO_LIMIT);
            assert!(report.solved, "{game:?}");
            assert_eq!(report.score, value, "{game:?}");
        }
        let report = narrow.search(&game, NO_LIMIT);
        assert!(report.score <= value);
        missed += i32::from(report.score < value);
        for (search, score) in [(&wide, value), (&narrow, report.score)] {
            let end = follow(&game, search.plan());
            assert!(end.is_over());
            assert_eq!(Score::estimate(end.payoff(Player::FIRST).0), score);
        }
    }
    assert!(missed > 0, "a narrow beam drops states");
}

/// To a depth, with estimates, it matches the oracle but isn't solved.
#[test]
fn a_wide_beam_is_exact_to_a_depth() {
    for depth in [1, 2, 4] {
        let options = BeamOptions { depth, ..beam(1 << 10, 1 << 10) };
        let mut search = Beam::new(Raised, BeamOptions { keep_plan: false, ..options });
        for game in trees() {
            let report = search.search(&game, NO_LIMIT);
            if !report.solved {
                assert_eq!(report.score, negamax(&game, &Raised, depth as u32), "{game:?} to {depth}");
                assert_eq!(report.depth, depth as u32);
            }
        }
    }
}

/// Estimates above the value of any finished game, so that the deepest level decides, as in the oracle.
#[derive(Debug, Clone)]
struct Raised;

impl Evaluation<RandomTree<1>> for Raised {
    fn evaluate(&self, game: &RandomTree<1>) -> Score {
        Score::estimate(Noise.evaluate(game).value() + 10)
    }
}

impl Planning<RandomTree<1>> for Raised {}

/// Each state is expanded once: with transpositions, the filter saves nearly all of the work.
#[test]
fn a_beam_expands_each_state_of_a_level_once() {
    for seed in 0..50 {
        let game = RandomTree::<1>::with_transpositions(seed, 30, 5);
        if game.is_over() {
            continue;
        }
        // At most five states a level, at most four moves each.
        let report = Beam::new(Noise, beam(5, 5)).search(&game, NO_LIMIT);
        assert!(report.solved && report.nodes <= 20 * 30, "{} nodes", report.nodes);
    }
}

/// Among states with the same key, the better one is kept.
#[test]
fn equal_keys_keep_the_better_state() {
    /// Gives every state of a level the same key.
    #[derive(Debug, Clone)]
    struct Alike;
    impl Evaluation<RandomTree<1>> for Alike {
        fn evaluate(&self, game: &RandomTree<1>) -> Score {
            Raised.evaluate(game)
        }
    }
    impl Planning<RandomTree<1>> for Alike {
        fn key(&self, _: &RandomTree<1>) -> u64 {
            7
        }
    }
    for game in trees().filter(|game| moves(game).len() > 1) {
        let options = BeamOptions { depth: 1, ..beam(8, 8) };
        let report = Beam::new(Alike, options).search(&game, NO_LIMIT);
        assert_eq!(report.score, negamax(&game, &Raised, 1));
        let options = BeamOptions { depth: 2, ..beam(8, 8) };
        let report = Beam::new(Alike, options).search(&game, NO_LIMIT);
        // Only the best child was expanded.
        assert!(report.nodes <= 8);
    }
}

#[test]
fn evolution_finds_the_best_plan_of_small_games() {
    let options = EvolutionOptions { horizon: 9, ..EvolutionOptions::default() };
    let (mut found, mut all) = (0, 0);
    for game in trees() {
        let value = negamax(&game, &Noise, 99);
        let mut search = Evolution::new(Noise, EvolutionOptions { seed: 3, ..options.clone() });
        let report = search.search(&game, Budget::nodes(20_000));
        assert!(report.score <= value);
        assert_eq!(report.nodes, 20_000);
        let end = follow(&game, search.plan());
        assert_eq!(Score::estimate(end.payoff(Player::FIRST).0), report.score);
        found += u32::from(report.score == value);
        all += 1;
    }
    assert!(found * 100 >= all * 99, "{found} of {all}");
}

/// One of 2^40 plans is the best: selection finds it, chance doesn't.
#[test]
fn evolution_climbs() {
    /// Counts the right moves of forty.
    #[derive(Debug, Clone, PartialEq)]
    struct Count {
        right: u8,
        made: u8,
    }
    impl Game for Count {
        type Move = u8;
        type Moves = List<u8, 2>;
        const PLAYERS: usize = 1;
        fn to_move(&self) -> Player {
            Player::FIRST
        }
        fn moves(&self, list: &mut List<u8, 2>) {
            if self.made < 40 {
                (0..2).for_each(|m| list.push(m));
            }
        }
        fn play(&mut self, m: u8) {
            self.right += u8::from(m == self.made / 3 % 2);
            self.made += 1;
        }
        fn payoff(&self, _: Player) -> Payoff {
            Payoff(self.right.into())
        }
        fn hash(&self) -> u64 {
            coppice::rng::mix(u64::from(self.right) << 8 | u64::from(self.made))
        }
        fn move_index(m: u8) -> u16 {
            m.into()
        }
    }
    struct Right;
    impl Evaluation<Count> for Right {
        fn evaluate(&self, game: &Count) -> Score {
            Score::estimate(game.right.into())
        }
    }
    impl Planning<Count> for Right {}
    let options = EvolutionOptions { horizon: 40, ..EvolutionOptions::default() };
    let game = Count { right: 0, made: 0 };
    let bred = Evolution::new(Right, EvolutionOptions { seed: 1, ..options })
        .search(&game, Budget::nodes(200_000))
        .score
        .value();
    let mut rng = Rng::new(1);
    let by_chance = (0..5_000).map(|_| {
        let mut state = game.clone();
        while let Some(m) = state.random_move(&mut rng) {
            state.play(m);
        }
        state.right
    });
    let by_chance = i32::from(by_chance.max().unwrap_or(0));
    assert!(bred >= 38 && by_chance < 36, "{bred} by breeding, {by_chance} by chance");
}

/// Plays a game to its end; returns each turn's expected score, and the final one.
fn promises<G: Game + Debug, E: Evaluation<G>>(
    start: &G,
    evaluation: &E,
    search: &mut dyn Search<G>,
    budgets: impl Fn(u32) -> u64,
) -> (Vec<Score>, Score) {
    let mut game = start.clone();
    let mut promises = Vec::new();
    while !game.is_over() {
        let budget = budgets(promises.len() as u32);
        let report = search.search(&game, Budget::nodes(budget));
        assert!(report.nodes <= budget);
        promises.push(report.score);
        let best = report.best.expect("a move");
        assert_eq!(search.line(&game, best).first().copied().unwrap_or(best), best);
        game.play(best);
    }
    (promises, evaluation.ended(&game))
}

fn assert_kept<G: Game + Debug, E: Evaluation<G>>(
    start: &G,
    evaluation: &E,
    search: &mut dyn Search<G>,
    budgets: impl Fn(u32) -> u64,
) -> i32 {
    let (promises, end) = promises(start, evaluation, search, budgets);
    assert!(promises.windows(2).all(|pair| pair[0] <= pair[1]), "{promises:?} from {start:?}");
    assert!(promises.first().is_none_or(|&first| first <= end), "{promises:?}, then {end}");
    end.value()
}

/// Estimates below the value of any finished game, so that an expected score is never too high.
#[derive(Debug, Clone)]
struct Cautious;

impl Evaluation<RandomTree<1>> for Cautious {
    fn evaluate(&self, game: &RandomTree<1>) -> Score {
        Score::estimate(Noise.evaluate(game).value() - 1000)
    }
}

impl Planning<RandomTree<1>> for Cautious {}

/// Once the plan reaches the game's end, later turns keep the expected score even with tiny budgets.
#[test]
fn the_expected_score_never_falls() {
    // A first turn with a large budget, then some with nearly none.
    let budgets = |turn: u32| [400, 0, 7, 40, 1][turn as usize % 5];
    for game in trees().step_by(3) {
        assert_kept(&game, &Cautious, &mut Beam::new(Cautious, beam(2, 64)), budgets);
        let options = EvolutionOptions { horizon: 9, ..EvolutionOptions::default() };
        assert_kept(
            &game,
            &Cautious,
            &mut Evolution::new(Cautious, EvolutionOptions { seed: 1, ..options }),
            budgets,
        );
    }
}

#[test]
fn the_landers_expected_score_never_falls() {
    let mut ends = Vec::new();
    for (height, speed) in [(1200.0, -20.0), (700.0, 5.0), (1900.0, -60.0)] {
        let start = Lander { height, speed, ..Lander::START };
        let budgets = |turn: u32| if turn == 0 { 30_000 } else { 1_000 };
        let mut by_beam = Beam::new(Braking, beam(16, 256));
        let mut by_evolution =
            Evolution::new(Braking, EvolutionOptions { seed: 1, horizon: 60, ..EvolutionOptions::default() });
        let beam = assert_kept(&start, &Braking, &mut by_beam, budgets);
        let evolution = assert_kept(&start, &Braking, &mut by_evolution, budgets);
        ends.push((beam, evolution));
    }
    assert!(ends.iter().all(|&(beam, evolution)| beam >= 0 && evolution >= 0), "{ends:?}");
}

/// Adds wind that the rules don't model: the plan is simulated again from the lander's actual state.
#[test]
fn a_plan_is_repaired_if_the_state_differs() {
    let mut rng = Rng::new(5);
    let searches: [Box<dyn Search<Lander>>; 2] = [
        Box::new(Beam::new(Braking, beam(16, 256))),
        Box::new(Evolution::new(
            Braking,
            EvolutionOptions { seed: 1, horizon: 60, ..EvolutionOptions::default() },
        )),
    ];
    for mut search in searches {
        let mut lander = Lander::START;
        while !lander.is_over() {
            let report = search.search(&lander, Budget::nodes(3_000));
            assert!(report.nodes <= 3_000);
            lander.play(report.best.expect("a move"));
            if !lander.is_over() {
                lander.speed += f64::from(rng.below(100)) / 100.0 - 0.5;
            }
        }
        // The last second's wind adds to a landing that is as fast as allowed.
        assert!(lander.height <= 0.0 && lander.speed > -Lander::SOFT - 0.5, "{lander:?}");
    }
}

/// With no budget, the previous turn's plan on another state is scored by its outcome there.
#[test]
fn a_replayed_plan_is_scored_by_its_outcome() {
    let mut search = Beam::new(Braking, beam(64, 64));
    let first = search.search(&Lander::START, NO_LIMIT);
    let plan = search.plan().to_vec();
    let mut lander = Lander::START.after(first.best.expect("a move"));
    lander.height += 3.0;
    let report = search.search(&lander, Budget::nodes(plan.len() as u64 - 1));
    let end = follow(&lander, search.plan());
    assert_eq!(search.plan(), &plan[1..=search.plan().len()]);
    let worth = if end.is_over() { Braking.ended(&end) } else { Braking.evaluate(&end) };
    assert_eq!(report.score, worth);
}

/// A cart that any thrust from 0 to 999 drives on; only full thrust is listed.
#[derive(Debug, Clone, PartialEq)]
struct Cart {
    at: i32,
    turns: u8,
}

impl Game for Cart {
    type Move = i32;
    type Moves = List<i32, 1>;
    const PLAYERS: usize = 1;

    fn to_move(&self) -> Player {
        Player::FIRST
    }

    fn moves(&self, list: &mut List<i32, 1>) {
        if self.turns > 0 {
            list.push(999);
        }
    }

    fn play(&mut self, thrust: i32) {
        self.at += thrust;
        self.turns -= 1;
    }

    fn payoff(&self, _: Player) -> Payoff {
        Payoff(-(self.at - 2_000).abs())
    }

    fn hash(&self) -> u64 {
        (self.at as u64) << 8 | u64::from(self.turns)
    }

    fn move_index(thrust: i32) -> u16 {
        thrust as u16
    }
}

/// Decodes thrusts, and permits them in any state if it is told to.
struct Thrusts {
    permits: bool,
}

impl Evaluation<Cart> for Thrusts {
    fn evaluate(&self, game: &Cart) -> Score {
        Score::estimate(game.payoff(Player::FIRST).0)
    }
}

impl Planning<Cart> for Thrusts {
    fn decode(&self, game: &Cart, gene: u16) -> Option<i32> {
        (game.turns > 0).then_some((i32::from(gene) * 1000) >> 16)
    }

    fn permits(&self, game: &Cart, m: i32) -> bool {
        if self.permits {
            game.turns > 0
        } else {
            moves(game).contains(&m)
        }
    }
}

#[test]
fn a_plan_of_moves_that_are_not_listed_survives_if_they_are_permitted() {
    let kept = |permits| {
        let options = EvolutionOptions { horizon: 8, ..EvolutionOptions::default() };
        let mut search = Evolution::new(Thrusts { permits }, EvolutionOptions { seed: 1, ..options });
        let start = Cart { at: 0, turns: 8 };
        let report = search.search(&start, Budget::nodes(20_000));
        let mut next = start.after(report.best.expect("a thrust"));
        // The wind.
        next.at += 1;
        let plan = search.plan()[1..].to_vec();
        // Enough to judge the plan anew, and no other.
        let _ = search.search(&next, Budget::nodes(7));
        search.plan() == plan
    };
    assert!(kept(true) && !kept(false));
}

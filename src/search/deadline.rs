//! The law of deadlines, by counted calls on a virtual clock: after its deadline no search begins more than one call of
//! the game's or the evaluation's functions.

use std::cell::Cell;
use std::time::Duration;

use crate::clock::{now, virtual_time, Budget};
use crate::game::{Game, Hidden, Payoff, Player, Reversible};
use crate::joint::{Choices, Estimate, InTurns, Joint};
use crate::list::List;
use crate::rng::{mix, Rng};
use crate::score::Score;
use crate::search::*;
use crate::Evaluation;

/// The functions whose calls are counted. Copying, comparing, and asking who is to move are no calls.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Call {
    Moves,
    Play,
    Over,
    Payoff,
    Hash,
    Rank,
    Evaluate,
}

thread_local! {
    static COST: Cell<Cost> = const { Cell::new((None, Duration::ZERO, Duration::ZERO)) };
    static DEADLINE: Cell<Option<std::time::Instant>> = const { Cell::new(None) };
    /// Calls in time; calls and their time after the deadline.
    static LATE: Cell<[Option<Call>; 6]> = const { Cell::new([None; 6]) };
    static COUNTS: Cell<(u64, u64, Duration)> = const { Cell::new((0, 0, Duration::ZERO)) };
}

fn call(which: Call) {
    let (only, dear, cheap) = COST.get();
    let cost = if only.is_none_or(|only| only == which) { dear } else { cheap };
    let (early, late, time) = COUNTS.get();
    let is_late = DEADLINE.get().is_some_and(|deadline| now() >= deadline);
    if is_late && late < 6 {
        let mut all = LATE.get();
        all[late as usize] = Some(which);
        LATE.set(all);
    }
    COUNTS.set(if is_late { (early, late + 1, time + cost) } else { (early + 1, late, time) });
    virtual_time::advance(cost);
}

/// A game of 12 plies with `N` moves in each position, for `P` players in turn.
#[derive(Debug, Clone, PartialEq)]
struct Counted<const P: usize, const N: usize> {
    ply: u8,
    state: u64,
}

const PLIES: u8 = 12;

impl<const P: usize, const N: usize> Counted<P, N> {
    fn outcome(&self, player: Player) -> i32 {
        let sign = (self.state % 3) as i32 - 1;
        if player == Player::FIRST {
            sign
        } else {
            -sign
        }
    }
}

impl<const P: usize, const N: usize> Game for Counted<P, N> {
    type Move = u16;
    type Moves = List<u16, N>;
    const PLAYERS: usize = P;

    fn to_move(&self) -> Player {
        Player::new(self.ply % P as u8)
    }
    fn moves(&self, list: &mut List<u16, N>) {
        call(Call::Moves);
        (0..if self.ply < PLIES { N } else { 0 }).for_each(|m| list.push(m as u16));
    }
    fn play(&mut self, m: u16) {
        call(Call::Play);
        (self.ply, self.state) = (self.ply + 1, mix(self.state + u64::from(m)));
    }
    fn payoff(&self, player: Player) -> Payoff {
        call(Call::Payoff);
        Payoff(self.outcome(player))
    }
    fn hash(&self) -> u64 {
        call(Call::Hash);
        mix(self.state + u64::from(self.ply))
    }
    fn move_index(m: u16) -> u16 {
        m
    }
    fn is_over(&self) -> bool {
        call(Call::Over);
        self.ply >= PLIES
    }
}

impl<const N: usize> Reversible for Counted<2, N> {
    type Undo = u64;

    fn make(&mut self, m: u16) -> u64 {
        let before = self.state;
        Game::play(self, m);
        before
    }
    fn unmake(&mut self, _: u16, before: u64) {
        call(Call::Play);
        (self.ply, self.state) = (self.ply - 1, before);
    }
}

impl<const N: usize> Hidden for Counted<2, N> {
    type View = u8;

    fn view(&self, _: Player) -> u8 {
        self.ply
    }
    fn sample(view: &u8, _: Player, rng: &mut Rng) -> Option<Self> {
        call(Call::Play);
        Some(Counted { ply: *view, state: rng.next_u64() % 4 })
    }
}

impl<const P: usize, const N: usize> Joint for Counted<P, N> {
    type Move = u16;
    type Moves = List<u16, N>;
    type Outcome = ();
    const PLAYERS: usize = P;
    const MAX_POINTS: i32 = 1;

    fn moves(&self, player: Player, list: &mut List<u16, N>) {
        call(Call::Moves);
        let is_mover = P == 1 || player == Game::to_move(self);
        (0..if self.ply < PLIES && is_mover { N } else { 0 }).for_each(|m| list.push(m as u16));
    }
    fn play(&mut self, choices: &Choices<u16>) {
        Game::play(self, choices.of(Game::to_move(self)).expect("a move"));
    }
    fn payoff(&self, player: Player) -> Payoff {
        Game::payoff(self, player)
    }
    fn hash(&self) -> u64 {
        Game::hash(self)
    }
    fn awaits_chance(&self) -> bool {
        false
    }
    fn let_happen(&mut self, _: &mut Rng) {}
    fn is_over(&self) -> bool {
        Game::is_over(self)
    }
}

impl<const P: usize, const N: usize> InTurns for Counted<P, N> {
    fn to_move(&self) -> Player {
        Game::to_move(self)
    }
}

/// Knows nothing, at some cost.
struct Judge;

impl<const P: usize, const N: usize> Evaluation<Counted<P, N>> for Judge {
    fn evaluate(&self, game: &Counted<P, N>) -> Score {
        call(Call::Evaluate);
        Score::estimate((game.state % 201) as i32 - 100)
    }
    fn rank(&self, game: &Counted<P, N>, m: u16) -> i32 {
        call(Call::Rank);
        (mix(game.state ^ u64::from(m)) % 100) as i32
    }
}

impl<const N: usize> Planning<Counted<1, N>> for Judge {}

impl<const P: usize, const N: usize> Estimate<Counted<P, N>> for Judge {
    fn estimate(&self, game: &Counted<P, N>, _: Player) -> f64 {
        call(Call::Evaluate);
        (game.state % 3) as f64 / 4.0
    }
    fn rank(&self, game: &Counted<P, N>, player: Player, m: u16) -> i32 {
        let _ = player;
        Evaluation::rank(self, game, m)
    }
}

impl<const P: usize, const N: usize> Genes<Counted<P, N>> for Judge {
    fn estimate(&self, game: &Counted<P, N>, player: Player) -> f64 {
        Estimate::estimate(self, game, player)
    }
}

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

fn for_two<const N: usize>() -> Vec<Turn<Counted<2, N>>> {
    let graph = || MctsOptions { rollout_expand: 3, ..MctsOptions::default() };
    let evaluated = || Evaluated { evaluation: Judge, plies: 2, scale: 100 };
    let alpha_beta = || AlphaBeta::new(Judge, 1 << 16, AlphaBetaOptions::default());
    let mover = |game: &Counted<2, N>| Game::to_move(game);
    vec![
        of("alpha-beta", alpha_beta()),
        of("alpha-beta in place", AlphaBeta::in_place(Judge, 1 << 16, AlphaBetaOptions::default())),
        of("minimax", Minimax::new(Judge, BYTES, MinimaxOptions::default())),
        of("minimax, two values", Minimax::<_, _, 2>::for_players(Judge, BYTES, MinimaxOptions::default())),
        of("best-first", BestFirst::new(Judge, BYTES, BestFirstOptions::default())),
        of("mcts", Mcts::new(BYTES, 1, MctsOptions::default())),
        of("mcts, rollouts expand", Mcts::new(BYTES, 1, graph())),
        of("mcts, evaluated", Mcts::with_policy(BYTES, 1, MctsOptions::default(), evaluated())),
        of("mcts of 1 node", Mcts::new(1, 1, MctsOptions::default())),
        of("graph", McGraph::new(BYTES, 1, MctsOptions::default())),
        of("graph, rollouts expand", McGraph::new(BYTES, 1, graph())),
        of("graph of 1 node", McGraph::new(1, 1, MctsOptions::default())),
        of("flat", Flat::new(1, FlatOptions::default())),
        of("greedy", Greedy::new(Judge, 1)),
        of("random", Random::new(1)),
        of("random paths", RandomPaths::new(Judge, BYTES, 1)),
        of("each move", EachMove(alpha_beta())),
        of("samples", Sampled::new(alpha_beta(), 1, SampledOptions::default())),
        of("selective", Selective::new(Judge, SelectiveOptions::new(7, 4))),
        of_joint("decoupled", Decoupled::new(BYTES, 1, DecoupledOptions::default()), mover),
        of_joint("regret", Regret::new(BYTES, 1, RegretOptions::default()), mover),
        of_joint("expectimax", Expectimax::new(Judge, ExpectimaxOptions::default()), mover),
        of_joint("paranoid", Paranoid::new(Judge, ParanoidOptions::default()), mover),
        of_joint("joint greedy", JointGreedy::new(Judge, 1), mover),
    ]
}

fn for_one<const N: usize>() -> Vec<Turn<Counted<1, N>>> {
    let beam = BeamOptions { width: 4, max_width: 64, depth: 20, ..BeamOptions::default() };
    let first = |_: &Counted<1, N>| Player::FIRST;
    vec![
        of("mcts for one", Mcts::new(BYTES, 1, MctsOptions::default())),
        of("graph for one", McGraph::new(BYTES, 1, MctsOptions::default())),
        of("best-first for one", BestFirst::new(Judge, BYTES, BestFirstOptions::default())),
        of("flat for one", Flat::new(1, FlatOptions::default())),
        of("beam", Beam::new(Judge, beam)),
        of("evolution", Evolution::new(Judge, 1, EvolutionOptions::default())),
        (
            "solutions",
            Box::new(|game, budget| {
                // A number of moves in place of one: it has no answer.
                let _ = solutions(game, u64::MAX, budget);
                Some(0)
            }),
        ),
        of_joint("units", Units::new(BYTES, 1, UnitsOptions::default()), first),
        of_joint("evolve", Evolve::new(Judge, 1, EvolveOptions::default()), first),
    ]
}

/// Three players in turn, each with units of its own in `Units` and `Evolve`.
fn for_three<const N: usize>() -> Vec<Turn<Counted<3, N>>> {
    let mover = |game: &Counted<3, N>| Game::to_move(game);
    let rolls = MctsOptions { rollout_expand: 3, ..MctsOptions::default() };
    vec![
        of("minimax for three", Minimax::<_, _, 3>::for_players(Judge, BYTES, MinimaxOptions::default())),
        of("mcts for three", Mcts::new(BYTES, 1, rolls.clone())),
        of("graph for three", McGraph::<_, _, 3>::with_policy(BYTES, 1, rolls, Uniform)),
        of("flat for three", Flat::new(1, FlatOptions::default())),
        of("greedy for three", Greedy::new(Judge, 1)),
        of("random paths for three", RandomPaths::new(Judge, BYTES, 1)),
        of_joint("decoupled for three", Decoupled::new(BYTES, 1, DecoupledOptions::default()), mover),
        of_joint("regret for three", Regret::new(BYTES, 1, RegretOptions::default()), mover),
        of_joint("paranoid for three", Paranoid::new(Judge, ParanoidOptions::default()), mover),
        of_joint("joint greedy for three", JointGreedy::new(Judge, 1), mover),
        of_joint("units for three", Units::new(BYTES, 1, UnitsOptions::default()), mover),
        of_joint("evolve for three", Evolve::new(Judge, 1, EvolveOptions::default()), mover),
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

/// What a call costs: of one function, or of each; and of the others.
type Cost = (Option<Call>, Duration, Duration);

fn check<const N: usize>() {
    check_with::<N>(|cost, limit| {
        let mut found = faults(for_two::<N>(), &Counted { ply: 0, state: 1 }, cost, limit);
        found.extend(faults(for_one::<N>(), &Counted { ply: 0, state: 1 }, cost, limit));
        found
    });
}

fn check_with<const N: usize>(search: impl Fn(Cost, Duration) -> Vec<String>) {
    let (ms, us, ns) = (Duration::from_millis, Duration::from_micros, Duration::from_nanos);
    let mut found = Vec::new();
    let mut try_all = |cost, limit| found.extend(search(cost, limit));
    for cost in [ns(10), ns(100), us(1), us(20), us(200), ms(5), ms(10)] {
        let calls = if N > 1000 { 9_001 } else { 3_001 };
        for limit in [Duration::ZERO, 9 * cost / 2, 101 * cost / 2, calls * cost / 2] {
            try_all((None, cost, cost), limit);
        }
    }
    for cost in [us(200), ms(5)] {
        for dear in
            [Call::Moves, Call::Play, Call::Over, Call::Payoff, Call::Hash, Call::Rank, Call::Evaluate]
        {
            for limit in [9 * cost / 2, 41 * cost / 2] {
                try_all((Some(dear), cost, cost / 200), limit);
                try_all((Some(dear), cost, cost / 2000), limit);
            }
        }
    }
    assert!(found.is_empty(), "{} with {N} moves:\n{}", found.len(), found.join("\n"));
}

#[test]
fn no_search_begins_two_calls_after_its_deadline_with_2_moves() {
    check::<2>();
}

#[test]
fn no_search_begins_two_calls_after_its_deadline_with_30_moves() {
    check::<30>();
}

#[test]
fn no_search_begins_two_calls_after_its_deadline_with_250_moves() {
    check::<250>();
}

#[test]
fn no_search_begins_two_calls_after_its_deadline_with_2000_moves() {
    check::<2000>();
}

#[test]
fn no_search_begins_two_calls_after_its_deadline_with_3_players() {
    let start = Counted::<3, 30> { ply: 0, state: 1 };
    check_with::<30>(|cost, limit| faults(for_three::<30>(), &start, cost, limit));
}

/// With all work between two calls in proportion to the number of moves, it stays below 1 ms.
#[test]
fn no_search_begins_two_calls_after_its_deadline_with_10000_moves() {
    let cost = Duration::from_micros(20);
    let start = Counted::<2, 10_000> { ply: 0, state: 1 };
    let found = faults(for_two(), &start, (None, cost, cost), 4_001 * cost / 2);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

//! Tests every search of joint games: budgets, reproducibility, legal answers, small memory.

use std::fmt::Debug;

use coppice::joint::players;
use coppice::rng::mix;
use coppice::search::{
    Answer, Cuts, Decoupled, DecoupledOptions, Estimated, Evolve, EvolveOptions, Expectimax,
    ExpectimaxOptions, Genes, JointGreedy, JointRandom, JointSearch, Paranoid, ParanoidOptions, Regret,
    RegretOptions, Replies, Units, UnitsOptions, Widening,
};
use coppice::{Budget, Choices, InTurns, Joint, Player, Rng};
use coppice_tests::games::joint::{Goofspiel, Pig, Race, RandomJoint, Squad, Throw, Tron};

use super::listed;

/// Makes a search, identical each time.
type Maker<G> = Box<dyn Fn() -> Box<dyn JointSearch<G>>>;

fn zero<G>(_: &G, _: Player) -> f64 {
    0.0
}

/// Knows nothing.
struct Zero;

impl<G: Joint> Genes<G> for Zero {
    fn estimate(&self, _: &G, _: Player) -> f64 {
        0.0
    }
}

/// Every search for simultaneous moves, with its name.
fn every_search<G: Joint + 'static>() -> Vec<(&'static str, Maker<G>)> {
    let widening = Some(Widening { moves: 1.0, outcomes: 1.0, root: 2 });
    let decoupled = |bytes: usize, options: DecoupledOptions| -> Maker<G> {
        Box::new(move || {
            Box::new(Decoupled::new(DecoupledOptions { memory: bytes, seed: 5, ..options.clone() }))
        })
    };
    let regret = |bytes: usize, options: RegretOptions| -> Maker<G> {
        Box::new(move || Box::new(Regret::new(RegretOptions { memory: bytes, seed: 5, ..options.clone() })))
    };
    let paranoid = |options: ParanoidOptions| -> Maker<G> {
        Box::new(move || Box::new(Paranoid::new(zero::<G>, options.clone())))
    };
    vec![
        ("decoupled", decoupled(1 << 20, DecoupledOptions::default())),
        (
            "decoupled, drawn",
            decoupled(1 << 20, DecoupledOptions { answer: Answer::Drawn, ..Default::default() }),
        ),
        (
            "decoupled, widening",
            decoupled(1 << 20, DecoupledOptions { widening: widening.clone(), ..Default::default() }),
        ),
        ("decoupled in 2 kB", decoupled(2_000, DecoupledOptions::default())),
        (
            "decoupled, widening, in 4 kB",
            decoupled(4_000, DecoupledOptions { widening: widening.clone(), ..Default::default() }),
        ),
        ("decoupled in 1 byte", decoupled(1, DecoupledOptions::default())),
        (
            "decoupled, cut off",
            Box::new(|| {
                let playout = Estimated { estimate: zero::<G>, turns: 1 };
                Box::new(Decoupled::with_playout(
                    playout,
                    DecoupledOptions { memory: 1 << 20, seed: 5, ..DecoupledOptions::default() },
                ))
            }),
        ),
        ("regret", regret(1 << 20, RegretOptions::default())),
        ("regret, sampled", regret(1 << 20, RegretOptions { max_pairs: 0, ..Default::default() })),
        ("regret, anew each turn", regret(1 << 20, RegretOptions { keep_tree: false, ..Default::default() })),
        ("regret, widening", regret(1 << 20, RegretOptions { widening, ..Default::default() })),
        ("regret in 2 kB", regret(2_000, RegretOptions::default())),
        ("regret in 1 byte", regret(1, RegretOptions::default())),
        ("paranoid", paranoid(ParanoidOptions::default())),
        ("best reply, worst 3", paranoid(ParanoidOptions { replies: Replies::One, worst: 3, depth: 5 })),
        (
            "units",
            Box::new(|| {
                Box::new(Units::new(UnitsOptions { memory: 1 << 20, seed: 5, ..UnitsOptions::default() }))
            }),
        ),
        (
            "units, 2 turns, in 2 kB",
            Box::new(|| {
                Box::new(Units::new(UnitsOptions { memory: 2_000, seed: 5, turns: 2, ..Default::default() }))
            }),
        ),
        (
            "evolution",
            Box::new(|| Box::new(Evolve::new(Zero, EvolveOptions { seed: 5, ..EvolveOptions::default() }))),
        ),
        (
            "evolution, two plans of one turn",
            Box::new(|| {
                let options =
                    EvolveOptions { population: 0, horizon: 0, elite: 9, theirs: 0, ..Default::default() };
                Box::new(Evolve::new(Zero, EvolveOptions { seed: 5, ..options }))
            }),
        ),
        (
            "units, anew each turn",
            Box::new(|| {
                Box::new(Units::new(UnitsOptions {
                    memory: 1 << 20,
                    seed: 5,
                    keep_tree: false,
                    ..Default::default()
                }))
            }),
        ),
        ("random", Box::new(|| Box::new(JointRandom::new(5)))),
        ("greedy", Box::new(|| Box::new(JointGreedy::new(zero::<G>, 5)))),
        (
            "units in 1 byte",
            Box::new(|| Box::new(Units::new(UnitsOptions { memory: 1, seed: 5, ..UnitsOptions::default() }))),
        ),
    ]
}

/// The same, and those for games in turns.
fn every_search_in_turns<G: InTurns + 'static>() -> Vec<(&'static str, Maker<G>)> {
    let expectimax = |cuts: Cuts| -> Maker<G> {
        Box::new(move || Box::new(Expectimax::new(zero::<G>, ExpectimaxOptions { cuts, depth: 12 })))
    };
    let mut all = every_search();
    all.extend([
        ("expectimax", expectimax(Cuts::Never)),
        ("star 1", expectimax(Cuts::Star1)),
        ("star 2", expectimax(Cuts::Star2)),
    ]);
    all
}

/// The digests of all answers, game by game.
const RECORDED: [u64; 6] = [
    3623336882812554427,
    13602550658680944368,
    9143822059661916040,
    2837094144538889155,
    933854507504389347,
    10272040371378951456,
];

/// Plays a game by a search against random others, with budgets of all sizes. Returns a digest of all answers.
fn played<G: Joint + Debug>(name: &str, start: &G, search: &mut dyn JointSearch<G>) -> u64 {
    let (mut game, mut rng, mut digest) = (start.clone(), Rng::new(9), 0);
    let budgets = [0, 1, 2, 7, 30, 300];
    for budget in budgets.into_iter().cycle().take(18) {
        game.let_happen(&mut rng);
        let report = search.search(&game, Player::FIRST, Budget::nodes(budget));
        let moves = listed(&game, Player::FIRST);
        assert!(report.nodes <= budget, "{name}: {report:?} of {budget} nodes in {game:?}");
        assert_eq!(report.best.is_some(), !moves.is_empty(), "{name}: {report:?} in {game:?}");
        assert!(report.best.is_none_or(|best| moves.contains(&best)), "{name}: {report:?} in {game:?}");
        assert_eq!(report.strategy.iter().map(|(m, _)| m).collect::<Vec<_>>(), moves, "{name}: {game:?}");
        let whole: f64 = report.strategy.iter().map(|(_, share)| share).sum();
        assert!(moves.is_empty() || whole == 1.0, "{name}: {report:?} in {game:?}");
        assert!(report.best.is_none_or(|best| report.strategy.probability(best) > 0.0), "{name}: {report:?}");
        assert!(report.value.abs() <= f64::from(G::MAX_POINTS) + 1e-6, "{name}: {report:?} in {game:?}");
        let place = report.best.and_then(|best| moves.iter().position(|&m| m == best)).unwrap_or(99);
        digest = mix(digest ^ report.nodes ^ (place as u64) << 32 ^ report.value.to_bits());
        let mut choices = Choices::NONE;
        for player in players::<G>() {
            let random = game.random_move(player, &mut rng);
            let m = if player == Player::FIRST { report.best } else { random };
            m.into_iter().for_each(|m| choices.set(player, m));
        }
        game = if game.is_over() { start.clone() } else { super::after(&game, &choices) };
    }
    digest
}

/// Returns a digest of all searches' answers.
fn is_sound<G: Joint + Debug + 'static>(start: &G, searches: Vec<(&'static str, Maker<G>)>) -> u64 {
    searches.into_iter().fold(0, |all, (name, make)| {
        let digest = played(name, start, &mut *make());
        assert_eq!(digest, played(name, start, &mut *make()), "{name} answers differently the second time");
        mix(all ^ digest)
    })
}

#[test]
fn every_search_keeps_budgets_and_repeats_its_answers() {
    let digests = [
        is_sound(&Throw::START, every_search()),
        is_sound(&Goofspiel::<4>::START, every_search()),
        is_sound(&Tron::<4>::START, every_search()),
        is_sound(&Squad::START, every_search()),
        is_sound(&Race::START, every_search_in_turns()),
        is_sound(&Pig::<12>::START, every_search_in_turns()),
    ];
    // The same in debug and release builds and on every machine. A change of a search on purpose changes them.
    assert_eq!(digests, RECORDED, "the answers of some search have changed");
    for seed in 0..6 {
        is_sound(&RandomJoint::<3, true>::new(seed, 8), every_search());
        is_sound(&RandomJoint::<2, true>::new(seed, 8), every_search());
        is_sound(&RandomJoint::<1, false>::new(seed, 8), every_search_in_turns());
    }
}

#[test]
fn trees_are_kept_from_turn_to_turn_and_can_be_looked_at() {
    let start = Goofspiel::<4>::first_prize(2);
    let both = Choices::NONE.with(Player::FIRST, 1).with(Player::SECOND, 2);
    let mut next = super::after(&start, &both);
    next.happen(4);
    let kept = |make: &dyn Fn() -> Box<dyn JointSearch<Goofspiel<4>>>| {
        let mut search = make();
        assert_eq!(search.search(&start, Player::FIRST, Budget::nodes(10_000)).kept, 0);
        let seen = search.seen(&next, Player::SECOND).expect("a state that was visited");
        let report = search.search(&next, Player::SECOND, Budget::nodes(0));
        if report.kept > 0 {
            assert_eq!((report.kept, report.value), (seen.visits, seen.value));
            assert_eq!(format!("{:?}", report.strategy), format!("{:?}", seen.strategy));
        }
        report.kept
    };
    assert!(
        kept(&|| Box::new(Regret::new(RegretOptions {
            memory: 1 << 20,
            seed: 1,
            ..RegretOptions::default()
        }))) > 50
    );
    assert!(
        kept(&|| Box::new(Decoupled::new(DecoupledOptions {
            memory: 1 << 20,
            seed: 1,
            ..DecoupledOptions::default()
        }))) > 50
    );
    let anew = RegretOptions { keep_tree: false, ..RegretOptions::default() };
    assert_eq!(
        kept(&|| Box::new(Regret::new(RegretOptions { memory: 1 << 20, seed: 1, ..anew.clone() }))),
        0
    );
}

/// A memory far too small, for many turns: stale states make room, and no block of the pool is lost.
#[test]
fn small_memories_are_used_again_and_again() {
    for bytes in [3_000, 10_000, 30_000] {
        let mut search = Regret::new(RegretOptions { memory: bytes, seed: 1, ..RegretOptions::default() });
        let mut fullest = 0;
        for round in 0..250 {
            let game = Goofspiel::<5>::first_prize(1 + round % 5);
            let report = search.search(&game, Player::FIRST, Budget::nodes(60));
            assert!(report.best.is_some());
            assert!(search.live_states() > 0, "{bytes} bytes, round {round}");
            fullest = fullest.max(search.live_states());
        }
        let mut anew = Regret::new(RegretOptions { memory: bytes, seed: 1, ..RegretOptions::default() });
        let _ = anew.search(&Goofspiel::<5>::first_prize(1), Player::FIRST, Budget::nodes(60));
        assert!(fullest >= anew.live_states(), "{fullest}");
        // Alone, the last game's states take all the room they need.
        for _ in 0..5 {
            let _ = search.search(&Goofspiel::<5>::first_prize(1), Player::FIRST, Budget::nodes(60));
        }
        assert!(
            2 * search.live_states() >= anew.live_states(),
            "{} of {}",
            search.live_states(),
            anew.live_states()
        );
    }
}

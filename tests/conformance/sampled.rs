//! Tests the search over a player's view of hidden information.

use std::collections::{BTreeMap, HashMap, HashSet};

use contest::laws::cases;
use coppice::search::{AlphaBeta, AlphaBetaOptions, Flat, FlatOptions, Sampled, SampledOptions};
use coppice::{Budget, Game, Hidden, List, Payoff, Player, Rng, Search};
use coppice_tests::games::{OpenLines, Unseen};

use super::{moves, positions};

const BOTH: [Player; 2] = [Player::FIRST, Player::SECOND];

fn alpha_beta() -> AlphaBeta<Unseen, OpenLines> {
    AlphaBeta::new(OpenLines, AlphaBetaOptions { memory: 1 << 14, ..AlphaBetaOptions::default() })
}

fn sampled(samples: usize, by_value: bool, seed: u64) -> Sampled<Unseen, AlphaBeta<Unseen, OpenLines>> {
    Sampled::new(alpha_beta(), SampledOptions { seed, samples, by_value, win: 100 })
}

#[test]
fn samples_match_the_view() {
    let mut rng = Rng::new(1);
    for start in positions(&Unseen::START, 0, 9, 300) {
        // Including the end of the game.
        let mut state = start;
        loop {
            for player in BOTH {
                let view = state.view(player);
                let sample = Unseen::sample(&view, player, &mut rng).expect("a state");
                assert_eq!(sample.view(player), view, "{sample:?} for {state:?}");
            }
            let Some(m) = state.random_move(&mut rng) else { break };
            state.play(m);
        }
    }
}

/// For each view, exactly the reachable states that match it are sampled, and they list the same moves for
/// the player.
#[test]
fn every_matching_state_is_sampled() {
    let mut seen = HashSet::from([Unseen::START]);
    let mut found = vec![Unseen::START];
    let mut next = 0;
    while next < found.len() {
        let state = found[next];
        next += 1;
        if state.marks() < 4 {
            let list = moves(&state);
            found.extend(list.iter().map(|&m| state.after(m)).filter(|&after| seen.insert(after)));
        }
    }
    let mut alike: HashMap<_, HashSet<Unseen>> = HashMap::new();
    for &state in &found {
        for player in BOTH {
            alike.entry((state.view(player), player)).or_default().insert(state);
        }
    }
    let mut rng = Rng::new(1);
    let mut sizes = BTreeMap::new();
    for state in found.iter().step_by(97) {
        for player in BOTH {
            let view = state.view(player);
            let states = &alike[&(view, player)];
            let draws = (0..150).map(|_| Unseen::sample(&view, player, &mut rng).expect("a state"));
            assert_eq!(draws.collect::<HashSet<_>>(), *states, "{view:?}");
            if player == state.to_move() {
                assert!(states.iter().all(|other| moves(other) == moves(state)));
            }
            *sizes.entry(states.len()).or_insert(0) += 1;
        }
    }
    assert!(sizes.len() > 3, "views of all kinds: {sizes:?}");
}

#[test]
fn a_complete_view_gives_the_inner_searchs_answer() {
    let mut rng = Rng::new(1);
    let mut open = 0;
    for state in positions(&Unseen::START, 0, 9, 300) {
        let view = state.view(state.to_move());
        let draws = (0..50).map(|_| Unseen::sample(&view, state.to_move(), &mut rng).expect("a state"));
        if draws.collect::<HashSet<_>>().len() > 1 {
            continue;
        }
        open += 1;
        let expected = alpha_beta().search(&state, Budget::nodes(3_000));
        for by_value in [true, false] {
            let report = sampled(20, by_value, 1).search(&state, Budget::nodes(3_000));
            assert_eq!(
                (report.best, report.score, report.nodes, report.depth, report.solved),
                (expected.best, expected.score, expected.nodes, expected.depth, expected.solved)
            );
        }
    }
    assert!(open > cases(20), "{open} positions in which all is seen");
}

/// The first search's points, out of 2 a game, over openings from both seats.
fn points(one: impl Fn(u64) -> Box<dyn Search<Unseen>>, two: impl Fn(u64) -> Box<dyn Search<Unseen>>) -> i32 {
    let mut points = 0;
    for game in 0..200 {
        let seat = (game % 2) as usize;
        let mut players = [one(game), two(game)];
        let mut rng = Rng::new(game / 2);
        let mut state = Unseen::START;
        state.play(rng.below(9) as u8);
        while !state.is_over() {
            let player = &mut players[state.to_move().index() ^ seat];
            let report = player.search(&state, Budget::nodes(4_000));
            state.play(report.best.expect("a move"));
        }
        points += 1 + state.payoff(Player::new(seat as u8)).sign();
    }
    points
}

/// Plays twenty samples against one, with the same inner search and budget. The difference is three standard
/// deviations of 200 games between equal players.
#[test]
fn many_samples_beat_one() {
    let points = points(|seed| Box::new(sampled(20, true, seed)), |seed| Box::new(sampled(1, true, seed)));
    assert!(points >= 225, "{points} of 400 points");
}

/// One player, four doors, the first three with unseen contents. One of these is open and worth 10; the
/// fourth is always open and worth 1.
#[derive(Debug, Clone, PartialEq)]
struct Doors {
    open: u8,
    taken: Option<u8>,
}

impl Game for Doors {
    type Move = u8;
    type Moves = List<u8, 2>;
    const PLAYERS: usize = 1;

    fn to_move(&self) -> Player {
        Player::FIRST
    }

    fn moves(&self, list: &mut List<u8, 2>) {
        if self.taken.is_none() {
            [self.open, 3].into_iter().for_each(|door| list.push(door));
        }
    }

    fn play(&mut self, door: u8) {
        self.taken = Some(door);
    }

    fn payoff(&self, _: Player) -> Payoff {
        Payoff(if self.taken == Some(3) { 1 } else { 10 })
    }

    fn hash(&self) -> u64 {
        coppice::rng::mix(u64::from(self.open) << 8 | u64::from(self.taken.unwrap_or(9)))
    }

    fn move_index(door: u8) -> u16 {
        u16::from(door)
    }
}

impl Hidden for Doors {
    type View = Option<u8>;

    fn view(&self, _: Player) -> Option<u8> {
        self.taken
    }

    fn sample(view: &Option<u8>, _: Player, rng: &mut Rng) -> Option<Doors> {
        let open = view.filter(|&door| door < 3).unwrap_or(rng.below(3) as u8);
        (*view <= Some(3)).then_some(Doors { open, taken: *view })
    }
}

/// A move that is legal in only some of the states isn't chosen, however good it is there.
#[test]
fn a_possibly_illegal_move_is_not_chosen() {
    for by_value in [true, false] {
        let options = SampledOptions { by_value, ..SampledOptions::default() };
        let mut search = Sampled::new(
            Flat::new(FlatOptions { seed: 1, ..FlatOptions::default() }),
            SampledOptions { seed: 1, ..options },
        );
        let report = search.search(&Doors { open: 1, taken: None }, Budget::nodes(1_000));
        assert_eq!(report.best, Some(3));
        assert!(
            search.search_view(&Some(4), Player::FIRST, Budget::nodes(10)).is_none(),
            "there is no door 4"
        );
    }
}

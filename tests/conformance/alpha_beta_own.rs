//! Tests alpha-beta for players with values of their own: max-n where a player gains what the other loses, and the cuts.

use std::time::{Duration, Instant};

use bots::mancala::eval::{OwnStore, StoreDifference};
use bots::mancala::Board as Kalah;
use bots::shared::alpha_beta_own::{AlphaBetaOwn, Numbers};
use coppice::search::max_n;
use coppice::{Budget, Evaluation, Game, List, Payoff, Player, Score, Search};
use coppice_tests::games::{Noise, OpenLines, Selfish};

use super::{moves, positions, random_trees, tic_tac_toe, NO_LIMIT};

fn to_depth<E, const N: usize>(evaluation: E, depth: u32) -> AlphaBetaOwn<E, N> {
    AlphaBetaOwn::new(evaluation, Numbers { depth, ..Numbers::default() }, 1)
}

/// The moves of all lines to a depth.
fn lines<G: Game>(game: &G, depth: u32) -> u64 {
    match depth {
        0 => 0,
        _ => moves(game).iter().map(|&m| 1 + lines(&game.after(m), depth - 1)).sum(),
    }
}

/// The search's value and move are those of max-n; returns the nodes it visited and those of all lines.
fn is_max_n<G: Game, E: Evaluation<G> + Copy>(game: &G, evaluation: E, depth: u32) -> (u64, u64) {
    let mover = game.to_move().index();
    let report = to_depth::<E, 2>(evaluation, depth).search(game, NO_LIMIT);
    let best = report.best.expect("a move");
    let values: [Score; 2] = max_n(game, &evaluation, depth);
    let below: [Score; 2] = max_n(&game.after(best), &evaluation, depth - 1);
    assert_eq!((report.score, report.depth), (values[mover], depth), "{depth} plies");
    assert_eq!(below[mover].add_mate_distance(1), values[mover], "{depth} plies, {best:?}");
    (report.nodes, lines(game, depth))
}

#[test]
fn without_own_values_it_is_max_n_and_saves_nodes() {
    let mut all = [(0, 0); 3];
    let mut count = |i: usize, (nodes, lines): (u64, u64)| {
        assert!(nodes <= lines);
        all[i] = (all[i].0 + nodes, all[i].1 + lines);
    };
    for depth in 1..=4 {
        random_trees::<2>().step_by(7).for_each(|game| count(0, is_max_n(&game, Noise, depth)));
        tic_tac_toe().step_by(29).for_each(|game| count(1, is_max_n(&game, OpenLines, depth)));
        // Here players move several times in a row.
        let games = positions(&Kalah::new(4, 3, false), 2, 9, 12);
        games.iter().for_each(|game| count(2, is_max_n(game, StoreDifference, depth)));
    }
    assert!(all.iter().all(|&(nodes, lines)| nodes < lines), "{all:?}");
}

/// A tree as drawn: who is to move, or each player's value at an end.
#[derive(Debug, PartialEq)]
enum Drawn {
    By(u8, &'static [Drawn]),
    End([i32; 3]),
}

use Drawn::{By, End};

#[derive(Debug, Clone, Copy, PartialEq)]
struct At<const N: usize>(&'static Drawn);

impl<const N: usize> Game for At<N> {
    type Move = u8;
    type Moves = List<u8, 3>;
    const PLAYERS: usize = N;

    fn to_move(&self) -> Player {
        Player::new(if let By(player, _) = self.0 { *player } else { 0 })
    }

    fn moves(&self, list: &mut List<u8, 3>) {
        if let By(_, children) = self.0 {
            (0..children.len() as u8).for_each(|m| list.push(m));
        }
    }

    fn play(&mut self, m: u8) {
        if let By(_, children) = self.0 {
            self.0 = &children[usize::from(m)];
        }
    }

    fn payoff(&self, _: Player) -> Payoff {
        Payoff(0)
    }

    fn hash(&self) -> u64 {
        0
    }

    fn move_index(m: u8) -> u16 {
        m.into()
    }
}

#[derive(Clone, Copy)]
struct AsDrawn;

impl<const N: usize> Evaluation<At<N>> for AsDrawn {
    fn evaluate(&self, game: &At<N>) -> Score {
        self.evaluate_for(game, game.to_move())
    }

    fn evaluate_for(&self, game: &At<N>, player: Player) -> Score {
        let End(values) = game.0 else { panic!("only ends have values") };
        Score::estimate(values[player.index()])
    }

    fn ended_for(&self, game: &At<N>, player: Player) -> Score {
        self.evaluate_for(game, player)
    }
}

/// The move, its value to the mover, and the nodes.
fn answer<const N: usize>(tree: &'static Drawn) -> (Option<u8>, i32, u64) {
    let report = to_depth::<_, N>(AsDrawn, 9).search(&At::<N>(tree), NO_LIMIT);
    (report.best, report.score.value(), report.nodes)
}

/// The first move is worth 5 to the first player; what the second is worth is seen after two nodes, or after three.
#[test]
fn a_move_is_cut_off_as_soon_as_it_is_worth_less_to_the_player_before() {
    const FIVE: [Drawn; 2] = [End([5, 5, 0]), End([6, 4, 0])];
    const CUT: [Drawn; 2] = [By(1, &FIVE), By(1, &[End([4, 6, 0]), End([9, 9, 0])])];
    assert_eq!(answer::<2>(&By(0, &CUT)), (Some(0), 5, 5), "9 to both isn't seen");
    const EQUAL: [Drawn; 2] = [By(1, &FIVE), By(1, &[End([5, 6, 0]), End([9, 9, 0])])];
    assert_eq!(answer::<2>(&By(0, &EQUAL)), (Some(1), 9, 6), "as much isn't less");
    const WORSE: [Drawn; 2] = [By(1, &FIVE), By(1, &[End([7, 6, 0]), End([4, 5, 0]), End([4, 7, 0])])];
    assert_eq!(answer::<2>(&By(0, &WORSE)), (Some(0), 5, 7), "4 counts once the second player prefers it");
    const AGAIN: [Drawn; 2] = [By(1, &FIVE), By(0, &[End([4, 6, 0]), End([9, 9, 0])])];
    assert_eq!(answer::<2>(&By(0, &AGAIN)), (Some(1), 9, 6), "the same player moves twice");
}

#[test]
fn three_players_cut_by_the_player_before_alone() {
    const FIVE: [Drawn; 2] = [End([5, 5, 5]), End([6, 4, 6])];
    const BY_THIRD: [Drawn; 2] = [By(1, &FIVE), By(2, &[End([4, 6, 6]), End([9, 9, 9])])];
    assert_eq!(answer::<3>(&By(0, &BY_THIRD)), (Some(0), 5, 5));
    // Less than 5 to the first player, who doesn't choose between the second's moves, of which this is the first.
    const TWO_BEFORE: [Drawn; 2] =
        [By(1, &FIVE), By(1, &[By(2, &[End([4, 6, 6]), End([9, 9, 9])]), End([8, 8, 8])])];
    assert_eq!(answer::<3>(&By(0, &TWO_BEFORE)), (Some(1), 9, 8));
}

/// An order drawn from a seed changes the nodes, and where players gain what the others lose not the value.
#[test]
fn shuffled_moves_have_the_same_value() {
    let board = Kalah::new(6, 4, false);
    let shuffled = |seed| {
        let numbers = Numbers { depth: 5, shuffled: 1 };
        AlphaBetaOwn::<_, 2>::new(StoreDifference, numbers, seed).search(&board, NO_LIMIT)
    };
    let listed = to_depth::<_, 2>(StoreDifference, 5).search(&board, NO_LIMIT);
    assert!([1, 2].iter().all(|&seed| shuffled(seed).score == listed.score));
    assert_ne!(shuffled(1).nodes, shuffled(2).nodes);
    assert_eq!(shuffled(1).nodes, shuffled(1).nodes);
}

#[test]
fn the_budget_ends_it() {
    for (game, nodes) in random_trees::<3>().step_by(13).zip((0..40).cycle()) {
        let whole = to_depth::<_, 3>(Selfish, 9).search(&game, NO_LIMIT);
        let part = to_depth::<_, 3>(Selfish, 9).search(&game, Budget::nodes(nodes));
        assert_eq!(part.nodes, whole.nodes.min(nodes), "{game:?}");
        assert_eq!(part.depth, if nodes < whole.nodes { 0 } else { 9 }, "{game:?}");
        assert!(part.best.is_some_and(|best| moves(&game).contains(&best)), "{game:?}");
    }
    // To the end of the game this would take years.
    let board = Kalah::new(6, 4, false);
    let mut search = to_depth::<_, 2>(OwnStore, 64);
    let report = search.search(&board, Budget::until(Instant::now() + Duration::from_millis(20)));
    assert!(report.best == Some(0) && report.depth == 0, "{report:?}");
    let report = search.search(&board, Budget::until(Instant::now()));
    assert_eq!((report.best, report.nodes), (Some(0), 0));
}

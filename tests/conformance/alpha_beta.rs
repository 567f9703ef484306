//! Tests alpha-beta with each of its parts on and off.

use std::fmt::Debug;

use bots::mnk::{self, Heuristic};
use bots::reversi::eval::{Material, Positional};
use bots::reversi::Board;
use coppice::rng::mix;
use coppice::search::{negamax, AlphaBeta, AlphaBetaOptions, EachMove, Shuffled};
use coppice::{Budget, Evaluation, Game, List, Payoff, Player, Reversible, Score, Search};
use coppice_tests::games::{Noise, OpenLines, TicTacToe};

use super::{assert_best, moves, positions, reversi_ends, tic_tac_toe, trees, NO_LIMIT};

type Switch = fn(&mut AlphaBetaOptions);

/// The parts, each with a switch that toggles it.
const PARTS: [(&str, Switch); 10] = [
    ("deepening", |o| o.deepening ^= true),
    ("table", |o| o.table ^= true),
    ("equal depth", |o| o.equal_depth ^= true),
    ("table move", |o| o.table_move ^= true),
    ("killers", |o| o.killers ^= true),
    ("history", |o| o.history ^= true),
    ("sorting", |o| o.sorting ^= true),
    ("principal variation", |o| o.principal_variation ^= true),
    ("aspiration", |o| o.aspiration ^= 3),
    ("internal deepening", |o| o.internal_depth = 2),
];

/// The settings to test: the defaults, all parts at every depth, no parts, and the last two with each part
/// toggled.
fn alpha_beta_options() -> Vec<AlphaBetaOptions> {
    let mut found = vec![AlphaBetaOptions::default()];
    for base in [
        AlphaBetaOptions { table_depth: 1, order_depth: 1, ..AlphaBetaOptions::default() },
        AlphaBetaOptions::plain(AlphaBetaOptions::default().max_depth),
    ] {
        found.push(base.clone());
        for (_, switch) in PARTS {
            let mut options = base.clone();
            switch(&mut options);
            found.push(options);
        }
    }
    found
}

fn alpha_beta_is_negamax<G: Game + Debug, E: Evaluation<G> + Clone>(
    games: impl Iterator<Item = G>,
    evaluation: E,
    depths: &[u32],
) {
    let mut searches: Vec<_> = alpha_beta_options()
        .into_iter()
        .map(|options| {
            (
                AlphaBeta::new(evaluation.clone(), AlphaBetaOptions { memory: 1 << 16, ..options.clone() }),
                options,
            )
        })
        .collect();
    for game in games {
        for (search, options) in &mut searches {
            // Search to the end, with the table filled by earlier positions.
            let report = search.search(&game, NO_LIMIT);
            assert!(report.solved);
            assert_best(&game, &evaluation, 99, &report);
            for &max_depth in depths {
                let options = AlphaBetaOptions { max_depth, ..options.clone() };
                let report =
                    AlphaBeta::new(evaluation.clone(), AlphaBetaOptions { memory: 1 << 16, ..options })
                        .search(&game, NO_LIMIT);
                assert_best(&game, &evaluation, max_depth, &report);
            }
        }
    }
}

#[test]
fn alpha_beta_is_negamax_on_random_trees() {
    alpha_beta_is_negamax(trees(), Noise, &[1, 2, 4, 7]);
}

#[test]
fn alpha_beta_is_negamax_on_tic_tac_toe() {
    let games = tic_tac_toe().filter(|game| moves(game).len() < 8);
    alpha_beta_is_negamax(games.step_by(11), OpenLines, &[]);
    let deep = AlphaBeta::new(OpenLines, AlphaBetaOptions { memory: 1 << 16, ..AlphaBetaOptions::default() })
        .search(&TicTacToe::START, NO_LIMIT);
    assert_eq!((deep.score.value(), deep.solved), (0, true), "tic-tac-toe is a draw");
}

#[test]
fn alpha_beta_is_negamax_on_reversi() {
    alpha_beta_is_negamax(reversi_ends().into_iter().take(15), Material, &[]);
    for board in positions(&Board::START, 4, 40, 20) {
        for options in alpha_beta_options() {
            let options = AlphaBetaOptions { max_depth: 4, ..options };
            let report = AlphaBeta::new(Positional::new(), AlphaBetaOptions { memory: 1 << 16, ..options })
                .search(&board, NO_LIMIT);
            assert_best(&board, &Positional::new(), 4, &report);
        }
    }
}

/// An evaluation that claims to predict deep searches without an error.
#[derive(Clone)]
struct Bold<E>(E);

impl<G: Game, E: Evaluation<G>> Evaluation<G> for Bold<E> {
    fn evaluate(&self, game: &G) -> Score {
        self.0.evaluate(game)
    }

    fn ended(&self, game: &G) -> Score {
        self.0.ended(game)
    }

    fn prediction(&self, _: &G, depth: u32) -> Option<(u32, i32)> {
        Some((depth - 2, 0))
    }
}

/// ProbCut changes values. What the search then calls solved is right nevertheless.
#[test]
fn what_is_solved_in_spite_of_prob_cut_is_right() {
    // At depth 2 an estimate alone cuts off, so that fewer nodes are searched.
    let nodes = [3, 2].map(|prob_cut_depth| {
        let usual = AlphaBetaOptions {
            table_depth: 1,
            order_depth: 1,
            prob_cut: 100,
            prob_cut_depth,
            ..AlphaBetaOptions::default()
        };
        let (mut solved, mut changed, mut nodes) = (0, 0, 0);
        for game in trees() {
            let report = AlphaBeta::new(Bold(Noise), AlphaBetaOptions { memory: 1 << 16, ..usual.clone() })
                .search(&game, NO_LIMIT);
            if report.solved {
                solved += 1;
                let value = negamax(&game, &Noise, 99).value();
                assert_eq!(report.score.value().signum(), value.signum(), "{game:?}");
            }
            let options = AlphaBetaOptions { max_depth: 4, ..usual.clone() };
            let report = AlphaBeta::new(Bold(Noise), AlphaBetaOptions { memory: 1 << 16, ..options })
                .search(&game, NO_LIMIT);
            changed += u32::from(report.score != negamax(&game, &Noise, 4));
            nodes += report.nodes;
        }
        assert!(solved > 0 && changed > 0, "{solved} solved, {changed} changed");
        nodes
    });
    assert!(nodes[1] < nodes[0], "{nodes:?} nodes with cuts from depth 3 and 2");
}

/// Alpha-beta by definition: no memory, moves in the given order. Returns the value and the number of moves
/// made.
fn plain<G: Game, E: Evaluation<G>>(
    game: &G,
    evaluation: &E,
    (depth, ply): (u32, u32),
    (mut alpha, beta): (Score, Score),
    nodes: &mut u64,
) -> (Option<G::Move>, Score) {
    let mut list = moves(game);
    if list.is_empty() {
        return (None, evaluation.ended(game).add_mate_distance(ply));
    }
    if depth == 0 {
        return (None, evaluation.evaluate(game));
    }
    list.sort_by_key(|&m| -evaluation.rank(game, m));
    let (mut best, mut value) = (None, -Score::INFINITY);
    for m in list {
        *nodes += 1;
        let next = game.after(m);
        let same = next.to_move() == game.to_move();
        let window = if same { (alpha, beta) } else { (-beta, -alpha) };
        let child = plain(&next, evaluation, (depth - 1, ply + 1), window, nodes).1.for_parent(same);
        if child > value {
            (best, value) = (Some(m), child);
        }
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    (best, value)
}

/// Without its parts the search follows the definition: the same move, value and number of nodes.
#[test]
fn plain_alpha_beta_is_the_definition() {
    fn check<G: Game + Debug, E: Evaluation<G> + Clone>(game: &G, evaluation: E, depth: u32, sorting: bool) {
        let mut nodes = 0;
        let window = (-Score::INFINITY, Score::INFINITY);
        let (best, score) = plain(game, &evaluation, (depth, 0), window, &mut nodes);
        let options = AlphaBetaOptions { sorting, ..AlphaBetaOptions::plain(depth) };
        let report =
            AlphaBeta::new(evaluation, AlphaBetaOptions { memory: 0, ..options }).search(game, NO_LIMIT);
        assert_eq!((report.best, report.score, report.nodes), (best, score, nodes), "{game:?}");
    }
    for game in trees() {
        check(&game, Noise, 6, false);
    }
    for board in positions(&Board::START, 4, 40, 20) {
        check(&board, Material, 4, false);
    }
    for (seed, game) in tic_tac_toe().step_by(40).enumerate() {
        check(&game, Shuffled { evaluation: OpenLines, seed: seed as u64 }, 4, true);
    }
}

/// The seed determines the order of moves; different seeds give different orders.
#[test]
fn the_seed_determines_the_move_order() {
    let order = |seed| {
        let evaluation = Shuffled { evaluation: OpenLines, seed };
        let mut list = moves(&TicTacToe::START);
        list.sort_by_key(|&m| evaluation.rank(&TicTacToe::START, m));
        list
    };
    let orders: std::collections::HashSet<_> = (0..1000).map(order).collect();
    assert!(orders.len() > 990, "of 9! orders");
    assert_eq!(order(5), order(5));
    // The budget suffices for the first move only, which the seed determines.
    let first = |seed| {
        let options = AlphaBetaOptions { sorting: true, ..AlphaBetaOptions::plain(9) };
        let evaluation = Shuffled { evaluation: OpenLines, seed };
        AlphaBeta::new(evaluation, AlphaBetaOptions { memory: 0, ..options })
            .search(&TicTacToe::START, Budget::nodes(9))
            .best
    };
    let found: std::collections::HashSet<_> = (0..100).map(first).collect();
    assert_eq!(found.len(), 9);
}

/// Players take one to three stones at a time, so positions recur after different numbers of moves.
#[derive(Debug, Clone, PartialEq)]
struct Countdown {
    stones: u64,
    to_move: Player,
}

impl Game for Countdown {
    type Move = u8;
    type Moves = List<u8, 3>;

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn moves(&self, list: &mut List<u8, 3>) {
        (1..=self.stones.min(3)).for_each(|stones| list.push(stones as u8));
    }

    fn play(&mut self, stones: u8) {
        *self = Countdown { stones: self.stones - u64::from(stones), to_move: self.to_move.other() };
    }

    fn payoff(&self, player: Player) -> Payoff {
        Payoff(if player == self.to_move { -1 } else { 1 })
    }

    fn hash(&self) -> u64 {
        mix(self.stones << 1 | self.to_move.index() as u64)
    }

    fn move_index(stones: u8) -> u16 {
        u16::from(stones)
    }
}

#[derive(Clone)]
struct Mixed;

impl Evaluation<Countdown> for Mixed {
    fn evaluate(&self, game: &Countdown) -> Score {
        Score::estimate((game.hash() >> 40) as i32 % 100)
    }
}

/// When lines of different lengths transpose, a table returns deeper results unless it requires equal
/// remaining depth.
#[test]
fn a_table_of_equal_depths_changes_no_value() {
    let mut deeper = 0;
    for stones in 1..40 {
        let game = Countdown { stones, to_move: Player::FIRST };
        for max_depth in 1..10 {
            let value = negamax(&game, &Mixed, max_depth);
            for mut options in alpha_beta_options() {
                (options.max_depth, options.equal_depth) = (max_depth, true);
                let report = AlphaBeta::new(Mixed, AlphaBetaOptions { memory: 1 << 16, ..options.clone() })
                    .search(&game, NO_LIMIT);
                assert_eq!(report.score, value, "{game:?} to depth {max_depth} with {options:?}");
            }
            let options = AlphaBetaOptions { max_depth, table_depth: 1, ..AlphaBetaOptions::default() };
            let report = AlphaBeta::new(Mixed, AlphaBetaOptions { memory: 1 << 16, ..options })
                .search(&game, NO_LIMIT);
            deeper += u32::from(report.score != value);
        }
    }
    assert!(deeper > 0, "this game doesn't show the difference");
}

/// Deepening each root move separately finds the value of negamax.
#[test]
fn each_move_alone_is_negamax() {
    for game in trees() {
        let options = AlphaBetaOptions { max_depth: 3, ..AlphaBetaOptions::default() };
        let mut search = EachMove(AlphaBeta::new(Noise, AlphaBetaOptions { memory: 1 << 16, ..options }));
        let report = search.search(&game, NO_LIMIT);
        assert_best(&game, &Noise, 4, &report);
        search.0 = AlphaBeta::new(Noise, AlphaBetaOptions { memory: 1 << 16, ..AlphaBetaOptions::default() });
        let report = search.search(&game, NO_LIMIT);
        assert!(report.solved);
        assert_best(&game, &Noise, 99, &report);
    }
}

/// Searching in place, with moves taken back, visits the same nodes as searching copies.
#[test]
fn searching_in_place_gives_equal_results() {
    fn check<G: Reversible + Debug, E: Evaluation<G> + Clone>(games: impl Iterator<Item = G>, evaluation: E) {
        for game in games {
            for options in alpha_beta_options() {
                let mut copies = AlphaBeta::new(
                    evaluation.clone(),
                    AlphaBetaOptions { memory: 1 << 16, ..options.clone() },
                );
                let mut in_place =
                    AlphaBeta::in_place(evaluation.clone(), AlphaBetaOptions { memory: 1 << 16, ..options });
                for nodes in [100, 2_000] {
                    let budget = Budget::nodes(nodes);
                    let (a, b) = (copies.search(&game, budget), in_place.search(&game, budget));
                    assert_eq!((a.best, a.score, a.nodes), (b.best, b.score, b.nodes), "{game:?}");
                    assert_eq!((a.depth, a.solved), (b.depth, b.solved), "{game:?}");
                }
            }
        }
    }
    check(trees().step_by(10), Noise);
    check(tic_tac_toe().step_by(200), OpenLines);
    check(positions(&mnk::Board::<25>::new(5, 5, 4), 1, 9, 4).into_iter(), Heuristic);
}

//! Tests the solver, which finds moves as solutions of an optimisation problem, against plain lists.

use std::collections::BTreeMap;
use std::fmt::Debug;

use bots::reversi::eval::Positional;
use bots::reversi::Board;
use contest::laws::cases;
use coppice::optimise::{best, enumerate, ranked, EveryMove, Model};
use coppice::rng::mix;
use coppice::{Evaluation, Game, List, Payoff, Player, Rng, Score};
use coppice_tests::games::{Centre, ConnectFour, Noise, OpenLines, RandomTree, TicTacToe};

use super::{moves, positions, tic_tac_toe, trees};

/// Every move with its value in the model, the best first.
fn by_hand<G: Game, M: Model<G>>(model: &M, game: &G) -> Vec<(Score, G::Move)> {
    let mut all: Vec<_> = moves(game).into_iter().map(|m| (model.objective(game, m), m)).collect();
    all.sort_by_key(|&(score, _)| -score);
    all
}

/// The solver finds exactly the legal moves, the best first, as many as requested.
fn solver_is_brute_force<G: Game + Debug, M: Model<G>>(games: impl Iterator<Item = G>, model: &M) {
    let mut rng = Rng::new(8);
    for game in games {
        let expected = by_hand(model, &game);
        let mut found = Vec::new();
        enumerate(model, &game, |m, score| {
            found.push((score, m));
            -Score::INFINITY
        });
        assert_eq!(found.len(), expected.len(), "{game:?}");
        assert!(found.iter().all(|solution| expected.contains(solution)), "{game:?}");
        let (m, score) = best(model, &game, &mut rng).expect("a move");
        assert_eq!(score, expected[0].0, "{game:?}");
        assert!(expected.contains(&(score, m)), "{game:?}");
        for count in [0, 1, 2, 5, usize::MAX] {
            let mut list = G::Moves::default();
            let mut values = ranked(model, &game, count, &mut rng, &mut list);
            assert_eq!(list.len(), count.min(expected.len()));
            for (i, &m) in list.iter().enumerate() {
                assert_eq!(values.as_mut()[i], expected[i].0.value(), "{game:?}");
                assert!(expected.contains(&(expected[i].0, m)), "{game:?}");
                assert!(!list[..i].contains(&m), "{m:?} twice");
            }
        }
    }
}

#[test]
fn the_solver_is_brute_force_in_every_game() {
    solver_is_brute_force(trees(), &EveryMove(Noise));
    solver_is_brute_force(tic_tac_toe(), &EveryMove(OpenLines));
    solver_is_brute_force(positions(&ConnectFour::START, 0, 30, 200).into_iter(), &EveryMove(Centre));
    solver_is_brute_force(positions(&Board::START, 0, 55, 200).into_iter(), &EveryMove(Positional::new()));
    solver_is_brute_force(tic_tac_toe(), &RowColumn);
    solver_is_brute_force((0..cases(300)).map(|seed| Shelf { seed, book: None }), &Books { prunes: true });
}

/// Tic-tac-toe in two variables: a row with room, then a free cell of it.
struct RowColumn;

impl Model<TicTacToe> for RowColumn {
    type Problem = u16;
    const VARIABLES: usize = 2;

    fn problem(&self, game: &TicTacToe) -> u16 {
        game.own() | game.other()
    }

    fn domain(&self, _: &TicTacToe, _: &u16, _: &[u16]) -> u16 {
        3
    }

    fn is_consistent(&self, _: &TicTacToe, used: &u16, values: &[u16]) -> bool {
        match *values {
            [row] => used >> (3 * row) & 7 != 7,
            [row, column] => used >> (3 * row + column) & 1 == 0,
            _ => unreachable!(),
        }
    }

    fn decode(&self, _: &TicTacToe, _: &u16, values: &[u16]) -> u8 {
        (3 * values[0] + values[1]) as u8
    }

    fn objective(&self, game: &TicTacToe, m: u8) -> Score {
        EveryMove(OpenLines).objective(game, m)
    }
}

/// A game of one move: choose three of eight books for a shelf with a weight limit. A legal move is three
/// different books in ascending order that are light enough.
#[derive(Debug, Clone, PartialEq)]
struct Shelf {
    seed: u64,
    book: Option<[u8; 3]>,
}

impl Shelf {
    fn weight(&self, book: u16) -> i32 {
        (mix(self.seed << 8 | u64::from(book)) % 20) as i32
    }

    fn price(&self, book: u16) -> i32 {
        (mix(self.seed << 8 | 128 | u64::from(book)) % 10) as i32
    }
}

impl Game for Shelf {
    type Move = [u8; 3];
    type Moves = List<[u8; 3], 56>;
    const PLAYERS: usize = 1;

    fn to_move(&self) -> Player {
        Player::FIRST
    }

    fn moves(&self, list: &mut Self::Moves) {
        let all = (0..512u16).map(|i| [i >> 6, i >> 3 & 7, i & 7]);
        for [a, b, c] in all.filter(|_| self.book.is_none()) {
            if a < b && b < c && self.weight(a) + self.weight(b) + self.weight(c) <= 40 {
                list.push([a as u8, b as u8, c as u8]);
            }
        }
    }

    fn play(&mut self, m: [u8; 3]) {
        self.book = Some(m);
    }

    fn payoff(&self, _: Player) -> Payoff {
        Payoff(self.book.into_iter().flatten().map(|book| self.price(book.into())).sum())
    }

    fn hash(&self) -> u64 {
        mix(self.seed)
    }

    fn move_index(m: [u8; 3]) -> u16 {
        m.iter().fold(0, |code, &book| code << 3 | u16::from(book))
    }
}

/// Three variables, one for each book; with or without a bound on the value of the missing books.
struct Books {
    prunes: bool,
}

impl Model<Shelf> for Books {
    type Problem = ();
    const VARIABLES: usize = 3;

    fn problem(&self, _: &Shelf) {}

    fn domain(&self, _: &Shelf, _: &(), _: &[u16]) -> u16 {
        8
    }

    fn is_consistent(&self, shelf: &Shelf, _: &(), values: &[u16]) -> bool {
        values.windows(2).all(|pair| pair[0] < pair[1])
            && values.iter().map(|&book| shelf.weight(book)).sum::<i32>() <= 40
    }

    fn decode(&self, _: &Shelf, _: &(), values: &[u16]) -> [u8; 3] {
        [values[0] as u8, values[1] as u8, values[2] as u8]
    }

    fn objective(&self, shelf: &Shelf, m: [u8; 3]) -> Score {
        Score::estimate(shelf.after(m).payoff(Player::FIRST).0)
    }

    fn bound(&self, shelf: &Shelf, _: &(), values: &[u16]) -> Score {
        if !self.prunes {
            return Score::INFINITY;
        }
        let dearest = (0..8).map(|book| shelf.price(book)).max().unwrap_or(0);
        let known: i32 = values.iter().map(|&book| shelf.price(book)).sum();
        Score::estimate(known + dearest * (3 - values.len() as i32))
    }
}

/// Constraints and the bound save assignments without changing results.
#[test]
fn a_bound_prunes_and_changes_nothing() {
    let (mut with, mut without) = (0, 0);
    for seed in 0..cases(200) {
        let shelf = Shelf { seed, book: None };
        let mut best = [-Score::INFINITY; 2];
        for (i, looked_at) in [&mut without, &mut with].into_iter().enumerate() {
            *looked_at += enumerate(&Books { prunes: i == 1 }, &shelf, |_, score| {
                best[i] = best[i].max(score);
                best[i]
            });
        }
        assert_eq!(best[0], best[1]);
        assert_eq!(best[0], by_hand(&Books { prunes: false }, &shelf)[0].0);
    }
    // There are 8 + 64 + 512 assignments of three variables.
    assert!(without * 10 < 200 * 584 * 6 && with * 2 < without, "{with} with a bound, {without} without");
}

/// Tied moves are drawn equally often, including the first and the last one kept.
#[test]
fn ties_are_broken_uniformly() {
    #[derive(Clone)]
    struct Even;
    impl<G: Game> Evaluation<G> for Even {
        fn evaluate(&self, _: &G) -> Score {
            Score::DRAW
        }
    }
    let model = EveryMove(Even);
    let mut rng = Rng::new(1);
    let mut counts = [BTreeMap::new(), BTreeMap::new(), BTreeMap::new()];
    for _ in 0..9_000 {
        let (m, _) = best(&model, &TicTacToe::START, &mut rng).expect("a move");
        let mut list = List::default();
        ranked(&model, &TicTacToe::START, 4, &mut rng, &mut list);
        for (count, m) in counts.iter_mut().zip([m, list[0], list[3]]) {
            *count.entry(m).or_insert(0) += 1;
        }
    }
    for count in counts {
        // 1,000 each; the standard deviation is 30.
        assert!(count.len() == 9 && count.values().all(|n| (850..1150).contains(n)), "{count:?}");
    }
}

/// An immediate win ranks first, regardless of the evaluation.
#[test]
fn a_win_comes_first() {
    let mut rng = Rng::new(1);
    let mut seen = 0;
    for game in tic_tac_toe() {
        let wins = |m: u8| game.after(m).is_over() && game.after(m).payoff(game.to_move()).sign() > 0;
        if moves(&game).into_iter().any(wins) {
            let mut list = List::default();
            ranked(&EveryMove(OpenLines), &game, 1, &mut rng, &mut list);
            assert!(wins(list[0]), "{game:?}");
            seen += 1;
        }
    }
    assert!(seen > 100);
    // Without transpositions the model's value is the oracle's to depth 1.
    for game in trees().take(50) {
        let (_, score) = best(&EveryMove(Noise), &game, &mut rng).expect("a move");
        assert_eq!(score, coppice::search::negamax::<RandomTree, _>(&game, &Noise, 1));
    }
}

//! Tests the rules of Kalah.

use bots::mancala::eval::Holes;
use bots::mancala::tools::solver::Solver;
use bots::mancala::Board;
use contest::laws::cases;
use coppice::search::{AlphaBeta, AlphaBetaOptions};
use coppice::{Budget, Evaluation, Game, Player, Rng, Score, Search};

/// A slow implementation of the rules on a plain array, one counter at a time.
#[derive(Clone)]
struct Slow {
    holes: usize,
    empty_capture: bool,
    /// The first player's holes and store, then the second's.
    places: Vec<u32>,
    to_move: usize,
}

impl Slow {
    fn play(&mut self, hole: usize) {
        let side = self.holes + 1;
        let (own, other) = (self.to_move * side, (1 - self.to_move) * side);
        let (store, other_store) = (own + self.holes, other + self.holes);
        let mut place = own + hole;
        for _ in 0..std::mem::take(&mut self.places[place]) {
            place = (place + 1) % (2 * side);
            if place == other_store {
                place = own;
            }
            self.places[place] += 1;
        }
        if (own..store).contains(&place) && self.places[place] == 1 {
            let opposite = other + self.holes - 1 - (place - own);
            if self.places[opposite] > 0 || self.empty_capture {
                self.places[store] += 1 + std::mem::take(&mut self.places[opposite]);
                self.places[place] = 0;
            }
        }
        let is_empty = |from: usize| self.places[from..from + self.holes].iter().all(|&n| n == 0);
        if is_empty(own) || is_empty(other) {
            for from in [own, other] {
                for hole in from..from + self.holes {
                    self.places[from + self.holes] += std::mem::take(&mut self.places[hole]);
                }
            }
        }
        if place != store {
            self.to_move = 1 - self.to_move;
        }
    }
}

fn shown(board: &Board) -> Vec<u32> {
    let side = |player| {
        let holes = (0..board.holes()).map(move |hole| board.counters(player, hole));
        holes.chain([board.store(player)])
    };
    side(Player::FIRST).chain(side(Player::SECOND)).collect()
}

#[test]
fn games_match_the_reference_rules() {
    let mut rng = Rng::new(5);
    for game in 0..cases(3_000) {
        let (holes, empty_capture) = (1 + game % 6, rng.below(2) == 1);
        let counters = 1 + rng.below(64 / holes);
        let mut board = Board::new(holes, counters, empty_capture);
        let mut slow = Slow { holes: holes as usize, empty_capture, places: shown(&board), to_move: 0 };
        while let Some(hole) = board.random_move(&mut rng) {
            board.play(hole);
            slow.play(usize::from(hole));
            assert_eq!(shown(&board), slow.places, "{board:?}");
            assert!(board.is_over() || board.to_move().index() == slow.to_move, "{board:?}");
        }
        assert!((0..holes).all(|hole| board.counters(Player::FIRST, hole) == 0));
        let difference = slow.places[holes as usize] as i32 - slow.places[2 * holes as usize + 1] as i32;
        assert_eq!(board.payoff(Player::FIRST).0, difference);
    }
}

/// Evaluates finished games by their margin, and everything else as a draw.
struct Margin;

impl Evaluation<Board> for Margin {
    fn evaluate(&self, _: &Board) -> Score {
        Score::DRAW
    }

    fn ended(&self, board: &Board) -> Score {
        Score::estimate(board.payoff(board.to_move()).0)
    }
}

/// The first player's margin under best play, without and with empty captures: a line for each number of
/// holes a side, a column for each number of counters a hole.
const MARGINS: [&[(i32, i32)]; 6] = [
    &[(0, 0), (-2, -2), (6, 6), (-2, -2), (2, 2), (0, 0)],
    &[(2, 2), (-2, -2), (-2, -2), (-10, -12), (6, 6), (8, 8)],
    &[(0, 0), (4, 4), (2, 2), (2, 2), (6, 6), (-8, -10)],
    &[(2, 2), (6, 6), (6, 8), (2, 2), (4, 2), (0, 0)],
    &[(0, 0), (2, 0), (6, 8), (10, 12)],
    &[(2, 2), (6, 10), (2, 2)],
];

/// Checks these margins with the solver.
fn assert_solved(holes: u32, counters: u32, (without, with): (i32, i32)) {
    let mut solver = Solver::new(64 << 20);
    for (empty_capture, margin) in [(false, without), (true, with)] {
        let board = Board::new(holes, counters, empty_capture);
        let report = solver.search(&board, Budget::nodes(u64::MAX));
        assert_eq!((report.score.value(), report.solved), (margin, true), "{board:?}");
    }
}

#[test]
fn the_solver_finds_exact_margins() {
    for (holes, margins) in (1..=4).zip(MARGINS) {
        (1..=4).zip(margins).for_each(|(counters, &margins)| assert_solved(holes, counters, margins));
    }
}

#[test]
#[ignore = "deep"]
fn the_solver_finds_larger_boards_margins() {
    assert_solved(3, 6, MARGINS[2][5]);
    assert_solved(4, 5, MARGINS[3][4]);
    assert_solved(4, 6, MARGINS[3][5]);
    for holes in [5, 6] {
        let margins = MARGINS[holes as usize - 1];
        (1..).zip(margins).for_each(|(counters, &margins)| assert_solved(holes, counters, margins));
    }
}

fn assert_margins(holes: u32, counters: std::ops::RangeInclusive<u32>) {
    for counters in counters {
        let (without, with) = MARGINS[holes as usize - 1][counters as usize - 1];
        for (empty_capture, margin) in [(false, without), (true, with)] {
            let board = Board::new(holes, counters, empty_capture);
            let mut search =
                AlphaBeta::new(Margin, AlphaBetaOptions { memory: 16 << 20, ..AlphaBetaOptions::default() });
            let report = search.search(&board, Budget::nodes(u64::MAX));
            assert_eq!((report.score.value(), report.solved), (margin, true), "{board:?}");
        }
    }
}

#[test]
fn small_boards_have_their_exact_margins() {
    assert_margins(1, 1..=6);
    assert_margins(2, 1..=6);
    assert_margins(3, 1..=3);
    assert_margins(4, 1..=2);
    assert_margins(5, 1..=2);
    assert_margins(6, 1..=1);
}

#[test]
#[ignore = "deep"]
fn larger_boards_have_their_exact_margins() {
    assert_margins(3, 4..=6);
    assert_margins(4, 3..=4);
}

/// By the worths of holes a decided game exceeds any other, and an undecided one stays within the number of
/// counters.
#[test]
fn a_decided_game_is_worth_more_than_any_other() {
    let mut rng = Rng::new(6);
    let mut decided = 0;
    for game in 0..200 {
        let mut board = Board::new(6, 4, game % 2 == 0);
        while let Some(hole) = board.random_move(&mut rng) {
            let own = board.store(board.to_move());
            let value = Holes.evaluate(&board).value();
            assert_eq!(value > 50_000, own > 24, "{board:?}");
            assert_eq!(value < -50_000, board.store(board.to_move().other()) > 24, "{board:?}");
            assert!(value.abs() > 50_000 || value.abs() < 48 * 32 * 2, "{value} {board:?}");
            decided += u32::from(value.abs() > 50_000);
            board.play(hole);
        }
    }
    assert!(decided > 100, "{decided}");
}

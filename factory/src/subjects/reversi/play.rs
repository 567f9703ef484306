//! Othello games of the bot against itself, with labels.

use bots::reversi::{Board, Cell};
use coppice::search::{AlphaBeta, AlphaBetaOptions};
use coppice::{Budget, Evaluation, Game, Payoff, Rng, Score, Search};

use super::position::Discs;
use super::solver::Solver;
use crate::sample::Sample;

/// Nodes that a move is searched with.
pub const NODES: u64 = 3_000;
/// With this many empty cells or fewer, positions are solved.
pub const SOLVE: u32 = 14;
/// With fewer empty cells than this, positions aren't stored: the bot has solved them long before.
pub const STORE_FROM: u32 = 5;
/// One game in this many begins with random moves only; the others begin with the player's, some of them random.
const RANDOM_OPENINGS: u32 = 2;
/// Plies of an opening in which one move in four is random.
const NATURAL_PLIES: u32 = 14;
/// After one move in this many, another move, drawn at random, is tried and what follows it is labelled as well.
const ASIDE: u32 = 2;

/// The search that plays: it plays for discs, so that a final margin and an estimate are of one kind.
pub struct SelfPlay<E> {
    search: AlphaBeta<Board, ForDiscs<E>>,
    solver: Solver,
}

/// An evaluation whose estimates are in hundredths of a disc, and for which a finished game is worth its margin.
pub struct ForDiscs<E>(pub E);

impl<E: Evaluation<Board>> Evaluation<Board> for ForDiscs<E> {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> Score {
        self.0.evaluate(board)
    }

    #[inline(always)]
    fn ended(&self, board: &Board) -> Score {
        Score::estimate(100 * board.disc_difference())
    }

    #[inline(always)]
    fn rank(&self, board: &Board, cell: Cell) -> i32 {
        self.0.rank(board, cell)
    }
}

/// The value of a position in discs, with its best move and whether that is certain.
struct Value {
    discs: f32,
    exact: bool,
    best: Option<Cell>,
}

impl<E: Evaluation<Board>> SelfPlay<E> {
    /// A player with an empty table.
    pub fn new(evaluation: E) -> SelfPlay<E> {
        let options = AlphaBetaOptions { memory: 2 << 20, ..AlphaBetaOptions::default() };
        let search = AlphaBeta::new(ForDiscs(evaluation), options);
        SelfPlay { search, solver: Solver::new() }
    }

    /// Plays one game.
    pub fn game(&mut self, rng: &mut Rng, samples: &mut Vec<Sample<Discs>>) {
        self.search.clear();
        let mut board = self.opening(rng);
        let first = samples.len();
        // Who was to move in each sample that the game went through; `None` for the others.
        let mut movers = Vec::new();
        let mut result = None;
        while !board.is_over() && board.empty().count_ones() >= STORE_FROM {
            if board.mobility() == 0 {
                board.play(Cell::PASS);
                continue;
            }
            let value = self.value(&board);
            if value.exact && result.is_none() {
                result = Some((board.to_move(), value.discs));
            }
            samples.push(sample(&board, &value));
            movers.push(Some(board.to_move()));
            if rng.below(ASIDE) == 0 {
                self.aside(&board, rng, samples);
                movers.resize(samples.len() - first, None);
            }
            let Some(cell) = value.best else { break };
            board.play(cell);
        }
        // A game that ends before it is solved: a player has lost all discs, or nobody can move.
        let Payoff(margin) = board.payoff(board.to_move());
        let (winner, discs) = result.unwrap_or((board.to_move(), margin as f32));
        for (sample, mover) in samples[first..].iter_mut().zip(movers) {
            sample.result = mover.map(|mover| if mover == winner { discs } else { -discs });
        }
    }

    /// The board after a random opening.
    fn opening(&mut self, rng: &mut Rng) -> Board {
        let mut board = Board::START;
        let random = rng.below(RANDOM_OPENINGS) == 0;
        let plies = if random { 6 + rng.below(26) } else { NATURAL_PLIES };
        for _ in 0..plies {
            let drawn = random || rng.below(4) == 0;
            let cell = if drawn { board.random_move(rng) } else { self.value(&board).best };
            let Some(cell) = cell else { break };
            board.play(cell);
        }
        board
    }

    /// Labels what follows a random move.
    fn aside(&mut self, board: &Board, rng: &mut Rng, samples: &mut Vec<Sample<Discs>>) {
        let Some(cell) = board.random_move(rng) else { return };
        let next = board.after(cell);
        if next.mobility() != 0 && next.empty().count_ones() >= STORE_FROM {
            let value = self.value(&next);
            samples.push(sample(&next, &value));
        }
    }

    /// Searches or solves a position in which the player to move has a move, or passes.
    fn value(&mut self, board: &Board) -> Value {
        let report = self.search.search(board, Budget::nodes(NODES));
        let discs = report.score.value() as f32 / 100.0;
        if report.solved || board.empty().count_ones() > SOLVE || board.mobility() == 0 {
            return Value { discs, exact: report.solved, best: report.best };
        }
        let (discs, best) = self.solve(board, discs as i32);
        Value { discs: discs as f32, exact: true, best: Some(best) }
    }

    fn solve(&mut self, board: &Board, guess: i32) -> (i32, Cell) {
        let margin = self.solver.solve(board.own(), board.opponent(), guess);
        let mut list = Default::default();
        board.moves(&mut list);
        let keeps = |cell: &Cell| {
            let next = board.after(*cell);
            self.solver.at_most(next.own(), next.opponent(), -margin)
        };
        let best = list.iter().copied().find(keeps).unwrap_or(Cell::PASS);
        (margin, best)
    }
}

fn sample(board: &Board, value: &Value) -> Sample<Discs> {
    let position = Discs { own: board.own(), opponent: board.opponent() };
    Sample { position, score: value.discs, result: None, exact: value.exact }
}

//! The submitted search: best-first minimax over the places where the other's units may be.

use std::time::Instant;

use arrayvec::ArrayVec;
use coppice::search::{BestFirst, BestFirstOptions};
use coppice::{Budget, Game, Hidden, Report, Score, Search};

use super::action::Action;
use super::belief::Guess;
use super::board::Board;
use super::eval::{Judge, Weights};
use super::player::Thinker;
use super::position::{guessed, Position, View};

/// Size of the bot's tree in bytes.
pub const BYTES: usize = 128 << 20;

/// The most places that are searched.
const MOST: usize = 8;

contest::tunables! {
    /// Tunable parameters.
    pub struct Numbers {
        /// The number of most probable places that are searched.
        places: u32 = 5 in 1..=8,
        /// Percent of a turn for each place's best action; the rest compares these actions over all places.
        first_percent: u32 = 60 in 10..=100,
        /// Exploration weight.
        exploration: f32 = 0.1 in 0.01..=1.0,
        /// The estimate that counts as three quarters of a win, in hundredths of a point.
        scale: f32 = 200.0 in 5.0..=2000.0,
    }
}

/// The submitted search, with trees of `bytes` bytes.
pub fn submitted(numbers: &Numbers, weights: &Weights, bytes: usize) -> Strategy<BestFirst<Board, Judge>> {
    let Numbers { exploration, scale, .. } = *numbers;
    let search = |bytes, keep_tree| {
        let options = BestFirstOptions { exploration, scale, keep_tree, ..BestFirstOptions::default() };
        BestFirst::new(Judge(*weights), bytes, options)
    };
    Strategy::new(search(bytes / 4 * 3, true), search(bytes / 4, false), numbers)
}

/// A search from the most probable places: each place's best action is then judged in all of them.
///
/// This is a decision between few actions by what each is worth on average, as [`Sampled`](coppice::search::Sampled) makes
/// it by value, for games with too many actions to judge all of them.
pub struct Strategy<S> {
    /// Searches the most probable place, and keeps its tree from turn to turn.
    main: S,
    /// Searches all others.
    side: S,
    numbers: Numbers,
}

impl<S: Search<Board>> Strategy<S> {
    /// A search of the most probable place by `main`, of the others by `side`.
    pub fn new(main: S, side: S, numbers: &Numbers) -> Strategy<S> {
        Strategy { main, side, numbers: *numbers }
    }

    /// Judges the candidates in each place with the rest of the budget.
    fn compare(
        &mut self,
        boards: &[(Board, f32)],
        candidates: &[Action],
        budget: Budget,
        report: &mut Report<Action>,
    ) {
        let pairs = boards.len() * candidates.len();
        let mut sums = [0.0; MOST];
        let mut done = 0;
        for (board, weight) in boards {
            for (action, sum) in candidates.iter().zip(&mut sums) {
                let left = budget.max_nodes().saturating_sub(report.nodes);
                let next = board.after(*action);
                let found = self.side.search(&next, part(budget, left, (pairs - done) as f32, 1.0));
                done += 1;
                report.nodes += 1 + found.nodes;
                let score = found.score.for_parent(next.to_move() == board.to_move());
                *sum += weight * points(score);
            }
        }
        let best = (0..candidates.len()).reduce(|best, at| if sums[at] > sums[best] { at } else { best });
        if let Some(best) = best {
            report.best = Some(candidates[best]);
            report.score = Score::estimate(sums[best] as i32);
        }
    }
}

/// A score in averages: a certain win or loss counts 20 points.
fn points(score: Score) -> f32 {
    score.value().clamp(-2000, 2000) as f32
}

/// `share` of `whole` parts of what is left of a budget.
fn part(budget: Budget, left: u64, whole: f32, share: f32) -> Budget {
    let fraction = f64::from((share / whole).min(1.0));
    match budget.deadline() {
        Some(deadline) => {
            let now = Instant::now();
            Budget::until(now + deadline.saturating_duration_since(now).mul_f64(fraction))
        }
        None => Budget::nodes((left as f64 * fraction) as u64),
    }
}

impl<S: Search<Board>> Thinker for Strategy<S> {
    fn think(&mut self, view: &View, budget: Budget) -> Report<Action> {
        let me = view.seen.to_move();
        let mut likely: ArrayVec<Guess, MOST> = ArrayVec::new();
        if view.seen.league.has_fog() {
            let places = self.numbers.places as usize;
            for guess in view.belief.guesses() {
                let at = likely.iter().position(|other| guess.weight > other.weight).unwrap_or(likely.len());
                if at < places {
                    if likely.len() == places {
                        likely.pop();
                    }
                    likely.insert(at, *guess);
                }
            }
        }
        let total: f32 = likely.iter().map(|guess| guess.weight).sum();
        let boards: ArrayVec<(Board, f32), MOST> =
            likely.iter().map(|guess| (guessed(&view.seen, me, guess), guess.weight / total)).collect();
        if boards.len() < 2 {
            let board = boards.first().map_or(view.seen, |(board, _)| *board);
            return self.main.search(&board, budget);
        }
        let mut report: Option<Report<Action>> = None;
        let mut candidates: ArrayVec<Action, MOST> = ArrayVec::new();
        let mut nodes = 0;
        let first = self.numbers.first_percent as f32 / 100.0;
        let mut rest = 1.0;
        for (board, weight) in &boards {
            let left = budget.max_nodes().saturating_sub(nodes);
            let search = if report.is_none() { &mut self.main } else { &mut self.side };
            let found = search.search(board, part(budget, left, rest, first * weight));
            rest -= first * weight;
            nodes += found.nodes;
            if let Some(best) = found.best.filter(|best| !candidates.contains(best)) {
                candidates.push(best);
            }
            report.get_or_insert(found);
        }
        let Some(mut report) = report else { return self.main.search(&view.seen, budget) };
        report.nodes = nodes;
        report.solved = false;
        if candidates.len() > 1 {
            self.compare(&boards, &candidates, budget, &mut report);
        }
        report
    }
}

/// The other ways to play without knowing where the other's units are, to measure against: an inner search of one board.
pub struct OneBoard<S> {
    inner: S,
    sees: bool,
}

impl<S: Search<Board>> OneBoard<S> {
    /// Searches the most probable place alone.
    pub fn guessing(inner: S) -> OneBoard<S> {
        OneBoard { inner, sees: false }
    }

    /// Searches the true place: not what a bot can do.
    pub fn seeing(inner: S) -> OneBoard<S> {
        OneBoard { inner, sees: true }
    }
}

impl<S: Search<Board>> Thinker for OneBoard<S> {
    fn think(&mut self, view: &View, budget: Budget) -> Report<Action> {
        let me = view.seen.to_move();
        let board = view.belief.best().map_or(view.seen, |guess| guessed(&view.seen, me, guess));
        self.inner.search(&board, budget)
    }
}

impl<S: Search<Board>> Search<Position> for OneBoard<S> {
    fn search(&mut self, position: &Position, budget: Budget) -> Report<Action> {
        match self.sees {
            true => self.inner.search(&position.board, budget),
            false => self.think(&position.view(position.to_move()), budget),
        }
    }
}

/// A search of positions as a player: it gets the most probable position, with the player's belief.
#[cfg(not(bundled))]
pub struct OfPositions<S>(pub S);

#[cfg(not(bundled))]
impl<S: Search<Position>> Thinker for OfPositions<S> {
    fn think(&mut self, view: &View, budget: Budget) -> Report<Action> {
        self.0.search(&Position::likeliest(view), budget)
    }
}

impl<S: Search<Board>> Search<Position> for Strategy<S> {
    fn search(&mut self, position: &Position, budget: Budget) -> Report<Action> {
        if position.is_over() {
            return Report::ended(Score::ended(position.payoff(position.to_move())));
        }
        self.think(&position.view(position.to_move()), budget)
    }
}

//! The submitted search: best-first minimax over the places where the other's units may be.

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
/// The number of places whose trees are kept.
const TREES: usize = 3;

contest::tunables! {
    /// Tunable parameters.
    pub struct Numbers {
        /// The number of most probable places that are searched.
        places: u32 = 5 in 1..=8,
        /// Percent of a turn for each place's best action; the rest compares these actions over all places.
        first_percent: u32 = 60 in 10..=100,
        /// Exploration weight.
        exploration: f32 = 0.1 in 0.01..=1.0,
        /// The estimate that counts as three quarters of a win, in thousandths of the logarithm of the odds.
        scale: f32 = 1000.0 in 50.0..=10000.0,
    }
}

/// The submitted search, with trees of `bytes` bytes together.
pub fn submitted(numbers: &Numbers, weights: &Weights, bytes: usize) -> Strategy<BestFirst<Board, Judge>> {
    let Numbers { exploration, scale, .. } = *numbers;
    let search = |keep_tree| {
        let memory = bytes / (TREES + 1);
        let options = BestFirstOptions { memory, exploration, scale, average: true, keep_tree };
        BestFirst::new(Judge::new(weights), options)
    };
    Strategy::new(|| search(true), search(false), numbers)
}

/// A search from the most probable places: each place's best action is then judged in all of them.
///
/// This is a decision between few actions by what each is worth on average, as [`Sampled`](coppice::search::Sampled) makes
/// it by value, for games with too many actions to judge all of them.
pub struct Strategy<S> {
    /// Search the most probable places, and keep their trees from turn to turn.
    trees: ArrayVec<Tree<S>, TREES>,
    /// Searches all others, and compares.
    side: S,
    numbers: Numbers,
}

/// A search that keeps the tree of a place.
struct Tree<S> {
    search: S,
    /// The place of the other's units that it searched last.
    place: Option<[u8; 2]>,
}

/// A place that is searched.
struct Place {
    board: Board,
    /// Probability among the places that are searched.
    weight: f32,
    /// The tree that searches it; `None`: [`Strategy::side`].
    tree: Option<usize>,
}

impl<S: Search<Board>> Strategy<S> {
    /// A search of the most probable places by what `make` makes, of the others by `side`.
    pub fn new(make: impl Fn() -> S, side: S, numbers: &Numbers) -> Strategy<S> {
        let trees = (0..TREES).map(|_| Tree { search: make(), place: None }).collect();
        Strategy { trees, side, numbers: *numbers }
    }

    /// The most probable places, the first first. Empty if nothing is hidden.
    fn places(&mut self, view: &View) -> ArrayVec<Place, MOST> {
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
        let trees = self.assign(&likely);
        let total: f32 = likely.iter().map(|guess| guess.weight).sum();
        let place = |(guess, tree): (&Guess, Option<usize>)| {
            let board = guessed(&view.seen, view.seen.to_move(), guess);
            Place { board, weight: guess.weight / total, tree }
        };
        likely.iter().zip(trees).map(place).collect()
    }

    /// Gives each place the tree of the place that it came from, if it was searched, or its own, if it is asked for twice;
    /// or else one that no other needs.
    fn assign(&mut self, likely: &[Guess]) -> [Option<usize>; MOST] {
        let mut given = [None; MOST];
        let mut is_free = [true; TREES];
        for round in 0..3 {
            let fits = |guess: &Guess, place: Option<[u8; 2]>| match round {
                0 => place == Some(guess.before),
                1 => place == Some(guess.units),
                _ => true,
            };
            for (guess, given) in likely.iter().zip(&mut given).filter(|(_, given)| given.is_none()) {
                *given = (0..TREES).find(|&tree| is_free[tree] && fits(guess, self.trees[tree].place));
                given.iter().for_each(|&tree| is_free[tree] = false);
            }
        }
        for (guess, tree) in likely.iter().zip(&given) {
            tree.iter().for_each(|&tree| self.trees[tree].place = Some(guess.units));
        }
        given
    }

    /// Searches a place with its tree.
    fn explore(&mut self, place: &Place, budget: Budget) -> Report<Action> {
        let search = place.tree.map_or(&mut self.side, |tree| &mut self.trees[tree].search);
        search.search(&place.board, budget)
    }

    /// Judges the candidates in each place with the rest of the budget.
    fn compare(
        &mut self,
        places: &[Place],
        candidates: &[Action],
        budget: Budget,
        report: &mut Report<Action>,
    ) {
        let mut pairs = (places.len() * candidates.len()) as u64;
        let left = |report: &Report<Action>| budget.max_nodes().saturating_sub(report.nodes);
        if left(report) < pairs {
            return;
        }
        let mut sums = [0.0; MOST];
        for Place { board, weight, .. } in places {
            for (action, sum) in candidates.iter().zip(&mut sums) {
                let next = board.after(*action);
                let found = self.side.search(&next, part(budget, left(report) - pairs, pairs as f32, 1.0));
                pairs -= 1;
                report.nodes += 1 + found.nodes;
                let score = found.score.for_parent(next.to_move() == board.to_move());
                *sum += weight * worth(score, self.numbers.scale);
            }
        }
        let best = (0..candidates.len()).reduce(|best, at| if sums[at] > sums[best] { at } else { best });
        if let Some(best) = best {
            report.best = Some(candidates[best]);
            report.score = estimate(sums[best], self.numbers.scale);
        }
    }
}

/// A score in averages, from -1 for a certain loss to 1 for a certain win; half of the way for an estimate of `scale`.
fn worth(score: Score, scale: f32) -> f32 {
    let estimate = score.value() as f32;
    match score.plies_to_end() {
        Some(_) => estimate.signum(),
        None => estimate / (scale + estimate.abs()),
    }
}

/// The estimate with a worth.
fn estimate(worth: f32, scale: f32) -> Score {
    Score::estimate((worth * scale / (1.0 - worth.abs()).max(0.001)) as i32)
}

/// `share` of `whole` parts of what is left of a budget.
fn part(budget: Budget, left: u64, whole: f32, share: f32) -> Budget {
    const WHOLE: u32 = 1 << 16;
    let parts = (share / whole).min(1.0) * WHOLE as f32;
    budget.and_nodes(left).share(parts as u32, WHOLE)
}

impl<S: Search<Board>> Thinker for Strategy<S> {
    fn think(&mut self, view: &View, budget: Budget) -> Report<Action> {
        let places = self.places(view);
        let mut report: Option<Report<Action>> = None;
        let mut candidates: ArrayVec<Action, MOST> = ArrayVec::new();
        let mut nodes = 0;
        let first = if places.len() > 1 { self.numbers.first_percent as f32 / 100.0 } else { 1.0 };
        let mut rest = 1.0;
        for place in &places {
            let share = first * place.weight;
            let found =
                self.explore(place, part(budget, budget.max_nodes().saturating_sub(nodes), rest, share));
            rest -= share;
            nodes += found.nodes;
            if let Some(best) = found.best.filter(|best| !candidates.contains(best)) {
                candidates.push(best);
            }
            report.get_or_insert(found);
        }
        let Some(mut report) = report else { return self.trees[0].search.search(&view.seen, budget) };
        if places.len() > 1 && candidates.len() == 1 {
            // All agree: the likeliest is searched on.
            report =
                self.explore(&places[0], part(budget, budget.max_nodes().saturating_sub(nodes), 1.0, 1.0));
            nodes += report.nodes;
        }
        report.nodes = nodes;
        report.solved &= places.len() == 1;
        // A likely place may turn out to be wrong, and its tree with it: that isn't a fault.
        report.restarted = false;
        if candidates.len() > 1 {
            self.compare(&places, &candidates, budget, &mut report);
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
pub struct OfPositions<S>(pub S);

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wondev::league::League;
    use crate::wondev::tools::contest::Start;

    #[test]
    fn trees_are_kept_although_places_are_hidden() {
        let (mut kept, mut turns) = (0, 0);
        for seed in 1..7 {
            let mut players = [0, 1].map(|_| submitted(&Numbers::default(), &Weights::default(), 1 << 22));
            let mut position = Position::new(Start::Random(League::Fog, None).of(seed));
            for turn in 0..60 {
                let search = &mut players[position.to_move().index()];
                if turn > 1 && position.belief().guesses().len() > 1 {
                    // Without a node to spend, it answers from what it knows.
                    kept += u32::from(search.search(&position, Budget::nodes(0)).depth > 0);
                    turns += 1;
                }
                let report = search.search(&position, Budget::nodes(5_000));
                assert!(!report.restarted && report.nodes <= 5_000);
                position.play(report.best.expect("an action"));
            }
        }
        assert!(turns > 30 && 2 * kept > turns, "{kept} of {turns}");
    }
}

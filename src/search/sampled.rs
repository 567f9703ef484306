//! Perfect-information Monte Carlo: searches samples of the hidden state.

use crate::clock::Budget;
use crate::game::{Game, Hidden, Player};
use crate::list::Moves;
use crate::rng::Rng;
use crate::score::Score;
use crate::search::each_move::part;
use crate::search::report::{Report, Search};

/// The seed, how many samples to draw, and how to combine their results.
#[derive(Debug, Clone)]
pub struct SampledOptions {
    /// The seed of the random numbers: the same seed gives the same answers within the same budgets of nodes.
    pub seed: u64,
    /// The number of states drawn. A state drawn several times is searched once, and counts as often.
    pub samples: usize,
    /// Search the position after each move in each state, and take the move that is best on
    /// average. Or else search each state as a whole, and take the move that is best in most of
    /// them, as always for more than two players.
    pub by_value: bool,
    /// The value of a certain win in averages, in the inner search's units; estimates are clamped to it.
    pub win: i32,
}

impl Default for SampledOptions {
    fn default() -> SampledOptions {
        // Against one sample, in tic-tac-toe with the other's last mark unseen, alpha-beta inside, 4000
        // nodes a move: 57 % of the points of 400 games by value, 53 % by votes; with 8 or 40 samples 60
        // and 59 %. A Monte Carlo search tells its mean in thousandths.
        SampledOptions { seed: 0, samples: 20, by_value: true, win: 1000 }
    }
}

/// A search over what a player sees: draws states that look the same to the player, lets an inner search
/// solve each as a game of perfect information, and takes the move that does best on average (Ginsberg, *GIB:
/// Imperfect Information in a Computationally Challenging Game*, 2001; Long, Sturtevant, Buro and Furtak,
/// *Understanding the Success of Perfect Information Monte Carlo Sampling in Game Tree Search*, 2010).
///
/// It looks at a state only through [`Hidden::view`]. If all drawn states are the same, nothing is
/// hidden, and the answer is the inner search's with the whole budget. Otherwise each state, or each
/// move of each state, has the same part of what is left of nodes and time.
///
/// A move that is legal in some of the states only is taken if none is legal in more: see
/// [`Hidden`] for games in which that can't happen.
///
/// Two faults are known (Frank and Basin, *Search in Games with Incomplete Information*, 1998). *Strategy
/// fusion*: it assumes that it will know the true state from the next move on, so it never pays for
/// information, and postpones decisions. *Non-locality*: it takes all states that look alike for equally
/// likely, though a good opponent would make some of them unlikely; and it can't bluff. It does well where
/// hidden information is revealed soon, or matters little.
#[derive(Debug, Clone)]
pub struct Sampled<G: Game, S> {
    inner: S,
    options: SampledOptions,
    rng: Rng,
    /// The states drawn, and how often.
    states: Vec<(G, u32)>,
    choices: Vec<Choice<G::Move>>,
    /// The place of a move among the choices by its index; old entries are of other moves.
    places: Vec<u16>,
}

/// A move that is legal in some of the states.
#[derive(Debug, Clone, Copy)]
struct Choice<M> {
    m: M,
    /// The number of samples in which it is legal.
    legal: u32,
    /// The number of samples in which it was searched, and the sum of its values there.
    judged: u32,
    sum: i64,
}

impl<M> Choice<M> {
    fn mean(&self) -> f64 {
        match self.judged {
            0 => f64::NEG_INFINITY,
            judged => self.sum as f64 / f64::from(judged),
        }
    }
}

/// One unit of an inner search's score, so that the plies to a win make a small difference.
const UNIT: i64 = 256;

impl<G: Hidden, S: Search<G>> Sampled<G, S> {
    /// A search that lets `inner` play the states it draws.
    pub fn new(inner: S, options: SampledOptions) -> Sampled<G, S> {
        let options = SampledOptions { by_value: options.by_value && G::PLAYERS <= 2, ..options };
        let most = G::Moves::ranks().as_mut().len();
        let (states, choices) = (Vec::with_capacity(options.samples.max(1)), Vec::with_capacity(4 * most));
        let places = vec![0; 1 << u16::BITS];
        Sampled { inner, rng: Rng::new(options.seed), options, states, choices, places }
    }

    /// The inner search.
    pub fn inner(&self) -> &S {
        &self.inner
    }

    /// Looks for the best move for `player`, who is to move and sees `view`. `None` if no state
    /// looks like that.
    pub fn search_view(&mut self, view: &G::View, player: Player, budget: Budget) -> Option<Report<G::Move>> {
        self.draw(view, player, budget)?;
        if let [(state, _)] = &self.states[..] {
            return Some(self.inner.search(state, budget));
        }
        self.list_choices(budget);
        let Some(first) = self.choices.first() else {
            return Some(self.inner.search(&self.states[0].0, Budget::nodes(0)));
        };
        let mut report = Report {
            best: Some(first.m),
            score: Score::DRAW,
            nodes: 0,
            depth: u32::MAX,
            solved: false,
            restarted: false,
        };
        if self.options.by_value {
            self.judge(budget, &mut report);
        } else {
            self.vote(budget, &mut report);
        }
        let mut best = &self.choices[0];
        for choice in &self.choices {
            if choice.mean() > best.mean() {
                best = choice;
            }
        }
        report.best = Some(best.m);
        if best.judged > 0 {
            report.score = Score::estimate((best.mean() / UNIT as f64) as i32);
        }
        report.depth = if report.depth == u32::MAX { 0 } else { report.depth };
        Some(report)
    }

    /// Draws the states; `None` if no state fits.
    fn draw(&mut self, view: &G::View, player: Player, budget: Budget) -> Option<()> {
        self.states.clear();
        for i in 0..self.options.samples.max(1) {
            if i > 0 && budget.is_late() {
                break;
            }
            let state = G::sample(view, player, &mut self.rng)?;
            match self.states.iter_mut().find(|(other, _)| *other == state) {
                Some((_, count)) => *count += 1,
                None => self.states.push((state, 1)),
            }
        }
        Some(())
    }

    /// Lists the moves that are legal in as many of the samples as any.
    fn list_choices(&mut self, budget: Budget) {
        self.choices.clear();
        let room = self.choices.capacity();
        for (i, (state, count)) in self.states.iter().enumerate() {
            if i > 0 && budget.is_late() {
                break;
            }
            let mut list = G::Moves::default();
            state.moves(&mut list);
            for &m in list.iter() {
                match place::<G>(&self.choices, &self.places, m) {
                    Some(i) => self.choices[i].legal += count,
                    None if self.choices.len() < room => {
                        self.places[usize::from(G::move_index(m))] = self.choices.len() as u16;
                        self.choices.push(Choice { m, legal: *count, judged: 0, sum: 0 });
                    }
                    None => {}
                }
            }
        }
        let most = self.choices.iter().map(|choice| choice.legal).max();
        self.choices.retain(|choice| Some(choice.legal) == most);
        for (i, choice) in self.choices.iter().enumerate() {
            self.places[usize::from(G::move_index(choice.m))] = i as u16;
        }
    }

    /// Gives each move its values after each state's search of what follows.
    fn judge(&mut self, budget: Budget, report: &mut Report<G::Move>) {
        let pairs = self.states.len() * self.choices.len();
        let mut done = 0;
        for (state, count) in &self.states {
            if budget.is_late() {
                return;
            }
            let mut list = G::Moves::default();
            state.moves(&mut list);
            for &m in list.iter() {
                let Some(at) = place::<G>(&self.choices, &self.places, m) else { continue };
                let choice = &mut self.choices[at];
                let left = budget.max_nodes() - report.nodes;
                if left == 0 || budget.is_late() {
                    return;
                }
                let next = state.after(m);
                let found = self.inner.search(&next, part(budget, left, (pairs - done) as u32));
                done += 1;
                report.nodes += 1 + found.nodes;
                report.depth = report.depth.min(1 + found.depth);
                let score = found.score.for_parent(next.to_move() == state.to_move());
                choice.judged += count;
                choice.sum += i64::from(*count) * worth(score, self.options.win);
            }
        }
    }

    /// Gives each state's best move that state's votes: 1 of 1 to the best, 0 of 1 to the others.
    fn vote(&mut self, budget: Budget, report: &mut Report<G::Move>) {
        for (i, (state, count)) in self.states.iter().enumerate() {
            let left = budget.max_nodes() - report.nodes;
            if left == 0 || budget.is_late() {
                return;
            }
            // The inner search counts the nodes of the moves here.
            let part = part(budget, left, (self.states.len() - i) as u32);
            let found = self.inner.search(state, part);
            report.nodes += found.nodes;
            report.depth = report.depth.min(found.depth);
            for choice in &mut self.choices {
                let is_best = found.best.is_some_and(|best| G::move_index(best) == G::move_index(choice.m));
                choice.judged += count;
                choice.sum += if is_best { i64::from(*count) * 1000 * UNIT } else { 0 };
            }
        }
    }
}

/// A move's place among the choices.
fn place<G: Game>(choices: &[Choice<G::Move>], places: &[u16], m: G::Move) -> Option<usize> {
    let at = usize::from(places[usize::from(G::move_index(m))]);
    choices.get(at).filter(|choice| G::move_index(choice.m) == G::move_index(m)).map(|_| at)
}

/// A score's value in averages: quicker wins count more, by less than one unit.
fn worth(score: Score, win: i32) -> i64 {
    match score.plies_to_end() {
        Some(plies) => {
            let value = i64::from(win) * UNIT - i64::from(plies.min(UNIT as u32 - 1));
            if score.is_win() {
                value
            } else {
                -value
            }
        }
        None => i64::from(score.value().clamp(-win, win)) * UNIT,
    }
}

impl<G: Hidden, S: Search<G>> Search<G> for Sampled<G, S> {
    /// Looks at `game` only as the player to move sees it.
    fn search(&mut self, game: &G, budget: Budget) -> Report<G::Move> {
        let player = game.to_move();
        let view = (!budget.is_late()).then(|| game.view(player)).filter(|_| !budget.is_late());
        let Some(view) = view else {
            // The player sees its own moves.
            let mut list = G::Moves::default();
            game.moves(&mut list);
            return match list.first() {
                None => self.inner.search(game, Budget::nodes(0)),
                best => Report { best: best.copied(), solved: false, ..Report::ended(Score::DRAW) },
            };
        };
        // The game itself matches its view, so there is always a state to draw.
        let report = self.search_view(&view, player, budget);
        report.unwrap_or_else(|| self.inner.search(game, Budget::nodes(0)))
    }
}

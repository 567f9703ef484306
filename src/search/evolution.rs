//! Rolling-horizon evolution for one player: a genetic algorithm over whole plans.

use crate::clock::{Budget, Rare};
use crate::evaluation::value_at;
use crate::game::Game;
use crate::list::List;
use crate::rng::Rng;
use crate::score::Score;
use crate::search::plan::{Plan, PlanMeter, Planning};
use crate::search::report::{or_only, Report, Search};
use crate::tree::LINE;

/// Parameters of the genetic algorithm.
#[derive(Debug, Clone)]
pub struct EvolutionOptions {
    /// The seed of the random numbers: the same seed gives the same answers within the same budgets of nodes.
    pub seed: u64,
    /// Plans in a generation, at least 2.
    pub population: usize,
    /// Moves of a plan, at least 1.
    pub horizon: usize,
    /// The number of best plans that survive unchanged, at least 1.
    pub elite: usize,
    /// Tournament size, at least 1: the best of N random plans becomes a parent.
    pub tournament: usize,
    /// The probability that a gene is redrawn, in 65,536ths. At least one gene of each child is redrawn.
    pub mutation: u16,
    /// Follow the last turn's plan unless a better one is found. Plans that end with the game then never end
    /// worse than their score. Switch it off if the evaluation tends to be too optimistic.
    pub keep_plan: bool,
}

impl Default for EvolutionOptions {
    fn default() -> EvolutionOptions {
        EvolutionOptions {
            seed: 0,
            population: 32,
            horizon: 32,
            elite: 2,
            tournament: 3,
            mutation: 2048,
            keep_plan: true,
        }
    }
}

/// Rolling-horizon evolution (Perez, Samothrakis, Lucas and Rohlfshagen, *Rolling Horizon Evolution versus
/// Tree Search for Navigation in Single-Player Real-Time Games*, 2013): generations of plans, each scored by
/// the position at its end, produced by tournaments, uniform crossover and mutation.
///
/// From turn to turn the population moves on by one gene, the shift buffer of Gaina, Lucas and Perez-Liebana
/// (*Rolling Horizon Evolution Enhancements in General Video Game Playing*, 2017). It ends only with its
/// budget, which must therefore be finite.
///
/// ```
/// # mod knapsack { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/examples/knapsack.rs")); }
/// use coppice::search::{Evolution, EvolutionOptions};
/// use coppice::{Budget, Search};
/// # use knapsack::{Knapsack, Value};
///
/// let mut search = Evolution::new(Value, EvolutionOptions { horizon: 5, ..EvolutionOptions::default() });
/// let report = search.search(&Knapsack::START, Budget::nodes(10_000));
/// assert_eq!(report.best, Some(true));
/// assert_eq!(search.plan(), [true, false, true, true, false]);
/// ```
#[derive(Debug, Clone)]
pub struct Evolution<G: Game, E> {
    evaluation: E,
    options: EvolutionOptions,
    rng: Rng,
    /// Genes, plan after plan: this generation's and the next one's.
    genes: Vec<u16>,
    next: Vec<u16>,
    /// Each plan's score and index.
    ranking: Vec<(Score, u32)>,
    /// The moves of the plan being evaluated.
    trial: Vec<G::Move>,
    /// There is a population from the last turn.
    has_population: bool,
    plan: Plan<G>,
    meter: PlanMeter,
}

impl<G: Game, E: Planning<G>> Evolution<G, E> {
    /// A search by this evaluation.
    ///
    /// # Panics
    /// If the game isn't for one player.
    pub fn new(evaluation: E, options: EvolutionOptions) -> Evolution<G, E> {
        let population = options.population.max(2);
        let horizon = options.horizon.max(1);
        let elite = options.elite.clamp(1, population - 1);
        let options =
            EvolutionOptions { population, horizon, elite, tournament: options.tournament.max(1), ..options };
        Evolution {
            evaluation,
            rng: Rng::new(options.seed),
            genes: vec![0; population * horizon],
            next: vec![0; population * horizon],
            ranking: Vec::with_capacity(population),
            trial: vec![G::Move::default(); horizon],
            has_population: false,
            plan: Plan::with_len(horizon),
            meter: PlanMeter::new(Budget::nodes(0)),
            options,
        }
    }

    /// The whole plan of the last search.
    pub fn plan(&self) -> &[G::Move] {
        self.plan.moves()
    }

    fn gene(&mut self) -> u16 {
        self.rng.next_u64() as u16
    }

    /// Sets up the first population of a turn: the last one shifted by a move, or a random one.
    fn settle(&mut self) {
        let horizon = self.options.horizon;
        for at in 0..self.genes.len() {
            let is_known = self.has_population && (at + 1) % horizon != 0;
            self.genes[at] = if is_known { self.genes[at + 1] } else { self.gene() };
        }
        self.has_population = true;
    }

    /// Scores a plan, and keeps it if it is the best. `None` if the budget ended first.
    #[inline(always)]
    fn assess(&mut self, game: &G, index: usize, meter: &mut PlanMeter) -> Option<Score> {
        let genes = &self.genes[index * self.options.horizon..][..self.options.horizon];
        let mut state = game.clone();
        let mut len = 0;
        for (&gene, slot) in genes.iter().zip(&mut self.trial) {
            let Some(m) = self.evaluation.decode(&state, gene) else { break };
            if !meter.take() {
                // Part of a plan is better than none.
                if !self.plan.moves().is_empty() || len == 0 {
                    return None;
                }
                break;
            }
            state.play(m);
            *slot = m;
            len += 1;
        }
        if !meter.meets(Rare::END) {
            if self.plan.moves().is_empty() {
                self.plan.replace(Score::DRAW, self.trial[..len].iter().rev().copied());
            }
            return None;
        }
        let score = value_at(&state, &self.evaluation, len as u32);
        if self.plan.is_beaten_by(score) {
            self.plan.replace(score, self.trial[..len].iter().rev().copied());
        }
        (!meter.is_spent()).then_some(score)
    }

    /// Breeds until the budget ends.
    fn evolve(&mut self, game: &G, meter: &mut PlanMeter) {
        let EvolutionOptions { population, horizon, elite, .. } = self.options;
        self.ranking.clear();
        for index in 0..population {
            let Some(score) = self.assess(game, index, meter) else { return };
            self.ranking.push((score, index as u32));
        }
        loop {
            // Ties go to the later plan, so that plans drift across plateaus.
            self.ranking.sort_unstable_by(|a, b| b.cmp(a));
            for child in 0..elite {
                let parent = self.ranking[child].1 as usize * horizon;
                self.next[child * horizon..][..horizon].copy_from_slice(&self.genes[parent..][..horizon]);
            }
            for child in elite..population {
                let parents = [self.parent(), self.parent()].map(|parent| parent as usize * horizon);
                let sure = self.rng.below(horizon as u32) as usize;
                let (mut coins, mut chances) = (0, 0);
                for i in 0..horizon {
                    // One bit selects the parent, 16 bits decide on mutation.
                    coins = if i % 64 == 0 { self.rng.next_u64() } else { coins >> 1 };
                    chances = if i % 4 == 0 { self.rng.next_u64() } else { chances >> 16 };
                    let is_mutant = (chances as u16) < self.options.mutation || i == sure;
                    self.next[child * horizon + i] = match is_mutant {
                        true => self.gene(),
                        false => self.genes[parents[coins as usize & 1] + i],
                    };
                }
            }
            std::mem::swap(&mut self.genes, &mut self.next);
            self.ranking.truncate(elite);
            self.ranking.iter_mut().enumerate().for_each(|(i, rank)| rank.1 = i as u32);
            for index in elite..population {
                let Some(score) = self.assess(game, index, meter) else { return };
                self.ranking.push((score, index as u32));
            }
        }
    }

    /// Tournament selection: the ranking is sorted, so the smallest of a few random indices wins.
    fn parent(&mut self) -> u32 {
        let n = self.options.population as u32;
        let draw = (0..self.options.tournament).map(|_| self.rng.below(n)).min();
        self.ranking[draw.unwrap_or(0) as usize].1
    }
}

impl<G: Game, E: Planning<G>> Search<G> for Evolution<G, E> {
    fn search(&mut self, game: &G, budget: Budget) -> Report<G::Move> {
        let mut meter = self.meter.again(budget);
        if !self.options.keep_plan {
            self.plan.clear();
        }
        self.plan.resume(game, &self.evaluation, &mut meter);
        if meter.is_in_time() && self.evaluation.decode(game, 0).is_some() {
            self.settle();
            self.evolve(game, &mut meter);
        }
        let report = self.plan.report(game, &self.evaluation, &mut meter, false);
        self.meter = meter;
        report
    }

    fn line(&self, _game: &G, best: G::Move) -> List<G::Move, LINE> {
        or_only(self.plan.line(), best)
    }
}

//! Rolling-horizon evolution for simulations: plans of several units against the plan that the others evolved.

use crate::clock::{Budget, Meter, Rare};
use crate::game::Player;
use crate::joint::{players, Choices, Joint};
use crate::rng::Rng;

use super::genes::Genes;
use super::report::{listed, JointReport, JointSearch};
use super::strategy::Strategy;

/// Parameters of evolution.
#[derive(Debug, Clone)]
pub struct EvolveOptions {
    /// The seed of the random numbers: the same seed gives the same answers within the same budgets of nodes.
    pub seed: u64,
    /// Plans in a generation, at least 2.
    pub population: usize,
    /// Turns of a plan, at least 1.
    pub horizon: usize,
    /// The number of best plans that survive unchanged, at least 1.
    pub elite: usize,
    /// Tournament size, at least 1: the best of N random plans becomes a parent.
    pub tournament: usize,
    /// The probability that a gene is mutated, in 65,536ths. At least one of each child is, of those that its side uses.
    pub mutation: u16,
    /// Discount of a turn: rewards and the end count with this to the power of their turn.
    pub discount: f64,
    /// The share of the budget, in per cent, in which the others' plan is evolved first, against the player's last plan;
    /// with 0 they keep the plan of [`Evolve::expect`], or a random one.
    pub theirs: u32,
    /// The most nodes for the others' plan. Few, for the last plan and the heuristics alone, where the best answer to a plan that was
    /// evolved at length fails as soon as they do anything else.
    pub their_nodes: u64,
}

impl Default for EvolveOptions {
    fn default() -> EvolveOptions {
        let (population, horizon, elite, tournament) = (32, 8, 2, 3);
        EvolveOptions {
            seed: 0,
            population,
            horizon,
            elite,
            tournament,
            mutation: 4096,
            discount: 1.0,
            theirs: 25,
            their_nodes: u64::MAX,
        }
    }
}

/// Rolling-horizon evolution for games in which all move at the same time, with one gene a turn and unit (Perez,
/// Samothrakis, Lucas and Rohlfshagen, *Rolling Horizon Evolution versus Tree Search for Navigation in Single-Player
/// Real-Time Games*, 2013). First the others' plan is evolved against the player's, then the player's side against theirs: the
/// usual way in CodinGame's races and arenas.
///
/// From turn to turn all plans move on by one turn, and are judged again in the state that was really reached: nothing of
/// them is lost if the others did something else. All other sides count as one, which wants the best for its
/// first unit. The answer is a pure strategy against one plan; no equilibrium is promised.
///
/// A node is a turn simulated. It ends only with its budget, which must therefore be finite. The answer has a move of each
/// unit: where the deadline passes before the search has decoded one plan's first turn, it takes a call for each.
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/examples/nim.rs")); }
/// # use nim::Nim;
/// use coppice::search::{Evolve, EvolveOptions, Genes, JointSearch};
/// use coppice::{Budget, Player, Turns};
///
/// struct Even;
///
/// impl Genes<Turns<Nim<2>>> for Even {
///     fn estimate(&self, _: &Turns<Nim<2>>, _: Player) -> f64 {
///         0.0
///     }
/// }
///
/// let mut search = Evolve::new(Even, EvolveOptions::default());
/// let report = search.search(&Turns(Nim(3, Player::FIRST)), Player::FIRST, Budget::nodes(1_000));
/// assert_eq!((report.best, report.value), (Some(3), 1.0));
/// ```
#[derive(Debug, Clone)]
pub struct Evolve<G: Joint, E> {
    genes: E,
    options: EvolveOptions,
    rng: Rng,
    game: Option<G>,
    /// Both sides' plans: the player's, then the others'.
    sides: [Population; 2],
    /// The first turn of the best plan, and whether it is one of this search.
    choices: Choices<G::Move>,
    is_decoded: bool,
    /// The others' plan was given since the last search, and begins with the next one's state.
    is_expected: bool,
    /// A plan of [`Evolve::suggest`], and whether there is one.
    suggested: Vec<u16>,
    is_suggested: bool,
    meter: Meter<16>,
}

/// The plans of one side. A plan has a gene for every unit of the game; only this side's are used.
#[derive(Debug, Clone)]
struct Population {
    genes: Vec<u16>,
    next: Vec<u16>,
    ranking: Vec<(f64, u32)>,
    /// The best plan.
    best: Vec<u16>,
    value: f64,
}

impl<G: Joint, E: Genes<G>> Evolve<G, E> {
    /// A search for these genes.
    pub fn new(genes: E, options: EvolveOptions) -> Evolve<G, E> {
        let population = options.population.max(2);
        let elite = options.elite.clamp(1, population - 1);
        let (horizon, tournament) = (options.horizon.max(1), options.tournament.max(1));
        let theirs = options.theirs.min(100);
        let options = EvolveOptions { population, horizon, elite, tournament, theirs, ..options };
        let len = horizon * G::PLAYERS;
        // Made twice: a copy of an empty list has no room.
        let side = || Population {
            genes: vec![0; population * len],
            next: vec![0; population * len],
            ranking: Vec::with_capacity(population),
            best: vec![0; len],
            value: 0.0,
        };
        let mut rng = Rng::new(options.seed);
        let mut sides = [side(), side()];
        for side in &mut sides {
            side.genes.iter_mut().chain(&mut side.best).for_each(|gene| *gene = rng.next_u64() as u16);
        }
        Evolve {
            genes,
            options,
            rng,
            game: None,
            sides,
            choices: Choices::NONE,
            is_decoded: false,
            is_expected: false,
            suggested: vec![0; len],
            is_suggested: false,
            meter: Meter::new(Budget::nodes(0)),
        }
    }

    /// Gives a plan to the first generation of the player's side, from the next search's state on: the gene of each of its
    /// units in each turn. It is judged like any other. For plans that can be told turn by turn see [`Genes::heuristic`].
    pub fn suggest(&mut self, gene: impl Fn(usize, Player) -> u16) {
        write_plan::<G>(&mut self.suggested, gene);
        self.is_suggested = true;
    }

    /// Sets the plan that the others are expected to follow, from the next search's state on: the gene of each of their
    /// units in each turn.
    pub fn expect(&mut self, gene: impl Fn(usize, Player) -> u16) {
        write_plan::<G>(&mut self.sides[1].best, gene);
        self.is_expected = true;
    }

    /// The last search's first turn: the moves of the player's units, and those that the others are expected to make.
    pub fn choices(&self) -> Choices<G::Move> {
        self.choices
    }

    /// Moves all plans on by one turn.
    fn shift(&mut self) {
        let len = self.options.horizon * G::PLAYERS;
        let mut is_expected = std::mem::take(&mut self.is_expected);
        for side in self.sides.iter_mut().rev() {
            let best = Some(side.best.as_mut_slice()).filter(|_| !std::mem::take(&mut is_expected));
            for plan in side.genes.chunks_mut(len).chain(best) {
                plan.rotate_left(G::PLAYERS);
                let last = len - G::PLAYERS;
                plan[last..].iter_mut().for_each(|gene| *gene = self.rng.next_u64() as u16);
            }
        }
    }

    /// The value of a plan of side `by` for `player`, whose side that is, against the other's best plan. With a heuristic, its
    /// genes are written into the plan. `None` if the budget ended, or the heuristic is missing.
    #[inline(always)]
    fn assess<const CAREFUL: bool>(
        &mut self,
        game: &G,
        (by, own): (usize, usize),
        player: Player,
        (plan, heuristic): (&mut [u16], Option<usize>),
        meter: &mut Meter<16>,
    ) -> Option<f64> {
        let (mut state, mut total, mut weight) = (game.clone(), 0.0, 1.0);
        let mut is_over = false;
        for turn in 0..self.options.horizon {
            if !meter.step_if::<CAREFUL>() {
                return None;
            }
            state.let_happen(&mut self.rng);
            let (mut choices, mut any) = (Choices::NONE, false);
            for unit in players::<G>() {
                if !meter.step_if::<CAREFUL>() {
                    return None;
                }
                let at = turn * G::PLAYERS + unit.index();
                let is_mine = (self.genes.side(unit) == own) == (by == 0);
                if let Some(i) = heuristic.filter(|_| is_mine) {
                    plan[at] = self.genes.heuristic(i, &state, unit)?;
                    if !meter.step_if::<CAREFUL>() {
                        return None;
                    }
                }
                let gene = if is_mine { plan[at] } else { self.sides[1 - by].best[at] };
                if let Some(m) = self.genes.decode(&state, unit, gene) {
                    choices.set(unit, m);
                    any = true;
                }
            }
            is_over = !any;
            if is_over {
                break;
            }
            if !meter.take() {
                return None;
            }
            let before = state.clone();
            state.play(&choices);
            if !meter.step_if::<CAREFUL>() {
                return None;
            }
            total += weight * self.genes.reward(&before, &state, player);
            weight *= self.options.discount;
        }
        if !meter.step_if::<CAREFUL>() {
            return None;
        }
        if !is_over {
            state.let_happen(&mut self.rng);
            is_over = state.is_over();
        }
        if is_over && !meter.meets(Rare::END) || !meter.step_if::<CAREFUL>() {
            return None;
        }
        let end =
            if is_over { f64::from(state.payoff(player).0) } else { self.genes.estimate(&state, player) };
        Some(total + weight * end)
    }

    #[inline(never)]
    fn assess_carefully(
        &mut self,
        game: &G,
        who: (usize, usize),
        player: Player,
        plan: (&mut [u16], Option<usize>),
        meter: &mut Meter<16>,
    ) -> Option<f64> {
        self.assess::<true>(game, who, player, plan, meter)
    }

    /// Judges a plan of the population, and keeps it if it is the best. `false` if the budget ended, or the heuristic is
    /// missing.
    fn judge(
        &mut self,
        game: &G,
        who: (usize, usize),
        player: Player,
        (index, heuristic): (usize, Option<usize>),
        meter: &mut Meter<16>,
    ) -> bool {
        let len = self.options.horizon * G::PLAYERS;
        let by = who.0;
        // The plan is taken out, so that the other side's can be read.
        let mut genes = std::mem::take(&mut self.sides[by].genes);
        let plan = &mut genes[index * len..][..len];
        // Only a plan that begins and ends between two looks needs no care.
        let value = match meter.is_free_for(self.options.horizon as u64) {
            true => self.assess::<false>(game, who, player, (plan, heuristic), meter),
            false => self.assess_carefully(game, who, player, (plan, heuristic), meter),
        };
        let side = &mut self.sides[by];
        let is_best = side.ranking.is_empty() || value.is_some_and(|value| value > side.value);
        if let Some(value) = value {
            if is_best {
                side.value = value;
                side.best.copy_from_slice(plan);
            }
            side.ranking.push((value, index as u32));
        }
        side.genes = genes;
        if by == 0 && is_best && value.is_some() {
            self.decode(game, who.1, meter);
        }
        value.is_some()
    }

    /// Makes the first turn of both sides' best plans the answer, unless the deadline passes.
    fn decode(&mut self, game: &G, own: usize, meter: &mut Meter<16>) {
        let mut choices = Choices::NONE;
        for unit in players::<G>() {
            if !meter.step() {
                return;
            }
            let by = usize::from(self.genes.side(unit) != own);
            let m = self.genes.decode(game, unit, self.sides[by].best[unit.index()]);
            m.into_iter().for_each(|m| choices.set(unit, m));
        }
        (self.choices, self.is_decoded) = (choices, true);
    }

    /// Breeds one side until the budget ends.
    fn evolve(&mut self, game: &G, who: (usize, usize), player: Player, meter: &mut Meter<16>) {
        let (by, len) = (who.0, self.options.horizon * G::PLAYERS);
        let EvolveOptions { population, elite, .. } = self.options;
        // The last plan comes first, then a suggested one, then heuristics, then what is left of the last population.
        let side = &mut self.sides[by];
        side.ranking.clear();
        side.genes[..len].copy_from_slice(&side.best);
        let is_suggested = by == 0 && std::mem::take(&mut self.is_suggested);
        if is_suggested {
            side.genes[len..][..len].copy_from_slice(&self.suggested);
        }
        let known = 1 + usize::from(is_suggested);
        let mut heuristics = true;
        for index in 0..population {
            let heuristic = index.checked_sub(known).filter(|_| heuristics);
            let is_judged = self.judge(game, who, player, (index, heuristic), meter);
            heuristics &= is_judged || index < known;
            let is_judged =
                is_judged || !meter.is_spent() && self.judge(game, who, player, (index, None), meter);
            if !is_judged {
                return;
            }
        }
        loop {
            let before = meter.nodes();
            let side = &mut self.sides[by];
            side.ranking.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
            for child in 0..elite {
                let parent = side.ranking[child].1 as usize * len;
                side.next[child * len..][..len].copy_from_slice(&side.genes[parent..][..len]);
            }
            for child in elite..population {
                self.breed(who, child);
            }
            let side = &mut self.sides[by];
            std::mem::swap(&mut side.genes, &mut side.next);
            side.ranking.truncate(elite);
            side.ranking.iter_mut().enumerate().for_each(|(i, rank)| rank.1 = i as u32);
            let whole = (elite..population).all(|index| self.judge(game, who, player, (index, None), meter));
            // Where no unit has a move, plans cost nothing, and none is better than another.
            if !whole || meter.nodes() == before {
                return;
            }
        }
    }

    /// A child of two parents by uniform crossover and mutation of the genes that its side uses. The others' are the first parent's.
    fn breed(&mut self, (by, own): (usize, usize), child: usize) {
        let len = self.options.horizon * G::PLAYERS;
        let [first, second] = [self.parent(by) * len, self.parent(by) * len];
        let side = &mut self.sides[by];
        let plan = &mut side.next[child * len..][..len];
        plan.copy_from_slice(&side.genes[first..][..len]);
        let is_mine = |unit: Player| (self.genes.side(unit) == own) == (by == 0);
        let units = players::<G>().filter(|&unit| is_mine(unit)).count();
        let mut sure = self.rng.below((self.options.horizon * units) as u32);
        for turn in 0..self.options.horizon {
            for unit in players::<G>().filter(|&unit| is_mine(unit)) {
                let at = turn * G::PLAYERS + unit.index();
                let bits = self.rng.next_u64();
                // No branch: half of them would be mispredicted.
                let gene = side.genes[[first, second][(bits >> 16 & 1) as usize] + at];
                let is_mutant = (bits as u16) < self.options.mutation || sure == 0;
                plan[at] = if is_mutant { self.genes.mutate(gene, &mut self.rng) } else { gene };
                sure = sure.wrapping_sub(1);
            }
        }
    }

    /// Tournament selection: the ranking is sorted, so the smallest of a few random indices wins.
    fn parent(&mut self, by: usize) -> usize {
        let n = self.options.population as u32;
        let draw = (0..self.options.tournament).map(|_| self.rng.below(n)).min();
        self.sides[by].ranking[draw.unwrap_or(0) as usize].1 as usize
    }
}

impl<G: Joint, E: Genes<G>> JointSearch<G> for Evolve<G, E> {
    fn search(&mut self, game: &G, player: Player, budget: Budget) -> JointReport<G> {
        match &self.game {
            Some(last) if last != game => self.shift(),
            _ => self.is_expected = false,
        }
        self.game = Some(game.clone());
        (self.choices, self.is_decoded) = (Choices::NONE, false);
        let list = if budget.is_late() { G::Moves::default() } else { listed(game, player) };
        let is_over = !budget.is_late() && game.is_over();
        let now = match is_over {
            true => f64::from(game.payoff(player).0),
            false if budget.is_late() => 0.0,
            false => self.genes.estimate(game, player),
        };
        if is_over || !budget.is_late() && game.awaits_chance() {
            return JointReport::without_moves(now, is_over);
        }
        let own = self.genes.side(player);
        let mut nodes = 0;
        let other = players::<G>().find(|&unit| self.genes.side(unit) != own);
        if let Some(other) = other.filter(|_| self.options.theirs > 0) {
            let share = budget.share(self.options.theirs, 100);
            let most = share.max_nodes().min(self.options.their_nodes);
            let mut meter = self.meter.again(share.and_nodes(most));
            self.evolve(game, (1, own), other, &mut meter);
            nodes = meter.nodes();
            self.meter = meter;
        }
        let mut meter = self.meter.again(budget.and_nodes(budget.max_nodes() - nodes));
        // The last plan's, the answer if no plan is judged.
        self.decode(game, own, &mut meter);
        self.evolve(game, (0, own), player, &mut meter);
        self.meter = meter.clone();
        if !self.is_decoded {
            // The deadline passed before; but the answer has a move of each unit.
            self.decode(game, own, &mut Meter::new(Budget::nodes(0)));
        }
        let best = self.choices.of(player);
        // A move of the evaluation's own has no place in the list.
        let place = list.iter().position(|&m| Some(m) == best);
        let value = if self.sides[0].ranking.is_empty() { now } else { self.sides[0].value };
        JointReport {
            best,
            strategy: place.map_or_else(Strategy::none, |place| Strategy::pure(&list, place)),
            value,
            nodes: nodes + meter.nodes(),
            depth: self.options.horizon as u32,
            exact: false,
            kept: 0,
        }
    }
}

/// Writes a plan, given the gene of each unit in each turn.
fn write_plan<G: Joint>(plan: &mut [u16], gene: impl Fn(usize, Player) -> u16) {
    for (i, slot) in plan.iter_mut().enumerate() {
        *slot = gene(i / G::PLAYERS, Player::new((i % G::PLAYERS) as u8));
    }
}

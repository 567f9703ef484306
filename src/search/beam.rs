//! Beam search for one player: keeps the best states of each level of the tree.

use crate::clock::{Budget, Rare};
use crate::cpu::{self, Cpu, Task};
use crate::game::Game;
use crate::list::List;
use crate::score::Score;
use crate::search::plan::{Plan, PlanMeter, Planning};
use crate::search::report::{or_only, Report, Search};
use crate::tree::LINE;

/// The parent of the first level's states.
const ROOT: u32 = u32::MAX;

/// Width and depth.
#[derive(Debug, Clone)]
pub struct BeamOptions {
    /// States kept of each level in a search's first pass, at least 1. While budget is left the width doubles
    /// and the search begins again: a small budget still reaches the end of the game, and a large one is used
    /// up.
    pub width: usize,
    /// The widest pass, at least `width`: memory is allocated for it. If equal to `width`, there is only one
    /// pass.
    pub max_width: usize,
    /// The most moves of a plan, at least 1.
    pub depth: usize,
    /// Follow the last turn's plan unless a better one is found. Plans that end with the game then never end
    /// worse than their score. Switch it off if the evaluation tends to be too optimistic.
    pub keep_plan: bool,
}

impl Default for BeamOptions {
    fn default() -> BeamOptions {
        BeamOptions { width: 32, max_width: 2048, depth: 100, keep_plan: true }
    }
}

/// A state of a level.
#[derive(Debug, Clone)]
struct Candidate<G: Game> {
    state: G,
    key: u64,
    /// The rank of its current entry.
    rank: u64,
    /// The parent's place in the trail; the node's own once the level is complete.
    at: u32,
    m: G::Move,
}

/// A state in the order of its level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    /// Score in the high bits, order of generation in the low bits, earlier first: no two are equal, so that
    /// the order is determined by the states alone.
    rank: u64,
    slot: u32,
}

/// Beam search (Lowerre, *The HARPY Speech Recognition System*, 1976), with passes of growing width.
///
/// Each level keeps its best states by the evaluation, without duplicates. Finished games compete with their
/// true value; of unfinished ones, the best of the deepest complete level counts. The search is solved when a
/// pass dropped no state and every line ended: then no plan of [`Planning::candidates`] is better.
///
/// ```
/// # mod knapsack { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/examples/knapsack.rs")); }
/// use coppice::search::{Beam, BeamOptions};
/// use coppice::{Budget, Search};
/// # use knapsack::{Knapsack, Value};
///
/// let mut search = Beam::new(Value, BeamOptions::default());
/// let report = search.search(&Knapsack::START, Budget::nodes(10_000));
/// assert_eq!(report.best, Some(true));
/// assert_eq!(search.plan(), [true, false, true, true, false]);
/// assert!(report.solved, "the beam is as wide as the game");
/// ```
#[derive(Debug, Clone)]
pub struct Beam<G: Game, E> {
    evaluation: E,
    options: BeamOptions,
    /// The candidates of the current level and of the next one.
    level: Vec<Candidate<G>>,
    next: Vec<Candidate<G>>,
    order: Vec<Entry>,
    entries: Vec<Entry>,
    /// Free slots of `next`.
    free: Vec<u32>,
    /// Candidates below this rank are rejected.
    floor: u64,
    /// A state has been left out, so that the best may be missed.
    dropped: bool,
    /// Each kept state's parent and move, level after level.
    trail: Vec<(u32, G::Move)>,
    seen: Seen,
    /// The best of the lines that ended in this search.
    ended: Plan<G>,
    plan: Plan<G>,
    meter: PlanMeter,
}

impl<G: Game, E: Planning<G>> Beam<G, E> {
    /// A search by this evaluation. It takes about `max_width` times four states and (312 + 8 `depth`) bytes of memory, where a
    /// move has up to four.
    ///
    /// # Panics
    /// If the game isn't for one player.
    pub fn new(evaluation: E, options: BeamOptions) -> Beam<G, E> {
        let width = options.max_width.max(options.width).max(1);
        Beam {
            level: Vec::with_capacity(2 * width),
            next: Vec::with_capacity(2 * width),
            order: Vec::with_capacity(2 * width),
            entries: Vec::with_capacity(2 * width),
            free: Vec::with_capacity(2 * width),
            floor: 0,
            dropped: false,
            trail: Vec::with_capacity(width * options.depth.max(1)),
            seen: Seen::with_states(2 * width),
            ended: Plan::with_len(options.depth.max(1)),
            plan: Plan::with_len(options.depth.max(1)),
            meter: PlanMeter::new(Budget::nodes(0)),
            evaluation,
            options,
        }
    }

    /// The whole plan of the last search.
    pub fn plan(&self) -> &[G::Move] {
        self.plan.moves()
    }

    /// Runs passes of growing width, while budget is left and a wider pass can find more. Returns whether the
    /// last pass was exhaustive.
    #[inline(always)]
    fn widen(&mut self, game: &G, meter: &mut PlanMeter) -> bool {
        self.ended.clear();
        let mut width = self.options.width.max(1);
        let mut is_first = true;
        loop {
            let solved = self.pass(game, width, is_first, meter) && !self.dropped;
            // A certain result also replaces a kept plan with a higher score.
            if let Some(score) = self.ended.score().filter(|&score| solved || self.plan.is_beaten_by(score)) {
                self.plan.replace(score, self.ended.moves().iter().rev().copied());
            }
            if !self.dropped || meter.is_spent() || width >= self.options.max_width {
                return solved;
            }
            width = (2 * width).min(self.options.max_width);
            is_first = false;
        }
    }

    /// Goes down the levels with `width` states each. True if every line ended.
    #[inline(always)]
    fn pass(&mut self, game: &G, width: usize, is_first: bool, meter: &mut PlanMeter) -> bool {
        self.trail.clear();
        self.level.clear();
        self.level.push(Candidate { state: game.clone(), key: 0, rank: 0, at: ROOT, m: G::Move::default() });
        self.order.clear();
        self.order.push(Entry { rank: 0, slot: 0 });
        self.dropped = false;
        // The best of the deepest level: its score, its place in the trail.
        let mut best = None;
        for depth in 1..=self.options.depth.max(1) as u32 {
            let is_whole = self.descend(depth, width, meter);
            // Part of a level is better than no plan.
            if is_whole || (best.is_none() && self.plan.moves().is_empty()) {
                self.complete(width);
                best =
                    self.order.first().map(|best| (score_of(best.rank), self.level[best.slot as usize].at));
            }
            if !is_whole {
                // A narrower pass has searched deeper than this one: its plan stands.
                best = best.filter(|_| is_first);
                break;
            }
            if self.order.is_empty() {
                return true;
            }
        }
        if let Some((score, at)) = best.filter(|&(score, _)| self.plan.is_beaten_by(score)) {
            self.plan.replace(score, Walk { trail: &self.trail, at });
        }
        false
    }

    /// Makes the next level's candidates. False if the budget ended first.
    #[inline(always)]
    fn descend(&mut self, depth: u32, width: usize, meter: &mut PlanMeter) -> bool {
        self.next.clear();
        self.entries.clear();
        self.free.clear();
        self.floor = 0;
        self.seen.clear();
        let mut made = 0;
        for i in 0..self.order.len() {
            let parent = self.order[i].slot as usize;
            let mut list = G::Moves::default();
            if !meter.meets(Rare::LIST) {
                return false;
            }
            self.evaluation.candidates(&self.level[parent].state, &mut list);
            for &m in list.iter() {
                if !meter.take() {
                    return false;
                }
                let state = self.level[parent].state.after(m);
                let at = self.level[parent].at;
                let is_over = meter.step() && state.is_over();
                if !(if is_over { meter.meets(Rare::END) } else { meter.step() }) {
                    return false;
                }
                let score = match is_over {
                    true => self.evaluation.ended(&state).add_mate_distance(depth),
                    false => self.evaluation.evaluate(&state),
                };
                if is_over {
                    if self.ended.is_beaten_by(score) {
                        let walk = Walk { trail: &self.trail, at };
                        self.ended.replace(score, std::iter::once(m).chain(walk));
                    }
                    continue;
                }
                made += 1;
                let rank = rank_of(score, made);
                if rank < self.floor {
                    self.dropped = true;
                } else {
                    let key = self.evaluation.key(&state);
                    self.insert(Candidate { state, key, rank, at, m }, width);
                }
            }
        }
        true
    }

    /// Adds a candidate, unless there is one with the same key and at least the same score.
    #[inline(always)]
    fn insert(&mut self, new: Candidate<G>, width: usize) {
        let rank = new.rank;
        let slot = match self.seen.find(new.key) {
            Some(slot) => {
                let old = &mut self.next[slot as usize];
                if old.state == new.state {
                    return;
                }
                self.dropped = true;
                if score_of(rank) <= score_of(old.rank) {
                    return;
                }
                // The old entry's rank no longer matches the candidate's, which marks it as void.
                *old = new;
                slot
            }
            None => {
                let slot = self.free.pop().unwrap_or(self.next.len() as u32);
                self.seen.insert(new.key, slot);
                match self.next.get_mut(slot as usize) {
                    Some(old) => *old = new,
                    None => self.next.push(new),
                }
                slot
            }
        };
        self.entries.push(Entry { rank, slot });
        if self.entries.len() == 2 * width {
            self.select(width);
        }
    }

    /// Keeps the best `width` candidates. Called once in `width` of them, so that one costs no more than
    /// a few comparisons.
    fn select(&mut self, width: usize) {
        let next = &self.next;
        self.entries.retain(|entry| next[entry.slot as usize].rank == entry.rank);
        if self.entries.len() <= width {
            return;
        }
        self.dropped = true;
        self.entries.select_nth_unstable_by(width - 1, |a, b| b.cmp(a));
        self.floor = self.entries[width - 1].rank;
        for entry in &self.entries[width..] {
            self.seen.remove(self.next[entry.slot as usize].key);
            self.free.push(entry.slot);
        }
        self.entries.truncate(width);
    }

    /// Makes the next level the current one, sorted best first: children of the best states then raise the
    /// floor early.
    fn complete(&mut self, width: usize) {
        self.select(width);
        self.entries.sort_unstable_by(|a, b| b.cmp(a));
        for entry in &self.entries {
            let candidate = &mut self.next[entry.slot as usize];
            self.trail.push((candidate.at, candidate.m));
            candidate.at = self.trail.len() as u32 - 1;
        }
        std::mem::swap(&mut self.level, &mut self.next);
        std::mem::swap(&mut self.order, &mut self.entries);
    }
}

struct Widen<'a, G: Game, E: Planning<G>> {
    search: &'a mut Beam<G, E>,
    game: &'a G,
    meter: &'a mut PlanMeter,
}

impl<G: Game, E: Planning<G>> Task for Widen<'_, G, E> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> bool {
        self.search.widen(self.game, self.meter)
    }
}

impl<G: Game, E: Planning<G>> Search<G> for Beam<G, E> {
    fn search(&mut self, game: &G, budget: Budget) -> Report<G::Move> {
        let mut meter = self.meter.again(budget);
        if !self.options.keep_plan {
            self.plan.clear();
        }
        self.plan.resume(game, &self.evaluation, &mut meter);
        let solved = meter.is_in_time() && cpu::dispatch(Widen { search: self, game, meter: &mut meter });
        let report = self.plan.report(game, &self.evaluation, &mut meter, solved);
        self.meter = meter;
        report
    }

    fn line(&self, _game: &G, best: G::Move) -> List<G::Move, LINE> {
        or_only(self.plan.line(), best)
    }
}

/// Ranks by score; ties go to the earlier candidate.
#[inline(always)]
fn rank_of(score: Score, number: u32) -> u64 {
    u64::from(score.value() as u32 ^ 1 << 31) << 32 | u64::from(!number)
}

#[inline(always)]
fn score_of(rank: u64) -> Score {
    Score::from_value(((rank >> 32) as u32 ^ 1 << 31) as i32)
}

/// Iterates over the moves from an entry of the trail back to the root.
struct Walk<'a, M> {
    trail: &'a [(u32, M)],
    at: u32,
}

impl<M: Copy> Iterator for Walk<'_, M> {
    type Item = M;

    fn next(&mut self) -> Option<M> {
        let &(parent, m) = self.trail.get(self.at as usize)?;
        self.at = parent;
        Some(m)
    }
}

/// Which keys a level has, and where. A bucket is a cache line; a key that finds its bucket full isn't
/// stored, and its duplicates are not detected.
#[derive(Debug, Clone)]
struct Seen {
    buckets: Vec<[Place; 4]>,
    /// Places of another generation are empty: the table is cleared in constant time.
    generation: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Place {
    key: u64,
    generation: u32,
    slot: u32,
}

impl Seen {
    /// Room for `states` keys, a quarter of the places: one in 250 buckets is then full.
    fn with_states(states: usize) -> Seen {
        Seen { buckets: vec![Default::default(); states], generation: 0 }
    }

    fn clear(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.buckets.fill(Default::default());
            self.generation = 1;
        }
    }

    #[inline(always)]
    fn bucket(&mut self, key: u64) -> &mut [Place; 4] {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &mut self.buckets[index as usize]
    }

    #[inline(always)]
    fn find(&mut self, key: u64) -> Option<u32> {
        let generation = self.generation;
        let place = self.bucket(key).iter().find(|place| place.key == key && place.generation == generation);
        place.map(|place| place.slot)
    }

    #[inline(always)]
    fn insert(&mut self, key: u64, slot: u32) {
        let generation = self.generation;
        if let Some(place) = self.bucket(key).iter_mut().find(|place| place.generation != generation) {
            *place = Place { key, generation, slot };
        }
    }

    fn remove(&mut self, key: u64) {
        let generation = self.generation;
        if let Some(place) =
            self.bucket(key).iter_mut().find(|place| place.key == key && place.generation == generation)
        {
            place.generation = 0;
        }
    }
}

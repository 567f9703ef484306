//! Selective alpha-beta: searches only the highest-ranked moves of each position, with make and unmake, for
//! games with too many moves to search them all.

use crate::clock::{Budget, Meter, Rare};
use crate::cpu::{self, Cpu, Task};
use crate::evaluation::Evaluation;
use crate::game::{Game, Payoff, Reversible};
use crate::score::Score;
use crate::search::report::{Report, Search};
use crate::search::window::Window;

/// Width and depth.
#[derive(Debug, Clone)]
pub struct SelectiveOptions {
    /// How many moves of a position are tried: those that [`Evaluation::rank`] puts first. At least 1.
    pub width: usize,
    /// Width at the root; `None` is three times `width`.
    pub root_width: Option<usize>,
    /// Plies to look ahead, at least 1.
    pub depth: u32,
    /// Put all moves of a position in order, O(n log n), where a heap of the best q of n takes O(n log q):
    /// for measuring what the heap saves. The answers are the same. The list of all moves is allocated when a
    /// search begins that needs more room than those before it.
    pub full_sort: bool,
    /// Re-rank the moves after every make and unmake, as MNKGames does, whose list of the best cells is always up to
    /// date: for measuring as it did. The answers are the same.
    pub each_mark: bool,
}

impl Default for SelectiveOptions {
    /// Seven moves of each position, 21 at the root, four plies deep.
    fn default() -> SelectiveOptions {
        SelectiveOptions { width: 7, root_width: None, depth: 4, full_sort: false, each_mark: false }
    }
}

/// Alpha-beta to a fixed depth over the best few moves of each position, within a number of nodes that the
/// root's moves share: the first gets a quarter, each other an equal part of the rest, and the unused part of
/// a share passes to the next move. When a move's share is used up, positions that are not yet searched count
/// with their static evaluation.
///
/// The search of the player MNKGames (Flecart, 2022). Without a node limit in the budget there are no shares;
/// a deadline ends the search in any case, and the best of the root's moves that are finished counts.
/// [`calibrate`](Selective::calibrate) turns time into nodes.
///
/// Moves that were left out may be better than all that were tried, so a win or loss in the
/// [`Report::score`] is certain only if it is [solved](Report::solved).
#[derive(Debug, Clone)]
pub struct Selective<G: Game, E> {
    evaluation: E,
    options: SelectiveOptions,
    root_width: usize,
    /// The chosen moves of each position from the root to where the search is, each with its key.
    chosen: Vec<(u64, G::Move)>,
    /// All moves of one position, where all are put in order.
    sorted: Vec<(u64, G::Move)>,
    meter: Meter<64>,
    /// The number of moves of the last position whose moves were chosen.
    listed: usize,
    /// The node count at which the root move's share ends.
    share: u64,
    /// The end of a share has cut something off.
    is_cut: bool,
    /// A value depends on an estimate, or a move was left out.
    is_uncertain: bool,
}

impl<G: Reversible, E: Evaluation<G>> Selective<G, E> {
    /// A search with room for the chosen moves of `depth` positions.
    ///
    /// # Panics
    /// When compiled, if the game is not for two players.
    pub fn new(evaluation: E, options: SelectiveOptions) -> Selective<G, E> {
        const { assert!(G::PLAYERS == 2, "selective alpha-beta is for two players") };
        let (width, depth) = (options.width.max(1), options.depth.max(1));
        let root_width = options.root_width.unwrap_or(options.width.saturating_mul(3)).max(1);
        let options = SelectiveOptions { width, depth, ..options };
        Selective {
            // Room for one ply more, whose choices are never read.
            chosen: vec![Default::default(); root_width + width * depth as usize],
            evaluation,
            options,
            root_width,
            sorted: Vec::new(),
            meter: Meter::new(Budget::nodes(0)),
            listed: 0,
            share: 0,
            is_cut: false,
            is_uncertain: false,
        }
    }

    /// How many nodes this search visits on this machine until the budget's deadline, measured by searching `game`
    /// repeatedly: a node is a move made, evaluated or searched, and unmade. 0 without a deadline.
    pub fn calibrate(&mut self, game: &G, budget: Budget) -> u64 {
        let mut nodes = 0;
        while budget.deadline().is_some() && !budget.is_late() {
            match self.search(game, budget).nodes {
                0 => break,
                more => nodes += more,
            }
        }
        nodes
    }

    /// Where in `chosen` the moves of a position `ply` plies from the root stand, and how many there can
    /// be.
    #[inline(always)]
    fn room(&self, ply: u32) -> (usize, usize) {
        match ply {
            0 => (0, self.root_width),
            ply => (self.root_width + (ply as usize - 1) * self.options.width, self.options.width),
        }
    }

    /// Chooses the best moves of a position, the best first; ties go to the smaller code. The best so far are
    /// kept in a heap with the worst on top: O(n log q) for q of n moves. Returns their places.
    #[inline(always)]
    fn choose(&mut self, game: &G, ply: u32) -> std::ops::Range<usize> {
        if self.options.full_sort {
            return self.sort_all(game, ply);
        }
        if self.meter.announce(self.listed) {
            return self.choose_carefully(game, ply);
        }
        self.choose_best::<false>(game, ply)
    }

    #[inline(never)]
    fn choose_carefully(&mut self, game: &G, ply: u32) -> std::ops::Range<usize> {
        self.choose_best::<true>(game, ply)
    }

    #[inline(always)]
    fn choose_best<const CAREFUL: bool>(&mut self, game: &G, ply: u32) -> std::ops::Range<usize> {
        let (start, width) = self.room(ply);
        let chosen = &mut self.chosen[start..start + width];
        let (evaluation, meter) = (&self.evaluation, &mut self.meter);
        let (mut len, mut left_out, mut listed) = (0, false, 0);
        game.for_each_move(|m| {
            listed += 1;
            // Once the deadline has passed, any moves will do.
            let key = if meter.step_if::<CAREFUL>() { key(evaluation, game, m) } else { 0 };
            if len < width {
                chosen[len] = (key, m);
                len += 1;
                if len == width {
                    (0..width / 2).rev().for_each(|i| sink(chosen, i));
                }
            } else {
                left_out = true;
                if key > chosen[0].0 {
                    chosen[0] = (key, m);
                    sink(chosen, 0);
                }
            }
        });
        chosen[..len].sort_unstable_by_key(|&(key, _)| std::cmp::Reverse(key));
        self.is_uncertain |= left_out;
        self.listed = listed;
        start..start + len
    }

    /// Chooses the same moves by sorting all of them.
    #[inline(never)]
    fn sort_all(&mut self, game: &G, ply: u32) -> std::ops::Range<usize> {
        let (start, width) = self.room(ply);
        let _ = self.meter.announce(self.listed);
        let (evaluation, sorted, meter) = (&self.evaluation, &mut self.sorted, &mut self.meter);
        sorted.clear();
        game.for_each_move(|m| sorted.push((if meter.step() { key(evaluation, game, m) } else { 0 }, m)));
        self.listed = sorted.len();
        sorted.sort_unstable_by_key(|&(key, _)| std::cmp::Reverse(key));
        self.is_uncertain |= sorted.len() > width;
        let len = sorted.len().min(width);
        self.chosen[start..start + len].copy_from_slice(&sorted[..len]);
        start..start + len
    }

    #[inline(always)]
    fn run<C: Cpu>(&mut self, cpu: C, game: &G, budget: Budget) -> Report<G::Move> {
        self.meter = self.meter.again(budget);
        if self.options.full_sort && self.meter.is_in_time() {
            self.sorted.clear();
            self.sorted.reserve(game.count_moves());
        }
        (self.is_cut, self.is_uncertain) = (false, false);
        let mut game = game.clone();
        let moves = self.choose(&game, 0);
        if moves.is_empty() {
            return Report::ended(self.evaluation.ended(&game));
        }
        let best = Some(self.chosen[0].1);
        let is_in_time = self.meter.is_in_time();
        let score = if is_in_time { self.evaluation.evaluate(&game) } else { Score::DRAW };
        let mut report = Report { best, score, nodes: 0, depth: 0, solved: false, restarted: false };
        let mut alpha = -Score::INFINITY;
        for i in moves.clone() {
            self.share = share(budget.max_nodes(), i as u64, moves.len() as u64);
            if self.meter.nodes() >= self.share {
                self.is_cut = true;
                continue;
            }
            let window = Window { depth: self.options.depth, ply: 0, alpha, beta: Score::INFINITY };
            let Some(value) = self.child(cpu, &mut game, i, window) else { break };
            if value > alpha {
                alpha = value;
                (report.best, report.score) = (Some(self.chosen[i].1), value);
            }
            // Nothing is better than an immediate win.
            if value >= earliest(1) {
                (self.is_cut, self.is_uncertain) = (false, false);
                break;
            }
        }
        report.nodes = self.meter.nodes();
        let is_whole = !self.is_cut && !self.meter.is_spent();
        report.depth = if is_whole { self.options.depth } else { u32::from(alpha > -Score::INFINITY) };
        report.solved = is_whole && !self.is_uncertain;
        report
    }

    /// The value of the `i`-th chosen move to its mover; `None` once the budget is spent.
    #[inline(always)]
    fn child<C: Cpu>(&mut self, cpu: C, game: &mut G, i: usize, window: Window) -> Option<Score> {
        if self.meter.is_due() {
            return self.child_looked(cpu, game, i, window);
        }
        self.meter.add(1);
        self.made::<C, false>(cpu, game, i, window)
    }

    /// The part after a look at the budget.
    #[inline(never)]
    fn child_looked<C: Cpu>(&mut self, cpu: C, game: &mut G, i: usize, window: Window) -> Option<Score> {
        if self.meter.take() {
            self.made::<C, true>(cpu, game, i, window)
        } else {
            None
        }
    }

    /// The value of a chosen move that is counted.
    #[inline(always)]
    fn made<C: Cpu, const CAREFUL: bool>(
        &mut self,
        cpu: C,
        game: &mut G,
        i: usize,
        window: Window,
    ) -> Option<Score> {
        let (mover, m) = (game.to_move(), self.chosen[i].1);
        let undo = game.make(m);
        if !self.meter.step_if::<CAREFUL>() {
            return None;
        }
        let same = game.to_move() == mover;
        let value = if game.is_over() {
            if !self.meter.meets(Rare::END) {
                return None;
            }
            self.evaluation.ended(game).add_mate_distance(window.ply + 1)
        } else if window.depth <= 1 || self.meter.nodes() >= self.share {
            self.is_cut |= window.depth > 1;
            self.choose_again(game);
            self.is_uncertain = true;
            self.evaluation.evaluate(game)
        } else {
            cpu.call(Node { search: self, game, window: window.below(same) })
        };
        // Once the budget is spent, nothing is searched from this state any more.
        if self.meter.is_spent() || !self.meter.step_if::<CAREFUL>() {
            return None;
        }
        game.unmake(m, undo);
        self.choose_again(game);
        Some(value.for_parent(same))
    }

    /// With [`SelectiveOptions::each_mark`], chooses moves that are never read.
    #[inline(always)]
    fn choose_again(&mut self, game: &G) {
        if self.options.each_mark {
            let is_uncertain = self.is_uncertain;
            self.choose(game, self.options.depth);
            self.is_uncertain = is_uncertain;
        }
    }
}

/// The count of nodes at which the share of the root's `i`-th of `moves` moves ends, of `nodes` in all.
fn share(nodes: u64, i: u64, moves: u64) -> u64 {
    if nodes == u64::MAX || moves == 1 {
        return nodes;
    }
    let first = nodes.div_ceil(4);
    first + (u128::from(nodes - first) * u128::from(i) / u128::from(moves - 1)) as u64
}

/// A move's sort key within its position: by rank, ties to the smaller code.
#[inline(always)]
fn key<G: Game, E: Evaluation<G>>(evaluation: &E, game: &G, m: G::Move) -> u64 {
    u64::from(evaluation.rank(game, m) as u32 ^ 1 << 31) << 16 | u64::from(!G::move_index(m))
}

/// A win that many plies from the root.
#[inline(always)]
fn earliest(ply: u32) -> Score {
    Score::ended(Payoff(1)).add_mate_distance(ply)
}

/// Sifts the `i`-th entry of a heap down to where no child is smaller.
#[inline(always)]
fn sink<M: Copy>(heap: &mut [(u64, M)], mut i: usize) {
    loop {
        let mut child = 2 * i + 1;
        if child + 1 < heap.len() && heap[child + 1].0 < heap[child].0 {
            child += 1;
        }
        if child >= heap.len() || heap[i].0 <= heap[child].0 {
            return;
        }
        heap.swap(i, child);
        i = child;
    }
}

/// A position below the root that is not over.
struct Node<'a, G: Game, E> {
    search: &'a mut Selective<G, E>,
    game: &'a mut G,
    window: Window,
}

impl<G: Reversible, E: Evaluation<G>> Task for Node<'_, G, E> {
    type Output = Score;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Score {
        let Node { search, game, mut window } = self;
        // No win is quicker than the next ply: with a quicker one already found, the search can stop.
        let most = earliest(window.ply + 1);
        if most <= window.alpha {
            return most;
        }
        if -most >= window.beta {
            return -most;
        }
        if !search.meter.meets(Rare::LIST) {
            return Score::DRAW;
        }
        let mut best = -Score::INFINITY;
        for i in search.choose(game, window.ply) {
            if best > -Score::INFINITY && search.meter.nodes() >= search.share {
                (search.is_cut, search.is_uncertain) = (true, true);
                break;
            }
            let Some(value) = search.child(cpu, game, i, window) else { return Score::DRAW };
            best = best.max(value);
            if best >= window.beta {
                break;
            }
            window.alpha = window.alpha.max(best);
        }
        best
    }
}

struct Run<'a, G: Game, E> {
    search: &'a mut Selective<G, E>,
    game: &'a G,
    budget: Budget,
}

impl<G: Reversible, E: Evaluation<G>> Task for Run<'_, G, E> {
    type Output = Report<G::Move>;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Report<G::Move> {
        self.search.run(cpu, self.game, self.budget)
    }
}

impl<G: Reversible, E: Evaluation<G>> Search<G> for Selective<G, E> {
    fn search(&mut self, game: &G, budget: Budget) -> Report<G::Move> {
        cpu::dispatch(Run { search: self, game, budget })
    }
}

//! The bot's search: principal variation search with iterative deepening over the best cells of each position, with a
//! threat search at each node.

mod candidates;

use coppice::clock::Meter;
use coppice::rng::mix;
use coppice::table::{Bound, Entry, Table};
use coppice::{Budget, Payoff, Score};

use super::field::Field;
use super::threats::Threats;
use candidates::{Candidate, MOST_ANSWERS};

/// Maximum ply of the search.
const MAX_PLIES: u32 = 60;

/// Number of positions without a forced win that the threat search remembers.
const REMEMBERED: usize = 1 << 15;

contest::tunables! {
    /// Tunable parameters of [`ThreatSearch`].
    pub struct Numbers {
        /// Number of best cells searched in each position.
        width: u32 = 8 in 2..=60,
        /// Number of best cells searched at the root.
        root_width: u32 = 24 in 2..=120,
        /// Weight of the mover's lines, in percent of the opponent's.
        tempo: i32 = 112 in 100..=300,
        /// Node limit of the threat search at the root.
        root_threats: u32 = 20_000 in 0..=1_000_000,
        /// Node limit of the threat search at any other position.
        threats: u32 = 60 in 0..=100_000,
        /// From this move of a position on, each is first searched one ply less deep (late move reduction); 0 turns
        /// it off.
        late: u32 = 5 in 0..=60,
    }
}

/// The result of a search.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    /// The cell to mark.
    pub at: usize,
    /// The score for the player to move.
    pub score: Score,
    /// Nodes visited.
    pub nodes: u64,
    /// Depth of the search in plies.
    pub depth: u32,
    /// Whether the score is proved.
    pub solved: bool,
}

/// The bounds, depth and ply of a search.
#[derive(Clone, Copy)]
struct Window {
    depth: i32,
    ply: u32,
    alpha: Score,
    beta: Score,
}

/// The search, with all of its memory.
#[derive(Debug, Clone)]
pub struct ThreatSearch {
    field: Field,
    threats: Threats,
    table: Table,
    numbers: Numbers,
    killers: Vec<[u16; 2]>,
    /// The number of marks within two rows and columns of each cell, and the cells where it isn't 0.
    around: Vec<u8>,
    near: Vec<u64>,
    /// The candidates of all positions on the current path.
    lists: Vec<Candidate>,
    meter: Meter<64>,
    /// How often an estimate entered a value, and how often moves were omitted.
    estimates: u64,
    omissions: u64,
    /// The number of times the width has been doubled.
    wider: u32,
    /// The depth of this iteration.
    iteration: u32,
}

impl ThreatSearch {
    /// A search for boards of this size, with a table of `table_bytes` bytes.
    pub fn new(field: Field, numbers: Numbers, table_bytes: usize) -> ThreatSearch {
        let (cells, words) = (field.len(), field.words());
        ThreatSearch {
            field,
            threats: Threats::new(REMEMBERED),
            table: Table::with_bytes(table_bytes),
            numbers,
            killers: vec![[u16::MAX; 2]; MAX_PLIES as usize + 1],
            around: vec![0; cells],
            near: vec![0; words],
            lists: Vec::with_capacity((MAX_PLIES as usize + 2) * cells.min(MOST_ANSWERS) + cells),
            meter: Meter::new(Budget::nodes(0)),
            estimates: 0,
            omissions: 0,
            wider: 0,
            iteration: 0,
        }
    }

    /// The position.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// Sets the position: `mark` returns each cell's mark, encoded as in [`Field::mark`].
    pub fn set(&mut self, mark: impl Fn(usize) -> u8) {
        for at in 0..self.field.len() {
            let (old, new) = (self.field.mark(at), mark(at));
            if old != new {
                if old != 0 {
                    self.take(at, usize::from(old) - 1);
                }
                if new != 0 {
                    self.put(at, usize::from(new) - 1);
                }
            }
        }
    }

    /// Finds the best move of a position that is not over.
    pub fn search(&mut self, player: usize, budget: Budget) -> Found {
        self.table.age();
        self.meter = Meter::new(budget);
        self.killers.fill([u16::MAX; 2]);
        self.wider = 0;
        self.lists.clear();
        let first = self.candidates(player, &[]);
        let mut found = Found { at: first, score: self.evaluate(player), nodes: 0, depth: 0, solved: false };
        if let Some((at, score)) = self.at_once(player) {
            (found.at, found.score) = (at, score);
            found.solved = score.is_win() || score.is_loss() || score == Score::DRAW;
            return found;
        }
        let forced = self.threats.search(
            &mut self.field,
            &mut self.meter,
            player,
            u64::from(self.numbers.root_threats),
        );
        if let Some(forced) = forced {
            (found.at, found.score, found.solved) = (forced.at, win(forced.plies), true);
            (found.nodes, found.depth) = (self.meter.nodes(), forced.plies);
            return found;
        }
        let mut depth = 1;
        while depth < MAX_PLIES {
            let (estimates, omissions) = (self.estimates, self.omissions);
            self.iteration = depth;
            if !self.root(player, depth as i32, &mut found) {
                break;
            }
            found.depth = depth;
            let certain = found.score.is_win() || found.score.is_loss();
            found.solved = certain || (estimates, omissions) == (self.estimates, self.omissions);
            if found.solved {
                break;
            }
            // A deeper search of these moves would change nothing: widen instead.
            let is_widest = (self.numbers.width as usize) << self.wider > self.field.len();
            let is_whole = estimates == self.estimates;
            if !is_widest && (is_whole || depth as usize >= self.field.free().1) {
                self.wider += 1;
            } else if is_whole {
                break;
            } else {
                depth += 1;
            }
        }
        found.nodes = self.meter.nodes();
        found
    }

    /// A move that needs no search, and its score: a winning move, the only move that doesn't lose at once, or any
    /// move when neither player can win.
    fn at_once(&self, player: usize) -> Option<(usize, Score)> {
        if self.field.open(0) + self.field.open(1) == 0 {
            return Some((self.centre(), Score::DRAW));
        }
        let (wins, at) = self.field.wins(player);
        if wins > 0 {
            return Some((at, win(1)));
        }
        match self.field.wins(1 - player) {
            (0, _) => None,
            (1, at) => Some((at, self.evaluate(player))),
            (_, at) => Some((at, -win(2))),
        }
    }

    /// Searches the root's moves once, the best first. Returns false if the budget ran out.
    fn root(&mut self, player: usize, depth: i32, found: &mut Found) -> bool {
        let (mut best, mut best_at) = (-Score::INFINITY, None);
        self.lists.clear();
        self.candidates(player, &[found.at as u16]);
        let width = (self.numbers.root_width as usize) << self.wider;
        let mut tried = 0;
        while let Some((_, at)) = self.next(player, 0, tried, width, best) {
            let window = Window { depth, ply: 0, alpha: best, beta: Score::INFINITY };
            let value = self.child(player, usize::from(at), window, tried, false);
            if self.meter.is_spent() {
                break;
            }
            if value > best {
                (best, best_at) = (value, Some(usize::from(at)));
                (found.at, found.score) = (usize::from(at), value);
            }
            tried += 1;
            if best.is_win() {
                return true;
            }
        }
        if self.meter.is_spent() {
            return false;
        }
        if tried < self.field.free().1 {
            self.omissions += 1;
            if best.is_loss() {
                found.score = Score::estimate(-Score::MAX_ESTIMATE);
            }
        }
        best_at.is_some()
    }

    /// The value of a move for its mover, searched after `tried` others.
    fn child(&mut self, player: usize, at: usize, window: Window, tried: usize, threatened: bool) -> Score {
        if !self.meter.take() {
            return Score::DRAW;
        }
        self.put(at, player);
        let Window { depth, ply, alpha, beta } = window;
        let full = Window { depth: depth - 1, ply: ply + 1, alpha: -beta, beta: -alpha };
        let other = 1 - player;
        let mut value = beta;
        if tried > 0 {
            let empty = Window { alpha: -alpha.next(), ..full };
            let late = self.numbers.late as usize;
            let reduced = late > 0 && tried >= late && depth >= 3 && !threatened;
            value = -self.node(other, Window { depth: empty.depth - i32::from(reduced), ..empty });
            if reduced && value > alpha && !self.meter.is_spent() {
                value = -self.node(other, empty);
            }
        }
        if tried == 0 || value > alpha && value < beta && !self.meter.is_spent() {
            value = -self.node(other, full);
        }
        self.take(at, player);
        value
    }

    /// The value of a position below the root for the player to move.
    fn node(&mut self, player: usize, mut window: Window) -> Score {
        let (other, ply) = (1 - player, window.ply);
        let open = [self.field.open(player) > 0, self.field.open(other) > 0];
        let free = self.field.free().1;
        if free == 0 || open == [false, false] {
            return Score::DRAW;
        }
        if self.field.wins(player).0 > 0 {
            return win(ply + 1);
        }
        let (met, block) = self.field.wins(other);
        if met > 1 {
            return -win(ply + 2);
        }
        if !open[0] && window.alpha >= Score::DRAW || !open[1] && window.beta <= Score::DRAW {
            return Score::DRAW;
        }
        if ply >= MAX_PLIES {
            return self.estimate(player);
        }
        let key = self.key(player);
        let known = self.table.probe(key);
        if let Some(entry) = known {
            let score = entry.score.add_mate_distance(ply);
            let holds = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= window.beta,
                Bound::Upper => score <= window.alpha,
            };
            if holds && (entry.solved || i32::from(entry.depth) >= window.depth) {
                self.estimates += u64::from(!entry.solved);
                return score;
            }
        }
        let nodes = u64::from(self.numbers.threats);
        if let Some(forced) = self.threats.search(&mut self.field, &mut self.meter, player, nodes) {
            let score = win(forced.plies);
            let best = forced.at as u16;
            self.table.store(key, Entry { score, bound: Bound::Lower, depth: 0, solved: true, best });
            return score.add_mate_distance(ply);
        }
        if window.depth <= 0 && met == 0 {
            return self.estimate(player);
        }
        let mut first = [u16::MAX; 4];
        if met == 1 {
            // A forced answer costs no depth.
            window.depth += 1;
        } else {
            let entry = known.filter(|entry| entry.bound != Bound::Upper);
            first[0] = entry.map_or(u16::MAX, |entry| entry.best);
            let forced = self.threats.search(&mut self.field, &mut self.meter, other, nodes);
            first[1] = forced.map_or(u16::MAX, |forced| forced.at as u16);
            [first[2], first[3]] = self.killers[ply as usize];
            // Neither does an answer to a threat.
            if forced.is_some() && ply < 2 * self.iteration {
                window.depth += 1;
            }
        }
        if self.meter.is_spent() {
            return Score::DRAW;
        }
        let (estimates, omissions, alpha) = (self.estimates, self.omissions, window.alpha);
        let (mut best, mut best_at, mut tried) = (-Score::INFINITY, u16::MAX, 0);
        if met == 1 {
            best = self.child(player, block, window, 0, true);
            best_at = block as u16;
        } else {
            let start = self.lists.len();
            let width = (self.numbers.width as usize) << self.wider;
            self.candidates(player, &first);
            while let Some((_, at)) = self.next(player, start, tried, width, best) {
                let value = self.child(player, usize::from(at), window, tried, first[1] != u16::MAX);
                if self.meter.is_spent() {
                    break;
                }
                tried += 1;
                if value > best {
                    (best, best_at) = (value, at);
                }
                if best >= window.beta {
                    let killers = &mut self.killers[ply as usize];
                    if killers[0] != at {
                        *killers = [at, killers[0]];
                    }
                    break;
                }
                window.alpha = window.alpha.max(best);
            }
            self.lists.truncate(start);
            if best < window.beta && tried < free {
                self.omissions += 1;
                // An omitted move may save the game.
                if best.is_loss() {
                    best = Score::estimate(-Score::MAX_ESTIMATE);
                }
            }
        }
        if self.meter.is_spent() {
            return Score::DRAW;
        }
        let bound = match best {
            _ if best >= window.beta => Bound::Lower,
            _ if best > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let same = (estimates, omissions) == (self.estimates, self.omissions);
        let solved = same || best.is_win() || best.is_loss();
        let depth = window.depth.clamp(0, 255) as u8;
        self.table.store(
            key,
            Entry { score: best.subtract_mate_distance(ply), bound, depth, solved, best: best_at },
        );
        best
    }

    /// The table key of a position. It includes the width, since results differ when more moves are searched.
    fn key(&self, player: usize) -> u64 {
        self.field.hash() ^ mix((self.wider << 1 | player as u32) as u64 + (1 << 32))
    }

    fn estimate(&mut self, player: usize) -> Score {
        self.estimates += 1;
        self.evaluate(player)
    }

    /// The weight of the windows that the player to move can still fill, minus the opponent's.
    fn evaluate(&self, player: usize) -> Score {
        let [own, other] = [player, 1 - player].map(|player| i64::from(self.field.weight(player)));
        let value = own * i64::from(self.numbers.tempo) / 100 - other;
        Score::estimate(value.clamp(-800_000, 800_000) as i32)
    }

    fn put(&mut self, at: usize, player: usize) {
        self.field.put(at, player);
        self.surround::<true>(at);
    }

    fn take(&mut self, at: usize, player: usize) {
        self.field.take(at, player);
        self.surround::<false>(at);
    }
}

/// The score of a win in `plies` plies.
fn win(plies: u32) -> Score {
    Score::ended(Payoff(1)).add_mate_distance(plies)
}

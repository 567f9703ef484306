//! Reductions of simultaneous moves to alpha-beta: paranoid search and best-reply search, by the worst reply or the mean
//! of the worst few.

use crate::clock::{Budget, Rare};
use crate::game::Player;
use crate::joint::{players, worth, Choices, Estimate, Joint, MAX_PLAYERS};
use crate::list::{pick, sort, Moves};

use super::recursion::{deepen, mean, ranked, NodeMeter, Recursion, Sums, Window, MAX_DEPTH};
use super::report::{JointReport, JointSearch};

/// The replies of the opponents that are considered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Replies {
    /// Every combination of their moves, as if they were one player against this one: paranoid search (Sturtevant and
    /// Korf, *On Pruning Techniques for Multi-Player Games*, 2000).
    All,
    /// One opponent replies, the others make the move that [`Estimate::rank`] puts first: best-reply search (Schadd
    /// and Winands, *Best Reply Search for Multiplayer Games*, 2011, section III; there the others pass, which most games
    /// with simultaneous moves don't allow). As many replies as the opponents have moves together, not as there are
    /// combinations.
    One,
}

/// The most replies in a mean.
const MAX_WORST: usize = 16;

/// Parameters of the reduced search.
#[derive(Debug, Clone)]
pub struct ParanoidOptions {
    /// The replies considered.
    pub replies: Replies,
    /// A move's value is the mean over its N worst replies, or over all if there are fewer: 1 for the worst alone, at most 16.
    /// The mean of the worst share of results is known as conditional value at risk (Rockafellar and Uryasev, *Optimization of
    /// Conditional Value-at-Risk*, 2000).
    pub worst: usize,
    /// The most turns looked ahead, from 1 to 64.
    pub depth: u32,
}

impl Default for ParanoidOptions {
    fn default() -> ParanoidOptions {
        ParanoidOptions { replies: Replies::All, worst: 1, depth: MAX_DEPTH }
    }
}

/// Alpha-beta over a reduced game: in each turn the player moves first, and the opponents, who see that move, reply
/// to harm the player. Iterative deepening; where chance decides, the mean with Star1's cuts.
///
/// With the worst of all replies, the value is what a pure strategy secures in two-player games: no more than the
/// game's value, and often far less, as the player is not allowed to mix (in rock-paper-scissors it is a loss). With
/// `worst` above 1 replies that would need luck count less: a few bad ones don't condemn a move. It answers quickly and
/// predictably where moves hardly interfere; [`Regret`](crate::search::Regret) is for games in which they do.
///
/// ```
/// # use coppice::{Choices, Joint, List, Payoff, Player};
/// use coppice::search::{JointSearch, Paranoid, ParanoidOptions};
/// use coppice::Budget;
///
/// // Rows against columns, once: [5, 5, 5, -6] or [1, 1, 1, 1].
/// # #[derive(Clone, PartialEq)]
/// # struct Once(Option<i32>);
/// # impl Joint for Once {
/// #     type Move = u8;
/// #     type Moves = List<u8, 4>;
/// #     type Outcome = ();
/// #     const MAX_POINTS: i32 = 6;
/// #     fn moves(&self, player: Player, list: &mut List<u8, 4>) {
/// #         let count = if player == Player::FIRST { 2 } else { 4 };
/// #         (0..count).filter(|_| self.0.is_none()).for_each(|m| list.push(m));
/// #     }
/// #     fn play(&mut self, choices: &Choices<u8>) {
/// #         let [row, column] = [Player::FIRST, Player::SECOND].map(|p| usize::from(choices.of(p).unwrap_or(0)));
/// #         self.0 = Some([[5, 5, 5, -6], [1, 1, 1, 1]][row][column]);
/// #     }
/// #     fn payoff(&self, player: Player) -> Payoff {
/// #         Payoff(self.0.unwrap_or(0) * if player == Player::FIRST { 1 } else { -1 })
/// #     }
/// #     fn hash(&self) -> u64 { 0 }
/// # }
/// let none = |_: &Once, _: Player| 0.0;
/// let mut best = |worst| {
///     let mut search = Paranoid::new(none, ParanoidOptions { worst, ..ParanoidOptions::default() });
///     let report = search.search(&Once(None), Player::FIRST, Budget::nodes(100));
///     (report.best, report.value)
/// };
/// assert_eq!(best(1), (Some(1), 1.0));
/// assert_eq!(best(4), (Some(0), 2.25));
/// ```
#[derive(Debug, Clone)]
pub struct Paranoid<G, E> {
    estimate: E,
    options: ParanoidOptions,
    /// An estimate went into the last values.
    is_estimated: bool,
    game: std::marker::PhantomData<G>,
}

/// The worst replies found so far, the worst first, and how many are wanted.
struct Worst {
    values: [f64; MAX_WORST],
    found: usize,
    wanted: usize,
}

impl Worst {
    fn sum(&self) -> f64 {
        self.values[..self.found].iter().sum()
    }

    /// The window of the next reply: at or below it the mean is at most `window.alpha`, and above it the reply
    /// doesn't matter, or the mean is at least `window.beta`.
    fn window(&self, window: Window, most: f64) -> Window {
        let wanted = self.wanted as f64;
        let unknown = self.wanted - self.found;
        // As in Star1, those not yet found are taken to be worth as much as possible.
        let (others, last) = match unknown {
            0 => (self.sum() - self.values[self.found - 1], self.values[self.found - 1]),
            _ => (self.sum() + (unknown - 1) as f64 * most, most + 1.0),
        };
        let high = wanted * window.beta + (wanted - 1.0) * most;
        Window { alpha: (wanted * window.alpha - others).max(-most - 1.0), beta: last.min(high) }
    }

    fn add(&mut self, value: f64) {
        if self.found < self.wanted {
            self.found += 1;
        } else if value >= self.values[self.found - 1] {
            return;
        }
        let mut at = self.found - 1;
        while at > 0 && self.values[at - 1] > value {
            self.values[at] = self.values[at - 1];
            at -= 1;
        }
        self.values[at] = value;
    }
}

/// The opponents' replies to a move, one after the other.
struct Combinations<G: Joint> {
    player: Player,
    lists: [G::Moves; MAX_PLAYERS],
    /// The index of each opponent's move.
    at: [usize; MAX_PLAYERS],
    one: bool,
}

impl<G: Joint> Combinations<G> {
    /// All of them, if the deadline doesn't pass.
    fn new<E: Estimate<G>>(
        game: &G,
        player: Player,
        estimate: &E,
        one: bool,
        meter: &mut NodeMeter,
    ) -> Combinations<G> {
        let lists = std::array::from_fn(|i| {
            let other = Player::new(i as u8);
            if i >= G::PLAYERS || other == player {
                return G::Moves::default();
            }
            let Some((mut list, mut ranks)) = ranked(game, other, estimate, meter) else {
                return G::Moves::default();
            };
            sort(&mut list, ranks.as_mut(), G::Moves::ranks().as_mut());
            list
        });
        Combinations { player, lists, at: [0; MAX_PLAYERS], one }
    }

    fn count(&self) -> usize {
        let lens = self.lists.iter().map(|list| list.len()).filter(|&len| len > 0);
        if self.one {
            1 + lens.map(|len| len - 1).sum::<usize>()
        } else {
            lens.fold(1, usize::saturating_mul)
        }
    }

    /// The player's move with the present replies.
    fn choices(&self, own: Option<G::Move>) -> Choices<G::Move> {
        let mut choices = Choices::NONE;
        own.into_iter().for_each(|m| choices.set(self.player, m));
        for player in players::<G>() {
            if let Some(&m) = self.lists[player.index()].get(self.at[player.index()]) {
                choices.set(player, m);
            }
        }
        choices
    }

    /// Goes on to the next combination; `false` if that was the last.
    fn advance(&mut self) -> bool {
        if self.one {
            // One opponent at a time leaves its first move, and is back there when the next one's turn comes.
            let turn = self.at.iter().position(|&at| at > 0);
            if let Some(i) = turn.filter(|&i| self.at[i] + 1 < self.lists[i].len()) {
                self.at[i] += 1;
                return true;
            }
            self.at = [0; MAX_PLAYERS];
            let next = (turn.map_or(0, |i| i + 1)..MAX_PLAYERS).find(|&i| self.lists[i].len() > 1);
            next.into_iter().for_each(|i| self.at[i] = 1);
            return next.is_some();
        }
        for (at, list) in self.at.iter_mut().zip(&self.lists) {
            if *at + 1 < list.len() {
                *at += 1;
                return true;
            }
            *at = 0;
        }
        false
    }
}

impl<G: Joint, E: Estimate<G>> Paranoid<G, E> {
    /// A search by this estimate.
    pub fn new(estimate: E, options: ParanoidOptions) -> Paranoid<G, E> {
        let options = ParanoidOptions {
            worst: options.worst.clamp(1, MAX_WORST),
            depth: options.depth.clamp(1, MAX_DEPTH),
            ..options
        };
        Paranoid { estimate, options, is_estimated: false, game: std::marker::PhantomData }
    }

    /// A state's value for `player`, searched to `depth` turns. `None` if the budget ended first.
    fn value(
        &mut self,
        game: &G,
        player: Player,
        depth: u32,
        window: Window,
        meter: &mut NodeMeter,
    ) -> Option<f64> {
        if !meter.step() {
            return None;
        }
        if game.awaits_chance() {
            let most = f64::from(G::MAX_POINTS);
            let unknown = (Sums::of(most), |_: &Self, _: usize| (-most, most));
            return mean(self, game, Some(window), unknown, meter, |search, next, window, meter| {
                search.value(next, player, depth, window, meter)
            });
        }
        let is_over = game.is_over();
        if !(if is_over { meter.meets(Rare::END) } else { meter.step() }) {
            return None;
        }
        if is_over || depth == 0 {
            self.is_estimated |= !is_over;
            return Some(worth(game, &self.estimate, player, is_over));
        }
        let (mut list, mut ranks) = ranked(game, player, &self.estimate, meter)?;
        if list.is_empty() {
            return self.replied(game, player, None, (depth, window), meter);
        }
        let (mut window, mut best) = (window, f64::NEG_INFINITY);
        for i in 0..list.len() {
            let m = pick(&mut list, ranks.as_mut(), i);
            best = best.max(self.replied(game, player, Some(m), (depth, window), meter)?);
            window.narrow(best, true);
            if window.is_empty() {
                break;
            }
        }
        Some(best)
    }

    /// A move's value after the replies to it.
    fn replied(
        &mut self,
        game: &G,
        player: Player,
        own: Option<G::Move>,
        (depth, window): (u32, Window),
        meter: &mut NodeMeter,
    ) -> Option<f64> {
        let most = f64::from(G::MAX_POINTS);
        let mut replies =
            Combinations::new(game, player, &self.estimate, self.options.replies == Replies::One, meter);
        if meter.is_spent() {
            return None;
        }
        let wanted = self.options.worst.min(replies.count());
        let mut worst = Worst { values: [0.0; MAX_WORST], found: 0, wanted };
        loop {
            if !meter.take() {
                return None;
            }
            let mut next = game.clone();
            next.play(&replies.choices(own));
            let narrow = worst.window(window, most);
            let value = self.value(&next, player, depth - 1, narrow, meter)?;
            worst.add(value);
            if value <= narrow.alpha {
                // An upper bound of the mean.
                let unknown = (wanted - worst.found) as f64;
                return Some((worst.sum() + unknown * most) / wanted as f64);
            }
            if !replies.advance() {
                return Some(worst.sum() / wanted as f64);
            }
        }
    }
}

impl<G: Joint, E: Estimate<G>> Recursion<G> for Paranoid<G, E> {
    type E = E;

    fn estimate(&self) -> &E {
        &self.estimate
    }

    fn depth(&self) -> u32 {
        self.options.depth
    }

    fn is_estimated(&mut self) -> &mut bool {
        &mut self.is_estimated
    }

    fn after(
        &mut self,
        game: &G,
        player: Player,
        m: G::Move,
        (depth, window): (u32, Window),
        meter: &mut NodeMeter,
    ) -> Option<f64> {
        self.replied(game, player, Some(m), (depth + 1, window), meter)
    }
}

impl<G: Joint, E: Estimate<G>> JointSearch<G> for Paranoid<G, E> {
    fn search(&mut self, game: &G, player: Player, budget: Budget) -> JointReport<G> {
        let report = deepen(self, game, player, budget);
        // The value of a reduced game is never the game's own.
        JointReport { exact: report.best.is_none() && report.exact, ..report }
    }
}

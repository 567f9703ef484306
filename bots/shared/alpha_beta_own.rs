//! Alpha-beta for any number of players who each count points of their own: MiniFrame's.

use std::array;

use contest::notation::GameNotation;
use contest::session::Offer;
use coppice::clock::Meter;
use coppice::cpu::{self, Cpu, Task};
use coppice::{Budget, Evaluation, Game, Player, Report, Rng, Score, Search};

contest::tunables! {
    /// Tunable parameters of [`AlphaBetaOwn`].
    pub struct Numbers {
        /// Depth in plies. MiniFrame's best were 4 in reversi and 12 in Kalah.
        depth: u32 = 12 in 1..=64,
        /// 1: the moves of each position are tried in an order drawn from the seed. 0: as they are listed.
        shuffled: u32 = 0 in 0..=1,
    }
}

/// Alpha-beta as MiniFrame publishes it: depth-first to a fixed depth, each of `N` players takes the move with its own
/// best value (max-n), ties go to the move that is tried first. The moves of a position that haven't been tried are cut
/// off once the player who moved there has another move that is worth more to it than the position's best move so far.
///
/// Where a player gains what the others lose, a cut changes no answer of two players. With values of their own it can: the
/// player to move may prefer an untried move, and the other gain by it too. Where the same player moves twice in a row
/// nothing is cut, since its best move can only become better for it. No cut looks further back than one move.
///
/// If the budget ends early, the answer is the best of the root's moves that were finished.
#[derive(Debug, Clone)]
pub struct AlphaBetaOwn<E, const N: usize> {
    evaluation: E,
    numbers: Numbers,
    rng: Rng,
    meter: Meter<512>,
}

/// The search as a contest with such an evaluation offers it.
pub fn alpha_beta_own<G, E, const N: usize>(evaluation: fn() -> E) -> Offer<G>
where
    G: GameNotation,
    E: Evaluation<G> + Send + 'static,
{
    let about = "alpha-beta of fixed depth for players who each count only their own points: MiniFrame's";
    Offer::tunable("alpha-beta-own", about, move |_, settings, numbers: &Numbers| {
        AlphaBetaOwn::<E, N>::new(evaluation(), *numbers, settings.seed)
    })
}

impl<E, const N: usize> AlphaBetaOwn<E, N> {
    /// A search by this evaluation; `seed` decides the order of shuffled moves.
    pub fn new(evaluation: E, numbers: Numbers, seed: u64) -> AlphaBetaOwn<E, N> {
        AlphaBetaOwn { evaluation, numbers, rng: Rng::new(seed), meter: Meter::new(Budget::nodes(0)) }
    }

    #[inline(always)]
    fn shuffle<M>(&mut self, moves: &mut [M]) {
        if self.numbers.shuffled == 1 {
            (1..moves.len()).rev().for_each(|i| moves.swap(i, self.rng.below(i as u32 + 1) as usize));
        }
    }

    /// Each player's value after a move; `None` once the budget is spent.
    #[inline(always)]
    fn child<C: Cpu, G: Game>(
        &mut self,
        cpu: C,
        game: &G,
        m: G::Move,
        ply: u32,
        rival: Rival,
    ) -> Option<[Score; N]>
    where
        E: Evaluation<G>,
    {
        if !self.meter.take() {
            return None;
        }
        let next = game.after(m);
        cpu.call(Node { search: self, game: &next, ply: ply + 1, rival })
    }
}

/// The player who moved to a position, and what its best other move so far is worth to it; `None` for its first move.
type Rival = Option<(Player, Score)>;

/// A position below the root.
struct Node<'a, G, E, const N: usize> {
    search: &'a mut AlphaBetaOwn<E, N>,
    game: &'a G,
    ply: u32,
    rival: Rival,
}

impl<G: Game, E: Evaluation<G>, const N: usize> Task for Node<'_, G, E, N> {
    type Output = Option<[Score; N]>;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Option<[Score; N]> {
        let Node { search, game, ply, rival } = self;
        if !search.meter.step() {
            return None;
        }
        let players = array::from_fn(|i| Player::new(i as u8));
        if game.is_over() {
            return Some(
                players.map(|player| search.evaluation.ended_for(game, player).add_mate_distance(ply)),
            );
        }
        if ply >= search.numbers.depth {
            return Some(players.map(|player| search.evaluation.evaluate_for(game, player)));
        }
        let mover = game.to_move();
        let rival = rival.filter(|&(player, _)| player != mover);
        let mut list = G::Moves::default();
        game.moves(&mut list);
        search.shuffle(&mut list);
        let mut best: Option<[Score; N]> = None;
        for &m in list.iter() {
            let other = best.map(|best| (mover, best[mover.index()]));
            let values = search.child(cpu, game, m, ply, other)?;
            if other.is_none_or(|(_, least)| values[mover.index()] > least) {
                best = Some(values);
                if rival.is_some_and(|(player, elsewhere)| elsewhere > values[player.index()]) {
                    break;
                }
            }
        }
        best
    }
}

struct Root<'a, G: Game, E, const N: usize> {
    search: &'a mut AlphaBetaOwn<E, N>,
    game: &'a G,
    list: G::Moves,
}

impl<G: Game, E: Evaluation<G>, const N: usize> Task for Root<'_, G, E, N> {
    type Output = Report<G::Move>;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Report<G::Move> {
        let Root { search, game, mut list } = self;
        search.shuffle(&mut list);
        let (mover, mut rival, mut best) = (game.to_move(), None, list.first().copied());
        for &m in list.iter() {
            let Some(values) = search.child(cpu, game, m, 0, rival) else { break };
            let value = values[mover.index()];
            if rival.is_none_or(|(_, least)| value > least) {
                (rival, best) = (Some((mover, value)), Some(m));
            }
        }
        let score = rival.map_or(Score::DRAW, |(_, value)| value);
        let depth = if search.meter.is_spent() { 0 } else { search.numbers.depth };
        Report { best, score, nodes: search.meter.nodes(), depth, solved: false, restarted: false }
    }
}

impl<G: Game, E: Evaluation<G>, const N: usize> Search<G> for AlphaBetaOwn<E, N> {
    fn search(&mut self, game: &G, budget: Budget) -> Report<G::Move> {
        const { assert!(N == G::PLAYERS, "a value for each player") };
        let mut list = G::Moves::default();
        game.moves(&mut list);
        if list.is_empty() {
            return Report::ended(self.evaluation.ended(game));
        }
        self.meter = self.meter.again(budget);
        cpu::dispatch(Root { search: self, game, list })
    }
}

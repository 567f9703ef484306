//! Exhaustive depth-first search for puzzles: counts the solutions.

use crate::clock::{Budget, Meter, Rare};
use crate::cpu::{self, Cpu, Task};
use crate::game::{Game, Player};

/// What [`solutions`] found.
#[derive(Debug, Clone)]
pub struct Solutions<G> {
    /// The number of lines that end in a solution: an end that two lines reach counts twice.
    pub count: u64,
    /// The first solution found: the game's final state.
    pub first: Option<G>,
    /// Moves made.
    pub nodes: u64,
    /// Every line was followed to its end: there are no other solutions.
    pub is_complete: bool,
}

/// Counts the solutions of a game for one player: the ends with a payoff above 0. Stops when there are
/// `limit` of them, or when the budget is spent.
///
/// A limit of 1 finds a solution, 2 tells whether there is exactly one. Moves are tried as they are listed;
/// the state is copied only where there is more than one move. It uses one stack frame for each choice of a
/// line, and no other memory.
///
/// # Panics
/// When compiled, if the game is not for one player.
pub fn solutions<G: Game>(game: &G, limit: u64, budget: Budget) -> Solutions<G> {
    const { assert!(G::PLAYERS == 1, "a game with solutions is for one player") };
    let found = Solutions { count: 0, first: None, nodes: 0, is_complete: true };
    let mut search = Search { limit, meter: Meter::new(budget), found };
    cpu::dispatch(Line { search: &mut search, game: game.clone() });
    Solutions { nodes: search.meter.nodes(), ..search.found }
}

struct Search<G> {
    limit: u64,
    meter: Meter<512>,
    found: Solutions<G>,
}

impl<G> Search<G> {
    /// Counts a move, if the budget has one left.
    #[inline(always)]
    fn goes_on(&mut self) -> bool {
        let goes_on = self.found.count < self.limit && self.meter.take();
        self.found.is_complete &= goes_on;
        goes_on
    }
}

/// All lines from a position on.
struct Line<'a, G> {
    search: &'a mut Search<G>,
    game: G,
}

impl<G: Game> Task for Line<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Line { search, mut game } = self;
        loop {
            let mut list = G::Moves::default();
            game.moves(&mut list);
            let Some((&last, others)) = list.split_last() else { break };
            for &m in others {
                if !search.goes_on() {
                    return;
                }
                cpu.call(Line { search: &mut *search, game: game.after(m) });
            }
            if !search.goes_on() {
                return;
            }
            game.play(last);
        }
        if !search.meter.meets(Rare::END) {
            search.found.is_complete = false;
            return;
        }
        if game.payoff(Player::FIRST).0 > 0 {
            search.found.count += 1;
            search.found.first.get_or_insert(game);
        }
    }
}

//! The root of a graph: the position to be searched, with its part of the last search's graph.

use super::{key_of, McGraph};
use crate::clock::Budget;
use crate::game::Game;
use crate::search::keep::{may_follow, Bound, KEEP_PLIES};
use crate::search::mcts::policy::Policy;
use crate::search::mcts::store::NONE;

impl<G: Game, P: Policy<G>, const V: usize> McGraph<G, P, V> {
    /// Makes `game` the root: with its part of the old graph, or empty. Returns [`Report::restarted`].
    pub(super) fn settle(&mut self, game: &G, budget: &Budget) -> bool {
        let known = self.options.keep_tree && self.game.is_some() && self.follow(game);
        let found = if known { self.store.find(key_of(game)) } else { None };
        match found {
            Some(root) => {
                if root != self.root {
                    self.store.keep(root);
                }
                self.root = root;
            }
            None => {
                self.clear(game);
                if !known {
                    self.solo.clear();
                }
            }
        }
        let last = self.game.as_ref().filter(|_| self.options.keep_tree && found.is_none());
        let restarted = last.is_some_and(|last| !may_follow(last, game, &mut Bound::new(budget)));
        self.game = Some(game.clone());
        self.open_root(game);
        restarted
    }

    fn clear(&mut self, game: &G) {
        self.store.clear();
        self.root = self.store.find_or_make(key_of(game)).unwrap_or(NONE);
    }

    /// For one player whether `game` is on the best line, which then begins there: the values of closed nodes
    /// are stored only for that line.
    fn follow(&mut self, game: &G) -> bool {
        let Some(mut state) = self.game.clone().filter(|_| G::PLAYERS == 1) else { return true };
        for plies in 0..=KEEP_PLIES {
            if &state == game {
                self.solo.line.drain(..plies);
                return true;
            }
            let Some(&m) = self.solo.line.get(plies) else { return false };
            state.play(m);
        }
        false
    }

    /// Gives the root its edges, lets the policy choose among them, and updates the bounds.
    fn open_root(&mut self, game: &G) {
        if self.at(self.root).edges().is_empty() && self.expand(self.root, game, None).is_none() {
            self.clear(game);
            self.expand(self.root, game, None);
        }
        let mut list = G::Moves::default();
        game.moves(&mut list);
        let count = match list.len() {
            0 => 0,
            _ => self.policy.preselect(game, &mut list, &mut self.rng).clamp(1, list.len()),
        };
        self.is_partial = count < list.len();
        for edge in self.at(self.root).edges().iter() {
            let edge = self.store.edges.get_mut(edge);
            edge.is_absent = !list[..count].contains(&edge.m);
        }
        // The edge that stands for the root in the tree's view.
        let id = self.store.edges.root();
        let edge = self.store.edges.get_mut(id);
        (edge.target, edge.by) = (self.root, game.to_move());
        self.refresh(self.root, game.to_move());
        self.settled = self.is_settled(game.to_move());
    }
}

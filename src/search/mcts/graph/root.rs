//! The root of a graph: the position to be searched, with its part of the last search's graph.

use super::{key_of, McGraph};
use crate::clock::Budget;
use crate::game::Game;
use crate::list::copied;
use crate::search::keep::{bound, may_follow, KEEP_PLIES};
use crate::search::mcts::policy::Policy;
use crate::search::mcts::store::NONE;

impl<G: Game, P: Policy<G>, const V: usize> McGraph<G, P, V> {
    /// Makes `game` the root: with its part of the old graph, or empty. Returns [`Report::restarted`], and the first move
    /// if the root has no children.
    pub(super) fn settle(&mut self, game: &G, budget: &Budget) -> (bool, Option<G::Move>) {
        let key = key_of(game);
        let known = self.options.keep_tree && self.game.is_some() && self.follow(game);
        let found = if known { self.store.find(key) } else { None };
        match found {
            Some(root) => {
                if root != self.root {
                    self.store.keep(root);
                }
                self.root = root;
            }
            None => {
                self.clear(key);
                if !known {
                    self.solo.clear();
                }
            }
        }
        let last = self.game.as_ref().filter(|_| self.options.keep_tree && found.is_none());
        let restarted = last.is_some_and(|last| !may_follow(last, game, &mut bound(budget)));
        self.game = Some(game.clone());
        (restarted, self.open_root(game))
    }

    fn clear(&mut self, key: u64) {
        self.store.clear();
        self.root = self.store.find_or_make(key).unwrap_or(NONE);
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
            let Some(&m) = self.solo.line.get(plies).filter(|_| self.meter.step()) else { return false };
            state.play(m);
        }
        false
    }

    /// Gives the root its edges, lets the policy choose among them, and updates the bounds.
    fn open_root(&mut self, game: &G) -> Option<G::Move> {
        let is_new = self.at(self.root).edges().is_empty();
        let mut list = G::Moves::default();
        if is_new || self.meter.is_in_time() {
            game.moves(&mut list);
        }
        let first = list.first().copied();
        if is_new && self.unfold(self.root, game, &mut copied(&list), None).is_none() && self.meter.step() {
            self.clear(self.at(self.root).key());
            self.unfold(self.root, game, &mut copied(&list), None);
        }
        // The edge that stands for the root in the tree's view.
        let id = self.store.edges.root();
        let edge = self.store.edges.get_mut(id);
        (edge.target, edge.by) = (self.root, game.to_move());
        if !self.meter.is_in_time() {
            // The kept selection stays.
            self.settled = self.is_settled(game.to_move());
            return first;
        }
        let count = match list.len() {
            0 => 0,
            _ => self.policy.preselect(game, &mut list, &mut self.rng).clamp(1, list.len()),
        };
        self.is_partial = count < list.len();
        for edge in self.at(self.root).edges().iter() {
            let edge = self.store.edges.get_mut(edge);
            edge.is_absent = self.is_partial && !list[..count].contains(&edge.m);
        }
        self.refresh(self.root, game.to_move());
        self.settled = self.is_settled(game.to_move());
        first
    }
}

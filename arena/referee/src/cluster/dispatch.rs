//! Decides which worker plays which game, or does which other task: always the first ones of the plan that no worker has, so
//! that few games are played behind the one at which a test ends.

use std::collections::{BTreeMap, BTreeSet};

/// The games that are left, and who plays them.
#[derive(Debug, Default)]
pub(super) struct Dispatch {
    /// Games that no worker has.
    waiting: BTreeSet<u32>,
    /// The games of each worker, in the order in which it got them.
    given: BTreeMap<String, Vec<u32>>,
}

impl Dispatch {
    /// These games wait, too.
    pub(super) fn add(&mut self, games: impl IntoIterator<Item = u32>) {
        self.waiting.extend(games);
    }

    /// A worker's games that aren't finished.
    pub(super) fn games_of(&self, worker: &str) -> &[u32] {
        self.given.get(worker).map_or(&[], Vec::as_slice)
    }

    /// Gives a worker the first waiting games until it has `count`.
    pub(super) fn fill(&mut self, worker: &str, count: usize) {
        let games = self.given.entry(worker.to_owned()).or_default();
        while games.len() < count {
            let Some(game) = self.waiting.pop_first() else { return };
            games.push(game);
        }
    }

    /// A game is finished, whoever has played it.
    pub(super) fn finished(&mut self, game: u32) {
        self.waiting.remove(&game);
        self.given.values_mut().for_each(|games| games.retain(|&other| other != game));
    }

    /// A worker is gone: its games wait again.
    pub(super) fn lost(&mut self, worker: &str) {
        self.waiting.extend(self.given.remove(worker).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_given_in_the_order_of_the_plan() {
        let mut dispatch = Dispatch::default();
        dispatch.add(1..=5);
        dispatch.fill("a", 2);
        dispatch.fill("b", 2);
        assert_eq!((dispatch.games_of("a"), dispatch.games_of("b")), (&[1, 2][..], &[3, 4][..]));
        dispatch.finished(2);
        dispatch.fill("a", 2);
        assert_eq!(dispatch.games_of("a"), [1, 5]);
        dispatch.fill("b", 9);
        assert_eq!(dispatch.games_of("b"), [3, 4]);
        [1, 3, 4, 5].into_iter().for_each(|game| dispatch.finished(game));
        dispatch.fill("a", 2);
        assert!(dispatch.games_of("a").is_empty() && dispatch.games_of("b").is_empty());
    }

    #[test]
    fn games_of_a_lost_worker_come_first() {
        let mut dispatch = Dispatch::default();
        dispatch.add(1..=6);
        dispatch.fill("a", 2);
        dispatch.fill("b", 2);
        dispatch.finished(2);
        dispatch.lost("a");
        assert!(dispatch.games_of("a").is_empty());
        dispatch.fill("b", 3);
        assert_eq!(dispatch.games_of("b"), [3, 4, 1]);
        // The lost worker has finished it after all.
        dispatch.finished(1);
        assert_eq!(dispatch.games_of("b"), [3, 4]);
        dispatch.lost("a");
        dispatch.fill("a", 9);
        assert_eq!(dispatch.games_of("a"), [5, 6]);
    }
}

//! A lost game of each contest, by searches with fixed numbers of nodes.

use std::path::{Path, PathBuf};

use crate::arena;

/// A contest, its bots, and the search that says which turn lost.
pub struct LostGame {
    contest: &'static str,
    bots: &'static [&'static str],
    seed: &'static str,
    compare: &'static str,
}

const fn game(
    contest: &'static str,
    bots: &'static [&'static str],
    seed: &'static str,
    compare: &'static str,
) -> LostGame {
    LostGame { contest, bots, seed, compare }
}

/// The games. Of one player there is nothing to compare.
const GAMES: &[LostGame] = &[
    game("reversi", &["in:alpha-beta --nodes 300", "in:bot --nodes 3000"], "1", "in:bot --nodes 3000"),
    game("uttt", &["in:mcts --nodes 300", "in:bot --nodes 2000"], "2", "in:bot --nodes 2000"),
    game("tictactoe", &["in:random", "in:alpha-beta --nodes 500"], "1", "in:alpha-beta --nodes 5000"),
    game("mancala", &["in:greedy", "in:alpha-beta --nodes 2000"], "1", "in:alpha-beta --nodes 5000"),
    game("oware", &["in:greedy", "in:alpha-beta --nodes 2000"], "1", "in:alpha-beta --nodes 5000"),
    game("mnk:15,15,5", &["in:alpha-beta --nodes 300", "in:bot --nodes 3000"], "1", "in:bot --nodes 3000"),
    game("boop", &["in:mcts --nodes 200", "in:bot --nodes 2000"], "1", "in:bot --nodes 2000"),
    game("freckers", &["in:greedy", "in:bot --nodes 1000"], "1", "in:bot --nodes 2000"),
    game("tron:3", &["in:area --nodes 20", "in:area --nodes 500", "in:random"], "4", "in:area --nodes 300"),
    game("lander:2.2", &["in:minimax --nodes 200"], "1", ""),
    game("sudoku", &["in:engine"], "1", ""),
    game("wondev", &["in:greedy", "in:bot --nodes 1000"], "1", "in:bot --nodes 1000"),
    game("photosynthesis", &["in:rules --nodes 100", "in:bot --nodes 300"], "1", "in:bot --nodes 300"),
    game("podracing", &["in:rules --nodes 10", "in:bot --nodes 300"], "1", "in:bot --nodes 100"),
];

/// All of them.
pub fn all() -> impl Iterator<Item = &'static LostGame> {
    GAMES.iter()
}

impl LostGame {
    /// Whether it is of this contest, in whatever variant.
    pub fn is(&self, name: &str) -> bool {
        self.name() == name
    }

    /// The contest without its variant.
    pub fn name(&self) -> &'static str {
        self.contest.split(':').next().unwrap_or(self.contest)
    }

    /// Plays the game and writes its page; returns the page's file.
    ///
    /// # Panics
    /// If the arena fails.
    pub fn write(&self, folder: &Path) -> PathBuf {
        let letters = ["A", "B", "C", "D"];
        let bots = self.bots.iter().zip(letters).map(|(bot, letter)| format!("{letter}={bot}"));
        let bots = bots.collect::<Vec<_>>();
        let mut words = vec!["play", self.contest];
        words.extend(bots.iter().map(String::as_str));
        let logs = format!("{}-games", self.name());
        words.extend(["--games", "1", "--seed", self.seed, "--log-dir", &logs]);
        arena(folder, &words);
        let (record, page) = (format!("{logs}/1.json"), format!("{}.html", self.name()));
        let mut words = vec!["view", &record, "-o", &page];
        if !self.compare.is_empty() {
            words.extend(["--compare", self.compare]);
        }
        arena(folder, &words);
        folder.join(page)
    }
}

//! Implements [`Session`] for any game with simultaneous moves and any search of it.

use coppice::search::JointSearch;
use coppice::tree::{Memory, Status};
use coppice::{Budget, Player};

use crate::drawing::Shape;
use crate::referee::{IllegalMove, Seat};
use crate::session::{Look, Session, SessionNode, Share, Thought};

use super::notation::{self, listed, JointNotation};
use super::player::score;
use super::table::{player, Table};

/// A search of a game with simultaneous moves.
pub type BoxedSearch<G> = Box<dyn JointSearch<G> + Send>;

/// A game with simultaneous moves and a search on it.
///
/// Seats choose one after the other. A search sees the position at the beginning of the turn, never the moves that others
/// have already chosen.
pub struct JointPlayed<G: JointNotation> {
    /// Boxed because states may be large.
    start: Box<Table<G>>,
    table: Box<Table<G>>,
    words: Vec<String>,
    search: BoxedSearch<G>,
}

impl<G: JointNotation> JointPlayed<G> {
    /// A session before the first turn.
    pub fn new(start: Table<G>, search: BoxedSearch<G>) -> JointPlayed<G> {
        let start = Box::new(start);
        let words = start.words();
        JointPlayed { table: start.clone(), start, words, search }
    }

    /// The game at the end of a path, and the seat that made its last move; at the root, the seat to move.
    fn walk(&self, path: &[String]) -> Result<(Box<Table<G>>, Seat), IllegalMove> {
        let mut table = self.table.clone();
        let mut last = first(&table).unwrap_or(0);
        for word in path {
            last = first(&table).unwrap_or(0);
            table.play_word(word)?;
        }
        Ok((table, last))
    }
}

/// The first seat that has to choose.
fn first<G: JointNotation>(table: &Table<G>) -> Option<Seat> {
    table.waiting().first().copied()
}

fn points<G: JointNotation>(game: &G) -> Vec<i64> {
    (0..G::PLAYERS).map(|i| game.points(Player::new(i as u8))).collect()
}

impl<G: JointNotation> Session for JointPlayed<G> {
    fn show(&self) -> String {
        self.table.game().to_string()
    }

    fn to_move(&self) -> Option<Seat> {
        first(&self.table)
    }

    fn moves(&self) -> Vec<String> {
        self.to_move().map_or_else(Vec::new, |seat| notation::names(self.table.game(), player(seat)))
    }

    fn play(&mut self, word: &str) -> Result<(), IllegalMove> {
        self.table.play_word(word)?;
        self.words = self.table.words();
        Ok(())
    }

    fn played(&self) -> &[String] {
        &self.words
    }

    fn mark(&self, seat: Seat, text: &str) -> Vec<Shape> {
        let game = self.table.game();
        notation::read(game, player(seat), text).map_or_else(|_| Vec::new(), |m| game.mark(player(seat), m))
    }

    fn take_back_to(&mut self, count: usize) {
        if count >= self.words.len() {
            return;
        }
        let turns = self.table.turns().to_vec();
        self.table = self.start.clone();
        turns.into_iter().take(count).for_each(|turn| self.table.play(turn.choices));
        self.words = self.table.words();
    }

    fn think(&mut self, budget: Budget) -> Thought {
        self.think_for(self.to_move().unwrap_or(0), budget)
    }

    fn think_for(&mut self, seat: Seat, budget: Budget) -> Thought {
        let game = self.table.game();
        let report = self.search.search(game, player(seat), budget);
        let best = report.best.map(|best| game.name(player(seat), best));
        let share = |(m, probability)| Share { played: game.name(player(seat), m), probability };
        Thought {
            line: best.iter().cloned().collect(),
            best,
            score: score::<G>(report.value),
            nodes: report.nodes,
            depth: report.depth,
            solved: report.exact,
            strategy: report.strategy.iter().map(share).collect(),
        }
    }

    fn scores(&self) -> Vec<i64> {
        points(self.table.game())
    }

    fn look(&self, path: &[String]) -> Result<Look, IllegalMove> {
        let (table, last) = self.walk(path)?;
        let (game, to_move) = (table.game(), first(&table));
        let seat = to_move.unwrap_or(last);
        let seen = to_move.and_then(|seat| self.search.seen(game, player(seat)));
        let mode = seen.as_ref().and_then(|seen| seen.strategy.mode());
        let moves = listed(game, player(seat));
        let child = |&m: &G::Move| {
            let visits = seen.as_ref().map_or(0.0, |seen| seen.strategy.probability(m) * seen.visits as f64);
            SessionNode {
                played: Some(game.name(player(seat), m)),
                seat,
                score: None,
                bounds: None,
                visits: visits.round() as u64,
                status: Some(Status::Open).filter(|_| visits > 0.0),
                children: 0,
                is_best: mode == Some(m),
            }
        };
        let children: Vec<SessionNode> = moves.iter().map(child).collect();
        // What the search knows of a state is for those who choose there.
        let node = SessionNode {
            played: path.last().cloned(),
            seat: if path.is_empty() { seat } else { last },
            score: seen
                .as_ref()
                .map(|seen| score::<G>(seen.value))
                .filter(|_| path.is_empty() || last == seat),
            bounds: None,
            visits: seen.as_ref().map_or(0, |seen| seen.visits),
            status: seen.as_ref().map(|_| Status::Open),
            children: seen.as_ref().map_or(0, |_| children.len()),
            is_best: false,
        };
        Ok(Look {
            shown: game.to_string(),
            to_move,
            scores: table.is_over().then(|| points(game)),
            node,
            line: mode.map(|m| game.name(player(seat), m)).into_iter().collect(),
            children,
        })
    }

    fn memory(&self) -> Option<Memory> {
        self.search.memory()
    }
}

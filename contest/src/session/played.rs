//! Implements [`Session`] for any game and search.

use coppice::search::Threshold;
use coppice::tree::Memory;
use coppice::Budget;

use super::searcher::{Known, Place, Searcher};
use super::{Counts, Look, NotPruning, Session, SessionNode, Share, Thought};
use crate::drawing::Shape;
use crate::history::{player, History};
use crate::kind::Kind;
use crate::notation::{self, Move, Notation, Turn};
use crate::referee::{IllegalMove, Seat};
use crate::sheet::Sheet;

/// A game and a search on it.
///
/// Where players move at the same time, seats choose one after the other.
pub struct GameSession<G: Notation> {
    history: History<G>,
    search: Box<dyn Searcher<G>>,
}

impl<G: Notation> GameSession<G> {
    /// A session before the first turn.
    pub fn new(history: History<G>, search: Box<dyn Searcher<G>>) -> GameSession<G> {
        GameSession { history, search }
    }

    fn game(&self) -> &G {
        self.history.game()
    }
}

/// The first seat that has to choose.
fn first<G: Notation>(history: &History<G>) -> Option<Seat> {
    history.waiting().first().copied()
}

/// The names of a line's moves, as far as the positions between them follow from it.
fn line_names<G: Notation>(game: &G, seat: Option<Seat>, line: &[Move<G>]) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = seat.map(player).zip(Some(Box::new(game.clone())));
    for &m in line {
        let Some((player, game)) = at else { break };
        names.push(game.name(player, m));
        at = G::Kind::after(&game, player, m)
            .and_then(|next| Some((*notation::choosers(&next).first()?, Box::new(next))));
    }
    names
}

impl<G: Notation> Session for GameSession<G> {
    fn show(&self) -> String {
        self.game().to_string()
    }

    fn mark(&self, seat: Seat, text: &str) -> Vec<Shape> {
        let (game, player) = (self.game(), player(seat));
        notation::read(game, player, text).map_or_else(|_| Vec::new(), |m| game.mark(player, m))
    }

    fn words(&self, seat: Seat, text: &str) -> String {
        notation::words(self.game(), player(seat), text)
    }

    fn to_move(&self) -> Option<Seat> {
        first(&self.history)
    }

    fn moves(&self) -> Vec<String> {
        self.to_move().map_or_else(Vec::new, |seat| notation::names(self.game(), player(seat)))
    }

    fn unlisted_moves(&self) -> Vec<String> {
        self.to_move().map_or_else(Vec::new, |seat| notation::unlisted_names(self.game(), player(seat)))
    }

    /// Names no other moves.
    fn only_move(&self) -> Option<String> {
        let player = player(self.to_move()?);
        match G::Kind::listed(self.game(), player)[..] {
            [only] => Some(self.game().name(player, only)),
            _ => None,
        }
    }

    fn play(&mut self, word: &str) -> Result<(), IllegalMove> {
        self.history.play_word(word)
    }

    fn played(&self) -> &[String] {
        self.history.words()
    }

    fn take_back_to(&mut self, count: usize) {
        self.history.take_back_to(count);
    }

    fn think(&mut self, budget: Budget) -> Thought {
        self.think_for(self.to_move().unwrap_or(0), budget)
    }

    fn think_for(&mut self, seat: Seat, budget: Budget) -> Thought {
        let game = self.history.game();
        let found = self.search.think(game, player(seat), budget);
        let share =
            |&(m, probability): &(Move<G>, f64)| Share { played: game.name(player(seat), m), probability };
        Thought {
            best: found.best.map(|best| game.name(player(seat), best)),
            score: found.score,
            nodes: found.nodes,
            depth: found.depth,
            solved: found.solved,
            line: line_names(game, Some(seat), &found.line),
            strategy: found.strategy.iter().map(share).collect(),
        }
    }

    fn scores(&self) -> Vec<i64> {
        notation::points(self.game())
    }

    fn look(&self, path: &[String]) -> Result<Look, IllegalMove> {
        let mut there = self.history.clone();
        let (mut last, mut words) = (None, None);
        for word in path {
            last = first(&there);
            words = last.map(|seat| notation::words(there.game(), player(seat), word));
            there.play_word(word)?;
        }
        let turns: Vec<Turn<G>> =
            there.turns()[self.history.turns().len()..].iter().map(|turn| turn.played).collect();
        let (game, to_move) = (there.game(), first(&there));
        let place = Place { root: self.game(), turns: &turns, game, to_move, last };
        let Known { node, children, line } = self.search.known(&place);
        let named = |(m, child): (Move<G>, SessionNode)| {
            let name = game.name(player(to_move.unwrap_or(child.seat)), m);
            SessionNode { played: Some(name), ..child }
        };
        let drawing = game.draw(there.turns().last().map(|turn| turn.played));
        Ok(Look {
            shown: game.to_string(),
            sheet: Sheet::new(game.to_string(), &game.layout(), &drawing),
            drawing,
            words,
            text: game.position(),
            to_move,
            scores: there.is_over().then(|| notation::points(game)),
            node: SessionNode { played: path.last().cloned(), ..node },
            children: children.into_iter().map(named).collect(),
            line: line_names(game, to_move, &line),
        })
    }

    fn memory(&self) -> Option<Memory> {
        self.search.memory()
    }

    fn count(&self) -> Option<Counts> {
        self.search.count(self.game())
    }

    fn threshold(&self) -> Option<i32> {
        self.search.threshold()
    }

    fn set_threshold(&mut self, threshold: Threshold) -> Result<(), NotPruning> {
        self.search.set_threshold(threshold).then_some(()).ok_or(NotPruning)
    }
}

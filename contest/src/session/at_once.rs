//! Searches of games in which players move at the same time, as [`Searcher`]s.

use coppice::search::JointSearch;
use coppice::tree::{Memory, Status};
use coppice::{Budget, Player};

use super::searcher::{Found, Known, Place, SearchedBy, Searcher};
use super::SessionNode;
use crate::history::player;
use crate::kind::{Kind, Simultaneous};
use crate::notation::JointNotation;
use crate::points::score;

impl<G: JointNotation, S: JointSearch<G> + Send + 'static> SearchedBy<G, S> for Simultaneous {
    fn searcher(search: S) -> Box<dyn Searcher<G>> {
        Box::new(AtOnce(search))
    }
}

/// A search sees the position at the beginning of the turn, never the moves that others have already chosen.
struct AtOnce<S>(S);

impl<G: JointNotation, S: JointSearch<G> + Send> Searcher<G> for AtOnce<S> {
    fn think(&mut self, game: &G, player: Player, budget: Budget) -> Found<G::Move> {
        let report = self.0.search(game, player, budget);
        Found {
            best: report.best,
            score: score::<G>(report.value),
            nodes: report.nodes,
            depth: report.depth,
            solved: report.exact,
            restarted: false,
            line: report.best.into_iter().collect(),
            strategy: report.strategy.iter().collect(),
        }
    }

    fn known(&self, place: &Place<'_, G>) -> Known<G::Move> {
        let last = place.last.or(place.to_move).unwrap_or(0);
        let seat = place.to_move.unwrap_or(last);
        let seen = place.to_move.and_then(|seat| self.0.seen(place.game, player(seat)));
        let mode = seen.as_ref().and_then(|seen| seen.strategy.mode());
        let child = |m: G::Move| {
            let visits = seen.as_ref().map_or(0.0, |seen| seen.strategy.probability(m) * seen.visits as f64);
            let node = SessionNode {
                visits: visits.round() as u64,
                status: Some(Status::Open).filter(|_| visits > 0.0),
                is_best: mode == Some(m),
                ..SessionNode::unknown(seat)
            };
            (m, node)
        };
        let children: Vec<_> =
            Simultaneous::listed(place.game, player(seat)).into_iter().map(child).collect();
        // The search's knowledge of a state is from the view of the players that choose there.
        let score = seen.as_ref().map(|seen| score::<G>(seen.value)).filter(|_| last == seat);
        let node = SessionNode {
            score,
            visits: seen.as_ref().map_or(0, |seen| seen.visits),
            status: seen.as_ref().map(|_| Status::Open),
            children: seen.as_ref().map_or(0, |_| children.len()),
            ..SessionNode::unknown(last)
        };
        Known { node, children, line: mode.into_iter().collect() }
    }

    fn memory(&self) -> Option<Memory> {
        self.0.memory()
    }
}

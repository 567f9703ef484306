//! A search of a game with simultaneous moves that is served to a remote client: with a cap on thinking time.

use coppice::search::{JointReport, JointSearch, Seen};
use coppice::tree::Memory;
use coppice::{Budget, Player};

use super::{BoxedSearch, JointNotation};
use crate::session::serve::{AnswerTime, ServeSettings};

/// A served search. It doesn't ponder: which position follows depends on what the others choose at the same time.
pub struct ServedJoint<G: JointNotation> {
    search: BoxedSearch<G>,
    time: AnswerTime,
}

impl<G: JointNotation> ServedJoint<G> {
    pub(super) fn new(search: BoxedSearch<G>, settings: &ServeSettings) -> ServedJoint<G> {
        ServedJoint { search, time: settings.time }
    }
}

impl<G: JointNotation> JointSearch<G> for ServedJoint<G> {
    fn search(&mut self, game: &G, player: Player, budget: Budget) -> JointReport<G> {
        self.search.search(game, player, self.time.budget(budget))
    }

    fn seen(&self, game: &G, player: Player) -> Option<Seen<G>> {
        self.search.seen(game, player)
    }

    fn memory(&self) -> Option<Memory> {
        self.search.memory()
    }
}

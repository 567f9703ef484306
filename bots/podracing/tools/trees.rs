//! Monte Carlo searches of the race with a player for each pod, to measure against: one tree a pod, and decoupled UCT.

use coppice::search::{Decoupled, DecoupledOptions, Estimated, JointSearch, Units, UnitsOptions};
use coppice::tree::Status;
use coppice::{Budget, Choices, Player, Score};

use contest::session::{LineTree, SessionNode};

use super::watched::Watched;
use crate::podracing::plans::Plans;
use crate::podracing::player::{half, Choice, Pilot};
use crate::podracing::pod::Steer;
use crate::podracing::protocol::write_answer;
use crate::podracing::race::Race;

/// Turns looked ahead.
const TURNS: u32 = 8;

/// A pilot with a tree, or with arms in one, for each pod.
pub struct TreePilot<S> {
    search: S,
    /// The last race, and the choice in it.
    last: Option<(Race, [Steer; 2])>,
}

impl<S: JointSearch<Race>> TreePilot<S> {
    fn new(search: S) -> TreePilot<S> {
        TreePilot { search, last: None }
    }

    /// The moves are the answers in which one pod does something else, the first pod's first.
    fn line_tree(&self) -> Option<LineTree> {
        let mut tree = LineTree::empty(self.search.memory()?);
        let Some((race, chosen)) = &self.last else { return Some(tree) };
        for pod in 0..2 {
            let Some(seen) = self.search.seen(race, Player::new(pod as u8)) else { continue };
            if pod == 0 {
                let most = f64::from(Score::MAX_ESTIMATE);
                tree.root.score = Some(Score::estimate(seen.value.clamp(-most, most) as i32));
                (tree.root.visits, tree.root.status) = (seen.visits, Some(Status::Open));
            }
            for (steer, share) in seen.strategy.iter() {
                let is_best = steer == chosen[pod];
                if is_best && pod > 0 {
                    continue;
                }
                let mut steers = *chosen;
                steers[pod] = steer;
                let visits = (share * seen.visits as f64).round() as u64;
                tree.moves.push(SessionNode {
                    played: Some(write_answer([0, 1].map(|i| race.pods[i].order(steers[i])))),
                    visits,
                    status: Some(Status::Open).filter(|_| visits > 0),
                    is_best,
                    ..LineTree::empty(tree.memory).root
                });
            }
        }
        tree.root.children = tree.moves.len();
        Some(tree)
    }
}

/// One tree for each pod.
pub type UnitPilot = TreePilot<Units<Race, Estimated<Plans>>>;

/// One tree for each pod (Smitsimax), in `bytes` bytes.
pub fn units(plans: Plans, bytes: usize, seed: u64) -> UnitPilot {
    let options = UnitsOptions { memory: bytes, seed, turns: TURNS, ..UnitsOptions::default() };
    let playout = Estimated { estimate: plans, turns: TURNS };
    TreePilot::new(Units::with_playout(playout, options))
}

impl Pilot for UnitPilot {
    fn choose(&mut self, race: &Race, budget: Budget) -> Choice {
        let report = self.search.search(race, Player::FIRST, budget);
        let steers = own(&self.search.choices());
        self.last = Some((race.clone(), steers));
        Choice::new(race, steers, report.value, report.nodes, report.depth)
    }
}

impl Watched for UnitPilot {
    fn tree(&self) -> Option<LineTree> {
        self.line_tree()
    }
}

/// Decoupled UCT: a search for each of the own pods.
pub type DecoupledPilot = TreePilot<Decoupled<Race, Estimated<Plans>>>;

/// Decoupled UCT over four pods, in `bytes` bytes.
pub fn decoupled(plans: Plans, bytes: usize, seed: u64) -> DecoupledPilot {
    let playout = Estimated { estimate: plans, turns: TURNS };
    let options = DecoupledOptions { memory: bytes, seed, ..DecoupledOptions::default() };
    TreePilot::new(Decoupled::with_playout(playout, options))
}

impl Pilot for DecoupledPilot {
    fn choose(&mut self, race: &Race, budget: Budget) -> Choice {
        let first = self.search.search(race, Player::FIRST, half(budget));
        let reports =
            [first, self.search.search(race, Player::SECOND, budget.and_nodes(budget.max_nodes() / 2))];
        let steers = reports.each_ref().map(|report| report.best.unwrap_or_default());
        let nodes = reports.iter().map(|report| report.nodes).sum();
        self.last = Some((race.clone(), steers));
        Choice::new(race, steers, reports[0].value, nodes, reports[0].depth)
    }
}

impl Watched for DecoupledPilot {
    fn tree(&self) -> Option<LineTree> {
        self.line_tree()
    }
}

fn own(choices: &Choices<Steer>) -> [Steer; 2] {
    [0, 1].map(|i| choices.of(Player::new(i)).unwrap_or_default())
}

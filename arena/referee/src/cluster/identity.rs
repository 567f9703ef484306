//! Checks that a worker of a series has the coordinator's bots and plan.

use serde::{Deserialize, Serialize};

use crate::record::{BotRecord, RunRecord};
use crate::series::Series;

/// A run, as a program sees it on its machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// The contest's name.
    pub contest: String,
    /// The settings of all games.
    pub run: RunRecord,
    /// The bots with the hashes of their files.
    pub bots: Vec<BotRecord>,
    /// The bots of each game, as indices.
    pub lineups: Vec<Vec<usize>>,
}

impl Identity {
    /// The run as it is seen here.
    pub fn of(series: &Series<'_>) -> Self {
        Self {
            contest: series.host.name().to_owned(),
            run: series.run_record(),
            bots: (0..series.bots.len()).map(|bot| series.bot_record(bot)).collect(),
            lineups: series.lineups.clone(),
        }
    }

    /// The first difference from the coordinator's run; `None` if a worker with this one may play.
    pub fn difference(&self, coordinator: &Self) -> Option<String> {
        let hash = |hash: &Option<String>| hash.clone().unwrap_or_else(|| "unknown".to_owned());
        for (theirs, ours) in coordinator.bots.iter().zip(&self.bots) {
            if theirs.command != ours.command {
                return Some(format!(
                    "bot {} is `{}` there, `{}` here",
                    ours.name, theirs.command, ours.command
                ));
            }
            if theirs.hash != ours.hash {
                return Some(format!(
                    "bot {} (`{}`) is another build: its hash is {} there, {} here",
                    ours.name,
                    ours.command,
                    hash(&theirs.hash),
                    hash(&ours.hash)
                ));
            }
        }
        let text =
            |referee: &RunRecord| referee.referee.as_ref().map_or("none".to_owned(), ToString::to_string);
        if self.run.referee != coordinator.run.referee {
            let (theirs, ours) = (text(&coordinator.run), text(&self.run));
            return Some(format!("the external referee is {theirs} there, {ours} here"));
        }
        (self != coordinator).then(|| "the contest or an option of the games differs".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::example;

    #[test]
    fn another_build_is_named() {
        let game = example(1);
        let (contest, run, bots) = (game.contest, game.run, game.bots);
        let ours = Identity { contest, run, bots, lineups: vec![vec![0, 1]] };
        assert_eq!(ours.difference(&ours), None);
        let mut theirs = ours.clone();
        theirs.bots[1].hash = Some("other".to_owned());
        assert_eq!(
            ours.difference(&theirs).unwrap(),
            "bot B (`./B`) is another build: its hash is other there, hash of B here"
        );
        theirs.bots[1].hash = None;
        assert!(ours.difference(&theirs).unwrap().contains("hash is unknown there, hash of B here"));
        let theirs = Identity { lineups: Vec::new(), ..ours.clone() };
        assert!(ours.difference(&theirs).unwrap().contains("option"));
    }
}

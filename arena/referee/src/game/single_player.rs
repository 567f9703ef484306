//! Plays the tasks of contests for one with the contest's own players, without a protocol.

use contest::session::{SessionError, SessionSettings};
use contest::single_player::{Run, SinglePlayer};
use contest::Contest;
use coppice::Budget;

use crate::game::fault::{Ending, FaultReport};
use crate::game::Played;
use crate::process;

/// A player that does tasks alone.
pub(super) struct Alone<'a> {
    /// The player's name in the contest.
    pub player: &'a str,
    /// Seeds, memory, parameters and the start.
    pub settings: SessionSettings,
    /// The budget of a turn that begins now.
    pub budget: &'a dyn Fn() -> Budget,
}

/// The contest's tasks, if it is for one and has this player.
pub(super) fn tasks<'a>(contest: &'a dyn Contest, player: &str) -> Option<&'a dyn SinglePlayer> {
    let tasks = contest.single_player().filter(|_| contest.seats() == 1)?;
    tasks.players().iter().any(|info| info.name == player).then_some(tasks)
}

impl Alone<'_> {
    /// Does the task of a seed; `None` after an interrupt. A player that gives no answer has failed.
    ///
    /// # Errors
    /// If a parameter is wrong.
    pub(super) fn play(&self, tasks: &dyn SinglePlayer, seed: u64) -> Result<Option<Played>, SessionError> {
        let run = tasks.run(self.player, &self.settings, seed, self.budget)?;
        if process::interrupted() {
            return Ok(None);
        }
        let Run { completed, score, slowest_turn, moves } = run;
        let fault = FaultReport {
            bot: self.player.to_owned(),
            seat: 0,
            turn: 1,
            after_answer: false,
            ending: Ending::Failed,
            expected: "an answer".to_owned(),
            received: "none within its budget".to_owned(),
            stderr: String::new(),
            is_idle: false,
        };
        Ok(Some(Played {
            opening: String::new(),
            faults: (!completed && moves.is_empty()).then_some(fault).into_iter().collect(),
            moves,
            scores: vec![score],
            times: vec![vec![slowest_turn]],
            dialogues: Vec::new(),
            usage: Vec::new(),
            data: Vec::new(),
            reports: Vec::new(),
        }))
    }
}

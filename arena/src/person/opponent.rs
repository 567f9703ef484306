//! A search of this program at a table with people: follows the referee's moves and answers.

use std::time::Duration;

use contest::session::Session;
use contest::{Contest, Referee, Seat};

use coppice_referee::bot::{Bot, Reply};
use coppice_referee::game::in_process::{on_large_stack, InProcess, InProcessError};
use coppice_referee::process::interrupt_flag;

/// A search and its session.
pub(super) struct Follower {
    search: InProcess,
    session: Box<dyn Session>,
}

/// A search's opinion of a position.
pub(super) struct Opinion {
    /// The move.
    pub name: String,
    /// A score for the seat that asked, and the line it expects.
    pub about: String,
}

impl Follower {
    /// The search at the beginning of the game with this seed.
    ///
    /// # Errors
    /// If it can't be made.
    pub(super) fn new(
        search: &InProcess,
        contest: &dyn Contest,
        seed: u64,
    ) -> Result<Follower, InProcessError> {
        let session = on_large_stack(|| search.session(contest, seed))??;
        Ok(Follower { search: search.clone(), session })
    }

    /// Brings the session to the referee's position.
    fn follow(&mut self, contest: &dyn Contest, moves: &[&str]) -> Result<(), InProcessError> {
        let played = self.session.played();
        let same = played.iter().zip(moves).take_while(|(ours, theirs)| ours == theirs).count();
        self.session.take_back_to(same);
        moves[same..]
            .iter()
            .try_for_each(|word| self.session.play(word))
            .map_err(|why| self.bug(contest, why.to_string()))
    }

    /// The search's choice on a seat that is to answer. A forced move is made without thinking.
    ///
    /// # Errors
    /// If the search can't follow the game so far, or finds no move: a bug of the contest.
    pub(super) fn think(
        &mut self,
        contest: &dyn Contest,
        referee: &dyn Referee,
        seat: Seat,
    ) -> Result<Opinion, InProcessError> {
        let text = referee.moves();
        let moves: Vec<&str> = text.split_whitespace().collect();
        let only = match <[String; 1]>::try_from(referee.legal_moves(seat)) {
            Ok([only]) if referee.lists_moves() => Some(only),
            _ => None,
        };
        let thought = on_large_stack(|| -> Result<_, InProcessError> {
            self.follow(contest, &moves)?;
            let budget = self.search.limit.budget().unless(interrupt_flag());
            Ok(only.is_none().then(|| self.session.think_for(seat, budget)))
        })??;
        let Some(thought) = thought else {
            return Ok(Opinion { name: only.unwrap_or_default(), about: "the only move".to_owned() });
        };
        let name = thought.best.ok_or_else(|| self.bug(contest, "it found no move".to_owned()))?;
        let line =
            if thought.line.len() > 1 { format!(", line {}", thought.line.join(" ")) } else { String::new() };
        Ok(Opinion { name, about: format!("score {}, {} nodes{line}", thought.score, thought.nodes) })
    }

    fn bug(&self, contest: &dyn Contest, why: String) -> InProcessError {
        InProcessError::Bug {
            search: self.search.search.clone(),
            contest: contest.name().to_owned(),
            moves: self.session.played().join(" "),
            why,
        }
    }
}

/// Stands for the process of a seat that is played by a person or a search.
pub(super) struct Absent;

impl Bot for Absent {
    fn ask(&mut self, _text: &str, _lines: usize, _limit: Duration) -> Reply {
        Reply::Silent { after: Duration::ZERO, bytes: Vec::new() }
    }

    fn dismiss(&mut self) {}

    fn stop(&mut self, _grace: Duration) {}

    fn stderr_tail(&mut self) -> String {
        String::new()
    }
}

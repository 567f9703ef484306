//! What each move of a recorded game loses, by a search of this program.

use std::cmp::Ordering;

use contest::session::Session;
use contest::{Contest, IllegalMove, Seat};
use coppice::{Payoff, Score};

use crate::failure::FailureKind;
use crate::game::in_process::{on_large_stack, InProcess, InProcessError};
use crate::process;
use crate::record::GameRecord;

/// A move of a recorded game for which there was a choice. Its loss is `best` less `played`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JudgedMove {
    /// The number of the move in the game, from 1; those of the opening count.
    pub ply: u32,
    /// The seat that made it.
    pub seat: Seat,
    /// The value of the search's own choice, for the seat.
    pub best: Score,
    /// The value of the played move, for the seat.
    pub played: Score,
}

/// The reasons why the moves of games can't be judged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LossError {
    /// The game isn't one of two players.
    #[error(
        "game {game} is of {seats} bots: a move's loss is what the only opponent gains, so two have to play"
    )]
    Seats {
        /// The game's number.
        game: u32,
        /// The number of bots.
        seats: usize,
    },
    /// The players of the contest move at the same time, or its searches can't say whose turn it is.
    #[error(
        "the players of {contest} move at the same time: what a move loses depends on the others' moves, which a search \
         doesn't know; `view --compare` shows where it would play otherwise"
    )]
    Simultaneous {
        /// The contest.
        contest: String,
    },
    /// A recorded move isn't legal.
    #[error("game {game}: move {ply} of the record, \"{played}\": {reason}")]
    Move {
        /// The game's number.
        game: u32,
        /// The move's number, from 1.
        ply: usize,
        /// The move.
        played: String,
        /// The mistake.
        reason: IllegalMove,
    },
    /// The search can't be asked.
    #[error(transparent)]
    Search(#[from] InProcessError),
}

impl LossError {
    /// The kind of failure, which decides the exit status.
    pub fn kind(&self) -> FailureKind {
        match self {
            Self::Seats { .. } | Self::Simultaneous { .. } => FailureKind::Usage,
            Self::Move { .. } => FailureKind::Other,
            Self::Search(error) => error.kind(),
        }
    }
}

/// A search that judges moves.
///
/// It is asked for its choice in the position before a move. If it would have played another one, it is asked about both
/// positions that follow, with the same budget: these two scores are compared, not that of the position before, which looks a
/// ply less deep and may be proved where the others aren't. Each time the search is a new one, so that no score depends on
/// earlier questions.
#[derive(Clone, Copy)]
pub struct MoveJudge<'a> {
    contest: &'a dyn Contest,
    search: &'a InProcess,
}

/// A position's value for each seat, and the choice of the one to move.
#[derive(Debug, Clone)]
struct Value {
    scores: [Score; 2],
    best: Option<String>,
}

/// A turn of the record: the seat, and whether it had a choice.
type Turn = (Seat, bool);

impl<'a> MoveJudge<'a> {
    /// A search of a contest as a judge of moves.
    ///
    /// # Errors
    /// If the contest has no such search, or its players move at the same time.
    pub fn new(contest: &'a dyn Contest, search: &'a InProcess) -> Result<Self, LossError> {
        on_large_stack(|| search.session_in(contest, 0).map(drop))??;
        // The sessions of games in turns are those that ponder.
        if contest.seats() > 1 && !contest.searches().is_some_and(|searches| searches.can_ponder()) {
            return Err(LossError::Simultaneous { contest: contest.name().to_owned() });
        }
        Ok(Self { contest, search })
    }

    /// Plays through a record without thinking.
    ///
    /// # Errors
    /// If it isn't one of two players, or a move isn't legal.
    pub fn check(&self, record: &GameRecord) -> Result<(), LossError> {
        on_large_stack(|| self.turns(record).map(drop))?
    }

    /// Judges each move after the opening for which there was a choice; `None` after an interrupt. The thread needs a stack of
    /// [`STACK_BYTES`](contest::session::STACK_BYTES).
    ///
    /// # Errors
    /// Those of [`Self::check`].
    pub fn judge(&self, record: &GameRecord) -> Result<Option<Vec<JudgedMove>>, LossError> {
        let moves = record.moves.split_whitespace().collect::<Vec<_>>();
        let turns = self.turns(record)?;
        // The position after a move is often that before the next one.
        let mut known = vec![None; moves.len() + 1];
        let mut judged = Vec::new();
        for (at, &(seat, has_choice)) in turns.iter().enumerate().skip(record.opening_plies()) {
            if !has_choice {
                continue;
            }
            let (before, played) = (&moves[..at], moves[at]);
            let value = self.known(record, &moves, &mut known, at)?;
            let (best, played) = match value.best {
                Some(best) if best != played => {
                    let after = self.value(record, &[before, &[best.as_str()]].concat())?;
                    (after, self.known(record, &moves, &mut known, at + 1)?)
                }
                _ => (value.clone(), value),
            };
            if process::interrupted() {
                return Ok(None);
            }
            let (best, played) = (best.scores[seat], played.scores[seat]);
            judged.push(JudgedMove { ply: at as u32 + 1, seat, best, played });
        }
        Ok(Some(judged))
    }

    /// The value of the position after the first `at` moves.
    fn known(
        &self,
        record: &GameRecord,
        moves: &[&str],
        known: &mut [Option<Value>],
        at: usize,
    ) -> Result<Value, LossError> {
        if let Some(value) = &known[at] {
            return Ok(value.clone());
        }
        let value = self.value(record, &moves[..at])?;
        known[at] = Some(value.clone());
        Ok(value)
    }

    /// The value of the position after these moves.
    fn value(&self, record: &GameRecord, moves: &[&str]) -> Result<Value, LossError> {
        let mut session = self.search.session_in(self.contest, record.seed)?;
        (0..moves.len()).try_for_each(|at| play(&mut *session, record, moves, at))?;
        let Some(seat) = session.to_move() else {
            return Ok(Value { scores: at_the_end(&session.scores()), best: None });
        };
        let thought = session.think(self.search.limit.budget().unless(process::interrupt_flag()));
        let scores = [0, 1].map(|of| if of == seat { thought.score } else { -thought.score });
        Ok(Value { scores, best: thought.best })
    }

    fn turns(&self, record: &GameRecord) -> Result<Vec<Turn>, LossError> {
        if record.bots.len() != 2 {
            return Err(LossError::Seats { game: record.game, seats: record.bots.len() });
        }
        let moves = record.moves.split_whitespace().collect::<Vec<_>>();
        let mut session = self.search.session_in(self.contest, record.seed)?;
        let mut turns = Vec::new();
        for at in 0..moves.len() {
            let turn = (session.to_move().unwrap_or(0), session.only_move().is_none());
            play(&mut *session, record, &moves, at)?;
            turns.push(turn);
        }
        Ok(turns)
    }
}

/// Plays a move of a record.
fn play(session: &mut dyn Session, record: &GameRecord, moves: &[&str], at: usize) -> Result<(), LossError> {
    let wrong =
        |reason| LossError::Move { game: record.game, ply: at + 1, played: moves[at].to_owned(), reason };
    session.play(moves[at]).map_err(wrong)
}

/// The scores of a finished game.
fn at_the_end(points: &[i64]) -> [Score; 2] {
    let order = match points {
        [first, second] => first.cmp(second),
        _ => Ordering::Equal,
    };
    [order, order.reverse()].map(|order| Score::ended(Payoff(order as i32)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::in_process::{in_thread_with_large_stack, play as play_game};
    use crate::record::example;

    fn search(text: &str) -> InProcess {
        InProcess::parse(text).unwrap().unwrap()
    }

    fn contest(name: &str) -> &'static dyn Contest {
        bots_searches::contest(name).unwrap()
    }

    fn recorded(contest: &str, opening: &str, moves: &str) -> GameRecord {
        let (opening, moves) = (opening.to_owned(), moves.to_owned());
        GameRecord { contest: contest.to_owned(), opening, moves, ..example(1) }
    }

    fn judge(text: &str, record: &GameRecord) -> Vec<JudgedMove> {
        let search = search(text);
        let judge = MoveJudge::new(contest(&record.contest), &search).unwrap();
        on_large_stack(|| judge.judge(record)).unwrap().unwrap().expect("no interrupt")
    }

    /// A bot that is its own judge, with nothing kept from turn to turn, makes no mistake; where it must pass or has one move,
    /// there is nothing to judge.
    #[test]
    fn the_moves_of_the_judge_itself_lose_nothing() {
        for (name, opening) in [("reversi", "d3 c5 f6"), ("mancala", ""), ("uttt", "")] {
            let contest = contest(name);
            let player = search("in:alpha-beta --nodes 300 --pool-mb 1");
            let game = on_large_stack(|| {
                let mut session = player.session_in(contest, 1).unwrap();
                opening.split_whitespace().for_each(|word| session.play(word).unwrap());
                let mut choices = 0;
                while session.to_move().is_some() {
                    let mut fresh = player.session_in(contest, 1).unwrap();
                    session.played().iter().for_each(|word| fresh.play(word).unwrap());
                    choices += usize::from(session.only_move().is_none());
                    let best = fresh.think(player.limit.budget()).best.unwrap();
                    session.play(&best).unwrap();
                }
                (choices, session.played().join(" "))
            });
            let (choices, moves) = game.unwrap();
            let judged = judge("in:alpha-beta --nodes 300 --pool-mb 1", &recorded(name, opening, &moves));
            assert_eq!(judged.len(), choices, "{name}");
            assert!(judged.iter().all(|judged| judged.best == judged.played), "{name}: {judged:?}");
        }
    }

    /// X lets O make a line: a draw becomes a loss. Then O takes it.
    #[test]
    fn a_blunder_is_found_where_it_was_made() {
        let record = recorded("tictactoe", "", "1,1 0,0 0,1 0,2 2,1");
        let judged = judge("in:alpha-beta --nodes 100000", &record);
        let lost = judged.iter().filter(|judged| judged.played < judged.best);
        let lost = lost.map(|judged| (judged.ply, judged.seat, judged.best, judged.played.is_loss()));
        // O must have blocked at 2,1 instead of making two in a row at 0,2.
        assert_eq!(lost.collect::<Vec<_>>(), [(4, 1, Score::DRAW, true)], "{judged:?}");
        assert!(judged[4].played.is_win(), "the end of the game is a value too: {judged:?}");
    }

    /// In Kalah a player may move again: the score doesn't turn its sign then.
    #[test]
    fn a_second_move_in_a_row_is_the_movers_own() {
        let contest = contest("mancala");
        let players = [search("in:random --seed 5"), search("in:random --seed 6")];
        let game = play_game(contest, &[&players[0], &players[1]], "", 3).unwrap().unwrap();
        let record = GameRecord { seed: 3, ..recorded("mancala", "", &game.moves) };
        let judged = judge("in:alpha-beta --nodes 20000", &record);
        let again = judged.windows(2).filter(|pair| pair[0].seat == pair[1].seat).count();
        assert!(again > 3, "{judged:?}");
        // A move is never worth much more than the best: a wrong sign would show.
        let wins = judged.iter().filter(|judged| judged.played.is_win() && judged.best.is_loss()).count();
        assert_eq!(wins, 0, "{judged:?}");
        let lost = |seat: Seat| {
            let of = judged.iter().filter(move |judged| judged.seat == seat);
            of.filter(|judged| judged.played < judged.best).count()
        };
        assert!(lost(0) > 3 && lost(1) > 3, "{judged:?}");
    }

    #[test]
    fn what_cant_be_judged_is_refused() {
        let with = |name: &str, text: &str| {
            let search = search(text);
            MoveJudge::new(contest(name), &search).map(drop).unwrap_err()
        };
        let joint = with("photosynthesis", "in:bot");
        assert!(
            joint.to_string().starts_with("the players of photosynthesis move at the same time: "),
            "{joint}"
        );
        assert!(joint.kind() == FailureKind::Usage);
        let unknown = with("reversi", "in:nothing").to_string();
        assert!(unknown.starts_with("reversi has no search \"nothing\"; available: "), "{unknown}");
        let search = search("in:alpha-beta --nodes 100");
        let judge = MoveJudge::new(contest("tictactoe"), &search).unwrap();
        let check = |record: &GameRecord| judge.check(record).map_err(|error| error.to_string());
        assert_eq!(check(&recorded("tictactoe", "", "0,0 1,1")), Ok(()), "a game that a fault ended");
        let said = check(&recorded("tictactoe", "", "0,0 1,1 0,0")).unwrap_err();
        assert!(said.starts_with("game 1: move 3 of the record, \"0,0\": "), "{said}");
        let mut alone = recorded("tictactoe", "", "0,0");
        alone.bots.truncate(1);
        assert!(check(&alone).unwrap_err().starts_with("game 1 is of 1 bots: "));
        assert!(in_thread_with_large_stack(|| judge.judge(&alone)).is_err());
    }
}

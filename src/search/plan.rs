//! Shared by the searches for one player: the [`Planning`] trait, and the plan that is kept from turn to
//! turn.

use crate::clock::Meter;
use crate::evaluation::{value_at, Evaluation};
use crate::game::Game;
use crate::list::List;
use crate::score::Score;
use crate::search::report::Report;
use crate::tree::LINE;

/// Reads the clock once every 128 moves made.
pub(super) type PlanMeter = Meter<128>;

/// Hooks of a search for one player, in addition to an evaluation. The defaults are right for games with short lists of
/// moves and exact states; `impl Planning<MyGame> for MyEvaluation {}` takes them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a `Planning<{G}>`",
    note = "a search for one player needs an evaluation with `impl Planning<{G}> for {Self} {{}}`; the defaults suit most games"
)]
pub trait Planning<G: Game>: Evaluation<G> {
    /// The moves that plans are made of: legal ones, and at least one unless the game is over. By
    /// default all; fewer where most are alike.
    #[inline(always)]
    fn candidates(&self, game: &G, list: &mut G::Moves) {
        game.moves(list);
    }

    /// The move that a gene stands for in this state, `None` if the game is over. By default a gene is
    /// a fraction of the candidates' list, in 65,536ths: neighbours in the list have neighbouring genes.
    /// Faster without listing them where the rules can tell.
    #[inline(always)]
    fn decode(&self, game: &G, gene: u16) -> Option<G::Move> {
        let mut list = G::Moves::default();
        self.candidates(game, &mut list);
        list.get((usize::from(gene) * list.len()) >> 16).copied()
    }

    /// Whether a move of the last turn's plan can be made in this state, which isn't the expected one. By default if it is
    /// listed; to be written where [`Planning::decode`] gives moves that are not, or the plan would end there.
    #[inline(always)]
    fn permits(&self, game: &G, m: G::Move) -> bool {
        let mut list = G::Moves::default();
        game.moves(&mut list);
        list.contains(&m)
    }

    /// States of one level with the same key are the same to a beam: it keeps the one that is worth
    /// more. By default the hash. For a state of real numbers, that of the cell of a grid: a beam of
    /// near copies is no wider than one state.
    #[inline(always)]
    fn key(&self, game: &G) -> u64 {
        game.hash()
    }
}

/// The best plan so far, and its score: the value of the position at its end.
#[derive(Debug, Clone)]
pub(super) struct Plan<G: Game> {
    /// Where the plan begins.
    start: Option<G>,
    moves: Vec<G::Move>,
    score: Score,
}

impl<G: Game> Plan<G> {
    /// No plan; later ones have up to `len` moves.
    ///
    /// # Panics
    /// When compiled, if the game is not for one player.
    pub fn with_len(len: usize) -> Plan<G> {
        const { assert!(G::PLAYERS == 1, "plans are for one player") };
        Plan { start: None, moves: Vec::with_capacity(len), score: Score::DRAW }
    }

    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// The plan's score, if there is a plan.
    pub fn score(&self) -> Option<Score> {
        (!self.moves.is_empty()).then_some(self.score)
    }

    /// Begins a turn: drops the plan's first move. If the game isn't in the expected state, replays the rest
    /// of the plan on it, as far as it is legal and `meter` permits, and scores it again.
    pub fn resume<E: Planning<G>>(&mut self, game: &G, evaluation: &E, meter: &mut PlanMeter) {
        let Some(start) = self.start.replace(game.clone()) else { return };
        if self.moves.is_empty() || start == *game {
            return;
        }
        let expected = start.after(self.moves.remove(0));
        self.score = self.score.subtract_mate_distance(1);
        if expected == *game {
            return;
        }
        if !meter.is_in_time() {
            // Whether the rest can be made isn't known.
            return self.moves.clear();
        }
        let mut state = game.clone();
        let mut len = 0;
        while let Some(&m) = self.moves.get(len) {
            if !evaluation.permits(&state, m) || !meter.take() {
                break;
            }
            state.play(m);
            len += 1;
        }
        // Without time to judge what is left of it, the plan keeps its score.
        self.moves.truncate(len);
        if meter.is_in_time() {
            self.score = value_at(&state, evaluation, len as u32);
        }
    }

    /// Forgets the plan.
    pub fn clear(&mut self) {
        self.start = None;
        self.moves.clear();
    }

    /// Whether a plan with this score is better.
    #[inline(always)]
    pub fn is_beaten_by(&self, score: Score) -> bool {
        self.score().is_none_or(|old| score > old)
    }

    /// Takes another plan, given from its end.
    pub fn replace(&mut self, score: Score, backwards: impl Iterator<Item = G::Move>) {
        self.score = score;
        self.moves.clear();
        self.moves.extend(backwards);
        self.moves.reverse();
    }

    /// The plan as a search's answer to `game`.
    pub fn report<E: Planning<G>>(
        &self,
        game: &G,
        evaluation: &E,
        meter: &mut PlanMeter,
        solved: bool,
    ) -> Report<G::Move> {
        let nodes = meter.nodes();
        let mut list = G::Moves::default();
        let (best, score, over) = match self.moves.first() {
            Some(&m) => (Some(m), self.score, false),
            None => {
                evaluation.candidates(game, &mut list);
                let score = match list.is_empty() || meter.is_in_time() {
                    true => value_at(game, evaluation, 0),
                    false => Score::DRAW,
                };
                (list.first().copied(), score, list.is_empty())
            }
        };
        Report {
            best,
            score,
            nodes,
            depth: self.moves.len() as u32,
            solved: solved || over,
            restarted: false,
        }
    }

    /// The plan's first [`LINE`] moves.
    pub fn line(&self) -> List<G::Move, LINE> {
        let mut line = List::default();
        self.moves.iter().take(LINE).for_each(|&m| line.push(m));
        line
    }
}

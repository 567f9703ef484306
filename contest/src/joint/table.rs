//! A game with simultaneous moves in progress: the position, the moves that have been chosen this turn, and chance.

use coppice::rng::mix;
use coppice::{Choices, Player, Rng};

use crate::referee::{IllegalMove, Seat};

use super::notation::{self, JointNotation};

/// A game so far. Seat i is player i.
///
/// Players choose one after the other, and nothing happens until all who have a move have chosen: then the turn is
/// played, and chance decides what it has to, drawn by the game's seed. So two tables with the same start, seed and moves
/// are in the same position: a referee's and each bot's session.
#[derive(Debug, Clone)]
pub struct Table<G: JointNotation> {
    start: G,
    game: G,
    chosen: Choices<G::Move>,
    turns: Vec<PlayedTurn<G::Move>>,
    /// Number of opening turns at the start of `turns`.
    opening: usize,
    /// Draws outcomes.
    rng: Rng,
}

/// A turn of a game.
#[derive(Debug, Clone)]
pub struct PlayedTurn<M> {
    /// The players' moves.
    pub choices: Choices<M>,
    /// The turn as written in [`Referee::moves`](crate::Referee::moves).
    pub word: String,
}

impl<G: JointNotation> Table<G> {
    /// A game from `start`, in which chance follows from `seed`.
    pub fn new(start: G, seed: u64) -> Table<G> {
        // Starts are often drawn by the seed itself; chance must not follow from them.
        let mut rng = Rng::new(mix(seed ^ 0x636f_7070_6963_6521));
        let mut game = start;
        game.let_happen(&mut rng);
        Table { start: game.clone(), game, chosen: Choices::NONE, turns: Vec::new(), opening: 0, rng }
    }

    /// The first position in which a player has a move.
    pub fn start(&self) -> &G {
        &self.start
    }

    /// The position at the beginning of this turn.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The turns so far, in order.
    pub fn turns(&self) -> &[PlayedTurn<G::Move>] {
        &self.turns
    }

    /// The number of turns that were an opening, without answers of bots.
    pub fn opening(&self) -> usize {
        self.opening
    }

    /// Marks the end of the opening.
    pub(super) fn begin(&mut self) {
        self.opening = self.turns.len();
    }

    /// Whether nobody has a move.
    pub fn is_over(&self) -> bool {
        self.waiting().is_empty()
    }

    /// The seats that have a move and haven't chosen one this turn, in order.
    pub fn waiting(&self) -> Vec<Seat> {
        let open =
            notation::choosers(&self.game).into_iter().filter(|&player| self.chosen.of(player).is_none());
        open.map(Player::index).collect()
    }

    /// The moves chosen this turn.
    pub fn chosen(&self) -> &Choices<G::Move> {
        &self.chosen
    }

    /// Whether a seat has chosen this turn.
    fn is_begun(&self) -> bool {
        coppice::joint::players::<G>().any(|player| self.chosen.of(player).is_some())
    }

    /// Chooses a legal move for a waiting seat. If it was the last one, the turn is played.
    pub fn choose(&mut self, seat: Seat, m: G::Move) {
        self.chosen.set(player(seat), m);
        if self.waiting().is_empty() {
            let choices = std::mem::replace(&mut self.chosen, Choices::NONE);
            self.play(choices);
        }
    }

    /// Plays a turn, a legal move of each player who has one, whatever has been chosen so far.
    pub fn play(&mut self, choices: Choices<G::Move>) {
        let word = notation::write_turn(&self.game, &choices);
        self.chosen = Choices::NONE;
        self.game.play(&choices);
        self.game.let_happen(&mut self.rng);
        self.turns.push(PlayedTurn { choices, word });
    }

    /// Plays a word: the move of the first waiting seat, or a whole turn if no seat has chosen yet. A `?` in it leaves a
    /// seat waiting.
    ///
    /// # Errors
    /// If it isn't legal. Nothing changes then.
    pub fn play_word(&mut self, word: &str) -> Result<(), IllegalMove> {
        let waiting = self.waiting();
        let Some(&seat) = waiting.first() else {
            return Err(format!("\"{word}\" can't be played: the game is over").into());
        };
        if word.contains(notation::BETWEEN) && !self.is_begun() {
            let choices = notation::read_turn(&self.game, word, true)?;
            for seat in waiting {
                choices.of(player(seat)).into_iter().for_each(|m| self.choose(seat, m));
            }
        } else {
            let m = notation::read(&self.game, player(seat), word)?;
            self.choose(seat, m);
        }
        Ok(())
    }

    /// The turns so far as words, and the unfinished one with `?` for each missing move.
    pub fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = self.turns.iter().map(|turn| turn.word.clone()).collect();
        if self.is_begun() {
            words.push(notation::write_turn(&self.game, &self.chosen));
        }
        words
    }
}

/// The player on a seat.
pub(super) fn player(seat: Seat) -> Player {
    Player::new(seat as u8)
}

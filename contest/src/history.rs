//! A game in progress: the position, the turns that led there, and the moves chosen in the present one.

use coppice::rng::mix;
use coppice::{Player, Rng};

use crate::kind::Kind;
use crate::notation::{self, Move, Notation, Turn, BETWEEN, MISSING};
use crate::referee::{IllegalMove, Seat};

/// A game so far. Seat i is player i.
///
/// Players choose one after the other, and nothing happens until all who have a move have chosen: then the turn is
/// played, and chance decides what it has to, drawn by the game's seed. So two histories with the same start, seed and moves
/// are in the same position: a referee's and each bot's session. Where one player moves at a time, each move is a turn.
#[derive(Debug, Clone)]
pub struct History<G: Notation> {
    /// Boxed because states may be large.
    start: Box<G>,
    game: Box<G>,
    /// The moves chosen in this turn.
    chosen: Vec<RecordedMove<Move<G>>>,
    turns: Vec<PlayedTurn<Turn<G>, Move<G>>>,
    words: Vec<String>,
    /// Number of opening turns at the start of `turns`.
    opening: usize,
    opener: Seat,
    /// Draws outcomes.
    rng: Rng,
    /// `rng` at the start.
    start_rng: Rng,
}

/// A turn of a game.
#[derive(Debug, Clone)]
pub struct PlayedTurn<T, M> {
    /// The players' moves together.
    pub played: T,
    /// Each move, in the order in which they were chosen.
    pub moves: Vec<RecordedMove<M>>,
}

impl<T, M> PlayedTurn<T, M> {
    /// The move that a seat made in this turn; `None` if it had none.
    pub fn of(&self, seat: Seat) -> Option<&RecordedMove<M>> {
        self.moves.iter().find(|made| made.seat == seat)
    }
}

/// A move of a game.
#[derive(Debug, Clone)]
pub struct RecordedMove<M> {
    /// The move.
    pub played: M,
    /// The seat that made it.
    pub seat: Seat,
    /// Whether it was a bot's answer, not an opening move or one that the referee made.
    pub is_answer: bool,
    /// The move as written in [`Referee::moves`](crate::Referee::moves).
    pub name: String,
    /// The move in the protocol's notation; empty without a protocol.
    pub written: String,
}

impl<G: Notation> History<G> {
    /// A game from `start`, in which chance follows from `seed`.
    pub fn new(start: G, seed: u64) -> History<G> {
        // Starts are often drawn by the seed itself; chance must not follow from them.
        let mut rng = Rng::new(mix(seed ^ 0x636f_7070_6963_6521));
        let mut game = Box::new(start);
        G::Kind::begin(&mut game, &mut rng);
        let mut history = History {
            start: game.clone(),
            game,
            chosen: Vec::new(),
            turns: Vec::new(),
            words: Vec::new(),
            opening: 0,
            opener: 0,
            start_rng: rng.clone(),
            rng,
        };
        history.end_opening();
        history
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
    pub fn turns(&self) -> &[PlayedTurn<Turn<G>, Move<G>>] {
        &self.turns
    }

    /// The moves of all turns so far, in order.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = &RecordedMove<Move<G>>> {
        self.turns.iter().flat_map(|turn| &turn.moves)
    }

    /// The number of turns that were an opening, without answers of bots.
    pub fn opening(&self) -> usize {
        self.opening
    }

    /// The first seat that was to move after the opening.
    pub fn opener(&self) -> Seat {
        self.opener
    }

    /// The turns that a seat hasn't been told of: those since its last answer, or all. Where players move at the same time
    /// the turn of that answer is one of them, since the others' moves are news.
    pub fn news(&self, seat: Seat) -> Vec<Turn<G>> {
        let is_own = |turn: &PlayedTurn<Turn<G>, Move<G>>| turn.of(seat).is_some_and(|made| made.is_answer);
        let known = self.turns.iter().rposition(is_own);
        let told = usize::from(!G::Kind::IS_SIMULTANEOUS);
        self.turns[known.map_or(0, |own| own + told)..].iter().map(|turn| turn.played).collect()
    }

    /// Marks the end of the opening.
    pub(crate) fn end_opening(&mut self) {
        self.opening = self.turns.len();
        self.opener = self.waiting().first().copied().unwrap_or(0);
    }

    /// Whether no player has a move.
    pub fn is_over(&self) -> bool {
        G::Kind::choosers(&self.game).is_empty()
    }

    /// The seats that have a move and haven't chosen one this turn, in order.
    pub fn waiting(&self) -> Vec<Seat> {
        let is_open = |player: &Player| self.chosen(*player).is_none();
        G::Kind::choosers(&self.game).into_iter().filter(is_open).map(Player::index).collect()
    }

    /// The move that a player has chosen in this turn; `None` if it hasn't.
    pub fn chosen(&self, player: Player) -> Option<Move<G>> {
        self.chosen.iter().find(|made| made.seat == player.index()).map(|made| made.played)
    }

    /// Whether a seat has chosen this turn.
    fn is_begun(&self) -> bool {
        !self.chosen.is_empty()
    }

    /// Chooses a legal move for a waiting seat. If it was the last one, the turn is played.
    pub fn choose(&mut self, seat: Seat, m: Move<G>) {
        self.choose_written(seat, m, false, String::new());
    }

    /// [`History::choose`], with the move in the protocol's notation, and whether it was a bot's answer.
    pub(crate) fn choose_written(&mut self, seat: Seat, m: Move<G>, is_answer: bool, written: String) {
        if self.is_begun() {
            self.words.pop();
        }
        let name = self.game.name(player(seat), m);
        self.chosen.push(RecordedMove { played: m, seat, is_answer, name, written });
        let choosers = G::Kind::choosers(&self.game);
        let name_of = |player: &Player| {
            let made = self.chosen.iter().find(|made| made.seat == player.index());
            made.map_or(MISSING, |made| made.name.as_str())
        };
        self.words.push(notation::word(choosers.iter().map(name_of)));
        if choosers.len() <= self.chosen.len() {
            let moves = std::mem::take(&mut self.chosen);
            let each: Vec<(Player, Move<G>)> =
                moves.iter().map(|made| (player(made.seat), made.played)).collect();
            let played = G::Kind::turn(&each);
            G::Kind::play(&mut self.game, played, &mut self.rng);
            self.turns.push(PlayedTurn { played, moves });
        }
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
        if waiting.len() > 1 && word.contains(BETWEEN) && !self.is_begun() {
            for (player, m) in notation::read_turn(self.game(), word, true)? {
                self.choose(player.index(), m);
            }
        } else {
            let m = notation::read(self.game(), player(seat), word)?;
            self.choose(seat, m);
        }
        Ok(())
    }

    /// The turns so far as words, and the unfinished one with `?` for each missing move.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Returns to the position after the first `count` turns; does nothing if there are fewer.
    pub(crate) fn take_back_to(&mut self, count: usize) {
        if count >= self.words.len() {
            return;
        }
        let turns = std::mem::take(&mut self.turns);
        (self.game, self.rng) = (self.start.clone(), self.start_rng.clone());
        self.chosen.clear();
        self.words.clear();
        for made in turns.into_iter().take(count).flat_map(|turn| turn.moves) {
            self.choose(made.seat, made.played);
        }
    }
}

/// The player on a seat.
pub fn player(seat: Seat) -> Player {
    Player::new(seat as u8)
}

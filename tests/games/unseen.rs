//! Tic-tac-toe in which a player doesn't see the opponent's last mark: a small game with hidden information.

use bots::tictactoe::eval::OpenLines;
use coppice::rng::mix;
use coppice::{Evaluation, Game, Hidden, List, Payoff, Player, Rng, Score};

use bots::tictactoe::board::{has_line, LINES};

/// A player sees its own marks and all of the opponent's except the last.
///
/// It may try any cell that it doesn't know to be taken. If the unseen mark is there, the attempt is refused: both
/// players learn this, the mark is visible from then on, and the same player moves again. Otherwise the cell is
/// marked, and this mark becomes the one that the opponent doesn't see. The game ends as tic-tac-toe does, and both
/// players learn it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Unseen {
    marks: [u16; 2],
    /// By player: the mark that the opponent doesn't see, one cell or none.
    hidden: [u16; 2],
    to_move: Player,
}

/// A player's view of [`Unseen`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct UnseenView {
    own: u16,
    /// The opponent's marks that the player sees.
    seen: u16,
    /// Whether the opponent has an unseen mark.
    one_more: bool,
    /// The player's own mark that the opponent doesn't see.
    own_hidden: u16,
    to_move: Player,
    is_over: bool,
}

impl Unseen {
    /// The empty board.
    pub const START: Unseen = Unseen { marks: [0; 2], hidden: [0; 2], to_move: Player::FIRST };

    /// The number of marks.
    pub fn marks(&self) -> u32 {
        (self.marks[0] | self.marks[1]).count_ones()
    }
}

impl Game for Unseen {
    type Move = u8;
    type Moves = List<u8, 9>;

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn moves(&self, list: &mut List<u8, 9>) {
        let [own, other] = [self.to_move, self.to_move.other()].map(Player::index);
        if !self.is_over() {
            let known = self.marks[own] | self.marks[other] & !self.hidden[other];
            (0..9).filter(|m| known >> m & 1 == 0).for_each(|m| list.push(m));
        }
    }

    fn play(&mut self, m: u8) {
        let [own, other] = [self.to_move, self.to_move.other()].map(Player::index);
        if self.marks[other] >> m & 1 == 1 {
            self.hidden[other] = 0;
        } else {
            self.marks[own] |= 1 << m;
            self.hidden[own] = 1 << m;
            self.to_move = self.to_move.other();
        }
    }

    fn payoff(&self, player: Player) -> Payoff {
        let line = |player: Player| i32::from(has_line(self.marks[player.index()]));
        Payoff(line(player) - line(player.other()))
    }

    fn hash(&self) -> u64 {
        let words = [self.marks[0], self.marks[1], self.hidden[0], self.hidden[1]];
        let all = words.into_iter().fold(0, |all, word| all << 9 | u64::from(word));
        mix(all << 1 | self.to_move.index() as u64)
    }

    fn move_index(m: u8) -> u16 {
        u16::from(m)
    }

    fn is_over(&self) -> bool {
        self.marks.iter().any(|&marks| has_line(marks)) || self.marks[0] | self.marks[1] == 0o777
    }
}

impl Hidden for Unseen {
    type View = UnseenView;

    fn view(&self, player: Player) -> UnseenView {
        let [own, other] = [player, player.other()].map(Player::index);
        UnseenView {
            own: self.marks[own],
            seen: self.marks[other] & !self.hidden[other],
            one_more: self.hidden[other] != 0,
            own_hidden: self.hidden[own],
            to_move: self.to_move,
            is_over: self.is_over(),
        }
    }

    fn sample(view: &UnseenView, player: Player, rng: &mut Rng) -> Option<Unseen> {
        let [own, other] = [player, player.other()].map(Player::index);
        let mut state = Unseen { marks: [0; 2], hidden: [0; 2], to_move: view.to_move };
        (state.marks[own], state.hidden[own]) = (view.own, view.own_hidden);
        let mut found = None;
        let mut count = 0;
        for mark in (0..9).map(|cell| 1 << cell).chain([0]).filter(|&mark| view.one_more == (mark != 0)) {
            (state.marks[other], state.hidden[other]) = (view.seen | mark, mark);
            if (view.own | view.seen) & mark == 0 && state.view(player) == *view {
                count += 1;
                if rng.below(count) == 0 {
                    found = Some(state);
                }
            }
        }
        found
    }
}

impl Evaluation<Unseen> for OpenLines {
    fn evaluate(&self, game: &Unseen) -> Score {
        let open = |against: Player| {
            LINES.iter().filter(|&line| line & game.marks[against.index()] == 0).count() as i32
        };
        Score::estimate(open(game.to_move.other()) - open(game.to_move))
    }
}

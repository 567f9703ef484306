use coppice::{Evaluation, Game, List, Payoff, Player, Score};

/// Tic-tac-toe: the marks of the player to move and of the other, a bit a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct TicTacToe(pub u16, pub u16, pub Player);

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

fn has_line(marks: u16) -> bool {
    LINES.iter().any(|&line| marks & line == line)
}

impl Game for TicTacToe {
    type Move = u8;
    type Moves = List<u8, 9>;

    fn to_move(&self) -> Player {
        self.2
    }
    fn moves(&self, list: &mut List<u8, 9>) {
        if !has_line(self.1) {
            (0..9).filter(|cell| (self.0 | self.1) >> cell & 1 == 0).for_each(|cell| list.push(cell));
        }
    }
    fn play(&mut self, cell: u8) {
        *self = TicTacToe(self.1, self.0 | 1 << cell, self.2.other());
    }
    fn payoff(&self, player: Player) -> Payoff {
        let line = i32::from(has_line(self.1));
        Payoff(if player == self.2 { -line } else { line })
    }
    fn hash(&self) -> u64 {
        coppice::rng::mix(u64::from(self.0) << 16 | u64::from(self.1))
    }
    fn move_index(cell: u8) -> u16 {
        cell.into()
    }
}

/// Lines that are still open.
pub struct OpenLines;

impl Evaluation<TicTacToe> for OpenLines {
    fn evaluate(&self, game: &TicTacToe) -> Score {
        let open = |marks: u16| LINES.iter().filter(|&line| line & marks == 0).count() as i32;
        Score::estimate(open(game.1) - open(game.0))
    }
}

impl TicTacToe {
    /// The empty board.
    pub const START: TicTacToe = TicTacToe(0, 0, Player::FIRST);
}

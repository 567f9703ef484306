//! A tic-tac-toe bot: the rules, then a loop that reads a turn, searches until the deadline and answers.

use std::time::{Duration, Instant};

use coppice::input::{Input, InputError};
use coppice::search::{Mcts, MctsOptions};
use coppice::{rng, Budget, Clock, Game, List, Payoff, Player, Search};

/// A position. A set of cells has a bit a cell.
#[derive(Clone, PartialEq)]
struct Board {
    /// The cells of the player to move.
    own: u16,
    /// The cells of the other, who moved last.
    others: u16,
    to_move: Player,
}

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Board {
    fn is_lost(&self) -> bool {
        LINES.iter().any(|line| self.others & line == *line)
    }
}

impl Game for Board {
    type Move = u8; // a cell, 0 to 8
    type Moves = List<u8, 9>;

    fn to_move(&self) -> Player {
        self.to_move
    }
    fn moves(&self, list: &mut List<u8, 9>) {
        // An empty list ends the game.
        if !self.is_lost() {
            let taken = self.own | self.others;
            (0..9).filter(|cell| taken >> cell & 1 == 0).for_each(|cell| list.push(cell));
        }
    }
    fn play(&mut self, cell: u8) {
        *self = Board { own: self.others, others: self.own | 1 << cell, to_move: self.to_move.other() };
    }
    fn payoff(&self, player: Player) -> Payoff {
        match (self.is_lost(), player == self.to_move) {
            (false, _) => Payoff(0),
            (true, true) => Payoff(-1),
            (true, false) => Payoff(1),
        }
    }
    fn hash(&self) -> u64 {
        rng::mix(u64::from(self.own) << 16 | u64::from(self.others))
    }
    fn move_index(cell: u8) -> u16 {
        cell.into()
    }
}

fn main() -> Result<(), InputError> {
    let mut clock = Clock::new(Duration::from_millis(1000), Duration::from_millis(100));
    let mut input = Input::new(std::io::stdin().lock());
    let mut search = Mcts::new(MctsOptions::default()); // 64 MB, seed 0
    let mut board = Board { own: 0, others: 0, to_move: Player::FIRST };
    while let Ok(started) = input.wait() {
        let mut words = input.words()?;
        match (words.next("a row")?, words.next("a column")?) {
            (-1, -1) => {} // the first turn
            (row @ 0..=2, column @ 0..=2) => board.play((3 * row + column) as u8),
            _ => return Err(input.malformed("the opponent's move, or -1 -1")),
        }
        for _ in 0..input.value::<u32>("the number of moves")? {
            input.line()?; // a legal move, which the rules know
        }
        let report = search.search(&board, Budget::until(clock.turn(started)));
        let cell = report.best.expect("a turn has a move");
        clock.answered(Instant::now());
        println!("{} {}", cell / 3, cell % 3);
        board.play(cell);
    }
    Ok(())
}

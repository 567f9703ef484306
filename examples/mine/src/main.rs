//! A tic-tac-toe bot: the rules, then a loop that reads a turn, searches until the deadline and answers.
use coppice::search::{Mcts, MctsOptions};
use coppice::{input, rng, Budget, Clock, Game, List, Payoff, Player, Search};
use std::time::{Duration, Instant};

/// The marks of the player to move, the opponent's marks (a bit a cell), and who is to move.
#[derive(Clone, PartialEq)]
struct Board(u16, u16, Player);

#[rustfmt::skip]
impl Game for Board {
    type Move = u8; // a cell, 0 to 8
    type Moves = List<u8, 9>;
    fn to_move(&self) -> Player { self.2 }
    fn moves(&self, list: &mut List<u8, 9>) { // an empty list ends the game
        let free = |cell: &u8| self.payoff(self.2) == Payoff(0) && (self.0 | self.1) >> cell & 1 == 0;
        (0..9).filter(free).for_each(|cell| list.push(cell));
    }
    fn play(&mut self, cell: u8) { *self = Board(self.1, self.0 | 1 << cell, self.2.other()) }
    fn payoff(&self, player: Player) -> Payoff { // only the opponent can have a line
        let lines = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
        let lost = lines.iter().any(|line| self.1 & line == *line);
        Payoff(if player == self.2 { -i32::from(lost) } else { lost.into() })
    }
    fn hash(&self) -> u64 { rng::mix(u64::from(self.0) << 16 | u64::from(self.1)) }
    fn move_index(cell: u8) -> u16 { cell.into() }
}

fn main() -> Result<(), input::InputError> {
    let mut clock = Clock::new(Duration::from_millis(1000), Duration::from_millis(100));
    let mut input = input::Input::new(std::io::stdin().lock());
    let mut search = Mcts::new(16 << 20, 1, MctsOptions::default()); // 16 MB, seed 1
    let mut board = Board(0, 0, Player::FIRST);
    while let Ok(started) = input.wait() {
        let opponent: Vec<u8> = input.line()?.split_ascii_whitespace().flat_map(str::parse).collect();
        opponent.chunks_exact(2).for_each(|cell| board.play(3 * cell[0] + cell[1])); // none: `-1 -1`
        (0..input.value("the number of moves")?).try_for_each(|_: u8| input.line().map(drop))?;
        let report = search.search(&board, Budget::until(clock.turn(started)));
        let cell = report.best.expect("a turn has a move");
        clock.answered(Instant::now());
        println!("{} {}", cell / 3, cell % 3);
        board.play(cell);
    }
    Ok(())
}

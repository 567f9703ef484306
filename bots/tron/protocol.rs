//! Both sides of the protocol: `PROTOCOL.md`.

use std::io::BufRead;

use contest::lines::LineGame;
use coppice::input::{Input, InputError};
use coppice::{Game, Player, Rng};

use super::board::{Board, Move};
use super::field::{Cell, Direction, CELLS};

/// The form of a player's line, for messages.
const LINE: &str = "X0 Y0 X1 Y1, columns 0 to 29 and rows 0 to 19, or -1 -1 -1 -1";

/// The start and the present cell of a player's cycle; `None` if it is out.
type Shown = Option<(Cell, Cell)>;

impl<const N: usize> LineGame<Move> for Board<N> {
    const NAME: &'static str = match N {
        2 => "tron",
        3 => "tron:3",
        _ => "tron:4",
    };
    const ANSWER: &'static str = "UP, DOWN, LEFT or RIGHT";
    /// One for each player: its start.
    const OPENING_PLIES: u32 = N as u32;
    const MAX_OPENING_PLIES: u32 = N as u32;

    fn start(_seed: u64) -> Board<N> {
        Board::start()
    }

    /// A free cell from which the player to move starts, each with the same probability.
    fn opening_move(&self, _: Player, rng: &mut Rng) -> Option<Move> {
        let free = self.free();
        loop {
            let cell = Cell::new(rng.below(CELLS as u32) as u16);
            if free.contains(cell) {
                return Some(Move::Start(cell));
            }
        }
    }

    fn forfeit(&self, _: Player) -> Option<Move> {
        Some(Move::Out)
    }

    fn write_turn(&self, _: Player, _: &[Move]) -> String {
        let mut text = format!("{N} {}\n", self.to_move().index());
        for player in self.players() {
            text += &if self.is_in(player) {
                let (start, head) = (self.start_of(player), self.head(player));
                format!("{} {} {} {}\n", start.x(), start.y(), head.x(), head.y())
            } else {
                "-1 -1 -1 -1\n".to_owned()
            };
        }
        text
    }

    /// Follows the others' moves since the last answer. On the first turn the trails follow from starts and present
    /// cells, since no player has moved more than once.
    fn read_turn<R: BufRead>(&mut self, _: Player, input: &mut Input<R>) -> Result<(), InputError> {
        let me = read_head::<N, R>(input)?;
        let mut shown: [Shown; N] = [None; N];
        for (player, shown) in self.players().zip(&mut shown) {
            *shown = read_line(input)?;
            let expected = match *shown {
                None if player == me => "the bot's own cells: it is asked, so it is not out",
                Some((start, now))
                    if self.plies() == 0 && start != now && start.direction_to(now).is_none() =>
                {
                    "a first turn, on which no cycle is more than a step from its start"
                }
                Some(_) if self.plies() > 0 && !self.is_in(player) => {
                    "-1 -1 -1 -1, since this player was out before"
                }
                Some((_, now))
                    if self.plies() > 0 && player != me && self.head(player).direction_to(now).is_none() =>
                {
                    "the cell of a cycle one step from where it was on the last turn"
                }
                _ => continue,
            };
            return Err(input.malformed(expected));
        }
        let is_possible = match self.plies() {
            0 => self.begin(me, &shown),
            _ => self.follow(me, &shown),
        };
        match is_possible {
            true => Ok(()),
            false => Err(input.malformed("the cells of cycles that moved in turn, each to a free cell")),
        }
    }

    fn write_answer(&self, _: Player, m: Move) -> String {
        match m {
            Move::Go(direction) => direction.word().to_owned(),
            Move::Out => {
                let out = Direction::ALL.into_iter().find(|&direction| !self.is_free(direction));
                out.map_or("OUT", Direction::word).to_owned()
            }
            Move::Start(cell) => format!("{} {}", cell.x(), cell.y()),
        }
    }

    fn read_answer(&self, _: Player, line: &str) -> Option<Move> {
        let direction = Direction::read(line)?;
        Some(if self.is_free(direction) { Move::Go(direction) } else { Move::Out })
    }
}

impl<const N: usize> Board<N> {
    /// Sets up the first turn of a player; false if turns can't lead to these cells.
    fn begin(&mut self, me: Player, shown: &[Shown; N]) -> bool {
        let has_moved = |player: usize| shown[player].is_none_or(|(start, now)| start != now);
        let before_me = |i: usize| (me.index() + N - i) % N;
        let moved = (1..N).take_while(|&i| has_moved(before_me(i))).count();
        let starts = shown.map(|line| line.map(|(start, _)| start));
        let is_twice = (1..N).any(|i| starts[i].is_some() && starts[..i].contains(&starts[i]));
        if is_twice || (0..N).filter(|&player| has_moved(player)).count() != moved {
            return false;
        }
        *self = Board::from_starts(starts, Player::new(before_me(moved) as u8));
        (1..=moved).rev().all(|i| self.show(Player::new(before_me(i) as u8), shown))
    }

    /// Makes the others' moves since the last answer; false if these cells can't follow.
    fn follow(&mut self, me: Player, shown: &[Shown; N]) -> bool {
        // The referee decides where the bot itself is.
        let is_corrected = shown[me.index()].is_some_and(|(_, now)| self.correct(me, now));
        let others = (1..N).map(|i| Player::new(((me.index() + i) % N) as u8));
        is_corrected && others.into_iter().all(|player| !self.is_in(player) || self.show(player, shown))
    }

    /// Makes the move that a player is shown to have made; false if it isn't its turn, or the cell isn't free.
    fn show(&mut self, player: Player, shown: &[Shown; N]) -> bool {
        let m = match shown[player.index()] {
            None => Some(Move::Out),
            Some((_, now)) => self.head(player).direction_to(now).map(Move::Go),
        };
        let is_legal = |m: &Move| match *m {
            Move::Go(direction) => self.is_free(direction),
            _ => true,
        };
        let m = m.filter(|m| self.to_move() == player && !self.is_over() && is_legal(m));
        m.into_iter().for_each(|m| self.play(m));
        m.is_some()
    }
}

/// Reads the number of players, which must be `N`, and the bot's own.
fn read_head<const N: usize, R: BufRead>(input: &mut Input<R>) -> Result<Player, InputError> {
    let mut words = input.words()?;
    let players = words.next::<usize>("the number of players, 2 to 4")?;
    let me = words.next::<usize>("the bot's own number")?;
    if !(2..=4).contains(&players) {
        return Err(input.malformed("N P with 2 to 4 players"));
    }
    if players != N {
        return Err(input.malformed(&format!("N P with {N} players, as many as on the first turn")));
    }
    match me < N {
        true => Ok(Player::new(me as u8)),
        false => Err(input.malformed(&format!("N P, the bot's own number from 0 to {}", N - 1))),
    }
}

/// Reads the line of a player.
fn read_line<R: BufRead>(input: &mut Input<R>) -> Result<Shown, InputError> {
    let numbers: Vec<i32> =
        input.line()?.split_ascii_whitespace().map_while(|word| word.parse().ok()).collect();
    let shown = match numbers[..] {
        [-1, -1, -1, -1] => Some(None),
        [x0, y0, x1, y1] => Cell::at(x0, y0).zip(Cell::at(x1, y1)).map(Some),
        _ => None,
    };
    shown.ok_or_else(|| input.malformed(LINE))
}

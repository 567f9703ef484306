//! Toy contests, small enough to check by hand.

#![allow(dead_code, reason = "no test program uses all of it")]

use std::time::Duration;

use contest::perft::Perft;
use contest::{Contest, Fault, FaultKind, IllegalMove, Limits, Referee, Seat, Setup};

const LIMITS: Limits = Limits { first: Duration::from_secs(20), later: Duration::from_secs(2) };

/// Two players take 1 to 3 from a pile in turn; taking the last one wins.
pub struct Nim {
    pub pile: u32,
    /// Number of bytes in an additional line of each turn.
    pub padding: usize,
}

pub const NIM: Nim = Nim { pile: 6, padding: 0 };

struct NimGame {
    pile: u32,
    padding: usize,
    to_move: Seat,
    out: Option<Seat>,
    moves: Vec<u32>,
}

impl Contest for Nim {
    fn name(&self) -> &str {
        "nim"
    }

    fn seats(&self) -> usize {
        2
    }

    fn limits(&self) -> Limits {
        LIMITS
    }

    fn new_game(&self, Setup { seed, opening_plies, .. }: Setup) -> Box<dyn Referee> {
        let mut game =
            NimGame { pile: self.pile, padding: self.padding, to_move: 0, out: None, moves: Vec::new() };
        for ply in 0..opening_plies {
            game.take(1 + (seed >> ply) as u32 % 2);
        }
        Box::new(game)
    }

    fn perft(&self) -> Option<Box<dyn Perft + '_>> {
        Some(Box::new(NimPerft))
    }
}

struct NimPerft;

impl Perft for NimPerft {
    fn count(&self, depth: u32) -> u64 {
        3_u64.pow(depth)
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        (1..=3).map(|first| (first.to_string(), 3_u64.pow(depth - 1))).collect()
    }
}

impl NimGame {
    fn take(&mut self, count: u32) {
        self.pile -= count;
        self.moves.push(count);
        self.to_move = 1 - self.to_move;
    }

    fn judge(&self, line: &str) -> Result<u32, Fault> {
        let fault = |kind, expected: &str| Fault { kind, expected: expected.to_owned() };
        let count = line.parse().map_err(|_| fault(FaultKind::Protocol, "a number"))?;
        if !(1..=3.min(self.pile)).contains(&count) {
            return Err(fault(FaultKind::Illegal, "1 to 3, no more than there are"));
        }
        Ok(count)
    }
}

impl Referee for NimGame {
    fn init(&self, seat: Seat) -> String {
        format!("{seat}\n")
    }

    fn asked(&self) -> Vec<Seat> {
        if self.pile == 0 || self.out.is_some() {
            Vec::new()
        } else {
            vec![self.to_move]
        }
    }

    fn turn(&self, _seat: Seat) -> String {
        format!("{}{}\n", "x".repeat(self.padding), self.pile)
    }

    fn answer(&mut self, _seat: Seat, line: &str) -> Result<(), Fault> {
        let count = self.judge(line)?;
        self.take(count);
        Ok(())
    }

    fn move_of(&self, _seat: Seat, line: &str) -> Result<String, Fault> {
        self.judge(line).map(|count| count.to_string())
    }

    fn open(&mut self, text: &str) -> Result<(), IllegalMove> {
        let count = self.judge(text).map_err(|fault| fault.expected)?;
        self.take(count);
        Ok(())
    }

    fn forfeit(&mut self, seat: Seat) {
        self.out = Some(seat);
    }

    fn scores(&self) -> Vec<i64> {
        let loser = self.out.unwrap_or(self.to_move);
        (0..2).map(|seat| i64::from(seat != loser)).collect()
    }

    fn moves(&self) -> String {
        self.moves.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
    }

    fn show(&self) -> String {
        format!("{} left", self.pile)
    }

    fn legal_moves(&self, _seat: Seat) -> Vec<String> {
        (1..=3.min(self.pile)).map(|count| count.to_string()).collect()
    }
}

/// Three players name two numbers each, simultaneously, for three rounds; a seat's score is the sum of its
/// numbers. Eliminated seats are no longer asked; the others continue.
pub struct Auction {
    /// Simulates a bug: the contest asks eliminated seats.
    pub asks_eliminated: bool,
}

#[derive(Default)]
struct AuctionGame {
    asks_eliminated: bool,
    sums: [i64; 3],
    out: [bool; 3],
    answered: [u32; 3],
}

impl Contest for Auction {
    fn name(&self) -> &str {
        "auction"
    }

    fn seats(&self) -> usize {
        3
    }

    fn limits(&self) -> Limits {
        LIMITS
    }

    fn new_game(&self, _: Setup) -> Box<dyn Referee> {
        Box::new(AuctionGame { asks_eliminated: self.asks_eliminated, ..AuctionGame::default() })
    }
}

impl AuctionGame {
    fn plays(&self, seat: Seat) -> bool {
        self.asks_eliminated || !self.out[seat]
    }
}

impl Referee for AuctionGame {
    fn init(&self, _seat: Seat) -> String {
        String::new()
    }

    fn asked(&self) -> Vec<Seat> {
        let in_play = || (0..3).filter(|&seat| self.plays(seat));
        let round = in_play().map(|seat| self.answered[seat]).min().unwrap_or(3);
        in_play().filter(|&seat| round < 3 && self.answered[seat] == round).collect()
    }

    fn turn(&self, _seat: Seat) -> String {
        format!("{:?}\n", self.sums)
    }

    fn answer_lines(&self, _: Seat) -> usize {
        2
    }

    fn answer(&mut self, seat: Seat, line: &str) -> Result<(), Fault> {
        self.sums[seat] += sum(line)?;
        self.answered[seat] += 1;
        Ok(())
    }

    fn move_of(&self, _seat: Seat, line: &str) -> Result<String, Fault> {
        sum(line).map(|sum| sum.to_string())
    }

    fn open(&mut self, text: &str) -> Result<(), IllegalMove> {
        Err(format!("\"{text}\": an auction has no opening").into())
    }

    fn forfeit(&mut self, seat: Seat) {
        self.out[seat] = true;
    }

    fn scores(&self) -> Vec<i64> {
        self.sums.into()
    }

    fn moves(&self) -> String {
        String::new()
    }

    fn show(&self) -> String {
        format!("{:?}", self.sums)
    }

    fn legal_moves(&self, _seat: Seat) -> Vec<String> {
        vec!["1,1".to_owned(), "2,3".to_owned()]
    }

    fn answer_of(&self, _seat: Seat, text: &str) -> String {
        text.replace(',', "\n")
    }
}

fn sum(line: &str) -> Result<i64, Fault> {
    line.lines().map(|number| number.parse::<i64>().map_err(|_| "two numbers".into())).sum()
}

/// Single-player Nim, with only the methods that plans need.
pub struct Alone;

impl Contest for Alone {
    fn name(&self) -> &str {
        "alone"
    }

    fn seats(&self) -> usize {
        1
    }

    fn limits(&self) -> Limits {
        LIMITS
    }

    fn new_game(&self, setup: Setup) -> Box<dyn Referee> {
        NIM.new_game(setup)
    }
}

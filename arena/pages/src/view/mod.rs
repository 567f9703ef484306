//! A page that shows games: positions, charts, what each bot was sent, answered and said.
//!
//! [`Viewed`] is a game turn by turn, whatever it was read from; [`page`](page::page) writes it as one HTML file that needs
//! no network and no server, and can be read as a list of turns where scripts don't run.

mod asinh_scale;
pub mod bot_colours;
mod charts;
pub mod compare;
mod data;
mod dialogues;
pub mod foreign;
pub mod game;
pub mod lines;
pub mod look;
pub mod losing;
mod numbers;
pub mod open;
pub mod outcome;
mod overlay;
mod packed;
pub mod page;
mod shapes;
mod shared;
pub mod template;
#[cfg(test)]
mod tests;
mod values;

use std::collections::BTreeMap;
use std::time::Duration;

use contest::drawing::{Drawing, Shape};
use contest::quantity::Quantity;
use contest::sheet::Sheet;
use contest::Seat;

use lines::{Line, Share};

/// A game to be shown.
#[derive(Debug, Clone, Default)]
pub struct Viewed {
    /// Name: the files it was read from.
    pub name: String,
    /// The contest, or empty if it isn't known.
    pub contest: String,
    /// The bots, by seat.
    pub bots: Vec<ViewedBot>,
    /// The numbers of the bots' colours, by seat; see [`bot_colours`].
    pub colours: Vec<usize>,
    /// The seat of the bot that the page is about: what is good for it is drawn upwards.
    pub viewpoint: Seat,
    /// Points, by seat.
    pub scores: Vec<i64>,
    /// How the game ended, if that is known.
    pub ending: String,
    /// Notes on the game: where it contradicts the rules, where it is cut off.
    pub notes: Vec<String>,
    /// Whether fewer points are better.
    pub is_lower_better: bool,
    /// All moves, if the contest is known.
    pub moves: String,
    /// The game's seed by its record, or 0.
    pub seed: u64,
    /// The day on which its file was written; may be empty.
    pub date: String,
    /// Moves before the first turn; may be empty.
    pub opening: String,
    /// The time that asking another bot took.
    pub asked: Option<Duration>,
    /// The turns, in order.
    pub turns: Vec<ViewedTurn>,
    /// A drawing of the whole game by another program, as SVG.
    pub picture: Option<String>,
    /// The position at the end, with its text.
    pub end: Option<(Drawing, String)>,
    /// The position at the end for a terminal.
    pub end_sheet: Sheet,
    /// The contest's quantities at the end.
    pub end_quantities: Vec<Quantity>,
    /// Time limits of a first and of every later answer in milliseconds, if known.
    pub limits_ms: Option<[f64; 2]>,
}

/// A bot of a game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ViewedBot {
    /// Name in the game.
    pub name: String,
    /// Command line; may be empty.
    pub command: String,
}

/// A turn: a seat was asked. Seats that are asked together have a turn each.
#[derive(Debug, Clone, Default)]
pub struct ViewedTurn {
    /// The seat that was asked.
    pub seat: Seat,
    /// The number of its round, from 1: seats that are asked together share it. 0 if it isn't known.
    pub round: usize,
    /// The number of moves of the record before it, if the contest is known.
    pub moves_before: Option<usize>,
    /// The position before the answer.
    pub position: Option<Drawing>,
    /// The answer's effect, as shapes in the position.
    pub marks: Vec<Shape>,
    /// The position as text.
    pub text: String,
    /// The position for a terminal.
    pub sheet: Sheet,
    /// The lines that the bot was sent.
    pub sent: String,
    /// The bot's answer.
    pub answer: String,
    /// The move that it means, as records write it.
    pub played: Option<String>,
    /// That move in the game's words; empty if they aren't known.
    pub words: String,
    /// How the bot failed in this turn, if it did.
    pub failure: Option<String>,
    /// The bot's standard error.
    pub said: String,
    /// The time of the answer in milliseconds.
    pub ms: Option<f64>,
    /// The numbers that the bot reported about this turn.
    pub numbers: BTreeMap<String, f64>,
    /// The contest's quantities before the answer.
    pub quantities: Vec<Quantity>,
    /// Another bot's answer to this turn.
    pub other: Option<Other>,
    /// The best line and the one that answers the move, at turns that are marked.
    pub lines: Vec<Line>,
    /// The other bot's most visited moves, at turns that are marked.
    pub shares: Vec<Share>,
}

/// Another bot's answer to a turn. Scores are those of the seat that was asked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Other {
    /// The other bot's answer.
    pub answer: String,
    /// That answer in the game's words; empty if they aren't known.
    pub words: String,
    /// The other bot's score of the position.
    pub score: f64,
    /// The other bot's score of the position after the move that was played, if it is known.
    pub worth: Option<f64>,
    /// The other answer's effect, as shapes in the position.
    pub marks: Vec<Shape>,
    /// The answer to a second question, with more time or nodes.
    pub checked: Option<Checked>,
}

/// Another bot's answer to a turn that may have lost the game, with a larger budget.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Checked {
    /// The other bot's answer.
    pub answer: String,
    /// That answer in the game's words; empty if they aren't known.
    pub words: String,
    /// The other bot's score of the position.
    pub score: f64,
    /// The other bot's score of the position after the move that was played, if it is known.
    pub worth: Option<f64>,
    /// The other answer's effect, as shapes in the position.
    pub marks: Vec<Shape>,
    /// The budget in words: `160000 nodes`.
    pub budget: String,
    /// The budget as a command of the console: `nodes 160000`.
    pub command: String,
}

/// Another bot's opinion of a turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Advice<'a> {
    /// The other bot's answer.
    pub answer: &'a str,
    /// That answer in the game's words.
    pub words: &'a str,
    /// The other bot's score of the position.
    pub score: f64,
    /// The other bot's score of the position after the move that was played, if it is known.
    pub worth: Option<f64>,
    /// The larger budget in words; empty for the usual one.
    pub budget: &'a str,
}

impl Other {
    /// The opinion with the smaller budget.
    pub fn first(&self) -> Advice<'_> {
        let words = if self.words.is_empty() { &self.answer } else { &self.words };
        Advice { answer: &self.answer, words, score: self.score, worth: self.worth, budget: "" }
    }

    /// The opinion with the larger budget, if the bot was asked again.
    pub fn last(&self) -> Advice<'_> {
        let checked = self.checked.as_ref();
        checked.map_or_else(
            || self.first(),
            |Checked { answer, words, score, worth, budget, .. }| Advice {
                answer,
                words: if words.is_empty() { answer } else { words },
                score: *score,
                worth: *worth,
                budget,
            },
        )
    }
}

impl ViewedTurn {
    /// Whether another bot would have played something else.
    pub fn differs(&self) -> bool {
        self.other.as_ref().is_some_and(|other| Some(&other.answer) != self.played.as_ref())
    }

    /// The number of the record's move that the turn is about, from 1, if it is known.
    pub fn ply(&self) -> Option<usize> {
        self.moves_before.map(|before| before + 1)
    }

    /// The turn's move as the rules write it, or the first line of its answer; how it failed, if it did.
    pub fn shown_move(&self) -> String {
        if let Some(failure) = &self.failure {
            return failure.split(':').next().unwrap_or(failure).to_owned();
        }
        match &self.played {
            Some(_) if !self.words.is_empty() => self.words.clone(),
            Some(played) => played.clone(),
            None => shortened(&self.answer),
        }
    }
}

impl Viewed {
    /// A seat's name.
    pub fn name(&self, seat: Seat) -> String {
        self.bots.get(seat).map_or_else(|| format!("seat {seat}"), |bot| bot.name.clone())
    }

    /// Names that fit into a board, by seat: the bots' own if all are short, else their first letters if those differ, else
    /// the numbers of their seats.
    fn short_names(&self) -> Vec<String> {
        let names = || self.bots.iter().map(|bot| bot.name.as_str());
        if names().all(|name| (1..=3).contains(&name.chars().count())) {
            return names().map(str::to_owned).collect();
        }
        let letters = names().map(|name| name.chars().take(1).collect::<String>()).collect::<Vec<_>>();
        let differ = letters.iter().collect::<std::collections::BTreeSet<_>>().len() == letters.len();
        match differ && letters.iter().all(|letter| !letter.is_empty()) {
            true => letters,
            false => (0..self.bots.len()).map(|seat| seat.to_string()).collect(),
        }
    }

    /// The seat of the bot of this name.
    pub fn seat_of(&self, name: &str) -> Option<Seat> {
        self.bots.iter().position(|bot| bot.name == name)
    }

    /// A turn's number, from 1, with its round where several seats are asked together.
    pub fn label(&self, number: usize) -> String {
        let Some(turn) = number.checked_sub(1).and_then(|at| self.turns.get(at)) else {
            return "end".to_owned();
        };
        match self.has_rounds() {
            true => format!("turn {number} (round {})", turn.round),
            false => format!("turn {number}"),
        }
    }

    /// Whether turns and plies have different numbers.
    pub fn has_plies(&self) -> bool {
        let differs = |(at, turn): (usize, &ViewedTurn)| turn.ply().is_some_and(|ply| ply != at + 1);
        self.turns.iter().enumerate().any(differs)
    }

    /// The limit of a turn in milliseconds: the first of a seat has its own.
    fn limit(&self, turn: &ViewedTurn) -> Option<f64> {
        let [first, later] = self.limits_ms?;
        let of_seat = self.turns.iter().find(|other| other.seat == turn.seat);
        Some(if of_seat.is_some_and(|other| std::ptr::eq(other, turn)) { first } else { later })
    }

    /// Whether seats are asked together.
    pub fn has_rounds(&self) -> bool {
        self.turns.windows(2).any(|pair| pair[0].round > 0 && pair[0].round == pair[1].round)
    }

    /// A seat's value from the page's point of view.
    fn seen(&self, seat: Seat, value: f64) -> f64 {
        if self.bots.len() == 2 && seat != self.viewpoint {
            -value
        } else {
            value
        }
    }
}

/// The first line of an answer, not too long.
fn shortened(answer: &str) -> String {
    let line = answer.lines().next().unwrap_or("nothing");
    match line.chars().count() {
        0..=40 => line.to_owned(),
        _ => line.chars().take(40).chain(['…']).collect(),
    }
}

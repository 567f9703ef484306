//! Where the other player's units may be: all that a player's observations allow.

use arrayvec::ArrayVec;
use coppice::{Game, Player};

use super::action::Action;
use super::board::{Actions, Board, CLOSED};
use super::cells::{around, bit, each, place, NOWHERE, SIDE};

/// A place of the other's units that is possible.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Guess {
    /// The cells of the units.
    pub units: [u8; 2],
    /// How probable it is, if the other plays at random; all weights together are 1.
    pub weight: f32,
    /// The other's points if it came here in the most probable way.
    pub points: u16,
    /// Where the units were at the player's last turn if they came here in the most probable way.
    pub before: [u8; 2],
}

impl Guess {
    /// A place at the beginning, or one that is seen.
    pub const fn new(units: [u8; 2]) -> Guess {
        Guess { units, weight: 1.0, points: 0, before: units }
    }
}

/// Cells of the widest grid.
const CELLS: usize = SIDE as usize * SIDE as usize;
/// The most guesses: two different cells of the widest grid.
const MOST: usize = CELLS * (CELLS - 1);

/// The weight of what a player does without a need: nothing, because it failed. Small, so that it is believed only if
/// nothing else explains what is seen.
const FAILED: f32 = 1e-3;

/// A player's knowledge of the other's units.
///
/// It holds every place that the player's input allows: the true one is always among them. In each turn of the player, the
/// actions that the other may have made since are tried from every place that was possible, and those remain that lead to
/// the present view: heights, own units, the other's units in sight.
#[derive(Debug, Clone, PartialEq)]
pub struct Belief {
    guesses: ArrayVec<Guess, MOST>,
    /// The player's view at its last turn, and its action then.
    last: Option<(Board, Action)>,
}

impl Default for Belief {
    fn default() -> Belief {
        Belief::new()
    }
}

impl Belief {
    /// Before the first turn.
    pub const fn new() -> Belief {
        Belief { guesses: ArrayVec::new_const(), last: None }
    }

    /// The places that are possible, each once.
    pub fn guesses(&self) -> &[Guess] {
        &self.guesses
    }

    /// The most probable place; the first of several.
    pub fn best(&self) -> Option<&Guess> {
        self.guesses.iter().reduce(|best, guess| if guess.weight > best.weight { guess } else { best })
    }

    /// Takes in what the player to move of `seen` sees at its turn ([`Board::seen_by`]).
    pub fn observe(&mut self, seen: &Board) {
        let before = std::mem::take(&mut self.guesses);
        if let Some((board, action)) = self.last {
            let mut found = Found { at: [u16::MAX; CELLS * CELLS], ways: ArrayVec::new_const() };
            for guess in &before {
                self.follow(&board, action, guess, seen, &mut found);
            }
        }
        if self.guesses.is_empty() {
            self.begin(seen, true);
        }
        if self.guesses.is_empty() {
            self.begin(seen, false);
        }
        let total: f32 = self.guesses.iter().map(|guess| guess.weight).sum();
        self.guesses.iter_mut().for_each(|guess| guess.weight /= total);
    }

    /// Notes the player's action, in a turn in which it saw `seen`.
    pub fn act(&mut self, seen: &Board, action: Action) {
        self.last = Some((*seen, action));
    }

    /// All places that agree with the view. With `by_first_build`, if one cell has been raised, by one, the other has built
    /// there: a unit stands next to it.
    fn begin(&mut self, seen: &Board, by_first_build: bool) {
        let me = seen.to_move();
        let hidden = seen.cells & !seen.sight(me) & !seen.occupied(me);
        let choices = |unit: u8| match unit {
            NOWHERE => hidden,
            at => bit(at),
        };
        let built = seen.at_least(1);
        let is_first = by_first_build && built.count_ones() == 1 && seen.at_least(2) == 0;
        let units = seen.units[me.other().index()];
        for first in each(choices(units[0])) {
            let second = if seen.league.units() == 1 { 0 } else { choices(units[1]) & !bit(first) };
            let pairs = each(second).chain((seen.league.units() == 1).then_some(NOWHERE));
            for second in pairs {
                let near = around(bit(first) | bit(second));
                if !is_first || near & built != 0 {
                    self.guesses.push(Guess::new([first, second]));
                }
            }
        }
    }

    /// Adds what the other's actions may have made of a guess.
    fn follow(&mut self, board: &Board, action: Action, guess: &Guess, seen: &Board, found: &mut Found) {
        let me = seen.to_move();
        let mut before = with_guess(board, me, guess);
        before.act(action);
        let before = before.with_mover(me.other());
        let mut list = Actions::default();
        before.list(&mut list);
        let share = match list.len() {
            0 => 0.0,
            count => guess.weight / count as f32,
        };
        // The other's build: a cell, or nothing where a unit that it didn't see was in the way.
        let raised =
            (1..=CLOSED).fold(0, |cells, height| cells | seen.at_least(height) & !before.at_least(height));
        let explains = |action: &Action| {
            let at = before.units[me.other().index()][action.unit()];
            let first = action.first().from(at);
            let built = if action.is_push() { first } else { action.second().from(first) };
            match raised {
                0 => action.is_push() || bit(built) & before.occupied(me) != 0,
                cell => bit(built) == cell,
            }
        };
        for &action in list.iter().filter(|action| explains(action)) {
            let mut after = before;
            after.act(action);
            self.add(&after, seen, guess, share, found);
        }
        // It did nothing: it has no action, or is out.
        let share = if list.is_empty() { guess.weight } else { guess.weight * FAILED };
        self.add(&before, seen, guess, share, found);
    }

    /// Adds the place on `board`, to which `guess` leads with weight `share`, if it agrees with what is seen.
    fn add(&mut self, board: &Board, seen: &Board, guess: &Guess, share: f32, found: &mut Found) {
        let me = seen.to_move();
        let other = me.other().index();
        let shown = board.seen_by(me);
        let agrees = shown.units == seen.units && (1..=CLOSED).all(|h| shown.at_least(h) == seen.at_least(h));
        if !agrees {
            return;
        }
        let units = board.units[other];
        let place =
            Guess { units, weight: share, points: guess.points + board.points[other], before: guess.units };
        let entry = &mut found.at[index(units)];
        match self.guesses.get_mut(usize::from(*entry)) {
            Some(known) => {
                let weight = known.weight + share;
                let way = &mut found.ways[usize::from(*entry)];
                if share > *way {
                    (*known, *way) = (place, share);
                }
                known.weight = weight;
            }
            None => {
                *entry = self.guesses.len() as u16;
                self.guesses.push(place);
                found.ways.push(share);
            }
        }
    }
}

/// The places that a turn's actions have led to so far.
struct Found {
    /// The number of the guess of a place, by [`index`].
    at: [u16; CELLS * CELLS],
    /// The weight of the most probable way to each guess.
    ways: ArrayVec<f32, MOST>,
}

/// A board on which the other's units stand where they are guessed; its points are 0.
pub fn with_guess(seen: &Board, me: Player, guess: &Guess) -> Board {
    let mut board = *seen;
    board.units[me.other().index()] = guess.units;
    board
}

/// A number for the cells of two units; the second may be [`NOWHERE`].
fn index(units: [u8; 2]) -> usize {
    let number = |at: u8| match at {
        NOWHERE => 0,
        at => {
            let (x, y) = place(at);
            usize::from(x + SIDE * y)
        }
    };
    CELLS * number(units[0]) + number(units[1])
}

//! Nim: a pile; each player in turn takes 1 to 3 of it, and the one who takes the last wins.

use std::fmt;

use contest::commands::Commands;
use coppice::{Evaluation, Game, List, Payoff, Player, Score};

/// The stones of the pile, and who takes next.
#[derive(Clone, PartialEq)]
pub struct Nim {
    pile: u8,
    mover: Player,
}

impl Game for Nim {
    type Move = u8;
    type Moves = List<u8, 3>;

    fn to_move(&self) -> Player {
        self.mover
    }
    fn moves(&self, list: &mut List<u8, 3>) {
        (1..=self.pile.min(3)).for_each(|count| list.push(count));
    }
    fn play(&mut self, count: u8) {
        *self = Nim { pile: self.pile - count, mover: self.mover.other() };
    }
    fn payoff(&self, player: Player) -> Payoff {
        Payoff(if player == self.mover { -1 } else { 1 })
    }
    fn hash(&self) -> u64 {
        coppice::rng::mix(u64::from(self.pile) << 1 | self.mover.index() as u64)
    }
    fn move_index(count: u8) -> u16 {
        count.into()
    }
}

/// Every position is worth the same.
pub struct Unknown;

impl Evaluation<Nim> for Unknown {
    fn evaluate(&self, _: &Nim) -> Score {
        Score::estimate(0)
    }
}

/// The drawing for consoles.
impl fmt::Display for Nim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} left", self.pile)
    }
}

/// A move in records; only the arena needs it.
#[cfg(not(bundled))]
impl contest::notation::Notation for Nim {
    fn name(&self, count: u8) -> String {
        count.to_string()
    }
}

/// The protocol: `init PILE FIRST MS`, `play COUNT`, `go`.
impl Commands for Nim {
    const NAME: &'static str = "nim";
    const VARIANT: &'static str = "PILE"; // the words between `init` and the first player
    const USUAL: &'static str = "21"; // what `arena match nim` plays; `nim:15` is another variant

    fn start(words: &[&str]) -> Result<Nim, String> {
        let pile = words[0].parse().map_err(|_| "expected a number up to 255")?;
        Ok(Nim { pile, mover: Player::FIRST })
    }
    fn read_move(&self, text: &str) -> Option<u8> {
        text.parse().ok()
    }
    fn write_move(&self, count: u8) -> String {
        count.to_string()
    }
}

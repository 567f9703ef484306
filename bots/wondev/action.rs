//! An action, in a byte.

use std::fmt;
use std::str::FromStr;

use super::cells::Direction;

/// A unit's action in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Action(u8);

const PUSH: u8 = 1 << 7;

/// The first word of a move and of a push.
const WORDS: [&str; 2] = ["MOVE&BUILD", "PUSH&BUILD"];
/// The answer of a player who has no action.
const ACCEPT: &str = "ACCEPT-DEFEAT";

/// The form of an answer, for messages.
pub const FORM: &str = "MOVE&BUILD|PUSH&BUILD INDEX DIRECTION DIRECTION, or ACCEPT-DEFEAT";

impl Default for Action {
    fn default() -> Action {
        Action::ACCEPT
    }
}

impl Action {
    /// The only action of a player who has no other: it is out. The code is that of a push to the south of a unit in the
    /// north, which the rules don't allow.
    pub const ACCEPT: Action = Action(PUSH | 4);

    /// Moves a unit, then builds.
    #[inline(always)]
    pub const fn step(unit: u8, to: Direction, build: Direction) -> Action {
        Action(unit << 6 | to.number() << 3 | build.number())
    }

    /// Pushes the unit in direction `at` to where `to` leads from it, and builds where it stood.
    #[inline(always)]
    pub const fn push(unit: u8, at: Direction, to: Direction) -> Action {
        Action(PUSH | unit << 6 | at.number() << 3 | to.number())
    }

    /// Whether a unit is pushed.
    #[inline(always)]
    pub const fn is_push(self) -> bool {
        self.0 & PUSH != 0
    }

    /// The index of the unit that acts: 0 or 1.
    #[inline(always)]
    pub const fn unit(self) -> usize {
        (self.0 >> 6 & 1) as usize
    }

    /// The direction of the step, or of the unit to push.
    #[inline(always)]
    pub const fn first(self) -> Direction {
        Direction::new(self.0 >> 3)
    }

    /// The direction of the cell to build on, from where the step ends; or of the push.
    #[inline(always)]
    pub const fn second(self) -> Direction {
        Direction::new(self.0)
    }

    /// The text of the protocol with `/` in place of blanks and the first letter of the first word alone: `M/0/N/SE`,
    /// `P/1/E/NE`; `accept` for [`Action::ACCEPT`].
    pub fn short(self) -> String {
        if self == Action::ACCEPT {
            return "accept".to_owned();
        }
        let kind = if self.is_push() { 'P' } else { 'M' };
        format!("{kind}/{}/{}/{}", self.unit(), self.first().name(), self.second().name())
    }

    /// A number below 256 that no other action has.
    #[inline(always)]
    pub const fn code(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Action::ACCEPT {
            return f.write_str(ACCEPT);
        }
        let word = WORDS[usize::from(self.is_push())];
        write!(f, "{word} {} {} {}", self.unit(), self.first().name(), self.second().name())
    }
}

impl FromStr for Action {
    type Err = &'static str;

    /// Reads an answer as the platform's referee does: four words with any white space between, then nothing, or white
    /// space and a message; the index is a digit. Case matters in `PUSH&BUILD` alone.
    fn from_str(text: &str) -> Result<Action, &'static str> {
        let mut words = text.split_ascii_whitespace();
        let word = words.next().ok_or(FORM)?;
        if word.eq_ignore_ascii_case(ACCEPT) {
            return Ok(Action::ACCEPT);
        }
        let is_push = word == WORDS[1];
        if !is_push && !word.eq_ignore_ascii_case(WORDS[0])
            || text.starts_with(|first: char| first.is_ascii_whitespace())
        {
            return Err(FORM);
        }
        let unit = match words.next() {
            Some("0") => 0,
            Some("1") => 1,
            _ => return Err(FORM),
        };
        let mut direction = || words.next().and_then(Direction::named).ok_or(FORM);
        let (first, second) = (direction()?, direction()?);
        match is_push {
            true if first.turn_to(second) > 1 => Err(FORM),
            true => Ok(Action::push(unit, first, second)),
            false => Ok(Action::step(unit, first, second)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_is_read_as_written() {
        let mut codes = std::collections::HashSet::new();
        for unit in 0..2 {
            for first in Direction::BY_NAME {
                for second in Direction::BY_NAME {
                    let push = (first.turn_to(second) <= 1).then(|| Action::push(unit, first, second));
                    for action in [Action::step(unit, first, second)].into_iter().chain(push) {
                        assert!(codes.insert(action.code()));
                        assert_eq!(action.to_string().parse(), Ok(action));
                        let parts = (action.unit(), action.first(), action.second());
                        assert_eq!(parts, (usize::from(unit), first, second));
                    }
                }
            }
        }
        assert_eq!(Action::ACCEPT.to_string(), "ACCEPT-DEFEAT");
    }

    #[test]
    fn answers_are_read_as_the_platform_does() {
        let step = Action::step(0, Direction::new(0), Direction::new(4));
        for text in
            ["MOVE&BUILD 0 N S", "MOVE&BUILD  0\tN   S hello", "MOVE&BUILD 0 N S ", "move&build  0 n s hello"]
        {
            assert_eq!(text.parse(), Ok(step), "{text}");
        }
        for text in [
            "",
            "MOVE&BUILD 0 N",
            "push&build 0 N N",
            "MOVE&BUILD 2 N S",
            "MOVE&BUILD 00 N S",
            " MOVE&BUILD 0 N S",
            "accept defeat",
            "PUSH&BUILD 0 N S",
        ] {
            assert_eq!(text.parse::<Action>(), Err(FORM), "{text}");
        }
        let push = Action::push(0, Direction::new(0), Direction::new(0));
        assert_eq!("PUSH&BUILD 0 n N".parse(), Ok(push));
        for text in ["ACCEPT-DEFEAT well played", "accept-defeat"] {
            assert_eq!(text.parse(), Ok(Action::ACCEPT), "{text}");
        }
    }
}

//! The stored form of a position of Goofspiel.

use coppice::Player;
use goofspiel::net::{views, WORDS};
use goofspiel::Goofspiel;

use factory::model::sparse::Views;
use factory::sample::Record;

/// A position whose first player is the one whose view it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seen(pub Goofspiel);

impl Record for Seen {
    const BYTES: usize = 8;

    fn write(&self, bytes: &mut Vec<u8>) {
        let Seen(game) = self;
        let [first, second] = game.hands();
        [first, second, game.prizes()].into_iter().for_each(|set| bytes.extend(set.to_le_bytes()));
        bytes.extend([game.prize(), game.lead(Player::FIRST) as u8]);
    }

    fn read(bytes: &[u8]) -> Option<Seen> {
        let &[a, b, c, d, e, f, prize, lead] = bytes else { return None };
        let [first, second, prizes] = [[a, b], [c, d], [e, f]].map(u16::from_le_bytes);
        Goofspiel::new([first, second], prizes, prize, lead as i8).map(Seen)
    }

    /// There are no symmetries.
    fn canonical(&self) -> Seen {
        *self
    }
}

/// The bot's inputs.
#[derive(Debug, Clone, Copy)]
pub struct BotInputs;

impl Views<WORDS> for BotInputs {
    type Position = Seen;

    fn views(position: &Seen) -> [[u64; WORDS]; 2] {
        views(&position.0)
    }
}

#[cfg(test)]
mod tests {
    use coppice::Rng;
    use factory::self_play::random_turns;

    use super::*;

    #[test]
    fn bytes_are_read_as_written_and_a_mirrored_position_has_the_views_exchanged() {
        for turns in 0..13 {
            let game = random_turns(Goofspiel::START, turns, &mut Rng::new(turns.into()));
            let mut bytes = Vec::new();
            Seen(game).write(&mut bytes);
            assert_eq!(Seen::read(&bytes), Some(Seen(game)), "{game}");
            let [first, second] = BotInputs::views(&Seen(game));
            assert_eq!(BotInputs::views(&Seen(game.mirrored())), [second, first], "{game}");
            assert_eq!(game.mirrored().mirrored(), game);
        }
        assert_eq!(Seen::read(&[0xff; 8]), None, "no such cards");
        assert_eq!(Seen::read(&[0; 7]), None);
    }
}

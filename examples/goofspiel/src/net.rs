//! The estimate that the factory has learnt: what its network reads of a position, and its weights.

use coppice::network::{Network, SCALE};
use coppice::{Estimate, Player};

use crate::cards::{set_of, Goofspiel, CARDS};

/// Words of inputs: a bit for each card of either hand, each prize to come and the prize that has turned up; the lead.
pub const WORDS: usize = 2;
/// Sums of the first layer, in each view.
pub const UNITS: usize = 32;
/// Units of the second layer.
pub const SECOND: usize = 16;
/// The network.
pub type Weights = Network<WORDS, UNITS, SECOND, 0>;

/// The encoded weights that the estimate plays with.
pub const BYTES: &[u8] = include_bytes!("weights.bin");

/// The inputs of the network as each player sees them, the first player first.
#[inline(always)]
pub fn views(game: &Goofspiel) -> [[u64; WORDS]; 2] {
    let [prizes, prize] = [game.prizes(), set_of(game.prize())].map(u64::from);
    [Player::FIRST, Player::SECOND].map(|player| {
        let [own, other] = [player, player.other()].map(|player| u64::from(game.hands()[player.index()]));
        // As many inputs are 1 as the lead is above -64, in steps of two points.
        let lead = (i32::from(game.lead(player)) + 64).clamp(0, 126) / 2;
        [own | other << CARDS | prizes << (2 * CARDS) | prize << (3 * CARDS), (1 << lead) - 1]
    })
}

/// An output as a value from -1 to 1.
#[inline(always)]
pub fn value(output: f64) -> f64 {
    output / (1.0 + output.abs())
}

/// The estimate by a network.
#[derive(Debug, Clone)]
pub struct Net(pub Weights);

impl Net {
    /// The estimate with the weights of this package.
    pub fn trained() -> Net {
        Net(Weights::decode(BYTES))
    }
}

impl Estimate<Goofspiel> for Net {
    /// From -1 to 1. What the network says for one player and what it says for the other count half each: the estimates of both
    /// add up to 0.
    #[inline(always)]
    fn estimate(&self, game: &Goofspiel, player: Player) -> f64 {
        let Net(network) = self;
        let sums = views(game).map(|inputs| network.sums(&inputs));
        let [own, other] = [player, player.other()].map(Player::index);
        let output = network.output(&sums[own], &sums[other]) - network.output(&sums[other], &sums[own]);
        value(f64::from(output) / f64::from(2 * SCALE))
    }
}

#[cfg(test)]
mod tests {
    use coppice::{Choices, Joint, Rng};

    use super::*;

    #[test]
    fn estimates_of_both_players_add_up_to_0() {
        let mut rng = Rng::new(5);
        let numbers: Vec<i32> = (0..Weights::NUMBERS).map(|_| rng.below(61) as i32 - 30).collect();
        let net = Net(Weights::new(&numbers));
        let (mut game, mut largest) = (Goofspiel::START, 0.0f64);
        game.let_happen(&mut rng);
        while !game.is_over() {
            let [first, second] = [Player::FIRST, Player::SECOND].map(|player| net.estimate(&game, player));
            assert_eq!(first, -second, "{game}");
            assert_eq!(first, net.estimate(&game.mirrored(), Player::SECOND), "{game}");
            largest = largest.max(first.abs());
            let mut choices = Choices::NONE;
            for player in [Player::FIRST, Player::SECOND] {
                game.random_move(player, &mut rng).into_iter().for_each(|card| choices.set(player, card));
            }
            game.play(&choices);
            game.let_happen(&mut rng);
        }
        assert!(largest > 0.05, "{largest}");
    }

    #[test]
    fn points_and_high_cards_are_worth_something() {
        let net = Net::trained();
        let value = |hands, lead| {
            let game = Goofspiel::new(hands, 0b1111, 9, lead).expect("a position");
            net.estimate(&game, Player::FIRST)
        };
        let even = 0b1_0110_1100;
        assert_eq!(value([even; 2], 0), 0.0);
        assert!(value([even; 2], 8) > 0.2, "{}", value([even; 2], 8));
        let better = even << 2;
        assert!(value([better, even], 0) > 0.2, "{}", value([better, even], 0));
    }
}

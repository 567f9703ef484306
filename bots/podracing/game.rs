//! The race as a [`Joint`] game with a player for each pod.

use coppice::rng::mix;
use coppice::{Choices, Joint, List, Payoff, Player};

use super::pod::{Pod, Power, Steer, MAX_THRUST, MAX_TURN};
use super::race::{team, Race, PODS};

/// Value of a win, in points; a loss has the opposite. Later in the race it is smaller.
pub const WIN: i32 = 1_000_000;
/// Decrease of a win's value with each turn.
const TURN: i32 = 100;

impl Joint for Race {
    type Move = Steer;
    type Moves = List<Steer, 8>;
    type Outcome = ();
    const PLAYERS: usize = PODS;
    const MAX_POINTS: i32 = WIN;

    /// A part of the orders that [`Joint::play`] accepts: straight on or as far as possible to a side, with all thrust or
    /// none, the shield, and the boost while it is left.
    fn moves(&self, player: Player, list: &mut List<Steer, 8>) {
        if self.is_finished() || player.index() >= PODS {
            return;
        }
        let full = Power::Thrust(MAX_THRUST);
        for power in [full, Power::Thrust(0)] {
            for turn in [0, -MAX_TURN, MAX_TURN] {
                list.push(Steer { turn, power });
            }
        }
        list.push(Steer { turn: 0, power: Power::Shield });
        if !self.pods[player.index()].has_boosted {
            list.push(Steer { turn: 0, power: Power::Boost });
        }
    }

    #[inline(always)]
    fn play(&mut self, choices: &Choices<Steer>) {
        for (i, pod) in (0u8..).zip(&mut self.pods) {
            match choices.of(Player::new(i)) {
                Some(steer) => pod.steer(steer),
                None => pod.coast(),
            }
        }
        self.advance();
    }

    /// 0 after a dead heat, or if both teams are out.
    fn payoff(&self, player: Player) -> Payoff {
        let [a, b] = self.points([0, 1].map(|team| self.is_out(team)));
        let worth = WIN - TURN * i32::from(self.turn);
        Payoff(worth * (a - b).signum() as i32 * if team(player.index()) == 0 { 1 } else { -1 })
    }

    fn hash(&self) -> u64 {
        let word = |hash: u64, value: u64| mix(hash.rotate_left(5) ^ value);
        let pod = |hash: u64, pod: &Pod| {
            let Pod { x, y, vx, vy, nose: [cos, sin], passed, has_boosted, shield, .. } = *pod;
            let hash = [x, y, vx, vy, cos, sin].iter().fold(hash, |hash, value| word(hash, value.to_bits()));
            word(hash, u64::from(passed) << 9 | u64::from(has_boosted) << 8 | u64::from(shield))
        };
        let [a, b] = self.patience;
        let rest = u64::from(self.turn) << 32 | (a as u16 as u64) << 16 | b as u16 as u64;
        word(self.pods.iter().fold(1, pod), rest)
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.is_finished()
    }
}

//! A single-player game with a real-valued state.

use coppice::rng::mix;
use coppice::search::Planning;
use coppice::{Evaluation, Game, List, Payoff, Player, Score};

/// A lander that descends on the Moon along a vertical line, one second a turn. It changes its thrust by at most 1, a
/// unit of thrust for a second uses a unit of fuel, and it must touch the ground slowly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lander {
    /// Metres above the ground; negative once it has landed.
    pub height: f64,
    /// Upward speed in m/s.
    pub speed: f64,
    /// Fuel, in units of thrust for a second.
    pub fuel: i32,
    /// Thrust from 0 to 4, in m/s².
    pub thrust: i32,
}

impl Lander {
    /// Gravity at the surface, in m/s².
    const GRAVITY: f64 = 1.62;
    /// Maximum landing speed, in m/s.
    pub const SOFT: f64 = 10.0;
    /// Height at which it leaves the game, in metres.
    const CEILING: f64 = 3000.0;

    /// At 1,200 m, sinking, without thrust.
    pub const START: Lander = Lander { height: 1200.0, speed: -20.0, fuel: 250, thrust: 0 };

    /// Whether it has landed without a crash.
    pub fn has_landed(&self) -> bool {
        self.height <= 0.0 && self.speed >= -Self::SOFT
    }
}

impl Game for Lander {
    /// The change of the thrust, plus 1.
    type Move = u8;
    type Moves = List<u8, 3>;
    const PLAYERS: usize = 1;

    fn to_move(&self) -> Player {
        Player::FIRST
    }

    fn moves(&self, list: &mut List<u8, 3>) {
        if !self.is_over() {
            (0..3).for_each(|m| list.push(m));
        }
    }

    fn play(&mut self, m: u8) {
        self.thrust = (self.thrust + i32::from(m) - 1).clamp(0, 4).min(self.fuel);
        self.fuel -= self.thrust;
        let acceleration = f64::from(self.thrust) - Self::GRAVITY;
        self.height += self.speed + acceleration / 2.0;
        self.speed += acceleration;
    }

    fn payoff(&self, _: Player) -> Payoff {
        Payoff(match self.has_landed() {
            true => self.fuel,
            false => -1000 - self.speed.abs() as i32,
        })
    }

    fn hash(&self) -> u64 {
        let rest = (self.fuel as u64) << 32 | self.thrust as u64;
        mix(mix(self.height.to_bits() ^ rest) ^ self.speed.to_bits())
    }

    fn move_index(m: u8) -> u16 {
        u16::from(m)
    }

    fn is_over(&self) -> bool {
        self.height <= 0.0 || self.height > Self::CEILING
    }
}

/// How close the speed is to one that can still be braked from this height. Always lower than any landing's value, so
/// it never overestimates.
#[derive(Debug, Clone, Copy)]
pub struct Braking;

impl Evaluation<Lander> for Braking {
    fn evaluate(&self, game: &Lander) -> Score {
        // From speed v, full thrust needs v² / 2a metres.
        let brakes = game.speed.min(0.0) * game.speed / (2.0 * (4.0 - Lander::GRAVITY));
        let margin = (game.height - brakes.abs()).min(0.0);
        Score::estimate(-2000 + margin as i32 - game.speed.max(0.0) as i32 * 100 - game.height as i32 / 10)
    }
}

impl Planning<Lander> for Braking {
    /// Cells of 2 m by 1 m/s.
    fn key(&self, game: &Lander) -> u64 {
        let cell = (game.height / 2.0) as i64 as u64 & 0xffff_ffff;
        mix(mix(cell << 32 | game.speed as i64 as u64 & 0xffff_ffff) ^ game.thrust as u64)
    }
}

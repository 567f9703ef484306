use coppice::search::Planning;
use coppice::{Evaluation, Game, List, Payoff, Player, Score};

/// Twelve steps of one to three fields, on fields of which some pay: the more the better.
#[derive(Clone, Debug, PartialEq)]
pub struct Walk {
    pub field: i32,
    pub steps: u8,
    pub paid: i32,
}

impl Walk {
    pub const START: Walk = Walk { field: 0, steps: 0, paid: 0 };
}

impl Game for Walk {
    const PLAYERS: usize = 1;
    type Move = u8;
    type Moves = List<u8, 3>;

    fn to_move(&self) -> Player {
        Player::FIRST
    }
    fn moves(&self, list: &mut List<u8, 3>) {
        if self.steps < 12 {
            (1..=3).for_each(|step| list.push(step));
        }
    }
    fn play(&mut self, step: u8) {
        self.field += i32::from(step);
        self.steps += 1;
        self.paid += self.field * self.field % 7;
    }
    fn payoff(&self, _: Player) -> Payoff {
        Payoff(self.paid)
    }
    fn hash(&self) -> u64 {
        coppice::rng::mix((self.field as u64) << 32 | u64::from(self.steps) << 24 | self.paid as u64)
    }
    fn move_index(step: u8) -> u16 {
        step.into()
    }
}

/// What was paid so far.
pub struct Paid;

impl Evaluation<Walk> for Paid {
    fn evaluate(&self, walk: &Walk) -> Score {
        Score::estimate(walk.paid)
    }
}

impl Planning<Walk> for Paid {}

//! Two sides of two units each: every unit is a player.

use coppice::{Choices, Joint, List, Payoff, Player};

/// Units 0 and 1 of one side and 2 and 3 of the other walk a line of nine cells for six turns, a step left, right or none
/// each, all at the same time. At the end a side has a point for each of its units that stands on one of its two goals,
/// which are two cells apart: both units on the same goal count once. A unit's payoff is its side's points, less the
/// other's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Squad {
    at: [i8; 4],
    turns: u8,
}

/// Where each side's points are.
const GOALS: [[i8; 2]; 2] = [[5, 7], [1, 3]];

impl Squad {
    /// Both sides in the middle.
    pub const START: Squad = Squad { at: [4; 4], turns: 6 };

    /// A side's points.
    pub fn points(&self, side: usize) -> i32 {
        let units = &self.at[2 * side..][..2];
        GOALS[side].iter().filter(|goal| units.contains(goal)).count() as i32
    }
}

impl Joint for Squad {
    type Move = i8;
    type Moves = List<i8, 3>;
    type Outcome = ();
    const PLAYERS: usize = 4;
    const MAX_POINTS: i32 = 2;

    fn moves(&self, unit: Player, list: &mut List<i8, 3>) {
        if self.turns > 0 {
            let steps = [-1, 0, 1].into_iter();
            steps
                .filter(|step| (0..9).contains(&(self.at[unit.index()] + step)))
                .for_each(|step| list.push(step));
        }
    }

    fn play(&mut self, choices: &Choices<i8>) {
        for (i, at) in (0..).zip(&mut self.at) {
            *at += choices.of(Player::new(i)).expect("a step of each unit");
        }
        self.turns -= 1;
    }

    fn payoff(&self, unit: Player) -> Payoff {
        let side = unit.index() / 2;
        Payoff(self.points(side) - self.points(1 - side))
    }

    fn hash(&self) -> u64 {
        super::mixed(self.at.map(|at| at as u64).into_iter().chain([self.turns.into()]))
    }
}

//! Tron on a small board, both players at the same time.

use coppice::{Choices, Joint, List, Payoff, Player};

/// Light cycles on a square of `N` x `N` cells, at most 8 x 8. Both move to a free neighbour at the same time and leave a
/// wall. Both on one cell is a draw; who has no free neighbour loses, and if neither has, it is a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tron<const N: usize> {
    walls: u64,
    at: [u8; 2],
}

impl<const N: usize> Tron<N> {
    /// From opposite corners.
    pub const START: Self = Tron { walls: 1 | 1 << (N * N - 1), at: [0, (N * N - 1) as u8] };

    fn free(&self, player: usize) -> impl Iterator<Item = u8> + '_ {
        let at = usize::from(self.at[player]);
        let (x, y) = (at % N, at / N);
        let next = [
            (y > 0, at.wrapping_sub(N)),
            (x + 1 < N, at + 1),
            (y + 1 < N, at + N),
            (x > 0, at.wrapping_sub(1)),
        ];
        next.into_iter().filter(|&(inside, to)| inside && self.walls >> to & 1 == 0).map(|(_, to)| to as u8)
    }
}

impl<const N: usize> Joint for Tron<N> {
    /// The cell to go to.
    type Move = u8;
    type Moves = List<u8, 4>;
    type Outcome = ();
    const MAX_POINTS: i32 = 1;

    fn moves(&self, player: Player, list: &mut List<u8, 4>) {
        if self.at[0] != self.at[1] && [0, 1].iter().all(|&player| self.free(player).next().is_some()) {
            self.free(player.index()).for_each(|to| list.push(to));
        }
    }

    fn play(&mut self, choices: &Choices<u8>) {
        for (at, player) in self.at.iter_mut().zip([Player::FIRST, Player::SECOND]) {
            *at = choices.of(player).expect("a move of both");
            self.walls |= 1 << *at;
        }
    }

    fn payoff(&self, player: Player) -> Payoff {
        let stuck = [0, 1].map(|player| i32::from(self.free(player).next().is_none()));
        let points = if self.at[0] == self.at[1] { 0 } else { stuck[1] - stuck[0] };
        Payoff(if player == Player::FIRST { points } else { -points })
    }

    fn hash(&self) -> u64 {
        super::mixed([self.walls, self.at[0].into(), self.at[1].into()])
    }
}

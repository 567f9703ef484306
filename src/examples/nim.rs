use coppice::{Evaluation, Game, List, Payoff, Player, Score};

/// Whoever takes the last stone wins. For two to four seats: each number of them is a type.
#[derive(Clone, PartialEq)]
pub struct Nim<const SEATS: usize>(pub u8, pub Player);

impl<const SEATS: usize> Game for Nim<SEATS> {
    const PLAYERS: usize = SEATS;
    type Move = u8;
    type Moves = List<u8, 3>;

    fn to_move(&self) -> Player {
        self.1
    }
    fn moves(&self, list: &mut List<u8, 3>) {
        (1..=self.0.min(3)).for_each(|stones| list.push(stones));
    }
    fn play(&mut self, stones: u8) {
        self.0 -= stones;
        self.1 = Player::new((self.1.index() as u8 + 1) % SEATS as u8);
    }
    fn payoff(&self, player: Player) -> Payoff {
        Payoff(if (player.index() + 1) % SEATS == self.1.index() { 1 } else { -1 })
    }
    fn hash(&self) -> u64 {
        coppice::rng::mix(u64::from(self.0) << 8 | self.1.index() as u64)
    }
    fn move_index(stones: u8) -> u16 {
        stones.into()
    }
}

/// Calls every position even.
pub struct Even;

impl<const SEATS: usize> Evaluation<Nim<SEATS>> for Even {
    fn evaluate(&self, _: &Nim<SEATS>) -> Score {
        Score::DRAW
    }
}

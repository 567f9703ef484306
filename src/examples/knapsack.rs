use coppice::search::Planning;
use coppice::{Evaluation, Game, List, Payoff, Player, Score};

/// Weight and value of each item.
const ITEMS: [(u32, i32); 5] = [(3, 4), (4, 5), (5, 7), (2, 3), (6, 8)];

/// Pack each item in turn or leave it, for one player.
#[derive(Clone, PartialEq)]
pub struct Knapsack {
    pub item: usize,
    pub room: u32,
    pub value: i32,
}

impl Knapsack {
    pub const START: Knapsack = Knapsack { item: 0, room: 10, value: 0 };
}

impl Game for Knapsack {
    const PLAYERS: usize = 1;
    type Move = bool;
    type Moves = List<bool, 2>;

    fn to_move(&self) -> Player {
        Player::FIRST
    }
    fn moves(&self, list: &mut List<bool, 2>) {
        if let Some(&(weight, _)) = ITEMS.get(self.item) {
            list.push(false);
            if weight <= self.room {
                list.push(true);
            }
        }
    }
    fn play(&mut self, pack: bool) {
        if pack {
            self.room -= ITEMS[self.item].0;
            self.value += ITEMS[self.item].1;
        }
        self.item += 1;
    }
    fn payoff(&self, _: Player) -> Payoff {
        Payoff(self.value)
    }
    fn hash(&self) -> u64 {
        coppice::rng::mix((self.item as u64) << 40 | u64::from(self.room) << 32 | self.value as u64)
    }
    fn move_index(pack: bool) -> u16 {
        pack.into()
    }
}

/// The value packed so far.
pub struct Value;

impl Evaluation<Knapsack> for Value {
    fn evaluate(&self, game: &Knapsack) -> Score {
        Score::estimate(game.value)
    }
}

impl Planning<Knapsack> for Value {}

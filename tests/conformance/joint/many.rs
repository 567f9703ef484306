//! Thousands of moves: what a search does after its deadline must not grow with their square.

use std::cell::Cell;

use coppice::search::{Decoupled, DecoupledOptions, JointSearch, Regret, RegretOptions, Units, UnitsOptions};
use coppice::{Budget, Choices, Joint, List, Payoff, Player};

use super::listed;

thread_local! {
    static COMPARISONS: Cell<u64> = const { Cell::new(0) };
}

/// A move whose comparisons are counted.
#[derive(Debug, Clone, Copy, Default, Eq)]
struct Number(u16);

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        COMPARISONS.set(COMPARISONS.get() + 1);
        self.0 == other.0
    }
}

const WIDTH: u16 = 4_000;

/// Both players choose a number twice; the larger sum wins.
#[derive(Debug, Clone, PartialEq)]
struct Large {
    sums: [u32; 2],
    turns: u8,
}

impl Joint for Large {
    type Move = Number;
    type Moves = List<Number, { WIDTH as usize }>;
    type Outcome = ();
    const MAX_POINTS: i32 = 1;

    fn moves(&self, _: Player, list: &mut Self::Moves) {
        (0..if self.turns > 0 { WIDTH } else { 0 }).for_each(|i| list.push(Number(i)));
    }

    fn play(&mut self, choices: &Choices<Number>) {
        self.sums = [Player::FIRST, Player::SECOND]
            .map(|player| self.sums[player.index()] + u32::from(choices.of(player).expect("a number").0));
        self.turns -= 1;
    }

    fn payoff(&self, player: Player) -> Payoff {
        let own = self.sums[player.index()].cmp(&self.sums[1 - player.index()]);
        Payoff(own as i32)
    }

    fn hash(&self) -> u64 {
        let [a, b] = self.sums.map(u64::from);
        coppice::rng::mix(a << 34 | b << 2 | u64::from(self.turns))
    }
}

#[test]
fn an_answer_does_not_look_each_move_up_among_all() {
    const MEMORY: usize = 16 << 20;
    const NODES: u64 = 40;
    let decoupled = DecoupledOptions { memory: MEMORY, seed: 1, ..DecoupledOptions::default() };
    let regret = RegretOptions { memory: MEMORY, seed: 1, ..RegretOptions::default() };
    let units = UnitsOptions { memory: MEMORY, seed: 1, ..UnitsOptions::default() };
    let mut searches: [(&str, Box<dyn JointSearch<Large>>); 3] = [
        ("decoupled", Box::new(Decoupled::new(decoupled))),
        ("regret", Box::new(Regret::new(regret))),
        ("units", Box::new(Units::new(units))),
    ];
    for (name, search) in &mut searches {
        let mut game = Large { sums: [0; 2], turns: 2 };
        while game.turns > 0 {
            COMPARISONS.set(0);
            let report = search.search(&game, Player::FIRST, Budget::nodes(NODES));
            // An iteration may look a move of each turn up.
            let most = u64::from(WIDTH) * (4 * NODES + 10);
            assert!(COMPARISONS.get() < most, "{name}: {} comparisons", COMPARISONS.get());
            // The answer is one of the moves that were tried, and the strategy is about all of them.
            let shares = report.strategy.iter().collect::<Vec<_>>();
            let tried = shares.iter().filter(|(_, share)| *share > 0.0).count() as u64;
            assert!((1..=NODES).contains(&tried), "{name}: {tried} moves");
            let best = report.best.expect("a move");
            assert!(report.strategy.probability(best) > 0.0, "{name}: {best:?}");
            let mut numbers = shares.iter().map(|(m, _)| m.0).collect::<Vec<_>>();
            numbers.sort_unstable();
            assert_eq!(numbers, listed(&game, Player::FIRST).iter().map(|m| m.0).collect::<Vec<_>>());
            game.play(&Choices::NONE.with(Player::FIRST, best).with(Player::SECOND, Number(1)));
        }
    }
}

/// A second unit of the same side asks about the same state.
#[test]
fn a_state_of_many_moves_is_not_searched_anew() {
    let mut search = Units::new(UnitsOptions { memory: 16 << 20, ..UnitsOptions::default() });
    let game = Large { sums: [0; 2], turns: 2 };
    let mut kept = |nodes| search.search(&game, Player::FIRST, Budget::nodes(nodes)).kept;
    assert_eq!((kept(30), kept(0), kept(10), kept(0)), (0, 30, 30, 40));
}

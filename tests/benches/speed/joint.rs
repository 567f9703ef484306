//! Compares searches of joint games: with chance, with the crate `treant`; with simultaneous moves, with our own `Mcts` on a
//! copy of the game in which one player's move is a ply before the other's.

use coppice::search::{Decoupled, DecoupledOptions, JointSearch, Mcts, MctsOptions, Regret, RegretOptions};
use coppice::{Budget, Choices, Game, Joint, Payoff, Player, Rng, Search};

use super::paired::{measure, Side, Timed};
use super::{each, rounds, treant_rs};

/// Bytes of each of our searches.
const BYTES: usize = 64 << 20;

/// States in which a player moves, after some random turns.
pub fn states<G: Joint>(start: &G, turns: u32, count: u64) -> Vec<G> {
    let state = |seed: u64| {
        let (mut game, mut rng) = (start.clone(), Rng::new(seed));
        game.let_happen(&mut rng);
        for _ in 0..turns {
            let before = game.clone();
            let mut choices = Choices::NONE;
            for player in coppice::joint::players::<G>() {
                game.random_move(player, &mut rng).into_iter().for_each(|m| choices.set(player, m));
            }
            game.play(&choices);
            game.let_happen(&mut rng);
            if game.is_over() {
                return before;
            }
        }
        game
    };
    (1..=count).map(state).collect()
}

fn decoupled<G: Joint>(search: &mut Decoupled<G>, games: &[G], iterations: u64) -> Timed {
    each(games, |game, timed| {
        timed.add(|| search.search(game, Player::FIRST, Budget::nodes(iterations)).nodes);
    })
}

/// Monte Carlo tree search with chance beside the peer's: with a node for each outcome, as ours, and with one for all, which is
/// faster and can't answer outcomes differently.
pub fn chance<G: treant_rs::Rules>(name: &str, games: &[G], iterations: u64) -> String {
    let options = DecoupledOptions { keep_tree: false, ..DecoupledOptions::default() };
    let exploration = options.exploration;
    let mut search = Decoupled::new(DecoupledOptions { memory: BYTES, seed: 1, ..options });
    let peer = |closed| {
        each(games, |game, timed| timed.add(|| treant_rs::mcts(game, iterations, exploration, closed)))
    };
    let lines = [true, false].map(|closed| {
        let mut sides: [Side; 2] =
            [Box::new(|| decoupled(&mut search, games, iterations)), Box::new(|| peer(closed))];
        let (name, nodes) = match closed {
            true => (name.to_owned(), "a node for each outcome"),
            false => (format!("{name}, open"), "one node for all outcomes"),
        };
        let note = format!("{iterations} from each of {}; treant has {nodes}", games.len());
        measure(rounds(), &mut sides).line(&name, 1e3, 2.0, &note)
    });
    lines.join("\n")
}

/// A search of joint moves beside `Mcts` on a serialised copy.
pub fn simultaneous<G: Joint<Move: Send>>(name: &str, games: &[G], iterations: u64, mixed: bool) -> String {
    let keep_tree = false;
    let mut uct =
        Decoupled::new(DecoupledOptions { memory: BYTES, seed: 1, keep_tree, ..DecoupledOptions::default() });
    let mut regret =
        Regret::new(RegretOptions { memory: BYTES, seed: 1, keep_tree, ..RegretOptions::default() });
    let mut serial =
        Mcts::new(MctsOptions { memory: BYTES, seed: 1, keep_tree, proofs: false, ..MctsOptions::default() });
    let copies: Vec<Serialised<G>> = games.iter().cloned().map(Serialised::new).collect();
    let mut sides: [Side; 2] = [
        Box::new(|| match mixed {
            false => decoupled(&mut uct, games, iterations),
            true => each(games, |game, timed| {
                timed.add(|| regret.search(game, Player::FIRST, Budget::nodes(iterations)).nodes);
            }),
        }),
        Box::new(|| {
            each(&copies, |game, timed| timed.add(|| serial.search(game, Budget::nodes(iterations)).nodes))
        }),
    ];
    let note = format!("{iterations} from each of {}; bar: not much slower", games.len());
    measure(rounds(), &mut sides).line(name, 1e3, 0.7, &note)
}

/// A game without chance for two, in which the first player's move is a ply before the second's: for measuring speed
/// only. Searches of it prove values that don't hold.
#[derive(Clone, PartialEq)]
struct Serialised<G: Joint> {
    game: G,
    first: Option<G::Move>,
}

impl<G: Joint> Serialised<G> {
    fn new(game: G) -> Serialised<G> {
        assert!(G::PLAYERS == 2 && !game.awaits_chance(), "two players and no chance");
        Serialised { game, first: None }
    }
}

impl<G: Joint> Game for Serialised<G> {
    type Move = G::Move;
    type Moves = G::Moves;

    #[inline(always)]
    fn to_move(&self) -> Player {
        if self.first.is_some() {
            Player::SECOND
        } else {
            Player::FIRST
        }
    }
    #[inline(always)]
    fn moves(&self, list: &mut G::Moves) {
        self.game.moves(self.to_move(), list);
    }
    #[inline(always)]
    fn play(&mut self, m: G::Move) {
        match self.first.take() {
            None => self.first = Some(m),
            Some(first) => {
                self.game.play(&Choices::NONE.with(Player::FIRST, first).with(Player::SECOND, m));
            }
        }
    }
    #[inline(always)]
    fn payoff(&self, player: Player) -> Payoff {
        self.game.payoff(player)
    }
    #[inline(always)]
    fn hash(&self) -> u64 {
        coppice::rng::mix(self.game.hash() ^ u64::from(self.first.is_some()))
    }
    fn move_index(_: G::Move) -> u16 {
        0
    }
    #[inline(always)]
    fn random_move(&self, rng: &mut Rng) -> Option<G::Move> {
        self.game.random_move(self.to_move(), rng)
    }
}

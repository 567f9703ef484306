//! Adapts this project's games to the crate `minimax` 0.6.

use std::cell::RefCell;
use std::marker::PhantomData;

use coppice::{Evaluation, Rng};
use minimax::{
    IterativeOptions, IterativeSearch, MCTSOptions, MonteCarloTreeSearch, RolloutPolicy, Strategy, Winner,
};
use rand::rngs::SmallRng;

use super::games::{moves_made, Rules};

/// A game wrapped for the peer. `MAX` is the largest [`Game::move_index`](coppice::Game::move_index): the peer's tables
/// of moves have no more entries, so that they fit into the cache.
pub struct Peer<G, const MAX: u16 = 255>(PhantomData<G>);

fn winner<G: Rules>(game: &G) -> Winner {
    match game.payoff(game.to_move()).sign() {
        1 => Winner::PlayerToMove,
        0 => Winner::Draw,
        _ => Winner::PlayerJustMoved,
    }
}

impl<G: Rules, const MAX: u16> minimax::Game for Peer<G, MAX> {
    type S = G;
    type M = G::Move;

    fn generate_moves(game: &G, moves: &mut Vec<G::Move>) -> Option<Winner> {
        let mut list = G::Moves::default();
        game.moves(&mut list);
        moves.extend_from_slice(&list);
        moves.is_empty().then(|| winner(game))
    }
    fn apply(game: &mut G, m: G::Move) -> Option<G> {
        Some(game.after(m))
    }
    fn get_winner(game: &G) -> Option<Winner> {
        game.is_over().then(|| winner(game))
    }
    fn zobrist_hash(game: &G) -> u64 {
        game.hash()
    }
    fn table_index(m: G::Move) -> u16 {
        G::move_index(m)
    }
    fn max_table_index() -> u16 {
        MAX
    }
}

thread_local!(static RNG: RefCell<Rng> = RefCell::new(Rng::new(1)));

/// Draws a move by the game's own method, with a thread-local generator.
pub fn draw<G: Rules>(game: &G) -> Option<G::Move> {
    RNG.with_borrow_mut(|rng| game.random_move(rng))
}

/// Playouts by [`draw`] instead of by a vector of moves.
struct Drawn<G>(PhantomData<G>);

impl<G: Rules> RolloutPolicy for Drawn<G> {
    type G = Peer<G>;

    fn random_move(&self, game: &mut G, _: &mut Vec<G::Move>, _: &mut SmallRng) -> Result<G::Move, Winner> {
        draw(game).ok_or_else(|| winner(game))
    }
}

/// Settings of the peer's MCTS: it expands a leaf at its first visit, or at its second as this project does.
pub const EXPANDED_AFTER: [u32; 2] = [0, 1];

/// With `drawn`, playouts draw moves by the game's own method, otherwise from a list, the peer's default.
pub fn mcts<G: Rules>(game: &G, iterations: u64, expanded_after: u32, drawn: bool) -> u64 {
    let options = MCTSOptions::default()
        .with_num_threads(1)
        .with_max_rollout_depth(100_000)
        .with_rollouts_before_expanding(expanded_after);
    let mut search = match drawn {
        true => MonteCarloTreeSearch::<Peer<G>>::new_with_policy(options, Box::new(Drawn(PhantomData))),
        false => MonteCarloTreeSearch::<Peer<G>>::new(options),
    };
    search.set_max_rollouts(iterations as u32);
    search.choose_move(game);
    iterations
}

struct Peers<E, G, const MAX: u16>(E, PhantomData<G>);

impl<G: Rules, E: Evaluation<G>, const MAX: u16> minimax::Evaluator for Peers<E, G, MAX> {
    type G = Peer<G, MAX>;

    fn evaluate(&self, game: &G) -> minimax::Evaluation {
        self.0.evaluate(game).value() as minimax::Evaluation
    }
}

/// Options of the peer's alpha-beta: no move tables, countermoves, history.
#[derive(Debug, Clone, Copy)]
pub enum Order {
    Plain,
    Countermoves,
    History,
}

pub const ORDERS: [Order; 3] = [Order::Plain, Order::Countermoves, Order::History];

/// A prepared search that returns the number of moves it made.
pub fn alpha_beta<G: Rules, E: Evaluation<G> + 'static, const MAX: u16>(
    evaluation: E,
    game: &G,
    depth: u32,
    table_bytes: usize,
    order: Order,
) -> impl FnOnce() -> u64 + '_ {
    let options = IterativeOptions::new().with_table_byte_size(table_bytes);
    let options = match order {
        Order::Plain => options,
        Order::Countermoves => options.with_countermoves(),
        Order::History => options.with_countermove_history(),
    };
    let mut search = IterativeSearch::new(Peers::<E, G, MAX>(evaluation, PhantomData), options);
    search.set_max_depth(depth as u8);
    move || {
        moves_made(|| {
            search.choose_move(game);
        })
    }
}

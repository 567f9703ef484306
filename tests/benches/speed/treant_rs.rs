//! Adapts games with chance to the crate `treant` 0.4.

use std::cell::RefCell;
use std::marker::PhantomData;

use coppice::{Choices, InTurns, Player, Rng};
use treant::tree_policy::UCTPolicy;
use treant::{Evaluator, GameState, MCTSManager, SearchHandle, MCTS};

/// The requirements of the peer on a game.
pub trait Rules: InTurns<Move: Send + Sync, Outcome: Send + Sync> + Send + Sync + 'static {}

impl<G: InTurns<Move: Send + Sync, Outcome: Send + Sync> + Send + Sync + 'static> Rules for G {}

/// A game wrapped for the peer.
#[derive(Clone)]
struct State<G>(G);

/// The peer's moves are the players' and chance's.
#[derive(Clone)]
enum Step<M, O> {
    Move(M),
    Outcome(O),
}

impl<G: Rules> GameState for State<G> {
    type Move = Step<G::Move, G::Outcome>;
    type Player = usize;
    type MoveList = Vec<Step<G::Move, G::Outcome>>;

    fn current_player(&self) -> usize {
        self.0.to_move().index()
    }
    fn available_moves(&self) -> Self::MoveList {
        let mut list = G::Moves::default();
        self.0.moves(self.0.to_move(), &mut list);
        list.iter().map(|&m| Step::Move(m)).collect()
    }
    fn make_move(&mut self, step: &Self::Move) {
        match step {
            Step::Move(m) => self.0.play(&Choices::NONE.with(self.0.to_move(), *m)),
            Step::Outcome(outcome) => self.0.happen(*outcome),
        }
    }
    fn chance_outcomes(&self) -> Option<Vec<(Self::Move, f64)>> {
        let outcomes: Vec<_> = (0..).map_while(|i| self.0.outcome(i)).collect();
        let total: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
        let share = |(outcome, weight)| (Step::Outcome(outcome), f64::from(weight) / f64::from(total));
        (total > 0).then(|| outcomes.into_iter().map(share).collect())
    }
}

thread_local!(static RNG: RefCell<Rng> = RefCell::new(Rng::new(1)));

/// The first player's points after random moves to the end of the game, in thousandths.
fn playout<G: Rules>(game: &G) -> i64 {
    RNG.with_borrow_mut(|rng| {
        let mut game = game.clone();
        loop {
            game.let_happen(rng);
            let player = game.to_move();
            match game.random_move(player, rng) {
                Some(m) => game.play(&Choices::NONE.with(player, m)),
                None => return 1000 * i64::from(game.payoff(Player::FIRST).0),
            }
        }
    })
}

struct Playouts;

impl<G: Rules, const CLOSED: bool> Evaluator<Spec<G, CLOSED>> for Playouts {
    type StateEvaluation = i64;

    fn evaluate_new_state(
        &self,
        state: &State<G>,
        moves: &Vec<Step<G::Move, G::Outcome>>,
        _: Option<SearchHandle<Spec<G, CLOSED>>>,
    ) -> (Vec<()>, i64) {
        (vec![(); moves.len()], playout(&state.0))
    }
    fn evaluate_existing_state(&self, state: &State<G>, _: &i64, _: SearchHandle<Spec<G, CLOSED>>) -> i64 {
        playout(&state.0)
    }
    fn interpret_evaluation_for_player(&self, points: &i64, player: &usize) -> i64 {
        if *player == 0 {
            *points
        } else {
            -points
        }
    }
}

/// The peer's configuration: without a table of transpositions, since a table of its kind loses nodes where chance decides.
struct Spec<G, const CLOSED: bool>(PhantomData<fn() -> G>);

impl<G: Rules, const CLOSED: bool> MCTS for Spec<G, CLOSED> {
    type State = State<G>;
    type Eval = Playouts;
    type NodeData = ();
    type ExtraThreadData = ();
    type TreePolicy = UCTPolicy;
    type TranspositionTable = ();

    fn closed_loop_chance(&self) -> bool {
        CLOSED
    }
    fn rng_seed(&self) -> Option<u64> {
        Some(1)
    }
}

/// Runs iterations of the peer's search from a state in which a player moves. Rewards are in thousandths of a point, and the
/// exploration constant is scaled such that both searches explore alike. In a `closed` loop each outcome has a node of its
/// own; in an open one all share one, and a path through it draws outcomes anew.
pub fn mcts<G: Rules>(game: &G, iterations: u64, exploration: f32, closed: bool) -> u64 {
    match closed {
        true => run::<G, true>(game, iterations, exploration),
        false => run::<G, false>(game, iterations, exploration),
    }
}

fn run<G: Rules, const CLOSED: bool>(game: &G, iterations: u64, exploration: f32) -> u64 {
    // The peer explores by 2 C sqrt(ln N / n), and its rewards lie within twice the most points.
    let policy = UCTPolicy::new(f64::from(exploration) * 1000.0 * f64::from(G::MAX_POINTS));
    let spec = Spec::<G, CLOSED>(PhantomData);
    let mut search = MCTSManager::new(State(game.clone()), spec, Playouts, policy, ());
    search.playout_n(iterations);
    iterations
}

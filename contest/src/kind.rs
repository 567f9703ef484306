//! The interface of the tools to a game's rules, implemented once for each of the engine's two traits.
//!
//! [`Sequential`] is a [`Game`], [`Simultaneous`] a [`Joint`]. Everything else in this package is written over [`Kind`], by
//! way of [`Notation`](crate::notation::Notation), so that referees, sessions, perft and protocols work for both.

use std::fmt::Debug;

use coppice::joint::players;
use coppice::{perft, Choices, Ended, Game, Joint, Player, Rng};

/// A kind of games: who chooses, what a turn is, and how it is played.
///
/// A turn is what the players who choose in a position do together. The methods without a default panic only if a move isn't
/// legal.
pub trait Kind<G>: 'static {
    /// One player's move.
    type Move: Copy + Eq + Debug + Send + 'static;

    /// The moves of a turn.
    type Turn: Copy + Debug + Send + 'static;

    /// The number of players.
    const PLAYERS: usize;

    /// Whether a player who has moved learns the rest of its own turn only from the next one, since others moved at the
    /// same time.
    const IS_SIMULTANEOUS: bool;

    /// Lets chance decide until it has nothing to decide: before the first turn.
    fn begin(_game: &mut G, _rng: &mut Rng) {}

    /// The players who choose now, in order; none when the game is over.
    fn choosers(game: &G) -> Vec<Player>;

    /// A player's legal moves, in the order of move generation.
    fn listed(game: &G, player: Player) -> Vec<Self::Move>;

    /// One of a player's legal moves, each with the same probability; `None` if it has none.
    fn random_move(game: &G, player: Player, rng: &mut Rng) -> Option<Self::Move>;

    /// The turn of these moves, one of each player who chooses.
    fn turn(moves: &[(Player, Self::Move)]) -> Self::Turn;

    /// A player's move in a turn; `None` if it has none there. `game` is the position before the turn.
    fn part(game: &G, turn: &Self::Turn, player: Player) -> Option<Self::Move>;

    /// Plays a turn, and lets chance decide what follows it.
    fn play(game: &mut G, turn: Self::Turn, rng: &mut Rng);

    /// The position after a player's move; `None` if it doesn't follow from that move alone.
    fn after(game: &G, player: Player, m: Self::Move) -> Option<G>;

    /// A player's points in a finished game, where the contest doesn't count them in its own way.
    fn points(game: &G, player: Player) -> i64;

    /// The number of sequences of `depth` turns. Outcomes of chance count.
    fn count(game: &G, depth: u32, ended: Ended) -> u64;

    /// Calls `visit` for each turn that is possible first, with the number of sequences of `depth` turns after it. The last
    /// player's moves change first.
    fn count_after_each(game: &G, depth: u32, ended: Ended, visit: &mut dyn FnMut(&G, Self::Turn, u64));
}

/// Games in which one player moves at a time: [`Game`]. A turn is a move.
#[derive(Debug, Clone, Copy)]
pub enum Sequential {}

/// Games in which players move at the same time, or chance takes part: [`Joint`]. A turn has a move of each player who has
/// one.
#[derive(Debug, Clone, Copy)]
pub enum Simultaneous {}

impl<G: Game<Move: Send> + 'static> Kind<G> for Sequential {
    type Move = G::Move;
    type Turn = G::Move;
    const PLAYERS: usize = G::PLAYERS;
    const IS_SIMULTANEOUS: bool = false;

    fn choosers(game: &G) -> Vec<Player> {
        if game.is_over() {
            Vec::new()
        } else {
            vec![game.to_move()]
        }
    }

    fn listed(game: &G, player: Player) -> Vec<G::Move> {
        let mut list = G::Moves::default();
        if player == game.to_move() {
            game.moves(&mut list);
        }
        list.to_vec()
    }

    fn random_move(game: &G, _: Player, rng: &mut Rng) -> Option<G::Move> {
        game.random_move(rng)
    }

    fn turn(moves: &[(Player, G::Move)]) -> G::Move {
        moves[0].1
    }

    fn part(game: &G, &m: &G::Move, player: Player) -> Option<G::Move> {
        (player == game.to_move()).then_some(m)
    }

    fn play(game: &mut G, m: G::Move, _: &mut Rng) {
        game.play(m);
    }

    fn after(game: &G, _: Player, m: G::Move) -> Option<G> {
        Some(game.after(m))
    }

    /// 1 for a win, otherwise 0.
    fn points(game: &G, player: Player) -> i64 {
        i64::from(game.payoff(player).0 > 0)
    }

    fn count(game: &G, depth: u32, ended: Ended) -> u64 {
        perft(game, depth, ended)
    }

    fn count_after_each(game: &G, depth: u32, ended: Ended, visit: &mut dyn FnMut(&G, G::Move, u64)) {
        for m in Self::listed(game, game.to_move()) {
            visit(game, m, perft(&game.after(m), depth, ended));
        }
    }
}

impl<G: Joint<Move: Send, Outcome: Send> + 'static> Kind<G> for Simultaneous {
    type Move = G::Move;
    type Turn = Choices<G::Move>;
    const PLAYERS: usize = G::PLAYERS;
    const IS_SIMULTANEOUS: bool = true;

    fn begin(game: &mut G, rng: &mut Rng) {
        game.let_happen(rng);
    }

    fn choosers(game: &G) -> Vec<Player> {
        players::<G>().filter(|&player| !moves(game, player).is_empty()).collect()
    }

    fn listed(game: &G, player: Player) -> Vec<G::Move> {
        moves(game, player).to_vec()
    }

    fn random_move(game: &G, player: Player, rng: &mut Rng) -> Option<G::Move> {
        game.random_move(player, rng)
    }

    fn turn(moves: &[(Player, G::Move)]) -> Choices<G::Move> {
        moves.iter().fold(Choices::NONE, |choices, &(player, m)| choices.with(player, m))
    }

    fn part(_: &G, choices: &Choices<G::Move>, player: Player) -> Option<G::Move> {
        choices.of(player)
    }

    fn play(game: &mut G, choices: Choices<G::Move>, rng: &mut Rng) {
        game.play(&choices);
        game.let_happen(rng);
    }

    /// Others may choose too, and chance may follow.
    fn after(_: &G, _: Player, _: G::Move) -> Option<G> {
        None
    }

    fn points(game: &G, player: Player) -> i64 {
        game.payoff(player).0.into()
    }

    fn count(game: &G, depth: u32, ended: Ended) -> u64 {
        if depth == 0 {
            return 1;
        }
        if game.awaits_chance() {
            return outcomes(game).map(|next| Self::count(&next, depth, ended)).sum();
        }
        let counts = players::<G>().map(|player| moves(game, player).len() as u64).filter(|&count| count > 0);
        let Some(turns) = counts.reduce(|all, count| all * count) else {
            return u64::from(ended == Ended::Counted);
        };
        if depth == 1 {
            return turns;
        }
        let mut sum = 0;
        Self::count_after_each(game, depth - 1, ended, &mut |_, _, leaves| sum += leaves);
        sum
    }

    /// Where chance decides first, after each of its outcomes.
    fn count_after_each(
        game: &G,
        depth: u32,
        ended: Ended,
        visit: &mut dyn FnMut(&G, Choices<G::Move>, u64),
    ) {
        if game.awaits_chance() {
            return outcomes(game).for_each(|next| Self::count_after_each(&next, depth, ended, visit));
        }
        let players = Self::choosers(game);
        if !players.is_empty() {
            combine(game, &players, Choices::NONE, &mut |choices| {
                let mut next = game.clone();
                next.play(&choices);
                visit(game, choices, Self::count(&next, depth, ended));
            });
        }
    }
}

fn moves<G: Joint>(game: &G, player: Player) -> G::Moves {
    let mut list = G::Moves::default();
    if player.index() < G::PLAYERS {
        game.moves(player, &mut list);
    }
    list
}

fn outcomes<G: Joint>(game: &G) -> impl Iterator<Item = G> + '_ {
    (0..).map_while(|i| game.outcome(i)).map(|(outcome, _)| {
        let mut next = game.clone();
        next.happen(outcome);
        next
    })
}

/// Calls `visit` for each combination of moves of these players.
fn combine<G: Joint>(
    game: &G,
    players: &[Player],
    choices: Choices<G::Move>,
    visit: &mut dyn FnMut(Choices<G::Move>),
) {
    match players {
        [] => visit(choices),
        [first, rest @ ..] => {
            for &m in moves(game, *first).iter() {
                combine(game, rest, choices.with(*first, m), visit);
            }
        }
    }
}

//! Simultaneous moves and chance: every search with every small game, against exact values.

mod chance;
mod every;
mod evolution;
mod exact;
mod games;
mod many;
mod reduced;
mod regret;
mod units;

use coppice::joint::players;
use coppice::{Choices, Joint, Player, Rng};

fn listed<G: Joint>(game: &G, player: Player) -> Vec<G::Move> {
    let mut list = G::Moves::default();
    game.moves(player, &mut list);
    list.to_vec()
}

/// All that can happen next: outcomes with their share, or joint moves, of which each has the share 1.
fn after<G: Joint>(game: &G, choices: &Choices<G::Move>) -> G {
    let mut next = game.clone();
    next.play(choices);
    next
}

/// The states after each outcome, with its probability.
fn outcomes<G: Joint>(game: &G) -> Vec<(G, f64)> {
    let all: Vec<_> = (0..).map_while(|i| game.outcome(i)).collect();
    let total: f64 = all.iter().map(|&(_, weight)| f64::from(weight)).sum();
    let happen = |outcome| {
        let mut next = game.clone();
        next.happen(outcome);
        next
    };
    all.into_iter().map(|(outcome, weight)| (happen(outcome), f64::from(weight) / total)).collect()
}

/// All joint moves of the given players.
fn joint_moves<G: Joint>(game: &G, chosen: &[Player], from: Choices<G::Move>) -> Vec<Choices<G::Move>> {
    let Some((&player, rest)) = chosen.split_first() else { return vec![from] };
    match listed(game, player) {
        list if list.is_empty() => joint_moves(game, rest, from),
        list => list.into_iter().flat_map(|m| joint_moves(game, rest, from.with(player, m))).collect(),
    }
}

/// Plays at random, and hands each state to `look`, the start and the end included.
fn random_play<G: Joint>(start: &G, rng: &mut Rng, mut look: impl FnMut(&G)) {
    let mut game = start.clone();
    loop {
        look(&game);
        if let Some(outcome) = game.draw(rng) {
            game.happen(outcome);
            continue;
        }
        let mut choices = Choices::NONE;
        for player in players::<G>() {
            game.random_move(player, rng).into_iter().for_each(|m| choices.set(player, m));
        }
        if choices == Choices::NONE {
            return;
        }
        game.play(&choices);
    }
}

/// States of random games in which a player has a choice.
fn choices_of<G: Joint>(start: &G, player: Player, games: u64) -> Vec<G> {
    let mut found = Vec::new();
    for seed in 0..games {
        random_play(start, &mut Rng::new(seed), |game| {
            if listed(game, player).len() > 1 {
                found.push(game.clone());
            }
        });
    }
    found
}

//! Compares two searches by games, until a sequential test decides.
//!
//! Pairs of games from the same opening with the sides swapped are judged in the order of their numbers: the verdict is
//! the same on any number of threads. Pairs that repeat earlier ones are no evidence: see [`TestSamples`].

use anyhow::{Context, Result};
use coppice::rng::mix;
use coppice::{Budget, Choices, Joint, Player, Rng};
use coppice_arena::{Grouping, Sprt, TestSamples, Verdict};
use serde::Serialize;

use crate::parallel;
use crate::progress::Progress;
use crate::subject::Subject;

/// Pairs that a thread plays before all are judged.
const ROUND: usize = 8;
/// The players.
const SEATS: [Player; 2] = [Player::FIRST, Player::SECOND];

/// How to compare.
#[derive(Debug, Clone, Copy)]
pub struct Conditions {
    /// Nodes a move.
    pub nodes: u64,
    /// The test.
    pub test: Sprt,
    /// Pairs after which it ends undecided.
    pub most: u64,
    /// Seed of the openings.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
}

/// The games' evidence.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Proof {
    /// Pairs of games.
    pub pairs: u64,
    /// Games that repeat earlier ones, move by move.
    pub repeats: u64,
    /// Points of 1.
    pub score: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
    /// Elo.
    pub elo: f64,
    /// The logarithm of how much likelier the games are under the test's upper hypothesis.
    pub llr: f64,
    /// What the test says.
    pub verdict: Verdict,
}

/// Plays evaluation `a` against `b`. Each player has a search of its own; where both choose at once, neither sees the other's move.
///
/// # Errors
/// If the conditions allow no pair of games.
pub fn compare<S: Subject>(
    subject: &S,
    a: &S::Evaluation,
    b: &S::Evaluation,
    conditions: &Conditions,
) -> Result<Proof> {
    const { assert!(S::Game::PLAYERS == 2, "evaluations are compared in games of two players") };
    let mut samples = TestSamples::new(Grouping::PAIRS);
    let progress = Progress::new("pairs", conditions.most, 0);
    let mut proof = None;
    while (samples.all().len() as u64) < conditions.most {
        let first = samples.all().len() as u64;
        let mut round = vec![(0.0, 0, [0; 2]); ROUND * conditions.threads.max(1)];
        parallel::fill(&mut round, conditions.threads, |at, part| {
            for (i, points) in part.iter_mut().enumerate() {
                *points = pair(subject, a, b, conditions, first + (at + i) as u64);
            }
        });
        for pair in round.into_iter().take((conditions.most - first) as usize) {
            let (points, opening, moves) = pair;
            samples.push(points, Some((opening, &moves)));
            let judged = judge(&samples, &conditions.test)?;
            let decided = judged.verdict != Verdict::Undecided || samples.are_exhausted();
            proof = Some(judged);
            progress.advance(1);
            if decided {
                progress.end();
                return proof.context("a judged pair");
            }
        }
        if let Some(proof) = &proof {
            progress.say(format!("{:.1} %, llr {:.2}", 100.0 * proof.score, proof.llr));
        }
    }
    progress.end();
    proof.context("expected at least one pair of games (--pairs)")
}

fn judge(samples: &TestSamples, test: &Sprt) -> Result<Proof> {
    let outcomes = samples.outcomes();
    let (score, state) = (outcomes.score(), samples.state(*test)?);
    Ok(Proof {
        pairs: outcomes.samples(),
        repeats: samples.repeats(),
        score: score.mean,
        error: score.error(),
        elo: outcomes.elo().mean,
        llr: state.llr,
        verdict: state.verdict,
    })
}

/// The share of points that `a` takes from a pair of games, a hash of the opening, and one of each game's moves.
fn pair<S: Subject>(
    subject: &S,
    a: &S::Evaluation,
    b: &S::Evaluation,
    conditions: &Conditions,
    number: u64,
) -> (f64, u64, [u64; 2]) {
    let seed = mix(conditions.seed ^ mix(number));
    let mut rng = Rng::new(seed);
    let start = subject.opening(&mut rng);
    let (mut points, mut moves) = (0.0, [0; 2]);
    for seat in SEATS {
        let (mut ours, mut theirs) = (subject.search(a, mix(seed ^ 1)), subject.search(b, mix(seed ^ 2)));
        // Both games have the same chance.
        let (mut game, mut rng) = (start.clone(), rng.clone());
        let hash = &mut moves[usize::from(seat != Player::FIRST)];
        *hash = mix(start.hash()) ^ u64::from(seat != Player::FIRST);
        while !game.is_over() {
            let mut choices = Choices::NONE;
            for player in SEATS {
                let search = if player == seat { &mut ours } else { &mut theirs };
                let best = search.search(&game, player, Budget::nodes(conditions.nodes)).best;
                best.into_iter().for_each(|m| choices.set(player, m));
            }
            if choices == Choices::NONE {
                break;
            }
            game.play(&choices);
            game.let_happen(&mut rng);
            *hash = mix(*hash ^ game.hash());
        }
        points += 0.5 + 0.5 * f64::from(game.payoff(seat).sign());
    }
    (points / 2.0, start.hash(), moves)
}

//! Laws that hold for the rules, the referee and the protocol of every contest, for tests.
//!
//! [`check_lines`] and [`check_commands`] check all that is here for a game with one of the two protocols, [`check_rules`], [`check_joint_rules`], [`check_undo`] and [`check_contest`] a part. Each is a line of a
//! test, plays random games from fixed seeds, and panics with the position if a law is broken. The other functions take
//! the seed, for fuzzing.

mod damage;
mod joint;
mod protocol;
mod referee;
mod rules;
#[cfg(feature = "serve")]
mod served;

use std::fmt::Debug;
use std::ops::Div;
use std::sync::OnceLock;
use std::time::Duration;

use coppice::{Game, Reversible};

use crate::commands::{referee::CommandContest, Commands};
use crate::contest::Contest;
use crate::kind::{Kind, Sequential, Simultaneous};
use crate::lines::{LineContest, LineGame, LineKind};
use crate::notation::{GameNotation, JointNotation, Move, Notation, Turn};

pub use joint::check_joint_rules;
pub use protocol::{both_sides_agree, reads_garbage};
pub use referee::{random_game, refuses_garbage};
pub use rules::{draws_evenly, keeps_its_promises, reads_what_it_writes, takes_back};
#[cfg(feature = "serve")]
pub use served::survives_garbage;

/// Checks the rules of a [`LineGame`], its referee, and both sides of its protocol: what the bot reads is what the
/// referee wrote, in each position of 60 random games.
///
/// # Panics
/// If a law is broken.
pub fn check_lines<G>()
where
    G: Notation<Kind: RuleLaws<G> + LineKind<G>> + LineGame<Move<G>, Turn<G>> + Debug,
{
    G::Kind::check_rules(G::start);
    check_contest(&LineContest::<G>::new());
    for seed in 0..GAMES.into() {
        both_sides_agree::<G>(seed);
        reads_garbage::<G>(seed);
    }
}

/// The laws of the rules of a kind of games.
pub trait RuleLaws<G>: Kind<G> {
    /// [`check_rules`] or [`check_joint_rules`], given the start of a seed's game.
    ///
    /// # Panics
    /// If a law is broken.
    fn check_rules(start: fn(u64) -> G);
}

impl<G: GameNotation + Debug> RuleLaws<G> for Sequential {
    fn check_rules(start: fn(u64) -> G) {
        check_rules(&start(0));
    }
}

impl<G: JointNotation + Debug> RuleLaws<G> for Simultaneous {
    fn check_rules(start: fn(u64) -> G) {
        check_joint_rules(start);
    }
}

/// Checks the rules of a game with [`Commands`] in its default variant, and its referee.
///
/// # Panics
/// If a law is broken.
pub fn check_commands<G: Commands + GameNotation + Debug>() {
    let start = crate::commands::start::<G>(G::USUAL).expect("the default variant is valid");
    check_rules(&start);
    check_positions(&start);
    check_contest(&CommandContest::<G>::new(Duration::from_millis(100)));
}

/// Checks rules: the end, the moves, the hash and copies in 60 random games, the draw of a random move. Two positions are
/// taken for the same if they are printed alike by `{:?}`; use [`keeps_its_promises`] if that shows what doesn't affect
/// the rest of the game.
///
/// # Panics
/// If a law is broken.
pub fn check_rules<G: Game + Debug>(start: &G) {
    keeps_its_promises(start, |game| format!("{game:?}"), 11, GAMES);
    draws_evenly(start);
}

/// Checks that each position of 60 random games that isn't over is read as it is written, if positions have a text form.
///
/// # Panics
/// If one isn't.
pub fn check_positions<G: GameNotation + Debug>(start: &G) {
    reads_what_it_writes(start, 5, GAMES);
}

/// Checks that moves are taken back without a trace, in 60 random games.
///
/// # Panics
/// If one leaves a trace.
pub fn check_undo<G: Reversible + Debug>(start: &G) {
    takes_back(start, 3, GAMES);
}

/// Checks a referee: it accepts the moves that it lists and no others, a record can be replayed, damaged answers are
/// refused and change nothing.
///
/// # Panics
/// If a law is broken, or 12 random games have no move.
pub fn check_contest(contest: &dyn Contest) {
    let made: usize = (0..12).map(|seed| random_game(contest, seed)).sum();
    assert!(made > 0, "{}: no seat made a move", contest.name());
    for seed in 0..4 {
        refuses_garbage(contest, seed);
        #[cfg(feature = "serve")]
        survives_garbage(contest, seed);
    }
}

/// How many of `all` random games or positions a test tries: a fifth, or all of them with `COPPICE_CASES=all` in the
/// environment.
///
/// # Panics
/// If the variable has another value.
pub fn cases<N: Copy + Ord + From<u8> + Div<Output = N>>(all: N) -> N {
    static ALL: OnceLock<bool> = OnceLock::new();
    let is_all = *ALL.get_or_init(|| {
        let value = std::env::var_os("COPPICE_CASES");
        assert!(
            value.as_ref().is_none_or(|value| value == "all"),
            "COPPICE_CASES is {value:?}, expected `all`"
        );
        value.is_some()
    });
    if is_all {
        all
    } else {
        (all / N::from(5)).max(N::from(1))
    }
}

/// Compares two values that a promise makes equal, each with what it is.
///
/// # Panics
/// If they differ, with the promise, both values, and `place`: the position, the move.
pub(crate) fn agree<T: PartialEq + Debug>(
    promise: &str,
    (first, a): (&str, T),
    (second, b): (&str, T),
    place: impl FnOnce() -> String,
) {
    assert!(a == b, "broken: {promise}\n  {first}: {a:?}\n  {second}: {b:?}\n{}", place());
}

/// Random games of a check.
const GAMES: u32 = 60;

/// Turns after which a random game is called endless. Contests limit their games to some hundred turns.
const MOST_TURNS: u32 = 10_000;

/// Checks that a random game isn't endless: playouts would be.
///
/// # Panics
/// If it has had too many turns.
pub(crate) fn ends(turns: u32, place: impl FnOnce() -> String) {
    assert!(turns < MOST_TURNS, "broken: a random game ends\n  it goes on after {turns} turns\n{}", place());
}

//! Games in which one player chooses at a time, as [`Joint`] games: [`InTurns`], and the adapter [`Turns`].

use crate::game::{Game, Payoff, Player};
use crate::joint::{Choices, Joint};
use crate::list::Moves;
use crate::rng::Rng;

/// A [`Joint`] game in which never more than one player has moves, such as a board game with dice. Return the player from
/// [`Joint::only_chooser`] too: Monte Carlo searches are faster then. Searches that need this don't accept any other game:
///
/// ```compile_fail
/// use coppice::search::{Expectimax, ExpectimaxOptions};
/// # use coppice::{Choices, Joint, List, Payoff, Player};
/// # #[derive(Clone, PartialEq)]
/// # struct Simultaneous;
/// # impl Joint for Simultaneous {
/// #     type Move = u8;
/// #     type Moves = List<u8, 3>;
/// #     type Outcome = ();
/// #     const MAX_POINTS: i32 = 1;
/// #     fn moves(&self, _: Player, _: &mut List<u8, 3>) {}
/// #     fn play(&mut self, _: &Choices<u8>) {}
/// #     fn payoff(&self, _: Player) -> Payoff { Payoff(0) }
/// #     fn hash(&self) -> u64 { 0 }
/// # }
///
/// let estimate = |_: &Simultaneous, _: Player| 0.0;
/// let search = Expectimax::<Simultaneous, _>::new(estimate, ExpectimaxOptions::default());
/// ```
#[diagnostic::on_unimplemented(
    message = "in `{Self}` several players may choose at the same time",
    note = "if only one ever does, write `impl InTurns for {Self}`; otherwise use `Regret`, `Decoupled` or `Paranoid`"
)]
pub trait InTurns: Joint {
    /// The only player who has moves. Unspecified where chance is to decide, and once the game is over.
    fn to_move(&self) -> Player;
}

/// A [`Game`] as a [`Joint`] game in which one player chooses at a time.
///
/// Payoffs are cut to ±`POINTS`: with 1, the default, only winning counts.
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/examples/nim.rs")); }
/// # use nim::Nim;
/// use coppice::search::{Decoupled, DecoupledOptions, JointSearch};
/// use coppice::{Budget, Player, Turns};
///
/// let mut search = Decoupled::new(DecoupledOptions::default());
/// let nim: Turns<_> = Turns(Nim::<2>(6, Player::FIRST));
/// let report = search.search(&nim, Player::FIRST, Budget::nodes(10_000));
/// assert_eq!(report.best, Some(2), "four stones lose for the opponent");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Turns<G, const POINTS: i32 = 1>(pub G);

impl<G: Game, const POINTS: i32> Joint for Turns<G, POINTS>
where
    <G::Moves as Moves<G::Move>>::Ranks: AsRef<[i32]> + Clone,
{
    type Move = G::Move;
    type Moves = G::Moves;
    type Outcome = ();
    const PLAYERS: usize = G::PLAYERS;
    const MAX_POINTS: i32 = POINTS;

    #[inline(always)]
    fn moves(&self, player: Player, list: &mut G::Moves) {
        if player == self.0.to_move() {
            self.0.moves(list);
        }
    }

    #[inline(always)]
    fn play(&mut self, choices: &Choices<G::Move>) {
        if let Some(m) = choices.of(self.0.to_move()) {
            self.0.play(m);
        }
    }

    #[inline(always)]
    fn payoff(&self, player: Player) -> Payoff {
        Payoff(self.0.payoff(player).0.clamp(-POINTS, POINTS))
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        self.0.hash()
    }

    #[inline(always)]
    fn random_move(&self, player: Player, rng: &mut Rng) -> Option<G::Move> {
        if player == self.0.to_move() {
            self.0.random_move(rng)
        } else {
            None
        }
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    #[inline(always)]
    fn only_chooser(&self) -> Option<Player> {
        Some(self.0.to_move())
    }
}

impl<G: Game, const POINTS: i32> InTurns for Turns<G, POINTS>
where
    <G::Moves as Moves<G::Move>>::Ranks: AsRef<[i32]> + Clone,
{
    #[inline(always)]
    fn to_move(&self) -> Player {
        self.0.to_move()
    }
}

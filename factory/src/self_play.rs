//! Games of a search against itself, with random slips and with labels.

use coppice::joint::players;
use coppice::search::JointSearch;
use coppice::{Budget, Choices, Joint, Player, Rng, Score, Turns};

use crate::alternating::GameInTurns;
use crate::sample::Sample;

/// Departures of a game from the search's best moves.
#[derive(Debug, Clone, Copy)]
pub struct Slips {
    /// Three of four games begin with 1 to this many random turns, the others at the start. A turn is a move of each player who
    /// may choose: in a game in turns, one move.
    pub opening: u32,
    /// The turn up to which one in `early_one_in` is random.
    pub early: u32,
    /// Random turns early in a game: one in this many.
    pub early_one_in: u32,
    /// Random turns later: one in this many.
    pub one_in: u32,
    /// At one turn in this many, what follows a random turn is labelled as well: searches see such positions.
    pub aside_one_in: u32,
}

/// An estimate as a value from -1 to 1, where this many points are three quarters of a win.
pub fn value(score: Score, three_quarters: f32) -> f32 {
    match () {
        () if score.is_win() => 1.0,
        () if score.is_loss() => -1.0,
        () => {
            let x = score.value() as f32 / three_quarters;
            x / (1.0 + x.abs())
        }
    }
}

/// The player from whose view a position is stored: the one who is to move, or the first where both may choose.
pub fn view<G: Joint>(game: &G) -> Player {
    game.only_chooser().unwrap_or(Player::FIRST)
}

/// A random move of each player who has one.
fn random_turn<G: Joint>(game: &G, rng: &mut Rng) -> Choices<G::Move> {
    let mut choices = Choices::NONE;
    for player in players::<G>() {
        game.random_move(player, rng).into_iter().for_each(|m| choices.set(player, m));
    }
    choices
}

/// What follows a turn, and what chance decides after it.
fn after<G: Joint>(game: &G, choices: &Choices<G::Move>, rng: &mut Rng) -> G {
    let mut next = game.clone();
    next.play(choices);
    next.let_happen(rng);
    next
}

/// What follows some random turns, or as many of them as the game has.
pub fn random_turns<G: Joint>(start: G, turns: u32, rng: &mut Rng) -> G {
    let mut game = start;
    game.let_happen(rng);
    for _ in 0..turns {
        let choices = random_turn(&game, rng);
        if choices != Choices::NONE {
            game = after(&game, &choices, rng);
        }
    }
    game
}

/// The value of a position of two players for the first, from -1 to 1, and each player's move. A search for each player takes
/// `nodes` nodes; the value is the mean of what they say. The second one goes on with the tree of the first, if the search keeps it.
pub fn both<G: Joint>(
    search: &mut (impl JointSearch<G> + ?Sized),
    game: &G,
    nodes: u64,
) -> (f32, Choices<G::Move>) {
    let (mut choices, mut value) = (Choices::NONE, 0.0);
    for (player, sign) in [(Player::FIRST, 0.5), (Player::SECOND, -0.5)] {
        let report = search.search(game, player, Budget::nodes(nodes));
        report.best.into_iter().for_each(|m| choices.set(player, m));
        value += sign * report.value;
    }
    ((value / f64::from(G::MAX_POINTS)) as f32, choices)
}

impl Slips {
    /// Plays one game in turns. `label` adds the sample of a position that isn't over, and returns its best move.
    pub fn game<G: GameInTurns, P>(
        &self,
        start: G,
        rng: &mut Rng,
        samples: &mut Vec<Sample<P>>,
        mut label: impl FnMut(&G, &mut Rng, &mut Vec<Sample<P>>) -> Option<G::Move>,
    ) {
        self.joint_game(Turns::<_>(start), rng, samples, |Turns(game), rng, samples| {
            let best = label(game, rng, samples);
            best.map_or(Choices::NONE, |m| Choices::NONE.with(game.to_move(), m))
        });
    }

    /// Plays one game. `label` adds the sample of a position that isn't over, in the [`view`] of one player, and returns what the
    /// players do.
    pub fn joint_game<G: Joint, P>(
        &self,
        start: G,
        rng: &mut Rng,
        samples: &mut Vec<Sample<P>>,
        mut label: impl FnMut(&G, &mut Rng, &mut Vec<Sample<P>>) -> Choices<G::Move>,
    ) {
        let mut turns = if rng.below(4) == 0 { 0 } else { 1 + rng.below(self.opening) };
        let mut game = random_turns(start, turns, rng);
        let first = samples.len();
        // In whose view each sample is that the game went through without a slip since; `None` for the others.
        let mut views: Vec<Option<Player>> = Vec::new();
        while !game.is_over() {
            let best = label(&game, rng, samples);
            let one_in = if turns < self.early { self.early_one_in } else { self.one_in };
            let slips = rng.below(one_in) == 0;
            if slips {
                views.fill(None);
            }
            views.push(Some(view(&game)).filter(|_| !slips));
            let aside = random_turn(&game, rng);
            let aside = Some(after(&game, &aside, rng)).filter(|next| !next.is_over());
            let is_labelled = |rng: &mut Rng| self.aside_one_in == 1 || rng.below(self.aside_one_in) == 0;
            if let Some(next) = aside.filter(|_| is_labelled(rng)) {
                label(&next, rng, samples);
                views.push(None);
            }
            let chosen = if slips { random_turn(&game, rng) } else { best };
            if chosen == Choices::NONE {
                break;
            }
            game = after(&game, &chosen, rng);
            turns += 1;
        }
        for (sample, view) in samples[first..].iter_mut().zip(views) {
            sample.result = view.map(|player| game.payoff(player).sign() as f32);
        }
    }
}

//! The game as the bot searches it: actions that can matter, in one order a day.

use arrayvec::ArrayVec;
use coppice::rng::mix;
use coppice::{Choices, Joint, Payoff, Player};

use super::board::{Action, Board, COMPLETION, DAYS};
use super::cell::{cells, Cell};
use super::habits::{reached, soil, source};
use super::protocol::legal;

/// The most candidates of a player: `WAIT`, each tree once, and the seeds on six cells.
pub const MAX_CANDIDATES: usize = 1 + 37 + SEEDS;

/// The most cells considered for a seed.
const SEEDS: usize = 6;

/// Penalty for an own tree in a line with a seed's cell, and the extra one for a neighbouring tree; a step of richness is
/// worth 4.
const LINE: i32 = 5;
const NEXT: i32 = 1;

/// Value of a win.
pub const WIN: i32 = 60;
/// The most that a lead is worth besides.
pub const MOST: i32 = 40;

/// The last days on which it can pay to plant a seed and to grow to sizes 1, 2, 3: the days left must suffice to
/// complete the tree.
const LAST: [u8; 4] = [19, 20, 21, 22];

/// A board, and how far each player's day has gone.
///
/// A player's actions of one day are ordered: complete, grow from size 2, from 1, from 0, plant a seed; within
/// each by the cells' order. Any set of actions can be done in it at the lowest cost, as each lowers what the later ones
/// cost or leaves it. So a day's plan is searched once, and not in every order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidates {
    /// The board.
    pub board: Board,
    /// Lower bound of the place of each player's next action: see [`place`].
    done: [u16; 2],
    day: u8,
}

/// An action's place in the order of a day.
fn place(board: &Board, action: Action) -> u16 {
    let (class, cell) = match action {
        Action::Complete(cell) => (0, cell),
        Action::Grow(cell) => (3 - board.tree(cell).map_or(0, |(size, _)| size as u16), cell),
        Action::Seed(_, cell) => (4, cell),
        Action::Wait => return 0,
    };
    64 * class + cell.bit() as u16 + 1
}

impl Candidates {
    /// The search's game from a turn on.
    pub fn new(board: Board) -> Candidates {
        Candidates { board, done: [0; 2], day: board.day() }
    }
}

impl Joint for Candidates {
    type Move = Action;
    type Moves = ArrayVec<Action, MAX_CANDIDATES>;
    type Outcome = ();
    const MAX_POINTS: i32 = WIN + MOST;

    fn moves(&self, player: Player, list: &mut Self::Moves) {
        let board = &self.board;
        let day = board.day();
        if day >= DAYS || board.is_asleep(player) {
            return;
        }
        let (sun, done) = (board.sun(player), self.done[player.index()]);
        let awake = |size| board.trees(player, size) & !board.dormant();
        list.push(Action::Wait);
        // The cells behind the last one in a class.
        let open = |class: u16| match (64 * (class + 1)).checked_sub(done) {
            Some(left @ 1..) if left < 64 => u64::MAX << (64 - left),
            Some(1..) => u64::MAX,
            _ => 0,
        };
        if sun >= COMPLETION {
            cells(awake(3) & open(0)).for_each(|cell| list.push(Action::Complete(cell)));
        }
        for size in [2, 1, 0] {
            if sun >= board.cost(player, size + 1) && day <= LAST[size + 1] {
                let class = 3 - size as u16;
                cells(awake(size) & open(class)).for_each(|cell| list.push(Action::Grow(cell)));
            }
        }
        if board.trees(player, 0) == 0 && day <= LAST[0] {
            self.seeds(player, list);
        }
    }

    fn play(&mut self, choices: &Choices<Action>) {
        let actions = [Player::FIRST, Player::SECOND].map(|player| choices.of(player));
        for (done, action) in self.done.iter_mut().zip(actions) {
            *done = action.map_or(*done, |action| place(&self.board, action));
        }
        self.board.turn(actions);
        if self.board.day() != self.day {
            *self = Candidates::new(self.board);
        }
    }

    /// A win by any lead is worth more than half of all points, and a larger lead a little more.
    fn payoff(&self, player: Player) -> Payoff {
        let lead = self.board.payoff(player).0;
        Payoff(WIN * lead.signum() + lead.clamp(-MOST, MOST))
    }

    fn hash(&self) -> u64 {
        let [one, other] = self.done.map(u64::from);
        self.board.hash() ^ mix(one << 16 | other)
    }

    fn is_over(&self) -> bool {
        self.board.is_over()
    }
}

impl Candidates {
    /// Seeds on the best cells in reach.
    fn seeds(&self, player: Player, list: &mut ArrayVec<Action, MAX_CANDIDATES>) {
        let board = &self.board;
        // The best so far, the best first.
        let mut best: ArrayVec<(i32, Cell), { SEEDS + 1 }> = ArrayVec::new();
        for cell in cells(reached(board, player) & board.soil()) {
            let value = soil(board.owned(player), cell, LINE, NEXT);
            let at = best.iter().position(|&(other, _)| other < value).unwrap_or(best.len());
            if at < SEEDS {
                best.insert(at, (value, cell));
                best.truncate(SEEDS);
            }
        }
        for (_, target) in best {
            source(board, player, target)
                .into_iter()
                .for_each(|source| list.push(Action::Seed(source, target)));
        }
    }
}

/// A game from turn to turn: keeps how far the players' day has gone.
#[derive(Debug, Clone, Copy, Default)]
pub struct Course {
    /// The game of the last answer, and that answer.
    last: Option<(Candidates, Choices<Action>)>,
}

impl Course {
    /// The search's game on a board. If that has come from the last answer's, the day's order goes on, so that a tree's
    /// states are found again; otherwise it starts over.
    pub fn game(&self, board: &Board, player: Player) -> Candidates {
        let fresh = Candidates::new(*board);
        let Some((last, own)) = self.last else { return fresh };
        if last.board == *board {
            return last;
        }
        let other = player.other();
        let theirs = legal(&last.board, other);
        let choices = theirs.iter().map(|&action| own.with(other, action)).chain([own]);
        let after = |choices| {
            let mut game = last;
            game.play(&choices);
            game
        };
        choices.map(after).find(|game| game.board == *board).unwrap_or(fresh)
    }

    /// Notes a turn's answer.
    pub fn answered(&mut self, game: Candidates, player: Player, answer: Option<Action>) {
        self.last = answer.map(|action| (game, Choices::NONE.with(player, action)));
    }
}

#[cfg(test)]
mod tests {
    use coppice::Rng;

    use super::super::tools::map;
    use super::*;

    /// Plays candidates at random; with `wild`, the second player any legal action.
    fn play(seed: u64, wild: bool) -> [usize; 2] {
        let mut rng = Rng::new(seed);
        let mut game = Candidates::new(map::start(seed));
        let mut course = Course::default();
        let [mut same, mut turns] = [0; 2];
        while !game.is_over() {
            let mut choices = Choices::NONE;
            for player in [Player::FIRST, Player::SECOND] {
                let mut list = <Candidates as Joint>::Moves::new();
                game.moves(player, &mut list);
                let all = legal(&game.board, player);
                let from = if wild && player == Player::SECOND { &all[..] } else { &list[..] };
                if !from.is_empty() {
                    choices.set(player, from[rng.below(from.len() as u32) as usize]);
                }
            }
            if let Some(answer) = choices.of(Player::FIRST) {
                let followed = course.game(&game.board, Player::FIRST);
                assert_eq!(followed.board, game.board);
                same += usize::from(followed == game);
                turns += 1;
                course.answered(followed, Player::FIRST, Some(answer));
            }
            game.play(&choices);
        }
        [same, turns]
    }

    #[test]
    fn the_order_of_a_day_goes_on() {
        for seed in 0..20 {
            let [same, turns] = play(seed, false);
            assert_eq!(same, turns, "map {seed}");
            let [_, turns] = play(seed, true);
            assert!(turns > 20, "map {seed}");
        }
    }
}

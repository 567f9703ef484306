//! The rules, on a board that shows everything.

use coppice::rng::mix;
use coppice::{Game, List, Payoff, Player};

use super::action::Action;
use super::cells::{around, bit, Cells, Direction, NOWHERE};
use super::league::League;

/// The height from which a step gives a point.
pub const TOP: u8 = 3;
/// The height of a cell that no unit can enter or build on.
pub const CLOSED: u8 = 4;
/// The most rounds of a game.
pub const ROUNDS: u16 = 200;

/// The most actions: eight steps with eight cells to build on for each of two units, and three pushes of each of the
/// other's units.
pub const ACTIONS: usize = 2 * (64 + 6);

/// A list of actions.
pub type Actions = List<Action, ACTIONS>;

/// The grid, the units and the points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    /// The cells that exist.
    pub cells: Cells,
    /// The cells of height 1 and more, of 2 and more, and so on.
    levels: [Cells; 4],
    /// The cells of each player's units; [`NOWHERE`] for one that isn't known or doesn't exist.
    pub units: [[u8; 2]; 2],
    /// Each player's points.
    pub points: [u16; 2],
    /// Whether each player is out: it had no action, or failed.
    pub out: [bool; 2],
    /// The number of rounds played.
    pub round: u16,
    mover: Player,
    is_over: bool,
    /// The rules that apply.
    pub league: League,
}

impl Board {
    /// The start: a level grid and the units' cells.
    pub fn new(league: League, cells: Cells, units: [[u8; 2]; 2]) -> Board {
        Board {
            cells,
            levels: [0; 4],
            units,
            points: [0; 2],
            out: [false; 2],
            round: 0,
            mover: Player::FIRST,
            is_over: false,
            league,
        }
    }

    /// The height of a cell, 0 to 4.
    #[inline(always)]
    pub fn height(&self, cell: u8) -> u8 {
        let at = bit(cell);
        self.levels.iter().map(|level| u8::from(level & at != 0)).sum()
    }

    /// The cells at least this high, 0 to 4.
    #[inline(always)]
    pub fn at_least(&self, height: u8) -> Cells {
        match height {
            0 => self.cells,
            height => self.levels[usize::from(height - 1)],
        }
    }

    /// The cells that a unit at this height can step onto, if they are free: at most one higher, and not closed.
    #[inline(always)]
    pub fn within_reach_of(&self, height: u8) -> Cells {
        self.cells & !self.levels[usize::from((height + 1).min(CLOSED - 1))]
    }

    /// Raises a cell by 1.
    #[inline(always)]
    pub fn raise(&mut self, cell: u8) {
        let at = bit(cell);
        let height = self.height(cell);
        self.levels[usize::from(height.min(CLOSED - 1))] |= at;
    }

    /// The cells of a player's units.
    #[inline(always)]
    pub fn occupied(&self, player: Player) -> Cells {
        let [a, b] = self.units[player.index()];
        bit(a) | bit(b)
    }

    /// The cells from which `player` would see another's unit.
    #[inline(always)]
    pub fn sight(&self, player: Player) -> Cells {
        match self.league.has_fog() {
            true => around(self.occupied(player)),
            false => self.cells,
        }
    }

    /// The board as a player sees it: units out of sight are [`NOWHERE`], the other's points are 0, and it isn't out.
    pub fn seen_by(&self, player: Player) -> Board {
        let (sight, other) = (self.sight(player), player.other().index());
        let mut seen = *self;
        for unit in &mut seen.units[other] {
            if bit(*unit) & sight == 0 {
                *unit = NOWHERE;
            }
        }
        seen.points[other] = 0;
        seen.out = [false; 2];
        seen
    }

    /// The board with `player` to move, as a bot is sent it.
    pub fn with_mover(mut self, player: Player) -> Board {
        self.mover = player;
        self
    }

    /// Writes the actions of the player to move into `list`, in the platform's order: by their text.
    #[inline]
    pub fn list(&self, list: &mut Actions) {
        let (own, other) = (self.occupied(self.mover), self.occupied(self.mover.other()));
        let seen = other & self.sight(self.mover);
        let open = self.cells & !self.levels[usize::from(CLOSED - 1)];
        let units = self.units[self.mover.index()];
        for (unit, &at) in units.iter().enumerate().filter(|(_, at)| **at != NOWHERE) {
            let free = self.within_reach_of(self.height(at)) & !own & !other;
            let buildable = open & !(own & !bit(at)) & !seen;
            for to in Direction::BY_NAME {
                let target = to.from(at);
                if bit(target) & free == 0 {
                    continue;
                }
                for build in Direction::BY_NAME {
                    if bit(build.from(target)) & buildable != 0 {
                        list.push(Action::step(unit as u8, to, build));
                    }
                }
            }
        }
        if !self.league.has_pushes() || around(own) & seen == 0 {
            return;
        }
        for (unit, &at) in units.iter().enumerate() {
            for towards in Direction::BY_NAME {
                let target = towards.from(at);
                if bit(target) & seen == 0 {
                    continue;
                }
                let free = self.within_reach_of(self.height(target)) & !own & !seen;
                for to in Direction::BY_NAME {
                    if towards.turn_to(to) <= 1 && bit(to.from(target)) & free != 0 {
                        list.push(Action::push(unit as u8, towards, to));
                    }
                }
            }
        }
    }

    /// Makes an action of the player to move, and hands the turn on.
    #[inline]
    pub fn act(&mut self, action: Action) {
        let me = self.mover.index();
        if action == Action::ACCEPT {
            self.out[me] = true;
        } else if action.is_push() {
            self.push(action);
        } else {
            self.step(action);
        }
        self.hand_on();
    }

    #[inline(always)]
    fn step(&mut self, action: Action) {
        let me = self.mover.index();
        let unit = &mut self.units[me][action.unit()];
        let to = action.first().from(*unit);
        *unit = to;
        if self.height(to) == TOP && self.league.has_points() {
            self.points[me] += 1;
        }
        // A unit that wasn't seen keeps the cell as it is.
        let at = action.second().from(to);
        if bit(at) & (self.occupied(Player::FIRST) | self.occupied(Player::SECOND)) == 0 {
            self.raise(at);
        }
    }

    #[inline(always)]
    fn push(&mut self, action: Action) {
        let (me, other) = (self.mover.index(), self.mover.other());
        let from = action.first().from(self.units[me][action.unit()]);
        let to = action.second().from(from);
        // A unit that wasn't seen is in the way: nothing happens.
        if bit(to) & self.occupied(other) == 0 {
            let pushed = self.units[other.index()].iter_mut().find(|unit| **unit == from);
            pushed.into_iter().for_each(|unit| *unit = to);
            self.raise(from);
        }
    }

    /// Ends the turn, and the round if it was its last.
    #[inline(always)]
    fn hand_on(&mut self) {
        let is_last = self.mover == Player::SECOND || self.out[1];
        if is_last {
            self.round += 1;
        }
        self.is_over = self.out == [true; 2]
            || self.league == League::Climb && self.out != [false; 2]
            || is_last && (self.round >= ROUNDS || self.is_decided());
        let next = if is_last { Player::FIRST } else { Player::SECOND };
        self.mover = if self.out[next.index()] { next.other() } else { next };
    }

    /// Whether the game ends with this round: somebody stands on top in the first league, or the only player left has more
    /// points.
    #[inline(always)]
    fn is_decided(&self) -> bool {
        if self.league == League::Climb {
            return self.stands_on_top(Player::FIRST) || self.stands_on_top(Player::SECOND);
        }
        match self.out {
            [true, false] => self.points[1] > self.points[0],
            [false, true] => self.points[0] > self.points[1],
            _ => false,
        }
    }

    fn stands_on_top(&self, player: Player) -> bool {
        self.occupied(player) & self.at_least(TOP) != 0
    }

    /// A player's points as the platform's referee counts them: in the first league 1 for a win.
    pub fn score(&self, player: Player) -> i64 {
        if self.league.has_points() {
            return self.points[player.index()].into();
        }
        let is_out = |player: Player| self.out[player.index()];
        let won = |player: Player| !is_out(player) && (is_out(player.other()) || self.stands_on_top(player));
        i64::from(won(player) && !won(player.other()))
    }
}

impl Game for Board {
    type Move = Action;
    type Moves = Actions;

    #[inline(always)]
    fn to_move(&self) -> Player {
        self.mover
    }

    fn moves(&self, list: &mut Actions) {
        if self.is_over {
            return;
        }
        self.list(list);
        if list.is_empty() {
            list.push(Action::ACCEPT);
        }
    }

    fn play(&mut self, action: Action) {
        self.act(action);
    }

    /// The difference of points.
    fn payoff(&self, player: Player) -> Payoff {
        Payoff((self.score(player) - self.score(player.other())) as i32)
    }

    fn hash(&self) -> u64 {
        let [[a, b], [c, d]] = self.units;
        let flags = [self.out[0], self.out[1], self.is_over].map(u8::from);
        let flags = flags[0] | flags[1] << 1 | flags[2] << 2 | (self.mover.index() as u8) << 3;
        let units = u64::from_le_bytes([a, b, c, d, flags, self.league as u8, 0, 0]);
        let [first, second] = self.points.map(u64::from);
        let numbers = first << 48 | second << 32 | u64::from(self.round);
        let levels = self.levels.iter().fold(self.cells, |hash, &level| mix(hash) ^ level);
        mix(mix(mix(levels) ^ units) ^ numbers)
    }

    fn move_index(action: Action) -> u16 {
        action.code().into()
    }

    fn is_over(&self) -> bool {
        self.is_over
    }
}

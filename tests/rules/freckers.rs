//! Tests the rules of Freckers.

use std::collections::BTreeSet;

use bots::freckers::Board;
use contest::commands::Commands;
use contest::laws::cases;
use coppice::{perft, Ended, Game, Player, Rng};

use super::assert_perft;

#[test]
fn perft_to_depth_4() {
    assert_perft(&Board::START, &[21, 441, 7791, 137_641]);
}

/// The content of a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum On {
    Water,
    Pad,
    Frog(Player),
}

/// A row and a column.
type At = (i32, i32);

/// A slow, literal implementation of the rules on a plain grid.
struct Slow {
    grid: [[On; 8]; 8],
    to_move: Player,
    actions: u32,
}

impl Slow {
    fn new() -> Slow {
        let mut grid = [[On::Water; 8]; 8];
        for corner in [(0, 0), (0, 7), (7, 0), (7, 7)] {
            grid[corner.0][corner.1] = On::Pad;
        }
        for (row, on) in
            [(0, On::Frog(Player::FIRST)), (1, On::Pad), (6, On::Pad), (7, On::Frog(Player::SECOND))]
        {
            grid[row][1..=6].fill(on);
        }
        Slow { grid, to_move: Player::FIRST, actions: 0 }
    }

    fn on(&self, (row, column): At) -> Option<On> {
        let row = self.grid.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied()
    }

    fn directions(&self) -> [At; 5] {
        match self.to_move {
            Player::FIRST => [(0, 1), (0, -1), (1, 0), (1, -1), (1, 1)],
            _ => [(0, 1), (0, -1), (-1, 0), (-1, -1), (-1, 1)],
        }
    }

    /// The cells one hop away.
    fn hops(&self, (row, column): At) -> Vec<At> {
        let hop = |(down, right): At| {
            let over = self.on((row + down, column + right));
            let landing = (row + 2 * down, column + 2 * right);
            let is_hop = matches!(over, Some(On::Frog(_))) && self.on(landing) == Some(On::Pad);
            is_hop.then_some(landing)
        };
        self.directions().into_iter().filter_map(hop).collect()
    }

    fn jumps(&self, from: At, landings: &mut BTreeSet<At>) {
        for landing in self.hops(from) {
            if landings.insert(landing) {
                self.jumps(landing, landings);
            }
        }
    }

    fn cells_on(&self, on: On) -> Vec<At> {
        let all = (0..64).map(|i| (i / 8, i % 8));
        all.filter(|&at| self.on(at) == Some(on)).collect()
    }

    fn arrived(&self, player: Player) -> i32 {
        let row = if player == Player::FIRST { 7 } else { 0 };
        self.cells_on(On::Frog(player)).iter().filter(|at| at.0 == row).count() as i32
    }

    fn is_over(&self) -> bool {
        self.actions >= 150 || self.arrived(Player::FIRST) == 6 || self.arrived(Player::SECOND) == 6
    }

    /// All frog moves.
    fn moves(&self) -> BTreeSet<(At, At)> {
        let mut moves = BTreeSet::new();
        if self.is_over() {
            return moves;
        }
        for from in self.cells_on(On::Frog(self.to_move)) {
            let steps = self.directions().into_iter().map(|(down, right)| (from.0 + down, from.1 + right));
            let steps = steps.filter(|&to| self.on(to) == Some(On::Pad));
            let mut landings = steps.collect();
            self.jumps(from, &mut landings);
            moves.extend(landings.into_iter().map(|to| (from, to)));
        }
        moves
    }

    fn set(&mut self, (row, column): At, on: On) {
        self.grid[row as usize][column as usize] = on;
    }

    fn play(&mut self, m: Option<(At, At)>) {
        match m {
            Some((from, to)) => {
                self.set(from, On::Water);
                self.set(to, On::Frog(self.to_move));
            }
            None => {
                for (row, column) in self.cells_on(On::Frog(self.to_move)) {
                    for near in (0..9).map(|i| (row + i / 3 - 1, column + i % 3 - 1)) {
                        if self.on(near) == Some(On::Water) {
                            self.set(near, On::Pad);
                        }
                    }
                }
            }
        }
        self.to_move = self.to_move.other();
        self.actions += 1;
    }

    fn drawn(&self) -> String {
        let mut drawn = "  0 1 2 3 4 5 6 7\n".to_owned();
        for (row, cells) in self.grid.iter().enumerate() {
            drawn += &row.to_string();
            for on in cells {
                drawn += match on {
                    On::Water => " .",
                    On::Pad => " *",
                    On::Frog(Player::FIRST) => " R",
                    On::Frog(_) => " B",
                };
            }
            drawn += "\n";
        }
        drawn
    }
}

/// The cells of a written move; none if the board grows.
fn cells(text: &str) -> Vec<At> {
    let cell = |word: &str| {
        let (row, column) = word.split_once(',')?;
        Some((row.parse().ok()?, column.parse().ok()?))
    };
    text.split(' ').filter_map(cell).collect()
}

/// Checks that a written move uses valid hops, as few as possible, or one step.
fn assert_path(slow: &Slow, path: &[At]) {
    if let [from, to] = *path {
        if (from.0 - to.0).abs().max((from.1 - to.1).abs()) == 1 {
            return;
        }
    }
    let mut near = BTreeSet::from([path[0]]);
    for hop in path.windows(2) {
        assert!(!near.contains(&path[path.len() - 1]), "there is a shorter way than {path:?}");
        assert!(slow.hops(hop[0]).contains(&hop[1]), "{path:?}");
        near = near.iter().flat_map(|&at| slow.hops(at)).collect();
    }
}

/// Extends hops at random, also in cycles: the path must parse as the listed move.
fn assert_detours(board: &Board, slow: &Slow, rng: &mut Rng) -> usize {
    let mut list = <Board as Game>::Moves::default();
    board.moves(&mut list);
    let mut detours = 0;
    for from in slow.cells_on(On::Frog(slow.to_move)) {
        let mut path = vec![from];
        for _ in 0..6 {
            let hops = slow.hops(path[path.len() - 1]);
            let Some(count @ 1..) = u32::try_from(hops.len()).ok().filter(|_| !slow.is_over()) else { break };
            path.push(hops[rng.below(count) as usize]);
            let text: Vec<String> = path.iter().map(|(row, column)| format!("{row},{column}")).collect();
            let m = board.read_move(&text.join(" ")).expect("a move");
            assert!(list.contains(&m), "{path:?} in {board:?}");
            let listed = cells(&board.write_move(m));
            assert_eq!((listed[0], listed.last()), (from, path.last()), "{path:?} in {board:?}");
            detours += usize::from(listed != path);
        }
    }
    detours
}

/// The outcome of a game whose rules were checked.
struct Played {
    margin: i32,
    actions: u32,
    longest: usize,
    detours: usize,
}

/// Plays a random game in which frogs move forward in `eager` of four actions if they can.
fn a_game(eager: u32, rng: &mut Rng) -> Played {
    let (mut longest, mut detours) = (0, 0);
    let (mut board, mut slow) = (Board::START, Slow::new());
    loop {
        let mut list = <Board as Game>::Moves::default();
        board.moves(&mut list);
        let mut found = BTreeSet::new();
        for &m in list.iter() {
            let text = board.write_move(m);
            assert_eq!(board.read_move(&text), Some(m), "{text} in {board:?}");
            let path = cells(&text);
            if let [from, .., to] = path[..] {
                assert_path(&slow, &path);
                assert!(found.insert((from, to)), "{text} twice in {board:?}");
                longest = longest.max(path.len() - 1);
            }
        }
        assert_eq!(found, slow.moves(), "{board:?}");
        detours += assert_detours(&board, &slow, rng);
        assert_eq!(list.len(), found.len() + usize::from(!slow.is_over()), "{board:?}");
        assert!(board.to_string().starts_with(&slow.drawn()), "{board:?}");
        let is_forward = |m: &&_| cells(&board.write_move(**m)).windows(2).any(|hop| hop[0].0 != hop[1].0);
        let forwards: Vec<_> = list.iter().filter(is_forward).copied().collect();
        let drawn = match forwards.len() as u32 {
            some @ 1.. if rng.below(4) < eager => Some(forwards[rng.below(some) as usize]),
            _ => board.random_move(rng),
        };
        let Some(m) = drawn else { break };
        assert_eq!(board.to_move(), slow.to_move);
        let path = cells(&board.write_move(m));
        slow.play(path.last().map(|&to| (path[0], to)));
        board.play(m);
    }
    let margin = slow.arrived(Player::FIRST) - slow.arrived(Player::SECOND);
    assert_eq!(board.payoff(Player::FIRST).0, margin, "{board:?}");
    Played { margin, actions: slow.actions, longest, detours }
}

#[test]
fn games_match_the_reference_rules() {
    let mut rng = Rng::new(6);
    let games: Vec<Played> = (0..cases(60)).map(|game| a_game(game % 4, &mut rng)).collect();
    let count = |is: fn(&Played) -> bool| games.iter().filter(|game| is(game)).count();
    let early = count(|game| game.actions < 150);
    let drawn = count(|game| game.margin == 0);
    let won = count(|game| game.margin != 0 && game.actions == 150);
    let far = count(|game| game.longest > 3);
    let detours: usize = games.iter().map(|game| game.detours).sum();
    assert!(
        early > cases(10) && drawn > 0 && won > cases(2) && far > 5 && detours > 100,
        "{early} early, {drawn} drawn, {won} won at the end, {far} with four hops, {detours} detours"
    );
}

#[test]
fn invalid_hop_paths_are_rejected() {
    let mut board = Board::START;
    for text in ["0,2 0,0", "7,5 7,7", "grow", "grow"] {
        let m = board.read_move(text).expect("a move");
        let mut list = <Board as Game>::Moves::default();
        board.moves(&mut list);
        assert!(list.contains(&m), "{text}");
        board.play(m);
    }
    let mut list = <Board as Game>::Moves::default();
    board.moves(&mut list);
    let there = board.read_move("0,0 0,2").expect("a move");
    assert!(list.contains(&there));
    for text in ["0,0 0,2 0,0", "0,0 0,4", "0,2 0,0", "0,0 0,1", "0,0 1,1 2,2", "7,7 7,5", "0,0 0,0"] {
        let m = board.read_move(text).expect("written like a move");
        assert!(!list.contains(&m), "{text}");
    }
    for text in ["", "0,0", "0,8 0,0", "0 0 0 2", "Grow", "0,0 0,2 x", "0,0,0 0,2", "+0,0 0,2", "99,0 0,0"] {
        assert_eq!(board.read_move(text), None, "{text}");
    }
}

/// When the actions run out, the player with more frogs on the far row wins.
#[test]
fn the_last_action_is_the_150th() {
    let mut board = Board::START;
    for action in 0..150 {
        assert!(!board.is_over(), "{action}");
        assert_eq!(perft(&board, 1, Ended::Dropped), board.count_moves() as u64);
        board.play(board.read_move("grow").expect("a move"));
    }
    assert_eq!((board.is_over(), board.count_moves(), board.payoff(Player::FIRST).0), (true, 0, 0));
}

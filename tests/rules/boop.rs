//! Tests the rules of boop.

use bots::boop::heuristic::uncut;
use bots::boop::promotion::choose;
use bots::boop::side::bit;
use bots::boop::tools::solver::{best, Masked};
use bots::boop::turn::Group;
use bots::boop::{Board, Side, Turn};
use contest::laws::cases;
use coppice::{perft, Ended, Game, Player, Rng};

use super::assert_perft;

/// Positions with their perft counts for one, two and three turns.
const POSITIONS: [(&str, [u64; 3]); 6] = [
    ("....../.rr.r./b...../b.rr../.....b/...b.. b 4 0 3 0", [27, 769, 22784]),
    ("..R..b/..Bb.r/....r./.R..B./...b../.r...r b 2 1 1 1", [50, 2506, 101579]),
    ("R.B.../....B./r.b.../...R.b/..r.../....r. b 3 1 2 1", [54, 2856, 119761]),
    ("...r../.R..../....b./..R.../...b.r/Br.R.B b 0 4 1 1", [26, 1330, 33981]),
    ("....../r.Br.r/....B./.BB.rr/r.r..b/.B...B b 0 1 1 0", [134, 12376, 1290764]),
    ("..B.Br/....../R...RB/.R..../BRBR.R/..b... r 0 2 0 1", [128, 2927, 228590]),
];

#[test]
fn perft_of_boop() {
    assert_perft(&Board::START, &[36, 1260, 42900]);
    for (text, counts) in POSITIONS {
        let board: Board = text.parse().expect("a position");
        assert_perft(&board, &counts);
        assert_eq!(perft(&board, 0, Ended::Dropped), 1);
    }
}

#[test]
fn positions_are_parsed_or_rejected() {
    for (text, error) in [
        ("", "expected six rows, b or r, and four numbers"),
        ("....../....../....../....../...... b 8 0 8 0", "expected six rows of six cells"),
        ("....../....../....../....../....../..x... b 8 0 8 0", "expected only b, B, r, R and ."),
        ("....../....../....../....../....../...... x 8 0 8 0", "expected b or r for the side to move"),
        ("....../....../....../....../....../...... b 8 0 8", "expected four numbers"),
        ("....../....../....../....../....../...... b 8 0 8 -1", "expected four numbers"),
        (
            "....../....../....../....../....../...... b 8 0 8 0 400",
            "400: expected the number of turns played, 0 to 399",
        ),
        ("....../....../....../....../....../b..... b 8 0 8 0", "Blue owns 9 pieces, 1 of them on the board"),
        ("rrrr../rrrr../....../....../....../...... b 8 0 0 0", "Red owns 8 pieces, 8 of them on the board"),
        ("....../....../....../....../....../...... b 4294967295 9 8 0", "Blue owns 4294967304 pieces"),
    ] {
        let found = text.parse::<Board>().expect_err(text).to_string();
        assert!(found.contains(error), "{found}");
    }
}

type Cell = (i32, i32);

const AROUND: [Cell; 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

fn is_on_board((row, column): Cell) -> bool {
    (0..6).contains(&row) && (0..6).contains(&column)
}

fn step((row, column): Cell, by: Cell, n: i32) -> Cell {
    (row + n * by.0, column + n * by.1)
}

fn is_on_border((row, column): Cell) -> bool {
    [0, 5].contains(&row) || [0, 5].contains(&column)
}

fn cells() -> impl Iterator<Item = Cell> {
    (0..36).map(|i| (i / 6, i % 6))
}

/// A slow, literal implementation of the rules on a plain grid.
#[derive(Clone, Debug, PartialEq)]
struct Slow {
    /// A piece: its owner, 0 or 1, and whether it is large.
    grid: [[Option<(usize, bool)>; 6]; 6],
    /// Small and large pieces in each pool.
    pools: [[u32; 2]; 2],
    to_move: usize,
    winner: Option<usize>,
}

impl Slow {
    fn at(&self, (row, column): Cell) -> Option<(usize, bool)> {
        if !is_on_board((row, column)) {
            return None;
        }
        self.grid[row as usize][column as usize]
    }

    fn set(&mut self, (row, column): Cell, piece: Option<(usize, bool)>) {
        self.grid[row as usize][column as usize] = piece;
    }

    /// Whether three of the mover's pieces lie in a line from `cell`.
    fn three(&self, cell: Cell, by: Cell, is_wanted: impl Fn(bool) -> bool) -> bool {
        (0..3).all(|n| {
            self.at(step(cell, by, n)).is_some_and(|(owner, large)| owner == self.to_move && is_wanted(large))
        })
    }

    fn place(&mut self, is_large: bool, cell: Cell) {
        let me = self.to_move;
        self.pools[me][usize::from(is_large)] -= 1;
        self.set(cell, Some((me, is_large)));
        let before = self.clone();
        for by in AROUND {
            let (from, to) = (step(cell, by, 1), step(cell, by, 2));
            let Some((owner, large)) = before.at(from) else { continue };
            if large && !is_large || before.at(to).is_some() {
                continue;
            }
            self.set(from, None);
            if is_on_board(to) {
                self.set(to, Some((owner, large)));
            } else {
                self.pools[owner][usize::from(large)] += 1;
            }
        }
        let larges = cells().filter(|&cell| self.at(cell) == Some((me, true))).count();
        let in_line = cells().any(|cell| AROUND.iter().any(|&by| self.three(cell, by, |large| large)));
        self.winner = (in_line || larges == 8).then_some(me);
    }

    fn groups(&self) -> Vec<Vec<Cell>> {
        let mut groups = Vec::new();
        if self.winner.is_some() {
            return groups;
        }
        let own = |cell: &Cell| self.at(*cell).is_some_and(|(owner, _)| owner == self.to_move);
        if self.pools[self.to_move] == [0, 0] {
            groups.extend(cells().filter(own).map(|cell| vec![cell]));
        }
        for by in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let starts = cells().filter(|&cell| self.three(cell, by, |_| true));
            groups.extend(starts.map(|cell| (0..3).map(|n| step(cell, by, n)).collect::<Vec<_>>()));
        }
        groups
    }

    fn promote(&mut self, group: &[Cell]) {
        for &cell in group {
            self.set(cell, None);
            self.pools[self.to_move][1] += 1;
        }
        self.to_move = 1 - self.to_move;
    }

    /// All turns with the resulting positions.
    fn turns(&self) -> Vec<(Turn, Slow)> {
        let mut turns = Vec::new();
        for (is_large, cell) in
            [false, true].into_iter().flat_map(|is_large| cells().map(move |cell| (is_large, cell)))
        {
            if self.winner.is_some()
                || self.at(cell).is_some()
                || self.pools[self.to_move][usize::from(is_large)] == 0
            {
                continue;
            }
            let mut placed = self.clone();
            placed.place(is_large, cell);
            let mut groups = placed.groups();
            if groups.is_empty() {
                groups.push(Vec::new());
            }
            for group in groups {
                let mut next = placed.clone();
                next.promote(&group);
                let promoted = Group::of(mask(&group)).expect("a group");
                turns.push((Turn::new(is_large, number(cell), promoted), next));
            }
        }
        turns
    }

    /// The heuristic of the paper's program for `me`, who has just moved.
    fn heuristic(&self, me: usize) -> i32 {
        let has_large = |player: usize| self.pools[player][1] > 0;
        let mut sum = 0;
        for (player, sign) in [(me, 1), (1 - me, -1)] {
            let pieces = cells().filter_map(|cell| {
                self.at(cell).filter(|piece| piece.0 == player).map(|piece| (cell, piece.1))
            });
            sum += sign * 25 * self.pools[player][1] as i32;
            for (cell, large) in pieces {
                let is_central = [2, 3].contains(&cell.0) && [2, 3].contains(&cell.1);
                let place = i32::from(is_central) - i32::from(is_on_border(cell));
                sum += sign * if large { 25 + 9 + 3 * place } else { 3 + place };
            }
        }
        for by in [(0, 1), (1, 0), (1, 1), (-1, 1)] {
            for first in cells().filter(|&cell| !is_on_board(step(cell, by, -1))) {
                let mut cell = first;
                while is_on_board(cell) {
                    let (worth, skipped) = self.line(cell, by, me, has_large(me), has_large(1 - me));
                    sum += worth;
                    cell = step(cell, by, 1 + skipped);
                }
            }
        }
        sum
    }

    /// The value of the line from `cell`, and the number of further cells it takes.
    fn line(&self, cell: Cell, by: Cell, me: usize, own_large: bool, other_large: bool) -> (i32, i32) {
        let Some((owner, _)) = self.at(cell) else { return (0, 0) };
        let large = |n: i32| self.at(step(cell, by, n)).filter(|piece| piece.0 == owner).map(|piece| piece.1);
        let choose = |own: i32, enemy: i32| if owner == me { own } else { enemy };
        let on_border = is_on_border(cell) && is_on_border(step(cell, by, 1)) && (by.0 == 0 || by.1 == 0);
        let free = if on_border && other_large && owner == me {
            0
        } else {
            choose(if own_large { 60 } else { 20 }, if other_large { -300 } else { -40 })
        };
        let is_empty = |n: i32| is_on_board(step(cell, by, n)) && self.at(step(cell, by, n)).is_none();
        match (large(0), large(1), large(2)) {
            (Some(true), Some(true), Some(true)) => (choose(800, -800), 2),
            (Some(false), Some(false), Some(false)) => (choose(40, -44), 2),
            (Some(first), Some(true), Some(third)) if first && is_empty(-1) || third && is_empty(3) => {
                (free, 2)
            }
            (Some(first), Some(second), Some(third)) => {
                let small = [first, second, third].iter().filter(|&&large| !large).count() as i32;
                (small * choose(7, -11), 2)
            }
            (Some(first), Some(second), None) => {
                let corner = !is_on_board(step(cell, by, -1))
                    && !is_on_board(step(cell, by, 2))
                    && by.0 != 0
                    && by.1 != 0;
                let is_closed = |n: i32| {
                    let end = step(cell, by, n);
                    !is_on_board(end) || self.at(end).is_some_and(|piece| piece.0 != owner)
                };
                let is_blocked = is_closed(-1) && is_closed(2);
                let worth = match (first && second, first || second) {
                    (true, _) if corner => choose(-5, 10),
                    (true, _) if is_blocked => choose(-5, 0),
                    (true, _) => free,
                    _ if corner => choose(-1, 5),
                    _ if is_blocked => choose(-1, 0),
                    (_, false) => choose(if on_border { 0 } else { 15 }, -22),
                    (_, true) => choose(if on_border { 0 } else { 7 }, -11),
                };
                (worth, 1)
            }
            _ => (0, 0),
        }
    }

    /// The promotion rule's value of a group.
    fn promotion(&self, group: &[Cell]) -> i32 {
        let is_small = |cell: &Cell| self.at(*cell).is_some_and(|piece| !piece.1);
        let on_border = group.iter().filter(|&&cell| is_on_border(cell)).count();
        if group.len() == 3 {
            return match group.iter().filter(|cell| is_small(cell)).count() as i32 {
                3 if on_border == 3 => 13,
                3 if on_border > 0 => 4,
                small => small,
            };
        }
        let cell = group[0];
        if !is_small(&cell) {
            return 0;
        }
        let owner = |cell: Cell| self.at(cell).map(|piece| piece.0);
        let is_central = [2, 3].contains(&cell.0) && [2, 3].contains(&cell.1);
        let has_friend = AROUND.iter().any(|&by| owner(step(cell, by, 1)) == Some(self.to_move));
        let blocks =
            AROUND.iter().any(|&by| (1..3).all(|n| owner(step(cell, by, n)) == Some(1 - self.to_move)));
        5 + 2 * on_border as i32
            - 2 * i32::from(is_central)
            - 3 * i32::from(has_friend)
            - 10 * i32::from(blocks)
    }
}

fn number((row, column): Cell) -> u32 {
    bit(row as u32, column as u32)
}

fn mask(group: &[Cell]) -> u64 {
    group.iter().map(|&cell| 1 << number(cell)).sum()
}

/// Converts a board to the plain grid.
fn slow(board: &Board) -> Slow {
    let me = board.to_move().index();
    let mut slow = plain(board.own(), board.other(), me);
    if board.is_over() {
        slow.winner = (board.payoff(board.to_move()).0 < 0).then_some(1 - me);
    }
    slow
}

fn plain(own: &Side, other: &Side, me: usize) -> Slow {
    let mut slow = Slow { grid: [[None; 6]; 6], pools: [[0; 2]; 2], to_move: me, winner: None };
    for (player, side) in [(me, own), (1 - me, other)] {
        for cell in cells() {
            for (set, large) in [(side.small, false), (side.large, true)] {
                if set >> number(cell) & 1 == 1 {
                    assert_eq!(slow.at(cell), None);
                    slow.set(cell, Some((player, large)));
                }
            }
        }
        slow.pools[player] = [side.small_in_pool(), side.large_in_pool()];
    }
    slow
}

/// Calls `look` with positions of random games, some of which start from the positions above.
fn each_position(games: u64, mut look: impl FnMut(&Board)) {
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut board = match POSITIONS.get(seed as usize) {
            Some((text, _)) => text.parse().expect("a position"),
            None => Board::START,
        };
        look(&board);
        while let Some(turn) = board.random_move(&mut rng) {
            board.play(turn);
            look(&board);
        }
    }
}

#[test]
fn games_match_the_reference_rules() {
    let (mut won, mut promoted) = (0, 0);
    each_position(cases(50), |board| {
        let expected = slow(board);
        let mut turns = expected.turns();
        turns.sort_by_key(|(turn, _)| *turn);
        let mut list = <Board as Game>::Moves::default();
        board.moves(&mut list);
        list.sort();
        assert_eq!(*list, *turns.iter().map(|(turn, _)| *turn).collect::<Vec<_>>(), "{board:?}");
        for (turn, next) in turns {
            assert_eq!(slow(&board.after(turn)), next, "{turn:?} in {board:?}");
            won += u32::from(next.winner.is_some());
            promoted += u32::from(turn.group() != Group::NONE);
        }
    });
    assert!(won > 100 && promoted > 1000, "{won} {promoted}");
}

#[test]
fn a_game_at_the_turn_limit_is_a_draw() {
    let mut board: Board =
        "....../....../....../....../....../...... b 8 0 8 0 398".parse().expect("a position");
    for cell in [(0, 0), (5, 5)] {
        assert!(!board.is_over());
        board.play(Turn::new(false, number(cell), Group::NONE));
    }
    assert_eq!((board.is_over(), board.count_moves(), board.ply()), (true, 0, 400));
    assert_eq!((board.payoff(Player::FIRST).0, board.payoff(Player::SECOND).0), (0, 0));
    // A win in the last turn counts as a win.
    let last = "BB..../....../....../....../....../r..... b 5 1 7 0 399";
    let mut board: Board = last.parse().expect("a position");
    board.play(Turn::new(true, number((0, 2)), Group::NONE));
    assert_eq!((board.is_over(), board.payoff(Player::FIRST).0), (true, 1), "no room to be pushed to");
}

#[test]
fn the_heuristic_matches_the_reference() {
    let mut worths = std::collections::HashSet::new();
    each_position(100, |board| {
        let plain = slow(board);
        let me = board.to_move().index();
        for (player, own, other) in [(me, board.own(), board.other()), (1 - me, board.other(), board.own())] {
            let worth = uncut(own, other);
            assert_eq!(worth, plain.heuristic(player), "to player {player} in {board:?}");
            worths.insert(worth);
        }
    });
    assert!(worths.len() > 200, "{} different values", worths.len());
}

#[test]
fn promotions_match_the_rule() {
    let mut rng = Rng::new(1);
    let (mut singles, mut triples) = (0, 0);
    each_position(cases(80), |board| {
        if board.is_over() {
            return;
        }
        board.each_placing(|is_large, cell| {
            let placed = board.placed(is_large, cell);
            let mut plain = plain(&placed.own, &placed.other, board.to_move().index());
            plain.winner = placed.own.has_won().then_some(plain.to_move);
            let chosen = choose(&placed, &mut rng).cells();
            let groups = plain.groups();
            let most = groups.iter().map(|group| plain.promotion(group)).max();
            let found = groups.iter().find(|group| mask(group) == chosen).map(|group| plain.promotion(group));
            assert_eq!(found, most, "{board:?}");
            assert_eq!(groups.is_empty(), chosen == 0);
            singles += u32::from(chosen.count_ones() == 1);
            triples += u32::from(chosen.count_ones() == 3);
        });
    });
    assert!(singles > 100 && triples > 1000, "{singles} singles, {triples} triples");
}

#[test]
fn the_second_stage_leaves_no_win_where_it_can() {
    let loses = |board: &Board, turn: Turn| {
        let next = board.after(turn);
        let mut replies = <Board as Game>::Moves::default();
        next.moves(&mut replies);
        replies.iter().any(|&reply| next.after(reply).payoff(next.to_move()).0 > 0)
    };
    let mut rng = Rng::new(1);
    let (mut saved, mut lost) = (0, 0);
    each_position(40, |board| {
        let Some(first) = best(board, Masked::default(), 1, &mut rng) else { return };
        if board.is_over() {
            return;
        }
        let second = best(board, Masked::default(), 2, &mut rng).expect("a turn, as with one stage");
        if loses(board, second) {
            let mut turns = <Board as Game>::Moves::default();
            board.moves(&mut turns);
            board.each_placing(|is_large, cell| {
                let mut there =
                    turns.iter().filter(|turn| (turn.is_large(), turn.cell()) == (is_large, cell));
                assert!(there.any(|&turn| loses(board, turn)), "{cell} was safe in {board:?}");
            });
            lost += 1;
        }
        saved += u32::from(loses(board, first) && !loses(board, second));
    });
    assert!(saved > 20 && lost > 5, "{saved} saved, {lost} lost");
}

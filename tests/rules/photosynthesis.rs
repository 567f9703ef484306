//! Tests the rules of Photosynthesis against a slow version of them, and counts sequences of turns.

use std::collections::{BTreeMap, BTreeSet};

use bots::photosynthesis::cell::{Cell, COUNT};
use bots::photosynthesis::protocol::{legal, write_answer};
use bots::photosynthesis::tools::map;
use bots::photosynthesis::{Action, Board};
use contest::laws::cases;
use contest::perft::GamePerft;
use contest::perft::Perft;
use coppice::{Choices, Ended, Joint, Player, Rng};

/// Directions as steps in x and z of cube coordinates, in the platform's order.
const DIRECTIONS: [(i32, i32); 6] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];

/// A cell's x and z.
type Place = (i32, i32);

fn distance(a: Place, b: Place) -> i32 {
    let (dx, dz) = (a.0 - b.0, a.1 - b.1);
    dx.abs().max(dz.abs()).max((dx + dz).abs())
}

#[derive(Debug, Clone, Copy)]
struct Tree {
    size: i32,
    owner: usize,
    is_dormant: bool,
}

/// A slow, literal implementation of the rules, cell by cell and tree by tree.
struct Slow {
    cells: BTreeMap<usize, (Place, i32)>,
    trees: BTreeMap<usize, Tree>,
    sun: [i32; 2],
    score: [i32; 2],
    nutrients: i32,
    day: i32,
    asleep: [bool; 2],
}

impl Slow {
    fn of(board: &Board) -> Slow {
        let richness = |(x, z): Place| [3, 3, 2, 1][distance((x, z), (0, 0)) as usize];
        let all = (0..COUNT).filter_map(Cell::new);
        let soil = |cell: Cell| if board.holes() & cell.set() != 0 { 0 } else { richness(cell.place()) };
        let cells = all.clone().map(|cell| (cell.index(), (cell.place(), soil(cell)))).collect();
        let trees = all.filter_map(|cell| {
            let (_, owner) = board.tree(cell)?;
            Some((cell.index(), Tree { size: 1, owner: owner.index(), is_dormant: false }))
        });
        let trees = trees.collect();
        let mut slow =
            Slow { cells, trees, sun: [0; 2], score: [0; 2], nutrients: 20, day: 0, asleep: [false; 2] };
        slow.begin_day();
        slow
    }

    fn begin_day(&mut self) {
        self.asleep = [false; 2];
        self.trees.values_mut().for_each(|tree| tree.is_dormant = false);
        let (dx, dz) = DIRECTIONS[self.day as usize % 6];
        let shadow = |(x, z): Place| {
            let shades = |tree: &(&usize, &Tree)| {
                let (at, _) = self.cells[tree.0];
                (1..=tree.1.size).any(|steps| (at.0 + steps * dx, at.1 + steps * dz) == (x, z))
            };
            self.trees.iter().filter(shades).map(|(_, tree)| tree.size).max().unwrap_or(0)
        };
        let mut given = [0; 2];
        for (index, tree) in &self.trees {
            if shadow(self.cells[index].0) < tree.size {
                given[tree.owner] += tree.size;
            }
        }
        (0..2).for_each(|i| self.sun[i] += given[i]);
    }

    fn count(&self, player: usize, size: i32) -> i32 {
        self.trees.values().filter(|tree| tree.owner == player && tree.size == size).count() as i32
    }

    /// The answers that are legal.
    fn legal(&self, player: usize) -> BTreeSet<String> {
        let mut legal = BTreeSet::new();
        if self.day == 24 || self.asleep[player] {
            return legal;
        }
        legal.insert("WAIT".to_owned());
        for (index, tree) in self.trees.iter().filter(|(_, tree)| tree.owner == player && !tree.is_dormant) {
            let sun = self.sun[player];
            if tree.size == 3 && sun >= 4 {
                legal.insert(format!("COMPLETE {index}"));
            }
            if tree.size < 3 && sun >= [1, 3, 7][tree.size as usize] + self.count(player, tree.size + 1) {
                legal.insert(format!("GROW {index}"));
            }
            for (target, &(place, richness)) in &self.cells {
                let is_near = distance(self.cells[index].0, place) <= tree.size;
                if is_near && richness > 0 && !self.trees.contains_key(target) && sun >= self.count(player, 0)
                {
                    legal.insert(format!("SEED {index} {target}"));
                }
            }
        }
        legal
    }

    fn play(&mut self, answers: [Option<String>; 2]) {
        let words: Vec<Vec<&str>> =
            answers.iter().map(|answer| answer.iter().flat_map(|text| text.split(' ')).collect()).collect();
        let index = |word: &str| word.parse::<usize>().expect("an index");
        let clash = words.iter().all(|words| words.first() == Some(&"SEED")) && words[0][2] == words[1][2];
        let (mut planted, mut completed) = (Vec::new(), Vec::new());
        let mut sun = self.sun;
        for (player, words) in words.iter().enumerate() {
            match words[..] {
                ["WAIT"] => self.asleep[player] = true,
                ["GROW", at] => {
                    let size = self.trees[&index(at)].size;
                    sun[player] -= [1, 3, 7][size as usize] + self.count(player, size + 1);
                    let tree = self.trees.get_mut(&index(at)).expect("a tree");
                    (tree.size, tree.is_dormant) = (size + 1, true);
                }
                ["SEED", from, to] => {
                    sun[player] -= self.count(player, 0);
                    self.trees.get_mut(&index(from)).expect("a tree").is_dormant = true;
                    planted.push((index(to), player));
                }
                ["COMPLETE", at] => {
                    sun[player] -= 4;
                    completed.push((index(at), player));
                }
                _ => assert!(words.is_empty(), "{words:?}"),
            }
        }
        if !clash {
            self.sun = sun;
            for (at, owner) in planted {
                self.trees.insert(at, Tree { size: 0, owner, is_dormant: true });
            }
        }
        for &(at, player) in &completed {
            self.score[player] += self.nutrients + [0, 0, 2, 4][self.cells[&at].1 as usize];
            self.trees.remove(&at);
        }
        self.nutrients = (self.nutrients - completed.len() as i32).max(0);
        if self.asleep == [true; 2] {
            self.day += 1;
            if self.day < 24 {
                self.begin_day();
            }
        }
    }

    fn points(&self) -> [i32; 2] {
        let mut points = [0, 1].map(|i| self.score[i] + self.sun[i] / 3);
        if points[0] == points[1] {
            (0..2).for_each(|i| points[i] += (0..4).map(|size| self.count(i, size)).sum::<i32>());
        }
        points
    }
}

/// Random actions, with `WAIT` only one time in eight, so that days are long.
fn draw(board: &Board, player: Player, rng: &mut Rng) -> Option<Action> {
    let list = legal(board, player);
    match list.len() {
        0 => None,
        1 => Some(Action::Wait),
        _ if rng.below(8) == 0 => Some(Action::Wait),
        count => Some(list[1 + rng.below(count as u32 - 1) as usize]),
    }
}

#[test]
fn games_match_the_reference_rules() {
    let mut rng = Rng::new(3);
    let (mut clashes, mut completions) = (0, 0);
    for seed in 0..cases(150) {
        let mut board = map::start(seed);
        let mut slow = Slow::of(&board);
        while !board.is_over() {
            let players = [Player::FIRST, Player::SECOND];
            for player in players {
                let listed: Vec<String> = legal(&board, player).into_iter().map(write_answer).collect();
                let unique: BTreeSet<String> = listed.iter().cloned().collect();
                assert_eq!((listed.len(), &unique), (unique.len(), &slow.legal(player.index())), "{board}");
            }
            let actions = players.map(|player| draw(&board, player, &mut rng));
            match actions {
                [Some(Action::Seed(_, a)), Some(Action::Seed(_, b))] if a == b => clashes += 1,
                _ => completions += actions.iter().filter(|a| matches!(a, Some(Action::Complete(_)))).count(),
            }
            let mut choices = Choices::NONE;
            for (player, action) in players.into_iter().zip(actions) {
                action.into_iter().for_each(|action| choices.set(player, action));
            }
            board.play(&choices);
            slow.play(actions.map(|action| action.map(write_answer)));
            let numbers = |i| {
                (board.sun(players[i]).into(), board.score(players[i]).into(), board.is_asleep(players[i]))
            };
            assert_eq!(
                [0, 1].map(numbers),
                [0, 1].map(|i| (slow.sun[i], slow.score[i], slow.asleep[i])),
                "{board}"
            );
            assert_eq!((i32::from(board.day()), i32::from(board.nutrients())), (slow.day, slow.nutrients));
            for cell in (0..COUNT).filter_map(Cell::new) {
                let tree = board.tree(cell).map(|(size, owner)| (size as i32, owner.index()));
                let theirs = slow.trees.get(&cell.index());
                assert_eq!(tree, theirs.map(|tree| (tree.size, tree.owner)), "{cell} in {board}");
                let is_dormant = board.dormant() & cell.set() != 0;
                assert_eq!(is_dormant, theirs.is_some_and(|tree| tree.is_dormant), "{cell} in {board}");
            }
        }
        assert_eq!(board.points(), slow.points(), "{board}");
    }
    assert!(clashes > cases(10) && completions > cases(100), "{clashes} clashes, {completions} completions");
}

/// Every listed action is legal, and none of the others.
#[test]
fn legal_actions_are_exactly_the_listed_ones() {
    let mut rng = Rng::new(4);
    for seed in 0..10 {
        let mut board = map::start(seed);
        while !board.is_over() {
            let all: Vec<Cell> = (0..COUNT).filter_map(Cell::new).collect();
            for player in [Player::FIRST, Player::SECOND] {
                let list = legal(&board, player);
                let single = all.iter().flat_map(|&cell| [Action::Grow(cell), Action::Complete(cell)]);
                let seeds = all.iter().flat_map(|&from| all.iter().map(move |&to| Action::Seed(from, to)));
                for action in single.chain(seeds).chain([Action::Wait]) {
                    assert_eq!(
                        board.is_legal(player, action),
                        list.contains(&action),
                        "{action:?} in {board}"
                    );
                }
            }
            board.turn([Player::FIRST, Player::SECOND].map(|player| draw(&board, player, &mut rng)));
        }
    }
}

/// Counts of sequences of turns, from the maps of seeds that recorded games have.
#[test]
fn perft() {
    for (seed, counts) in [(1, [81, 1801]), (2, [49, 705]), (11, [36, 259])] {
        let perft = GamePerft { start: map::start(seed), ended: Ended::Dropped };
        let found = [1, 2].map(|depth| perft.count(depth));
        assert_eq!(found, counts, "seed {seed}");
        assert_eq!(found[1], slow_count(&map::start(seed)), "seed {seed}");
    }
}

/// The number of sequences of two turns by the slow rules.
fn slow_count(start: &Board) -> u64 {
    let first = Slow::of(start);
    let mut count = 0;
    for one in first.legal(0) {
        for other in first.legal(1) {
            let mut next = Slow::of(start);
            next.play([Some(one.clone()), Some(other)]);
            let counts = [0, 1].map(|player| next.legal(player).len().max(1) as u64);
            count += counts[0] * counts[1];
        }
    }
    count
}

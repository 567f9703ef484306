//! Tests the rules, the protocol and the areas.

use contest::drawing::{Paint, Shape};
use contest::laws::{cases, check_lines, check_rules};
use contest::lines::{LineGame, LineProtocol, LineReferee};
use contest::notation::{self, Notation};
use contest::{Contest, FaultKind, Limits, Referee, Setup};
use coppice::input::Input;
use coppice::{perft, Ended, Game, Player, Rng};
use std::time::Duration;

use super::area::{best_chain, longest_path, Areas, Chamber};
use super::board::{Board, Move};
use super::field::{colour, Cell, Direction, Field, CELLS};
use super::tools::contest::TRON;

fn cell(x: i32, y: i32) -> Cell {
    Cell::at(x, y).expect("a cell of the field")
}

fn setup(seed: u64, opening_plies: u32) -> Setup {
    let limits = Limits { first: Duration::from_secs(1), later: Duration::from_millis(100) };
    Setup { seed, opening_plies, limits }
}

fn game<const N: usize>(seed: u64, opening_plies: u32) -> LineReferee<Board<N>> {
    LineReferee::new(Board::start(), LineProtocol, setup(seed, opening_plies))
}

/// The position after moves as in records.
fn after<const N: usize>(moves: &str) -> Board<N> {
    moves.split_whitespace().fold(Board::start(), |mut board, text| {
        board.play(notation::read(&board, board.to_move(), text).expect("a legal move"));
        board
    })
}

#[test]
fn two_play_by_the_laws() {
    check_lines::<Board<2>>();
}

#[test]
fn three_play_by_the_laws() {
    check_lines::<Board<3>>();
}

#[test]
fn four_play_by_the_laws() {
    check_lines::<Board<4>>();
    // With trails that are gone, and players who aren't in.
    check_rules(&after::<4>("UP OUT DOWN UP RIGHT OUT LEFT"));
}

/// A slow version: a word for each cell, and a list of the players who are in.
struct Slow {
    owner: Vec<Option<usize>>,
    heads: Vec<(i32, i32)>,
    alive: Vec<usize>,
    out: Vec<usize>,
    mover: usize,
}

impl Slow {
    fn new<const N: usize>(board: &Board<N>) -> Slow {
        let heads = board.players().map(|player| board.head(player));
        let heads: Vec<_> = heads.map(|cell| (cell.x() as i32, cell.y() as i32)).collect();
        let owner = (0..CELLS as i32).map(|i| heads.iter().position(|&at| at == (i % 30, i / 30)));
        Slow { owner: owner.collect(), alive: (0..N).collect(), out: Vec::new(), mover: 0, heads }
    }

    fn go(&mut self, word: &str) {
        let (x, y) = self.heads[self.mover];
        let (x, y) = match word {
            "UP" => (x, y - 1),
            "DOWN" => (x, y + 1),
            "LEFT" => (x - 1, y),
            _ => (x + 1, y),
        };
        let is_inside = (0..30).contains(&x) && (0..20).contains(&y);
        if is_inside && self.owner[(y * 30 + x) as usize].is_none() {
            self.owner[(y * 30 + x) as usize] = Some(self.mover);
            self.heads[self.mover] = (x, y);
        } else {
            let mover = self.mover;
            self.owner.iter_mut().filter(|owner| **owner == Some(mover)).for_each(|owner| *owner = None);
            self.alive.retain(|&player| player != mover);
            self.out.push(mover);
        }
        let next = self.alive.iter().find(|&&player| player > self.mover).or(self.alive.first());
        self.mover = *next.expect("one is left");
    }
}

/// Random answers, crashes among them, by both versions of the rules.
fn agrees_with_the_slow_version<const N: usize>() {
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let mut game = game::<N>(seed, (seed % 2) as u32 * N as u32);
        let mut slow = Slow::new(game.game());
        while let [seat] = game.asked()[..] {
            assert_eq!(seat, slow.mover);
            let board = game.game();
            let safe = Direction::ALL.into_iter().filter(|&direction| board.is_free(direction));
            let mut words: Vec<_> = safe.map(Direction::word).collect();
            if words.is_empty() || rng.below(40) == 0 {
                words = Direction::ALL.map(Direction::word).to_vec();
            }
            let word = words[rng.below(words.len() as u32) as usize];
            game.answer(seat, word).expect("every direction is legal");
            slow.go(word);
            for (number, owner) in slow.owner.iter().enumerate() {
                let cell = Cell::new(number as u16);
                let found = game.game().players().find(|&player| game.game().trail(player).contains(cell));
                assert_eq!(found.map(Player::index), *owner, "{}", game.show());
            }
        }
        let place = |player| slow.out.iter().position(|&other| other == player).unwrap_or(N - 1) as i64;
        assert_eq!(game.scores(), (0..N).map(place).collect::<Vec<_>>());
        assert_eq!(slow.alive.len(), 1);
    }
}

#[test]
fn a_slow_version_of_the_rules_agrees() {
    agrees_with_the_slow_version::<2>();
    agrees_with_the_slow_version::<3>();
    agrees_with_the_slow_version::<4>();
}

#[test]
fn sequences_of_moves_are_counted() {
    fn counts<const N: usize>() -> [u64; 6] {
        [1, 2, 3, 4, 5, 6].map(|depth| perft(&Board::<N>::start(), depth, Ended::Dropped))
    }
    // Apart from each other, players have 4 moves and then 3 for each way in which they came.
    assert_eq!(counts::<2>(), [4, 16, 48, 144, 432, 1296]);
    assert_eq!(counts::<3>(), [4, 16, 64, 192, 576, 1728]);
    assert_eq!(counts::<4>(), [4, 16, 64, 256, 768, 2304]);
    // In a corner, where players are boxed in soon: counted by another program with sets of cells.
    fn in_a_corner<const N: usize>(starts: &str) -> Vec<u64> {
        let start = after::<N>(starts);
        (1..=9).map(|depth| perft(&start, depth, Ended::Dropped)).collect()
    }
    assert_eq!(in_a_corner::<2>("0,0 1,0"), [1, 2, 3, 6, 10, 24, 51, 120, 256]);
    assert_eq!(in_a_corner::<3>("0,0 1,0 0,1"), [1, 3, 7, 12, 14, 24, 51, 120, 256]);
    assert_eq!(in_a_corner::<4>("0,0 1,0 0,1 2,0"), [1, 2, 4, 8, 10, 16, 34, 68, 155]);
}

#[test]
fn a_trail_goes_with_its_player() {
    let mut game = game::<3>(1, 0);
    for (seat, word) in [(0, "RIGHT"), (1, "LEFT"), (2, "UP"), (0, "LEFT")] {
        game.answer(seat, word).expect("legal");
    }
    // Player 0 met its own trail.
    assert_eq!(game.turn(1), "3 1\n-1 -1 -1 -1\n22 4 21 4\n15 15 15 14\n");
    assert_eq!((game.asked(), game.game().trail(Player::new(0)).count()), (vec![1], 0));
    game.forfeit(1);
    assert_eq!((game.asked(), game.scores()), (vec![], vec![0, 1, 2]));
    assert_eq!(game.moves(), "RIGHT LEFT UP OUT OUT");
    assert!(game.show().ends_with("0 is out, place 3; 1 is out, place 2; 2 has won"), "{}", game.show());
}

#[test]
fn openings_are_starts() {
    let opened = game::<4>(5, 100);
    assert_eq!(opened.moves().split_whitespace().count(), 4);
    let board = opened.game();
    assert_eq!((board.plies(), board.to_move()), (0, Player::FIRST));
    assert_eq!(board.free().count(), 596);
    let moves = opened.moves();
    let given = after::<4>(&moves);
    assert_eq!(given, *board);
    // After the first move starts are given no more.
    assert!(notation::read(&after::<2>("UP"), Player::SECOND, "3,4").is_err());
    assert!(notation::read(&after::<2>("3,4"), Player::SECOND, "3,4").is_err(), "a taken cell");
}

#[test]
fn answers_are_told_apart() {
    let game = game::<2>(1, 0);
    for word in ["up", "UP ", " UP", "UP LEFT", "", "OUT", "3 4", "NORTH"] {
        assert_eq!(game.check(0, word).expect_err(word).kind, FaultKind::Protocol, "{word}");
    }
    assert_eq!(game.check(1, "UP").expect_err("not its turn").kind, FaultKind::Illegal);
    assert_eq!(game.move_of(0, "UP"), Ok("UP".to_owned()));
}

#[test]
fn variants_are_read_or_refused() {
    for (words, name, seats) in [("2", "tron", 2), ("3", "tron:3", 3), ("4", "tron:4", 4)] {
        let contest = TRON.variant(words).expect(words);
        assert_eq!((contest.name(), contest.seats()), (name, seats));
        // The first turn names the variant and the starts.
        for plies in [0, seats as u32 - 1, seats as u32] {
            let game = contest.new_game(setup(3, plies));
            let opening = game.moves();
            let mut game = contest.new_game(setup(3, plies));
            while game.asked() != [0] {
                let seat = game.asked()[0];
                game.answer(seat, &game.legal_moves(seat)[0]).expect("legal");
            }
            let text = game.turn(0);
            for asked in [&TRON, &*contest] as [&dyn Contest; 2] {
                let recorded = asked.recorded(&[text.lines().collect()]).expect("a contest");
                assert_eq!((recorded.name(), recorded.seats()), (name, seats));
                assert_eq!(recorded.new_game(setup(9, 0)).moves(), opening, "{plies} plies");
            }
            let other = TRON.variant(if seats == 4 { "3" } else { "4" }).expect("a variant");
            assert!(
                other.recorded(&[text.lines().collect()]).is_none(),
                "{words} isn't a game of {}",
                other.name()
            );
        }
    }
    for lines in [&[][..], &["5 0"], &["2 0", "1 1 1 1"], &["2 0", "1 1 1 1", "1 1 1 1"], &["2 0", "a", "b"]]
    {
        assert!(TRON.recorded(&[lines.to_vec()]).is_none(), "{lines:?}");
    }
    for words in ["1", "5", "", "two", "2,2"] {
        let said = TRON.variant(words).err().expect("an error").to_string();
        assert_eq!(said, format!("expected 2, 3 or 4 players, found \"{words}\""));
    }
}

#[test]
fn what_is_wrong_with_a_turn_is_named() {
    let read = |board: &mut Board<3>, text: &str| {
        let mut input = Input::new(text.as_bytes());
        board.read_turn(Player::FIRST, &mut input).map_err(|error| error.to_string())
    };
    let line = "X0 Y0 X1 Y1, columns 0 to 29 and rows 0 to 19, or -1 -1 -1 -1";
    let first = [
        ("5 0\n", "input line 1: expected N P with 2 to 4 players, found \"5 0\"".to_owned()),
        (
            "2 0\n",
            "input line 1: expected N P with 3 players, as many as on the first turn, found".to_owned(),
        ),
        ("3 3\n", "input line 1: expected N P, the bot's own number from 0 to 2, found \"3 3\"".to_owned()),
        ("3\n", "input line 1: expected the bot's own number, as word 2, found \"3\"".to_owned()),
        ("x 0\n", "input line 1: expected the number of players, 2 to 4, as word 1, found".to_owned()),
        ("3 0\n30 0 30 0\n", format!("input line 2: expected {line}, found \"30 0 30 0\"")),
        ("3 0\n3 0 3 -1\n", format!("input line 2: expected {line}, found \"3 0 3 -1\"")),
        ("3 0\n3 0 3\n", format!("input line 2: expected {line}, found \"3 0 3\"")),
        ("3 0\n-1 -1 -1 -1\n", "input line 2: expected the bot's own cells".to_owned()),
        ("3 0\n3 0 5 0\n", "input line 2: expected a first turn".to_owned()),
        ("3 0\n3 0 3 0\n3 0 3 0\n1 1 1 1\n", "input line 4: expected the cells of cycles".to_owned()),
        ("3 0\n3 0 3 1\n8 0 8 0\n1 1 1 1\n", "input line 4: expected the cells of cycles".to_owned()),
        ("3 0\n3 0 3 0\n8 0", "the input ended".to_owned()),
    ];
    for (text, expected) in first {
        let said = read(&mut Board::start(), text).expect_err(text);
        assert!(said.starts_with(&expected), "{said}");
    }
    let mut known = Board::start();
    read(&mut known, "3 0\n3 0 3 0\n8 0 8 0\n1 1 1 1\n").expect("a first turn");
    known.play(Move::Go(Direction::Right));
    for (text, expected) in [
        ("3 0\n3 0 4 0\n8 0 8 2\n1 1 1 2\n", "input line 3: expected the cell of a cycle one step from"),
        ("3 0\n3 0 4 0\n8 0 8 0\n1 1 1 2\n", "input line 3: expected the cell of a cycle one step from"),
    ] {
        let said = read(&mut known.clone(), text).expect_err(text);
        assert!(said.starts_with(expected), "{said}");
    }
    // The referee decides where the bot is.
    let mut elsewhere = known;
    read(&mut elsewhere, "3 0\n3 0 3 1\n8 0 8 1\n-1 -1 -1 -1\n").expect("a later turn");
    assert_eq!((elsewhere.head(Player::FIRST), elsewhere.alive()), (cell(3, 1), 2));
    assert!(!elsewhere.trail(Player::FIRST).contains(cell(4, 0)));
}

#[test]
fn areas_are_those_of_walking_there() {
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut board = Board::<3>::start();
        for _ in 0..rng.below(90) {
            board.random_move(&mut rng).into_iter().for_each(|m| board.play(m));
        }
        if board.is_over() {
            continue;
        }
        let areas = Areas::new(&board);
        // Steps of each player to each cell: after k steps of all, the first in turn is ahead.
        let walk = |player: Player| {
            let mut steps = vec![u32::MAX; CELLS];
            let mut front = vec![board.head(player)];
            for k in 1.. {
                let next = front.iter().flat_map(|at| Direction::ALL.into_iter().filter_map(|d| at.step(d)));
                let free = board.free();
                let mut next: Vec<Cell> = next.filter(|cell| free.contains(*cell)).collect();
                next.retain(|cell| steps[usize::from(cell.number())] == u32::MAX);
                next.sort();
                next.dedup();
                if next.is_empty() {
                    break;
                }
                next.iter().for_each(|cell| steps[usize::from(cell.number())] = k);
                front = next;
            }
            steps
        };
        let walks: Vec<(Player, Vec<u32>)> = board.in_turn().map(|player| (player, walk(player))).collect();
        for cell in board.free().cells() {
            let at = usize::from(cell.number());
            let first =
                walks.iter().filter(|(_, steps)| steps[at] < u32::MAX).min_by_key(|(_, steps)| steps[at]);
            let owner = board.players().find(|player| areas.of[player.index()].contains(cell));
            assert_eq!(owner, first.map(|(player, _)| *player), "{:?} {}", cell, board);
        }
    }
}

/// The length of the longest path, by trying all.
fn longest_of_all(head: Cell, area: &Field) -> u32 {
    let next = Direction::ALL.into_iter().filter_map(|direction| head.step(direction));
    let longest = next.filter(|cell| area.contains(*cell)).map(|cell| {
        let mut rest = *area;
        rest.remove(cell);
        1 + longest_of_all(cell, &rest)
    });
    longest.max().unwrap_or(0)
}

#[test]
fn a_path_is_no_longer_than_its_bound() {
    let field = |cells: &[(i32, i32)]| {
        cells.iter().fold(Field::EMPTY, |mut field, &(x, y)| {
            field.insert(cell(x, y));
            field
        })
    };
    // A dead end of one cell, then one of two: the path takes the longer.
    let branches = field(&[(1, 0), (2, 0), (3, 0), (4, 0), (2, 1)]);
    assert_eq!((longest_path(cell(0, 0), &branches), branches.edges()), (4, 4));
    // A block of 3 by 3 entered at the middle of a side: five cells of one colour, of which it takes four.
    let block: Vec<_> = (1..4).flat_map(|x| (0..3).map(move |y| (x, y))).collect();
    assert_eq!(longest_path(cell(0, 1), &field(&block)), 8);
    assert_eq!(longest_path(cell(0, 0), &field(&block)), 9);
    let mut rng = Rng::new(3);
    let mut exact = 0;
    for _ in 0..300 {
        let mut area = Field::EMPTY;
        (0..rng.below(22)).for_each(|_| area.insert(cell(rng.below(5) as i32, rng.below(4) as i32)));
        let head = cell(rng.below(5) as i32, rng.below(4) as i32);
        area.remove(head);
        let (bound, longest) = (longest_path(head, &area), longest_of_all(head, &area));
        assert!(bound >= longest, "{bound} {longest} from {head:?} in {area:?}");
        exact += u32::from(bound == longest);
    }
    assert!(exact > 240, "{exact}");
}

/// The best chain in the rest of an area by its definition: the chambers behind `from` are the sets of cells that one cell
/// divides from it.
fn chain_by_definition(
    from: Cell,
    (rest, area): (&Field, &Field),
    worth: &dyn Fn(&Chamber, usize) -> u32,
) -> u32 {
    let reached = |start: &Field, within: &Field| {
        let mut all = start.and(within);
        loop {
            let more = all.or(&all.neighbours().and(within));
            if more == all {
                return all;
            }
            all = more;
        }
    };
    let mut best = 0;
    let mut left = Field::of(from).neighbours().and(rest);
    while let Some(first) = left.pop() {
        // All that a path reaches through this neighbour. Its chamber are the cells that no single other one cuts off.
        let part = reached(&Field::of(first), rest);
        left = left.without(&part);
        let is_cut = |cell: &Cell| {
            let cuts = |&cut: &Cell| {
                let mut rest = part;
                rest.remove(cut);
                cut != *cell && !reached(&Field::of(from).neighbours(), &rest).contains(*cell)
            };
            part.cells().any(|cut| cuts(&cut))
        };
        let chamber = part.cells().filter(|cell| !is_cut(cell)).fold(Field::EMPTY, |mut all, cell| {
            all.insert(cell);
            all
        });
        let even = chamber.and(&Field::EVEN).count() as u16;
        let degrees = chamber.cells().map(|cell| Field::of(cell).neighbours().and(area).count()).sum::<u32>();
        let whole = Chamber { cells: [even, chamber.count() as u16 - even], degrees: degrees as u16 };
        let behind =
            chamber.cells().map(|cell| chain_by_definition(cell, (&part.without(&chamber), area), worth));
        let behind = behind.max().unwrap_or(0);
        best = best.max(worth(&whole, colour(from)) + behind);
    }
    best
}

#[test]
fn chains_of_chambers_are_those_of_the_definition() {
    let mut rng = Rng::new(9);
    // Of each number something shows in the sum.
    let worth = |chamber: &Chamber, from: usize| {
        let [even, odd] = chamber.cells.map(u32::from);
        1000 * even + 100 * odd + 10 * u32::from(chamber.degrees) + from as u32
    };
    let mut whole = 0;
    for _ in 0..40 {
        let mut board = Board::<2>::start();
        for _ in 0..rng.below(60) {
            board.random_move(&mut rng).into_iter().for_each(|m| board.play(m));
        }
        let areas = Areas::new(&board);
        for player in board.in_turn().filter(|_| !board.is_over()) {
            let (head, area) = (board.head(player), &areas.of[player.index()]);
            let narrow = area.or(&Field::of(head)).narrow_cells();
            if area.count() < 150 || narrow.is_empty() {
                assert_eq!(
                    best_chain(head, area, true, worth),
                    chain_by_definition(head, (area, area), &worth),
                    "{board}"
                );
                whole += u32::from(narrow.is_empty());
            }
        }
    }
    assert!(whole > 2, "{whole}");
    for _ in 0..cases(2_000) {
        // Full of holes, and not all of it is reached.
        let (width, height, holes) = (2 + rng.below(9), 2 + rng.below(7), rng.below(4));
        let mut area = Field::EMPTY;
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            if rng.below(4) >= holes {
                area.insert(cell(x as i32, y as i32));
            }
        }
        let head = cell(rng.below(width) as i32, rng.below(height) as i32);
        area.remove(head);
        assert_eq!(
            best_chain(head, &area, false, worth),
            chain_by_definition(head, (&area, &area), &worth),
            "{head:?} in {area:?}"
        );
    }
}

#[test]
fn sets_of_cells_have_their_neighbours() {
    let corner = Field::of(cell(29, 19));
    assert_eq!(corner.neighbours(), Field::of(cell(28, 19)).or(&Field::of(cell(29, 18))));
    assert_eq!((Field::ALL.count(), Field::ALL.edges()), (600, 29 * 20 + 30 * 19));
    assert_eq!(Field::ALL.neighbours(), Field::ALL);
    assert!(Field::EMPTY.is_empty() && !corner.is_empty());
}

#[test]
fn a_drawing_shows_every_trail() {
    let drawing = after::<2>("UP LEFT RIGHT UP").draw(None);
    let trails = drawing.shapes.iter().filter(|shape| matches!(shape.paint(), Some(Paint::Player(_))));
    let names = drawing.shapes.iter().filter(|shape| matches!(shape, Shape::Name(..)));
    assert_eq!(
        (trails.count(), names.count()),
        (6 + 2, 2 + 2),
        "two discs and names stand in the line below"
    );
}

#[test]
fn a_drawing_shades_what_each_reaches_first() {
    let board = after::<3>("UP LEFT RIGHT OUT");
    let (drawing, areas) = (board.draw(None), Areas::new(&board));
    for player in board.players() {
        let widths = drawing.shapes.iter().filter_map(|shape| match shape {
            Shape::Rect([.., width, _], paint) if *paint == Paint::Reach(player) => Some(*width as u32),
            _ => None,
        });
        let count = areas.of[player.index()].count();
        assert_eq!(widths.sum::<u32>(), count);
        let told = if player == Player::FIRST { "out".to_owned() } else { count.to_string() };
        let is_told = |shape: &Shape| matches!(shape, Shape::Text(_, _, text, _) if *text == told);
        assert!(drawing.shapes.iter().any(is_told), "{told}");
    }
}

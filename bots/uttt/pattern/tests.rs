//! Tests invariants of the evaluation, and the codes of small boards.

use coppice::search::Greedy;
use coppice::{Budget, Evaluation, Game, Player, Rng, Score, Search};

use super::code::{self, code, codes, open, turned, CODES, SYMMETRIES};
use super::network::{PARTS, WEIGHTS};
use super::tables::Tables;
use crate::uttt::strategy::{search, Numbers};
use crate::uttt::{Board, Cell};

/// Calls `check` with each position of some random games and the moves that led to it.
fn positions(games: u32, mut check: impl FnMut(&[Cell], &Board)) {
    let mut rng = Rng::new(5);
    for _ in 0..games {
        let (mut board, mut moves) = (Board::START, Vec::new());
        check(&moves, &board);
        while let Some(cell) = board.random_move(&mut rng) {
            board.play(cell);
            moves.push(cell);
            check(&moves, &board);
        }
    }
}

#[test]
fn every_open_small_board_has_its_own_number() {
    let mut seen = vec![false; CODES];
    for own in 0..512u16 {
        for other in (0..512).filter(|other| own & other == 0) {
            let code = code(own, other);
            assert!(!std::mem::replace(&mut seen[usize::from(code)], true));
            assert!(open(code).is_none_or(|marks| marks == [own, other]));
        }
    }
    assert!(seen.iter().all(|&seen| seen), "3^9 numbers");
    assert!([code::WON, code::LOST, code::DRAWN].iter().all(|&code| open(code).is_none()));
}

#[test]
fn symmetries_are_a_group_on_places() {
    for a in &SYMMETRIES {
        assert_eq!(a.iter().fold(0, |set, &place| set | 1u16 << place), 0o777);
        for b in &SYMMETRIES {
            let both: [u8; 9] = std::array::from_fn(|place| a[usize::from(b[place])]);
            assert!(SYMMETRIES.contains(&both));
        }
        assert_eq!(turned(0o1, a), 1 << a[0]);
    }
}

#[test]
fn what_is_seen_is_what_is_on_the_board() {
    positions(20, |_, board| {
        for player in [Player::FIRST, Player::SECOND] {
            let other = codes(board, player.other());
            for (b, &code) in codes(board, player).iter().enumerate() {
                let is = |boards: u16| boards >> b & 1 == 1;
                let drawn = is(board.drawn());
                let (own, theirs) = (is(board.won(player)), is(board.won(player.other())));
                assert_eq!(
                    (code == code::WON, code == code::LOST, code == code::DRAWN),
                    (own, theirs, drawn)
                );
                if let Some(marks) = open(code) {
                    assert_eq!(marks, [board.marks(player, b as u32), board.marks(player.other(), b as u32)]);
                    assert_eq!(open(other[b]), Some([marks[1], marks[0]]));
                }
            }
        }
    });
}

#[test]
fn the_eight_images_of_a_position_are_worth_the_same() {
    let tables = Tables::trained();
    let mut different = std::collections::HashSet::new();
    positions(30, |moves, board| {
        let worth = tables.evaluate(board);
        different.insert(worth.value());
        for symmetry in &SYMMETRIES {
            let place = |place: u32| u32::from(symmetry[place as usize]);
            let mut image = Board::START;
            moves.iter().for_each(|cell| image.play(Cell::new(place(cell.board()), place(cell.place()))));
            assert_eq!(tables.evaluate(&image), worth, "{board}");
        }
    });
    assert!(different.len() > 500, "{} estimates", different.len());
}

#[test]
fn a_childs_estimate_is_the_same_from_its_parent() {
    let tables = Tables::trained();
    positions(30, |_, board| {
        let mut list = Default::default();
        board.moves(&mut list);
        let estimate = tables.below(board);
        for &cell in list.iter() {
            let next = board.after(cell);
            if !next.is_over() {
                assert_eq!(estimate(cell, &next), tables.evaluate(&next), "{cell} in {board}");
            }
        }
    });
}

#[test]
fn missing_weights_count_as_nothing() {
    let tables = Tables::expand(&[]);
    positions(1, |_, board| assert_eq!(tables.evaluate(board), Score::DRAW));
}

/// Rows are clamped, units are cut: even with extreme weights nothing overflows.
#[test]
fn no_sum_of_the_largest_weights_overflows() {
    for weights in [[127; WEIGHTS], [129; WEIGHTS]] {
        let tables = Tables::expand(&weights);
        positions(3, |_, board| {
            let worth = tables.evaluate(board);
            assert!(!worth.is_win() && !worth.is_loss());
            // With all weights positive, everything adds value; with all negative, only the turn counts.
            assert_eq!(worth > Score::DRAW, weights[0] == 127, "{worth} {board}");
        });
    }
}

#[test]
fn parts_follow_one_another() {
    let end = PARTS.iter().fold(0, |end, part| {
        assert_eq!(part.range().start, end);
        part.range().end
    });
    assert_eq!(end, WEIGHTS);
    assert_eq!(include_bytes!("weights.bin").len(), WEIGHTS);
}

/// Greedy play, one ply deep.
#[test]
fn the_estimate_alone_beats_random_moves() {
    let mut greedy = Greedy::new(Tables::trained(), 1);
    let mut rng = Rng::new(6);
    let mut points = 0;
    for game in 0..100 {
        let mut board = Board::START;
        while let Some(random) = board.random_move(&mut rng) {
            let is_greedy = board.to_move().index() == game % 2;
            let best = is_greedy.then(|| greedy.search(&board, Budget::nodes(100)).best).flatten();
            board.play(best.unwrap_or(random));
        }
        points += board.payoff(Player::new(game as u8 % 2)).sign();
    }
    assert!(points > 80, "{points} of 100");
}

#[test]
fn a_line_that_can_be_finished_is_finished() {
    let mut rng = Rng::new(9);
    let mut search = search(&Numbers::default(), 4 << 20);
    let mut met = 0;
    while met < 20 {
        let mut board = Board::START;
        while let Some(cell) = board.random_move(&mut rng) {
            let mut list = Default::default();
            board.moves(&mut list);
            let wins = |cell: &Cell| board.after(*cell).payoff(board.to_move()).0 == 10;
            if list.iter().any(wins) {
                let report = search.search(&board, Budget::nodes(200));
                assert!(wins(&report.best.unwrap()), "{report:?} {board}");
                met += 1;
                break;
            }
            board.play(cell);
        }
    }
}

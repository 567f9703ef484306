//! Tests the referee's lines, the platform's protocol and the variants.

use contest::commands::start;
use contest::laws::{both_sides_agree, check_commands, check_undo, reads_garbage};
use contest::lines::LineGame;
use coppice::input::Input;
use coppice::search::{McGraph, MctsOptions};
use coppice::{Budget, Game, List, Player, Rng, Search};

use super::{Board, GrandSlam};

/// The position of these holes and captured seeds, the side to move first.
fn position(own: [u8; 7], other: [u8; 7], rule: GrandSlam) -> Board {
    let side = |bytes: [u8; 7]| (0..).zip(bytes).fold(0, |side, (i, byte)| side | u64::from(byte) << (8 * i));
    Board::of_sides(side(own), side(other), rule)
}

fn shown(board: &Board, player: Player) -> Vec<u32> {
    (0..6).map(|hole| board.seeds(player, hole)).chain([board.captured(player)]).collect()
}

#[test]
fn it_plays_by_the_laws() {
    check_commands::<Board>();
    for rule in [GrandSlam::CapturesNothing, GrandSlam::Forbidden, GrandSlam::Captures] {
        check_undo(&Board::new(rule));
    }
}

/// Who wins with best play, looking at every sequence of moves; `None` if there are more positions than `left`.
fn winner(board: &Board, left: &mut u32) -> Option<i32> {
    *left = left.checked_sub(1)?;
    let mut moves = List::default();
    board.moves(&mut moves);
    let ended = if moves.is_empty() { Some(board.payoff(board.to_move()).sign()) } else { None };
    ended.or_else(|| {
        let values = moves.iter().map(|&hole| Some(-winner(&board.after(hole), left)?));
        values.collect::<Option<Vec<i32>>>()?.into_iter().max()
    })
}

/// Few seeds go round the board, so that a move ends the game on one way to a position and doesn't on another.
#[test]
fn a_graph_of_positions_takes_no_end_of_one_way_for_that_of_another() {
    let mut search = McGraph::new(MctsOptions { memory: 1 << 20, ..MctsOptions::default() });
    let mut rng = Rng::new(4);
    let mut compared = [0; 2];
    for _ in 0..100 {
        let mut side = || [(); 6].map(|()| u8::from(rng.below(4) == 0));
        let (own, other) = (side(), side());
        let stored = 48 - own.iter().chain(&other).sum::<u8>();
        let with =
            |holes: [u8; 6], captured| [holes[0], holes[1], holes[2], holes[3], holes[4], holes[5], captured];
        let stores = [stored / 2, stored - stored / 2];
        let board = position(with(own, stores[0]), with(other, stores[1]), GrandSlam::CapturesNothing);
        let mut moves = List::default();
        board.moves(&mut moves);
        let report = search.search(&board, Budget::nodes(3_000));
        assert_eq!(report.best.is_some_and(|best| moves.contains(&best)), !moves.is_empty(), "{board:?}");
        let Some(exact) = winner(&board, &mut 300_000).filter(|_| !moves.is_empty()) else { continue };
        compared[usize::from(report.solved)] += 1;
        if report.solved {
            let said = i32::from(report.score.is_win()) - i32::from(report.score.is_loss());
            assert_eq!(said, exact, "{board:?}");
        }
    }
    assert!(compared[1] > 10, "{compared:?}");
}

#[test]
fn the_platforms_protocol_is_read_as_it_is_written() {
    for seed in 0..60 {
        both_sides_agree::<Board>(seed);
        reads_garbage::<Board>(seed);
    }
}

#[test]
fn counts_by_other_rules_are_taken_as_they_are() {
    let mut board = <Board as LineGame<u8>>::start(0);
    board.play(0);
    let line = b"0 0 9 0 0 0 3 0 0 0 0 1\n";
    board.read_turn(Player::FIRST, &mut Input::new(&line[..])).expect("counts");
    assert_eq!(shown(&board, Player::FIRST), [0, 0, 9, 0, 0, 0, 0]);
    assert_eq!(shown(&board, Player::SECOND), [3, 0, 0, 0, 0, 1, 35]);
    for line in
        ["1 2 3\n", "0 0 9 0 0 0 3 0 0 0 0 x\n", "20 20 9 0 0 0 3 0 0 0 0 1\n", "0 0 9 0 0 0 3 0 0 0 0 1 1\n"]
    {
        let error = board.read_turn(Player::FIRST, &mut Input::new(line.as_bytes())).expect_err(line);
        assert!(error.to_string().contains("twelve counts"), "{error}");
    }
}

#[test]
fn variants_are_read_or_refused() {
    let rules = ["0", "1", "2"].map(|words| start::<Board>(words).expect("a variant").grand_slam());
    assert_eq!(rules, [GrandSlam::CapturesNothing, GrandSlam::Forbidden, GrandSlam::Captures]);
    for words in ["", "3", "0 1", "no"] {
        let error = start::<Board>(words).expect_err(words);
        assert!(error.contains("SLAM(0|1|2)") || error.contains("the grand slam's rule"), "{error}");
    }
}

#[test]
fn a_run_of_two_or_three_is_captured_backwards() {
    // The last seed makes hole 2 of the other row 3; holes 1 and 0 have 2 and 3 then, hole 3 isn't reached.
    let mut board = position([0, 0, 0, 0, 0, 3, 5], [2, 1, 2, 2, 0, 1, 0], GrandSlam::CapturesNothing);
    board.play(5);
    assert_eq!(shown(&board, Player::FIRST), [0, 0, 0, 0, 0, 0, 13]);
    assert_eq!(shown(&board, Player::SECOND), [0, 0, 0, 2, 0, 1, 0]);
    // A hole with 4 breaks the run.
    let mut board = position([0, 0, 0, 0, 0, 3, 5], [2, 3, 2, 2, 0, 1, 0], GrandSlam::CapturesNothing);
    board.play(5);
    assert_eq!(shown(&board, Player::SECOND), [3, 4, 0, 2, 0, 1, 0]);
}

#[test]
fn the_rule_of_the_grand_slam_decides() {
    let of = |rule| position([1, 0, 0, 0, 0, 2, 5], [1, 1, 0, 0, 0, 0, 0], rule);
    let after = |rule| of(rule).after(5);
    assert_eq!(shown(&after(GrandSlam::CapturesNothing), Player::SECOND), [2, 2, 0, 0, 0, 0, 0]);
    // The second player has no seeds left, so the first takes the own row.
    let captured = after(GrandSlam::Captures);
    assert_eq!((shown(&captured, Player::FIRST), captured.is_over()), (vec![0, 0, 0, 0, 0, 0, 10], true));
    let forbidden = of(GrandSlam::Forbidden);
    let mut list = List::default();
    forbidden.moves(&mut list);
    assert_eq!(list[..], [0]);
}

#[test]
fn an_empty_row_must_be_fed() {
    let board = position([3, 0, 0, 3, 2, 0, 10], [0, 0, 0, 0, 0, 0, 10], GrandSlam::CapturesNothing);
    let mut list = List::default();
    board.moves(&mut list);
    assert_eq!(list[..], [3, 4]);
    // After this neither player can feed: the second player's only seed is played into the first's row.
    let mut board = position([1, 1, 0, 0, 0, 0, 10], [0, 0, 0, 0, 0, 1, 10], GrandSlam::CapturesNothing);
    board.play(0);
    assert!(!board.is_over());
    board.play(5);
    assert_eq!((board.is_over(), board.payoff(Player::FIRST).0), (true, 3));
}

/// Two seeds that follow each other around the board: the position of ply 0 comes round after twelve.
#[test]
fn a_position_that_comes_round_ends_the_game() {
    let mut board = position([1, 0, 0, 0, 0, 0, 20], [1, 0, 0, 0, 0, 0, 20], GrandSlam::CapturesNothing);
    for ply in 0..12 {
        assert!(!board.is_over(), "ply {ply}");
        board.play(ply / 2);
    }
    assert_eq!((board.is_over(), board.plies(), board.payoff(Player::FIRST).0), (true, 12, 0));
    assert_eq!(shown(&board, Player::FIRST), [0, 0, 0, 0, 0, 0, 21]);
}

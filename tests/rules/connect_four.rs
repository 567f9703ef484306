//! Tests the rules of connect four.

use coppice::{Game, Player, Rng};
use coppice_tests::games::ConnectFour;

use super::assert_perft;

#[test]
fn perft() {
    assert_perft(&ConnectFour::START, &[7, 49, 343, 2401, 16807, 117_649, 823_536]);
}

#[test]
#[ignore = "deep"]
fn perft_to_depth_8() {
    assert_eq!(coppice::perft(&ConnectFour::START, 8, coppice::Ended::Dropped), 5_673_234);
}

/// Whether the discs have four in line, checked from every cell.
fn slow_has_four(discs: u64) -> bool {
    let has = |x: i32, y: i32| (0..7).contains(&x) && (0..6).contains(&y) && discs >> (8 * x + y) & 1 == 1;
    let line = |x: i32, y: i32, (dx, dy): (i32, i32)| (0..4).all(|i| has(x + i * dx, y + i * dy));
    let directions = [(1, 0), (0, 1), (1, 1), (1, -1)];
    (0..42).any(|cell| directions.iter().any(|&step| line(cell % 7, cell / 7, step)))
}

#[test]
fn games_end_with_four_in_line_or_a_full_board() {
    let mut rng = Rng::new(6);
    let mut draws = 0;
    for _ in 0..2_000 {
        let mut game = ConnectFour::START;
        let mut plies = 0;
        while let Some(column) = game.random_move(&mut rng) {
            assert!(!slow_has_four(game.discs().1), "{game:?}");
            game.play(column);
            plies += 1;
        }
        let won = slow_has_four(game.discs().1);
        assert!(won || plies == 42, "{game:?}");
        assert_eq!(game.payoff(Player::new(plies as u8 % 2)).0, -i32::from(won), "{game:?}");
        draws += usize::from(!won);
    }
    assert!(draws > 0);
}

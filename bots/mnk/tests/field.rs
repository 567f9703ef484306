//! Tests the field's incremental counts against a slow count of all windows.

use coppice::Rng;

use crate::mnk::field::{Field, Lack};

const SIZES: [(usize, usize, usize); 12] = [
    (3, 3, 3),
    (1, 1, 1),
    (4, 3, 1),
    (5, 5, 2),
    (1, 12, 4),
    (12, 1, 2),
    (2, 9, 3),
    (3, 3, 5),
    (7, 7, 5),
    (6, 11, 6),
    (13, 12, 10),
    (16, 17, 15),
];

/// The counts for one player: open windows in total, and for each cell the windows through it that lack one mark and
/// two.
#[derive(Debug, PartialEq)]
struct Counted {
    open: u32,
    weight: i32,
    lacking: Vec<[u32; 2]>,
    gains: Vec<i32>,
}

/// The weight of a window.
fn weight(lacks: usize) -> i32 {
    match lacks {
        0 => 0,
        1 => 1024,
        2 => 770,
        3 => 284,
        4 => 26,
        5 => 4,
        6 => 2,
        _ => 1,
    }
}

fn count(field: &Field, (rows, columns, in_line): (usize, usize, usize), player: usize) -> Counted {
    let cells = rows * columns;
    let mut counted = Counted { open: 0, weight: 0, lacking: vec![[0; 2]; cells], gains: vec![0; cells] };
    for at in 0..cells {
        for (down, right) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let window: Option<Vec<usize>> = (0..in_line as isize)
                .map(|i| {
                    let (row, column) =
                        ((at / columns) as isize + i * down, (at % columns) as isize + i * right);
                    let inside = (0..rows as isize).contains(&row) && (0..columns as isize).contains(&column);
                    inside.then(|| row as usize * columns + column as usize)
                })
                .collect();
            let Some(window) = window else { continue };
            if window.iter().any(|&at| field.mark(at) == 2 - player as u8) {
                continue;
            }
            let lacks = window.iter().filter(|&&at| field.mark(at) == 0).count();
            counted.open += 1;
            counted.weight += weight(lacks);
            for at in window {
                match lacks {
                    0 => {}
                    1 => counted.gains[at] += 4096,
                    _ => counted.gains[at] += weight(lacks - 1),
                }
                if let 1 | 2 = lacks {
                    counted.lacking[at][lacks - 1] += 1;
                }
            }
        }
    }
    counted
}

fn kept(field: &Field, player: usize) -> Counted {
    let lacks = |at| [Lack::One, Lack::Two].map(|lack| field.lacking(at, player, lack));
    Counted {
        open: field.open(player),
        weight: field.weight(player),
        lacking: (0..field.len()).map(lacks).collect(),
        gains: (0..field.len()).map(|at| field.gain(at, player)).collect(),
    }
}

fn check(field: &Field, size: (usize, usize, usize)) {
    for player in 0..2 {
        let counted = count(field, size, player);
        assert_eq!(kept(field, player), counted, "{size:?}");
        for (i, lack) in [Lack::One, Lack::Two].into_iter().enumerate() {
            let hot = |at: usize| field.hot(at / 64, player, lack) >> (at % 64) & 1 == 1;
            assert_eq!(field.is_hot(player, lack), (0..field.len()).any(hot), "{size:?}");
            for at in 0..field.len() {
                assert_eq!(hot(at), counted.lacking[at][i] > 0 && field.mark(at) == 0, "{at} of {size:?}");
            }
        }
        let wins = (0..field.len()).filter(|&at| counted.lacking[at][0] > 0 && field.mark(at) == 0);
        assert_eq!(field.wins(player).0, wins.count().min(2) as u32);
    }
}

/// Makes and removes marks in any order; at the end nothing must be left of them.
#[test]
fn what_is_kept_is_what_a_slow_count_says() {
    let mut rng = Rng::new(1);
    for size in SIZES {
        let (rows, columns, in_line) = size;
        let mut field = Field::new(rows, columns, in_line);
        let empty = [kept(&field, 0), kept(&field, 1)];
        check(&field, size);
        let mut made: Vec<(usize, usize)> = Vec::new();
        for _ in 0..if rows * columns < 60 { 200 } else { 60 } {
            if rng.below(3) > 0 && made.len() < field.len() {
                let free: Vec<usize> = (0..field.len()).filter(|&at| field.mark(at) == 0).collect();
                let (at, player) = (free[rng.below(free.len() as u32) as usize], rng.below(2) as usize);
                // A full window ends the game: nothing is counted after it.
                let wins = field.lacking(at, player, Lack::One) > 0;
                assert_eq!(field.put(at, player), wins, "{size:?}");
                if wins {
                    field.take(at, player);
                } else {
                    made.push((at, player));
                }
            } else if !made.is_empty() {
                let (at, player) = made.swap_remove(rng.below(made.len() as u32) as usize);
                field.take(at, player);
            }
            check(&field, size);
        }
        made.drain(..).for_each(|(at, player)| field.take(at, player));
        assert_eq!(([kept(&field, 0), kept(&field, 1)], field.hash()), (empty, 0));
    }
}

#[test]
#[should_panic(expected = "MAX_IN_LINE")]
fn a_line_is_not_longer_than_a_count_can_say() {
    Field::new(20, 20, 16);
}
